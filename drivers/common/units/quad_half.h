// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Halves of the four pixels of a quad, with the bits of pipe/half.h.
#pragma once

#include <bit>

#include "drivers/common/units/quad_lanes.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::units {

/// pipe::half_to_float() of the low 16 bits.
[[gnu::always_inline]] inline QuadF32 from_halves(QuadU32 half) {
    const QuadU32 magnitude = (half & 0x7fffu) << 13, rebiased = magnitude + (112u << 23);
    const QuadF32 denormal = QuadF32(rebiased + (1u << 23)) - std::bit_cast<float>(113u << 23);
    const QuadI32 is_small = QuadI32(magnitude) < (1 << 23), is_special = QuadI32(magnitude) >= 0x0f800000;
    QuadU32 bits = (QuadU32(denormal) & QuadU32(is_small)) | (rebiased & ~QuadU32(is_small));
    bits += QuadU32(is_special) & (112u << 23);
    return QuadF32(bits | (half & 0x8000u) << 16);
}

/// pipe::float_to_half(), in the low 16 bits; the high ones are 0.
[[gnu::always_inline]] inline QuadU32 to_halves(QuadF32 v) {
    return wave::to_four_halves(wave::Four(v));
}

/// Packs pairs of halves: out[n] has v[2n] in its low and v[2n + 1] in its high bits. `count`: the elements
/// of `v`, 1 to 4; a missing second half of a pair is 0.
void pack_halves_portable(const QuadF32* v, unsigned count, QuadU32* out);
void pack_halves(const QuadF32* v, unsigned count, QuadU32* out);

}  // namespace terrazzo::units
