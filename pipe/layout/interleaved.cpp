// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies go by 4x4 blocks, which are contiguous in the tile: four rows in, each pair of rows zipped together
// at twice the element's size (the odd row's pairs swapped first, as the order turns back there), and one run
// out.
#include "pipe/layout/interleaved.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::pipe::detail {

namespace {

// Where a 4x4 block of a tile stands, and equally an element of a block: [y][x].
constexpr uint8_t kOrder[4][4] = {{0, 1, 4, 5}, {3, 2, 7, 6}, {12, 13, 8, 9}, {15, 14, 11, 10}};

template <class T, int N>
using Vec [[gnu::vector_size(sizeof(T) * N)]] = T;
using V8 = Vec<uint8_t, 16>;
using V16 = Vec<uint16_t, 8>;
using V32 = Vec<uint32_t, 4>;
using V64 = Vec<uint64_t, 2>;

template <class V>
V load(const uint8_t* p) {
    V v;
    std::memcpy(&v, p, sizeof(v));
    return v;
}
template <class V>
void store(uint8_t* p, V v) {
    std::memcpy(p, &v, sizeof(v));
}
V64 swap64(V64 v) {
    return __builtin_shufflevector(v, v, 1, 0);
}
V16 swap8(V16 v) {
    return v << 8 | v >> 8;
}
V16 swap16(V16 v) {
    return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
}
V32 swap32(V32 v) {
    return __builtin_shufflevector(v, v, 1, 0, 3, 2);
}

// Two vectors, elements in turn; and apart again.
struct Two64 {
    V64 lo, hi;
};
Two64 zip16(V16 a, V16 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)),
            V64(__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15))};
}
Two64 zip32(V32 a, V32 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 4, 1, 5)), V64(__builtin_shufflevector(a, b, 2, 6, 3, 7))};
}
Two64 zip64(V64 a, V64 b) {
    return {__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3)};
}
// The even (32-bit) elements of a and b, and the odd ones.
struct Two32 {
    V32 even, odd;
};
Two32 unzip32(V32 a, V32 b) {
    return {__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7)};
}

// One 4x4 block: rows -> run, and back. E: bytes an element.
template <uint32_t E>
struct Block4x4;

template <>
struct Block4x4<2> {
    static void tile(uint8_t* run, const uint8_t* rows, ptrdiff_t stride_B) {
        for (int half = 0; half < 2; ++half, rows += 2 * stride_B) {
            uint64_t a, b;
            std::memcpy(&a, rows, 8);
            std::memcpy(&b, rows + stride_B, 8);
            const V64 quads = zip32(V32(V64{a, 0}), V32(swap16(V16(V64{b, 0})))).lo;
            store(run + 16 * half, half ? swap64(quads) : quads);
        }
    }
    static void detile(const uint8_t* run, uint8_t* rows, ptrdiff_t stride_B) {
        for (int half = 0; half < 2; ++half, rows += 2 * stride_B) {
            const V64 quads = load<V64>(run + 16 * half);
            const Two32 r = unzip32(V32(half ? swap64(quads) : quads), V32{});
            const uint64_t a = V64(r.even)[0], b = V64(swap16(V16(r.odd)))[0];
            std::memcpy(rows, &a, 8);
            std::memcpy(rows + stride_B, &b, 8);
        }
    }
};

template <>
struct Block4x4<4> {
    static void tile(uint8_t* run, const uint8_t* rows, ptrdiff_t stride_B) {
        for (int half = 0; half < 2; ++half, rows += 2 * stride_B) {
            const Two64 quads = zip64(load<V64>(rows), V64(swap32(load<V32>(rows + stride_B))));
            store(run + 32 * half, half ? quads.hi : quads.lo);
            store(run + 32 * half + 16, half ? quads.lo : quads.hi);
        }
    }
    static void detile(const uint8_t* run, uint8_t* rows, ptrdiff_t stride_B) {
        for (int half = 0; half < 2; ++half, rows += 2 * stride_B) {
            const V64 first = load<V64>(run + 32 * half), second = load<V64>(run + 32 * half + 16);
            const Two64 r = half ? zip64(second, first) : zip64(first, second);
            store(rows, r.lo);
            store(rows + stride_B, swap32(V32(r.hi)));
        }
    }
};

// From 8 bytes on a pair of elements is a vector or more: plain copies.
template <uint32_t E>
struct BlockWide {
    template <class Copy>
    static void each(Copy&& copy) {
        for (uint32_t y = 0; y < 4; ++y)
            for (uint32_t x = 0; x < 4; ++x)
                copy(kOrder[y][x] * E, y, x * E);
    }
    static void tile(uint8_t* run, const uint8_t* rows, ptrdiff_t stride_B) {
        each([&](uint32_t at_B, uint32_t y, uint32_t x_B) {
            std::memcpy(run + at_B, rows + ptrdiff_t(y) * stride_B + x_B, E);
        });
    }
    static void detile(const uint8_t* run, uint8_t* rows, ptrdiff_t stride_B) {
        each([&](uint32_t at_B, uint32_t y, uint32_t x_B) {
            std::memcpy(rows + ptrdiff_t(y) * stride_B + x_B, run + at_B, E);
        });
    }
};
template <>
struct Block4x4<1> : BlockWide<1> {};
template <>
struct Block4x4<8> : BlockWide<8> {};
template <>
struct Block4x4<16> : BlockWide<16> {};

// Four rows of 16 elements: four 4x4 blocks at run[0..3].
template <uint32_t E>
void tile_strip(uint8_t* const run[4], const uint8_t* rows, ptrdiff_t stride_B) {
    for (uint32_t x = 0; x < 4; ++x)
        Block4x4<E>::tile(run[x], rows + x * 4 * E, stride_B);
}
template <uint32_t E>
void detile_strip(uint8_t* const run[4], uint8_t* rows, ptrdiff_t stride_B) {
    for (uint32_t x = 0; x < 4; ++x)
        Block4x4<E>::detile(run[x], rows + x * 4 * E, stride_B);
}
// Of bytes a row of the strip is one vector; quads are 32 bits.
template <>
void tile_strip<1>(uint8_t* const run[4], const uint8_t* rows, ptrdiff_t stride_B) {
    const auto row = [&](int y) { return load<V16>(rows + y * stride_B); };
    const Two64 upper = zip16(row(0), swap8(row(1))), lower = zip16(row(2), swap8(row(3)));
    const Two64 left = zip64(upper.lo, V64(swap32(V32(lower.lo))));
    const Two64 right = zip64(upper.hi, V64(swap32(V32(lower.hi))));
    store(run[0], left.lo);
    store(run[1], left.hi);
    store(run[2], right.lo);
    store(run[3], right.hi);
}
template <>
void detile_strip<1>(uint8_t* const run[4], uint8_t* rows, ptrdiff_t stride_B) {
    const Two64 left = zip64(load<V64>(run[0]), load<V64>(run[1])),
                right = zip64(load<V64>(run[2]), load<V64>(run[3]));
    const auto rows_of = [&](V64 a, V64 b, uint8_t* out) {
        const V16 p = V16(a), q = V16(b);  // of each quad the upper row's pair, then the lower's
        store(out, __builtin_shufflevector(p, q, 0, 2, 4, 6, 8, 10, 12, 14));
        store(out + stride_B, swap8(__builtin_shufflevector(p, q, 1, 3, 5, 7, 9, 11, 13, 15)));
    };
    rows_of(left.lo, right.lo, rows);
    rows_of(V64(swap32(V32(left.hi))), V64(swap32(V32(right.hi))), rows + 2 * stride_B);
}

uint32_t element_offset_B(uint32_t x, uint32_t y, uint32_t block_B) {
    return (kOrder[y >> 2][x >> 2] * 16u + kOrder[y & 3][x & 3]) * block_B;
}

// A tile of which only [x0, x1) x [y0, y1) is copied; any element size. `rows` is where (0, 0) would be.
template <bool kTile>
void copy_partial(uint8_t* tile, uint8_t* rows, const RowCopy& c, uint32_t x0, uint32_t y0, uint32_t x1,
                  uint32_t y1) {
    for (uint32_t y = y0; y < y1; ++y)
        for (uint32_t x = x0; x < x1; ++x) {
            uint8_t* const in_tile = tile + element_offset_B(x, y, c.block_B);
            uint8_t* const in_row = rows + ptrdiff_t(y) * c.rows_stride_B + ptrdiff_t(x) * c.block_B;
            std::memcpy(kTile ? in_tile : in_row, kTile ? in_row : in_tile, c.block_B);
        }
}

// `count` whole tiles side by side. Strip by strip, so that the rows of plain pixels are walked along.
// E: 0: a size that is no power of two.
template <uint32_t E, bool kTile>
void copy_whole(uint8_t* tiles, uint8_t* rows, const RowCopy& c, uint32_t count) {
    const size_t tile_B = size_t(c.tile_el) * c.tile_el * c.block_B, step_B = size_t(c.tile_el) * c.block_B;
    if constexpr (E == 0) {
        for (uint32_t i = 0; i < count; ++i)
            copy_partial<kTile>(tiles + i * tile_B, rows + i * step_B, c, 0, 0, c.tile_el, c.tile_el);
    } else if (c.tile_el == 4) {
        for (uint32_t i = 0; i < count; ++i) {
            if (kTile)
                Block4x4<E>::tile(tiles + i * tile_B, rows + i * step_B, c.rows_stride_B);
            else
                Block4x4<E>::detile(tiles + i * tile_B, rows + i * step_B, c.rows_stride_B);
        }
    } else {
        for (uint32_t y = 0; y < 4; ++y)
            for (uint32_t i = 0; i < count; ++i) {
                uint8_t* run[4];
                for (uint32_t x = 0; x < 4; ++x)
                    run[x] = tiles + i * tile_B + kOrder[y][x] * 16u * E;
                uint8_t* const strip = rows + ptrdiff_t(4 * y) * c.rows_stride_B + ptrdiff_t(i * step_B);
                if (kTile)
                    tile_strip<E>(run, strip, c.rows_stride_B);
                else
                    detile_strip<E>(run, strip, c.rows_stride_B);
            }
    }
}

template <uint32_t E, bool kTile>
void copy_tiles(const RowCopy& c) {
    const uint32_t side = c.tile_el, x_end = c.x_el + c.w_el, y_end = c.y_el + c.h_el;
    const size_t tile_B = size_t(side) * side * c.block_B;
    for (uint32_t ty = c.y_el & ~(side - 1); ty < y_end; ty += side) {
        uint8_t* const tile_row = c.surface + uint64_t(ty / side) * c.surface_stride_B;
        const uint32_t y0 = std::max(ty, c.y_el) - ty, y1 = std::min(ty + side, y_end) - ty;
        for (uint32_t tx = c.x_el & ~(side - 1); tx < x_end;) {
            uint8_t* const tile = tile_row + tx / side * tile_B;
            // The rows begin at (x_el, y_el); an address before them is only computed, never used.
            const ptrdiff_t to_tile_B = (ptrdiff_t(ty) - ptrdiff_t(c.y_el)) * c.rows_stride_B +
                                        (ptrdiff_t(tx) - ptrdiff_t(c.x_el)) * ptrdiff_t(c.block_B);
            uint8_t* const rows =
                reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(c.rows) + uintptr_t(to_tile_B));
            const uint32_t x0 = std::max(tx, c.x_el) - tx, x1 = std::min(tx + side, x_end) - tx;
            uint32_t count = 1;
            if (x0 == 0 && y0 == 0 && x1 == side && y1 == side) {
                count = (x_end - tx) / side;
                copy_whole<E, kTile>(tile, rows, c, count);
            } else {
                copy_partial<kTile>(tile, rows, c, x0, y0, x1, y1);
            }
            tx += count * side;
        }
    }
}

template <bool kTile>
void copy_rect(const RowCopy& c) {
    if (!c.w_el || !c.h_el) return;
    switch (c.block_B) {
        case 1:
            return copy_tiles<1, kTile>(c);
        case 2:
            return copy_tiles<2, kTile>(c);
        case 4:
            return copy_tiles<4, kTile>(c);
        case 8:
            return copy_tiles<8, kTile>(c);
        case 16:
            return copy_tiles<16, kTile>(c);
        default:
            return copy_tiles<0, kTile>(c);
    }
}

}  // namespace

uint32_t interleaved_tile_el(Format format) {
    return format_info(format).is_compressed ? 4 : 16;
}

LayoutStatus place_interleaved_level(const LayoutDesc& desc, uint32_t level, uint32_t block_B,
                                     LevelLayout* out) {
    if (desc.kind == ResourceKind::Buffer || desc.samples > 1) return LayoutStatus::BadFormat;
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
    if (stride_B > kMaxSurface_B || stride_B * tile_rows > kMaxSurface_B) return LayoutStatus::TooLarge;
    out->row_stride_B = uint32_t(stride_B);
    out->slice_stride_B = stride_B * tile_rows;
    return LayoutStatus::Ok;
}

void interleaved_tile(const RowCopy& c) {
    copy_rect<true>(c);
}
void interleaved_detile(const RowCopy& c) {
    copy_rect<false>(c);
}

}  // namespace terrazzo::pipe::detail
