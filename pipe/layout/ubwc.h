// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Qualcomm's Universal Bandwidth Compression: the places and the meaning of a surface's flags. An image is
// divided into blocks, each a contiguous part of a tile (macrotile.h). A flag is one byte per block: the
// state of its payload, which has the place of the uncompressed block. The flags of all levels and layers
// precede all payloads. a6xx.h lays both out.
//
// The contents of the hardware's flags and payloads are not public. Three facts are known. Drivers may not
// leave flags undefined: freedreno fills them with zeros when it allocates (freedreno_resource.c,
// fd6_clear_ubwc). Blocks of all zeros and of all ones are special, depending on the format: UNORM and SNORM
// may not be mixed (fd6_resource.cc). A raw block has the order of an uncompressed tile
// (fd6_tiled_memcpy.cc). Everything else is our own definition, only in this file: the virtual GPU writes it,
// the CPU's copies read it. Sources: Mesa 25.0.7, src/freedreno/fdl/fd6_layout.c and the files above.
#pragma once

#include "pipe/layout/layout.h"

namespace terrazzo::pipe {

struct A6xxLayout;

/// The flags that our virtual GPU writes. Any other value is an error of its writer.
enum class UbwcFlag : uint8_t {
    Clear = 0,  // every byte of the block is 0, whatever its payload is, as in zeroed memory
    Solid = 1,  // every element equals the first one of the payload: a fast clear
    Raw = 2,    // the payload is the uncompressed block
};

struct UbwcBlockShape {
    uint32_t w_px = 0, h_px = 0;
};
/// The block for elements of `block_B` bytes (including all samples); zero without compression.
UbwcBlockShape ubwc_block_shape(uint32_t block_B, uint32_t samples, bool split_channels);

struct UbwcLevel {
    uint64_t offset_B = 0;      // of the first flag of layer or slice 0, from the surface's start
    uint32_t row_stride_B = 0;  // of a row of blocks
    uint64_t size_B = 0;        // 0: the level is not compressed
};

struct UbwcLayout {
    bool enabled = false;
    UbwcBlockShape block;
    uint64_t layer_stride_B = 0;  // between layers, and between depth slices
    uint64_t size_B = 0;          // of all flags; payloads follow
    UbwcLevel level[kMaxLevels];

    bool compressed(uint32_t l) const { return level[l].size_B != 0; }
    /// The flag of the block in column bx and row by. Ours are simple rows; the hardware's order is not
    /// known.
    uint64_t flag_offset_B(uint32_t l, uint32_t z, uint32_t bx, uint32_t by) const {
        return level[l].offset_B + z * layer_stride_B + uint64_t(by) * level[l].row_stride_B + bx;
    }
};

/// Sets all flags of a level, for all its layers or slices.
void ubwc_set_flags(const A6xxLayout& layout, void* surface, uint32_t level, UbwcFlag flag);

/// detile_rect for a surface with flags. A level without compression is copied as detile_rect does. Also
/// false if a flag is not one of ours; `rows` may be written in part then.
[[nodiscard]] bool ubwc_detile_rect(const A6xxLayout& layout, const void* surface, uint32_t level,
                                    const Box& box, void* rows, ptrdiff_t row_stride_B,
                                    ptrdiff_t layer_stride_B);

/// tile_rect for a surface with flags. Blocks that the box intersects become raw, and keep their contents
/// outside the box. Also false if a flag is not one of ours.
[[nodiscard]] bool ubwc_tile_rect(const A6xxLayout& layout, void* surface, uint32_t level, const Box& box,
                                  const void* rows, ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B);

}  // namespace terrazzo::pipe
