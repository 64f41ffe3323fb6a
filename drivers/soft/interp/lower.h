// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Lowering of a linked shader for the CPU. The JIT and the interpreter share it, so that their results are
// bit-identical.
#pragma once

#include <memory>

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// Returns a lowered copy.
[[nodiscard]] std::unique_ptr<ir::Shader> lower_for_soft(const ir::Shader& shader);

/// The dwords of the default block that the shader may read.
[[nodiscard]] uint32_t uniform_size_dw(const ir::Shader& shader);

}  // namespace terrazzo::soft
