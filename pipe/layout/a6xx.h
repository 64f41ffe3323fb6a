// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The places of levels, layers and slices in images of the sixth generation of Adreno: linear or in
// macrotiles (macrotile.h), compressed or not (ubwc.h). The rules are those for the whole image by which the
// hardware computes the places from a few registers:
// - The pitch of a level is half of the previous level's, aligned again.
// - Layers are outermost, each with its whole chain of levels. Slices of a 3D image are innermost. Their size
//   is a quarter of the previous level's, until a level would not fit; then it stays constant (MIN_LAYERSZ).
// - Levels less than 16 pixels wide are linear. Exceptions: depth and stencil, which the hardware never
//   stores linear, and compressed images on chips before the fourth kind (a660).
// - Flags of all levels, layers and slices precede all payloads.
// - Pixels of tiled images have their channels in RGBA order (channel_order.h).
//
// Sources: Mesa 25.0.7, src/freedreno/fdl/fd6_layout.c and freedreno_layout.h; drm_fourcc.h.
#pragma once

#include "pipe/layout/layout.h"
#include "pipe/layout/ubwc.h"
#include "pipe/modifier.h"

namespace terrazzo::pipe {

/// Properties of a chip's memory, from its row in the table of chips. Kernels report the first three
/// (MSM_PARAM_HIGHEST_BANK_BIT, _UBWC_SWIZZLE, _MACROTILE_MODE); Mesa's freedreno_devices.py has them all.
struct A6xxMemory {
    uint8_t highest_bank_bit = 0;  // 12 to 20; chips have 13 to 16
    uint8_t bank_swizzle = 0;      // MacrotileParams
    bool eight_channels = false;
    bool ubwc_linear_levels = false;  // small levels of compressed images are linear
};

struct A6xxLayoutDesc {
    /// Not a buffer. The tiling is Linear or Macrotiled; a small image becomes linear anyway. The layout
    /// chooses the alignments, so they must be 1. If row_stride_B is not 0, the image is imported.
    LayoutDesc image;
    /// Compress if possible: only for Macrotiled; not for small images, mipmapped 3D images, or large
    /// elements. The driver must know whether the format can be compressed.
    bool ubwc = false;
    /// An imported compressed image; it may be small. BadFormat if it cannot be compressed.
    bool ubwc_imported = false;
    bool tile_all_levels = false;
    uint64_t offset_B = 0;  // of an imported image in its memory; included in offsets and size
};

struct A6xxLayout {
    SurfaceLayout surface;
    UbwcLayout ubwc;
    uint32_t base_align_B = 1;  // of the surface in memory
    uint32_t row_align_B = 1;   // of each level's pitch: a power of two, at least 64 (PITCHALIGN)

    /// The largest value of TEX_CONST's MIN_LAYERSZ: four bits of pages.
    static constexpr uint32_t kMostMinSlice_B = 15 << 12;
    /// The value of MIN_LAYERSZ for a 3D image, in bytes. If all slices are larger than the field's maximum,
    /// each is a quarter of the previous level's.
    uint32_t min_slice_B() const {
        const uint64_t last_B = surface.level[surface.levels - 1].slice_stride_B;
        return last_B < kMostMinSlice_B ? uint32_t(last_B) : kMostMinSlice_B;
    }
};

/// Writes `out` only if the result is Ok. BadFormat: the element size is not a power of two.
[[nodiscard]] LayoutStatus a6xx_layout_compute(const A6xxLayoutDesc& desc, const A6xxMemory& memory,
                                               A6xxLayout* out);

/// Sets tiling and compression as a modifier (modifier.h) specifies. False: it is neither linear nor
/// Qualcomm's.
[[nodiscard]] bool a6xx_apply_modifier(uint64_t modifier, A6xxLayoutDesc* desc);
uint64_t a6xx_modifier(const A6xxLayout& layout);

}  // namespace terrazzo::pipe
