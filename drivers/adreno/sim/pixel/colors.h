// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colours of sixteen lanes as bytes. Internal to pixel/.
#pragma once

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/common/units/color.h"

namespace terrazzo::adreno::sim {

/// Floats (as bits) to the nearest of 0..255, ties to even, NaN is 0: as pipe/format packs and pipe/raster
/// blends.
inline U32 to_bytes(U32 bits) {
    const F32 v = wave::as_float(bits);
    const F32 zero{}, one = zero + 1.0f;
    const F32 clamped = wave::select(U32(v > zero), wave::select(U32(v < one), v, one), zero);
    // From 2^23 on, the low bits of a float are an integer.
    return wave::as_bits(clamped * 255.0f + 0x1.8p23f) & 255u;
}

/// Blends pixels of R8G8B8A8: the source, 0..255 per channel, over the stored ones, with a target's equation
/// and mask.
U32 blend_bytes(const units::ColorTarget& how, const U32 source[4], const U32* second, U32 stored);

}  // namespace terrazzo::adreno::sim
