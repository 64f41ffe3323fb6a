// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 16-bit types that the IR allows and a device has no instructions for: the same in 32 bits, with conversions
// around it. Integers have the low half of a word between operations, and are extended where the upper half
// matters; sums and products wrap as those of 16 bits do.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// `is_native`: whether the device does this instruction, whose operands or result are of 16 bits, as it is. It
/// must do Const, Undef, Bitcast and the conversions between widths.
/// Floats that ifs choose and loops carry keep their 16 bits. True: something changed (clean_up() is due).
bool widen_16(Shader& s, bool (*is_native)(const Instr&));

/// For is_native: what every device with 16-bit floats does: what must be there, sums and products, extremes, choice, comparisons.
[[nodiscard]] bool is_usual_half(const Instr& i);

}  // namespace terrazzo::ir
