// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexImage2D, TexImage3D and their SubImage variants (OpenGL ES 2.0 sections 3.7.1 and 3.7.2, ES 3.0 sections
// 3.8.3 and 3.8.5).
#include "state_tracker/images/encoded_blocks.h"

namespace terrazzo::st {

namespace {

/// Transfers to formats that TexImage compresses. EXT_texture_compression_s3tc: RGB and RGBA of any type, to
/// any of its formats. EXT_texture_compression_s3tc_srgb: only bytes, which are sRGB values already.
const Transfer* find_encoded_transfer(const Context& ctx, const InternalFormat& f, GLenum format,
                                      GLenum type) {
    if (!f.has(format_flag::kEncoded) || (format != GL_RGB && format != GL_RGBA)) return nullptr;
    if (!pipe::format_info(f.storage).is_srgb) return find_transfer(ctx, format, format, type);
    return find_transfer(ctx, format == GL_RGB ? GL_SRGB8 : GL_SRGB8_ALPHA8, format, type);
}

/// The internal format of an EGLImage is our choice (OES_EGL_image), and a program that shares it may only
/// know its bytes: 8-bit colours are accepted as RGB, RGBA and BGRA.
const Transfer* find_shared_transfer(const Context& ctx, const TextureImage& image, GLenum format,
                                     GLenum type) {
    const pipe::FormatInfo& f = pipe::format_info(image.layout);
    if (type != GL_UNSIGNED_BYTE || (format != GL_RGB && format != GL_RGBA && format != GL_BGRA_EXT) ||
        f.channel[0].type != pipe::ChannelType::Unorm || f.is_srgb || f.is_compressed)
        return nullptr;
    for (unsigned c = 0; c < 3; ++c)
        if (f.component_bits(c) != 8) return nullptr;
    return find_transfer(ctx, format, format, type);
}

/// Checks the enums of format and type, then their combination. Null: the error is recorded.
const Transfer* check_transfer(Context& ctx, const char* command, GLenum internal_format, GLenum format,
                               GLenum type) {
    if (!is_pixel_format(ctx, format)) {
        ctx.error(GL_INVALID_ENUM, command, "format 0x%04x", format);
        return nullptr;
    }
    if (!is_pixel_type(ctx, type)) {
        ctx.error(GL_INVALID_ENUM, command, "type 0x%04x", type);
        return nullptr;
    }
    const Transfer* t = find_transfer(ctx, internal_format, format, type);
    const InternalFormat* f = t ? nullptr : find_internal_format(ctx, internal_format);
    if (f) t = find_encoded_transfer(ctx, *f, format, type);
    // OpenGL ES 3.2 section 8.5: this command does not accept compressed internal formats.
    if (!t && f && f->has(format_flag::kCompressed) && !f->has(format_flag::kEncoded))
        ctx.error(GL_INVALID_VALUE, command, "internal format 0x%04x is compressed", internal_format);
    else if (!t)
        ctx.error(GL_INVALID_OPERATION, command,
                  "internal format 0x%04x does not go with format 0x%04x and type 0x%04x", internal_format,
                  format, type);
    return t;
}

/// Opens the memory of the texels of a box. False: the error is recorded.
bool open_texels(Context& ctx, const char* command, unsigned dimensions, const Transfer& transfer,
                 const Extent& size, const void* pixels, PixelMemory* memory, Texels* out) {
    ClientRect rect;
    if (!client_rect(ctx.state.unpack, pipe::format_info(transfer.client).block_B, size, dimensions == 3,
                     &rect)) {
        ctx.error(GL_INVALID_OPERATION, command, "the unpacked box exceeds the address space");
        return false;
    }
    if (!memory->open(ctx, command, PixelMemory::Direction::Unpack, pixels, rect.size_B,
                      datum_B(transfer.type)))
        return false;
    *out = {transfer.client, memory->data() ? memory->data() + rect.offset_B : nullptr, rect.stride_B,
            rect.image_stride_B};
    return true;
}

void tex_image(Context& ctx, const char* command, unsigned dimensions, GLenum target, GLint level,
               GLenum internal_format, GLsizei width, GLsizei height, GLsizei depth, GLint border,
               GLenum format, GLenum type, const void* pixels) {
    ImageTarget it;
    if (!check_new_image(ctx, command, dimensions, target, level, width, height, depth, border, &it)) return;
    // Sized formats are known names (of glRenderbufferStorage): they fail as a combination with `format`.
    if (!is_internal_format(ctx, internal_format))
        return ctx.error(GL_INVALID_VALUE, command, "internal format 0x%04x", internal_format);
    const Transfer* transfer = check_transfer(ctx, command, internal_format, format, type);
    if (!transfer) return;
    const InternalFormat* named = find_internal_format(ctx, internal_format);
    const InternalFormat& f =
        named && named->has(format_flag::kEncoded) ? *named : *find_internal_format(transfer->sized);
    if (!check_format_target(ctx, command, f, it.target)) return;
    const Extent size{uint32_t(width), uint32_t(height), uint32_t(depth)};
    PixelMemory memory;
    Texels texels;
    if (!open_texels(ctx, command, dimensions, *transfer, size, pixels, &memory, &texels)) return;
    define_image(ctx, command, it, level, size, internal_format, f, texels);
}

void tex_sub_image(Context& ctx, const char* command, unsigned dimensions, GLenum target, GLint level,
                   const ImageBox& box, GLenum format, GLenum type, const void* pixels) {
    ImageTarget it;
    if (!image_target(ctx, target, dimensions, &it))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    if (!is_pixel_format(ctx, format)) return ctx.error(GL_INVALID_ENUM, command, "format 0x%04x", format);
    if (!is_pixel_type(ctx, type)) return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x", type);
    std::lock_guard lock(ctx.share->mutex);
    TextureImage* image = check_sub_image(ctx, command, dimensions, target, level, box, &it);
    if (!image) return;
    const bool encoded = image->format->has(format_flag::kEncoded);
    if (image->format->has(format_flag::kCompressed) && !encoded)
        return ctx.error(GL_INVALID_OPERATION, command, "the image is compressed");
    // In OpenGL ES 2.0 `format` must be that of the image. Images of EGLImages may have sized names.
    const Transfer* transfer = find_transfer(ctx, image->internal_format, format, type);
    if (!transfer && !encoded && (ctx.config.version < 30 || image->shared))
        transfer = find_transfer(ctx, image->format->base, format, type);
    if (!transfer && image->shared) transfer = find_shared_transfer(ctx, *image, format, type);
    if (encoded) transfer = find_encoded_transfer(ctx, *image->format, format, type);
    if (!transfer)
        return ctx.error(GL_INVALID_OPERATION, command,
                         "format 0x%04x and type 0x%04x do not go with the image's internal format 0x%04x",
                         format, type, image->internal_format);
    if (encoded && !whole_blocks(*image, box))
        return ctx.error(GL_INVALID_OPERATION, command, "the rectangle does not consist of whole blocks");
    PixelMemory memory;
    Texels texels;
    if (!open_texels(ctx, command, dimensions, *transfer, box.extent(), pixels, &memory, &texels)) return;
    if (texels.data && !write_texels(ctx, *image, box, texels)) ctx.out_of_memory(command);
}

}  // namespace

void define_image(Context& ctx, const char* command, const ImageTarget& it, GLint level, const Extent& size,
                  GLenum internal_format, const InternalFormat& format, const Texels& texels) {
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, it.target);
    before_redefinition(ctx, t);
    NewImage n;
    if (!plan_image(ctx, t, it.face, uint32_t(level), size, format, &n)) return ctx.out_of_memory(command);
    n.image.internal_format = internal_format;
    const ImageBox all{0, 0, 0, GLsizei(size.width), GLsizei(size.height), GLsizei(size.depth)};
    if (texels.data && n.image.resource && !write_encoded(ctx, n.image, all, texels))
        return ctx.out_of_memory(command);
    commit_image(t, it.face, uint32_t(level), std::move(n));
    texture_changed(ctx, t);
}

void TexImage2D(Context& ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                GLint border, GLenum format, GLenum type, const void* pixels) {
    tex_image(ctx, "glTexImage2D", 2, target, level, GLenum(internalformat), width, height, 1, border, format,
              type, pixels);
}

void TexImage3D(Context& ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) {
    tex_image(ctx, "glTexImage3D", 3, target, level, GLenum(internalformat), width, height, depth, border,
              format, type, pixels);
}

void TexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                   GLsizei height, GLenum format, GLenum type, const void* pixels) {
    tex_sub_image(ctx, "glTexSubImage2D", 2, target, level, {xoffset, yoffset, 0, width, height, 1}, format,
                  type, pixels);
}

void TexSubImage3D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                   GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                   const void* pixels) {
    tex_sub_image(ctx, "glTexSubImage3D", 3, target, level, {xoffset, yoffset, zoffset, width, height, depth},
                  format, type, pixels);
}

}  // namespace terrazzo::st
