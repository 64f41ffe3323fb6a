// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Linear filtering of 2D images whose stored channels are all 8-bit UNORM, in integers. OpenGL ES 3.2 section
// 8.14.2 does not specify the precision of the weights; these have 8 bits. Samplers with this rule return the
// same bits on any machine, and an image of one colour returns exactly that colour.
//
//   position   floor of 256 * size * s in binary32, minus half a texel; the top bits are texel i0, the low 8
//              are the fraction w
//   weights    texel i1 = i0 + 1 has weight w / 255, texel i0 (255 - w) / 255: at the ends of the range the
//              result is one texel, so it is continuous where i0 changes
//   sum        of texel * weight * weight, an integer of at most 255^3 < 2^24, times 1/255^3 in binary32
#pragma once

#include <cstdint>

#include "pipe/state.h"

namespace terrazzo::pipe::raster {

/// A coordinate on one axis.
struct Linear8 {
    int32_t i0 = 0, i1 = 0;  // texels, inside the level
    uint32_t weight = 0;     // of i1, 0..255
};
/// Not for ClampToBorder. `s` may be any value, NaN included; 1 <= size_px <= 16384.
Linear8 linear8(Wrap wrap, float s, int32_t size_px);

/// One channel of the result, from texel[2 * row + column].
float filter8(const uint8_t texel[4], uint32_t weight_x, uint32_t weight_y);

}  // namespace terrazzo::pipe::raster
