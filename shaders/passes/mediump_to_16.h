// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sums, products and the like that may be computed in 16 bits (instr_flag::kMediump) are, where little comes
// of it: operands and results are converted, and algebraic takes the conversions between two of them away.
// Facts: what mediump may lose is ESSL 1.00 4.5.2. Less is lost than that:
//   - what places, integers, angles and powers are made of (texture coordinates, indices, fract, sin, pow...)
//     keeps 32 bits from where it is loaded, because a small error would become a large one;
//   - reciprocals and roots are taken in 32 bits, of sums that are made in 32 bits: squares soon leave the
//   range
//     of 16. What such sums are made of may be loaded in 16;
//   - shaders that take whole parts (floor, fract, mod: noise, hashes) stay as they are;
//   - constants that 16 bits do not reach keep their operations wide.
// What is chosen, negated or compared among values of 16 bits is done there, too.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool mediump_to_16(Shader& s);

}  // namespace terrazzo::ir
