// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The copies of interleaved.cpp for any CPU with 16-byte vectors. They work on 4x4 blocks, which are
// contiguous in the tile: load four rows, zip each pair of rows at twice the element's size (with the pairs
// of the odd row swapped first, as the order reverses there), and store one run.
#include <cstring>

#include "pipe/layout/interleaved_kernels.h"

namespace terrazzo::pipe::detail {

namespace {

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

// Interleaves the elements of two vectors, and separates them again.
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

// Copies one 4x4 block from rows to a run, and back. E: bytes per element.
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

// From 8 bytes on a pair of elements is a vector or more, so these are simple copies.
template <uint32_t E>
struct BlockWide {
    template <class Copy>
    static void each(Copy&& copy) {
        for (uint32_t y = 0; y < 4; ++y)
            for (uint32_t x = 0; x < 4; ++x)
                copy(kInterleavedOrder[y][x] * E, y, x * E);
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

// Copies four rows of 16 elements: four 4x4 blocks at run[0..3].
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
// For bytes, a row of the strip is one vector, and quads have 32 bits.
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
        const V16 p = V16(a), q = V16(b);  // of each quad the upper row's pair, then the lower row's
        store(out, __builtin_shufflevector(p, q, 0, 2, 4, 6, 8, 10, 12, 14));
        store(out + stride_B, swap8(__builtin_shufflevector(p, q, 1, 3, 5, 7, 9, 11, 13, 15)));
    };
    rows_of(left.lo, right.lo, rows);
    rows_of(V64(swap32(V32(left.hi))), V64(swap32(V32(right.hi))), rows + 2 * stride_B);
}

// Copies strip by strip, so that the linear rows are accessed in order.
template <uint32_t E, bool kTile>
void copy_tiles16(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    for (uint32_t y = 0; y < 4; ++y)
        for (uint32_t i = 0; i < count; ++i) {
            uint8_t* run[4];
            for (uint32_t x = 0; x < 4; ++x)
                run[x] = tiles + size_t(i) * 256 * E + kInterleavedOrder[y][x] * 16u * E;
            uint8_t* const strip = rows + ptrdiff_t(4 * y) * stride_B + size_t(i) * 16 * E;
            if (kTile)
                tile_strip<E>(run, strip, stride_B);
            else
                detile_strip<E>(run, strip, stride_B);
        }
}
template <uint32_t E, bool kTile>
void copy_tiles4(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    for (uint32_t i = 0; i < count; ++i, tiles += 16 * E, rows += 4 * E) {
        if (kTile)
            Block4x4<E>::tile(tiles, rows, stride_B);
        else
            Block4x4<E>::detile(tiles, rows, stride_B);
    }
}
template <uint32_t E>
constexpr CopyTiles kCopy16 = {copy_tiles16<E, true>, copy_tiles16<E, false>};
template <uint32_t E>
constexpr CopyTiles kCopy4 = {copy_tiles4<E, true>, copy_tiles4<E, false>};

}  // namespace

const InterleavedKernels kInterleavedBaseline = {
    {kCopy16<1>, kCopy16<2>, kCopy16<4>, kCopy16<8>, kCopy16<16>},
    {kCopy4<1>, kCopy4<2>, kCopy4<4>, kCopy4<8>, kCopy4<16>},
};

}  // namespace terrazzo::pipe::detail
