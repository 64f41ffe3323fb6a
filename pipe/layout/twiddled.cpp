// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Addresses of twiddled images.
#include "pipe/layout/twiddled.h"

#include <bit>

#include "pipe/layout/tile_copy.h"

namespace terrazzo::pipe {

TwiddledMap::TwiddledMap(uint32_t block_B, uint32_t row_stride_B, TileLog2 tile)
    : block_B_(block_B), unit_(detail::unit_shape(block_B)) {
    const auto log2 = [](uint32_t v) { return uint32_t(std::countr_zero(v)); };
    uint32_t w = log2(unit_.w_el), h = log2(unit_.h_el);
    // A unit may cover two tiles of a row: the second tile follows as if its number were a further bit of x.
    has_units_ = h <= tile.h && w <= tile.w + 1u;
    if (!has_units_) {
        w = tile.w, h = tile.h;
        unit_ = {1u << w, 1u << h};
    }
    const uint32_t element = log2(block_B), tile_log2 = tile.w + tile.h;
    for (uint32_t i = w; i < tile.w; ++i)
        rule_.x_bits |= 1u << (element + i + (i < tile.h ? i : tile.h));
    for (uint32_t i = h; i < tile.h; ++i)
        rule_.y_bits |= 1u << (element + 2 * i + 1);
    rule_.x_bits |= ~0u << (element + tile_log2 + (w > tile.w ? 1 : 0));
    rule_.tile_h_log2 = tile.h - h;
    rule_.tile_row_B = row_stride_B;
}

namespace detail {

namespace {

template <bool kTile>
void copy(const RowCopy& c, const KernelSet& kernels) {
    const TwiddledMap map(c.block_B, c.surface_stride_B, c.tile);
    copy_rect<kTile>(c, map, map.rule(), map.has_units() ? kernels.twiddled : TileKernels<TwiddledRule>{});
}

}  // namespace

void twiddled_tile(const RowCopy& c, const KernelSet& kernels) {
    copy<true>(c, kernels);
}
void twiddled_detile(const RowCopy& c, const KernelSet& kernels) {
    copy<false>(c, kernels);
}
void twiddled_tile(const RowCopy& c) {
    copy<true>(c, *tile_kernels()[0]);
}
void twiddled_detile(const RowCopy& c) {
    copy<false>(c, *tile_kernels()[0]);
}

}  // namespace detail

}  // namespace terrazzo::pipe
