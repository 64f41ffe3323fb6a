// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The rectangle of clears, built directly as IR: no GLSL is parsed.
#pragma once

#include <memory>

#include "shaders/ir/ir.h"

namespace terrazzo::clears {

/// Passes attribute 0 on as the position.
[[nodiscard]] std::unique_ptr<ir::Shader> vertex_shader();
/// Writes uniforms 0 to 3 to each target of the mask `colors`.
[[nodiscard]] std::unique_ptr<ir::Shader> fragment_shader(uint8_t colors);

/// Covers clip space: a triangle strip of four vec4.
inline constexpr float kRectangle[16] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};

}  // namespace terrazzo::clears
