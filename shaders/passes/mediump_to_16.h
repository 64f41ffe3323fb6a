// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Float operations that may be computed in 16 bits (instr_flag::kMediump) are: operands and results are
// converted, and algebraic takes the conversions between two of them away.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool mediump_to_16(Shader& s);

}  // namespace terrazzo::ir
