// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Bit fields of 32-bit words become shifts and masks, for devices without such instructions. Fields at
// constant
// places need one or two instructions; others follow eval_int.cpp, also where a field reaches beyond the
// word.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool lower_bitfield(Shader& s);

}  // namespace terrazzo::ir
