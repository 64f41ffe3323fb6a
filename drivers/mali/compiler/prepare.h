// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// IR passes before instruction selection.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::mali::compiler {

/// Widens 16-bit types except those that selection supports, clamps indices, folds constant ones, and
/// reorders products of matrices.
void prepare(ir::Shader& s);

}  // namespace terrazzo::mali::compiler
