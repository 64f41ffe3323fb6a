// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts desktop GLSL 1.10 and 1.20 to GLSL ES 1.00, as far as possible: piglit has thousands of such
// programs, which are useful for measuring compilers. Built-in variables do not get the values of a state
// tracker.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::command::shader_db {

[[nodiscard]] std::string desktop_as_es(std::string_view text, bool vertex);
/// Whether a shader without a #version uses built-in variables that GLSL ES lacks.
[[nodiscard]] bool looks_like_desktop(std::string_view text, bool vertex);

}  // namespace terrazzo::command::shader_db
