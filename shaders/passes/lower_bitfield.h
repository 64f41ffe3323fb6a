// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Bit fields of 32-bit words become shifts and masks, for devices without instructions of their own. Of constant places
// little is left; others mean what eval_int.cpp says, also where a field reaches beyond the word.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool lower_bitfield(Shader& s);

}  // namespace terrazzo::ir
