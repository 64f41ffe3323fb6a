// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The addresses of the tiles of a macrotiled image. macrotile.h explains macrotiles. This part is a separate
// file, since files that are compiled for another instruction set need it: inline functions have internal
// linkage.
#pragma once

#include "pipe/layout/unit_pace.h"

namespace terrazzo::pipe::detail {

/// The parameters for the address of the tile in column tx and row ty.
struct MacrotileRule {
    uint32_t x_mixed = 0, y_mixed = 0;       // bits of column and row that the macrotile mode mixes in
    uint32_t bank_mask = 0, bank_shift = 0;  // bits of the row for bank swizzle, and their target
    uint64_t macrotile_row_B = 0;
};

// A unit of the copies (tile_kernels.h) is a tile. The exclusive or of x_part and y_part is the address in
// the row of macrotiles, in bytes.
static inline uint32_t unit_x_part(const MacrotileRule& r, uint32_t tx) {
    return ((tx & 1) * 7 ^ (tx & r.x_mixed) ^ (tx >> 1) << 3) << 8;
}
static inline uint32_t unit_next_x(const MacrotileRule& r, uint32_t, uint32_t tx) {
    return unit_x_part(r, tx);
}
static inline uint32_t unit_y_part(const MacrotileRule& r, uint32_t ty) {
    const uint32_t in_macrotile = (ty & 1) * 6 ^ (ty >> 1 & 1) * 3 ^ (ty & r.y_mixed);
    return in_macrotile << 8 ^ (ty & r.bank_mask) << r.bank_shift;
}
static inline uint64_t unit_row(const MacrotileRule& r, uint32_t ty) {
    return (ty >> 2) * r.macrotile_row_B;
}
/// Outside the caches it is faster to copy one macrotile at a time. Inside them, distant rows would evict
/// each other.
static inline UnitPace unit_pace(const MacrotileRule&, uint32_t, bool tile, bool stream) {
    return {stream ? kMostPace : 1u, stream && !tile ? 8u : 0u};
}
/// The place of a 4x4 block in its tile: blocks are stored row by row. `E`: bytes of an element.
static constexpr uint32_t block_place_B(const MacrotileRule&, uint32_t E, uint32_t bx, uint32_t by) {
    return 16 * E * bx + 128 * by;
}

}  // namespace terrazzo::pipe::detail
