// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// (A * B) * v as A * (B * v), for matrices whose product nobody else wants: sums over j of (sums over k of
/// a[k] * b[k][j]) * v[j]. Not where a result is to be exact. Each run takes the last of several matrices.
/// True: something changed (clean_up() is due).
bool reassociate_products(Shader& s);

}  // namespace terrazzo::ir
