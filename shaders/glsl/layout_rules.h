// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The names that a layout may have. glslang's parser also serves Vulkan and desktop GL and accepts some of
// their names. So names that are neither in ESSL's tables (3.20 section 4.4) nor in the extensions here are
// refused before glslang sees them.
#pragma once

#include "shaders/glsl/ast.h"

namespace glslang {
class TParseContext;
class TParseVersions;
}  // namespace glslang

namespace terrazzo::shaders::glsl {

/// OVR_multiview: layout(num_views = n) of the text that this thread compiles; 0: none. glslang parses it,
/// but does not store it.
extern thread_local int t_views;

/// Refuses offsets of members of a block: ESSL does not have them, but glslang does.
void check_block_members(glslang::TParseContext& parser, const glslang::TTypeList& members);

/// EXT_separate_shader_objects adds locations of attributes and varyings to ESSL 1.00, and of varyings to
/// 3.00. Returns whether it does here; `feature` is glslang's name.
[[nodiscard]] bool is_separate_location(glslang::TParseVersions& parser, const char* feature);

}  // namespace terrazzo::shaders::glsl
