// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Qualcomm's TILE6_3 tiling (DRM_FORMAT_MOD_QCOM_TILED3; also of the uncompressed blocks of UBWC). An image
// consists of rows of macrotiles. A macrotile is 2x4 tiles of 256 bytes, that is 2 KiB. The number of
// elements in a tile depends on their size.
// - In a tile the bits of an element's index are x0 y0 x1 y1 x2 x3 x4 y2, from the lowest. A tile uses as
//   many bits of x and y as its size needs. R8G8 is an exception: its tile of 16x8 elements is the tile of
//   32x8 bytes whose left half is R and whose right half is G.
// - The order of the tiles in a macrotile mixes the tile's x0, y0 and y1, so that neighbours lie in different
//   memory channels. Elements below 16 bytes mix in higher bits, depending on the chip's macrotile mode.
// - The samples of a pixel are adjacent elements, like columns. For bytes and R8G8 they are one larger
//   element instead.
// - If rows of macrotiles are so long that vertical neighbours would lie in the same bank of the DRAM, bits
//   of y are mixed into the bits near the chip's highest bank bit ("bank swizzle").
//
// Source: Mesa 25.0.7, src/freedreno/fdl/fd6_tiled_memcpy.cc; for samples gallium's fd6_blitter.cc, which
// fills them as columns.
#pragma once

#include "pipe/layout/layout.h"
#include "pipe/layout/macrotile_rule.h"

namespace terrazzo::pipe {

inline constexpr uint32_t kMacrotileTile_B = 256;

/// The size of a tile, in elements of `block_B` bytes (including all samples; a power of two up to 128).
TileShape macrotile_shape(uint32_t block_B, bool split_channels);

/// The addresses of the elements of one macrotiled 2D image, relative to its first byte.
class MacrotileMap {
  public:
    MacrotileMap(uint32_t block_B, uint32_t row_stride_B, const MacrotileParams& params);
    MacrotileMap(const SurfaceLayout& layout, uint32_t level)
        : MacrotileMap(layout.block_B, layout.level[level].row_stride_B, layout.macrotile) {}

    TileShape tile() const { return tile_; }
    /// The first byte of a tile, by its column and row.
    uint64_t tile_offset_B(uint32_t tx, uint32_t ty) const {
        return detail::unit_row(rule_, ty) +
               (detail::unit_x_part(rule_, tx) ^ detail::unit_y_part(rule_, ty));
    }
    /// The first byte of an element. Its other bytes follow, except those of split channels, which are
    /// channel_step_B apart.
    uint64_t element_offset_B(uint32_t x, uint32_t y) const {
        const uint32_t dx = x & (tile_.w_el - 1), dy = y & (tile_.h_el - 1);
        return tile_offset_B(x >> tile_w_log2_, y >> tile_h_log2_) + in_tile_B(dx, dy);
    }
    /// The address of an element relative to its tile.
    uint32_t in_tile_B(uint32_t dx, uint32_t dy) const {
        const uint32_t index =
            (dx & 1) | (dy & 1) << 1 | (dx & 2) << 1 | (dy & 2) << 2 | (dx & 0x1c) << 2 | (dy & 4) << 5;
        return index * element_step_B_;
    }
    uint32_t channel_step_B() const { return split_ ? 64 : 1; }

    const detail::MacrotileRule& rule() const { return rule_; }

  private:
    TileShape tile_;
    uint32_t tile_w_log2_ = 0, tile_h_log2_ = 0;
    uint32_t element_step_B_ = 1;
    bool split_ = false;
    detail::MacrotileRule rule_;
};

namespace detail {

struct RowCopy;
struct KernelSet;

/// Copies with the CPU's best kernels.
void macrotile_tile(const RowCopy& copy);
void macrotile_detile(const RowCopy& copy);

/// The number of elements of a pixel: its samples, or 1 if they form one element.
uint32_t macrotile_columns(Format format, uint32_t samples);

void macrotile_tile(const RowCopy& copy, const KernelSet& kernels);
void macrotile_detile(const RowCopy& copy, const KernelSet& kernels);

}  // namespace detail

}  // namespace terrazzo::pipe
