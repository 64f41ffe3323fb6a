// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EXT_texture_shadow_lod: variants of texture, textureLod, textureOffset and textureLodOffset for shadow
// samplers. glslang 12 does not know the extension. prototypes.cpp declares its variants in every text, and
// the scan refuses them in a text that does not enable it. glslang always refuses textureOffset of a
// sampler2DArrayShadow. So if the extension is enabled, source.cpp renames textureOffset to a function with
// another operation (EOpTextureOffsetClamp).
#pragma once

#include <string>
#include <string_view>

#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

inline constexpr std::string_view kTextureOffset = "textureOffset", kShadowLodOffset = "TZb_textureOffset";

/// Whether only the extension has this variant of a function. textureOffset is not checked: it was renamed.
[[nodiscard]] bool is_shadow_lod_form(const glslang::TIntermAggregate& call);

/// The error in the offset of the renamed textureOffset (ESSL 3.00 8.8; glslang checks the others); empty:
/// none.
[[nodiscard]] std::string check_texel_offset(const glslang::TIntermTyped& offset);

}  // namespace terrazzo::shaders::glsl
