// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/raster/filter8.h"

#include <algorithm>
#include <cmath>

namespace terrazzo::pipe::raster {

namespace {

constexpr int32_t kOne = 256;         // one texel
constexpr float kLimit = 8388608.0f;  // larger numbers have no fraction

float fraction(float s) {
    return std::abs(s) < kLimit ? s - std::floor(s) : 0.0f;  // NaN: 0
}

}  // namespace

Linear8 linear8(Wrap wrap, float s, int32_t size_px) {
    const float scale = float(size_px * kOne);
    Linear8 r;
    if (wrap == Wrap::Repeat) {
        const int32_t at = int32_t(fraction(s) * scale) - kOne / 2;
        r.i0 = at < 0 ? size_px - 1 : at / kOne;
        r.i1 = r.i0 == size_px - 1 ? 0 : r.i0 + 1;
        r.weight = uint32_t(at) & 255;
        return r;
    }
    if (wrap == Wrap::MirroredRepeat) s = 1.0f - std::abs(2.0f * fraction(s * 0.5f) - 1.0f);
    // Positions after the last texel's centre all return the last texel; the last position is texel size - 2
    // with weight 255.
    const float last = float(std::max((size_px - 1) * kOne - 1, 0)), place = s * scale - float(kOne / 2);
    const int32_t at = place > 0 ? int32_t(std::min(place, last)) : 0;
    r.i0 = at / kOne;
    r.i1 = std::min(r.i0 + 1, size_px - 1);
    r.weight = uint32_t(at) & 255;
    return r;
}

float filter8(const uint8_t texel[4], uint32_t weight_x, uint32_t weight_y) {
    const uint32_t low = texel[0] * (255 - weight_x) + texel[1] * weight_x;
    const uint32_t high = texel[2] * (255 - weight_x) + texel[3] * weight_x;
    return float(low * (255 - weight_y) + high * weight_y) * (1.0f / (255.0f * 255.0f * 255.0f));
}

}  // namespace terrazzo::pipe::raster
