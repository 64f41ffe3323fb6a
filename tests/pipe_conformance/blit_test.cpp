// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits of the device, whichever method it uses, against the CPU's blits (pipe::blit_cpu).
#include <cmath>
#include <vector>

#include "pipe/blit/blit.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr int kW = 50, kH = 38;

/// Values from 0 to 1, or integers.
void fill(Scene& s, pipe::Resource& r) {
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    const int layers = int(r.desc.layers);
    const pipe::Mapping m = s.context->map(r, 0, {0, 0, 0, kW, kH, layers},
                                           pipe::map_flag::kWrite | pipe::map_flag::kDiscardWhole);
    REQUIRE(m.data);
    for (int z = 0; z < layers; ++z)
        for (int y = 0; y < kH; ++y) {
            uint8_t* const row =
                static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B + size_t(z) * m.layer_stride_B;
            float floats[kW][4];
            uint32_t integers[kW][4];
            for (int x = 0; x < kW; ++x)
                for (int c = 0; c < 4; ++c) {
                    integers[x][c] = uint32_t(x * 3 + y * 5 + c * 40 + z * 11) % 100;
                    floats[x][c] = float(integers[x][c]) / 99;
                }
            if (f.is_pure_uint)
                pipe::pack_rgba_u32(r.desc.format, row, integers[0], kW);
            else if (f.is_pure_sint)
                pipe::pack_rgba_s32(r.desc.format, row, reinterpret_cast<int32_t*>(integers[0]), kW);
            else
                pipe::pack_rgba_f32(r.desc.format, row, floats[0], kW);
        }
    s.context->unmap(r, m);
}

std::vector<float> read(Scene& s, pipe::Resource& r) {
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    const int w = int(r.desc.width), h = int(r.desc.height), layers = int(r.desc.layers);
    const pipe::Mapping m = s.context->map(r, 0, {0, 0, 0, w, h, layers}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    std::vector<float> out;
    for (int z = 0; z < layers; ++z)
        for (int y = 0; y < h; ++y) {
            const uint8_t* const row = static_cast<const uint8_t*>(m.data) + size_t(y) * m.row_stride_B +
                                       size_t(z) * m.layer_stride_B;
            std::vector<float> floats(size_t(w) * 4);
            if (f.is_pure_int()) {
                std::vector<uint32_t> integers(floats.size());
                pipe::unpack_rgba_u32(r.desc.format, integers.data(), row, size_t(w));
                std::copy(integers.begin(), integers.end(), floats.begin());
            } else {
                pipe::unpack_rgba_f32(r.desc.format, floats.data(), row, size_t(w));
            }
            out.insert(out.end(), floats.begin(), floats.end());
        }
    s.context->unmap(r, m);
    return out;
}

pipe::Ref<pipe::Resource> image(Scene& s, pipe::Format f, int w, int h, uint32_t layers = 1,
                                uint32_t bind = 0) {
    pipe::ResourceDesc d;
    d.kind = layers > 1 ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
    d.format = f;
    d.width = uint32_t(w);
    d.height = uint32_t(h);
    d.layers = layers;
    d.bind = pipe::bind::kSampled | bind;
    if (s.supports(f, d.bind | pipe::bind::kColor, 1, d.kind)) d.bind |= pipe::bind::kColor;
    auto r = s.screen->create_resource(d);
    REQUIRE(r);
    return r;
}

/// Returns the greatest difference between the device's blit and the CPU's. `b` has no resources yet.
float compare(Scene& s, pipe::BlitInfo b, pipe::Format from, pipe::Format to, uint32_t layers = 1,
              uint32_t src_bind = 0) {
    const auto src = image(s, from, kW, kH, layers, src_bind), drawn = image(s, to, 70, 60, layers),
               by_cpu = image(s, to, 70, 60, layers);
    fill(s, *src);
    b.src.resource = src.get();
    if (b.src.format == pipe::Format::None) b.src.format = from;
    b.dst.resource = drawn.get();
    if (b.dst.format == pipe::Format::None) b.dst.format = to;
    REQUIRE(pipe::blit(*s.context, b, {}) == pipe::BlitStatus::Ok);
    b.dst.resource = by_cpu.get();
    REQUIRE(pipe::blit_cpu(*s.context, b) == pipe::BlitStatus::Ok);
    const auto x = read(s, *drawn), y = read(s, *by_cpu);
    float worst = 0;
    for (size_t i = 0; i < x.size(); ++i)
        worst = std::max(worst, std::fabs(x[i] - y[i]));
    return worst;
}

pipe::BlitInfo boxes(const pipe::Box& src, const pipe::Box& dst,
                     pipe::Filter filter = pipe::Filter::Nearest) {
    pipe::BlitInfo b;
    b.src.box = src;
    b.dst.box = dst;
    b.filter = filter;
    return b;
}

}  // namespace

TEST_CASE("blits: formats are converted as by the CPU") {
    using F = pipe::Format;
    struct Pair {
        F from, to;
        float tolerance;
    };
    Scene s(16, 16);
    for (const Pair& p : {Pair{F::R8G8B8A8_UNORM, F::B8G8R8A8_UNORM, 0},
                          {F::R8G8B8A8_UNORM, F::B5G6R5_UNORM, 0.02f},
                          {F::R8G8B8A8_UNORM, F::R10G10B10A2_UNORM, 0.002f},
                          {F::R8G8B8A8_UNORM, F::R16G16B16A16_FLOAT, 0.001f},
                          {F::R16G16B16A16_FLOAT, F::R8G8B8A8_UNORM, 0.005f},
                          {F::R32G32B32A32_FLOAT, F::R11G11B10_FLOAT, 0.02f},
                          {F::R8_UNORM, F::R8G8B8A8_UNORM, 0},
                          {F::R8G8B8A8_UNORM, F::R8G8_UNORM, 0},
                          {F::R8G8B8A8_SRGB, F::R8G8B8A8_UNORM, 0.005f},
                          {F::R8G8B8A8_UNORM, F::R8G8B8A8_SRGB, 0.01f},
                          {F::R8G8B8A8_UINT, F::R32G32B32A32_UINT, 0},
                          {F::R16G16B16A16_SINT, F::R8G8B8A8_SINT, 0},
                          {F::B5G5R5A1_UNORM, F::R8G8B8A8_UNORM, 0.005f},
                          {F::R8G8B8A8_SNORM, F::R8G8B8A8_SNORM, 0}})
        for (const uint32_t linear : {0u, uint32_t(pipe::bind::kLinear)}) {
            CAPTURE(std::string(pipe::format_info(p.from).name));
            CAPTURE(std::string(pipe::format_info(p.to).name));
            CAPTURE(linear);
            if (!s.supports(p.from, pipe::bind::kSampled | linear) || !s.supports(p.to, pipe::bind::kSampled))
                continue;
            const float worst =
                compare(s, boxes({3, 2, 0, 40, 30, 1}, {11, 7, 0, 40, 30, 1}), p.from, p.to, 1, linear);
            CHECK(worst <= p.tolerance);
        }
}

TEST_CASE("blits: they scale, mirror, filter and clip as the CPU's") {
    Scene s(16, 16);
    constexpr pipe::Format f = pipe::Format::R8G8B8A8_UNORM;
    for (const pipe::Filter filter : {pipe::Filter::Nearest, pipe::Filter::Linear})
        for (const auto& boxes_px : {std::pair(pipe::Box{0, 0, 0, kW, kH, 1}, pipe::Box{0, 0, 0, 25, 19, 1}),
                                     {{0, 0, 0, kW, kH, 1}, {3, 5, 0, 67, 51, 1}},
                                     {{5, 6, 0, 17, 9, 1}, {60, 1, 0, -55, 40, 1}},
                                     {{5, 6, 0, 17, 9, 1}, {1, 50, 0, 33, -40, 1}},
                                     {{kW, kH, 0, -kW, -kH, 1}, {0, 0, 0, kW, kH, 1}},
                                     {{-5, -6, 0, 30, 30, 1}, {10, 10, 0, 30, 30, 1}},
                                     {{30, 20, 0, 30, 30, 1}, {20, 20, 0, 30, 30, 1}},
                                     {{0, 0, 0, kW, kH, 1}, {30, 30, 0, 100, 76, 1}}}) {
            const pipe::Box src = boxes_px.first, dst = boxes_px.second;
            CAPTURE(unsigned(filter));
            CAPTURE(src.x);
            CAPTURE(dst.width);
            for (const bool scissored : {false, true}) {
                pipe::BlitInfo b = boxes(src, dst, filter);
                b.scissored = scissored;
                b.scissor = {8, 9, 43, 57};
                CHECK(compare(s, b, f, f) <= 0.005f);
            }
        }
}

TEST_CASE("blits: all layers; views of another format") {
    Scene s(16, 16);
    constexpr pipe::Format f = pipe::Format::R8G8B8A8_UNORM;
    float worst = compare(s, boxes({3, 2, 1, 40, 30, 3}, {11, 7, 0, 40, 30, 3}), f, f, 4);
    CHECK(worst == 0);
    pipe::BlitInfo b = boxes({3, 2, 0, 40, 30, 1}, {11, 7, 0, 40, 30, 1});
    b.src.format = pipe::Format::R8G8B8A8_SRGB;
    worst = compare(s, b, f, f);
    CHECK(worst <= 0.005f);
}

TEST_CASE("blits: between passes, they change neither state nor queries") {
    Scene s(64, 64);
    using F = pipe::Format;
    const auto q = s.context->create_query(pipe::QueryKind::Samples);
    const auto generated = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
    s.begin(0, 0, 0, 1);
    s.context->begin_query(*q);
    if (!s.older_than(32)) s.context->begin_query(*generated);
    s.rectangle(0, 0, 8, 8, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    // A scaled blit from outside the source; an alpha channel that the source does not have; luminance.
    float worst =
        compare(s, boxes({-5, 0, 0, kW, kH, 1}, {0, 0, 0, 25, 19, 1}), F::R8G8B8A8_UNORM, F::R8G8B8A8_UNORM);
    CHECK(worst == 0);
    worst = compare(s, boxes({0, 0, 0, 8, 8, 1}, {0, 0, 0, 16, 16, 1}, pipe::Filter::Linear),
                    F::R8G8B8X8_UNORM, F::R8G8B8A8_UNORM);
    CHECK(worst <= 0.005f);
    worst = compare(s, boxes({0, 0, 0, 8, 8, 1}, {3, 4, 0, 8, 8, 1}), F::R8G8B8A8_UNORM, F::L8A8_UNORM);
    CHECK(worst == 0);
    s.resume();
    s.rectangle(8, 8, 16, 16, 0.5f, {0, 1, 0, 1});
    s.context->end_query(*q);
    if (!s.older_than(32)) s.context->end_query(*generated);
    const auto pixels = s.pixels();
    CHECK(pixels[4 * 64 + 4] == 0xff0000ff);
    CHECK(pixels[9 * 64 + 9] == 0xff00ff00);
    CHECK(std::count(pixels.begin(), pixels.end(), 0xff000000) == 64 * 64 - 128);
    uint64_t count = 0;
    CHECK(s.context->query_result(*q, true, &count));
    CHECK(count == 128);
    if (s.older_than(32)) return;
    CHECK(s.context->query_result(*generated, true, &count));
    CHECK(count == 4);
}

TEST_CASE("blits: to formats that devices cannot render to") {
    Scene s(16, 16);
    using F = pipe::Format;
    // SNORM values are copied bit by bit; R9G9B9E5 is a target that the device cannot render to.
    if (s.supports(F::R8G8B8A8_SNORM, pipe::bind::kSampled))
        CHECK(compare(s, boxes({-5, 0, 0, kW, kH, 1}, {0, 0, 0, 25, 19, 1}), F::R8G8B8A8_SNORM,
                      F::R8G8B8A8_SNORM) == 0);
    if (!s.supports(F::R9G9B9E5_FLOAT, pipe::bind::kSampled)) return;
    const auto src = image(s, F::R8G8B8A8_UNORM, kW, kH), dst = image(s, F::R9G9B9E5_FLOAT, kW, kH);
    fill(s, *src);
    pipe::BlitInfo b = boxes({0, 0, 0, 8, 8, 1}, {0, 0, 0, 16, 16, 1}, pipe::Filter::Linear);
    b.src.resource = src.get();
    b.src.format = src->desc.format;
    b.dst.resource = dst.get();
    b.dst.format = dst->desc.format;
    CHECK(pipe::blit(*s.context, b, {}) == pipe::BlitStatus::Ok);
    CHECK(std::fabs(read(s, *dst)[0] - read(s, *src)[0]) < 0.01f);
}

TEST_CASE("blits: mipmaps of black and white stripes are grey") {
    Scene s(16, 16);
    pipe::ResourceDesc d;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    d.width = d.height = 64;
    d.levels = 7;
    d.bind = pipe::bind::kSampled | pipe::bind::kColor;
    const auto r = s.screen->create_resource(d);
    REQUIRE(r);
    pipe::Mapping m = s.context->map(*r, 0, {0, 0, 0, 64, 64, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            const uint32_t p = x & 1 ? 0xff0000ffu : 0xff00ff00u;
            std::memcpy(static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B + size_t(x) * 4, &p, 4);
        }
    s.context->unmap(*r, m);
    REQUIRE(pipe::generate_mipmap(*s.context, {.resource = r.get(), .format = d.format, .last_level = 6}) ==
            pipe::BlitStatus::Ok);
    for (const uint32_t level : {1u, 3u, 6u}) {
        m = s.context->map(*r, level, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        const auto* const p = static_cast<const uint8_t*>(m.data);
        CHECK(std::abs(int(p[0]) - 128) <= 1);
        CHECK(std::abs(int(p[1]) - 128) <= 1);
        CHECK(p[2] == 0);
        s.context->unmap(*r, m);
    }
}

TEST_CASE("blits: many buffers, and buffers in use") {
    Scene s(16, 16);
    constexpr int kSize_B = 100000;
    std::vector<uint8_t> bytes(kSize_B);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = uint8_t(i * 31 + i / 256);
    const auto src = s.buffer(bytes.data(), bytes.size()), dst = s.buffer(bytes.data(), bytes.size());
    s.context->copy_region(*dst, 0, 7, 0, 0, *src, 0, {101, 0, 0, 90001, 1, 1});
    s.context->copy_region(*dst, 0, 95000, 0, 0, *src, 0, {3, 0, 0, 5, 1, 1});
    const pipe::Mapping m = s.context->map(*dst, 0, {0, 0, 0, kSize_B, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    std::vector<uint8_t> want = bytes;
    std::copy_n(bytes.begin() + 101, 90001, want.begin() + 7);
    std::copy_n(bytes.begin() + 3, 5, want.begin() + 95000);
    CHECK(std::memcmp(m.data, want.data(), want.size()) == 0);
    s.context->unmap(*dst, m);
}

TEST_CASE("blits: within an image, source and destination overlap") {
    Scene s(16, 16);
    for (const uint32_t levels : {1u, 2u}) {
        pipe::ResourceDesc d;
        d.format = pipe::Format::R8G8B8A8_UNORM;
        d.width = kW;
        d.height = kH;
        d.levels = levels;
        d.bind = pipe::bind::kSampled | pipe::bind::kColor;
        const auto r = s.screen->create_resource(d);
        REQUIRE(r);
        fill(s, *r);
        const auto before = read(s, *r);
        pipe::BlitInfo b = boxes({3, 2, 0, 30, 30, 1}, {38, 5, 0, -30, 30, 1});
        b.src.resource = b.dst.resource = r.get();
        b.src.format = b.dst.format = d.format;
        CHECK(pipe::blit(*s.context, b, {}) == pipe::BlitStatus::Ok);
        const auto after = read(s, *r);
        const auto at = [](int x, int y, int c) { return (size_t(y) * kW + size_t(x)) * 4 + size_t(c); };
        size_t wrong = 0;
        for (int y = 0; y < kH; ++y)
            for (int x = 0; x < kW; ++x)
                for (int c = 0; c < 4; ++c) {
                    const bool inside = x >= 8 && x < 38 && y >= 5 && y < 35;
                    const float want = inside ? before[at(3 + 37 - x, y - 3, c)] : before[at(x, y, c)];
                    wrong += after[at(x, y, c)] != want;
                }
        CHECK(wrong == 0);
    }
}

TEST_CASE("copies: of drawn images, and of overlapping boxes") {
    Scene s(64, 64);
    const auto copy = s.image(pipe::Format::R8G8B8A8_UNORM, 64, 64, pipe::bind::kSampled);
    s.begin(0, 0, 0, 1);
    s.rectangle(8, 8, 24, 24, 0.5f, {0, 1, 0, 1});
    s.context->end_render_pass();
    s.context->copy_region(*copy, 0, 0, 0, 0, *s.color, 0, {8, 8, 0, 32, 32, 1});
    pipe::BlitInfo b;
    b.src = {copy.get(), pipe::Format::R8G8B8A8_UNORM, 0, {0, 0, 0, 16, 16, 1}};
    b.dst = {s.color.get(), pipe::Format::R8G8B8A8_UNORM, 0, {40, 40, 0, 16, 16, 1}};
    CHECK(pipe::blit(*s.context, b, {}) == pipe::BlitStatus::Ok);
    s.context->copy_region(*s.color, 0, 44, 44, 0, *s.color, 0, {40, 40, 0, 16, 16, 1});
    s.resume();
    const auto pixels = s.pixels();
    const auto at = [&](int x, int y) { return pixels[size_t(y) * 64 + size_t(x)]; };
    CHECK(at(39, 45) == 0xff000000);
    CHECK(at(40, 40) == 0xff00ff00);
    CHECK(at(55, 55) == 0xff00ff00);
    CHECK(at(59, 59) == 0xff00ff00);
    CHECK(at(60, 59) == 0xff000000);
    CHECK(at(43, 57) == 0xff000000);
}
