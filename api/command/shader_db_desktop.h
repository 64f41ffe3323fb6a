// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Desktop GLSL 1.10 and 1.20 as GLSL ES 1.00, as far as that goes: piglit has thousands of such programs,
// good for measuring compilers. What the state tracker would give built-in variables is not looked after.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::command::shader_db {

[[nodiscard]] std::string desktop_as_es(std::string_view text, bool vertex);
/// Whether a shader without a #version uses built-in variables that GLSL ES has not.
[[nodiscard]] bool looks_like_desktop(std::string_view text, bool vertex);

}  // namespace terrazzo::command::shader_db
