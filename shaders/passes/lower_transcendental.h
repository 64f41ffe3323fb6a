// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Float functions for targets that lack them, from fadd, fsub, fmul, fdiv, fsqrt, comparisons, selects and
// integer
// operations: the same bits wherever these are IEEE. No ffma is used. F16 is computed in F32 and rounded.
//
// Error against the true value, measured by tests/shaders/passes/lower_transcendental_test.cpp:
//   exp2  3 ulp; below 2^-126 something between 0 and the true value; overflow returns infinity
//   log2  3 ulp; denormals count as 0, whose logarithm is -infinity, and so do negative numbers
//   sin, cos  2.2 ulp or 2^-23.5 absolute, whichever is more, up to |x| = 100 000; beyond, the reduction
//             loses digits, but results stay within [-1, 1]
//   pow   exp2(y * log2(x)), so 3 + 1.75 * |y * log2 x| ulp; pow(0, y) is 0 for y > 0; pow(x, 0) is 1; a
//         negative or NaN base counts as 0
//
// (ESSL 3.10 4.7.1 asks for 3 + 2 * |x| ulp of exp2, for 3 ulp of log2, and lets denormals be flushed. It
// leaves
// the sign of pow's base and log2 of numbers that are not positive undefined.) frcp, frsq, fsign, ffract,
// fround and
// fsat equal the interpreter's to the bit; so does fldexp, except where an intermediate result is a denormal.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// What to lower; all by default.
struct LowerTranscendentalOptions {
    bool exp2 = true;
    bool log2 = true;
    bool sin_cos = true;
    bool pow = true;  // with exp2 and log2 as these options say
    bool rcp = true;  // 1 / x
    bool rsq = true;  // 1 / sqrt(x)
    bool sign = true;
    bool fract = true;  // x - floor(x)
    bool round = true;
    bool ldexp = true;
    bool sat = true;
};
bool lower_transcendental(Shader& s, const LowerTranscendentalOptions& options = {});

/// An upper bound of the instructions that the shader would have after lowering. It does not change.
[[nodiscard]] uint64_t lowered_size(const Shader& s);

}  // namespace terrazzo::ir
