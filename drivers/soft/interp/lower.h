// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is done to a linked shader before it is run on the CPU, the same for the JIT and the interpreter, so
// that both compute the same bits.
#pragma once

#include <memory>

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// A lowered copy.
[[nodiscard]] std::unique_ptr<ir::Shader> lower_for_soft(const ir::Shader& shader);

/// Dwords of the default block that the shader may read.
[[nodiscard]] uint32_t uniform_size_dw(const ir::Shader& shader);

}  // namespace terrazzo::soft
