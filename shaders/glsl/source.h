// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is done to a shader's text before glslang sees it: texts made to exhaust the parser (nesting, macros
// that grow without bound) are turned down, and extensions that are not ours are hidden from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace terrazzo::shaders::glsl {

struct Source {
    std::string text;   // for glslang: same lines and columns
    std::string error;  // "ERROR: 0:line: ..." or empty
};

[[nodiscard]] Source prepare_source(std::string_view source, std::span<const std::string_view> extensions);

/// Undoes in a log what prepare_source() did to names.
void restore_names(std::string& log);

}  // namespace terrazzo::shaders::glsl
