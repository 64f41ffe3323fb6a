// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private memory: the variables of a stage that are left in memory when it is optimised, arrays with an index
// that is not constant above all. Each invocation has its own.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Of all of a stage's variables together: 256 KiB an invocation. Real shaders need a few hundred; what a CPU
/// driver reserves for 16 lanes is then 4 MiB a thread.
inline constexpr uint32_t kMaxPrivateScalars = 65536;

/// Scalars of the shader's Local variables; 64-bit ones count twice. The sum of any counts does not wrap.
[[nodiscard]] uint64_t private_scalars(const Shader& s);

}  // namespace terrazzo::ir
