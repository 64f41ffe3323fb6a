// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operations on 16-bit types for which a device has no instructions are done in 32 bits, with conversions
// around
// them. Integers occupy the low half of a word between operations, and are extended where the upper half
// matters;
// sums and products wrap as those of 16 bits do.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// `is_native`: whether the device has this instruction, whose operands or result have 16 bits. It must have
/// Const,
/// Undef, Bitcast and the conversions between widths. Floats that ifs return and loops carry keep their 16
/// bits.
/// Returns whether anything changed; run clean_up() then.
bool widen_16(Shader& s, bool (*is_native)(const Instr&));

/// For is_native: what every device with 16-bit floats has: the required instructions, sums and products,
/// minima and
/// maxima, choice, comparisons.
[[nodiscard]] bool is_usual_half(const Instr& i);

}  // namespace terrazzo::ir
