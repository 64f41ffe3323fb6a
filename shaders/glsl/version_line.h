// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules of ESSL 3.00 for a whole text before it is split into tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace terrazzo::shaders::glsl {

struct VersionLine {
    int version = 100;
    uint32_t line = 1;  // the line of #version
    /// Why the version is none of OpenGL ES. Empty: it is one, or there is no #version.
    std::string error;
    /// The text to use instead of the given one; empty: the given one is used.
    std::string text;
    unsigned added_lines = 0;  // inserted before the given text's first line
};

/// Finds #version before the first token. From version 300 on:
///   - a backslash before a line's end joins the next line, even in the middle of a word (ESSL 3.00 3.1);
///     line numbers stay;
///   - #version may follow comments and empty lines, as other compilers allow and programs do; ESSL 3.00 3.3
///     requires it in the first line, and so does glslang.
[[nodiscard]] VersionLine read_version(std::string_view source);

}  // namespace terrazzo::shaders::glsl
