// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The copies of macrotile.cpp for any CPU with 16-byte vectors. In a tile each quad is contiguous, then each
// 4x4 block, and blocks are ordered from left to right: pairs of rows are zipped by pairs of elements.
#include <cstring>

#include "pipe/layout/macrotile_kernels.h"

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

// Interleaves the elements of two vectors, and separates them again.
struct Two {
    V64 lo, hi;
};
Two zip8(V8 a, V8 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)),
            V64(__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31))};
}
Two unzip8(V8 a, V8 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)),
            V64(__builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))};
}
Two zip16(V16 a, V16 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)),
            V64(__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15))};
}
Two unzip16(V16 a, V16 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)),
            V64(__builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15))};
}
Two zip32(V32 a, V32 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 4, 1, 5)), V64(__builtin_shufflevector(a, b, 2, 6, 3, 7))};
}
Two unzip32(V32 a, V32 b) {
    return {V64(__builtin_shufflevector(a, b, 0, 2, 4, 6)), V64(__builtin_shufflevector(a, b, 1, 3, 5, 7))};
}
Two zip64(V64 a, V64 b) {
    return {__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3)};
}

// ---- 1 byte: 16 columns of 4 rows are 4 blocks, 64 bytes.

void tile_strip(uint8_t* run, V64 a, V64 b, V64 c, V64 d) {
    const Two upper = zip16(V16(a), V16(b)), lower = zip16(V16(c), V16(d));
    const Two left = zip64(upper.lo, lower.lo), right = zip64(upper.hi, lower.hi);
    store(run, left.lo);
    store(run + 16, left.hi);
    store(run + 32, right.lo);
    store(run + 48, right.hi);
}
struct Strip {
    V64 row[4];
};
Strip detile_strip(const uint8_t* run) {
    const Two left = zip64(load<V64>(run), load<V64>(run + 16)),
              right = zip64(load<V64>(run + 32), load<V64>(run + 48));
    const Two upper = unzip16(V16(left.lo), V16(right.lo)), lower = unzip16(V16(left.hi), V16(right.hi));
    return {{upper.lo, upper.hi, lower.lo, lower.hi}};
}

// Copies one tile: tile() from rows, detile() to rows. E: bytes per element; 0: split channels.
template <uint32_t E>
struct Tile;

template <>
struct Tile<1> {
    static constexpr uint32_t kRow_B = 32;
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B)
            for (uint32_t right = 0; right < 2; ++right) {
                const auto row = [&](int y) { return load<V64>(rows + y * stride_B + 16 * right); };
                tile_strip(tile + 128 * lower + 64 * right, row(0), row(1), row(2), row(3));
            }
    }
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B)
            for (uint32_t right = 0; right < 2; ++right) {
                const Strip s = detile_strip(tile + 128 * lower + 64 * right);
                for (int y = 0; y < 4; ++y)
                    store(rows + y * stride_B + 16 * right, s.row[y]);
            }
    }
};

template <>
struct Tile<0> {
    static constexpr uint32_t kRow_B = 32;
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B) {
            Two row[4];
            for (int y = 0; y < 4; ++y)
                row[y] = unzip8(load<V8>(rows + y * stride_B), load<V8>(rows + y * stride_B + 16));
            tile_strip(tile + 128 * lower, row[0].lo, row[1].lo, row[2].lo, row[3].lo);
            tile_strip(tile + 128 * lower + 64, row[0].hi, row[1].hi, row[2].hi, row[3].hi);
        }
    }
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B) {
            const Strip r = detile_strip(tile + 128 * lower), g = detile_strip(tile + 128 * lower + 64);
            for (int y = 0; y < 4; ++y) {
                const Two rg = zip8(V8(r.row[y]), V8(g.row[y]));
                store(rows + y * stride_B, rg.lo);
                store(rows + y * stride_B + 16, rg.hi);
            }
        }
    }
};

template <>
struct Tile<2> {
    static constexpr uint32_t kRow_B = 64;
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t x = 0; x < 4; ++x, rows += 16, tile += 64)
            for (int half = 0; half < 2; ++half) {
                const uint8_t* const two = rows + 2 * half * stride_B;
                const Two quads = zip32(load<V32>(two), load<V32>(two + stride_B));
                store(tile + 16 * half, quads.lo);
                store(tile + 16 * half + 32, quads.hi);
            }
    }
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t x = 0; x < 4; ++x, rows += 16, tile += 64)
            for (int half = 0; half < 2; ++half) {
                uint8_t* const two = rows + 2 * half * stride_B;
                const Two r = unzip32(load<V32>(tile + 16 * half), load<V32>(tile + 16 * half + 32));
                store(two, r.lo);
                store(two + stride_B, r.hi);
            }
    }
};

template <>
struct Tile<4> {
    static constexpr uint32_t kRow_B = 64;
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t x = 0; x < 4; ++x, rows += 16)
            for (int half = 0; half < 2; ++half, tile += 32) {
                const uint8_t* const two = rows + 2 * half * stride_B;
                const Two quads = zip64(load<V64>(two), load<V64>(two + stride_B));
                store(tile, quads.lo);
                store(tile + 16, quads.hi);
            }
    }
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t x = 0; x < 4; ++x, rows += 16)
            for (int half = 0; half < 2; ++half, tile += 32) {
                uint8_t* const two = rows + 2 * half * stride_B;
                const Two r = zip64(load<V64>(tile), load<V64>(tile + 16));
                store(two, r.lo);
                store(two + stride_B, r.hi);
            }
    }
};

// From 8 bytes on a pair of elements is a vector or more, so these are simple copies. Calls copy(in tile,
// row, in row).
template <uint32_t E, class Copy>
void each_pair(Copy&& copy) {
    uint32_t at_B = 0;
    for (uint32_t block = 0; block < 16 / E; ++block)
        for (int half = 0; half < 2; ++half)
            for (uint32_t pair = 0; pair < 2; ++pair)
                for (int odd = 0; odd < 2; ++odd, at_B += 2 * E)
                    copy(at_B, 2 * half + odd, block * 4 * E + pair * 2 * E);
}
template <uint32_t E>
struct TileWide {
    static constexpr uint32_t kRow_B = 64;
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        each_pair<E>([&](uint32_t at_B, int y, uint32_t x_B) {
            std::memcpy(tile + at_B, rows + y * stride_B + x_B, 2 * E);
        });
    }
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        each_pair<E>([&](uint32_t at_B, int y, uint32_t x_B) {
            std::memcpy(rows + y * stride_B + x_B, tile + at_B, 2 * E);
        });
    }
};
template <>
struct Tile<8> : TileWide<8> {};
template <>
struct Tile<16> : TileWide<16> {};

template <uint32_t E>
void tile_run(const MacrotileRun& r) {
    macrotile_each<true>(r, Tile<E>::kRow_B, Tile<E>::tile);
}
template <uint32_t E>
void detile_run(const MacrotileRun& r) {
    macrotile_each<false>(r, Tile<E>::kRow_B, Tile<E>::detile);
}
template <uint32_t E>
constexpr MacrotileCopy kCopy = {tile_run<E>, detile_run<E>};

}  // namespace

const MacrotileKernels kMacrotileBaseline = {{kCopy<1>, kCopy<2>, kCopy<4>, kCopy<8>, kCopy<16>}, kCopy<0>};

}  // namespace terrazzo::pipe::detail
