// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What amend.cpp, which glslang calls, cannot learn from glslang.
#pragma once

namespace terrazzo::shaders::glsl {

/// The text that this thread compiles has the word `precise`.
extern thread_local bool t_says_precise;

}  // namespace terrazzo::shaders::glsl
