// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Indices that turned out constant become places: uniforms can then be read from registers of constants, and
/// local arrays become values (mem2reg.h) where no other index is left. True: something changed (clean_up()
/// is due).
bool fold_constant_indices(Shader& s);

}  // namespace terrazzo::ir
