// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Special functions of floats as kernels of micro-operations: the exact value, rounded once. They are
// computed as doubles whose error is little more than half a unit, so that the result is the nearest float
// except in rare cases.
#pragma once

#include "drivers/common/core/micro.h"

namespace terrazzo::core {

enum class Function : uint8_t {
    Reciprocal,
    ReciprocalSqrt,
    Sqrt,
    Log2,
    Exp2,
    Sin,
    Cos,
    // ---- Steps of functions ----
    Exp2OfFixed,   // 2^(v / 2^24) of a signed integer
    Log2Quotient,  // log2(m) / (m - 1), where v = m * 2^n and m is in [3/4, 3/2)
};
inline constexpr unsigned kFunctions = unsigned(Function::Log2Quotient) + 1;

/// The function of one value by the host's library. What kernels compute is equal to it once it was rounded:
/// tests compare them.
double reference(Function f, double v);

/// Of floats. Denormals are flushed or kept as the host's mode says.
MicroKernel float_kernel(Function f);
/// Of floats that are halves: an inexact value becomes the float next to it whose last bit is set.
/// FloatToHalf of that rounds the exact value.
MicroKernel odd_kernel(Function f);

/// (a * b + data) * 2^c, rounded once: `data` has the bits of a float, c an integer.
MicroKernel scaled_fma_kernel();

/// The kernels that call reference() for each lane, for hosts without AVX2 and fused multiply-add.
MicroKernel reference_float_kernel(Function f);
MicroKernel reference_odd_kernel(Function f);
/// scaled_fma_kernel() by wave::fma_scale(), for tests.
MicroKernel reference_scaled_fma_kernel();

// ---- Steps that are no micro-operations, or several ----

/// a + b, to odd: rounding it to a half is as if that were the only rounding. For sums of halves and of
/// products of two halves, which are exact floats.
Value add_to_odd(MicroBuilder& b, Value x, Value y);
/// The half of a float, in the low 16 bits.
Value round_to_half(MicroBuilder& b, Value v, Round round);
/// The float, or the half, of an integer.
Value integer_to_float(MicroBuilder& b, Value v, bool is_signed, Round round);
Value integer_to_half(MicroBuilder& b, Value v, bool is_signed, Round round);

/// The sum of an accumulator and of the products of `count` bytes of a and b, from byte `first` on. The
/// accumulator has a's sign, and so has the range that the sum is limited to if it saturates.
struct DotProduct {
    bool a_signed = false, b_signed = false, saturates = false;
    uint8_t first = 0, count = 4;
};
Value dot_product(MicroBuilder& b, const DotProduct& dot, Value x, Value y, Value accumulator);

}  // namespace terrazzo::core
