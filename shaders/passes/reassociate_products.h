// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// (A * B) * v becomes A * (B * v), for matrices whose product has no other use: sums over j of (sums over k
/// of
/// a[k] * b[k][j]) * v[j]. Exact results (instr_flag::kExact) do not change. Each run handles the last of
/// several
/// matrices. Returns whether anything changed; run clean_up() then.
bool reassociate_products(Shader& s);

}  // namespace terrazzo::ir
