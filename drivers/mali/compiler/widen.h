// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 16-bit types that the IR allows and instructions are not selected for: the same in 32 bits, with
// conversions around it. Integers have the low half of a word between operations, and are extended where the
// upper half matters; sums and products wrap as those of 16 bits do. Of floats what halves.h and
// select_half.cpp do not do themselves.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::mali::compiler {

/// True: something changed (clean_up() is due).
bool widen_16(ir::Shader& s);

}  // namespace terrazzo::mali::compiler
