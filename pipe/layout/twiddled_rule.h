// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The addresses of the units of a twiddled image (twiddled.h explains twiddling, tile_kernels.h units). Files
// that are compiled for another instruction set need this, so inline functions have internal linkage.
#pragma once

#include "pipe/layout/unit_pace.h"

namespace terrazzo::pipe::detail {

/// The addresses of a level are made of bits of the unit's column and row: in a tile these alternate; the
/// upper bits of the column are the number of the tile in its row.
struct TwiddledRule {
    uint32_t x_bits = 0;       // those bits of an address in a row of tiles that come from the column
    uint32_t y_bits = 0;       // and from the row
    uint32_t tile_h_log2 = 0;  // units
    uint64_t tile_row_B = 0;
};

/// Moves the lowest bits of `value` to the places of the ones in `bits`.
static inline uint32_t deposit_bits(uint32_t value, uint32_t bits) {
    uint32_t out = 0;
    for (; value && bits; value >>= 1, bits &= bits - 1)
        if (value & 1) out |= bits & -bits;
    return out;
}

// The exclusive or of x_part and y_part is the address in the row of tiles, in bytes.
static inline uint32_t unit_x_part(const TwiddledRule& r, uint32_t ux) {
    return deposit_bits(ux, r.x_bits);
}
/// The next column's part: the addition's carry skips the other bits if these are ones.
static inline uint32_t unit_next_x(const TwiddledRule& r, uint32_t x_part_B, uint32_t) {
    return (x_part_B - r.x_bits) & r.x_bits;
}
static inline uint32_t unit_y_part(const TwiddledRule& r, uint32_t uy) {
    return deposit_bits(uy, r.y_bits);
}
static inline uint64_t unit_row(const TwiddledRule& r, uint32_t uy) {
    return (uy >> r.tile_h_log2) * r.tile_row_B;
}
/// Measured. Two rows of units of 2-byte elements fill pairs of lines, which CPUs fetch together. Images of
/// larger elements are less often in the second cache.
static inline UnitPace unit_pace(const TwiddledRule&, uint32_t E, bool tile, bool stream) {
    if (stream) return {kMostPace, tile ? 0u : 8u};
    return {E == 2 ? 2u : 1u, E < 4 ? 0u : tile ? 4u : 8u};
}
/// The place of a 4x4 block in its unit: the bits of bx and by alternate. `E`: bytes of an element.
static constexpr uint32_t block_place_B(const TwiddledRule&, uint32_t E, uint32_t bx, uint32_t by) {
    return 16 * E * ((bx & 1) | (by & 1) << 1 | (bx & 2) << 1 | (bx & 4) << 2);
}

}  // namespace terrazzo::pipe::detail
