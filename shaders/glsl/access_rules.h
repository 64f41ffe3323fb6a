// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ESSL 3.10 section 4.9: variables of buffers declared writeonly are not read, those declared readonly are not written, and atomic
// functions do both. glslang looks at assignments and a few operators alone. So every place in the tree where a value is used or
// changed is looked at, in functions that nobody calls, too.
#pragma once

#include <string>

#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

struct AccessError {
    std::string rule;  // empty: nothing is wrong
    int line = 0;
};

/// The first line of the tree that breaks the rule. Needs no stack, however deep the tree is.
[[nodiscard]] AccessError check_access(TIntermNode* root);

}  // namespace terrazzo::shaders::glsl
