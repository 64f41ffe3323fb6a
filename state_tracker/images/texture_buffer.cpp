// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexBuffer and TexBufferRange: textures whose texels lie in a buffer (OpenGL ES 3.2 section 8.9,
// EXT_texture_buffer).
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/images/texture.h"

namespace terrazzo::st {

namespace {

/// The row of a format in table 8.18; null: buffer textures cannot have the format.
const InternalFormat* buffer_format(const Context& ctx, GLenum name) {
    static constexpr GLenum kNames[] = {
        GL_R8,     GL_R16F,    GL_R32F,    GL_R8I,     GL_R16I,     GL_R32I,    GL_R8UI,    GL_R16UI,
        GL_R32UI,  GL_RG8,     GL_RG16F,   GL_RG32F,   GL_RG8I,     GL_RG16I,   GL_RG32I,   GL_RG8UI,
        GL_RG16UI, GL_RG32UI,  GL_RGB32F,  GL_RGB32I,  GL_RGB32UI,  GL_RGBA8,   GL_RGBA16F, GL_RGBA32F,
        GL_RGBA8I, GL_RGBA16I, GL_RGBA32I, GL_RGBA8UI, GL_RGBA16UI, GL_RGBA32UI};
    for (const GLenum n : kNames)
        if (n == name) return find_internal_format(ctx, name);
    return nullptr;
}

/// `range`: the command is TexBufferRange, and offset and size apply.
void tex_buffer(Context& ctx, const char* command, GLenum target, GLenum internal_format, GLuint name,
                bool range, GLintptr offset_B, GLsizeiptr size_B) {
    TextureTarget tt;
    if (!texture_target(ctx, target, &tt) || tt != TextureTarget::Buffer)
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    const InternalFormat* const f = buffer_format(ctx, internal_format);
    if (!f)
        return ctx.error(GL_INVALID_ENUM, command, "internal format 0x%04x is none of buffers' texels",
                         internal_format);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, TextureTarget::Buffer);
    pipe::Ref<Buffer> b(name ? ctx.share->buffers.find(name) : nullptr);
    if (name && !b) return ctx.error(GL_INVALID_OPERATION, command, "%u is no buffer", name);
    if (b && range) {
        if (offset_B < 0 || size_B <= 0 || uint64_t(offset_B) + uint64_t(size_B) > b->size_B)
            return ctx.error(GL_INVALID_VALUE, command,
                             "[%td, %td + %td) is not within buffer %u of %llu bytes", offset_B, offset_B,
                             size_B, name, static_cast<unsigned long long>(b->size_B));
        if (offset_B % kTextureBufferAlignment_B)
            return ctx.error(GL_INVALID_VALUE, command,
                             "offset %td is no multiple of GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT (%d)", offset_B,
                             kTextureBufferAlignment_B);
    }
    t.texels = {std::move(b), f, 0, 0};
    if (t.texels.buffer && range) {
        t.texels.offset_B = uint64_t(offset_B);
        t.texels.size_B = uint64_t(size_B);
    }
    texture_changed(ctx, t);
    ctx.dirty |= dirty::kImages;
}

}  // namespace

void TexBuffer(Context& ctx, GLenum target, GLenum internalformat, GLuint buffer) {
    tex_buffer(ctx, "glTexBuffer", target, internalformat, buffer, false, 0, 0);
}
void TexBufferRange(Context& ctx, GLenum target, GLenum internalformat, GLuint buffer, GLintptr offset,
                    GLsizeiptr size) {
    tex_buffer(ctx, "glTexBufferRange", target, internalformat, buffer, true, offset, size);
}

}  // namespace terrazzo::st
