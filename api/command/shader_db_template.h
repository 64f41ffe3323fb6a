// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glmark2's shader files are templates: precision, constants and pieces of code come from the program.
#pragma once

#include <string>

namespace terrazzo::command::shader_db {

/// A shader with a default precision, with constants that it uses and does not declare (glmark2's, of typical
/// values), and with nothing or little in the places of $NAMES$. Others' shaders get the precision alone.
[[nodiscard]] std::string complete_template(std::string text);

}  // namespace terrazzo::command::shader_db
