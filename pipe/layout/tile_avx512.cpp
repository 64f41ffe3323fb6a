// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The copies of tile_kernels.h for AVX-512 with byte permutations (VBMI). A vector is a whole line of a unit,
// or one or two rows of the unit. A permutation of two vectors combines any of their parts. So a unit takes
// half of AVX2's instructions; their number limits the speed of copies inside the caches.
//
// GCC 12 warns about the undefined operands in its own intrinsics (its bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include "pipe/layout/tile_kernels.h"

namespace terrazzo::pipe::detail {

namespace {

using V = __m512i;

V load(const uint8_t* p) {
    return _mm512_loadu_si512(p);
}
template <bool kStream>
void store(uint8_t* p, V v) {
    if (kStream)
        _mm512_stream_si512(reinterpret_cast<V*>(p), v);
    else
        _mm512_storeu_si512(p, v);
}
// Loads two rows of 32 bytes.
V load_two(const uint8_t* rows, ptrdiff_t stride_B) {
    const auto half = [&](ptrdiff_t at_B) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows + at_B));
    };
    return _mm512_inserti64x4(_mm512_castsi256_si512(half(0)), half(stride_B), 1);
}
void store_two(uint8_t* rows, ptrdiff_t stride_B, V v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows), _mm512_castsi512_si256(v));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows + stride_B), _mm512_extracti64x4_epi64(v, 1));
}

// ---- The order of the parts of two vectors: numbers from 8 (64-bit parts), 16 (32-bit) or 64 (bytes) on
// mean the second vector.
template <class T>
struct alignas(64) Order {
    T at[64 / sizeof(T)];
    V vector() const { return _mm512_load_si512(at); }
};
using Order64 = Order<uint64_t>;
using Order32 = Order<uint32_t>;
V permute(V a, V b, const Order64& order) {
    return _mm512_permutex2var_epi64(a, order.vector(), b);
}
V permute(V a, V b, const Order32& order) {
    return _mm512_permutex2var_epi32(a, order.vector(), b);
}
// Interleaves two vectors, and separates them again.
constexpr Order64 kZip64[2] = {{{0, 8, 1, 9, 2, 10, 3, 11}}, {{4, 12, 5, 13, 6, 14, 7, 15}}};
constexpr Order64 kUnzip64[2] = {{{0, 2, 4, 6, 8, 10, 12, 14}}, {{1, 3, 5, 7, 9, 11, 13, 15}}};
constexpr Order32 kZip32[2] = {{{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23}},
                               {{8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31}}};
constexpr Order32 kUnzip32[2] = {{{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}},
                                 {{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31}}};
constexpr Order64 kZip128[2] = {{{0, 1, 8, 9, 2, 3, 10, 11}}, {{4, 5, 12, 13, 6, 7, 14, 15}}};
constexpr Order64 kUnzip128[2] = {{{0, 1, 4, 5, 8, 9, 12, 13}}, {{2, 3, 6, 7, 10, 11, 14, 15}}};
constexpr Order64 kHalves[2] = {{{0, 1, 2, 3, 8, 9, 10, 11}}, {{4, 5, 6, 7, 12, 13, 14, 15}}};

// Copies one unit: tile() from rows, detile() to rows. E: bytes per element; 0: split channels.
template <uint32_t E, class Rule>
struct Unit;

// Bytes: four rows are two lines. `line`: the place of a line's byte in rows {0, 1} and in {2, 3} (from 64
// on). `rows`: the place of a byte of two rows in two lines.
struct ByteOrder {
    Order<uint8_t> line[2] = {}, rows[2] = {};
    constexpr explicit ByteOrder(bool split) {
        for (uint32_t right = 0; right < 2; ++right)
            for (uint32_t i = 0; i < 64; ++i) {
                const uint32_t x = (i & 1) | (i >> 1 & 2) | (i >> 2 & 12), y = (i >> 1 & 1) | (i >> 2 & 2);
                const uint32_t in_rows = 32 * y + (split ? 2 * x + right : 16 * right + x);
                line[right].at[i] = uint8_t(in_rows);
                rows[in_rows >> 6].at[in_rows & 63] = uint8_t(64 * right + i);
            }
    }
};
template <bool kSplit>
struct ByteUnit {
    static constexpr uint32_t kRow_B = 32;
    static constexpr ByteOrder kOrder{kSplit};
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += 128, rows += 4 * stride_B) {
            const V ab = load_two(rows, stride_B), cd = load_two(rows + 2 * stride_B, stride_B);
            for (uint32_t i = 0; i < 2; ++i)
                store<kStream>(tile + 64 * i, _mm512_permutex2var_epi8(ab, kOrder.line[i].vector(), cd));
        }
    }
    template <bool>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += 128) {
            const V left = load(tile), right = load(tile + 64);
            for (uint32_t i = 0; i < 2; ++i, rows += 2 * stride_B)
                store_two(rows, stride_B, _mm512_permutex2var_epi8(left, kOrder.rows[i].vector(), right));
        }
    }
};
template <>
struct Unit<1, MacrotileRule> : ByteUnit<false> {};
template <>
struct Unit<0, MacrotileRule> : ByteUnit<true> {};

// A line of a twiddled unit is 8x8 bytes: half of a line of the upper four rows, and half of one of the
// lower.
template <>
struct Unit<1, TwiddledRule> {
    static constexpr uint32_t kRow_B = 32;
    static constexpr auto& kOrder = ByteUnit<false>::kOrder;
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        const V ab = load_two(rows, stride_B), cd = load_two(rows + 2 * stride_B, stride_B);
        rows += 4 * stride_B;
        const V ef = load_two(rows, stride_B), gh = load_two(rows + 2 * stride_B, stride_B);
        for (uint32_t i = 0; i < 2; ++i, tile += place_B<TwiddledRule>(1, 4)) {
            const V upper = _mm512_permutex2var_epi8(ab, kOrder.line[i].vector(), cd);
            const V lower = _mm512_permutex2var_epi8(ef, kOrder.line[i].vector(), gh);
            store<kStream>(tile, permute(upper, lower, kHalves[0]));
            store<kStream>(tile + 64, permute(upper, lower, kHalves[1]));
        }
    }
    template <bool>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        const uint8_t* const right = tile + place_B<TwiddledRule>(1, 4);
        const V line[4] = {load(tile), load(tile + 64), load(right), load(right + 64)};
        for (uint32_t lower = 0; lower < 2; ++lower) {
            const V p = permute(line[0], line[1], kHalves[lower]),
                    q = permute(line[2], line[3], kHalves[lower]);
            for (uint32_t i = 0; i < 2; ++i, rows += 2 * stride_B)
                store_two(rows, stride_B, _mm512_permutex2var_epi8(p, kOrder.rows[i].vector(), q));
        }
    }
};

// Combines quads of two rows first; those of the upper and the lower rows then form lines. Two lines are
// kLine_B apart, and halves of the unit kHalf_B.
template <class Quads, class Lines, uint32_t kLine_B, uint32_t kHalf_B>
struct UnitOf4Rows {
    static constexpr uint32_t kRow_B = 64;
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        const V a = load(rows), b = load(rows + stride_B);
        const V c = load(rows + 2 * stride_B), d = load(rows + 3 * stride_B);
        for (uint32_t i = 0; i < 2; ++i, tile += kHalf_B) {
            const V upper = permute(a, b, Quads::kZip[i]), lower = permute(c, d, Quads::kZip[i]);
            store<kStream>(tile, permute(upper, lower, Lines::kZip[0]));
            store<kStream>(tile + kLine_B, permute(upper, lower, Lines::kZip[1]));
        }
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        V upper[2], lower[2];
        for (uint32_t i = 0; i < 2; ++i, tile += kHalf_B) {
            const V p = load(tile), q = load(tile + kLine_B);
            upper[i] = permute(p, q, Lines::kUnzip[0]);
            lower[i] = permute(p, q, Lines::kUnzip[1]);
        }
        for (uint32_t odd = 0; odd < 2; ++odd) {
            uint8_t* const row = rows + ptrdiff_t(odd) * stride_B;
            store<kStream>(row, permute(upper[0], upper[1], Quads::kUnzip[odd]));
            store<kStream>(row + 2 * stride_B, permute(lower[0], lower[1], Quads::kUnzip[odd]));
        }
    }
};
struct By32 {
    static constexpr auto &kZip = kZip32, &kUnzip = kUnzip32;
};
struct By64 {
    static constexpr auto &kZip = kZip64, &kUnzip = kUnzip64;
};
struct By128 {
    static constexpr auto &kZip = kZip128, &kUnzip = kUnzip128;
};
struct By256 {
    static constexpr auto &kZip = kHalves, &kUnzip = kHalves;
};
template <class Rule>
struct Unit<2, Rule> : UnitOf4Rows<By32, By128, place_B<Rule>(2, 2), place_B<Rule>(2, 4)> {};
template <class Rule>
struct Unit<4, Rule> : UnitOf4Rows<By64, By256, place_B<Rule>(4, 1), place_B<Rule>(4, 2)> {};

// A pair of elements has 16 bytes or more: two rows are two lines.
template <class Quads, uint32_t kLine_B, uint32_t kPair_B>
struct UnitOf2Rows {
    static constexpr uint32_t kRow_B = 64;
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, tile += kPair_B, rows += 2 * stride_B) {
            const V a = load(rows), b = load(rows + stride_B);
            store<kStream>(tile, permute(a, b, Quads::kZip[0]));
            store<kStream>(tile + kLine_B, permute(a, b, Quads::kZip[1]));
        }
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, tile += kPair_B, rows += 2 * stride_B) {
            const V left = load(tile), right = load(tile + kLine_B);
            store<kStream>(rows, permute(left, right, Quads::kUnzip[0]));
            store<kStream>(rows + stride_B, permute(left, right, Quads::kUnzip[1]));
        }
    }
};
template <class Rule>
struct Unit<8, Rule> : UnitOf2Rows<By128, 128, 64> {};
template <class Rule>
struct Unit<16, Rule> : UnitOf2Rows<By256, 64, 128> {};

template <uint32_t E, bool kTile, bool kStream, class Rule>
void copy_all(const UnitRun<Rule>& r) {
    each_unit<E, kTile>(r, Unit<E, Rule>::kRow_B, [](uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        if (kTile)
            Unit<E, Rule>::template tile<kStream>(tile, rows, stride_B);
        else
            Unit<E, Rule>::template detile<kStream>(tile, rows, stride_B);
    });
}
template <uint32_t E, bool kTile, class Rule>
void copy_run(const UnitRun<Rule>& r) {
    if (!r.stream) return copy_all<E, kTile, false>(r);
    copy_all<E, kTile, true>(r);
    _mm_sfence();
}
template <uint32_t E, class Rule>
constexpr UnitCopy<Rule> kCopy = {copy_run<E, true, Rule>, copy_run<E, false, Rule>};
template <class Rule>
constexpr TileKernels<Rule> kCopies = {
    {kCopy<1, Rule>, kCopy<2, Rule>, kCopy<4, Rule>, kCopy<8, Rule>, kCopy<16, Rule>}};

}  // namespace

const KernelSet kKernelsAvx512 = {kCopies<MacrotileRule>, kCopies<TwiddledRule>, kCopy<0, MacrotileRule>};

}  // namespace terrazzo::pipe::detail
