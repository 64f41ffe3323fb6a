// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// R8G8B8A8_UNORM of sixteen pixels at a time: what most draws write. Equal to the bit with color.h, which has
// all formats. A pixel is a word: R is the lowest byte.
#pragma once

#include "drivers/common/units/color.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::units {

/// Half floats in the low 16 bits, as the bits of floats, including denormals and infinities.
inline wave::U32 floats_of_halves(wave::U32 h) {
    using wave::U32;
    const U32 magnitude = (h & 0x7fffu) << 13;
    const wave::F32 scaled = wave::as_float(magnitude) * 0x1p112f;
    const U32 special = U32(magnitude >= 0x0f800000u);  // infinity, NaN
    const U32 bits = wave::select(special, magnitude | 0x7f800000u, wave::as_bits(scaled));
    return bits | (h & 0x8000u) << 16;
}

/// Floats (as bits) to the nearest of 0..255, ties to even, NaN is 0: as pipe/format packs and pipe/raster
/// blends.
inline wave::U32 to_bytes(wave::U32 bits) {
    const wave::F32 v = wave::as_float(bits);
    const wave::F32 zero{}, one = zero + 1.0f;
    const wave::F32 positive = wave::select(wave::U32(v > zero), v, zero);
    // From 2^23 on, the low bits of a float are an integer.
    return wave::as_bits(wave::select(wave::U32(positive < one), positive, one) * 255.0f + 0x1.8p23f) & 255u;
}

/// to_bytes() of four channels' groups of sixteen pixels, packed. `halves`: the channels are half floats.
void pack_rgba8(const wave::U32* const channel[4], bool halves, unsigned groups, wave::U32* out);

/// Blends pixels: the source, 0..255 per channel, over the stored ones, with a target's equation and mask.
wave::U32 blend_rgba8(const ColorTarget& how, const wave::U32 source[4], const wave::U32* second,
                      wave::U32 stored);

}  // namespace terrazzo::units
