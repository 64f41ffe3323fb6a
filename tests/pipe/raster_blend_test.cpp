// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blend factors, equations, clamping and masks, compared with values worked out from tables 15.1 and 15.2.
#include <doctest/doctest.h>

#include <cmath>

#include "pipe/raster/blend.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::raster;

namespace {

struct Color {
    float c[4];
};

Color run(const BlendTargetDesc& desc, ColorRange range, Color src, Color dst) {
    const float constant[4] = {0.5f, 0.25f, 0.75f, 0.125f};
    Color out;
    blend(desc, range, constant, src.c, dst.c, out.c);
    return out;
}

bool is(Color a, float r, float g, float b, float alpha) {
    return a.c[0] == r && a.c[1] == g && a.c[2] == b && a.c[3] == alpha;
}

const Color kSrc = {{0.5f, 1.0f, 0.25f, 0.25f}}, kDst = {{0.25f, 0.5f, 0.75f, 0.5f}};

}  // namespace

TEST_CASE("blend: each factor on the source, with a destination factor of zero") {
    struct Row {
        BlendFactor factor;
        float rgb[3], alpha;  // the factor's own value
    };
    const Row rows[] = {
        {BlendFactor::Zero, {0, 0, 0}, 0},
        {BlendFactor::One, {1, 1, 1}, 1},
        {BlendFactor::SrcColor, {0.5f, 1, 0.25f}, 0.25f},
        {BlendFactor::OneMinusSrcColor, {0.5f, 0, 0.75f}, 0.75f},
        {BlendFactor::DstColor, {0.25f, 0.5f, 0.75f}, 0.5f},
        {BlendFactor::OneMinusDstColor, {0.75f, 0.5f, 0.25f}, 0.5f},
        {BlendFactor::SrcAlpha, {0.25f, 0.25f, 0.25f}, 0.25f},
        {BlendFactor::OneMinusSrcAlpha, {0.75f, 0.75f, 0.75f}, 0.75f},
        {BlendFactor::DstAlpha, {0.5f, 0.5f, 0.5f}, 0.5f},
        {BlendFactor::OneMinusDstAlpha, {0.5f, 0.5f, 0.5f}, 0.5f},
        {BlendFactor::ConstColor, {0.5f, 0.25f, 0.75f}, 0.125f},
        {BlendFactor::OneMinusConstColor, {0.5f, 0.75f, 0.25f}, 0.875f},
        {BlendFactor::ConstAlpha, {0.125f, 0.125f, 0.125f}, 0.125f},
        {BlendFactor::OneMinusConstAlpha, {0.875f, 0.875f, 0.875f}, 0.875f},
        {BlendFactor::SrcAlphaSaturate, {0.25f, 0.25f, 0.25f}, 1},
    };
    CHECK(sizeof(rows) / sizeof(rows[0]) == size_t(BlendFactor::SrcAlphaSaturate) + 1);
    for (const Row& row : rows) {
        CAPTURE(int(row.factor));
        BlendTargetDesc d;
        d.enable = true;
        d.src_rgb = d.src_alpha = row.factor;
        d.dst_rgb = d.dst_alpha = BlendFactor::Zero;
        const Color out = run(d, ColorRange::Unorm, kSrc, kDst);
        CHECK(is(out, kSrc.c[0] * row.rgb[0], kSrc.c[1] * row.rgb[1], kSrc.c[2] * row.rgb[2],
                 kSrc.c[3] * row.alpha));
        d.src_rgb = d.src_alpha = BlendFactor::Zero;
        d.dst_rgb = d.dst_alpha = row.factor;
        const Color under = run(d, ColorRange::Unorm, kSrc, kDst);
        CHECK(is(under, kDst.c[0] * row.rgb[0], kDst.c[1] * row.rgb[1], kDst.c[2] * row.rgb[2],
                 kDst.c[3] * row.alpha));
    }
}

TEST_CASE("blend: equations, separate for alpha") {
    BlendTargetDesc d;
    d.enable = true;
    d.src_rgb = d.src_alpha = d.dst_rgb = d.dst_alpha = BlendFactor::One;
    CHECK(is(run(d, ColorRange::Unorm, kSrc, kDst), 0.75f, 1.0f, 1.0f, 0.75f));
    CHECK(is(run(d, ColorRange::Float, kSrc, kDst), 0.75f, 1.5f, 1.0f, 0.75f));
    d.op_rgb = BlendOp::Subtract;
    d.op_alpha = BlendOp::ReverseSubtract;
    CHECK(is(run(d, ColorRange::Unorm, kSrc, kDst), 0.25f, 0.5f, 0.0f, 0.25f));
    CHECK(is(run(d, ColorRange::Snorm, kSrc, kDst), 0.25f, 0.5f, -0.5f, 0.25f));
    d.op_rgb = BlendOp::Min;
    d.op_alpha = BlendOp::Max;
    d.src_rgb = d.dst_rgb = BlendFactor::Zero;  // Min and Max ignore the factors
    CHECK(is(run(d, ColorRange::Unorm, kSrc, kDst), 0.25f, 0.5f, 0.25f, 0.5f));
}

TEST_CASE("blend: operands are clamped for fixed point only; without blending the source is written") {
    const Color bright = {{2.0f, -1.0f, 0.5f, 3.0f}};
    BlendTargetDesc d;
    CHECK(is(run(d, ColorRange::Unorm, bright, kDst), 1, 0, 0.5f, 1));
    CHECK(is(run(d, ColorRange::Float, bright, kDst), 2, -1, 0.5f, 3));
    d.enable = true;
    d.src_rgb = BlendFactor::SrcAlpha;
    d.dst_rgb = BlendFactor::OneMinusSrcAlpha;
    CHECK(is(run(d, ColorRange::Unorm, bright, kDst), 1, 0, 0.5f, 1));
    const Color nan = {{std::nanf(""), 0, 0, 0}};
    CHECK(run(BlendTargetDesc{}, ColorRange::Unorm, nan, kDst).c[0] == 0.0f);
    CHECK(color_range(Format::R8G8B8A8_SRGB) == ColorRange::Unorm);
    CHECK(color_range(Format::R8_SNORM) == ColorRange::Snorm);
    CHECK(color_range(Format::R11G11B10_FLOAT) == ColorRange::Float);
}

/// Opaque colours: only the equation's f.
Color advanced(AdvancedBlend e, const Color& src, const Color& dst) {
    BlendTargetDesc d;
    d.enable = true;
    d.advanced = e;
    return run(d, ColorRange::Float, src, dst);
}

TEST_CASE("blend: advanced equations") {
    const Color s = {{0.25f, 0.75f, 0.5f, 1}}, d = {{0.5f, 0.125f, 1, 1}};
    const auto rgb = [&](AdvancedBlend e, float r, float g, float b) {
        CAPTURE(int(e));
        const Color c = advanced(e, s, d);
        CHECK(c.c[0] == doctest::Approx(r));
        CHECK(c.c[1] == doctest::Approx(g));
        CHECK(c.c[2] == doctest::Approx(b));
        CHECK(c.c[3] == 1);
    };
    rgb(AdvancedBlend::Multiply, 0.125f, 0.09375f, 0.5f);
    rgb(AdvancedBlend::Screen, 0.625f, 0.78125f, 1);
    rgb(AdvancedBlend::Overlay, 0.25f, 0.1875f, 1);
    rgb(AdvancedBlend::Darken, 0.25f, 0.125f, 0.5f);
    rgb(AdvancedBlend::Lighten, 0.5f, 0.75f, 1);
    rgb(AdvancedBlend::ColorDodge, 2.0f / 3, 0.5f, 1);
    rgb(AdvancedBlend::ColorBurn, 0, 0, 1);
    rgb(AdvancedBlend::HardLight, 0.25f, 0.5625f, 1);
    // 0.5 - 0.5 * 0.5 * 0.5; 0.125 + 0.5 * 0.125 * ((16 * 0.125 - 12) * 0.125 + 3); 1 - 0
    rgb(AdvancedBlend::SoftLight, 0.375f, 0.234375f, 1);
    rgb(AdvancedBlend::Difference, 0.25f, 0.625f, 0.5f);
    rgb(AdvancedBlend::Exclusion, 0.5f, 0.6875f, 0.5f);
    // The luminosity of d is 0.15 + 0.07375 + 0.11 = 0.33375, that of s is 0.075 + 0.4425 + 0.055 = 0.5725.
    rgb(AdvancedBlend::HslColor, 0.01125f, 0.51125f, 0.26125f);
    // d is increased by 0.23875. Then blue is 1.23875, and pulls all channels towards 0.5725 by 0.4275 /
    // 0.66625.
    const float pull = 0.4275f / 0.66625f;
    rgb(AdvancedBlend::HslLuminosity, 0.5725f + (0.73875f - 0.5725f) * pull,
        0.5725f + (0.36375f - 0.5725f) * pull, 1);
    // s, stretched from a range of 0.5 to one of 0.875, has a luminosity of 0.564375. Decreased to 0.33375,
    // red is below 0.
    const float low = -0.230625f, base = 0.33375f, push = base / (base - low);
    rgb(AdvancedBlend::HslHue, 0, base + (0.875f + low - base) * push, base + (0.4375f + low - base) * push);
    // d, reduced to a range of 0.5, is (0.2142857, 0, 0.5) with a luminosity of 0.1192857.
    const float up = 0.33375f - 0.1192857f;
    rgb(AdvancedBlend::HslSaturation, 0.2142857f + up, up, 0.5f + up);
}

TEST_CASE("blend: advanced equations are weighted by the coverage of source and destination") {
    // f = 0.5 * 1 (colours are divided by alpha first). The weights: 0.125 for both, 0.375 for the source
    // alone, 0.125 for the destination alone.
    const Color c = advanced(AdvancedBlend::Multiply, {{0.25f, 0, 0, 0.5f}}, {{0.25f, 0, 0, 0.25f}});
    CHECK(c.c[0] == doctest::Approx(0.5f * 0.125f + 0.5f * 0.375f + 0.125f));
    CHECK(c.c[3] == doctest::Approx(0.625f));
    const Color none = advanced(AdvancedBlend::HslHue, {{0, 0, 0, 0}}, {{0, 0, 0, 0}});
    CHECK(is(none, 0, 0, 0, 0));
    // Fixed point rounds this value.
    BlendTargetDesc d;
    d.enable = true;
    d.advanced = AdvancedBlend::Screen;
    CHECK(is(run(d, ColorRange::Unorm8, {{0.5f, 2, 0, 1}}, {{0.5f, 0.5f, 0, 1}}), 0.75f, 1, 0, 1));
}

TEST_CASE("blend: mask") {
    float out[4];
    apply_color_mask(0x5, kSrc.c, kDst.c, out);
    CHECK(is({{out[0], out[1], out[2], out[3]}}, 0.5f, 0.5f, 0.25f, 0.5f));
}

TEST_CASE("blend: buffers of four bytes blend in integers") {
    CHECK(color_range(Format::R8G8B8A8_UNORM) == ColorRange::Unorm8);
    CHECK(color_range(Format::B8G8R8X8_UNORM) == ColorRange::Unorm8);
    CHECK(color_range(Format::R8G8B8_UNORM) == ColorRange::Unorm);
    const auto bytes = [](float r, float g, float b, float a) {
        return Color{{r / 255.0f, g / 255.0f, b / 255.0f, a / 255.0f}};
    };
    BlendTargetDesc d;
    d.enable = true;
    d.src_rgb = d.src_alpha = BlendFactor::SrcAlpha;
    d.dst_rgb = d.dst_alpha = BlendFactor::OneMinusSrcAlpha;
    // (200 * 100 + 7 * 155) / 255 = 82.69, (3 * 100 + 250 * 155) / 255 = 153.14, 100, (100 * 100 + 155 * 155)
    // / 255 = 133.43. The source is rounded first: 2.6 becomes 3.
    const Color over = run(d, ColorRange::Unorm8, bytes(200, 2.6f, 100, 100), bytes(7, 250, 100, 155));
    const Color expected = bytes(83, 153, 100, 133);
    CHECK(is(over, expected.c[0], expected.c[1], expected.c[2], expected.c[3]));
    d.src_rgb = d.src_alpha = d.dst_rgb = d.dst_alpha = BlendFactor::One;
    const Color sum = run(d, ColorRange::Unorm8, bytes(200, 0, 100, 1), bytes(56, 250, 100, 1));
    const Color sums = bytes(255, 250, 200, 2);
    CHECK(is(sum, sums.c[0], sums.c[1], sums.c[2], sums.c[3]));
    d.op_rgb = BlendOp::Subtract;
    d.op_alpha = BlendOp::ReverseSubtract;
    const Color less = run(d, ColorRange::Unorm8, bytes(200, 0, 100, 1), bytes(56, 250, 100, 9));
    const Color rest = bytes(144, 0, 0, 8);
    CHECK(is(less, rest.c[0], rest.c[1], rest.c[2], rest.c[3]));
    const Color nan = {{std::nanf(""), 2.0f, -1.0f, 0.5f}};
    const Color off = run(BlendTargetDesc{}, ColorRange::Unorm8, nan, kDst);
    CHECK(is(off, 0, 1, 0, 128 / 255.0f));
}
