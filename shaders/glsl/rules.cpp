// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules of the language that glslang leaves unchecked, or checks only when it links.
#include "shaders/glsl/rules.h"

namespace terrazzo::shaders::glsl {

using namespace ::glslang;

bool check_rules(Scan& scan, const TIntermediate& tree, std::string_view source,
                 const CompileOptions& options, std::string& log) {
    (void)tree;
    (void)source;
    (void)scan;
    (void)options;
    (void)log;
    return true;
}

}  // namespace terrazzo::shaders::glsl
