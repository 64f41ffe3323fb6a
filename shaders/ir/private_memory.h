// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private memory: the variables that remain in memory after a stage was optimised, mostly arrays with dynamic
// indices. Each invocation has its own. Its limit is kMaxPrivateScalars (limits.h).
#pragma once

#include "shaders/ir/ir.h"
#include "shaders/ir/limits.h"

namespace terrazzo::ir {

/// Scalars of the shader's Local variables; 64-bit ones count twice. The sum of any counts does not wrap.
[[nodiscard]] uint64_t private_scalars(const Shader& s);

}  // namespace terrazzo::ir
