// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which names a layout may have. glslang's parser serves Vulkan and desktop GL, too, and lets some of their names pass. So what
// ESSL's tables (3.20 section 4.4) and the extensions here do not have is refused before glslang sees it.
#pragma once

#include "shaders/glsl/ast.h"

namespace glslang {
class TParseContext;
}

namespace terrazzo::shaders::glsl {

/// Members of a block have no offsets in ESSL; in glslang they have.
void check_block_members(glslang::TParseContext& parser, const glslang::TTypeList& members);

}  // namespace terrazzo::shaders::glsl
