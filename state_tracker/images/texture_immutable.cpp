// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexStorage2D and its kin (EXT_texture_storage): all levels at once, for good.
#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {

namespace {

/// The texture of a name for TextureStorage*; null: the error is recorded.
Texture* named_texture(Context& ctx, const char* command, GLuint name, TextureTarget target) {
    if (name == 0) {
        ctx.error(GL_INVALID_VALUE, command, "texture 0 is no texture object");
        return nullptr;
    }
    Texture* const t = ctx.share->textures.find(name);
    if (!t || t->target != target) {
        ctx.error(GL_INVALID_OPERATION, command, "texture %u is none of this target", name);
        return nullptr;
    }
    return t;
}

/// `name`: of TextureStorage*; null: the bound texture's.
void tex_storage(Context& ctx, const char* command, const GLuint* name, GLenum target, GLsizei levels,
                 GLenum internal_format, GLsizei width, GLsizei height) {
    if (target != GL_TEXTURE_2D && target != GL_TEXTURE_CUBE_MAP)
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    const TextureTarget tt = target == GL_TEXTURE_2D ? TextureTarget::Tex2D : TextureTarget::Cube;
    std::lock_guard lock(ctx.share->mutex);
    Texture* const t = name ? named_texture(ctx, command, *name, tt) : &bound_texture(ctx, tt);
    if (!t) return;
    if (t->name == 0) return ctx.error(GL_INVALID_OPERATION, command, "the default texture is bound");
    const GLsizei max = GLsizei(max_size_px(ctx, tt));
    if (levels < 1 || width < 1 || height < 1 || width > max || height > max)
        return ctx.error(GL_INVALID_VALUE, command, "%d levels of %d x %d; sizes are 1 to %d", levels, width,
                         height, max);
    if (tt == TextureTarget::Cube && width != height)
        return ctx.error(GL_INVALID_VALUE, command, "a cube map face of %d x %d is not square", width,
                         height);
    const InternalFormat* const f = find_internal_format(internal_format);
    const bool depth_stencil = f && f->has(format_flag::kDepth | format_flag::kStencil);
    if (!f || (depth_stencil && !f->has(format_flag::kDepth)))
        return ctx.error(GL_INVALID_ENUM, command, "internal format 0x%04x is no sized one of textures",
                         internal_format);
    if (f->has(format_flag::kOnly2D) && tt != TextureTarget::Tex2D)
        return ctx.error(GL_INVALID_OPERATION, command, "depth formats are for TEXTURE_2D alone");
    if (uint32_t(levels) > full_level_count(uint32_t(width), uint32_t(height)))
        return ctx.error(GL_INVALID_OPERATION, command, "%d levels are more than %d x %d has", levels, width,
                         height);
    if (t->immutable)
        return ctx.error(GL_INVALID_OPERATION, command, "texture %u has immutable storage", t->name);
    before_redefinition(ctx, *t);
    if (!define_all(ctx, *t, uint32_t(levels), uint32_t(width), uint32_t(height), *f))
        return ctx.out_of_memory(command);
    t->immutable = true;
    t->immutable_levels = uint32_t(levels);
    texture_changed(ctx, *t);
}

void no_such_target(Context& ctx, const char* command, GLenum target) {
    ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is none of OpenGL ES 2.0", target);
}

}  // namespace

void TexStorage1D(Context& ctx, GLenum target, GLsizei, GLenum, GLsizei) {
    no_such_target(ctx, "glTexStorage1DEXT", target);
}
void TexStorage2D(Context& ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                  GLsizei height) {
    tex_storage(ctx, "glTexStorage2DEXT", nullptr, target, levels, internalformat, width, height);
}
void TexStorage3D(Context& ctx, GLenum target, GLsizei, GLenum, GLsizei, GLsizei, GLsizei) {
    no_such_target(ctx, "glTexStorage3DEXT", target);
}
void TextureStorage1D(Context& ctx, GLuint, GLenum target, GLsizei, GLenum, GLsizei) {
    no_such_target(ctx, "glTextureStorage1DEXT", target);
}
void TextureStorage2D(Context& ctx, GLuint texture, GLenum target, GLsizei levels, GLenum internalformat,
                      GLsizei width, GLsizei height) {
    tex_storage(ctx, "glTextureStorage2DEXT", &texture, target, levels, internalformat, width, height);
}
void TextureStorage3D(Context& ctx, GLuint, GLenum target, GLsizei, GLenum, GLsizei, GLsizei, GLsizei) {
    no_such_target(ctx, "glTextureStorage3DEXT", target);
}

}  // namespace terrazzo::st
