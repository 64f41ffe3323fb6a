// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What amend.cpp, which glslang calls, cannot learn from glslang.
#pragma once

#include <cstddef>

namespace terrazzo::shaders::glsl {

/// The text that this thread compiles has the word `precise`.
extern thread_local bool t_says_precise;

/// What glslang may take of memory for one text. A text of kMaxTokens words needs about as much; constants
/// that are made of one another could ask for a thousand times that.
inline constexpr size_t kMaxParser_B = size_t(288) << 20;
/// What glslang has taken so far, on this thread. Beyond the limit ParserMemory is thrown, through glslang, as
/// std::bad_alloc is (library.h).
extern thread_local size_t t_parser_B;
struct ParserMemory {};

}  // namespace terrazzo::shaders::glsl
