// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The addresses of the tiles of a macrotiled image. macrotile.h explains macrotiles. This part is a separate
// file, since files that are compiled for another instruction set need it: inline functions have internal
// linkage.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace terrazzo::pipe::detail {

/// The parameters for the address of the tile in column tx and row ty.
struct MacrotileRule {
    uint32_t x_mixed = 0, y_mixed = 0;       // bits of column and row that the macrotile mode mixes in
    uint32_t bank_mask = 0, bank_shift = 0;  // bits of the row for bank swizzle, and their target
    uint64_t macrotile_row_B = 0;
};

// The exclusive or of the two is the address in the row of macrotiles, in bytes.
static inline uint32_t macrotile_x_part(const MacrotileRule& r, uint32_t tx) {
    return ((tx & 1) * 7 ^ (tx & r.x_mixed) ^ (tx >> 1) << 3) << 8;
}
static inline uint32_t macrotile_y_part(const MacrotileRule& r, uint32_t ty) {
    const uint32_t in_macrotile = (ty & 1) * 6 ^ (ty >> 1 & 1) * 3 ^ (ty & r.y_mixed);
    return in_macrotile << 8 ^ (ty & r.bank_mask) << r.bank_shift;
}
static inline uint64_t macrotile_row(const MacrotileRule& r, uint32_t ty) {
    return (ty >> 2) * r.macrotile_row_B;
}

}  // namespace terrazzo::pipe::detail
