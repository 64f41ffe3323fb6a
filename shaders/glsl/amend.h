// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Parameters of amend.cpp that do not come from glslang, which calls it.
#pragma once

#include <cstddef>

namespace terrazzo::shaders::glsl {

/// Whether the text that this thread compiles contains the word `precise`.
extern thread_local bool t_says_precise;

/// The most memory of glslang for a text. A text of kMaxTokens words needs about as much; constants that are
/// built from each other could need a thousand times as much.
inline constexpr size_t kMaxParser_B = size_t(288) << 20;
/// The memory of glslang so far, on this thread. Beyond the limit, ParserMemory is thrown through glslang, as
/// std::bad_alloc is (library.h).
extern thread_local size_t t_parser_B;
struct ParserMemory {};

}  // namespace terrazzo::shaders::glsl
