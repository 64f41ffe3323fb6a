// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fuzz target's bytes as the texts of a program, so that seeds can be read and written as text.
#pragma once

#include <cstdint>
#include <string_view>

namespace fuzz {

struct ShaderPair {
    std::string_view vertex, fragment;
};

/// A line "//---" divides the vertex shader's text from the fragment shader's. Without one the bytes are one
/// shader: of the vertex stage where it names gl_Position. The other is then one that many fit to.
[[nodiscard]] ShaderPair split_shaders(const uint8_t* data, size_t size);

}  // namespace fuzz
