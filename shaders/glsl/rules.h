// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules of the language that glslang leaves unchecked.
#pragma once

#include <string>

#include "shaders/compile.h"
#include "shaders/glsl/scan.h"

namespace terrazzo::shaders::glsl {

/// False: an error has been added to the log.
[[nodiscard]] bool check_rules(const Scan& scan, int version, ir::Stage stage, std::string& log);

}  // namespace terrazzo::shaders::glsl
