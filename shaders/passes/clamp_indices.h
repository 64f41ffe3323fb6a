// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Clamps each dynamic index (of uniforms, local arrays and samplers) that could reach beyond what it
/// indexes. For
/// compilers whose code does not check: the front end clamps indices, but a program binary may come from
/// elsewhere. An index that is clamped already does not change. Returns whether anything changed.
bool clamp_indices(Shader& s);

/// An upper bound of the value, as unsigned, from the operations that compute it, a few levels up.
[[nodiscard]] uint64_t largest_value(const Value* v);

}  // namespace terrazzo::ir
