// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptors (IBOs) of what shaders read and write in memory: storage buffers, images, images of buffers.
// Texture buffers have similar ones. The hardware checks each index against the descriptor's size. In a
// descriptor of zeros nothing is in bounds: loads return zeros, stores are dropped.
#pragma once

#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/images/resource.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

inline constexpr unsigned kStorageDescriptor_dw = hw::TexConst::kSize_dw;
/// The most texels of a buffer: GL_MAX_TEXTURE_BUFFER_SIZE.
inline constexpr uint32_t kMaxBufferTexels = 1u << 27;
/// The alignment of the address in a descriptor; the rest of an address is a number of elements.
inline constexpr uint64_t kTexelBase_B = 64;

inline void set_swizzle(hw::TexConst* t, hw::TexSwiz x, hw::TexSwiz y, hw::TexSwiz z, hw::TexSwiz w) {
    t->swiz_x = x;
    t->swiz_y = y;
    t->swiz_z = z;
    t->swiz_w = w;
}
/// Sets the swizzle that does not change the format's channels.
inline void set_own_channels(hw::TexConst* t) {
    using enum hw::TexSwiz;
    set_swizzle(t, A6XX_TEX_X, A6XX_TEX_Y, A6XX_TEX_Z, A6XX_TEX_W);
}

/// Describes elements at `va`, with the format's own channels. If the element's size does not divide 64, `va`
/// must be a multiple of 64.
[[nodiscard]] hw::TexConst describe_buffer_texels(pipe::Format format, uint64_t va, uint32_t count);

/// Writes kStorageDescriptor_dw words. The elements are dwords. The range is clipped to the buffer.
void write_storage_buffer(const pipe::BufferRange& range, uint32_t* out);
/// As write_storage_buffer(), for an image. Writes zeros if the view does not match its resource.
void write_image(const pipe::ImageView& view, uint32_t* out);

}  // namespace terrazzo::adreno
