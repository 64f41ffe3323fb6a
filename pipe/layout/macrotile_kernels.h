// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The inner loops of macrotile.cpp, once an instruction set. Internal to pipe/layout. One of its users is
// built for another instruction set than the rest: what is inline here has internal linkage.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace terrazzo::pipe::detail {

/// `count` whole tiles side by side, and the rows they are copied to or from.
struct MacrotileRun {
    uint8_t* tiles;     // first byte of the row of macrotiles
    uint32_t y_part_B;  // MacrotileMap
    uint32_t x_mixed;
    uint32_t first, count;  // columns of tiles
    uint8_t* rows;          // of the first tile's first element
    ptrdiff_t stride_B;
    /// Tiles may be written past the caches; they are aligned to 64 bytes. What was written is visible as
    /// that of plain stores.
    bool stream;
};
using MacrotileRunFn = void (*)(const MacrotileRun& run);

static inline uint8_t* macrotile_at(const MacrotileRun& r, uint32_t i) {
    const uint32_t tx = r.first + i;
    return r.tiles + ((((tx & 1) * 7 ^ (tx & r.x_mixed) ^ (tx >> 1) << 3) << 8) ^ r.y_part_B);
}

struct MacrotileCopy {
    MacrotileRunFn tile = nullptr, detile = nullptr;
};

struct MacrotileKernels {
    MacrotileCopy of[5];  // elements of 1 << i bytes
    MacrotileCopy split;  // R8G8
};

extern const MacrotileKernels kMacrotileBaseline;
extern const MacrotileKernels kMacrotileAvx2;    // where TERRAZZO_PIPE_AVX2 is defined
extern const MacrotileKernels kMacrotileAvx512;  // where TERRAZZO_PIPE_AVX512 is defined

}  // namespace terrazzo::pipe::detail
