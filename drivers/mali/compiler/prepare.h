// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// IR passes before instruction selection.
#pragma once

#include "drivers/mali/compiler/compile.h"

namespace terrazzo::mali::compiler {

/// Widens 16-bit types except those that selection supports, lowers bit fields, clamps indices, folds
/// constant ones, reorders products of matrices, and checks the ranges of stores.
void prepare(ir::Shader& s, const Options& options);

}  // namespace terrazzo::mali::compiler
