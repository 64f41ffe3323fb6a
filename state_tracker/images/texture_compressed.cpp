// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CompressedTexImage2D, CompressedTexImage3D and their SubImage variants (OpenGL ES 2.0 section 3.7.3, ES 3.0
// section 3.8.6). Pixel store parameters do not apply to them, but a pixel buffer does.
#include "state_tracker/images/encoded_blocks.h"

namespace terrazzo::st {

namespace {

/// The layout of a box of compressed texels in client memory. The sizes are within limits, so nothing
/// overflows.
struct Blocks {
    uint64_t row_B, image_B, size_B;
};
Blocks blocks_of(pipe::Format f, const Extent& e) {
    const uint64_t row_B = pipe::format_row_B(f, e.width);
    const uint64_t image_B = row_B * pipe::format_block_rows(f, e.height);
    return {row_B, image_B, image_B * e.depth};
}

/// Checks imageSize, and opens the memory of `data`. False: the error is recorded.
bool open_blocks(Context& ctx, const char* command, const InternalFormat& f, const Extent& e, GLsizei size_B,
                 const void* data, PixelMemory* memory, Texels* out) {
    const Blocks b = blocks_of(f.storage, e);
    if (size_B < 0 || uint64_t(size_B) != b.size_B) {
        ctx.error(GL_INVALID_VALUE, command, "imageSize is %d, and %u x %u x %u texels take %llu bytes",
                  size_B, e.width, e.height, e.depth, static_cast<unsigned long long>(b.size_B));
        return false;
    }
    if (!memory->open(ctx, command, PixelMemory::Direction::Unpack, data, b.size_B, 1)) return false;
    *out = {f.storage, memory->data(), b.row_B, b.image_B};
    return true;
}

void compressed_image(Context& ctx, const char* command, unsigned dimensions, GLenum target, GLint level,
                      GLenum internal_format, GLsizei width, GLsizei height, GLsizei depth, GLint border,
                      GLsizei size_B, const void* data) {
    ImageTarget it;
    if (!image_target(ctx, target, dimensions, &it))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    const InternalFormat* f = find_internal_format(ctx, internal_format);
    if (!f || !f->has(format_flag::kCompressed))
        return ctx.error(GL_INVALID_ENUM, command, "internal format 0x%04x", internal_format);
    if (!check_new_image(ctx, command, dimensions, target, level, width, height, depth, border, &it)) return;
    if (!check_format_target(ctx, command, *f, it.target)) return;
    const Extent size{uint32_t(width), uint32_t(height), uint32_t(depth)};
    PixelMemory memory;
    Texels texels;
    if (!open_blocks(ctx, command, *f, size, size_B, data, &memory, &texels)) return;
    define_image(ctx, command, it, level, size, internal_format, *f, texels);
}

void compressed_sub_image(Context& ctx, const char* command, unsigned dimensions, GLenum target, GLint level,
                          const ImageBox& box, GLenum format, GLsizei size_B, const void* data) {
    ImageTarget it;
    if (!image_target(ctx, target, dimensions, &it))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    const InternalFormat* f = find_internal_format(ctx, format);
    if (!f || !f->has(format_flag::kCompressed)) {
        // The format is known, but not the image's (OpenGL ES 3.2 section 8.7).
        const bool known = ctx.config.version >= 30 && is_internal_format(ctx, format);
        return ctx.error(known ? GL_INVALID_OPERATION : GL_INVALID_ENUM, command,
                         "format 0x%04x is not compressed", format);
    }
    if (!check_format_target(ctx, command, *f, it.target)) return;
    std::lock_guard lock(ctx.share->mutex);
    TextureImage* image = check_sub_image(ctx, command, dimensions, target, level, box, &it);
    if (!image) return;
    if (image->format != f)
        return ctx.error(GL_INVALID_OPERATION, command, "the image's internal format is 0x%04x, not 0x%04x",
                         image->internal_format, format);
    PixelMemory memory;
    Texels texels;
    if (!open_blocks(ctx, command, *f, box.extent(), size_B, data, &memory, &texels)) return;
    if (!f->has(format_flag::kSubImage))
        return ctx.error(GL_INVALID_OPERATION, command, "images of format 0x%04x cannot be changed in part",
                         format);
    if (!whole_blocks(*image, box))
        return ctx.error(GL_INVALID_OPERATION, command, "the rectangle does not consist of whole blocks");
    if (texels.data && !write_encoded(ctx, *image, box, texels)) ctx.out_of_memory(command);
}

}  // namespace

bool whole_blocks(const TextureImage& image, const ImageBox& b) {
    const pipe::FormatInfo& info = pipe::format_info(image.format->storage);
    return b.x % info.block_w_px == 0 && b.y % info.block_h_px == 0 &&
           (b.width % info.block_w_px == 0 || uint32_t(b.x + b.width) == image.width) &&
           (b.height % info.block_h_px == 0 || uint32_t(b.y + b.height) == image.height);
}

void CompressedTexImage2D(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                          GLsizei height, GLint border, GLsizei imageSize, const void* data) {
    compressed_image(ctx, "glCompressedTexImage2D", 2, target, level, internalformat, width, height, 1,
                     border, imageSize, data);
}

void CompressedTexImage3D(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                          GLsizei height, GLsizei depth, GLint border, GLsizei imageSize, const void* data) {
    compressed_image(ctx, "glCompressedTexImage3D", 3, target, level, internalformat, width, height, depth,
                     border, imageSize, data);
}

void CompressedTexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset,
                             GLsizei width, GLsizei height, GLenum format, GLsizei imageSize,
                             const void* data) {
    compressed_sub_image(ctx, "glCompressedTexSubImage2D", 2, target, level,
                         {xoffset, yoffset, 0, width, height, 1}, format, imageSize, data);
}

void CompressedTexSubImage3D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset,
                             GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format,
                             GLsizei imageSize, const void* data) {
    compressed_sub_image(ctx, "glCompressedTexSubImage3D", 3, target, level,
                         {xoffset, yoffset, zoffset, width, height, depth}, format, imageSize, data);
}

}  // namespace terrazzo::st
