// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The words of a texture instruction's two sources. The first has coordinates (1D ones have a t added), then
// the reference of a comparison, the array layer, and the divisor of projection or the sample; from the fifth
// word on gradients: of x, then of y. The second has offsets, at least two, then a level or bias. Source:
// Mesa 25.0.7, src/freedreno/ir3/ir3_compiler_nir.c (emit_tex).
#pragma once

#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno::sim {

struct TextureOperands {
    static constexpr unsigned kNone = ~0u;
    unsigned coordinates = 0;  // 2 or 3; for isam.v 1
    // Words of the first source.
    unsigned reference = kNone, layer = kNone, divisor = kNone, sample = kNone, gradients = kNone;
    unsigned first_words = 0;
    // Words of the second.
    unsigned offsets = 0;  // the number of offsets, from word 0 on
    unsigned lod = kNone;  // or bias
    unsigned second_words = 0;
};
TextureOperands texture_operands(const isa::Instr& instr);

/// Where the second source begins in UnitCall::in: at 8, or after a first source that is longer.
constexpr unsigned second_source(const TextureOperands& o) {
    return o.first_words > 8 ? 12 : 8;
}

}  // namespace terrazzo::adreno::sim
