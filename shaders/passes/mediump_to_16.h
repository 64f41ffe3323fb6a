// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sums, products and the like that may be computed in 16 bits (instr_flag::kMediump) are, where little comes
// of it: operands and results are converted, and algebraic takes the conversions between two of them away. So are inputs and textures that are
// mediump themselves, where they become colours as they are.
// Facts: what mediump may lose is ESSL 1.00 4.5.2. Less is lost than that. Wide, from where it is loaded on,
// is what leads, backwards through arithmetic, choices, ifs and loops,
//   - to places, integers, angles, powers, derivatives (texture coordinates, indices, fract, sin, pow ...):
//     a small error would become a large one. What comes of these may be narrow;
//   - through constant factors of more than 8 in all: the error of a sum grows by them, and its parts do not;
//   - to a sum with a constant of more than 16, which leaves a small rest of large terms.
// Wide is also what comes, forwards, of whole parts (floor, ceil, trunc, round; mod), and all that is
// combined or compared with it: rests after a whole part, lattices of noise, whose steps must be where they
// were. And of what an earlier turn of a loop gave, sums with constants (turns that are counted) and
// products, whose errors grow turn by turn. Reciprocals and roots are taken in 32 bits, of sums that are made
// in 32 bits: squares soon leave the range of 16. What such sums are made of may be loaded in 16. Constants
// that 16 bits do not reach keep their operations wide. What is chosen, negated, compared, given by ifs and
// carried by loops among values of 16 bits is so there, too.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool mediump_to_16(Shader& s);

}  // namespace terrazzo::ir
