// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture parameters that only OpenGL ES 1.1 has. They are stored with the texture (st::Texture::companion),
// so that contexts share them.
#pragma once

#include "api/es1/context.h"
#include "state_tracker/images/texture.h"

namespace terrazzo::es1 {

class TextureState final : public pipe::RefCounted {
  public:
    bool generate_mipmap = false;
    GLint crop[4] = {};  // of glDrawTex: u, v, width, height
};

/// The state of a texture; null: all values are the initial ones. Lock the share group.
[[nodiscard]] inline const TextureState* find_texture_state(const st::Texture& t) {
    return static_cast<const TextureState*>(t.companion.get());
}
/// The state of a texture, created if necessary. Lock the share group.
[[nodiscard]] inline TextureState& texture_state(st::Texture& t) {
    if (!t.companion) t.companion = pipe::Ref<pipe::RefCounted>::adopt(new TextureState);
    return *static_cast<TextureState*>(t.companion.get());
}

/// Targets of glBindTexture and glTexParameter. False: not one of OpenGL ES 1.1.
[[nodiscard]] inline bool texture_target(GLenum target, st::TextureTarget* out) {
    switch (target) {
        case GL_TEXTURE_2D:
            return *out = st::TextureTarget::Tex2D, true;
        case GL_TEXTURE_CUBE_MAP_OES:
            return *out = st::TextureTarget::Cube, true;
        case GL_TEXTURE_EXTERNAL_OES:
            return *out = st::TextureTarget::External, true;
        default:
            return false;
    }
}

/// The texture that a unit samples: that of the enabled target with the highest priority (cube maps, external
/// textures, GL_TEXTURE_2D). Null: none is enabled, or it is incomplete, so that the unit does nothing. Lock
/// the share group.
[[nodiscard]] st::Texture* sampled_texture(Context& ctx, unsigned unit);

}  // namespace terrazzo::es1
