// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The copies of tile_kernels.h for AVX2. A vector is 32 bytes of a row, or half a line of a unit. In a unit,
// quads and then 4x4 blocks are contiguous: in-lane unpacking of two rows combines quads, and one permutation
// per result fetches the two halves of a 32-byte piece from their lanes.
#include <immintrin.h>

#include "pipe/layout/tile_kernels.h"

namespace terrazzo::pipe::detail {

namespace {

using V = __m256i;

V load(const uint8_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const V*>(p));
}
template <bool kStream>
void store(uint8_t* p, V v) {
    if (kStream)
        _mm256_stream_si256(reinterpret_cast<V*>(p), v);
    else
        _mm256_storeu_si256(reinterpret_cast<V*>(p), v);
}
// {a.low, b.low} and {a.high, b.high}
V lows(V a, V b) {
    return _mm256_permute2x128_si256(a, b, 0x20);
}
V highs(V a, V b) {
    return _mm256_permute2x128_si256(a, b, 0x31);
}
// Joins two pieces of 16 bytes. Among many shuffles, two loads are cheaper than a permutation.
V join(const uint8_t* low, const uint8_t* high) {
    const auto half = [](const uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
    return _mm256_inserti128_si256(_mm256_castsi128_si256(half(low)), half(high), 1);
}
// Each lane has two 32-bit elements of p, then two of q.
template <int kWhich>
V pick(V p, V q) {
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(p), _mm256_castsi256_ps(q), kWhich));
}
// The same bytes in both lanes.
V mask(char a, char b, char c, char d, char e, char f, char g, char h, char i, char j, char k, char l, char m,
       char n, char o, char p) {
    return _mm256_broadcastsi128_si256(_mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p));
}

// ---- bytes: 4 rows of 32 are 8 blocks of 16 bytes, in pairs

template <bool kStream, class Rule>
void tile_bytes(uint8_t* tile, V a, V b, V c, V d) {
    const V upper[2] = {_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)};
    const V lower[2] = {_mm256_unpacklo_epi16(c, d), _mm256_unpackhi_epi16(c, d)};
    for (uint32_t i = 0; i < 2; ++i) {
        const V even = _mm256_unpacklo_epi64(upper[i], lower[i]),
                odd = _mm256_unpackhi_epi64(upper[i], lower[i]);
        store<kStream>(tile + place_B<Rule>(1, 2 * i), lows(even, odd));
        store<kStream>(tile + place_B<Rule>(1, 4 + 2 * i), highs(even, odd));
    }
}
struct Rows {
    V row[4];
};
template <class Rule>
Rows detile_bytes(const uint8_t* tile) {
    // Combines the pairs of each row of a block.
    const V by_row = mask(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
    V block[4];  // 0 and 4, 1 and 5, ...
    for (uint32_t i = 0; i < 4; ++i) {
        const uint8_t* const left = tile + place_B<Rule>(1, i & 2) + 16 * (i & 1);
        block[i] = _mm256_shuffle_epi8(join(left, left + place_B<Rule>(1, 4)), by_row);
    }
    const V upper[2] = {_mm256_unpacklo_epi32(block[0], block[1]), _mm256_unpacklo_epi32(block[2], block[3])};
    const V lower[2] = {_mm256_unpackhi_epi32(block[0], block[1]), _mm256_unpackhi_epi32(block[2], block[3])};
    return {{_mm256_unpacklo_epi64(upper[0], upper[1]), _mm256_unpackhi_epi64(upper[0], upper[1]),
             _mm256_unpacklo_epi64(lower[0], lower[1]), _mm256_unpackhi_epi64(lower[0], lower[1])}};
}

// Copies one unit: tile() from rows, detile() to rows. E: bytes per element; 0: split channels.
template <uint32_t E, class Rule>
struct Unit;

template <class Rule>
struct Unit<1, Rule> {
    static constexpr uint32_t kRow_B = 32;
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += place_B<Rule>(1, 0, 1), rows += 4 * stride_B)
            tile_bytes<kStream, Rule>(tile, load(rows), load(rows + stride_B), load(rows + 2 * stride_B),
                                      load(rows + 3 * stride_B));
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += place_B<Rule>(1, 0, 1)) {
            const Rows r = detile_bytes<Rule>(tile);
            for (uint32_t y = 0; y < 4; ++y, rows += stride_B)
                store<kStream>(rows, r.row[y]);
        }
    }
};

template <class Rule>
struct Unit<0, Rule> {
    static constexpr uint32_t kRow_B = 32;
    // {all R, all G} of a row
    static V apart(const uint8_t* row) {
        const V by_channel = mask(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
        return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(load(row), by_channel), 0xd8);
    }
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += 128, rows += 4 * stride_B)
            tile_bytes<kStream, Rule>(tile, apart(rows), apart(rows + stride_B), apart(rows + 2 * stride_B),
                                      apart(rows + 3 * stride_B));
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        const V in_turn = mask(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
        for (uint32_t half = 0; half < 2; ++half, tile += 128) {
            const Rows r = detile_bytes<Rule>(tile);
            for (uint32_t y = 0; y < 4; ++y, rows += stride_B)
                store<kStream>(rows, _mm256_shuffle_epi8(_mm256_permute4x64_epi64(r.row[y], 0xd8), in_turn));
        }
    }
};

template <class Rule>
struct Unit<2, Rule> {
    static constexpr uint32_t kRow_B = 64, kPair_B = place_B<Rule>(2, 2);
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += place_B<Rule>(2, 4), rows += 32) {
            const V a = load(rows), b = load(rows + stride_B);
            const V c = load(rows + 2 * stride_B), d = load(rows + 3 * stride_B);
            const V upper[2] = {_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)};
            const V lower[2] = {_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d)};
            for (uint32_t i = 0; i < 2; ++i) {
                store<kStream>(tile + 32 * i, lows(upper[i], lower[i]));
                store<kStream>(tile + kPair_B + 32 * i, highs(upper[i], lower[i]));
            }
        }
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += place_B<Rule>(2, 4), rows += 32) {
            const V even[2] = {load(tile), load(tile + kPair_B)},
                    odd[2] = {load(tile + 32), load(tile + kPair_B + 32)};
            const V upper[2] = {lows(even[0], even[1]), lows(odd[0], odd[1])};
            const V lower[2] = {highs(even[0], even[1]), highs(odd[0], odd[1])};
            store<kStream>(rows, pick<0x88>(upper[0], upper[1]));
            store<kStream>(rows + stride_B, pick<0xdd>(upper[0], upper[1]));
            store<kStream>(rows + 2 * stride_B, pick<0x88>(lower[0], lower[1]));
            store<kStream>(rows + 3 * stride_B, pick<0xdd>(lower[0], lower[1]));
        }
    }
};

template <class Rule>
struct Unit<4, Rule> {
    static constexpr uint32_t kRow_B = 64;
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, tile += place_B<Rule>(4, 2), rows += 32) {
            const V a = load(rows), b = load(rows + stride_B);
            const V c = load(rows + 2 * stride_B), d = load(rows + 3 * stride_B);
            const V upper[2] = {_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)};
            const V lower[2] = {_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d)};
            store<kStream>(tile, lows(upper[0], upper[1]));
            store<kStream>(tile + 32, lows(lower[0], lower[1]));
            store<kStream>(tile + 64, highs(upper[0], upper[1]));
            store<kStream>(tile + 96, highs(lower[0], lower[1]));
        }
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        V quads[4][2];  // the upper pairs; in their halves those of the lower rows
        for (uint32_t half = 0; half < 2; ++half, tile += place_B<Rule>(4, 2)) {
            const V upper[2] = {load(tile), load(tile + 64)}, lower[2] = {load(tile + 32), load(tile + 96)};
            const V u0 = lows(upper[0], upper[1]), u1 = highs(upper[0], upper[1]);
            const V l0 = lows(lower[0], lower[1]), l1 = highs(lower[0], lower[1]);
            quads[0][half] = _mm256_unpacklo_epi64(u0, u1);
            quads[1][half] = _mm256_unpackhi_epi64(u0, u1);
            quads[2][half] = _mm256_unpacklo_epi64(l0, l1);
            quads[3][half] = _mm256_unpackhi_epi64(l0, l1);
        }
        for (uint32_t y = 0; y < 4; ++y, rows += stride_B) {
            store<kStream>(rows, quads[y][0]);
            store<kStream>(rows + 32, quads[y][1]);
        }
    }
};

template <class Rule>
struct Unit<8, Rule> {
    static constexpr uint32_t kRow_B = 64;
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t half = 0; half < 2; ++half, rows += 32)
            for (uint32_t lower = 0; lower < 2; ++lower, tile += 64) {
                const uint8_t* const two = rows + 2 * ptrdiff_t(lower) * stride_B;
                const V a = load(two), b = load(two + stride_B);
                store<kStream>(tile, lows(a, b));
                store<kStream>(tile + 32, highs(a, b));
            }
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, tile += 64, rows += 2 * stride_B) {
            const V a = load(tile), b = load(tile + 32), c = load(tile + 128), d = load(tile + 160);
            store<kStream>(rows, lows(a, b));
            store<kStream>(rows + 32, lows(c, d));
            store<kStream>(rows + stride_B, highs(a, b));
            store<kStream>(rows + stride_B + 32, highs(c, d));
        }
    }
};

template <class Rule>
struct Unit<16, Rule> {
    static constexpr uint32_t kRow_B = 64;
    template <bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, tile += 128, rows += 2 * stride_B)
            for (uint32_t right = 0; right < 2; ++right) {
                store<kStream>(tile + 64 * right, load(rows + 32 * right));
                store<kStream>(tile + 64 * right + 32, load(rows + stride_B + 32 * right));
            }
    }
    template <bool kStream>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, tile += 128, rows += 2 * stride_B)
            for (uint32_t odd = 0; odd < 2; ++odd) {
                store<kStream>(rows + ptrdiff_t(odd) * stride_B, load(tile + 32 * odd));
                store<kStream>(rows + ptrdiff_t(odd) * stride_B + 32, load(tile + 64 + 32 * odd));
            }
    }
};

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

const KernelSet kKernelsAvx2 = {kCopies<MacrotileRule>, kCopies<TwiddledRule>, kCopy<0, MacrotileRule>};

}  // namespace terrazzo::pipe::detail
