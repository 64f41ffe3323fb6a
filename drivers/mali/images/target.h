// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments: how the tile buffer holds a format, where tiles are written, what a clear value looks like,
// and the texture through which pre-frame shaders load what was there.
#pragma once

#include "drivers/mali/device.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/images/texture.h"
#include "pipe/layout/afbc.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// Bytes of a pixel in the tile buffer.
[[nodiscard]] uint32_t tile_buffer_B(pipe::Format f, uint32_t samples);
/// Pixels of a tile that AFBC images can be written from: a superblock.
inline constexpr uint32_t kLeastAfbcTile_px = pipe::kAfbcSuperblock_px * pipe::kAfbcSuperblock_px;
/// How many pixels a tile has (a power of two up to 32x32: FramebufferParameters::effective_tile_size) so
/// that the colours of two fit.
[[nodiscard]] uint32_t choose_tile_px(const hw::Chip& chip, const pipe::RenderPassDesc& pass);

/// All of the descriptor but the clear value and internal_buffer_offset: formats, addresses, strides;
/// write_enable as the attachment's store operation says, clean_pixel_write_enable where it is cleared. `a`
/// has a resource.
[[nodiscard]] hw::RenderTarget render_target(const pipe::Attachment& a);
/// The same of no attachment: nothing is written.
[[nodiscard]] hw::RenderTarget null_render_target();
/// A clear colour in the internal format of the attachment's. `dithered`: with the fraction that dithering
/// takes (RenderTarget::dithered_clear).
void pack_clear_color(pipe::Format f, const pipe::ClearColor& color, uint32_t out[4], bool dithered = false);
/// Depth and stencil: fills the extension's addresses and formats, zs_clean_pixel_write_enable where depth is
/// cleared, and the parameters' z_internal_format. D24S8 is one word a pixel: who stores one of the two must
/// have loaded or cleared the other.
void depth_stencil_target(const pipe::Attachment& a, hw::ZsCrcExtension* ext, hw::FramebufferParameters* fb);
/// The word that BLEND instructions and blend descriptors convert colours with, for shaders that give 32-bit
/// floats (or 16-bit ones: `half`); integers where the format holds such. R5G6B5's has the order RGB1, which
/// the blender wants as RGBA (Mesa 25.0.7, pan_cmdstream.c).
[[nodiscard]] hw::InternalConversion blend_conversion(pipe::Format f, bool half, bool dither);
/// Whether fixed-function blending works in the format (else a blend shader must do it).
[[nodiscard]] bool is_blendable(pipe::Format f);

/// A Texture descriptor (and its plane in pool memory) of one level and layer of an attachment, for load
/// shaders. `stencil`: of a depth-stencil format, the stencil. Throws std::bad_alloc.
void write_load_texture(Pool& pool, const pipe::Attachment& a, bool stencil, uint32_t out[kTexture_dw]);

}  // namespace terrazzo::mali
