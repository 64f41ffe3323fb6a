// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The only implementation of the ALU operations' meaning, which ops.def describes in words. A kernel computes
// an operation for a row of lanes. The interpreter runs kernels; constant folding runs the same kernel on one
// lane, so both have equal results.
//
// In addition to ops.def:
//   fmin, fmax      of equal operands (zeros of either sign) return the first
//   transcendental  the double-precision function, rounded once; F16: rounded to F32, then to F16
//   frsq, frcp      1 / sqrt(x) and 1 / x, each step rounded
//   F16 arithmetic  rounded once
//   bitfields       are truncated to the type's width
//   fpow            of a negative base is NaN; pow(x, 0) is 1
//   find_*          return -1 if there is no such bit
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Rows hold 32-bit words (Bool 0 or 1; I16, F16 zero extended), I64 64-bit words. `lanes` is a multiple
/// of 4. dst may be one of the operands. Operands that the op does not have are ignored.
using Kernel = void (*)(void* dst, const void* a, const void* b, const void* c, const void* d,
                        unsigned lanes);

/// Null for other operations (constants, memory, derivatives, control flow). `operand`: type of operand 0
/// (Select: of operand 1).
[[nodiscard]] Kernel kernel(Op op, Type result, Type operand);

/// One lane, bits zero extended.
[[nodiscard]] std::optional<uint64_t> evaluate(Op op, Type result, Type operand,
                                               std::span<const uint64_t> operands);

/// The value of an ALU instruction whose operands are all constants; empty for all other instructions.
[[nodiscard]] std::optional<uint64_t> evaluate(const Instr& i);

}  // namespace terrazzo::ir
