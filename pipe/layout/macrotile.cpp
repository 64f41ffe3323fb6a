// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Addresses of macrotiles. Divides rectangles into runs of whole tiles, which go to the CPU's kernels, and
// edges.
#include "pipe/layout/macrotile.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pipe/layout/linear.h"
#include "pipe/layout/macrotile_kernels.h"

namespace terrazzo::pipe {

TileShape macrotile_shape(uint32_t block_B, bool split_channels) {
    if (split_channels) return {16, 8};
    constexpr TileShape kShapes[8] = {{32, 8}, {32, 4}, {16, 4}, {8, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 1}};
    return kShapes[std::countr_zero(block_B) & 7];
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

// Copies of this size or more do not fit into the caches together with their source.
constexpr uint64_t kStreamFrom_B = uint64_t(8) << 20;

// Copies the rectangle [x0, x1) x [y0, y1) of one tile. `rows` is the address of its corner (x0, y0). E = 0:
// there is no kernel for the element size.
template <uint32_t E, bool kTile>
void copy_partial(const MacrotileMap& map, uint8_t* tile, uint8_t* rows, const RowCopy& c, uint32_t x0,
                  uint32_t y0, uint32_t x1, uint32_t y1) {
    const uint32_t block_B = E ? E : c.block_B, step_B = map.channel_step_B();
    for (uint32_t y = y0; y < y1; ++y, rows += c.rows_stride_B)
        for (uint32_t x = x0; x < x1; ++x) {
            uint8_t* const in_tile = tile + map.in_tile_B(x, y);
            uint8_t* const in_row = rows + ptrdiff_t(x - x0) * ptrdiff_t(block_B);
            if (E == 2 && step_B != 1) {
                for (uint32_t i = 0; i < 2; ++i)
                    (kTile ? in_tile[i * step_B] : in_row[i]) = kTile ? in_row[i] : in_tile[i * step_B];
            } else {
                std::memcpy(kTile ? in_tile : in_row, kTile ? in_row : in_tile, block_B);
            }
        }
}

// Copies elements [x, x_end) x [y, y_end), tile by tile.
template <uint32_t E, bool kTile>
void copy_edges(const MacrotileMap& map, const RowCopy& c, uint32_t x, uint32_t y, uint32_t x_end,
                uint32_t y_end) {
    const uint32_t w = map.tile().w_el, h = map.tile().h_el;
    for (uint32_t top = y; top < y_end; top = (top / h + 1) * h)
        for (uint32_t left = x; left < x_end; left = (left / w + 1) * w) {
            uint8_t* const tile = c.surface + map.tile_offset_B(left / w, top / h);
            uint8_t* const rows = c.rows + ptrdiff_t(top - c.y_el) * c.rows_stride_B +
                                  ptrdiff_t(left - c.x_el) * ptrdiff_t(c.block_B);
            const uint32_t x0 = left % w, y0 = top % h;
            copy_partial<E, kTile>(map, tile, rows, c, x0, y0, std::min(w, x0 + x_end - left),
                                   std::min(h, y0 + y_end - top));
        }
}

template <uint32_t E, bool kTile>
void copy_tiles(const RowCopy& c, MacrotileRunFn whole) {
    const MacrotileMap map(c.block_B, c.surface_stride_B, c.macrotile);
    const uint32_t w = map.tile().w_el, h = map.tile().h_el, x_end = c.x_el + c.w_el, y_end = c.y_el + c.h_el;
    // The whole tiles: [left, right) x [top, bottom).
    const uint32_t left = (c.x_el + w - 1) / w * w, right = x_end / w * w;
    const uint32_t top = (c.y_el + h - 1) / h * h, bottom = y_end / h * h;
    if (!E || left >= right || top >= bottom)
        return copy_edges<E, kTile>(map, c, c.x_el, c.y_el, x_end, y_end);
    copy_edges<E, kTile>(map, c, c.x_el, c.y_el, x_end, top);
    copy_edges<E, kTile>(map, c, c.x_el, top, left, bottom);
    copy_edges<E, kTile>(map, c, right, top, x_end, bottom);
    copy_edges<E, kTile>(map, c, c.x_el, bottom, x_end, y_end);
    MacrotileRun run = {};
    run.rule = map.rule();
    run.image = c.surface;
    run.x = left / w, run.columns = (right - left) / w;
    run.y = top / h, run.tile_rows = (bottom - top) / h;
    run.rows =
        c.rows + ptrdiff_t(top - c.y_el) * c.rows_stride_B + ptrdiff_t(left - c.x_el) * ptrdiff_t(c.block_B);
    run.stride_B = c.rows_stride_B;
    // Non-temporal stores must write whole lines.
    const bool lines = kTile ? reinterpret_cast<uintptr_t>(c.surface) % 64 == 0
                             : w * c.block_B % 64 == 0 && run.stride_B % 64 == 0 &&
                                   reinterpret_cast<uintptr_t>(run.rows) % 64 == 0;
    run.stream = lines && uint64_t(c.w_el) * c.h_el * c.block_B >= kStreamFrom_B;
    whole(run);
}

template <bool kTile>
void copy_rect(const RowCopy& c, const MacrotileKernels& kernels) {
    if (!c.w_el || !c.h_el) return;
    const auto copy_of = [](const MacrotileCopy& both) { return kTile ? both.tile : both.detile; };
    switch (c.block_B) {
        case 1:
            return copy_tiles<1, kTile>(c, copy_of(kernels.of[0]));
        case 2:
            return copy_tiles<2, kTile>(c,
                                        copy_of(c.macrotile.split_channels ? kernels.split : kernels.of[1]));
        case 4:
            return copy_tiles<4, kTile>(c, copy_of(kernels.of[2]));
        case 8:
            return copy_tiles<8, kTile>(c, copy_of(kernels.of[3]));
        case 16:
            return copy_tiles<16, kTile>(c, copy_of(kernels.of[4]));
        default:  // for many samples
            return copy_tiles<0, kTile>(c, nullptr);
    }
}

}  // namespace

std::span<const MacrotileKernels* const> macrotile_kernels() {
    struct Sets {
        const MacrotileKernels* of[3] = {};
        size_t count = 0;
        Sets() {
#ifdef TERRAZZO_PIPE_AVX512
            if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
                of[count++] = &kMacrotileAvx512;
#endif
#ifdef TERRAZZO_PIPE_AVX2
            if (__builtin_cpu_supports("avx2")) of[count++] = &kMacrotileAvx2;
#endif
            of[count++] = &kMacrotileBaseline;
        }
    };
    static const Sets sets;
    return {sets.of, sets.count};
}

void macrotile_tile(const RowCopy& c, const MacrotileKernels& kernels) {
    copy_rect<true>(c, kernels);
}
void macrotile_detile(const RowCopy& c, const MacrotileKernels& kernels) {
    copy_rect<false>(c, kernels);
}
void macrotile_tile(const RowCopy& c) {
    macrotile_tile(c, *macrotile_kernels()[0]);
}
void macrotile_detile(const RowCopy& c) {
    macrotile_detile(c, *macrotile_kernels()[0]);
}

}  // namespace detail

}  // namespace terrazzo::pipe
