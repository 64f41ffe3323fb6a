// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The copies of interleaved.cpp for AVX2. A vector holds 32 bytes of a row, or two 16-byte pieces of
// different rows or tiles, one per lane. The number of instructions limits the speed, even more if another
// thread shares the core. So lanes are exchanged by one permutation per result, of which one of two can read
// its second operand from memory. In-lane shuffles with two operands also sort elements. Byte shuffles
// reverse the elements that the boustrophedon order reverses.
#include <immintrin.h>

#include "pipe/layout/interleaved_kernels.h"

namespace terrazzo::pipe::detail {

namespace {

using V = __m256i;
constexpr auto& kAt = kInterleavedOrder;

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
// Stores both halves of a row's line together, since lines of several rows may have the same place in the
// cache.
void store_line(uint8_t* p, V left, V right) {
    store<false>(p, left);
    store<false>(p + 32, right);
}
// Prefetches data that is needed soon: `kAhead_B` further on, in the same rows of a later tile. Otherwise
// stores that miss wait for their line's old content. (prefetchw is older than AVX2, or does nothing.)
void expect_write(const uint8_t* p) {
    asm volatile("prefetchw (%0)" : : "r"(p));
}
// (Not _mm_prefetch: GCC considers a function with nothing else as having no effect.)
void expect_read(const uint8_t* p) {
    asm volatile("prefetcht0 (%0)" : : "r"(p));
}
template <uint32_t E>
constexpr uint32_t kAhead_B = E == 16  ? 4096
                              : E == 4 ? 3072
                                       : 2048;

// {a.low, b.low} and {a.high, b.high}
V lows(V a, V b) {
    return _mm256_permute2x128_si256(a, b, 0x20);
}
V highs(V a, V b) {
    return _mm256_permute2x128_si256(a, b, 0x31);
}
V insert(V low, const uint8_t* high) {
    return _mm256_inserti128_si256(low, _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
}
V lows(const uint8_t* a, const uint8_t* b) {
    return insert(load(a), b);
}
V highs(const uint8_t* a, const uint8_t* b) {
    return highs(load(a), load(b));
}
// Joins two pieces of 16 bytes.
V join(const uint8_t* low, const uint8_t* high) {
    return insert(_mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))), high);
}
V swap_lanes(V v) {
    return _mm256_permute2x128_si256(v, v, 0x01);
}
V swap32(V v) {
    return _mm256_shuffle_epi32(v, 0xb1);
}
V swap64(V v) {
    return _mm256_shuffle_epi32(v, 0x4e);
}
V shuffle(V v, V by) {
    return _mm256_shuffle_epi8(v, by);
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

// ---- 1 byte: a 4x4 block is 16 bytes, a line is a quarter of a tile; two tiles at a time, one per lane

// Four rows of two tiles: each tile's two left blocks, then its two right ones, in the tile's order.
struct Blocks {
    V left[2], right[2];
};
template <uint32_t kY>
Blocks blocks_of_rows(const uint8_t* rows, ptrdiff_t stride_B) {
    const V pairs = mask(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    rows += 4 * ptrdiff_t(kY) * stride_B;
    const V a = load(rows), b = shuffle(load(rows + stride_B), pairs);
    const V c = load(rows + 2 * stride_B), d = shuffle(load(rows + 3 * stride_B), pairs);
    const V ab[2] = {_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)};  // left and right half
    const V cd[2] = {_mm256_unpacklo_epi16(c, d), _mm256_unpackhi_epi16(c, d)};
    Blocks out;
    for (uint32_t half = 0; half < 2; ++half) {
        const V block[2] = {pick<0x14>(ab[half], cd[half]), pick<0xbe>(ab[half], cd[half])};
        V* const two = half ? out.right : out.left;
        two[0] = lows(block[kY & 1], block[1 - (kY & 1)]);
        two[1] = highs(block[kY & 1], block[1 - (kY & 1)]);
    }
    return out;
}
// Copies the upper or the lower 8 rows of two tiles. In the lower half the right quarter comes first.
template <uint32_t kLower>
void tile_pair(uint8_t* tiles, const uint8_t* rows, ptrdiff_t stride_B) {
    const Blocks up = blocks_of_rows<2 * kLower>(rows, stride_B),
                 low = blocks_of_rows<2 * kLower + 1>(rows, stride_B);
    uint8_t *const left = tiles + 192 * kLower, *const right = tiles + 64 * (1 + kLower);
    for (uint32_t tile = 0; tile < 2; ++tile) {
        store<false>(left + 256 * tile, up.left[tile]);
        store<false>(left + 256 * tile + 32, low.left[tile]);
        store<false>(right + 256 * tile, up.right[tile]);
        store<false>(right + 256 * tile + 32, low.right[tile]);
    }
}
template <uint32_t kY>
void detile_pair(const uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B) {
    // Separates the bytes of two blocks' two rows: first those of the upper row, then those of the lower one.
    const V apart = mask(0, 1, 4, 5, 8, 9, 12, 13, 3, 2, 7, 6, 11, 10, 15, 14);
    V v[4];
    for (uint32_t x = 0; x < 4; ++x)
        v[x] = join(tiles + 16 * kAt[kY][x], tiles + 256 + 16 * kAt[kY][x]);
    const V left = shuffle(_mm256_unpacklo_epi64(v[0], v[1]), apart),
            right = shuffle(_mm256_unpacklo_epi64(v[2], v[3]), apart),
            lower_left = shuffle(pick<0xbb>(v[0], v[1]), apart),
            lower_right = shuffle(pick<0xbb>(v[2], v[3]), apart);
    rows += 4 * ptrdiff_t(kY) * stride_B;
    store<false>(rows, _mm256_unpacklo_epi64(left, right));
    store<false>(rows + stride_B, _mm256_unpackhi_epi64(left, right));
    store<false>(rows + 2 * stride_B, _mm256_unpacklo_epi64(lower_left, lower_right));
    store<false>(rows + 3 * stride_B, _mm256_unpackhi_epi64(lower_left, lower_right));
}
void tile_bytes(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    for (; count >= 2; count -= 2, tiles += 512, rows += 32) {
        tile_pair<0>(tiles, rows, stride_B);
        tile_pair<1>(tiles, rows, stride_B);
    }
    if (count) kInterleavedBaseline.tiles16[0].tile(tiles, rows, stride_B, 1, false);
}
void detile_bytes(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    for (; count >= 2; count -= 2, tiles += 512, rows += 32) {
        detile_pair<0>(tiles, rows, stride_B);
        detile_pair<1>(tiles, rows, stride_B);
        detile_pair<2>(tiles, rows, stride_B);
        detile_pair<3>(tiles, rows, stride_B);
    }
    if (count) kInterleavedBaseline.tiles16[0].detile(tiles, rows, stride_B, 1, false);
}

// ---- 2 to 16 bytes: strips of 4 rows and 16 elements. `at`: the places of its four blocks, in blocks; a
// line is two blocks of 2 bytes, one of 4, half a one of 8.

template <uint32_t E>
struct Strip;

template <>
struct Strip<2> {
    template <bool kStream>
    static void tile(uint32_t y, uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        const auto& at = kAt[y];
        // Reverses the pairs of the second row, and the groups of four of the fourth row.
        const V turn = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13,  //
                                        6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10, 11, 8, 9);
        const uint8_t *const b = rows + stride_B, *const d = rows + 3 * stride_B;
        const V a = load(rows), c = swap32(load(rows + 2 * stride_B));
        const V ac[2] = {lows(a, c), highs(a, c)},
                bd[2] = {shuffle(lows(b, d), turn), shuffle(highs(b, d), turn)};
        for (uint32_t half = 0; half < 2; ++half) {
            store<kStream>(tile + 32 * at[2 * half], _mm256_unpacklo_epi32(ac[half], bd[half]));
            store<kStream>(tile + 32 * at[2 * half + 1], _mm256_unpackhi_epi32(ac[half], bd[half]));
        }
    }
    static void detile(uint32_t y, const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        const auto& at = kAt[y];
        const V pairs = mask(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        const uint8_t* block[4];
        for (uint32_t x = 0; x < 4; ++x)
            block[x] = tile + 32 * at[x];
        const V even[2] = {lows(block[0], block[2]), highs(block[0], block[2])};
        const V odd[2] = {lows(block[1], block[3]), highs(block[1], block[3])};
        store<false>(rows, pick<0x88>(even[0], odd[0]));
        store<false>(rows + stride_B, shuffle(pick<0xdd>(even[0], odd[0]), pairs));
        store<false>(rows + 2 * stride_B, pick<0x22>(even[1], odd[1]));
        store<false>(rows + 3 * stride_B, shuffle(pick<0x77>(even[1], odd[1]), pairs));
    }
};

template <>
struct Strip<4> {
    template <bool kStream>
    static void tile(uint32_t y, uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        const auto& at = kAt[y];
        for (uint32_t x = 0; x < 4; x += 2, rows += 32) {
            const V a = load(rows), b = swap32(load(rows + stride_B));
            const V c = load(rows + 2 * stride_B), d = swap32(load(rows + 3 * stride_B));
            const V upper[2] = {_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)};
            const V lower[2] = {_mm256_unpackhi_epi64(c, d), _mm256_unpacklo_epi64(c, d)};
            uint8_t *const left = tile + 64 * at[x], *const right = tile + 64 * at[x + 1];
            store<kStream>(left, lows(upper[0], upper[1]));
            store<kStream>(left + 32, lows(lower[0], lower[1]));
            store<kStream>(right, highs(upper[0], upper[1]));
            store<kStream>(right + 32, highs(lower[0], lower[1]));
        }
    }
    static void detile(uint32_t y, const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        const auto& at = kAt[y];
        V quads[2][4];  // for each half: the upper left pixels, upper right, lower right, lower left
        for (uint32_t half = 0; half < 2; ++half) {
            const uint8_t *const left = tile + 64 * at[2 * half], *const right = tile + 64 * at[2 * half + 1];
            quads[half][0] = lows(left, right);
            quads[half][1] = highs(left, right);
            quads[half][2] = lows(left + 32, right + 32);
            quads[half][3] = highs(left + 32, right + 32);
        }
        const auto &l = quads[0], &r = quads[1];
        store_line(rows, _mm256_unpacklo_epi64(l[0], l[1]), _mm256_unpacklo_epi64(r[0], r[1]));
        store_line(rows + stride_B, swap32(_mm256_unpackhi_epi64(l[0], l[1])),
                   swap32(_mm256_unpackhi_epi64(r[0], r[1])));
        store_line(rows + 2 * stride_B, _mm256_unpacklo_epi64(l[3], l[2]), _mm256_unpacklo_epi64(r[3], r[2]));
        store_line(rows + 3 * stride_B, swap32(_mm256_unpackhi_epi64(l[3], l[2])),
                   swap32(_mm256_unpackhi_epi64(r[3], r[2])));
    }
};

template <uint32_t E>
struct Block;

template <>
struct Block<8> {
    template <bool kStream>
    static void tile(uint8_t* run, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 2 * stride_B) {
            const V a = load(rows), b = swap64(load(rows + stride_B));
            store<kStream>(run + 96 * lower, lows(a, b));
            store<kStream>(run + 32 + 32 * lower, highs(a, b));
        }
    }
    static void detile(const uint8_t* run, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 2 * stride_B) {
            const uint8_t *const left = run + 96 * lower, *const right = run + 32 + 32 * lower;
            const V a = lows(left, right), b = swap64(highs(left, right));
            store<false>(rows, a);
            store<false>(rows + stride_B, b);
        }
    }
};

template <>
struct Block<16> {
    // Two rows of a block are four quads of two lines: {the quad's upper pair, its lower pair} twice.
    template <bool kStream>
    static void tile(uint8_t* run, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 2 * stride_B)
            for (uint32_t right = 0; right < 2; ++right) {
                uint8_t* const quad = run + 128 * lower + 64 * (right ^ lower);
                store<kStream>(quad, load(rows + 32 * right));
                store<kStream>(quad + 32, swap_lanes(load(rows + 32 * right + stride_B)));
            }
    }
    static void detile(const uint8_t* run, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t lower = 0; lower < 2; ++lower, rows += 2 * stride_B) {
            const uint8_t *const left = run + 192 * lower, *const right = run + 64 * (1 + lower);
            store_line(rows, load(left), load(right));
            store_line(rows + stride_B, swap_lanes(load(left + 32)), swap_lanes(load(right + 32)));
        }
    }
};

template <uint32_t E>
struct Blocks4 {
    template <bool kStream>
    static void tile(uint32_t y, uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t x = 0; x < 4; ++x)
            Block<E>::template tile<kStream>(tile + 16 * E * kAt[y][x], rows + 4 * E * x, stride_B);
    }
};
template <>
struct Strip<8> : Blocks4<8> {
    // Two blocks at a time; each row of them is a line.
    static void detile(uint32_t y, const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t x = i & 2, lower = i & 1, left_B = 96 * lower, right_B = 32 + 32 * lower;
            const uint8_t *const p = tile + 128 * kAt[y][x], *const q = tile + 128 * kAt[y][x + 1];
            const V a = lows(p + left_B, p + right_B), b = swap64(highs(p + left_B, p + right_B));
            const V c = lows(q + left_B, q + right_B), d = swap64(highs(q + left_B, q + right_B));
            uint8_t* const out = rows + 32 * x + 2 * ptrdiff_t(lower) * stride_B;
            store_line(out, a, c);
            store_line(out + stride_B, b, d);
        }
    }
};
template <>
struct Strip<16> : Blocks4<16> {
    static void detile(uint32_t y, const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        for (uint32_t x = 0; x < 4; ++x)
            Block<16>::detile(tile + 256 * kAt[y][x], rows + 64 * x, stride_B);
    }
};

// Calls line(p) for the lines of a strip in a tile.
template <uint32_t E, class F>
void each_line(uint32_t y, const uint8_t* tile, F&& line) {
    for (uint32_t x = 0; x < 4; x += E == 2 ? 2 : 1)
        for (uint32_t at_B = 0; at_B < (E == 2 ? 64 : 16 * E); at_B += 64)
            line(tile + (kAt[y][x] & (E == 2 ? ~1u : ~0u)) * 16 * E + at_B);
}

// Calls strip(y, tile, rows) for each strip. kStrips is the number of a tile's strips that are copied
// together. It was measured: if a tile's row has few bytes, one strip at a time would access lines twice. In
// each half the line that both halves share comes last.
template <uint32_t E, uint32_t kStrips, class F>
void each_strip(uint8_t* tiles, uint8_t* rows, uint32_t count, F strip) {
    const auto one = [=](uint32_t j, uint32_t i) {
        strip(j ^ j >> 1, tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E);
    };
    if constexpr (kStrips == 1) {  // too long to be written out four times
#pragma GCC unroll 1
        for (uint32_t j = 0; j < 4; ++j)
            for (uint32_t i = 0; i < count; ++i)
                one(j, i);
    } else {
#pragma GCC unroll 4
        for (uint32_t first = 0; first < 4; first += kStrips)
            for (uint32_t i = 0; i < count; ++i)
#pragma GCC unroll 4
                for (uint32_t j = first; j < first + kStrips; ++j)
                    one(j, i);
    }
}
template <uint32_t E, bool kStream>
void tile_all(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count) {
    each_strip<E, E == 2   ? 4
                  : E <= 8 ? 2
                           : 1>(tiles, rows, count, [=](uint32_t y, uint8_t* tile, const uint8_t* from) {
        if (!kStream && E > 2) each_line<E>(y, tile + kAhead_B<E>, expect_write);
        Strip<E>::template tile<kStream>(y, tile, from + 4 * ptrdiff_t(y) * stride_B, stride_B);
    });
}
template <uint32_t E>
void tile_whole(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool stream) {
    if (!stream) return tile_all<E, false>(tiles, rows, stride_B, count);
    tile_all<E, true>(tiles, rows, stride_B, count);
    _mm_sfence();
}
template <uint32_t E>
void detile_whole(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    each_strip<E, E <= 8 ? 2 : 1>(tiles, rows, count, [=](uint32_t y, const uint8_t* tile, uint8_t* to) {
        each_line<E>(y, tile + kAhead_B<E>, expect_read);
        Strip<E>::detile(y, tile, to + 4 * ptrdiff_t(y) * stride_B, stride_B);
    });
}

// Copies tiles of 4x4 elements.
template <uint32_t E>
void tile_blocks(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool stream) {
    if (!stream) {
        for (uint32_t i = 0; i < count; ++i, tiles += 16 * E, rows += 4 * E)
            Block<E>::template tile<false>(tiles, rows, stride_B);
        return;
    }
    for (uint32_t i = 0; i < count; ++i, tiles += 16 * E, rows += 4 * E)
        Block<E>::template tile<true>(tiles, rows, stride_B);
    _mm_sfence();
}
template <uint32_t E>
void detile_blocks(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    for (uint32_t i = 0; i < count; ++i, tiles += 16 * E, rows += 4 * E)
        Block<E>::detile(tiles, rows, stride_B);
}

}  // namespace

const InterleavedKernels kInterleavedAvx2 = {
    {{tile_bytes, detile_bytes},
     {tile_whole<2>, detile_whole<2>},
     {tile_whole<4>, detile_whole<4>},
     {tile_whole<8>, detile_whole<8>},
     {tile_whole<16>, detile_whole<16>}},
    {{}, {}, {}, {tile_blocks<8>, detile_blocks<8>}, {tile_blocks<16>, detile_blocks<16>}},
};

}  // namespace terrazzo::pipe::detail
