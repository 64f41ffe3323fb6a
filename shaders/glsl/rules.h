// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Language rules that glslang does not check.
#pragma once

#include <string>

#include "shaders/compile.h"
#include "shaders/glsl/scan.h"

namespace terrazzo::shaders::glsl {

/// False: an error was added to the log.
[[nodiscard]] bool check_rules(const Scan& scan, int version, ir::Stage stage, std::string& log);

}  // namespace terrazzo::shaders::glsl
