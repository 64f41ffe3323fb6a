// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the compiler does to its copy of the IR before instructions are selected.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::mali::compiler {

/// Indices that turned out constant become places: uniforms can then be read from the FAU, and local arrays
/// become values where no other index is left. True: something changed (clean_up() is due).
bool fold_constant_indices(ir::Shader& s);

/// (A * B) * v as A * (B * v), for matrices whose product nobody else wants: sums over j of (sums over k of
/// a[k] * b[k][j]) * v[j]. Not where a result is to be exact. True: something changed (clean_up() is due).
bool reassociate_products(ir::Shader& s);

/// All of it.
void prepare(ir::Shader& s);

}  // namespace terrazzo::mali::compiler
