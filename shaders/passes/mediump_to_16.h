// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sums, products and similar operations that may be computed in 16 bits (instr_flag::kMediump) are, where
// their
// error stays small: operands and results are converted, and `algebraic` removes the conversions between two
// of
// them. So are mediump inputs and textures that become colours without arithmetic.
// ESSL 1.00 4.5.2 says what mediump may lose. This pass loses less. A value stays in 32 bits, from its load
// on,
// where it leads, through arithmetic, choices, ifs and loops,
//   - to places, integers, angles, powers, derivatives (texture coordinates, indices, fract, sin, pow ...):
//     a small error would become a large one. Their results may be narrow;
//   - through constant factors of more than 8 in all: the error of a sum grows by them, and its parts do not;
//   - to a sum with a constant of more than 16, which leaves a small rest of large terms.
// Also in 32 bits are values that come from whole parts (floor, ceil, trunc, round, mod), and all that is
// combined or
// compared with them: fractions, lattices of noise, whose steps must not move. So are sums with constants
// (counters)
// and products of a value that an earlier turn of a loop computed: their errors grow turn by turn.
// Reciprocals and
// roots are computed in 32 bits, of sums in 32 bits: squares soon exceed the range of 16. The terms of such
// sums may
// be loaded in 16. Constants out of the range of 16 bits keep their operations wide. Values that are chosen,
// negated,
// compared, returned by ifs or carried by loops are narrow where all their sources are.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool mediump_to_16(Shader& s);

}  // namespace terrazzo::ir
