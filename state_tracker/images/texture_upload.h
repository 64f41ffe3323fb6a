// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Checks that the image specification commands share, and writes of client texels to images.
#pragma once

#include "state_tracker/images/pixel_store.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

/// The box of a *SubImage command.
struct ImageBox {
    GLint x = 0, y = 0, z = 0;
    GLsizei width = 0, height = 0, depth = 1;
    [[nodiscard]] Extent extent() const { return {uint32_t(width), uint32_t(height), uint32_t(depth)}; }
};

/// Checks target (of commands of 2 or 3 dimensions), level, size and border by the rules of TexImage2D,
/// TexImage3D, CompressedTexImage* and CopyTexImage2D. False: the error is recorded.
[[nodiscard]] bool check_new_image(Context& ctx, const char* command, unsigned dimensions, GLenum target,
                                   GLint level, GLsizei width, GLsizei height, GLsizei depth, GLint border,
                                   ImageTarget* out);
/// The checks of the *SubImage* commands: the image must be defined and contain the box. Null: the error is
/// recorded.
[[nodiscard]] TextureImage* check_sub_image(Context& ctx, const char* command, unsigned dimensions,
                                            GLenum target, GLint level, const ImageBox& box,
                                            ImageTarget* out);
/// Whether the texels' memory may be written; imported memory may be read-only. Each command that writes
/// texels of an existing image calls this (*SubImage commands through check_sub_image). Draws do not: a
/// framebuffer with such an image is incomplete. False: GL_INVALID_OPERATION is recorded.
[[nodiscard]] bool check_writable(Context& ctx, const char* command, const pipe::Resource* resource);
/// Whether a texture of this target may have the format. False: the error is recorded.
[[nodiscard]] bool check_format_target(Context& ctx, const char* command, const InternalFormat& f,
                                       TextureTarget target);

/// Texels in client memory: images of rows of `format`.
struct Texels {
    pipe::Format format = pipe::Format::None;
    const uint8_t* data = nullptr;  // may be unaligned
    uint64_t stride_B = 0, image_stride_B = 0;
};
/// Writes texels into a box of an image in one pass, which converts (or copies) each row to its final place.
/// Call outside render passes. False: out of memory; nothing was written.
[[nodiscard]] bool write_texels(Context& ctx, const TextureImage& image, const ImageBox& box,
                                const Texels& texels);
/// Defines an image, with texels if `texels.data` is not null.
void define_image(Context& ctx, const char* command, const ImageTarget& it, GLint level, const Extent& size,
                  GLenum internal_format, const InternalFormat& format, const Texels& texels);
/// Whether the edges of a box in a compressed image are edges of blocks or of the image.
[[nodiscard]] bool whole_blocks(const TextureImage& image, const ImageBox& box);
/// Ends the pass that draws to the texture. Call before its images are redefined.
void before_redefinition(Context& ctx, const Texture& t);

}  // namespace terrazzo::st
