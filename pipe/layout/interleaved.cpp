// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Divides rectangles into whole tiles, which go to the CPU's kernels, and edges.
#include "pipe/layout/interleaved.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pipe/layout/interleaved_kernels.h"

namespace terrazzo::pipe::detail {

namespace {

// Copies of this size or more do not fit into the caches together with their source.
constexpr uint64_t kStreamFrom_B = uint64_t(8) << 20;

uint32_t element_offset_B(uint32_t x, uint32_t y, uint32_t block_B) {
    return (kInterleavedOrder[y >> 2][x >> 2] * 16u + kInterleavedOrder[y & 3][x & 3]) * block_B;
}

// Copies [x0, x1) x [y0, y1) of one tile. `rows` is the address of (0, 0), even if that is outside. E = 0:
// the element size is not a power of two.
template <uint32_t E, bool kTile>
void copy_partial(uint8_t* tile, uint8_t* rows, const RowCopy& c, uint32_t x0, uint32_t y0, uint32_t x1,
                  uint32_t y1) {
    const uint32_t block_B = E ? E : c.block_B;
    for (uint32_t y = y0; y < y1; ++y)
        for (uint32_t x = x0; x < x1; ++x) {
            uint8_t* const in_tile = tile + element_offset_B(x, y, block_B);
            uint8_t* const in_row = rows + ptrdiff_t(y) * c.rows_stride_B + ptrdiff_t(x) * block_B;
            std::memcpy(kTile ? in_tile : in_row, kTile ? in_row : in_tile, block_B);
        }
}

template <uint32_t E, bool kTile>
void copy_tiles(const RowCopy& c, CopyTilesFn whole) {
    const uint32_t side = c.tile_el, x_end = c.x_el + c.w_el, y_end = c.y_el + c.h_el;
    const size_t tile_B = size_t(side) * side * c.block_B;
    const bool stream =
        uint64_t(c.w_el) * c.h_el * c.block_B >= kStreamFrom_B &&
        (reinterpret_cast<uintptr_t>(c.surface) | c.surface_stride_B | tile_B) % kStreamAlign_B == 0;
    for (uint32_t ty = c.y_el & ~(side - 1); ty < y_end; ty += side) {
        uint8_t* const tile_row = c.surface + uint64_t(ty / side) * c.surface_stride_B;
        const uint32_t y0 = std::max(ty, c.y_el) - ty, y1 = std::min(ty + side, y_end) - ty;
        for (uint32_t tx = c.x_el & ~(side - 1); tx < x_end;) {
            uint8_t* const tile = tile_row + tx / side * tile_B;
            // The rows begin at (x_el, y_el). An address before them is only computed, never accessed.
            const ptrdiff_t to_tile_B = (ptrdiff_t(ty) - ptrdiff_t(c.y_el)) * c.rows_stride_B +
                                        (ptrdiff_t(tx) - ptrdiff_t(c.x_el)) * ptrdiff_t(c.block_B);
            uint8_t* const rows =
                reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(c.rows) + uintptr_t(to_tile_B));
            const uint32_t x0 = std::max(tx, c.x_el) - tx, x1 = std::min(tx + side, x_end) - tx;
            uint32_t count = 1;
            if (E && x0 == 0 && y0 == 0 && x1 == side && y1 == side) {
                count = (x_end - tx) / side;
                whole(tile, rows, c.rows_stride_B, count, stream);
            } else {
                copy_partial<E, kTile>(tile, rows, c, x0, y0, x1, y1);
            }
            tx += count * side;
        }
    }
}

template <bool kTile>
CopyTilesFn choose(const RowCopy& c, const InterleavedKernels& kernels) {
    const auto i = uint32_t(std::countr_zero(c.block_B));
    const auto of = [&](const InterleavedKernels& k) {
        const CopyTiles& both = c.tile_el == 4 ? k.tiles4[i] : k.tiles16[i];
        return kTile ? both.tile : both.detile;
    };
    const CopyTilesFn f = of(kernels);
    return f ? f : of(kInterleavedBaseline);
}

template <bool kTile>
void copy_rect(const RowCopy& c, const InterleavedKernels& kernels) {
    if (!c.w_el || !c.h_el) return;
    switch (c.block_B) {
        case 1:
            return copy_tiles<1, kTile>(c, choose<kTile>(c, kernels));
        case 2:
            return copy_tiles<2, kTile>(c, choose<kTile>(c, kernels));
        case 4:
            return copy_tiles<4, kTile>(c, choose<kTile>(c, kernels));
        case 8:
            return copy_tiles<8, kTile>(c, choose<kTile>(c, kernels));
        case 16:
            return copy_tiles<16, kTile>(c, choose<kTile>(c, kernels));
        default:
            return copy_tiles<0, kTile>(c, nullptr);
    }
}

}  // namespace

const InterleavedKernels& interleaved_kernels() {
#ifdef TERRAZZO_PIPE_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return kInterleavedAvx2;
#endif
    return kInterleavedBaseline;
}

uint32_t interleaved_tile_el(Format format) {
    return format_info(format).is_compressed ? 4 : 16;
}

LayoutStatus place_interleaved_level(const LayoutDesc& desc, uint32_t level, uint32_t block_B,
                                     LevelLayout* out) {
    if (desc.kind == ResourceKind::Buffer) return LayoutStatus::BadFormat;
    const FormatInfo& f = format_info(desc.format);
    const uint64_t side = interleaved_tile_el(desc.format);
    const uint64_t columns = (out->width + uint64_t(f.block_w_px) - 1) / f.block_w_px;
    const uint64_t tile_row_B = (columns + side - 1) / side * side * side * block_B;
    uint64_t stride_B = (tile_row_B + desc.row_align_B - 1) & ~uint64_t(desc.row_align_B - 1);
    if (level == 0 && desc.row_stride_B) {
        stride_B = desc.row_stride_B;
        if (stride_B < tile_row_B || stride_B % desc.row_align_B != 0) return LayoutStatus::BadStride;
    }
    const uint64_t tile_rows = (out->rows + side - 1) / side;
    if (stride_B > kMaxSurface_B || stride_B * tile_rows > kMaxSurface_B / desc.samples)
        return LayoutStatus::TooLarge;
    out->row_stride_B = uint32_t(stride_B);
    out->slice_stride_B = stride_B * tile_rows * desc.samples;
    return LayoutStatus::Ok;
}

void interleaved_tile(const RowCopy& c, const InterleavedKernels& kernels) {
    copy_rect<true>(c, kernels);
}
void interleaved_detile(const RowCopy& c, const InterleavedKernels& kernels) {
    copy_rect<false>(c, kernels);
}
void interleaved_tile(const RowCopy& c) {
    interleaved_tile(c, interleaved_kernels());
}
void interleaved_detile(const RowCopy& c) {
    interleaved_detile(c, interleaved_kernels());
}

}  // namespace terrazzo::pipe::detail
