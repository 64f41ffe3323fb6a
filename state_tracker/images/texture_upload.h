// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Checks that the image specification commands share, and writing client texels into images.
#pragma once

#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

/// Target, level, size and border by the rules of TexImage2D, CompressedTexImage2D and CopyTexImage2D.
/// Records the error and returns false where one is broken.
[[nodiscard]] bool check_new_image(Context& ctx, const char* command, GLenum target, GLint level,
                                   GLsizei width, GLsizei height, GLint border, ImageTarget* out);
/// The same for the *SubImage2D commands: the image must be defined and hold the rectangle.
[[nodiscard]] TextureImage* check_sub_image(Context& ctx, const char* command, GLenum target, GLint level,
                                            GLint xoffset, GLint yoffset, GLsizei width, GLsizei height,
                                            ImageTarget* out);

/// Writes w x h texels of client memory into an image at (x, y). `src` may be unaligned. Outside render
/// passes. False: out of memory; nothing was written.
[[nodiscard]] bool write_texels(Context& ctx, const TextureImage& image, int32_t x, int32_t y, uint32_t width,
                                uint32_t height, pipe::Format src_format, const void* src,
                                ptrdiff_t src_stride_B);
/// Ends the pass that draws into the texture: before its images are defined anew.
void before_redefinition(Context& ctx, const Texture& t);

}  // namespace terrazzo::st
