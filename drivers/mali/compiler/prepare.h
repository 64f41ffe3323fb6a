// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the compiler does to its copy of the IR before instructions are selected.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::mali::compiler {

/// No 16-bit types but what halves.h does, clamped and constant indices, products of matrices.
void prepare(ir::Shader& s);

}  // namespace terrazzo::mali::compiler
