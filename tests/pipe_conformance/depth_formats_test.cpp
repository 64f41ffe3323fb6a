// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil of each format: tests, clears, passes that load their targets, maps, blits of one aspect,
// textures.
#include <cmath>

#include "pipe/blit/blit.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr int kW = 52, kH = 37;

struct Values {
    float depth[kW];
    uint8_t stencil[kW];
};
Values read(Scene& s, pipe::Resource& r, int y) {
    Values v{};
    const pipe::Mapping m = s.context->map(r, 0, {0, y, 0, kW, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    const pipe::FormatOps& ops = pipe::format_ops(r.desc.format);
    ops.unpack_depth(v.depth, m.data, kW);
    if (pipe::format_info(r.desc.format).has_stencil) ops.unpack_stencil(v.stencil, m.data, kW);
    s.context->unmap(r, m);
    return v;
}

/// Depth 0.25 and stencil 3 in the left half, 1 and 7 in the right one.
void draw_halves(Scene& s, bool has_stencil) {
    pipe::DepthStencilDesc d{.depth_test = true, .depth_write = true};
    d.stencil_test = has_stencil;
    d.front.pass = pipe::StencilOp::Replace;
    d.back = d.front;
    s.depth_stencil(d);
    s.context->set_stencil_ref(3, 3);
    s.pass.clear_stencil = 7;
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, kW / 2, kH, 0.25f, {1, 0, 0, 1});
    s.context->end_render_pass();
}

}  // namespace

TEST_CASE("depth formats: tests and clears, in one pass and the next") {
    for (const pipe::Format f :
         {pipe::Format::D16_UNORM, pipe::Format::D24_UNORM_X8, pipe::Format::D24_UNORM_S8_UINT,
          pipe::Format::D32_FLOAT, pipe::Format::D32_FLOAT_S8X24_UINT}) {
        CAPTURE(std::string(pipe::format_info(f).name));
        const bool has_stencil = pipe::format_info(f).has_stencil;
        Scene s(kW, kH);
        if (!s.supports(f, pipe::bind::kDepthStencil)) continue;
        const auto depth = s.image(f, kW, kH, pipe::bind::kDepthStencil);
        s.pass.depth_stencil.resource = depth.get();
        s.pass.depth_stencil.format = f;
        draw_halves(s, has_stencil);
        Values v = read(s, *depth, kH - 1);
        CHECK(std::fabs(v.depth[kW / 2 - 1] - 0.25f) < 1e-4f);
        CHECK(v.depth[kW / 2] == 1);
        CHECK(v.stencil[0] == (has_stencil ? 3 : 0));
        CHECK(v.stencil[kW - 1] == (has_stencil ? 7 : 0));
        // The hidden half stays; where stencil is 7 it is drawn. Then a clear of depth only, and one of
        // stencil only.
        pipe::DepthStencilDesc d{.depth_test = true, .depth_write = true};
        d.stencil_test = has_stencil;
        d.front.compare = pipe::Compare::Equal;
        d.back = d.front;
        s.depth_stencil(d);
        s.context->set_stencil_ref(7, 7);
        s.resume();
        s.rectangle(0, 0, kW, kH, 0.5f, {0, 1, 0, 1});
        pipe::ClearInfo c;
        c.scissored = true;
        c.scissor = {0, 0, 10, 20};
        c.attachments = pipe::attachment_bit::kDepth;
        c.depth = 0.75f;
        s.context->clear(c);
        c.scissor = {5, 0, 15, 20};
        c.attachments = pipe::attachment_bit::kStencil;
        c.stencil = 9;
        s.context->clear(c);
        const auto pixels = s.pixels();
        CHECK(pixels[3] == 0xff0000ff);
        CHECK(pixels[kW - 1] == 0xff00ff00);
        v = read(s, *depth, 19);
        CHECK(std::fabs(v.depth[9] - 0.75f) < 1e-4f);
        CHECK(std::fabs(v.depth[10] - 0.25f) < 1e-4f);
        CHECK(std::fabs(v.depth[kW - 1] - 0.5f) < 1e-4f);
        if (has_stencil) {
            CHECK(v.stencil[4] == 3);
            CHECK(v.stencil[5] == 9);
            CHECK(v.stencil[14] == 9);
            CHECK(v.stencil[15] == 3);
            CHECK(v.stencil[kW - 1] == 7);
        }
    }
}

TEST_CASE("depth formats: blits and copies of both aspects and of one") {
    for (const pipe::Format f : {pipe::Format::D24_UNORM_S8_UINT, pipe::Format::D32_FLOAT_S8X24_UINT}) {
        CAPTURE(std::string(pipe::format_info(f).name));
        Scene s(kW, kH);
        if (!s.supports(f, pipe::bind::kDepthStencil)) continue;
        const auto src = s.image(f, kW, kH, pipe::bind::kDepthStencil),
                   dst = s.image(f, kW, kH, pipe::bind::kDepthStencil);
        s.pass.depth_stencil.resource = src.get();
        s.pass.depth_stencil.format = f;
        draw_halves(s, true);
        pipe::BlitInfo b;
        b.src = {src.get(), f, 0, {0, 0, 0, kW, kH, 1}};
        b.dst = {dst.get(), f, 0, {0, 0, 0, kW, kH, 1}};
        b.color = false;
        b.depth = true;
        CHECK(pipe::blit(*s.context, b, {}) == pipe::BlitStatus::Ok);
        Values v = read(s, *dst, 4);
        CHECK(std::fabs(v.depth[0] - 0.25f) < 1e-6f);
        CHECK(v.depth[kW - 1] == 1);
        CHECK(v.stencil[0] == 0);
        b.depth = false;
        b.stencil = true;
        b.src.box = {kW, kH, 0, -kW, -kH, 1};  // mirrored
        CHECK(pipe::blit(*s.context, b, {}) == pipe::BlitStatus::Ok);
        v = read(s, *dst, 4);
        CHECK(std::fabs(v.depth[0] - 0.25f) < 1e-6f);
        CHECK(v.stencil[0] == 7);
        CHECK(v.stencil[kW - 1] == 3);
        s.context->copy_region(*dst, 0, 10, 0, 0, *src, 0, {0, 0, 0, 8, 8, 1});
        v = read(s, *dst, 4);
        CHECK(v.stencil[9] == 7);
        CHECK(v.stencil[10] == 3);
        CHECK(v.stencil[18] == 7);
        // Within one image, overlapping.
        s.context->copy_region(*dst, 0, 14, 0, 0, *dst, 0, {10, 0, 0, 8, 8, 1});
        v = read(s, *dst, 4);
        CHECK(v.stencil[21] == 3);
        CHECK(v.stencil[22] == 7);
        CHECK(std::fabs(v.depth[21] - 0.25f) < 1e-6f);
    }
}

TEST_CASE("depth formats: what the CPU wrote is tested and sampled, for both aspects") {
    for (const pipe::Format f : {pipe::Format::D24_UNORM_S8_UINT, pipe::Format::D32_FLOAT_S8X24_UINT}) {
        CAPTURE(std::string(pipe::format_info(f).name));
        Scene s(kW, kH);
        if (s.older_than(31)) return;
        if (!s.supports(f, pipe::bind::kDepthStencil | pipe::bind::kSampled)) continue;
        const auto image = s.image(f, kW, kH, pipe::bind::kDepthStencil | pipe::bind::kSampled);
        const pipe::Mapping m = s.context->map(*image, 0, {0, 0, 0, kW, kH, 1}, pipe::map_flag::kWrite);
        REQUIRE(m.data);
        const pipe::FormatOps& ops = pipe::format_ops(f);
        for (int y = 0; y < kH; ++y) {
            float depth[kW];
            uint8_t stencil[kW];
            for (int x = 0; x < kW; ++x) {
                depth[x] = float(x) / 64;
                stencil[x] = uint8_t(y * 5);
            }
            uint8_t* const row = static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B;
            ops.pack_depth(row, depth, kW);
            ops.pack_stencil(row, stencil, kW);
        }
        s.context->unmap(*image, m);
        const auto depth_view = s.screen->create_sampler_view(image, {.format = f});
        const auto stencil_view = s.screen->create_sampler_view(image, {.format = f, .stencil = true});
        REQUIRE(depth_view);
        REQUIRE(stencil_view);
        const auto program = s.link(
            "#version 310 es\nin vec4 position; in vec4 color; void main() { gl_Position = position; }\n",
            "#version 310 es\nprecision highp float; uniform highp sampler2D a; uniform highp usampler2D b; "
            "out "
            "vec4 c; void main() { ivec2 p = ivec2(gl_FragCoord.xy); c = vec4(texelFetch(a, p, 0).r, "
            "float(texelFetch(b, p, 0).r) / 255.0, 0.0, 1.0); }\n");
        s.context->bind_program(program.get());
        pipe::SamplerView* views[] = {depth_view.get(), stencil_view.get()};
        pipe::SamplerState* samplers[] = {nullptr, nullptr};
        s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
        s.begin();
        s.rectangle(0, 0, kW, kH, 0.5f, {0, 0, 0, 0});
        const auto pixels = s.pixels();
        for (const auto& [x, y] : {std::pair(0, 0), {kW - 1, 3}, {7, kH - 1}}) {
            const uint32_t p = pixels[size_t(y) * kW + size_t(x)];
            CHECK(std::fabs(float(p & 0xff) - float(x) / 64 * 255) <= 1);
            CHECK((p >> 8 & 0xff) == uint32_t(y * 5));
        }
    }
}
