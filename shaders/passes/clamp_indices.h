// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Clamps each dynamic index (of uniforms, local arrays and samplers) that could reach beyond what it
/// indexes. For compilers whose code does not check: the front end clamps what a text indexes, a program
/// binary need not have come from it. Where the index is clamped already nothing changes. True: something
/// changed.
bool clamp_indices(Shader& s);

/// The largest number that the value may be, as unsigned: as far as the operations that made it say, a few levels up.
[[nodiscard]] uint64_t largest_value(const Value* v);

}  // namespace terrazzo::ir
