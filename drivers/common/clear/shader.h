// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A rectangle that clears, as IR made by hand: nobody parses GLSL for it.
#pragma once

#include <memory>

#include "shaders/ir/ir.h"

namespace terrazzo::clears {

/// Attribute 0 as the position.
[[nodiscard]] std::unique_ptr<ir::Shader> vertex_shader();
/// Uniforms 0 to 3 to each target of the mask.
[[nodiscard]] std::unique_ptr<ir::Shader> fragment_shader(uint8_t colors);

/// Over all of clip space: a triangle strip of four vec4.
inline constexpr float kRectangle[16] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};

}  // namespace terrazzo::clears
