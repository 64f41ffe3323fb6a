// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The one definition of what ALU ops compute (ops.def says it in words). A kernel computes an op for a row of
// lanes; the interpreter runs kernels, and constant folding runs the same kernel on one lane, so the two
// cannot disagree.
//
// Beyond ops.def: fmin and fmax of equal operands (zeros of either sign): the first; transcendental ops
// are the double-precision function rounded once; frsq is 1 / sqrt and frcp 1 / x with each step rounded; F16
// arithmetic rounds once (transcendentals: via F32). Out-of-range bitfields are cut to the type's width. pow
// of a negative base is NaN, pow(x, 0) is 1. find_* return -1 where there is no bit.
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

/// Null for what is no ALU op (constants, memory, derivatives, control flow). `operand`: type of operand 0
/// (Select: 1).
[[nodiscard]] Kernel kernel(Op op, Type result, Type operand);

/// One lane, bits zero extended.
[[nodiscard]] std::optional<uint64_t> evaluate(Op op, Type result, Type operand,
                                               std::span<const uint64_t> operands);

/// The value of an instruction whose operands are all constants; nothing if it is none of these.
[[nodiscard]] std::optional<uint64_t> evaluate(const Instr& i);

}  // namespace terrazzo::ir
