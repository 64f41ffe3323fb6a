// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GetInternalformativ (OpenGL ES 3.0 section 6.1.15, ES 3.1 section 19.3).
#include <array>

#include "state_tracker/context/limits.h"
#include "state_tracker/images/formats.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {
namespace {

/// The row of a renderbuffer's format. Unsized names are replaced by the sized ones that they mean. Null: the
/// format cannot be a renderbuffer's.
const InternalFormat* renderable_format(const Context& ctx, GLenum name) {
    const GLenum sized = name == GL_RGB ? GL_RGB8 : name == GL_RGBA ? GL_RGBA8 : name;
    const InternalFormat* const f = find_internal_format(ctx, sized);
    return f && renderbuffer_format(ctx, *f) ? f : nullptr;
}

/// The tilings of EXT_memory_object. False: the error is recorded.
bool tilings(Context& ctx, const char* command, GLenum target, GLenum internal_format,
             std::array<GLint, 32>* out, GLsizei* count) {
    TextureTarget t;
    const bool renderbuffer = target == GL_RENDERBUFFER;
    if (!renderbuffer &&
        (!texture_target(ctx, target, &t) || t == TextureTarget::External || t == TextureTarget::Buffer))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is none of TexStorageMem*", target), false;
    const InternalFormat* const f = find_internal_format(ctx, internal_format);
    if (!f) return ctx.error(GL_INVALID_ENUM, command, "internal format 0x%04x", internal_format), false;
    const bool samples = !renderbuffer && (t == TextureTarget::Tex2DMS || t == TextureTarget::Tex2DMSArray);
    *count = 0;
    for (const GLenum tiling : {GL_OPTIMAL_TILING_EXT, GL_LINEAR_TILING_EXT})
        if (!renderbuffer && has_tiling(*f, samples ? 2 : 1, tiling))
            (*out)[size_t((*count)++)] = GLint(tiling);
    return true;
}

}  // namespace

void GetInternalformativ(Context& ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei bufSize,
                         GLint* params) {
    const char* const command = "glGetInternalformativ";
    if ((pname == GL_NUM_TILING_TYPES_EXT || pname == GL_TILING_TYPES_EXT) &&
        has_extension(ctx, extension_row("GL_EXT_memory_object"))) {
        std::array<GLint, 32> list{};
        GLsizei count = 0;
        if (!tilings(ctx, command, target, internalformat, &list, &count)) return;
        if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
        if (pname == GL_NUM_TILING_TYPES_EXT) {
            list[0] = count;
            count = 1;
        }
        for (GLsizei i = 0; params && i < count && i < bufSize; ++i)
            params[i] = list[size_t(i)];
        return;
    }
    const bool texture = target == GL_TEXTURE_2D_MULTISAMPLE || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    if (target != GL_RENDERBUFFER && (!texture || ctx.config.version < 31))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x has no samples", target);
    const InternalFormat* const f = renderable_format(ctx, internalformat);
    if (!f)
        return ctx.error(GL_INVALID_ENUM, command, "internal format 0x%04x is not renderable",
                         internalformat);
    if (pname != GL_SAMPLES && pname != GL_NUM_SAMPLE_COUNTS)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of an internal format", pname);
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    // Before OpenGL ES 3.1, integer formats are not multisampled.
    const bool integer = pipe::format_info(f->storage).is_pure_int() && f->has(format_flag::kColor30);
    const bool single = integer && ctx.config.version < 31;
    std::array<GLint, 32> counts{};
    GLsizei n = 0;
    for (uint32_t samples = single ? 1 : max_samples(ctx, *f); samples > 1; samples /= 2)
        if (least_samples(ctx, *f, samples) == samples) counts[size_t(n++)] = GLint(samples);
    if (pname == GL_NUM_SAMPLE_COUNTS) {
        counts[0] = n;
        n = 1;
    }
    for (GLsizei i = 0; params && i < n && i < bufSize; ++i)
        params[i] = counts[size_t(i)];
}

}  // namespace terrazzo::st
