// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arm's U-interleaved tiling (DRM_FORMAT_MOD_ARM_16X16_BLOCK_U_INTERLEAVED): tiles of 16x16 elements (4x4 for
// block-compressed formats) are stored row by row. The index of an element in a tile has two bits for each
// bit i of x and y, from the lowest: x_i xor y_i, then y_i. So a pair of pixels, a quad, a 4x4 block and so
// on are contiguous, and the order of neighbours alternates (boustrophedon). Source: Mesa 25.0.7,
// src/panfrost/shared/pan_tiling.c. Internal to pipe/layout.
#pragma once

#include "pipe/layout/linear.h"

namespace terrazzo::pipe::detail {

/// Elements along the side of a tile.
uint32_t interleaved_tile_el(Format format);
/// Sets the strides; a row is a row of tiles.
LayoutStatus place_interleaved_level(const LayoutDesc& desc, uint32_t level, uint32_t block_B,
                                     LevelLayout* out);
/// Copies with the CPU's best kernels.
void interleaved_tile(const RowCopy& copy);
void interleaved_detile(const RowCopy& copy);

struct InterleavedKernels;
const InterleavedKernels& interleaved_kernels();
void interleaved_tile(const RowCopy& copy, const InterleavedKernels& kernels);
void interleaved_detile(const RowCopy& copy, const InterleavedKernels& kernels);

}  // namespace terrazzo::pipe::detail
