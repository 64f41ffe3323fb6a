// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EXT_texture_shadow_lod: forms of texture, textureLod, textureOffset and textureLodOffset for samplers of shadows. glslang 12
// does not know the extension. prototypes.cpp declares its forms in every text, and the scan refuses them in a text that does
// not enable it. textureOffset of a sampler2DArrayShadow is an error to glslang in any case, so where the extension is enabled
// source.cpp gives textureOffset another name, which stands for another operation (EOpTextureOffsetClamp).
#pragma once

#include <string>
#include <string_view>

#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

inline constexpr std::string_view kTextureOffset = "textureOffset", kShadowLodOffset = "TZb_textureOffset";

/// Whether a call is of a form that only the extension has. textureOffset is not looked at: its other name is that.
[[nodiscard]] bool is_shadow_lod_form(const glslang::TIntermAggregate& call);

/// What is wrong with the offset of a call by that other name (ESSL 3.00 8.8; glslang checks the others); empty: nothing.
[[nodiscard]] std::string check_texel_offset(const glslang::TIntermTyped& offset);

}  // namespace terrazzo::shaders::glsl
