// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Algebraic simplification, driven by the table in algebraic_rules.cpp.
//
// How far floats may change: a rule without a mark returns the same value for every operand (except the bits
// of
// a NaN). The marks say what a rule changes beyond that, and why GLSL ES permits it:
//   ZeroSign  only the sign of a zero. ESSL 1.00 does not ask for IEEE zeros at all; ESSL 3.00 4.5.1 lets any
//             operation return a zero of either sign.
//   Relaxed   a rounding of pow, exp2 or log2, or a result that ESSL leaves undefined (pow of a negative
// base;
//             log2 of one). Their precision is loose in the spec (ESSL 3.00 4.5.1: inherited from
//             2^(y * log2 x)).
//   NoNan     the sign of a zero, and a number where IEEE arithmetic returns NaN. ESSL 3.00 4.5.1: operations
//             need not generate NaNs, nor propagate them.
//   Rcp, Ffma for targets whose division or multiply-add is built that way.
// Instructions with instr_flag::kExact (precise, invariant) only match unmarked rules.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

struct AlgebraicOptions {
    bool zero_sign = true;  // the rules marked so may be used
    bool relaxed = true;
    bool no_nan = true;
    bool form_rcp = false;
    bool form_ffma = false;
};
bool algebraic(Shader& s, const AlgebraicOptions& options = {});

}  // namespace terrazzo::ir
