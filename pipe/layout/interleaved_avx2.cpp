// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The copies of interleaved.cpp for AVX2. Vectors hold 32 bytes of a row, or two 16-byte pieces of different
// rows or tiles, one a lane; lanes trade places by one permutation and two blends for two results, as the CPU
// permutes less often than it blends. Elements that the boustrophedon turns round are put right by byte
// shuffles.
#include <immintrin.h>

#include "pipe/layout/interleaved_kernels.h"

namespace terrazzo::pipe::detail {

namespace {

using V = __m256i;
constexpr auto& kAt = kInterleavedOrder;

inline V load(const uint8_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const V*>(p));
}
// Two pieces of 16 bytes.
V join(const uint8_t* low, const uint8_t* high) {
    const auto piece = [](const uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
    return _mm256_inserti128_si256(_mm256_castsi128_si256(piece(low)), piece(high), 1);
}
template <bool kStream>
void store(uint8_t* p, V v) {
    if (kStream)
        _mm256_stream_si256(reinterpret_cast<V*>(p), v);
    else
        _mm256_storeu_si256(reinterpret_cast<V*>(p), v);
}
// What is needed soon is asked for early: `kAhead_B` further on, which is in the same rows of a later tile.
// Stores that miss wait for their line's old content. (prefetchw is older than AVX2, or does nothing.)
void expect_write(const uint8_t* p) {
    asm volatile("prefetchw (%0)" : : "r"(p));
}
void expect_read(const uint8_t* p) {
    _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0);
}
template <uint32_t E>
constexpr uint32_t kAhead_B = E == 16 ? 4096 : E == 4 ? 3072 : 2048;

struct Two {
    V a, b;
};
// {a.low, b.low}, {a.high, b.high}
Two trade(V a, V b) {
    const V middle = _mm256_permute2x128_si256(a, b, 0x21);
    return {_mm256_blend_epi32(a, middle, 0xf0), _mm256_blend_epi32(middle, b, 0xf0)};
}
V swap_lanes(V v) {
    return _mm256_permute4x64_epi64(v, 0x4e);
}
V swap32(V v) {
    return _mm256_shuffle_epi32(v, 0xb1);
}
V swap64(V v) {
    return _mm256_shuffle_epi32(v, 0x4e);
}
// The same bytes of both lanes.
V mask(char a, char b, char c, char d, char e, char f, char g, char h, char i, char j, char k, char l, char m,
       char n, char o, char p) {
    return _mm256_broadcastsi128_si256(_mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p));
}

// ---- 1 byte: a 4x4 block is 16 bytes, a line a quarter of a tile; two tiles at a time, one a lane

struct Four {
    V v[4];
};
// Of four rows the four blocks: pairs of pixels zipped to quads, then quads to blocks.
Four blocks_of_rows(const uint8_t* rows, ptrdiff_t stride_B) {
    const V pairs = mask(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    const V quads = mask(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    const V both = mask(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    const V a = load(rows), b = _mm256_shuffle_epi8(load(rows + stride_B), pairs);
    const V c = _mm256_shuffle_epi8(load(rows + 2 * stride_B), quads),
            d = _mm256_shuffle_epi8(load(rows + 3 * stride_B), both);
    const V left = _mm256_unpacklo_epi16(a, b), right = _mm256_unpackhi_epi16(a, b);
    const V lower_left = _mm256_unpacklo_epi16(c, d), lower_right = _mm256_unpackhi_epi16(c, d);
    return {{_mm256_unpacklo_epi64(left, lower_left), _mm256_unpackhi_epi64(left, lower_left),
             _mm256_unpacklo_epi64(right, lower_right), _mm256_unpackhi_epi64(right, lower_right)}};
}
void rows_of_blocks(const Four& blocks, uint8_t* rows, ptrdiff_t stride_B) {
    const V upper = mask(0, 1, 4, 5, 8, 9, 12, 13, 3, 2, 7, 6, 11, 10, 15, 14);
    const V lower = mask(4, 5, 0, 1, 12, 13, 8, 9, 7, 6, 3, 2, 15, 14, 11, 10);
    const auto& v = blocks.v;
    const V left = _mm256_shuffle_epi8(_mm256_unpacklo_epi64(v[0], v[1]), upper),
            right = _mm256_shuffle_epi8(_mm256_unpacklo_epi64(v[2], v[3]), upper),
            lower_left = _mm256_shuffle_epi8(_mm256_unpackhi_epi64(v[0], v[1]), lower),
            lower_right = _mm256_shuffle_epi8(_mm256_unpackhi_epi64(v[2], v[3]), lower);
    store<false>(rows, _mm256_unpacklo_epi64(left, right));
    store<false>(rows + stride_B, _mm256_unpackhi_epi64(left, right));
    store<false>(rows + 2 * stride_B, _mm256_unpacklo_epi64(lower_left, lower_right));
    store<false>(rows + 3 * stride_B, _mm256_unpackhi_epi64(lower_left, lower_right));
}

// The upper or the lower 8 rows of two tiles. In the lower half the right quarter comes first.
template <uint32_t kLower>
void tile_pair(uint8_t* tiles, const uint8_t* rows, ptrdiff_t stride_B) {
    rows += kLower * 8 * stride_B;
    const Four up = blocks_of_rows(rows, stride_B), low = blocks_of_rows(rows + 4 * stride_B, stride_B);
    const auto quarter = [](uint8_t* line, V a, V b, V c, V d) {
        const Two first = trade(a, b), second = trade(c, d);
        store<false>(line, first.a);
        store<false>(line + 32, second.a);
        store<false>(line + 256, first.b);
        store<false>(line + 256 + 32, second.b);
    };
    tiles += 128 * kLower;
    quarter(tiles + 64 * kLower, up.v[0], up.v[1], low.v[1], low.v[0]);
    quarter(tiles + 64 * (1 - kLower), up.v[2], up.v[3], low.v[3], low.v[2]);
}
template <uint32_t kLower>
void detile_pair(const uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B) {
    const auto block = [&](uint32_t right, uint32_t i) {
        const uint8_t* const p = tiles + 128 * kLower + 64 * (right ^ kLower) + 16 * i;
        return join(p, p + 256);
    };
    rows += kLower * 8 * stride_B;
    rows_of_blocks({{block(0, 0), block(0, 1), block(1, 0), block(1, 1)}}, rows, stride_B);
    rows_of_blocks({{block(0, 3), block(0, 2), block(1, 3), block(1, 2)}}, rows + 4 * stride_B, stride_B);
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
    }
    if (count) kInterleavedBaseline.tiles16[0].detile(tiles, rows, stride_B, 1, false);
}

// ---- 2 to 16 bytes: strips of 4 rows and 16 elements. `at`: where its four blocks are, in blocks; a line is
// two blocks of 2 bytes, one of 4, half a one of 8.

template <uint32_t E>
struct Strip;

template <>
struct Strip<2> {
    template <uint32_t kY, bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        const V pairs = mask(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        const V fours = mask(6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10, 11, 8, 9);
        const V a = load(rows), b = _mm256_shuffle_epi8(load(rows + stride_B), pairs);
        const V c = swap32(load(rows + 2 * stride_B)),
                d = _mm256_shuffle_epi8(load(rows + 3 * stride_B), fours);
        const Two even = trade(_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        const Two odd = trade(_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        store<kStream>(tile + 32 * at[0], even.a);
        store<kStream>(tile + 32 * at[1], odd.a);
        store<kStream>(tile + 32 * at[2], even.b);
        store<kStream>(tile + 32 * at[3], odd.b);
    }
    template <uint32_t kY>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        const V pairs = mask(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        const Two even = trade(load(tile + 32 * at[0]), load(tile + 32 * at[2]));
        const Two odd = trade(load(tile + 32 * at[1]), load(tile + 32 * at[3]));
        store<false>(rows, pick<0x88>(even.a, odd.a));
        store<false>(rows + stride_B, _mm256_shuffle_epi8(pick<0xdd>(even.a, odd.a), pairs));
        store<false>(rows + 2 * stride_B, pick<0x22>(even.b, odd.b));
        store<false>(rows + 3 * stride_B, _mm256_shuffle_epi8(pick<0x77>(even.b, odd.b), pairs));
    }

  private:
    // In each lane two 32-bit elements of p, then two of q.
    template <int kWhich>
    static V pick(V p, V q) {
        return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(p), _mm256_castsi256_ps(q), kWhich));
    }
};

template <>
struct Strip<4> {
    template <uint32_t kY, bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        for (uint32_t x = 0; x < 4; x += 2, rows += 32) {
            const V a = load(rows), b = swap32(load(rows + stride_B));
            const V c = load(rows + 2 * stride_B), d = swap32(load(rows + 3 * stride_B));
            const Two first = trade(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
            const Two second = trade(_mm256_unpackhi_epi64(c, d), _mm256_unpacklo_epi64(c, d));
            store<kStream>(tile + 64 * at[x], first.a);
            store<kStream>(tile + 64 * at[x] + 32, second.a);
            store<kStream>(tile + 64 * at[x + 1], first.b);
            store<kStream>(tile + 64 * at[x + 1] + 32, second.b);
        }
    }
    template <uint32_t kY>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        Two upper[2], lower[2];  // quads of the left pixels, and of the right ones
        for (uint32_t x = 0; x < 2; ++x) {
            const uint8_t *const left = tile + 64 * at[2 * x], *const right = tile + 64 * at[2 * x + 1];
            upper[x] = trade(load(left), load(right));
            lower[x] = trade(load(left + 32), load(right + 32));
        }
        for (uint32_t x = 0; x < 2; ++x)
            store<false>(rows + 32 * x, _mm256_unpacklo_epi64(upper[x].a, upper[x].b));
        for (uint32_t x = 0; x < 2; ++x)
            store<false>(rows + stride_B + 32 * x, swap32(_mm256_unpackhi_epi64(upper[x].a, upper[x].b)));
        for (uint32_t x = 0; x < 2; ++x)
            store<false>(rows + 2 * stride_B + 32 * x, _mm256_unpacklo_epi64(lower[x].b, lower[x].a));
        for (uint32_t x = 0; x < 2; ++x)
            store<false>(rows + 3 * stride_B + 32 * x, swap32(_mm256_unpackhi_epi64(lower[x].b, lower[x].a)));
    }
};

template <>
struct Strip<8> {
    template <bool kStream>
    static void tile_block(uint8_t* run, const uint8_t* rows, ptrdiff_t stride_B) {
        const Two upper = trade(load(rows), swap64(load(rows + stride_B)));
        const Two lower = trade(load(rows + 2 * stride_B), swap64(load(rows + 3 * stride_B)));
        store<kStream>(run, upper.a);
        store<kStream>(run + 32, upper.b);
        store<kStream>(run + 64, lower.b);
        store<kStream>(run + 96, lower.a);
    }
    static void detile_block(const uint8_t* run, uint8_t* rows, ptrdiff_t stride_B) {
        const Two upper = trade(load(run), load(run + 32)), lower = trade(load(run + 96), load(run + 64));
        store<false>(rows, upper.a);
        store<false>(rows + stride_B, swap64(upper.b));
        store<false>(rows + 2 * stride_B, lower.a);
        store<false>(rows + 3 * stride_B, swap64(lower.b));
    }
    template <uint32_t kY, bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        for (uint32_t x = 0; x < 4; ++x)
            tile_block<kStream>(tile + 128 * at[x], rows + 32 * x, stride_B);
    }
    template <uint32_t kY>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        for (uint32_t x = 0; x < 4; ++x)
            detile_block(tile + 128 * at[x], rows + 32 * x, stride_B);
    }
};

template <>
struct Strip<16> {
    // Two rows of a block are four quads of two lines: {quad's upper pair, lower pair} twice.
    template <bool kStream>
    static void tile_pair(uint8_t* left, uint8_t* right, const uint8_t* rows, ptrdiff_t stride_B) {
        store<kStream>(left, load(rows));
        store<kStream>(left + 32, swap_lanes(load(rows + stride_B)));
        store<kStream>(right, load(rows + 32));
        store<kStream>(right + 32, swap_lanes(load(rows + stride_B + 32)));
    }
    static void detile_pair(const uint8_t* left, const uint8_t* right, uint8_t* rows, ptrdiff_t stride_B) {
        store<false>(rows, load(left));
        store<false>(rows + 32, load(right));
        store<false>(rows + stride_B, swap_lanes(load(left + 32)));
        store<false>(rows + stride_B + 32, swap_lanes(load(right + 32)));
    }
    template <bool kStream>
    static void tile_block(uint8_t* run, const uint8_t* rows, ptrdiff_t stride_B) {
        tile_pair<kStream>(run, run + 64, rows, stride_B);
        tile_pair<kStream>(run + 192, run + 128, rows + 2 * stride_B, stride_B);
    }
    static void detile_block(const uint8_t* run, uint8_t* rows, ptrdiff_t stride_B) {
        detile_pair(run, run + 64, rows, stride_B);
        detile_pair(run + 192, run + 128, rows + 2 * stride_B, stride_B);
    }
    template <uint32_t kY, bool kStream>
    static void tile(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        for (uint32_t x = 0; x < 4; ++x)
            tile_block<kStream>(tile + 256 * at[x], rows + 64 * x, stride_B);
    }
    template <uint32_t kY>
    static void detile(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
        constexpr auto& at = kAt[kY];
        for (uint32_t x = 0; x < 4; ++x)
            detile_block(tile + 256 * at[x], rows + 64 * x, stride_B);
    }
};

// The lines of a strip in a tile.
template <uint32_t E, uint32_t kY, class F>
void each_line(F&& line) {
    for (uint32_t b = 0; b < 4; b += E == 2 ? 2 : 1)
        for (uint32_t at_B = 0; at_B < (E == 2 ? 64 : 16 * E); at_B += 64)
            line((kAt[kY][b] & (E == 2 ? ~1u : ~0u)) * 16 * E + at_B);
}
template <uint32_t E, bool kStream, uint32_t kY>
void tile_strip(uint8_t* tile, const uint8_t* rows, ptrdiff_t stride_B) {
    if constexpr (!kStream && E > 2)
        each_line<E, kY>([&](uint32_t at_B) { expect_write(tile + kAhead_B<E> + at_B); });
    Strip<E>::template tile<kY, kStream>(tile, rows + 4 * ptrdiff_t(kY) * stride_B, stride_B);
}
template <uint32_t E, uint32_t kY>
void detile_strip(const uint8_t* tile, uint8_t* rows, ptrdiff_t stride_B) {
    each_line<E, kY>([&](uint32_t at_B) { expect_read(tile + kAhead_B<E> + at_B); });
    Strip<E>::template detile<kY>(tile, rows + 4 * ptrdiff_t(kY) * stride_B, stride_B);
}

// Rows that are walked along are 8 or 16, of a half or of a whole tile, whichever was measured to be faster:
// with few bytes a row of a tile there are several rows a page and lines are returned to.
enum class Walk : uint8_t { Tiles, Halves };
template <uint32_t E>
constexpr Walk kTileWalk = E <= 4 ? Walk::Tiles : Walk::Halves;
template <uint32_t E>
constexpr Walk kDetileWalk = Walk::Halves;

/// Calls upper(i) and lower(i) for each tile.
template <Walk kWalk, class Upper, class Lower>
void each_half(uint32_t count, Upper&& upper, Lower&& lower) {
    for (uint32_t i = 0; i < count; ++i) {
        upper(i);
        if (kWalk == Walk::Tiles) lower(i);
    }
    for (uint32_t i = 0; kWalk == Walk::Halves && i < count; ++i)
        lower(i);
}
template <uint32_t E, bool kStream>
void tile_all(uint8_t* tiles, const uint8_t* rows, ptrdiff_t stride_B, uint32_t count) {
    const auto upper = [&](uint32_t i) {
        tile_strip<E, kStream, 0>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
        tile_strip<E, kStream, 1>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
    };
    const auto lower = [&](uint32_t i) {
        tile_strip<E, kStream, 3>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
        tile_strip<E, kStream, 2>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
    };
    each_half<kTileWalk<E>>(count, upper, lower);
}
template <uint32_t E>
void tile_whole(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool stream) {
    if (!stream) return tile_all<E, false>(tiles, rows, stride_B, count);
    tile_all<E, true>(tiles, rows, stride_B, count);
    _mm_sfence();
}
template <uint32_t E>
void detile_whole(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    const auto upper = [&](uint32_t i) {
        detile_strip<E, 0>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
        detile_strip<E, 1>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
    };
    const auto lower = [&](uint32_t i) {
        detile_strip<E, 3>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
        detile_strip<E, 2>(tiles + size_t(i) * 256 * E, rows + size_t(i) * 16 * E, stride_B);
    };
    each_half<kDetileWalk<E>>(count, upper, lower);
}

// Tiles of 4x4 elements.
template <uint32_t E>
void tile_blocks(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool stream) {
    if (!stream) {
        for (uint32_t i = 0; i < count; ++i, tiles += 16 * E, rows += 4 * E)
            Strip<E>::template tile_block<false>(tiles, rows, stride_B);
        return;
    }
    for (uint32_t i = 0; i < count; ++i, tiles += 16 * E, rows += 4 * E)
        Strip<E>::template tile_block<true>(tiles, rows, stride_B);
    _mm_sfence();
}
template <uint32_t E>
void detile_blocks(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool) {
    for (uint32_t i = 0; i < count; ++i, tiles += 16 * E, rows += 4 * E)
        Strip<E>::detile_block(tiles, rows, stride_B);
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
