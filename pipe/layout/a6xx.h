// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the levels, layers and slices of an image are that an Adreno of the sixth generation reads or draws:
// linear or in macrotiles (macrotile.h), compressed or not (ubwc.h). The pieces are placed by rules for the
// whole image, as the hardware computes them from few registers:
// - Pitches of all levels follow from that of level 0, halved and aligned again.
// - Layers are outermost, each with its whole chain of levels. Slices of a 3D image are innermost; their size
//   shrinks to a quarter from level to level until a level would not fit, and then stays (MIN_LAYERSZ).
// - Levels less than 16 pixels wide are linear. Depth and stencil, which the hardware never has linear, are
//   not; nor are those of a compressed image on chips before the fourth kind (a660).
// - Flags of all levels, layers and slices come first.
// - Pixels of tiled images have their channels in RGBA order (channel_order.h).
// Sources: Mesa 25.0.7, src/freedreno/fdl/fd6_layout.c and freedreno_layout.h; drm_fourcc.h.
#pragma once

#include "pipe/layout/layout.h"
#include "pipe/layout/ubwc.h"
#include "pipe/modifier.h"

namespace terrazzo::pipe {

/// How a chip's memory is made: a part of its row in the table of chips. Kernels tell the first three
/// (MSM_PARAM_HIGHEST_BANK_BIT, _UBWC_SWIZZLE, _MACROTILE_MODE); Mesa's freedreno_devices.py has them all.
struct A6xxMemory {
    uint8_t highest_bank_bit = 0;  // 12 to 20; chips have 13 to 16
    uint8_t bank_swizzle = 0;      // MacrotileParams
    bool eight_channels = false;
    bool ubwc_linear_levels = false;  // small levels of compressed images are linear
};

struct A6xxLayoutDesc {
    /// Not a buffer. Tiling Linear or Macrotiled; a small image becomes linear all the same. Alignments are
    /// the layout's own: they stay 1. row_stride_B not 0 says that the image is imported.
    LayoutDesc image;
    /// Compress if it can be. Not if it is small, a mipmapped 3D image, or has large elements; whether its
    /// format can is for the driver to know. Macrotiled only.
    bool ubwc = false;
    /// An imported image that is compressed: BadFormat where it cannot be. Smaller ones can, too.
    bool ubwc_imported = false;
    bool tile_all_levels = false;
    uint64_t offset_B = 0;  // of an imported image in its memory; counted in offsets and size
};

struct A6xxLayout {
    SurfaceLayout surface;
    UbwcLayout ubwc;
    uint32_t base_align_B = 1;  // of the surface in memory
    uint32_t row_align_B = 1;   // of each level's pitch, a power of two from 64 (PITCHALIGN)

    /// What TEX_CONST's MIN_LAYERSZ wants of a 3D image, bytes.
    uint64_t min_slice_B() const { return surface.level[surface.levels - 1].slice_stride_B; }
};

/// Writes `out` only when Ok. BadFormat for elements whose size is no power of two.
[[nodiscard]] LayoutStatus a6xx_layout_compute(const A6xxLayoutDesc& desc, const A6xxMemory& memory,
                                               A6xxLayout* out);

/// What a modifier (modifier.h) asks for: sets tiling and compression. False for one that is not linear or Qualcomm's.
[[nodiscard]] bool a6xx_apply_modifier(uint64_t modifier, A6xxLayoutDesc* desc);
uint64_t a6xx_modifier(const A6xxLayout& layout);

}  // namespace terrazzo::pipe
