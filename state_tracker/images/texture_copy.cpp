// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CopyTexImage2D, CopyTexSubImage2D and CopyTexSubImage3D (OpenGL ES 2.0 section 3.7.2, ES 3.0 section
// 3.8.5).
#include <algorithm>

#include "state_tracker/images/read.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {

namespace {

constexpr uint32_t kNoColor = format_flag::kCompressed | format_flag::kDepth | format_flag::kStencil;

/// Table 3.9: the texture's components must be a subset of the framebuffer's. Luminance is copied from red.
bool components_available(const InternalFormat& f, const Surface& source) {
    for (unsigned c = 0; c < 4; ++c) {
        if (f.base == GL_LUMINANCE || f.base == GL_LUMINANCE_ALPHA)
            if (c == 1 || c == 2) continue;
        if (f.has_component(c) && !source.bits[c]) return false;
    }
    return true;
}

/// OpenGL ES 3.0: copies do not convert between unsigned and signed fixed point, floats, signed and unsigned
/// integers, or between sRGB and linear colours. Formats with shared exponents cannot be written.
bool same_class(const InternalFormat& f, const Surface& source) {
    const pipe::FormatInfo &to = pipe::format_info(f.storage), &from = pipe::format_info(source.layout);
    using enum pipe::ChannelType;
    const auto both = [&](pipe::ChannelType t) {
        return (to.channel[0].type == t) == (from.channel[0].type == t);
    };
    return to.is_pure_uint == from.is_pure_uint && to.is_pure_sint == from.is_pure_sint && both(Float) &&
           both(Snorm) && to.is_srgb == from.is_srgb && f.sized != GL_RGB9_E5;
}

/// OpenGL ES 3.0: the components of a sized format must have the source's sizes. An unsized format accepts up
/// to 8 bits of each (OpenGL ES 3.2 table 8.17).
bool sizes_go(const InternalFormat& f, bool sized, const Surface& source) {
    if (!sized) return std::all_of(source.bits, source.bits + 4, [](unsigned bits) { return bits <= 8; });
    const pipe::FormatInfo& info = pipe::format_info(f.storage);
    for (unsigned c = 0; c < 4; ++c)
        if (f.has_component(c) && info.component_bits(c) != source.bits[c]) return false;
    return true;
}

TexelPlace place(const TextureImage& i, int32_t x, int32_t y, uint32_t z = 0) {
    return {i.resource.get(), i.layout, i.level, i.layer + z, x, y};
}
TexelPlace place(const Surface& s, int32_t x, int32_t y) {
    return {s.resource.get(), s.layout, s.level, s.layer, x, y, s.top_down ? s.height : 0};
}

/// Writes a whole image if only a part of it has a source. The rest becomes zeros.
bool copy_with_border(Context& ctx, const TextureImage& image, const Surface& source, GLint x, GLint y,
                      const ClippedRect& c) {
    const uint64_t row_B = pipe::format_row_B(image.layout, image.width);
    std::vector<uint8_t> texels(row_B * image.height);
    const unsigned pixel_B = pipe::format_info(image.layout).block_B;
    if (c.width && c.height) {
        uint8_t* first =
            texels.data() + uint64_t(int64_t(c.y) - y) * row_B + uint64_t(int64_t(c.x) - x) * pixel_B;
        if (!read_surface(ctx, source, c.x, c.y, c.width, c.height, image.layout, first, ptrdiff_t(row_B)))
            return false;
    }
    return write_texels(ctx, image, {0, 0, 0, GLsizei(image.width), GLsizei(image.height), 1},
                        {image.layout, texels.data(), row_B, 0});
}

/// The formats of CopyTexImage: unsized ones that exist with unsigned bytes, and sized ones
/// (OES_required_internalformat, table 3.4.y; OpenGL ES 3.0: all colour formats). Null: not one of them.
const InternalFormat* copy_format(const Context& ctx, GLenum internal_format) {
    switch (internal_format) {
        case GL_RGBA4:
        case GL_RGB5_A1:
        case GL_RGBA8_OES:
        case GL_RGB10_A2_EXT:
        case GL_RGB565:
        case GL_RGB8_OES:
        case GL_RGB10_EXT:
        case GL_LUMINANCE4_ALPHA4_OES:
        case GL_LUMINANCE8_ALPHA8_OES:
        case GL_LUMINANCE8_OES:
        case GL_ALPHA8_OES:
            return find_internal_format(internal_format);
        default:
            break;
    }
    if (internal_format == GL_BGRA_EXT || internal_format == GL_DEPTH_COMPONENT ||
        internal_format == GL_DEPTH_STENCIL_OES)
        return nullptr;
    if (const InternalFormat* f = find_internal_format(ctx, internal_format))
        if (ctx.config.version >= 30 && internal_format == f->sized && !f->has(kNoColor)) return f;
    const Transfer* t = find_transfer(ctx, internal_format, internal_format, GL_UNSIGNED_BYTE);
    return t ? find_internal_format(t->sized) : nullptr;
}

}  // namespace

void CopyTexImage2D(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                    GLsizei width, GLsizei height, GLint border) {
    static constexpr char kName[] = "glCopyTexImage2D";
    ImageTarget it;
    if (!check_new_image(ctx, kName, 2, target, level, width, height, 1, border, &it)) return;
    const InternalFormat* f = copy_format(ctx, internalformat);
    if (!f) return ctx.error(GL_INVALID_ENUM, kName, "internal format 0x%04x", internalformat);
    Surface source;
    if (!resolve_read_plane(ctx, kName, &source)) return;
    if (!components_available(*f, source))
        return ctx.error(GL_INVALID_OPERATION, kName,
                         "internal format 0x%04x has components that the framebuffer does not have",
                         internalformat);
    if (ctx.config.version >= 30 && !same_class(*f, source))
        return ctx.error(GL_INVALID_OPERATION, kName,
                         "internal format 0x%04x holds other values than the framebuffer's", internalformat);
    if (ctx.config.version >= 30 && !sizes_go(*f, internalformat == f->sized, source))
        return ctx.error(GL_INVALID_OPERATION, kName,
                         "internal format 0x%04x has components of other sizes than the framebuffer's",
                         internalformat);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, it.target);
    before_redefinition(ctx, t);
    NewImage n;
    if (!plan_image(ctx, t, it.face, uint32_t(level), {uint32_t(width), uint32_t(height)}, *f, &n))
        return ctx.out_of_memory(kName);
    n.image.internal_format = internalformat;
    if (n.image.resource) {
        const ClippedRect c = clip_rect(x, y, width, height, source.width, source.height);
        const bool inside = c.width == uint32_t(width) && c.height == uint32_t(height);
        const bool done =
            inside ? copy_texels(ctx, place(n.image, 0, 0), place(source, x, y), {c.width, c.height})
                   : copy_with_border(ctx, n.image, source, x, y, c);
        if (!done) return ctx.out_of_memory(kName);
    }
    commit_image(t, it.face, uint32_t(level), std::move(n));
    texture_changed(ctx, t);
}

namespace {

void copy_sub_image(Context& ctx, const char* command, unsigned dimensions, GLenum target, GLint level,
                    const ImageBox& box, GLint x, GLint y) {
    ImageTarget it;
    std::lock_guard lock(ctx.share->mutex);
    TextureImage* image = check_sub_image(ctx, command, dimensions, target, level, box, &it);
    if (!image) return;
    Surface source;
    if (!resolve_read_plane(ctx, command, &source)) return;
    const bool es3 = ctx.config.version >= 30;
    if (image->format->has(kNoColor) || !components_available(*image->format, source) ||
        (es3 && !same_class(*image->format, source)))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "an image of internal format 0x%04x cannot be copied to from this framebuffer",
                         image->internal_format);
    const ClippedRect c = clip_rect(x, y, box.width, box.height, source.width, source.height);
    if (!c.width || !c.height) return;
    const int64_t to_x = box.x + (int64_t(c.x) - x), to_y = box.y + (int64_t(c.y) - y);
    if (!copy_texels(ctx, place(*image, int32_t(to_x), int32_t(to_y), uint32_t(box.z)),
                     place(source, c.x, c.y), {c.width, c.height}))
        ctx.out_of_memory(command);
}

}  // namespace

void CopyTexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x,
                       GLint y, GLsizei width, GLsizei height) {
    copy_sub_image(ctx, "glCopyTexSubImage2D", 2, target, level, {xoffset, yoffset, 0, width, height, 1}, x,
                   y);
}

void CopyTexSubImage3D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                       GLint x, GLint y, GLsizei width, GLsizei height) {
    copy_sub_image(ctx, "glCopyTexSubImage3D", 3, target, level,
                   {xoffset, yoffset, zoffset, width, height, 1}, x, y);
}

}  // namespace terrazzo::st
