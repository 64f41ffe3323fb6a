// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The depth test, the stencil test and blending, with random states, against their definitions.
#include "tests/common/blend/cases.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using pipe::Compare;
using pipe::StencilOp;

namespace {

template <class T>
bool passes(Compare c, T a, T b) {
    switch (c) {
        case Compare::Never:
            return false;
        case Compare::Less:
            return a < b;
        case Compare::Equal:
            return a == b;
        case Compare::LessEqual:
            return a <= b;
        case Compare::Greater:
            return a > b;
        case Compare::NotEqual:
            return a != b;
        case Compare::GreaterEqual:
            return a >= b;
        case Compare::Always:
            return true;
    }
    return false;
}

uint8_t applied(StencilOp op, uint8_t old, uint8_t ref) {
    switch (op) {
        case StencilOp::Keep:
            return old;
        case StencilOp::Zero:
            return 0;
        case StencilOp::Replace:
            return ref;
        case StencilOp::IncrClamp:
            return old == 255 ? old : uint8_t(old + 1);
        case StencilOp::DecrClamp:
            return old == 0 ? old : uint8_t(old - 1);
        case StencilOp::Invert:
            return uint8_t(~old);
        case StencilOp::IncrWrap:
            return uint8_t(old + 1);
        case StencilOp::DecrWrap:
            return uint8_t(old - 1);
    }
    return old;
}

/// A pixel's depth in quarters, its stencil value, and whether the tested draw coloured it.
struct Pixel {
    int depth;
    uint8_t stencil;
    bool drawn = false;
};

Pixel tested(const pipe::DepthStencilDesc& d, const pipe::StencilFaceDesc& face, uint8_t ref, int depth,
             Pixel p) {
    const auto stencil = [&](StencilOp op) {
        const uint8_t v = applied(op, p.stencil, ref);
        p.stencil = uint8_t((p.stencil & ~face.write_mask) | (v & face.write_mask));
    };
    if (d.stencil_test &&
        !passes(face.compare, uint8_t(ref & face.read_mask), uint8_t(p.stencil & face.read_mask))) {
        stencil(face.fail);
        return p;
    }
    const bool passed = !d.depth_test || passes(d.depth_compare, depth, p.depth);
    if (d.stencil_test) stencil(passed ? face.pass : face.depth_fail);
    if (!passed) return p;
    if (d.depth_test && d.depth_write) p.depth = depth;
    p.drawn = true;
    return p;
}

}  // namespace

TEST_CASE("tests: random states of depth and stencil, of both faces") {
    constexpr int kCells = 8,
                  kSide = 8;  // cells of the target; each has its own depth and stencil value
    constexpr uint8_t kStencils[kCells] = {0, 1, 2, 127, 128, 254, 255, 85};
    std::mt19937 random(23);
    const auto pick = [&](unsigned n) { return uint32_t(random()) % n; };
    for (const pipe::Format format : {pipe::Format::D24_UNORM_S8_UINT, pipe::Format::D32_FLOAT_S8X24_UINT,
                                      pipe::Format::D16_UNORM, pipe::Format::S8_UINT}) {
        CAPTURE(std::string(pipe::format_name(format)));
        const pipe::FormatInfo& f = pipe::format_info(format);
        Scene s(kCells * kSide, kCells * kSide, pipe::Format::None);
        if (!s.supports(format, pipe::bind::kDepthStencil)) continue;
        const auto zs = s.image(format, kCells * kSide, kCells * kSide, pipe::bind::kDepthStencil);
        s.pass.depth_stencil.resource = zs.get();
        s.pass.depth_stencil.format = format;
        for (unsigned round = 0; round < 12; ++round) {
            CAPTURE(round);
            pipe::DepthStencilDesc set{.depth_test = true, .depth_write = true, .stencil_test = true};
            set.depth_compare = Compare::Always;
            set.front.pass = set.back.pass = StencilOp::Replace;
            s.depth_stencil(set);
            s.begin(0, 0, 0, 1);
            // Each column has a stencil value, each row a depth from 0 to 4 quarters.
            for (int x = 0; x < kCells; ++x) {
                s.context->set_stencil_ref(kStencils[x], kStencils[x]);
                for (int y = 0; y < kCells; ++y)
                    s.rectangle(float(x * kSide), float(y * kSide), float(x * kSide + kSide),
                                float(y * kSide + kSide), float(y % 5) / 4, kRed);
            }
            pipe::DepthStencilDesc d;
            d.depth_test = pick(4) != 0;
            d.depth_write = pick(3) != 0;
            d.stencil_test = pick(6) != 0;
            d.depth_compare = Compare(pick(8));
            for (pipe::StencilFaceDesc* face : {&d.front, &d.back}) {
                face->compare = Compare(pick(8));
                face->fail = StencilOp(pick(8));
                face->depth_fail = StencilOp(pick(8));
                face->pass = StencilOp(pick(8));
                face->read_mask = pick(2) ? 0xff : uint8_t(random());
                face->write_mask = pick(2) ? 0xff : uint8_t(random());
            }
            const uint8_t front = kStencils[pick(kCells)], back = kStencils[pick(kCells)];
            s.depth_stencil(d);
            s.context->set_stencil_ref(front, back);
            // Front faces draw the lower half of each cell, back faces the upper half, at depth 1/2.
            std::vector<Vertex> v;
            for (int y = 0; y < kCells; ++y)
                for (const bool is_back : {false, true}) {
                    const float y0 = float(y * kSide + is_back * kSide / 2), y1 = y0 + kSide / 2,
                                x1 = kCells * kSide;
                    std::array<Vertex, 6> quad = {s.at(0, y0), s.at(x1, y0), s.at(0, y1),
                                                  s.at(0, y1), s.at(x1, y0), s.at(x1, y1)};
                    if (is_back) std::swap(quad[0], quad[1]), std::swap(quad[3], quad[4]);
                    for (Vertex& corner : quad) {
                        std::copy_n(kGreen.data(), 4, corner.color);
                        v.push_back(corner);
                    }
                }
            s.draw(pipe::Primitive::Triangles, v);
            const auto pixels = s.pixels();
            const pipe::Mapping m = s.context->map(*zs, 0, level_box(zs->desc, 0), pipe::map_flag::kRead);
            REQUIRE(m.data);
            pipe::DepthStencilDesc meant = d;
            meant.depth_test &= f.has_depth;
            meant.stencil_test &= f.has_stencil;
            unsigned wrong_color = 0, wrong_depth = 0, wrong_stencil = 0;
            for (int y = 0; y < kCells * kSide; ++y) {
                const void* const row = static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B;
                float depth[kCells * kSide];
                uint8_t stencil[kCells * kSide];
                if (f.has_depth) pipe::unpack_depth_f32(format, depth, row, kCells * kSide);
                if (f.has_stencil) pipe::unpack_stencil_u8(format, stencil, row, kCells * kSide);
                for (int x = 0; x < kCells * kSide; ++x) {
                    const bool is_back = y % kSide >= kSide / 2;
                    const Pixel want = tested(meant, is_back ? d.back : d.front, is_back ? back : front, 2,
                                              {y / kSide % 5, kStencils[x / kSide]});
                    wrong_color +=
                        pixels[size_t(y * kCells * kSide + x)] != (want.drawn ? kGreenPixel : kRedPixel);
                    wrong_depth += f.has_depth && std::fabs(depth[x] - float(want.depth) / 4) > 1.01f / 65535;
                    wrong_stencil += f.has_stencil && stencil[x] != want.stencil;
                }
            }
            s.context->unmap(*zs, m);
            CHECK(wrong_color == 0);
            CHECK(wrong_depth == 0);
            CHECK(wrong_stencil == 0);
        }
    }
}

TEST_CASE("tests: scissors, depth bias, and depths beyond the near and far planes") {
    Scene s;
    s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = Compare::LessEqual});
    s.raster({.scissor = true});
    s.begin(0, 0, 0, 1);
    for (const auto& [scissor, color] : {std::pair(pipe::Scissor{-5, -5, 10, 10}, kRed),
                                         {{10, 0, 12, 64}, kGreen},
                                         {{60, 60, 999, 999}, kBlue},
                                         {{20, 20, 20, 30}, kRed},
                                         {{30, 30, 20, 40}, kRed}}) {
        s.context->set_scissor(scissor);
        s.rectangle(0, 0, 64, 64, 0.5f, color);
    }
    auto p = s.pixels();
    CHECK(count(p, kRedPixel) == 100);
    CHECK(count(p, kGreenPixel) == 2 * 64);
    CHECK(count(p, kBluePixel) == 16);
    CHECK(p[9 * 64 + 9] == kRedPixel);
    CHECK(p[63 * 64 + 63] == kBluePixel);

    // A bias in units moves a fragment of equal depth to the back, or to the front.
    s.raster({});
    s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = Compare::Less});
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 64, 64, 0.5f, kRed);
    s.raster({.depth_bias = true, .depth_bias_units = -4});
    s.rectangle(0, 0, 16, 64, 0.5f, kGreen);
    s.raster({.depth_bias = true, .depth_bias_units = 4});
    s.rectangle(16, 0, 32, 64, 0.5f, kBlue);
    // The plane z = -w clips, except with depth clamping.
    s.raster({});
    s.rectangle(32, 0, 48, 64, -0.25f, kGreen);
    if (!lacks(!s.caps().depth_clamp, "depth clamps")) {
        s.raster({.depth_clamp = true});
        s.depth_stencil({.depth_test = true, .depth_write = true, .depth_clamp = true});
        s.rectangle(48, 0, 64, 64, -0.25f, kGreen);
    }
    p = s.pixels();
    CHECK(p[5] == kGreenPixel);
    CHECK(p[20] == kRedPixel);
    CHECK(p[40] == kRedPixel);
    if (s.caps().depth_clamp) CHECK(p[50] == kGreenPixel);
}

namespace {

/// `saturating`: only equations with SrcAlphaSaturate, on targets without alpha, with sources that may be
/// below 0. Otherwise all other equations.
void check_equations(bool saturating) {
    std::mt19937 random(17);
    for (const BlendCase& c : kBlendCases) {
        constexpr unsigned kSide = 12, kPixels = kSide * kSide;
        CAPTURE(std::string(pipe::format_name(c.format)));
        Scene s(kSide, kSide, pipe::Format::None);
        if (!s.supports(c.format, pipe::bind::kColor)) continue;
        const auto target = s.image(c.format, kSide, kSide, pipe::bind::kColor);
        s.pass.color[0].resource = target.get();
        s.pass.color[0].format = c.format;
        const pipe::FormatInfo& f = pipe::format_info(c.format);
        unsigned stored = 0;
        for (unsigned k = 0; k < 4; ++k)
            stored |= unsigned(f.component_bits(k) != 0) << k;
        float step = c.tolerance;
        for (unsigned k = 0; k < 4; ++k)
            if (f.component_bits(k) && pipe::raster::color_range(c.format) != pipe::raster::ColorRange::Float)
                step = std::max(step, 1.1f / float((1u << f.component_bits(k)) - 1));
        if (f.is_srgb) step = 0.03f;
        const bool unclamped = (pipe::raster::color_range(c.format) == pipe::raster::ColorRange::Float ||
                                pipe::raster::color_range(c.format) == pipe::raster::ColorRange::Snorm) &&
                               c.low < 0;
        for_each_equation(random, 47, [&](const pipe::BlendTargetDesc& t) {
            bool saturates = false;
            for (const pipe::BlendFactor factor : {t.src_rgb, t.dst_rgb, t.src_alpha, t.dst_alpha}) {
                if (factor >= pipe::BlendFactor::Src1Color) return;  // tested in framebuffer_fetch_test.cpp
                saturates |= factor == pipe::BlendFactor::SrcAlphaSaturate;
            }
            if ((saturates && unclamped && !f.has_alpha) != saturating) return;
            const std::string text = text_of(t, c);
            CAPTURE(text);
            std::array<Color, kPixels> source, dest;
            const Color constant = random_color(random, c, 0);
            const auto draw = [&](std::array<Color, kPixels>& colors, unsigned round) {
                std::vector<Vertex> v;
                for (unsigned i = 0; i < kPixels; ++i) {
                    colors[i] = random_color(random, c, i + round);
                    const auto x = float(i % kSide), y = float(i / kSide);
                    for (const auto& [dx, dy] : {std::pair{0.0f, 0.0f},
                                                 {1.0f, 0.0f},
                                                 {0.0f, 1.0f},
                                                 {0.0f, 1.0f},
                                                 {1.0f, 0.0f},
                                                 {1.0f, 1.0f}}) {
                        v.push_back(s.at(x + dx, y + dy));
                        std::copy(colors[i].begin(), colors[i].end(), v.back().color);
                    }
                }
                s.draw(pipe::Primitive::Triangles, v);
            };
            s.blend({});
            s.begin();
            draw(dest, 1);
            pipe::BlendDesc d;
            d.targets[0] = t;
            s.blend(d);
            s.context->set_blend_color(constant.data());
            draw(source, 0);
            s.context->end_render_pass();
            Picture bytes = read_picture(*s.context, *target, 0, level_box(target->desc, 0));
            unsigned wrong = 0;
            for (unsigned i = 0; i < kPixels; ++i) {
                Color got;
                pipe::unpack_rgba_f32(c.format, got.data(), &bytes.bytes[size_t(i) * f.block_B], 1);
                const Color want = expected_pixel(t, c, constant, source[i], through(c, dest[i]));
                for (unsigned k = 0; k < 4; ++k)
                    wrong += (stored >> k & 1) &&
                             !(std::fabs(want[k] - got[k]) <= step + std::fabs(want[k]) / 256);
            }
            CHECK(wrong == 0);
        });
    }
}

}  // namespace

TEST_CASE("blending: equations of all factors and operations, in each range of values") {
    check_equations(false);
}

TEST_CASE("blending: alphas that saturate below 0, in targets without alpha") {
    check_equations(true);
}

TEST_CASE("blending: each target has its own equation and mask") {
    Scene s(16, 16, pipe::Format::None);
    constexpr unsigned kTargets = 4;
    REQUIRE(s.caps().max_color_targets >= kTargets);
    const auto program = s.link(kVertexText,
                                "#extension GL_EXT_draw_buffers : require\n"
                                "precision highp float; varying vec4 v_color;\n"
                                "void main() { for (int i = 0; i < 4; ++i) gl_FragData[i] = v_color; }\n");
    s.context->bind_program(program.get());
    std::array<pipe::Ref<pipe::Resource>, kTargets> targets;
    pipe::BlendDesc blend;
    for (unsigned i = 0; i < kTargets; ++i) {
        targets[i] = s.image(pipe::Format::R8G8B8A8_UNORM, 16, 16, pipe::bind::kColor);
        s.pass.color[i] = {.resource = targets[i].get(),
                           .format = pipe::Format::R8G8B8A8_UNORM,
                           .load = pipe::LoadOp::Clear};
        s.pass.clear_color[i] = {.f = {0, 0, 1, 0}};
    }
    s.pass.color_count = kTargets;
    blend.targets[1] = {.enable = true, .dst_rgb = pipe::BlendFactor::One};
    blend.targets[2].write_mask = 5;
    blend.targets[3] = {.enable = true, .op_rgb = pipe::BlendOp::Max, .op_alpha = pipe::BlendOp::Min};
    s.blend(blend);
    s.context->begin_render_pass(s.pass);
    s.rectangle(0, 0, 16, 8, 0.5f, {1, 0.2f, 0, 1});
    s.context->end_render_pass();
    const auto at = [&](unsigned i, int32_t y) { return s.texel(*targets[i], 0, 3, y)[0]; };
    CHECK(at(0, 2) == 0xff0033ff);
    CHECK(at(1, 2) == 0xffff33ff);
    CHECK(at(2, 2) == 0x000000ff);
    CHECK(at(3, 2) == 0x00ff33ff);
    for (unsigned i = 0; i < kTargets; ++i)
        CHECK(at(i, 12) == 0x00ff0000);
}
