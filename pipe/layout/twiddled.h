// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Apple's twiddling (DRM_FORMAT_MOD_APPLE_GPU_TILED). A level consists of rows of tiles, whose sides are
// powers of two. In a tile the bits of an element's index are x0 y0 x1 y1 x2 y2 ..., from the lowest (Morton
// order); a tile is square, or twice as wide as high, so that its last bit is one of x. An element is a pixel
// with all its samples, which are adjacent, or a block of a compressed format. agx.h has the sizes of tiles.
//
// Source: Mesa 25.0.7, src/asahi/layout (tiling.cc and its tests).
#pragma once

#include "pipe/layout/layout.h"
#include "pipe/layout/twiddled_rule.h"

namespace terrazzo::pipe {

/// The addresses of the elements of one twiddled 2D image, relative to its first byte.
class TwiddledMap {
  public:
    TwiddledMap(uint32_t block_B, uint32_t row_stride_B, TileLog2 tile);
    TwiddledMap(const SurfaceLayout& layout, uint32_t level)
        : TwiddledMap(layout.block_B, layout.level[level].row_stride_B, layout.level[level].tile) {}

    uint64_t element_offset_B(uint32_t x, uint32_t y) const {
        return offset_B(x / unit_.w_el, y / unit_.h_el) + inside_B(x % unit_.w_el, y % unit_.h_el);
    }

    // Units as tile_copy.h needs them: 256 bytes, or a tile if that is too small for a unit.
    TileShape shape() const { return unit_; }
    bool has_units() const { return has_units_; }
    uint64_t offset_B(uint32_t ux, uint32_t uy) const {
        return detail::unit_row(rule_, uy) +
               (detail::unit_x_part(rule_, ux) ^ detail::unit_y_part(rule_, uy));
    }
    uint32_t inside_B(uint32_t dx, uint32_t dy) const {
        const uint32_t index = (dx & 1) | (dy & 1) << 1 | (dx & 2) << 1 | (dy & 2) << 2 | (dx & 4) << 2 |
                               (dy & 4) << 3 | (dx & 8) << 3 | (dx & 16) << 4;
        return index * block_B_;
    }
    static constexpr uint32_t channel_step_B() { return 1; }
    const detail::TwiddledRule& rule() const { return rule_; }

  private:
    uint32_t block_B_;
    TileShape unit_;
    bool has_units_;
    detail::TwiddledRule rule_;
};

namespace detail {

struct RowCopy;
struct KernelSet;

/// Copies with the CPU's best kernels.
void twiddled_tile(const RowCopy& copy);
void twiddled_detile(const RowCopy& copy);

void twiddled_tile(const RowCopy& copy, const KernelSet& kernels);
void twiddled_detile(const RowCopy& copy, const KernelSet& kernels);

}  // namespace detail

}  // namespace terrazzo::pipe
