// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GetTexLevelParameter (OpenGL ES 3.1 section 8.10.3).
#include <algorithm>

#include "pipe/format.h"
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/images/texture.h"

namespace terrazzo::st {
namespace {

/// A value of an image; all zeros if it was never defined. False: unknown name.
bool image_value(const Texture& t, const TextureImage* i, GLenum pname, GLint* out) {
    const bool color = i && !i->format->has(format_flag::kDepth | format_flag::kStencil);
    const auto bits = [&](unsigned c) {
        return color && i->format->has_component(c) ? GLint(pipe::format_info(i->layout).component_bits(c))
                                                    : 0;
    };
    switch (pname) {
        case GL_TEXTURE_WIDTH:
            *out = i ? GLint(i->width) : 0;
            return true;
        case GL_TEXTURE_HEIGHT:
            *out = i ? GLint(i->height) : 0;
            return true;
        case GL_TEXTURE_DEPTH:
            *out = i ? GLint(i->depth) : 0;
            return true;
        case GL_TEXTURE_SAMPLES:
            *out = i && t.is_multisample() ? GLint(t.samples) : 0;
            return true;
        case GL_TEXTURE_FIXED_SAMPLE_LOCATIONS:
            *out = t.fixed_sample_locations;
            return true;
        case GL_TEXTURE_INTERNAL_FORMAT:
            *out = i ? GLint(i->internal_format) : GL_RGBA;
            return true;
        case GL_TEXTURE_COMPRESSED:
            *out = i && i->format->has(format_flag::kCompressed);
            return true;
        case GL_TEXTURE_RED_SIZE:
            *out = bits(0);
            return true;
        case GL_TEXTURE_GREEN_SIZE:
            *out = bits(1);
            return true;
        case GL_TEXTURE_BLUE_SIZE:
            *out = bits(2);
            return true;
        case GL_TEXTURE_ALPHA_SIZE:
            *out = bits(3);
            return true;
        case GL_TEXTURE_SHARED_SIZE:
            *out = i && i->format->sized == GL_RGB9_E5 ? 5 : 0;  // bits of the exponent
            return true;
        case GL_TEXTURE_DEPTH_SIZE:
            *out = i && i->format->has(format_flag::kDepth) ? GLint(pipe::format_info(i->layout).depth_bits())
                                                            : 0;
            return true;
        case GL_TEXTURE_STENCIL_SIZE:
            *out = i && i->format->has(format_flag::kStencil)
                       ? GLint(pipe::format_info(i->layout).stencil_bits())
                       : 0;
            return true;
        default:
            return false;
    }
}

/// The types of components. False: unknown name.
bool type_value(const TextureImage* i, GLenum pname, GLint* out) {
    const bool depth = i && i->format->has(format_flag::kDepth);
    const bool color = i && !i->format->has(format_flag::kDepth | format_flag::kStencil);
    bool there = false;
    switch (pname) {
        case GL_TEXTURE_RED_TYPE:
        case GL_TEXTURE_GREEN_TYPE:
        case GL_TEXTURE_BLUE_TYPE:
        case GL_TEXTURE_ALPHA_TYPE:
            static_assert(GL_TEXTURE_ALPHA_TYPE - GL_TEXTURE_RED_TYPE == 3);
            there = color && i->format->has_component(pname - GL_TEXTURE_RED_TYPE);
            break;
        case GL_TEXTURE_DEPTH_TYPE:
            there = depth;
            break;
        default:
            return false;
    }
    *out = GLint(there ? component_type(i->layout) : GL_NONE);
    return true;
}

/// A value of a buffer texture. False: unknown name.
bool buffer_value(const Context& ctx, const Texture& t, GLenum pname, GLint* out) {
    const Texture::Texels& b = t.texels;
    const uint64_t size_B = b.size_B ? b.size_B : b.buffer ? b.buffer->size_B : 0;
    switch (pname) {
        case GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
            *out = b.buffer ? GLint(b.buffer->name) : 0;
            return true;
        case GL_TEXTURE_BUFFER_OFFSET:
            *out = GLint(b.offset_B);
            return true;
        case GL_TEXTURE_BUFFER_SIZE:
            *out = GLint(size_B);
            return true;
        default:
            break;
    }
    if (t.target != TextureTarget::Buffer) return false;
    TextureImage image;
    if (b.format) {
        image.format = b.format;
        image.internal_format = b.format->sized;
        image.layout = b.format->storage;
        image.width = uint32_t(std::min<uint64_t>(size_B / pipe::format_info(image.layout).block_B,
                                                  uint64_t(ctx.screen.caps().max_buffer_texels)));
        image.height = 1;
    } else {
        image.internal_format = GL_R8;
    }
    if (pname == GL_TEXTURE_INTERNAL_FORMAT) return *out = GLint(image.internal_format), true;
    const TextureImage* const at = b.format ? &image : nullptr;
    return image_value(t, at, pname, out) || type_value(at, pname, out);
}

/// False: the error is recorded.
bool level_parameter(Context& ctx, const char* command, GLenum target, GLint level, GLenum pname,
                     GLint* out) {
    ImageTarget it{};
    const bool one_level = texture_target(ctx, target, &it.target) &&
                           (it.target == TextureTarget::Tex2DMS || it.target == TextureTarget::Tex2DMSArray ||
                            it.target == TextureTarget::Buffer);
    if (!one_level && !image_target(ctx, target, 2, &it) && !image_target(ctx, target, 3, &it))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target), false;
    const uint32_t max = max_size_px(ctx, it.target);
    const uint32_t levels = one_level ? 1 : full_level_count(max, max);
    if (level < 0 || uint32_t(level) >= levels)
        return ctx.error(GL_INVALID_VALUE, command, "level %d; levels are 0 to %u", level, levels - 1), false;
    std::lock_guard lock(ctx.share->mutex);
    const Texture& t = bound_texture(ctx, it.target);
    const TextureImage* const image = t.image(it.face, unsigned(level));
    if (buffer_value(ctx, t, pname, out)) return true;
    if (image_value(t, image, pname, out) || type_value(image, pname, out)) return true;
    return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a level", pname), false;
}

}  // namespace

void GetTexLevelParameteriv(Context& ctx, GLenum target, GLint level, GLenum pname, GLint* params) {
    GLint value;
    if (level_parameter(ctx, "glGetTexLevelParameteriv", target, level, pname, &value) && params)
        *params = value;
}
void GetTexLevelParameterfv(Context& ctx, GLenum target, GLint level, GLenum pname, GLfloat* params) {
    GLint value;
    if (level_parameter(ctx, "glGetTexLevelParameterfv", target, level, pname, &value) && params)
        *params = GLfloat(value);
}

}  // namespace terrazzo::st
