// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What ESSL 3.00 asks of a whole text before it has tokens.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::shaders::glsl {

struct VersionLine {
    int version = 100;
    /// The text to go on with where the given one will not do; else empty.
    std::string text;
    unsigned added_lines = 0;  // before the given text's first line
};

/// Finds #version before the first token. From version 300 on:
///   - a backslash before the end of a line joins the next one, in the middle of a word, too (ESSL 3.00 3.1);
///     the lines' numbers stay;
///   - #version may stand behind comments and empty lines, as other compilers allow and programs do; ESSL 3.00
///     3.3 wants it in the first line, and glslang holds to that.
[[nodiscard]] VersionLine read_version(std::string_view source);

}  // namespace terrazzo::shaders::glsl
