// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The places of levels, layers and samples in images of Apple's AGX (G13): linear or twiddled (twiddled.h),
// compressed or not. Descriptors have only the image's address, size, samples and number of levels, one bit
// for the alignment of layers, and the address of the metadata. The hardware computes all else by these
// rules:
// - Layers are outermost, each with its whole chain of levels. The slices of a 3D image are placed like
// layers, each with a chain, although its smaller levels have fewer slices.
// - An image with several levels has memory for all that its size allows.
// - A level that is at least one large tile (16 KiB, a page) wide and high consists of large tiles. The chain
// continues with levels whose sides are rounded up to powers of two; their tiles are squares as large as the
// level's shorter side. Each level begins at a multiple of 128 bytes.
// - Layers with several levels, of more than a page, are aligned to pages.
// - The metadata of all layers follow all pixels.
//
// Sources: Mesa 25.0.7, src/asahi/layout (layout.h, layout.c, and its tests' tables, which were dumped from
// Metal), src/asahi/genxml/cmdbuf.xml (TEXTURE, PBE), src/asahi/libagx/compression.cl,
// docs/drivers/asahi.rst; Linux 6.16, drm_fourcc.h.
#pragma once

#include "pipe/layout/layout.h"

namespace terrazzo::pipe {

inline constexpr uint32_t kAgxPage_B = 16384;
inline constexpr uint32_t kAgxLine_B = 128;  // alignment of images, levels and layers
/// Fields of 14 bits. Depth and layers: those of the linear layout have 11 bits.
inline constexpr uint32_t kAgxMaxSize_px = 16384, kAgxMaxLayers = 2048;
/// Linear images: each row begins at a multiple of the first; PBE's field of 21 bits limits the stride.
inline constexpr uint32_t kAgxStrideAlign_B = 16, kAgxMaxStride_B = 1 << 21;
/// Mesa's driver refuses larger images.
inline constexpr uint64_t kMaxAgxSurface_B = (uint64_t(1) << 32) - 1;

struct AgxLayoutDesc {
    /// The tiling is Linear (buffers, and 2D images and arrays with one level and one sample, of uncompressed
    /// colour formats) or Twiddled (images of formats whose block is a power of two). The layout chooses
    /// alignments, so they must be 1. row_stride_B: of a linear image any stride that the hardware allows; of
    /// a twiddled image with one level and one layer, which has no stride, the bytes of its row, as
    /// drm_fourcc.h demands.
    LayoutDesc image;
    /// With metadata: Twiddled only, and only if agx_can_compress().
    bool compressed = false;
    /// Twiddled only: aligns layers to pages in any case. Shaders' image stores need that, and PBE and ZLS
    /// need it if the image has several layers.
    bool page_aligned_layers = false;
};

struct AgxLayout {
    SurfaceLayout surface;
    bool page_aligned_layers = false;  // descriptors have this bit
    /// The number of compressed levels; the smaller ones are not. 0: the image is not compressed.
    uint32_t compressed_levels = 0;
    uint64_t metadata_offset_B = 0;              // of layer 0, from the surface's start
    uint64_t metadata_layer_stride_B = 0;        // between layers or slices
    uint64_t metadata_level_B[kMaxLevels] = {};  // of the level, in its layer's metadata

    /// The number of columns and rows of metadata tiles, of 16x16 samples each.
    uint32_t metadata_columns(uint32_t l) const;
    uint32_t metadata_rows(uint32_t l) const;
    /// The 8 bytes of a metadata tile: one mode for each 8x4 samples.
    uint64_t metadata_at_B(uint32_t l, uint32_t z, uint32_t column, uint32_t row) const;
};

/// A level's size in samples: those of a pixel are adjacent, 1x2 or 2x2 of them.
constexpr uint32_t agx_width_sa(uint32_t width_px, uint32_t samples) {
    return width_px << (samples == 4);
}
constexpr uint32_t agx_height_sa(uint32_t height_px, uint32_t samples) {
    return height_px << (samples >= 2);
}

/// Whether an image of this size can have metadata. (Whether PBE or ZLS can write the format, which
/// compression needs, is in the driver's table of formats.)
bool agx_can_compress(Format format, uint32_t width_px, uint32_t height_px, uint32_t samples);
/// The mode of 8x4 uncompressed samples. Their payload is that of an uncompressed image.
uint8_t agx_uncompressed_mode(Format format);
/// The mode of 8x4 samples of one colour.
inline constexpr uint8_t kAgxSolidMode = 3;

/// Writes `out` only if the result is Ok.
[[nodiscard]] LayoutStatus agx_layout_compute(const AgxLayoutDesc& desc, AgxLayout* out);

/// Sets tiling and compression as a modifier (modifier.h) specifies. False: it is neither linear nor Apple's.
[[nodiscard]] bool agx_apply_modifier(uint64_t modifier, AgxLayoutDesc* desc);
uint64_t agx_modifier(const AgxLayout& layout);

}  // namespace terrazzo::pipe
