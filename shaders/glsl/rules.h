// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules of the language that glslang leaves unchecked.
#pragma once

#include <string>
#include <string_view>

#include "shaders/compile.h"
#include "shaders/glsl/ast.h"
#include "shaders/glsl/scan.h"

namespace terrazzo::shaders::glsl {

/// False: an error has been added to the log.
[[nodiscard]] bool check_rules(Scan& scan, const ::glslang::TIntermediate& tree, std::string_view source,
                               const CompileOptions& options, std::string& log);

}  // namespace terrazzo::shaders::glsl
