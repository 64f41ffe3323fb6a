// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexImage2D, TexSubImage2D and their compressed forms (OpenGL ES 2.0 sections 3.7.1 to 3.7.3).
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/pixel_store.h"
#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {

bool check_new_image(Context& ctx, const char* command, GLenum target, GLint level, GLsizei width,
                     GLsizei height, GLint border, ImageTarget* out) {
    if (!image_target(target, out)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return false;
    }
    const uint32_t max = max_size_px(ctx, out->target);
    if (level < 0 || uint32_t(level) >= full_level_count(max, max)) {
        ctx.error(GL_INVALID_VALUE, command, "level %d; levels are 0 to %u", level,
                  full_level_count(max, max) - 1);
        return false;
    }
    const uint32_t limit = minify(max, uint32_t(level));
    if (width < 0 || height < 0 || uint32_t(width) > limit || uint32_t(height) > limit) {
        ctx.error(GL_INVALID_VALUE, command, "size %d x %d of level %d; at most %u", width, height, level,
                  limit);
        return false;
    }
    if (out->target == TextureTarget::Cube && width != height) {
        ctx.error(GL_INVALID_VALUE, command, "a cube map face of %d x %d is not square", width, height);
        return false;
    }
    if (border != 0) {
        ctx.error(GL_INVALID_VALUE, command, "border %d is not 0", border);
        return false;
    }
    if (bound_texture(ctx, out->target).immutable) {
        ctx.error(GL_INVALID_OPERATION, command, "texture %u has immutable storage",
                  bound_texture(ctx, out->target).name);
        return false;
    }
    return true;
}

TextureImage* check_sub_image(Context& ctx, const char* command, GLenum target, GLint level, GLint xoffset,
                              GLint yoffset, GLsizei width, GLsizei height, ImageTarget* out) {
    if (!image_target(target, out)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return nullptr;
    }
    const uint32_t max = max_size_px(ctx, out->target);
    if (level < 0 || uint32_t(level) >= full_level_count(max, max)) {
        ctx.error(GL_INVALID_VALUE, command, "level %d; levels are 0 to %u", level,
                  full_level_count(max, max) - 1);
        return nullptr;
    }
    if (width < 0 || height < 0 || xoffset < 0 || yoffset < 0) {
        ctx.error(GL_INVALID_VALUE, command, "rectangle %d,%d %d x %d has a negative number", xoffset,
                  yoffset, width, height);
        return nullptr;
    }
    Texture& t = bound_texture(ctx, out->target);
    TextureImage* image = t.image(out->face, uint32_t(level));
    if (!image) {
        ctx.error(GL_INVALID_OPERATION, command, "level %d of texture %u is not defined", level, t.name);
        return nullptr;
    }
    if (int64_t(xoffset) + width > image->width || int64_t(yoffset) + height > image->height) {
        ctx.error(GL_INVALID_VALUE, command, "rectangle %d,%d %d x %d is not inside %u x %u", xoffset,
                  yoffset, width, height, image->width, image->height);
        return nullptr;
    }
    return image;
}

bool write_texels(Context& ctx, const TextureImage& image, int32_t x, int32_t y, uint32_t width,
                  uint32_t height, pipe::Format src_format, const void* src, ptrdiff_t src_stride_B) {
    if (width == 0 || height == 0) return true;
    before_cpu_access(ctx, *image.resource);
    const pipe::ResourceDesc& d = image.resource->desc;
    uint32_t flags = pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange;
    if (width == image.width && height == image.height && d.levels == 1 && d.layers == 1 && d.depth == 1)
        flags |= pipe::map_flag::kDiscardWhole;
    const pipe::Box box{x, y, int32_t(image.layer), int32_t(width), int32_t(height), 1};
    pipe::Mapping m = ctx.pipe->map(*image.resource, image.level, box, flags);
    if (!m.data) return false;
    const bool ok = pipe::convert_rect(image.layout, m.data, m.row_stride_B, src_format, src, src_stride_B,
                                       width, height);
    ctx.pipe->unmap(*image.resource, m);
    return ok;
}

void before_redefinition(Context& ctx, const Texture& t) {
    if (ctx.framebuffer && ctx.framebuffer->holds(&t, nullptr)) {
        end_rendering(ctx);
        ctx.dirty |= dirty::kFramebuffer;
    }
}

namespace {

/// Size in client memory of one compressed level. Sizes are within limits, so that nothing overflows.
uint64_t compressed_size_B(pipe::Format f, uint32_t width, uint32_t height) {
    return pipe::format_row_B(f, width) * pipe::format_block_rows(f, height);
}

/// Defines an image, with texels where `pixels` is given.
void define_image(Context& ctx, const char* command, const ImageTarget& it, GLint level, GLsizei width,
                  GLsizei height, GLenum internal_format, const InternalFormat& format, pipe::Format client,
                  const uint8_t* pixels, uint64_t stride_B) {
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, it.target);
    before_redefinition(ctx, t);
    NewImage n;
    if (!plan_image(ctx, t, it.face, uint32_t(level), uint32_t(width), uint32_t(height), format, &n))
        return ctx.out_of_memory(command);
    n.image.internal_format = internal_format;
    if (pixels && n.image.resource &&
        !write_texels(ctx, n.image, 0, 0, uint32_t(width), uint32_t(height), client, pixels,
                      ptrdiff_t(stride_B)))
        return ctx.out_of_memory(command);
    commit_image(t, it.face, uint32_t(level), std::move(n));
    texture_changed(ctx, t);
}

/// Enums of format and type, then their combination. Null: the error is recorded.
const Transfer* check_transfer(Context& ctx, const char* command, GLenum internal_format, GLenum format,
                               GLenum type) {
    if (!is_pixel_format(format)) {
        ctx.error(GL_INVALID_ENUM, command, "format 0x%04x", format);
        return nullptr;
    }
    if (!is_pixel_type(type)) {
        ctx.error(GL_INVALID_ENUM, command, "type 0x%04x", type);
        return nullptr;
    }
    const Transfer* t = find_transfer(internal_format, format, type);
    // EXT_texture_compression_s3tc: RGB and RGBA of any type become any of its formats.
    const InternalFormat* f = t ? nullptr : find_internal_format(internal_format);
    if (f && f->has(format_flag::kEncoded) && (format == GL_RGB || format == GL_RGBA))
        t = find_transfer(format, format, type);
    if (!t)
        ctx.error(GL_INVALID_OPERATION, command,
                  "internal format 0x%04x does not go with format 0x%04x and type 0x%04x", internal_format,
                  format, type);
    return t;
}

/// Whether a rectangle of an image of compressed blocks begins and ends at blocks or the image's edges.
bool whole_blocks(const TextureImage& image, GLint x, GLint y, GLsizei width, GLsizei height) {
    const pipe::FormatInfo& info = pipe::format_info(image.format->storage);
    return x % info.block_w_px == 0 && y % info.block_h_px == 0 &&
           (width % info.block_w_px == 0 || uint32_t(x + width) == image.width) &&
           (height % info.block_h_px == 0 || uint32_t(y + height) == image.height);
}

}  // namespace

void TexImage2D(Context& ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                GLint border, GLenum format, GLenum type, const void* pixels) {
    static constexpr char kName[] = "glTexImage2D";
    ImageTarget it;
    if (!check_new_image(ctx, kName, target, level, width, height, border, &it)) return;
    // Sized formats are known names (of glRenderbufferStorage), so they only fail to go with `format`.
    if (!is_internal_format(GLenum(internalformat)) && !find_internal_format(GLenum(internalformat)))
        return ctx.error(GL_INVALID_VALUE, kName, "internal format 0x%04x", unsigned(internalformat));
    const Transfer* transfer = check_transfer(ctx, kName, GLenum(internalformat), format, type);
    if (!transfer) return;
    const InternalFormat* named = find_internal_format(GLenum(internalformat));
    const InternalFormat& f =
        named && named->has(format_flag::kEncoded) ? *named : *find_internal_format(transfer->sized);
    if (f.has(format_flag::kOnly2D) && it.target != TextureTarget::Tex2D)
        return ctx.error(GL_INVALID_OPERATION, kName, "depth formats are for TEXTURE_2D alone");
    ClientRect rect;
    if (!client_rect(ctx.state.unpack, pipe::format_info(transfer->client).block_B, uint32_t(width),
                     uint32_t(height), &rect))
        return ctx.error(GL_INVALID_OPERATION, kName, "the unpacked rectangle exceeds the address space");
    const uint8_t* texels = pixels ? static_cast<const uint8_t*>(pixels) + rect.offset_B : nullptr;
    define_image(ctx, kName, it, level, width, height, GLenum(internalformat), f, transfer->client, texels,
                 rect.stride_B);
}

void TexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                   GLsizei height, GLenum format, GLenum type, const void* pixels) {
    static constexpr char kName[] = "glTexSubImage2D";
    ImageTarget it;
    if (!image_target(target, &it)) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    if (!is_pixel_format(format)) return ctx.error(GL_INVALID_ENUM, kName, "format 0x%04x", format);
    if (!is_pixel_type(type)) return ctx.error(GL_INVALID_ENUM, kName, "type 0x%04x", type);
    std::lock_guard lock(ctx.share->mutex);
    TextureImage* image = check_sub_image(ctx, kName, target, level, xoffset, yoffset, width, height, &it);
    if (!image) return;
    const bool encoded = image->format->has(format_flag::kEncoded);
    if (image->format->has(format_flag::kCompressed) && !encoded)
        return ctx.error(GL_INVALID_OPERATION, kName, "the image is compressed");
    // In OpenGL ES 2.0 `format` must be the image's own; images made from EGLImages may have sized names.
    const Transfer* transfer = find_transfer(image->internal_format, format, type);
    if (!transfer && !encoded) transfer = find_transfer(image->format->base, format, type);
    if (encoded && (format == GL_RGB || format == GL_RGBA)) transfer = find_transfer(format, format, type);
    if (!transfer)
        return ctx.error(GL_INVALID_OPERATION, kName,
                         "format 0x%04x and type 0x%04x do not go with the image's internal format 0x%04x",
                         format, type, image->internal_format);
    if (encoded && !whole_blocks(*image, xoffset, yoffset, width, height))
        return ctx.error(GL_INVALID_OPERATION, kName, "the rectangle is not made of whole blocks");
    ClientRect rect;
    if (!client_rect(ctx.state.unpack, pipe::format_info(transfer->client).block_B, uint32_t(width),
                     uint32_t(height), &rect))
        return ctx.error(GL_INVALID_OPERATION, kName, "the unpacked rectangle exceeds the address space");
    if (!pixels || width == 0 || height == 0) return;
    if (!write_texels(ctx, *image, xoffset, yoffset, uint32_t(width), uint32_t(height), transfer->client,
                      static_cast<const uint8_t*>(pixels) + rect.offset_B, ptrdiff_t(rect.stride_B)))
        ctx.out_of_memory(kName);
}

void CompressedTexImage2D(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                          GLsizei height, GLint border, GLsizei imageSize, const void* data) {
    static constexpr char kName[] = "glCompressedTexImage2D";
    ImageTarget it;
    if (!image_target(target, &it)) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    const InternalFormat* f = find_internal_format(internalformat);
    if (!f || !f->has(format_flag::kCompressed))
        return ctx.error(GL_INVALID_ENUM, kName, "internal format 0x%04x", internalformat);
    if (!check_new_image(ctx, kName, target, level, width, height, border, &it)) return;
    const uint64_t size_B = compressed_size_B(f->storage, uint32_t(width), uint32_t(height));
    if (imageSize < 0 || uint64_t(imageSize) != size_B)
        return ctx.error(GL_INVALID_VALUE, kName, "imageSize is %d, and %d x %d texels take %u bytes",
                         imageSize, width, height, unsigned(size_B));
    define_image(ctx, kName, it, level, width, height, internalformat, *f, f->storage,
                 static_cast<const uint8_t*>(data), pipe::format_row_B(f->storage, uint32_t(width)));
}

void CompressedTexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset,
                             GLsizei width, GLsizei height, GLenum format, GLsizei imageSize,
                             const void* data) {
    static constexpr char kName[] = "glCompressedTexSubImage2D";
    ImageTarget it;
    if (!image_target(target, &it)) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    const InternalFormat* f = find_internal_format(format);
    if (!f || !f->has(format_flag::kCompressed))
        return ctx.error(GL_INVALID_ENUM, kName, "format 0x%04x", format);
    std::lock_guard lock(ctx.share->mutex);
    TextureImage* image = check_sub_image(ctx, kName, target, level, xoffset, yoffset, width, height, &it);
    if (!image) return;
    if (image->format != f)
        return ctx.error(GL_INVALID_OPERATION, kName, "the image's internal format is 0x%04x, not 0x%04x",
                         image->internal_format, format);
    const uint64_t size_B = compressed_size_B(f->storage, uint32_t(width), uint32_t(height));
    if (imageSize < 0 || uint64_t(imageSize) != size_B)
        return ctx.error(GL_INVALID_VALUE, kName, "imageSize is %d, and %d x %d texels take %u bytes",
                         imageSize, width, height, unsigned(size_B));
    if (!f->has(format_flag::kSubImage))
        return ctx.error(GL_INVALID_OPERATION, kName, "images of format 0x%04x cannot be changed in part",
                         format);
    if (!whole_blocks(*image, xoffset, yoffset, width, height))
        return ctx.error(GL_INVALID_OPERATION, kName, "the rectangle is not made of whole blocks");
    if (data && !write_texels(ctx, *image, xoffset, yoffset, uint32_t(width), uint32_t(height), f->storage,
                              data, ptrdiff_t(pipe::format_row_B(f->storage, uint32_t(width)))))
        ctx.out_of_memory(kName);
}

}  // namespace terrazzo::st
