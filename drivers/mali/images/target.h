// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments: the tile buffer's format, the memory that tiles are written to, the encoding of clear values,
// and the texture with which pre-frame shaders load earlier contents.
#pragma once

#include "drivers/mali/device.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/images/texture.h"
#include "pipe/layout/afbc.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// Bytes of a pixel in the tile buffer.
[[nodiscard]] uint32_t tile_buffer_B(pipe::Format f, uint32_t samples);
/// The smallest tile, in pixels, from which an AFBC image can be written: one superblock.
inline constexpr uint32_t kLeastAfbcTile_px = pipe::kAfbcSuperblock_px * pipe::kAfbcSuperblock_px;
/// The samples of a pixel in the pass.
[[nodiscard]] uint32_t pass_samples(const pipe::RenderPassDesc& pass);
[[nodiscard]] hw::SamplePattern sample_pattern(uint32_t samples);
/// The pixels of a tile: a power of two of at most 32x32 (FramebufferParameters::effective_tile_size), so
/// that the colours of two tiles fit into the tile buffer.
[[nodiscard]] uint32_t choose_tile_px(const hw::Chip& chip, const pipe::RenderPassDesc& pass);

/// Fills the descriptor except the clear value and internal_buffer_offset: formats, addresses, strides,
/// write_enable from the store operation, and clean_pixel_write_enable if the load operation is a clear. `a`
/// must have a resource. `samples`: of the pass; an image with one sample gets their mean.
[[nodiscard]] hw::RenderTarget render_target(const pipe::Attachment& a, uint32_t samples);
/// A target without attachment: nothing is written.
[[nodiscard]] hw::RenderTarget null_render_target();
/// Encodes a clear colour in the tile buffer's format for the attachment. `dithered`: with the fraction bits
/// that dithering uses (RenderTarget::dithered_clear).
void pack_clear_color(pipe::Format f, const pipe::ClearColor& color, uint32_t out[4], bool dithered = false);
/// Fills the extension's addresses and formats of depth and stencil, zs_clean_pixel_write_enable if depth is
/// cleared, and the parameters' z_internal_format. The parameters' sample_count must be set. A pixel of D24S8
/// is one word: a pass that stores depth or stencil must have loaded or cleared the other one.
void depth_stencil_target(const pipe::Attachment& a, hw::ZsCrcExtension* ext, hw::FramebufferParameters* fb);
/// The word with which BLEND instructions and blend descriptors convert colours. The shader writes floats of
/// 32 bits (`half`: 16 bits), or integers for integer formats. For R5G6B5 the channel order is RGB1. Mesa
/// replaces it by RGBA in fixed-function blend descriptors, since the blender does not support RGB1 (Mesa
/// 25.0.7, pan_cmdstream.c); this function does not.
[[nodiscard]] hw::InternalConversion blend_conversion(pipe::Format f, bool half, bool dither);
/// Whether fixed-function blending supports the format, and write-back computes means of its samples.
/// Otherwise a blend shader is needed, and the hardware does not know what is in a pixel.
[[nodiscard]] bool is_blendable(pipe::Format f);

/// Writes a Texture descriptor of one level and layer of an attachment, for load shaders. Its plane is in
/// pool memory. `stencil`: reads the stencil of a depth-stencil format. Throws std::bad_alloc.
void write_load_texture(Pool& pool, const pipe::Attachment& a, bool stencil, uint32_t out[kTexture_dw]);

}  // namespace terrazzo::mali
