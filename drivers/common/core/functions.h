// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Special functions of floats as kernels of micro-operations: the exact value, rounded once. They are
// computed as doubles whose error is little more than half a unit, so that the result is the nearest float
// except in rare cases.
#pragma once

#include "drivers/common/core/micro.h"

namespace terrazzo::core {

enum class Function : uint8_t { Reciprocal, ReciprocalSqrt, Sqrt, Log2, Exp2, Sin, Cos };
inline constexpr unsigned kFunctions = unsigned(Function::Cos) + 1;

/// The function of one value by the host's library. What kernels compute is equal to it once it was rounded:
/// tests compare them.
double reference(Function f, double v);

/// Of floats. Denormals are flushed or kept as the host's mode says.
MicroKernel float_kernel(Function f);
/// Of floats that are halves: an inexact value becomes the float next to it whose last bit is set.
/// FloatToHalf of that rounds the exact value.
MicroKernel odd_kernel(Function f);

/// The kernels that call reference() for each lane, for hosts without AVX2 and fused multiply-add.
MicroKernel reference_float_kernel(Function f);
MicroKernel reference_odd_kernel(Function f);

}  // namespace terrazzo::core
