// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptors of what shaders read and write in place (IBOs): storage buffers, images, images of buffers; and of texture buffers, which are alike.
// The hardware checks each element against the count in the descriptor. All zeros are nothing: loads give zeros, stores are dropped.
#pragma once

#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/images/resource.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

inline constexpr unsigned kStorageDescriptor_dw = hw::TexConst::kSize_dw;
/// Texels of a buffer, at most: GL_MAX_TEXTURE_BUFFER_SIZE.
inline constexpr uint32_t kMaxBufferTexels = 1u << 27;
/// Of a descriptor's address; the rest is a count of elements.
inline constexpr uint64_t kTexelBase_B = 64;

/// How many whole texels of the format the range has, as far as it lies in the buffer.
[[nodiscard]] uint32_t buffer_texels(const AdrenoResource& r, pipe::Format format, uint64_t offset_B,
                                     uint64_t size_B);
/// Elements of the format at `va`, with the format's own channels. Where the element's size does not divide 64, `va` is a multiple of that.
[[nodiscard]] hw::TexConst describe_buffer_texels(pipe::Format format, uint64_t va, uint32_t count);
/// One of OpenGL ES 3.1 table 8.27.
[[nodiscard]] bool is_image_format(pipe::Format format);

/// kStorageDescriptor_dw words: elements are dwords. What lies beyond the buffer is cut off.
void write_storage_buffer(const pipe::BufferRange& range, uint32_t* out);
/// The same of an image; nothing where the view contradicts its resource.
void write_image(const pipe::ImageView& view, uint32_t* out);

}  // namespace terrazzo::adreno
