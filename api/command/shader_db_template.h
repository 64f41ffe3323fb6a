// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glmark2's shader files are templates: its programs add precision, constants and pieces of code.
#pragma once

#include <string>

namespace terrazzo::command::shader_db {

/// Completes a shader: a default precision, glmark2's constants that it uses without declaring them (with
/// typical values), and nothing or little in place of $NAMES$. Other shaders only get the precision.
[[nodiscard]] std::string complete_template(std::string text);

}  // namespace terrazzo::command::shader_db
