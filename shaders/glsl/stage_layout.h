// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The layout qualifiers of whole geometry and tessellation stages: primitives, numbers of vertices, spacing.
#pragma once

#include <string>

#include "shaders/compile.h"
#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

/// Fills ShaderInfo::records and has_layout. False: a number exceeds a limit, which was logged.
[[nodiscard]] bool set_stage_layout(const glslang::TIntermediate& tree, const Limits& limits,
                                    CompiledShader& out, std::string& log);

}  // namespace terrazzo::shaders::glsl
