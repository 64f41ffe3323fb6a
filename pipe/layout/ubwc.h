// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Qualcomm's Universal Bandwidth Compression: where the flags of a surface lie, and what a flag says. An image
// is cut into blocks, each a part of a tile (macrotile.h) that is contiguous. A flag is a byte a block: the
// state of its payload, which lies where the uncompressed block would. Flags of all levels and layers come
// before all payloads. a6xx.h lays both out.
//
// What the hardware writes into flags and payloads is not public. Three things are known. Drivers may not
// leave flags undefined: freedreno fills them with zeros when it allocates (freedreno_resource.c, fd6_clear_ubwc).
// Blocks of all zeros and of all ones are special, and how depends on the format: UNORM and SNORM may not be
// mixed (fd6_resource.cc). A raw block is ordered as in a tile that is not compressed (fd6_tiled_memcpy.cc).
// What is beyond that is ours, and stands here alone: the virtual GPU writes it, the CPU's copies read it.
// Sources: Mesa 25.0.7, src/freedreno/fdl/fd6_layout.c and the files above.
#pragma once

#include "pipe/layout/layout.h"

namespace terrazzo::pipe {

struct A6xxLayout;

/// What our virtual GPU writes into a flag. Any other value is an error of who wrote it.
enum class UbwcFlag : uint8_t {
    Clear = 0,  // every byte of the block is 0, whatever the payload holds: what zeroed memory says
    Solid = 1,  // every element equals the first of the payload: a fast clear
    Raw = 2,    // the payload is the block, uncompressed
};

struct UbwcBlockShape {
    uint32_t w_px = 0, h_px = 0;
};
/// Of elements of `block_B` bytes (with all samples); zero where there is no compression.
UbwcBlockShape ubwc_block_shape(uint32_t block_B, uint32_t samples, bool split_channels);

struct UbwcLevel {
    uint64_t offset_B = 0;      // of layer or slice 0's first flag, from the surface's start
    uint32_t row_stride_B = 0;  // of a row of blocks
    uint64_t size_B = 0;        // 0: the level is not compressed
};

struct UbwcLayout {
    bool enabled = false;
    UbwcBlockShape block;
    uint64_t layer_stride_B = 0;  // between layers and between depth slices
    uint64_t size_B = 0;          // of all flags; payloads begin there
    UbwcLevel level[kMaxLevels];

    bool compressed(uint32_t l) const { return level[l].size_B != 0; }
    /// The flag of the block at column bx, row by. Rows of flags are plain rows to us; their order in hardware is not known.
    uint64_t flag_offset_B(uint32_t l, uint32_t z, uint32_t bx, uint32_t by) const {
        return level[l].offset_B + z * layer_stride_B + uint64_t(by) * level[l].row_stride_B + bx;
    }
};

/// Sets all flags of a level, for all of its layers or slices.
void ubwc_set_flags(const A6xxLayout& layout, void* surface, uint32_t level, UbwcFlag flag);

/// As detile_rect, through the flags. Also false, and then `rows` may be written in part, where a flag is none
/// of ours. A level that is not compressed is copied as detile_rect does.
[[nodiscard]] bool ubwc_detile_rect(const A6xxLayout& layout, const void* surface, uint32_t level,
                                    const Box& box, void* rows, ptrdiff_t row_stride_B,
                                    ptrdiff_t layer_stride_B);

/// As tile_rect. Blocks that the box touches become raw; what the box leaves of them is kept. False also
/// where a flag is none of ours.
[[nodiscard]] bool ubwc_tile_rect(const A6xxLayout& layout, void* surface, uint32_t level, const Box& box,
                                  const void* rows, ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B);

}  // namespace terrazzo::pipe
