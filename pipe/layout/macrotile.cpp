// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Addresses of macrotiles.
#include "pipe/layout/macrotile.h"

#include <algorithm>
#include <bit>

#include "pipe/layout/tile_copy.h"

namespace terrazzo::pipe {

TileShape macrotile_shape(uint32_t block_B, bool split_channels) {
    return split_channels ? TileShape{16, 8} : detail::unit_shape(block_B);
}

MacrotileMap::MacrotileMap(uint32_t block_B, uint32_t row_stride_B, const MacrotileParams& p)
    : tile_(macrotile_shape(block_B, p.split_channels)),
      tile_w_log2_(uint32_t(std::countr_zero(tile_.w_el))),
      tile_h_log2_(uint32_t(std::countr_zero(tile_.h_el))),
      element_step_B_(p.split_channels ? 1 : block_B),
      split_(p.split_channels) {
    rule_.macrotile_row_B = uint64_t(row_stride_B) * tile_.h_el * 4;
    if (block_B < 16) {
        rule_.x_mixed = p.eight_channels ? 6 : 2;
        rule_.y_mixed = p.eight_channels ? 4 : 0;
    }
    // A level of bank swizzle is needed if the length of a row of macrotiles is a multiple of 2^bank_bit
    // bytes (level 2, which uses bit 0 of the macrotile's row), of twice that (level 3, bit 1), or of four
    // times that (level 1, bit 2).
    const uint32_t bank_bit = p.highest_bank_bit + uint32_t(block_B == 1 || p.split_channels);
    const auto multiple_of = [&](uint32_t bit) {
        return (rule_.macrotile_row_B & ((uint64_t(1) << bit) - 1)) == 0;
    };
    if ((p.bank_swizzle & 2) && multiple_of(bank_bit)) rule_.bank_mask |= 4;
    if ((p.bank_swizzle & 4) && multiple_of(bank_bit + 1)) rule_.bank_mask |= 8;
    if ((p.bank_swizzle & 1) && multiple_of(bank_bit + 2)) rule_.bank_mask |= 16;
    rule_.bank_shift = std::max<uint32_t>(p.highest_bank_bit, 3) - 3;
}

namespace detail {

uint32_t macrotile_columns(Format format, uint32_t samples) {
    const FormatInfo& f = format_info(format);
    return f.block_B == 1 || (f.block_B == 2 && f.channel_count == 2) ? 1 : samples;
}

namespace {

// The tiles as units of tile_copy.h.
struct Units {
    MacrotileMap map;
    TileShape shape() const { return map.tile(); }
    uint64_t offset_B(uint32_t tx, uint32_t ty) const { return map.tile_offset_B(tx, ty); }
    uint32_t inside_B(uint32_t dx, uint32_t dy) const { return map.in_tile_B(dx, dy); }
    uint32_t channel_step_B() const { return map.channel_step_B(); }
};

template <bool kTile>
void copy(const RowCopy& c, const KernelSet& kernels) {
    const Units units{MacrotileMap(c.block_B, c.surface_stride_B, c.macrotile)};
    copy_rect<kTile>(c, units, units.map.rule(), kernels.macrotile, kernels.split);
}

}  // namespace

void macrotile_tile(const RowCopy& c, const KernelSet& kernels) {
    copy<true>(c, kernels);
}
void macrotile_detile(const RowCopy& c, const KernelSet& kernels) {
    copy<false>(c, kernels);
}
void macrotile_tile(const RowCopy& c) {
    copy<true>(c, *tile_kernels()[0]);
}
void macrotile_detile(const RowCopy& c) {
    copy<false>(c, *tile_kernels()[0]);
}

}  // namespace detail

}  // namespace terrazzo::pipe
