// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Formats, equations and colours of the blend tests, and the expected results of pipe/raster/blend.h.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "pipe/format.h"
#include "pipe/raster/blend.h"
#include "pipe/state.h"

namespace terrazzo::test {

using Color = std::array<float, 4>;

struct BlendCase {
    pipe::Format format;
    float low, high;
    float tolerance;  // of a stored value, in addition to 1/4096 of it
};
inline constexpr BlendCase kBlendCases[] = {
    {pipe::Format::R8G8B8A8_UNORM, -.25f, 1.25f, 0},
    {pipe::Format::R8G8B8X8_UNORM, -.25f, 1.25f, 0},
    {pipe::Format::R8G8B8A8_SRGB, -.25f, 1.25f, .011f},
    {pipe::Format::R8G8_UNORM, -.25f, 1.25f, 2.1f / 255},
    {pipe::Format::B5G6R5_UNORM, -.25f, 1.25f, 2.1f / 31},
    {pipe::Format::R10G10B10A2_UNORM, -.25f, 1.25f, 1.1f / 3},
    {pipe::Format::R16G16B16A16_FLOAT, -4, 4, 1e-5f},
    {pipe::Format::R32_FLOAT, -4, 4, 1e-5f},
    {pipe::Format::R11G11B10_FLOAT, 0, 4, 1.0f / 32},
    {pipe::Format::R16G16_SNORM, -1.25f, 1.25f, 2.0f / 32767},
};

inline std::string color_text(const Color& c) {
    char text[80];
    std::snprintf(text, sizeof text, "(%g %g %g %g)", double(c[0]), double(c[1]), double(c[2]), double(c[3]));
    return text;
}
inline std::string text_of(const pipe::BlendTargetDesc& t, const BlendCase& c) {
    char text[160];
    std::snprintf(text, sizeof text, "%s: ops %u %u, colour %u %u, alpha %u %u, mask %u",
                  pipe::format_name(c.format), unsigned(t.op_rgb), unsigned(t.op_alpha), unsigned(t.src_rgb),
                  unsigned(t.dst_rgb), unsigned(t.src_alpha), unsigned(t.dst_alpha), unsigned(t.write_mask));
    return text;
}

/// Usually any value, with zeros and ones. Values have few bits, so that the rounding of products does not
/// matter before the final rounding.
inline Color random_color(std::mt19937& random, const BlendCase& c, unsigned round) {
    Color out;
    for (float& v : out) {
        v = std::floor(std::uniform_real_distribution<float>(c.low, c.high)(random) * 256) / 256;
        if (round % 4 == 3) v = float(random() % 2);
    }
    return out;
}

/// For advanced equations, which need colours premultiplied by an alpha of at most 1. Some are 0, some
/// opaque.
inline Color premultiplied_color(std::mt19937& random) {
    std::uniform_real_distribution<float> any(0, 1);
    const unsigned kind = unsigned(random()) % 8;
    const float alpha = kind < 2 ? 1.0f : kind == 2 ? 0.0f : 0.25f + 0.75f * any(random);
    Color out = {0, 0, 0, alpha};
    for (unsigned k = 0; k < 3; ++k)
        out[k] = (random() % 8 ? any(random) : float(random() % 2)) * alpha;
    return out;
}

/// A colour after it was stored in the format.
inline Color through(const BlendCase& c, const Color& v) {
    uint8_t bytes[16];
    Color out;
    pipe::pack_rgba_f32(c.format, bytes, v.data(), 1);
    pipe::unpack_rgba_f32(c.format, out.data(), bytes, 1);
    return out;
}

inline Color expected_pixel(const pipe::BlendTargetDesc& t, const BlendCase& c, const Color& constant,
                            const Color& source, const Color& dest, const Color& second = {}) {
    Color out;
    pipe::raster::blend(t, pipe::raster::color_range(c.format), constant.data(), source.data(), dest.data(),
                        out.data(), second.data());
    out = through(c, out);
    pipe::raster::apply_color_mask(t.write_mask, out.data(), dest.data(), out.data());
    return out;
}

inline bool near(const BlendCase& c, const Color& a, const Color& b, uint8_t channels) {
    for (unsigned k = 0; k < 4; ++k) {
        if (!(channels >> k & 1)) continue;
        const bool bytes = pipe::raster::color_range(c.format) == pipe::raster::ColorRange::Unorm8;
        const float room = bytes ? 0.0f : c.tolerance + std::fabs(a[k]) / 512;
        if (!(std::fabs(a[k] - b[k]) <= room)) return false;
    }
    return true;
}

inline constexpr unsigned kFactors = unsigned(pipe::BlendFactor::OneMinusSrc1Alpha) + 1, kOps = 5;

/// All operations and pairs of factors, for colour and for alpha, each with some equation for the other and
/// some write mask; and disabled blending. `step`: only one in `step` of them.
template <class F>
void for_each_equation(std::mt19937& random, unsigned step, F&& f) {
    const auto factor = [&] { return pipe::BlendFactor(random() % kFactors); };
    const auto op = [&] { return pipe::BlendOp(random() % kOps); };
    const auto mask = [&] { return uint8_t(random() % 3 ? 15 : random() % 16); };
    unsigned n = 0;
    for (unsigned o = 0; o < kOps; ++o)
        for (unsigned s = 0; s < kFactors; ++s)
            for (unsigned d = 0; d < kFactors; ++d) {
                if (n++ % step) continue;
                const auto src = pipe::BlendFactor(s), dst = pipe::BlendFactor(d);
                const auto own = pipe::BlendOp(o);
                f(pipe::BlendTargetDesc{true, own, own, src, dst, src, dst, mask()});
                if (n % 2)
                    f(pipe::BlendTargetDesc{true, own, op(), src, dst, factor(), factor(), mask()});
                else
                    f(pipe::BlendTargetDesc{true, op(), own, factor(), factor(), src, dst, mask()});
            }
    for (uint8_t m = 0; m < 16; ++m)
        f(pipe::BlendTargetDesc{.write_mask = m});
}

}  // namespace terrazzo::test
