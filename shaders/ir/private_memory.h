// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private memory: the variables of a stage that are left in memory when it is optimised, arrays with an index
// that is not constant above all. Each invocation has its own. The limit on it is kMaxPrivateScalars
// (limits.h).
#pragma once

#include "shaders/ir/ir.h"
#include "shaders/ir/limits.h"

namespace terrazzo::ir {

/// Scalars of the shader's Local variables; 64-bit ones count twice. The sum of any counts does not wrap.
[[nodiscard]] uint64_t private_scalars(const Shader& s);

}  // namespace terrazzo::ir
