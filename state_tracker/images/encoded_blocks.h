// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blocks of a compressed image that the device stores decoded. CopyImageSubData copies blocks as bits, and nothing encodes
// texels again, so contexts that have that command keep what the application gave. They are texels of a block's size in a
// resource of their own, TextureImage::blocks, made when it is first written to.
#pragma once

#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {

/// Whether the image is stored decoded and keeps its blocks.
[[nodiscard]] bool keeps_blocks(const Context& ctx, const TextureImage& image);
/// Makes TextureImage::blocks, of zeros, where it is missing. False: out of memory.
[[nodiscard]] bool make_blocks(Context& ctx, TextureImage& image);
/// write_texels(), and the blocks are kept where keeps_blocks(). False: out of memory.
[[nodiscard]] bool write_encoded(Context& ctx, TextureImage& image, const ImageBox& box,
                                 const Texels& texels);
/// Decodes a box of whole blocks anew: the blocks were changed. False: out of memory.
[[nodiscard]] bool decode_blocks(Context& ctx, const TextureImage& image, const ImageBox& box);

}  // namespace terrazzo::st
