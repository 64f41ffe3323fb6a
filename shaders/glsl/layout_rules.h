// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which names a layout may have. glslang's parser serves Vulkan and desktop GL, too, and lets some of their names pass. So what
// ESSL's tables (3.20 section 4.4) and the extensions here do not have is refused before glslang sees it.
#pragma once

#include "shaders/glsl/ast.h"

namespace glslang {
class TParseContext;
class TParseVersions;
}  // namespace glslang

namespace terrazzo::shaders::glsl {

/// OVR_multiview: layout(num_views = n) of the text that this thread compiles; 0: none. glslang parses it and
/// does not store it.
extern thread_local int t_views;

/// Members of a block have no offsets in ESSL; in glslang they have.
void check_block_members(glslang::TParseContext& parser, const glslang::TTypeList& members);

/// EXT_separate_shader_objects gives attributes and varyings of ESSL 1.00, varyings of 3.00 locations: whether it does, and
/// `feature` is what glslang calls that.
[[nodiscard]] bool is_separate_location(glslang::TParseVersions& parser, const char* feature);

}  // namespace terrazzo::shaders::glsl
