// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ESSL 3.10 section 4.9: writeonly buffer variables must not be read, readonly ones must not be written, and
// atomic functions do both. glslang only checks assignments and a few operators. This check visits every use
// and modification of a value in the tree, also in functions that are never called.
#pragma once

#include <string>

#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

struct AccessError {
    std::string rule;  // empty: no error
    int line = 0;
};

/// The first line of the tree that breaks the rule. Not recursive, so the tree may have any depth.
[[nodiscard]] AccessError check_access(TIntermNode* root);

}  // namespace terrazzo::shaders::glsl
