// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Expands a shader's macros and evaluates its conditions, so that glslang sees none. #version, #extension,
// #pragma and #line stay; the other lines keep their numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace terrazzo::shaders::glsl {

inline constexpr size_t kMaxTokens = 1'000'000;  // of a text, before and after macro expansion

struct Preprocessed {
    std::string text;
    std::string error;     // "ERROR: 0:line: ...\n" or empty
    std::string warnings;  // lines "WARNING: 0:line: ...\n"
};

/// `version`: the text's. `macros`: names that are defined as 1.
[[nodiscard]] Preprocessed preprocess(std::string_view source, int version,
                                      std::span<const std::string_view> macros);

}  // namespace terrazzo::shaders::glsl
