// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blocks of a compressed image that the device stores decoded. CopyImageSubData copies blocks bit by bit,
// and texels cannot be encoded again, so contexts with that command keep the blocks that the application
// passed. They are the texels of a separate resource, TextureImage::blocks, which is created at the first
// write.
#pragma once

#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {

/// Whether the image is stored decoded and keeps its blocks.
[[nodiscard]] bool keeps_blocks(const Context& ctx, const TextureImage& image);
/// Creates TextureImage::blocks, filled with zeros, if it is missing. False: out of memory.
[[nodiscard]] bool make_blocks(Context& ctx, TextureImage& image);
/// write_texels(), which also keeps the blocks if keeps_blocks(). False: out of memory.
[[nodiscard]] bool write_encoded(Context& ctx, TextureImage& image, const ImageBox& box,
                                 const Texels& texels);
/// Decodes a box of whole blocks again, after a change of the blocks. False: out of memory.
[[nodiscard]] bool decode_blocks(Context& ctx, const TextureImage& image, const ImageBox& box);

}  // namespace terrazzo::st
