// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits that are draws (drivers/common/blit), compared with the CPU's, on any device.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "drivers/common/blit/draw_blit.h"
#include "drivers/common/clear/draw_clear.h"
#include "pipe/blit/blit.h"
#include "tests/common/driver_scene.h"

namespace terrazzo::test {

struct DrawBlitCase {
    pipe::Format from, to;
    pipe::Box src, dst;
    pipe::Filter filter = pipe::Filter::Nearest;
    float tolerance = 0;
    uint32_t levels = 1;  // the last one is read or written
    pipe::ResourceKind kind = pipe::ResourceKind::Tex2D;
    bool depth = true, stencil = true, scissored = false, same_image = false;
};

inline constexpr int kBlitW = 52, kBlitH = 40, kBlitLayers = 6;

inline std::vector<DrawBlitCase> draw_blit_cases() {
    using F = pipe::Format;
    using K = pipe::ResourceKind;
    constexpr pipe::Filter kLinear = pipe::Filter::Linear, kNearest = pipe::Filter::Nearest;
    constexpr pipe::Box kSome{3, 2, 0, 40, 30, 1}, kThere{11, 7, 0, 40, 30, 1};
    std::vector<DrawBlitCase> out;
    // Luminance and alpha, as source and as target.
    for (const F to : {F::A8_UNORM, F::L8_UNORM, F::L8A8_UNORM, F::L16A16_FLOAT, F::A32_FLOAT})
        out.push_back({F::R8G8B8A8_UNORM, to, kSome, kThere, kNearest, 0.001f});
    for (const F from : {F::A8_UNORM, F::L8_UNORM, F::L8A8_UNORM, F::ETC2_RGBA8_UNORM, F::R8G8B8X8_UNORM})
        out.push_back({from, F::R8G8B8A8_UNORM, kSome, kThere, kNearest, 0.005f});
    // An sRGB target encodes the colours.
    out.push_back({F::R8G8B8A8_UNORM, F::R8G8B8A8_SRGB, kSome, kThere, kNearest, 0.01f});
    // Scaled from outside the source, mirrored, clipped.
    for (const pipe::Filter filter : {kNearest, kLinear})
        for (const auto& [src, dst] :
             {std::pair(pipe::Box{-5, -6, 0, kBlitW, kBlitH, 1}, pipe::Box{1, 2, 0, 25, 19, 1}),
              {{-5, 3, 0, 70, 17, 1}, {10, 5, 0, 33, 31, 1}},
              {{40, 36, 0, -50, -40, 1}, {0, 0, 0, 51, 37, 1}},
              {{5, 6, 0, 17, 9, 1}, {50, 1, 0, -45, 38, 1}},
              {{0, 0, 0, 1, 1, 1}, {0, 0, 0, 30, 30, 1}},
              {{-900, -800, 0, 3200, 3000, 1}, {-70, -40, 0, 300, 200, 1}}})
            for (const bool scissored : {false, true})
                out.push_back({.from = F::R8G8B8A8_UNORM,
                               .to = F::R8G8B8A8_UNORM,
                               .src = src,
                               .dst = dst,
                               .filter = filter,
                               .tolerance = filter == kLinear ? 0.0061f : 0,
                               .scissored = scissored});
    constexpr pipe::Box kOutside{-5, -6, 0, 50, 40, 1}, kLarger{2, 1, 0, 48, 37, 1};
    for (const F f : {F::R8G8B8A8_SRGB, F::R8G8B8A8_UINT, F::R16G16B16A16_SINT, F::R32G32B32A32_FLOAT,
                      F::R10G10B10A2_UNORM})
        out.push_back({f, f, kOutside, kLarger});
    // Depth, stencil, both, and one while the other aspect must stay.
    for (const F f : {F::D24_UNORM_S8_UINT, F::D32_FLOAT_S8X24_UINT})
        for (const auto& [depth, stencil] : {std::pair(true, true), {true, false}, {false, true}})
            out.push_back(
                {.from = f, .to = f, .src = kOutside, .dst = kLarger, .depth = depth, .stencil = stencil});
    for (const F f : {F::D16_UNORM, F::D32_FLOAT})
        out.push_back({f, f, kOutside, kLarger});
    // Layers, faces and slices; levels; overlapping source and destination.
    for (const K kind : {K::Tex2DArray, K::Tex3D, K::Cube})
        for (const uint32_t levels : {1u, 2u})
            out.push_back({.from = F::R8G8B8A8_UNORM,
                           .to = F::R8G8B8A8_UNORM,
                           .src = {-3, 0, 1, 20, 20, kind == K::Tex3D && levels > 1 ? 2 : 4},
                           .dst = {1, 2, 0, 19, 18, kind == K::Tex3D ? 3 : 4},
                           .levels = levels,
                           .kind = kind});
    for (const pipe::Filter filter : {kNearest, kLinear})
        for (const K kind : {K::Tex2D, K::Tex2DArray})
            out.push_back({.from = F::R8G8B8A8_UNORM,
                           .to = F::R8G8B8A8_UNORM,
                           .src = {-5, -6, 0, 50, 40, kind == K::Tex2D ? 1 : 3},
                           .dst = {8, 1, kind == K::Tex2D ? 0 : 1, 37, 30, kind == K::Tex2D ? 1 : 3},
                           .filter = filter,
                           .tolerance = filter == kLinear ? 0.0061f : 0,
                           .kind = kind,
                           .same_image = true});
    return out;
}

class DrawBlitTest {
  public:
    explicit DrawBlitTest(DriverScene& scene) : s_(scene), blits_(*scene.screen) {
        rectangle_ = s_.buffer(clears::kRectangle, sizeof clears::kRectangle);
        pipe::VertexLayoutDesc layout;
        layout.elements[0].format = pipe::Format::R32G32B32A32_FLOAT;
        layout.count = 1;
        layout_ = s_.screen->create_vertex_layout(layout);
    }
    /// False if the device has no such targets or textures.
    bool run(const DrawBlitCase& c) {
        const uint32_t bind =
            pipe::bind::kSampled | (depth(c.to) ? pipe::bind::kDepthStencil : pipe::bind::kColor);
        if (!s_.screen->format_supported(c.from, c.kind, 1, pipe::bind::kSampled) ||
            !s_.screen->format_supported(c.to, c.kind, 1, pipe::bind::kSampled))
            return false;
        const auto src = image(c, c.from, bind), drawn = c.same_image ? src : image(c, c.to, bind),
                   by_cpu = image(c, c.to, bind), src_of_cpu = c.same_image ? by_cpu : src;
        fill(*src, c.levels - 1, 1);
        if (!c.same_image) fill(*drawn, c.levels - 1, 7);
        fill(*by_cpu, c.levels - 1, c.same_image ? 1 : 7);
        pipe::BlitInfo b;
        b.src = {src.get(), c.from, c.levels - 1, c.src};
        b.dst = {drawn.get(), c.to, c.levels - 1, c.dst};
        b.filter = c.filter;
        b.depth = c.depth;
        b.stencil = c.stencil;
        b.scissored = c.scissored;
        b.scissor = {8, 9, 30, 27};
        if (!blits_.can(b)) return false;
        REQUIRE(blits_.run(*s_.context, b, *rectangle_, layout_.get(), {}));
        b.src.resource = src_of_cpu.get();
        b.dst.resource = by_cpu.get();
        REQUIRE(pipe::blit_cpu(*s_.context, b) == pipe::BlitStatus::Ok);
        const std::vector<float> x = read(*drawn, c.levels - 1), y = read(*by_cpu, c.levels - 1);
        REQUIRE(x.size() == y.size());
        size_t wrong = 0;
        float worst = 0;
        for (size_t i = 0; i < x.size(); ++i) {
            wrong += !(std::fabs(x[i] - y[i]) <= c.tolerance);
            worst = std::max(worst, std::fabs(x[i] - y[i]));
        }
        CAPTURE(worst);
        CHECK(wrong == 0);
        return true;
    }

  private:
    static bool depth(pipe::Format f) { return pipe::format_info(f).is_depth_stencil(); }
    pipe::Ref<pipe::Resource> image(const DrawBlitCase& c, pipe::Format f, uint32_t bind) {
        pipe::ResourceDesc d;
        d.kind = c.kind;
        d.format = f;
        d.width = kBlitW << (c.levels - 1);
        d.height = (c.kind == pipe::ResourceKind::Cube ? kBlitW : kBlitH) << (c.levels - 1);
        if (c.kind == pipe::ResourceKind::Tex3D)
            d.depth = kBlitLayers;
        else if (c.kind != pipe::ResourceKind::Tex2D)
            d.layers = kBlitLayers;
        d.levels = c.levels;
        d.bind = bind;
        auto r = s_.screen->create_resource(d);
        REQUIRE(r);
        return r;
    }
    static pipe::Box level(const pipe::Resource& r, uint32_t n) {
        const bool volume = r.desc.kind == pipe::ResourceKind::Tex3D;
        return {0,
                0,
                0,
                int32_t(r.desc.width >> n),
                int32_t(r.desc.height >> n),
                int32_t(volume ? r.desc.depth >> n : r.desc.layers)};
    }
    /// Blocks get any bytes; other formats numbers from 0 to 1, or integers below 100.
    void fill(pipe::Resource& r, uint32_t at_level, uint32_t seed) {
        const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
        const pipe::Box box = level(r, at_level);
        const pipe::Mapping m =
            s_.context->map(r, at_level, box, pipe::map_flag::kWrite | pipe::map_flag::kDiscardWhole);
        REQUIRE(m.data);
        const auto w = size_t(box.width);
        std::vector<float> floats(w * 4);
        std::vector<uint32_t> integers(w * 4);
        std::vector<uint8_t> bytes(w);
        for (int32_t z = 0; z < box.depth; ++z)
            for (uint32_t y = 0; y < pipe::format_block_rows(f.format, uint32_t(box.height)); ++y) {
                uint8_t* const row =
                    static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B + size_t(z) * m.layer_stride_B;
                if (f.is_compressed) {
                    for (uint32_t i = 0; i < pipe::format_row_B(f.format, uint32_t(w)); ++i)
                        row[i] = uint8_t((i * 37 + y * 101 + uint32_t(z) * 7) * 2654435761u >> 13);
                    continue;
                }
                for (uint32_t i = 0; i < w * 4; ++i) {
                    integers[i] = (i / 4 * 3 + y * 5 + i % 4 * 40 + uint32_t(z) * 11) * seed % 100;
                    floats[i] = float(integers[i]) / 99;
                    bytes[i / 4] = uint8_t(integers[i]);
                }
                const pipe::FormatOps& ops = pipe::format_ops(f.format);
                if (f.has_depth) ops.pack_depth(row, floats.data(), w);
                if (f.has_stencil) ops.pack_stencil(row, bytes.data(), w);
                if (f.is_depth_stencil()) continue;
                if (f.is_pure_uint)
                    ops.pack_u32(row, integers.data(), w);
                else if (f.is_pure_sint)
                    ops.pack_s32(row, reinterpret_cast<const int32_t*>(integers.data()), w);
                else
                    ops.pack_f32(row, floats.data(), w);
            }
        s_.context->unmap(r, m);
    }
    std::vector<float> read(pipe::Resource& r, uint32_t at_level) {
        const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
        const pipe::Box box = level(r, at_level);
        const pipe::Mapping m = s_.context->map(r, at_level, box, pipe::map_flag::kRead);
        REQUIRE(m.data);
        const auto w = size_t(box.width);
        std::vector<float> out, floats(w * 4);
        std::vector<uint32_t> integers(w * 4);
        std::vector<uint8_t> bytes(w);
        const pipe::FormatOps& ops = pipe::format_ops(f.format);
        for (int32_t z = 0; z < box.depth; ++z)
            for (int32_t y = 0; y < box.height; ++y) {
                const uint8_t* const row = static_cast<const uint8_t*>(m.data) + size_t(y) * m.row_stride_B +
                                           size_t(z) * m.layer_stride_B;
                if (f.has_depth) {
                    ops.unpack_depth(floats.data(), row, w);
                    out.insert(out.end(), floats.begin(), floats.begin() + ptrdiff_t(w));
                }
                if (f.has_stencil) {
                    ops.unpack_stencil(bytes.data(), row, w);
                    out.insert(out.end(), bytes.begin(), bytes.end());
                }
                if (f.is_depth_stencil()) continue;
                if (f.is_pure_int()) {
                    ops.unpack_u32(integers.data(), row, w);
                    out.insert(out.end(), integers.begin(), integers.end());
                } else {
                    ops.unpack_f32(floats.data(), row, w);
                    out.insert(out.end(), floats.begin(), floats.end());
                }
            }
        s_.context->unmap(r, m);
        return out;
    }

    DriverScene& s_;
    blits::DrawBlits blits_;
    pipe::Ref<pipe::Resource> rectangle_;
    pipe::Ref<pipe::VertexLayout> layout_;
};

/// Returns for how many cases the device supports the formats. These must equal the CPU's blits.
inline unsigned check_draw_blits(DriverScene& s) {
    DrawBlitTest test(s);
    unsigned count = 0;
    int index = 0;
    for (const DrawBlitCase& c : draw_blit_cases()) {
        CAPTURE(index);
        ++index;
        CAPTURE(std::string(pipe::format_info(c.from).name));
        CAPTURE(std::string(pipe::format_info(c.to).name));
        CAPTURE(c.src.x);
        CAPTURE(c.dst.width);
        CAPTURE(unsigned(c.kind));
        CAPTURE(c.levels);
        CAPTURE(c.depth);
        CAPTURE(c.stencil);
        count += test.run(c);
    }
    CHECK(s.messages == "");
    return count;
}

}  // namespace terrazzo::test
