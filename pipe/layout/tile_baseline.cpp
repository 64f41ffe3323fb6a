// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The copies of tile_kernels.h for any CPU with 16-byte vectors. In a unit each quad is contiguous, then each
// 4x4 block: pairs of rows are zipped by pairs of elements.
#include <cstring>

#include "pipe/layout/tile_kernels.h"

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

// ---- 1 byte: 16 columns of 4 rows are 4 blocks: two pairs of blocks, `pair_B` apart.

void tile_strip(uint8_t* run, uint32_t pair_B, V64 a, V64 b, V64 c, V64 d) {
    const Two upper = zip16(V16(a), V16(b)), lower = zip16(V16(c), V16(d));
    const Two left = zip64(upper.lo, lower.lo), right = zip64(upper.hi, lower.hi);
    store(run, left.lo);
    store(run + 16, left.hi);
    store(run + pair_B, right.lo);
    store(run + pair_B + 16, right.hi);
}
struct Strip {
    V64 row[4];
};
Strip detile_strip(const uint8_t* run, uint32_t pair_B) {
    const Two left = zip64(load<V64>(run), load<V64>(run + 16)),
              right = zip64(load<V64>(run + pair_B), load<V64>(run + pair_B + 16));
    const Two upper = unzip16(V16(left.lo), V16(right.lo)), lower = unzip16(V16(left.hi), V16(right.hi));
    return {{upper.lo, upper.hi, lower.lo, lower.hi}};
}

// Copies one unit: tile() from rows, detile() to rows. E: bytes per element; 0: split channels.
template <uint32_t E, class Rule>
struct Unit;

template <class Rule>
struct Unit<1, Rule> {
    static constexpr uint32_t kPair_B = place_B<Rule>(1, 2);
    static constexpr uint32_t kRow_B = 32;
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B)
            for (uint32_t right = 0; right < 2; ++right) {
                const auto row = [&](int y) { return load<V64>(rows + y * stride_B + 16 * right); };
                tile_strip(tile + place_B<Rule>(1, 4 * right, lower), kPair_B, row(0), row(1), row(2),
                           row(3));
            }
    }
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B)
            for (uint32_t right = 0; right < 2; ++right) {
                const Strip s = detile_strip(tile + place_B<Rule>(1, 4 * right, lower), kPair_B);
                for (int y = 0; y < 4; ++y)
                    store(rows + y * stride_B + 16 * right, s.row[y]);
            }
    }
};

template <class Rule>
struct Unit<0, Rule> {
    static constexpr uint32_t kRow_B = 32;
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B) {
            Two row[4];
            for (int y = 0; y < 4; ++y)
                row[y] = unzip8(load<V8>(rows + y * stride_B), load<V8>(rows + y * stride_B + 16));
            tile_strip(tile + 128 * lower, 32, row[0].lo, row[1].lo, row[2].lo, row[3].lo);
            tile_strip(tile + 128 * lower + 64, 32, row[0].hi, row[1].hi, row[2].hi, row[3].hi);
        }
    }
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 4 * stride_B) {
            const Strip r = detile_strip(tile + 128 * lower, 32),
                        g = detile_strip(tile + 128 * lower + 64, 32);
            for (int y = 0; y < 4; ++y) {
                const Two rg = zip8(V8(r.row[y]), V8(g.row[y]));
                store(rows + y * stride_B, rg.lo);
                store(rows + y * stride_B + 16, rg.hi);
            }
        }
    }
};

template <class Rule>
struct Unit<2, Rule> {
    static constexpr uint32_t kRow_B = 64;
    // Calls copy(left block, right block, the upper one of two rows) for each half of two blocks.
    template <class Copy>
    static void each(uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B, Copy&& copy) {
        for (uint32_t x = 0; x < 4; ++x, rows += 16)
            for (int half = 0; half < 2; ++half) {
                uint8_t* const run = tile + place_B<Rule>(2, 2 * x) + 16 * half;
                copy(run, run + place_B<Rule>(2, 1), rows + 2 * half * stride_B);
            }
    }
    static void tile(uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        each(tile, rows, stride_B, [&](uint8_t* left, uint8_t* right, const uint8_t* two) {
            const Two quads = zip32(load<V32>(two), load<V32>(two + stride_B));
            store(left, quads.lo);
            store(right, quads.hi);
        });
    }
    static void detile(uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        each(tile, rows, stride_B, [&](const uint8_t* left, const uint8_t* right, uint8_t* two) {
            const Two r = unzip32(load<V32>(left), load<V32>(right));
            store(two, r.lo);
            store(two + stride_B, r.hi);
        });
    }
};

template <class Rule>
struct Unit<4, Rule> {
    static constexpr uint32_t kRow_B = 64;
    // Calls copy(half a block, the upper one of its two rows).
    template <class Copy>
    static void each(uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B, Copy&& copy) {
        for (uint32_t x = 0; x < 4; ++x, rows += 16)
            for (int half = 0; half < 2; ++half)
                copy(tile + place_B<Rule>(4, x) + 32 * half, rows + 2 * half * stride_B);
    }
    static void tile(uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        each(tile, rows, stride_B, [&](uint8_t* run, const uint8_t* two) {
            const Two quads = zip64(load<V64>(two), load<V64>(two + stride_B));
            store(run, quads.lo);
            store(run + 16, quads.hi);
        });
    }
    static void detile(uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        each(tile, rows, stride_B, [&](const uint8_t* run, uint8_t* two) {
            const Two r = zip64(load<V64>(run), load<V64>(run + 16));
            store(two, r.lo);
            store(two + stride_B, r.hi);
        });
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
struct UnitWide {
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
// The same for both rules: the blocks of a unit are one row.
template <class Rule>
struct Unit<8, Rule> : UnitWide<8> {};
template <class Rule>
struct Unit<16, Rule> : UnitWide<16> {};

template <uint32_t E, class Rule>
void tile_run(const UnitRun<Rule>& r) {
    each_unit<E, true>(r, Unit<E, Rule>::kRow_B, Unit<E, Rule>::tile);
}
template <uint32_t E, class Rule>
void detile_run(const UnitRun<Rule>& r) {
    each_unit<E, false>(r, Unit<E, Rule>::kRow_B, Unit<E, Rule>::detile);
}
template <uint32_t E, class Rule>
constexpr UnitCopy<Rule> kCopy = {tile_run<E, Rule>, detile_run<E, Rule>};
template <class Rule>
constexpr TileKernels<Rule> kCopies = {
    {kCopy<1, Rule>, kCopy<2, Rule>, kCopy<4, Rule>, kCopy<8, Rule>, kCopy<16, Rule>}};

}  // namespace

const KernelSet kKernelsBaseline = {kCopies<MacrotileRule>, kCopies<TwiddledRule>, kCopy<0, MacrotileRule>};

}  // namespace terrazzo::pipe::detail
