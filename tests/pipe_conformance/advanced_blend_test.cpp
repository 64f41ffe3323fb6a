// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragment shaders compute the equations of KHR_blend_equation_advanced. They are compared with
// pipe/raster/blend.h.
#include <cmath>
#include <random>

#include "tests/common/blend/cases.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using pipe::AdvancedBlend;

namespace {

constexpr int kCell = 6, kColumns = 8, kRows = 5, kW = kCell * kColumns + 3, kH = kCell * kRows + 1;

pipe::BlendDesc advanced(AdvancedBlend e, uint8_t mask = 15) {
    pipe::BlendDesc d;
    d.targets[0].enable = true;
    d.targets[0].advanced = e;
    d.targets[0].write_mask = mask;
    return d;
}

bool no_advanced_blend(const Scene& s) {
    return s.older_than(32) || lacks(!s.caps().advanced_blend, "advanced blending");
}

/// A target of the scene's pass. Each of its samples can be read.
struct Target {
    Target(Scene& s, pipe::Format f, uint32_t samples) : s(s) {
        pipe::ResourceDesc d{.format = f,
                             .width = uint32_t(s.width),
                             .height = uint32_t(s.height),
                             .samples = samples,
                             .bind = pipe::bind::kColor};
        REQUIRE(s.screen->format_supported(f, pipe::ResourceKind::Tex2D, samples, d.bind));
        color = s.screen->create_resource(d);
        REQUIRE(color);
        s.pass.color[0] = {.resource = color.get(), .format = f, .samples = samples};
        s.pass.depth_stencil = {};
    }
    void read() {
        s.context->end_render_pass();
        const pipe::Box all{0, 0, 0, s.width, s.height, 1};
        const pipe::Mapping m = s.context->map(*color, 0, all, pipe::map_flag::kRead);
        REQUIRE(m.data);
        row = size_t(s.width) * color->desc.samples;
        texels.resize(row * size_t(s.height));
        for (size_t y = 0; y < size_t(s.height); ++y)
            pipe::unpack_rgba_f32(color->desc.format, texels[y * row].data(),
                                  static_cast<uint8_t*>(m.data) + y * m.row_stride_B, row);
        s.context->unmap(*color, m);
    }
    [[nodiscard]] const Color& at(int x, int y, uint32_t sample = 0) const {
        return texels[size_t(y) * row + size_t(x) * color->desc.samples + sample];
    }
    Scene& s;
    pipe::Ref<pipe::Resource> color;
    std::vector<Color> texels;
    size_t row = 0;
};

bool covers(const Scene& s, uint32_t samples, uint32_t n, int x, float x0, float x1) {
    float at[2];
    s.screen->sample_position(samples, n, at);
    return float(x) + at[0] >= x0 && float(x) + at[0] < x1;
}

Color blended(const BlendCase& c, const pipe::BlendDesc& d, const Color& src, const Color& dst) {
    return expected_pixel(d.targets[0], c, {}, src, dst);
}

/// The tolerance: one step of the format, and the error of the GPU's reciprocals and square roots.
bool is_close(const BlendCase& c, const Color& a, const Color& b) {
    const float step = c.format == pipe::Format::R8G8B8A8_UNORM || c.format == pipe::Format::R8G8B8X8_UNORM
                           ? 1.1f / 255
                           : c.tolerance + 0.004f;
    for (unsigned k = 0; k < 4; ++k)
        if (std::fabs(a[k] - b[k]) > step + std::fabs(a[k]) / 256) return false;
    return true;
}

void check_equations(const BlendCase& c, uint32_t samples) {
    CAPTURE(std::string(pipe::format_name(c.format)));
    CAPTURE(samples);
    std::mt19937 random(7 * samples + unsigned(c.format));
    Scene s(kW, kH);
    if (no_advanced_blend(s)) return;
    Target t(s, c.format, samples);
    for (unsigned e = 1; e <= unsigned(AdvancedBlend::HslLuminosity); ++e) {
        CAPTURE(e);
        const pipe::BlendDesc d = advanced(AdvancedBlend(e));
        std::array<Color, kColumns * kRows> source, dest;
        s.begin(0.5f, 0.25f, 1, 0.5f);
        // Each cell is filled with one colour. The colour that blends covers the middle of the cell; its
        // edges cut pixels in half.
        constexpr float kIn = 1.5f;
        const auto rectangles = [&](std::array<Color, kColumns * kRows>& colors, float in) {
            for (unsigned i = 0; i < colors.size(); ++i) {
                colors[i] = premultiplied_color(random);
                const float x = float(i % kColumns * kCell), y = float(i / kColumns * kCell);
                s.rectangle(x + in, y, x + kCell - in, y + kCell, 0.5f, colors[i]);
            }
        };
        s.blend({});
        rectangles(dest, 0);
        s.blend(d);
        rectangles(source, kIn);
        t.read();

        unsigned over = 0;
        for (int y = 0; y < kCell * kRows; ++y)
            for (int x = 0; x < kCell * kColumns; ++x)
                for (uint32_t n = 0; n < samples; ++n) {
                    const unsigned i = unsigned(y / kCell * kColumns + x / kCell);
                    const Color under = through(c, dest[i]);
                    const bool in = covers(s, samples, n, x % kCell, kIn, kCell - kIn);
                    over += in;
                    const Color expected = in ? blended(c, d, source[i], under) : under;
                    if (!is_close(c, expected, t.at(x, y, n)))
                        FAIL(x, ", ", y, ": ", color_text(expected), " got ", color_text(t.at(x, y, n)),
                             " source ", color_text(source[i]), " dest ", color_text(under));
                }
        CHECK(over == unsigned(kColumns * kRows * kCell * (kCell - 3)) * samples);
        CHECK(is_close(c, through(c, {0.5f, 0.25f, 1, 0.5f}), t.at(kW - 1, kH - 1)));
    }
}

}  // namespace

// What OpenGL ES 3.2 asks of a device in addition to OpenGL ES 3.1. The state tracker provides the rest
// (state_tracker/context/limits.cpp).
TEST_CASE("advanced blend: the screen supports what OpenGL ES 3.2 requires") {
    Scene s(16, 16);
    if (no_advanced_blend(s)) return;
    const pipe::Caps& caps = s.screen->caps();
    CHECK(caps.gles_version == 32);
    CHECK(caps.advanced_blend);
    CHECK(caps.sample_shading);
    CHECK(caps.max_samples >= 4);
    CHECK(caps.max_samplers_combined >= 96);
    using enum pipe::Format;
    using enum pipe::ResourceKind;
    using namespace pipe::bind;
    // Tables 8.10 and 8.18, stencil textures, cube map arrays.
    for (const pipe::Format f : {R16_FLOAT, R32_FLOAT, R16G16_FLOAT, R32G32_FLOAT, R16G16B16A16_FLOAT,
                                 R32G32B32A32_FLOAT, R11G11B10_FLOAT})
        CHECK_MESSAGE(s.screen->format_supported(f, Tex2D, 1, kColor | kSampled), pipe::format_name(f));
    for (const pipe::Format f : {R8_UNORM,        R16_FLOAT,          R32_FLOAT,
                                 R8_SINT,         R16_SINT,           R32_SINT,
                                 R8_UINT,         R16_UINT,           R32_UINT,
                                 R8G8_UNORM,      R16G16_FLOAT,       R32G32_FLOAT,
                                 R8G8_SINT,       R16G16_SINT,        R32G32_SINT,
                                 R8G8_UINT,       R16G16_UINT,        R32G32_UINT,
                                 R32G32B32_FLOAT, R32G32B32_SINT,     R32G32B32_UINT,
                                 R8G8B8A8_UNORM,  R16G16B16A16_FLOAT, R32G32B32A32_FLOAT,
                                 R8G8B8A8_SINT,   R16G16B16A16_SINT,  R32G32B32A32_SINT,
                                 R8G8B8A8_UINT,   R16G16B16A16_UINT,  R32G32B32A32_UINT})
        CHECK_MESSAGE(s.screen->format_supported(f, Buffer, 1, kSampled), pipe::format_name(f));
    CHECK(s.screen->format_supported(D24_UNORM_S8_UINT, Tex2D, 1,
                                     kSampled | kDepthStencil));  // for GL_STENCIL_INDEX8, too
    CHECK(s.screen->format_supported(R8G8B8A8_UNORM, CubeArray, 1, kSampled | kColor));
    CHECK(s.screen->format_supported(R8G8B8A8_UNORM, Tex2DArray, 4, kSampled | kColor));
}

TEST_CASE("advanced blend: every equation in each range of values, with and without samples") {
    for (const BlendCase& c : kBlendCases) {
        const bool usual = c.format == pipe::Format::R8G8B8A8_UNORM;
        check_equations(c, 1);
        if (usual || c.format == pipe::Format::R16G16B16A16_FLOAT) check_equations(c, 4);
    }
}

TEST_CASE("advanced blend: overlapping primitives blend in order") {
    // One draw that covers more than one tile.
    constexpr int kWide = 700, kHigh = 500, kTimes = 5;
    const BlendCase& c = kBlendCases[0];
    Scene s(kWide, kHigh);
    if (no_advanced_blend(s)) return;
    Target t(s, c.format, 1);
    const pipe::BlendDesc d = advanced(AdvancedBlend::Exclusion);
    s.begin(0.75f, 0.25f, 0.5f, 1);
    s.blend(d);
    std::vector<Vertex> v;
    std::array<Color, kTimes> colors;
    for (unsigned i = 0; i < kTimes; ++i) {
        colors[i] = {0.125f * float(i + 1), 0.8f - 0.1f * float(i), 0.4f, 0.9f};
        const float x0 = 60 * float(i), x1 = kWide, y1 = kHigh;
        for (const auto& [x, y] :
             {std::pair{x0, 0.0f}, {x1, 0.0f}, {x0, y1}, {x0, y1}, {x1, 0.0f}, {x1, y1}}) {
            v.push_back(s.at(x, y));
            std::copy(colors[i].begin(), colors[i].end(), v.back().color);
        }
    }
    s.draw(pipe::Primitive::Triangles, v);
    t.read();
    size_t wrong = 0;
    for (int x = 0; x < kWide; ++x) {
        Color expected = through(c, {0.75f, 0.25f, 0.5f, 1});
        for (int i = 0; i < kTimes && x >= 60 * i; ++i)
            expected = blended(c, d, colors[unsigned(i)], expected);
        for (int y = 0; y < kHigh; ++y)
            for (unsigned k = 0; k < 4; ++k)
                wrong += std::fabs(expected[k] - t.at(x, y)[k]) > 2.1f / 255;
    }
    CHECK(wrong == 0);
}

TEST_CASE("advanced blend: with masks of channels, and between draws without it") {
    const BlendCase& c = kBlendCases[0];
    Scene s(kW, kH);
    if (no_advanced_blend(s)) return;
    Target t(s, c.format, 1);
    const Color under = {0.5f, 0.25f, 0.75f, 0.5f}, over = {0.25f, 0.5f, 0.125f, 0.75f};
    s.begin(under[0], under[1], under[2], under[3]);
    const float scaled[] = {1, 1, 1, 1}, half[] = {0.5f, 0.5f, 0.5f, 0.5f};
    const auto uniform = [&](const float* v) {
        s.context->set_uniforms(pipe::Stage::Fragment, {reinterpret_cast<const uint32_t*>(v), 4});
    };
    const auto program = s.link(
        "#version 320 es\nin vec4 position, color; out vec4 v; void main() { gl_Position = "
        "position; v = color; }\n",
        "#version 320 es\nprecision highp float; in vec4 v; uniform vec4 scale; out vec4 "
        "c; void main() { c = v * scale; }\n");
    s.context->bind_program(program.get());
    uniform(scaled);
    const pipe::BlendDesc parts = advanced(AdvancedBlend::HslColor, 5),
                          all = advanced(AdvancedBlend::Overlay), none = advanced(AdvancedBlend::Overlay, 0);
    const auto column = [&](float x) { s.rectangle(x, 0, x + 4, kH, 0.5f, over); };
    s.blend(parts);
    column(0);
    s.blend({});
    column(4);
    s.blend(all);
    column(8);
    uniform(half);
    column(12);
    s.blend(none);
    column(16);
    s.blend({});
    column(20);
    s.context->bind_program(s.program.get());
    s.blend(all);
    column(24);
    t.read();
    const Color stored = through(c, under);
    Color halved = over;
    for (float& v : halved)
        v *= 0.5f;
    CHECK(is_close(c, blended(c, parts, over, stored), t.at(2, 9)));
    CHECK(is_close(c, over, t.at(6, 9)));
    CHECK(is_close(c, blended(c, all, over, stored), t.at(10, 9)));
    CHECK(is_close(c, blended(c, all, halved, stored), t.at(14, 9)));
    CHECK(is_close(c, stored, t.at(18, 9)));
    CHECK(is_close(c, halved, t.at(22, 9)));
    CHECK(is_close(c, blended(c, all, over, stored), t.at(26, 9)));
    CHECK(is_close(c, stored, t.at(30, 9)));
}

TEST_CASE("advanced blend: in shaders with textures, and with shading per sample") {
    const BlendCase& c = kBlendCases[0];
    Scene s(kW, kH);
    if (no_advanced_blend(s)) return;
    Target t(s, c.format, 4);
    const auto texture = s.image(pipe::Format::R8G8B8A8_UNORM, 1, 1, pipe::bind::kSampled);
    const pipe::Mapping m = s.context->map(*texture, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    std::memset(m.data, 0x80, 4);
    s.context->unmap(*texture, m);
    const auto view = s.screen->create_sampler_view(texture, {.format = texture->desc.format});
    pipe::SamplerView* views[] = {view.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, {});
    const auto program = s.link(
        "#version 320 es\nin vec4 position; out vec2 at; void main() { gl_Position = position; at = "
        "position.xy * 0.5 + 0.5; }\n",
        "#version 320 es\nprecision highp float; in vec2 at; uniform sampler2D image; out vec4 c; "
        "void main() { c = vec4(texture(image, at).xy, fract(at.x * 51.0), 1.0); }\n");
    s.context->bind_program(program.get());
    const pipe::BlendDesc d = advanced(AdvancedBlend::Difference);
    s.begin(0.25f, 1, 0.125f, 1);
    s.blend(d);
    s.rectangle(0, 0, 10, kH, 0.5f, {});
    s.raster({.sample_shading = 1});
    s.rectangle(10, 0, 20, kH, 0.5f, {});
    t.read();
    const Color stored = through(c, {0.25f, 1, 0.125f, 1});
    for (uint32_t n = 0; n < 4; ++n) {
        float at[2];
        s.screen->sample_position(4, n, at);
        constexpr float kHalf = 128.0f / 255;
        CHECK(is_close(c, blended(c, d, {kHalf, kHalf, 0.5f, 1}, stored), t.at(5, 9, n)));
        CHECK(is_close(c, blended(c, d, {kHalf, kHalf, at[0], 1}, stored), t.at(15, 9, n)));
        CHECK(is_close(c, stored, t.at(25, 9, n)));
    }
}

TEST_CASE("advanced blend: alpha to coverage uses the shader's alpha") {
    const BlendCase& c = kBlendCases[0];
    Scene s(kW, kH);
    if (no_advanced_blend(s)) return;
    Target t(s, c.format, 4);
    pipe::BlendDesc d = advanced(AdvancedBlend::Screen);
    d.alpha_to_coverage = true;
    s.begin(0.5f, 0.5f, 0.5f, 1);
    s.blend(d);
    const Color over = {0.25f, 0.125f, 0.5f, 0.5f};
    s.rectangle(0, 0, 10, kH, 0.5f, over);
    t.read();
    const Color stored = through(c, {0.5f, 0.5f, 0.5f, 1});
    unsigned drawn = 0;
    for (uint32_t n = 0; n < 4; ++n) {
        const bool blends = is_close(c, blended(c, d, over, stored), t.at(5, 9, n));
        drawn += blends;
        CHECK((blends || is_close(c, stored, t.at(5, 9, n))));
    }
    CHECK(drawn == 2);
}
