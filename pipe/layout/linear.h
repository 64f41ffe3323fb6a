// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The linear tiling, and the parameters of every tiling's copies. Internal to pipe/layout.
#pragma once

#include "pipe/layout/layout.h"

namespace terrazzo::pipe::detail {

/// A rectangle of blocks ("elements") of one 2D image, and the linear rows that it is copied from or to.
struct RowCopy {
    uint8_t* surface = nullptr;  // first byte of the image
    uint32_t surface_stride_B = 0;
    uint8_t* rows = nullptr;
    ptrdiff_t rows_stride_B = 0;
    uint32_t block_B = 0;
    uint32_t tile_el = 1;       // Interleaved: elements along a tile's side
    MacrotileParams macrotile;  // Macrotiled
    TileLog2 tile;              // Twiddled
    uint32_t x_el = 0, y_el = 0, w_el = 0, h_el = 0;
};

/// The checks for every tiling: sizes, levels, formats and alignments must be valid.
LayoutStatus check_layout_desc(const LayoutDesc& desc);
/// Describes the surface, except its levels, strides and size.
SurfaceLayout describe_surface(const LayoutDesc& desc);
/// The size and the number of rows of a level.
LevelLayout describe_level(const LayoutDesc& desc, uint32_t level);

/// Sets row and slice strides; width, height and rows must be set.
LayoutStatus place_linear_level(const LayoutDesc& desc, uint32_t level, uint32_t block_B, LevelLayout* out);
void linear_tile(const RowCopy& copy);
void linear_detile(const RowCopy& copy);

}  // namespace terrazzo::pipe::detail
