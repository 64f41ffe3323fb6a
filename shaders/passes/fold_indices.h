// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Indices that became constant become constant places. Uniforms can then be read from registers of
/// constants, and
/// local arrays without other indices become values (mem2reg.h). Returns whether anything changed; run
/// clean_up()
/// then.
bool fold_constant_indices(Shader& s);

}  // namespace terrazzo::ir
