// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Our limits in glslang's form: the gl_Max... constants and optional features.
#pragma once

#include "shaders/compile.h"
#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

/// Offsets of texels in texture functions.
inline constexpr int kMinTexelOffset = -8, kMaxTexelOffset = 7;

[[nodiscard]] TBuiltInResource built_in_resources(const Limits& l);

}  // namespace terrazzo::shaders::glsl
