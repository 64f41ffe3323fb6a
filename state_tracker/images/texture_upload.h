// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Checks that the image specification commands share, and writing client texels into images.
#pragma once

#include "state_tracker/images/pixel_store.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

/// The box that a *SubImage command names.
struct ImageBox {
    GLint x = 0, y = 0, z = 0;
    GLsizei width = 0, height = 0, depth = 1;
    [[nodiscard]] Extent extent() const { return {uint32_t(width), uint32_t(height), uint32_t(depth)}; }
};

/// Target (of commands of 2 or 3 dimensions), level, size and border by the rules of TexImage2D, TexImage3D,
/// CompressedTexImage* and CopyTexImage2D. Records the error and returns false where one is broken.
[[nodiscard]] bool check_new_image(Context& ctx, const char* command, unsigned dimensions, GLenum target,
                                   GLint level, GLsizei width, GLsizei height, GLsizei depth, GLint border,
                                   ImageTarget* out);
/// The same for the *SubImage* commands: the image must be defined and hold the box.
[[nodiscard]] TextureImage* check_sub_image(Context& ctx, const char* command, unsigned dimensions,
                                            GLenum target, GLint level, const ImageBox& box,
                                            ImageTarget* out);
/// Whether texels may be written there: not into memory of others that may only be read. Every command that writes the texels of an
/// existing image asks here (the *SubImage commands by check_sub_image), but for those that draw: a framebuffer with such
/// an image is incomplete. False: GL_INVALID_OPERATION is recorded.
[[nodiscard]] bool check_writable(Context& ctx, const char* command, const pipe::Resource* resource);
/// Whether a format may be that of a texture of this target. False: the error is recorded.
[[nodiscard]] bool check_format_target(Context& ctx, const char* command, const InternalFormat& f,
                                       TextureTarget target);

/// Texels in client memory: rows of `format`, a stride apart, and images of rows.
struct Texels {
    pipe::Format format = pipe::Format::None;
    const uint8_t* data = nullptr;  // may be unaligned
    uint64_t stride_B = 0, image_stride_B = 0;
};
/// Writes texels into a box of an image, in one pass: rows are converted (or copied) from where they are to where they
/// will lie. Outside render passes. False: out of memory; nothing was written.
[[nodiscard]] bool write_texels(Context& ctx, const TextureImage& image, const ImageBox& box,
                                const Texels& texels);
/// Defines an image, with texels where `texels.data` is not null.
void define_image(Context& ctx, const char* command, const ImageTarget& it, GLint level, const Extent& size,
                  GLenum internal_format, const InternalFormat& format, const Texels& texels);
/// Whether a box of an image of compressed blocks begins and ends at blocks or the image's edges.
[[nodiscard]] bool whole_blocks(const TextureImage& image, const ImageBox& box);
/// Ends the pass that draws into the texture: before its images are defined anew.
void before_redefinition(Context& ctx, const Texture& t);

}  // namespace terrazzo::st
