// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The inner loops of macrotile.cpp, one set per instruction set. Internal to pipe/layout. One of its users is
// compiled for another instruction set than the rest, so inline functions have internal linkage.
#pragma once

#include "pipe/layout/macrotile_rule.h"

namespace terrazzo::pipe::detail {

/// A rectangle of whole tiles of one image, and the rows of elements that they are copied to or from.
struct MacrotileRun {
    MacrotileRule rule;
    uint8_t* image;                     // first byte
    uint32_t x, y, columns, tile_rows;  // in tiles
    uint8_t* rows;                      // the first tile's first element
    ptrdiff_t stride_B;
    /// Allows non-temporal stores; the destination is then aligned to 64 bytes. Afterwards the stores are
    /// visible like ordinary ones.
    bool stream;
};
using MacrotileRunFn = void (*)(const MacrotileRun& run);

/// Prefetches a tile that will be read soon. (Measured: tiles are not read in the order of their addresses,
/// so the CPU does not predict the accesses.)
static inline void macrotile_expect(const uint8_t* tile) {
    for (int line = 0; line < 4; ++line)
        __builtin_prefetch(tile + 64 * line);
}
inline constexpr uint32_t kMacrotileAhead = 8;  // columns

/// Calls copy(tile, rows, stride_B) for each tile, whose rows have `row_B` bytes. The loops use a copy of the
/// run, since pixels might alias it.
template <bool kTile, class Copy>
static inline void macrotile_each(const MacrotileRun& run, uint32_t row_B, Copy&& copy) {
    const MacrotileRun r = run;
    const ptrdiff_t tile_row_B = ptrdiff_t(256 / row_B) * r.stride_B;
    // Outside the caches it is faster to copy one macrotile at a time. Inside them, distant rows would evict
    // each other.
    const uint32_t together = r.stream ? 4 : 1;
    for (uint32_t y = r.y, end; y < r.y + r.tile_rows; y = end) {
        end = (y / together + 1) * together;
        if (end > r.y + r.tile_rows) end = r.y + r.tile_rows;
        uint8_t *const row = r.image + macrotile_row(r.rule, y),
                       *band = r.rows + ptrdiff_t(y - r.y) * tile_row_B;
        if (end - y == 1) {
            const uint32_t y_part_B = macrotile_y_part(r.rule, y);
            for (uint32_t x = r.x; x < r.x + r.columns; ++x, band += row_B)
                copy(row + (macrotile_x_part(r.rule, x) ^ y_part_B), band, r.stride_B);
            continue;
        }
        for (uint32_t x = r.x; x < r.x + r.columns; ++x, band += row_B)
            for (uint32_t i = y; i < end; ++i) {
                const uint32_t y_part_B = macrotile_y_part(r.rule, i);
                if (!kTile)
                    macrotile_expect(row + (macrotile_x_part(r.rule, x + kMacrotileAhead) ^ y_part_B));
                copy(row + (macrotile_x_part(r.rule, x) ^ y_part_B), band + ptrdiff_t(i - y) * tile_row_B,
                     r.stride_B);
            }
    }
}

struct MacrotileCopy {
    MacrotileRunFn tile = nullptr, detile = nullptr;
};

struct MacrotileKernels {
    MacrotileCopy of[5];  // for elements of 1 << i bytes
    MacrotileCopy split;  // R8G8
};

extern const MacrotileKernels kMacrotileBaseline;
extern const MacrotileKernels kMacrotileAvx2;    // exists if TERRAZZO_PIPE_AVX2 is defined
extern const MacrotileKernels kMacrotileAvx512;  // exists if TERRAZZO_PIPE_AVX512 is defined

}  // namespace terrazzo::pipe::detail
