// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Most tests of draws run in this loop. No operations are fused, and sums have the order of PlaneEquation, so
// the results are those of single quads. The two quads of a step are different ones of the same primitive, so
// they share no pixel.
#include "drivers/common/units/depth_list.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "drivers/common/wave/avx2.h"

namespace terrazzo::units {

namespace {

#if defined(__x86_64__)
// The words of two quads' pixels in the tile: those of the first quad, then those of the second one.
template <DepthLayout kLayout>
[[gnu::target("avx2")]] inline __m256i load_pair(const uint8_t* first, const uint8_t* second, size_t row_B) {
    if constexpr (kLayout == DepthLayout::D16) {
        const auto row = [](const uint8_t* at) {
            int32_t pixels;
            std::memcpy(&pixels, at, sizeof pixels);
            return pixels;
        };
        return _mm256_cvtepu16_epi32(
            _mm_setr_epi32(row(first), row(first + row_B), row(second), row(second + row_B)));
    } else {
        const auto row = [](const uint8_t* at) {
            int64_t pixels;
            std::memcpy(&pixels, at, sizeof pixels);
            return pixels;
        };
        return _mm256_setr_epi64x(row(first), row(first + row_B), row(second), row(second + row_B));
    }
}

// Stores the second quad first: it may be a copy of the first one of which no pixel changes.
template <DepthLayout kLayout>
[[gnu::target("avx2")]] inline void store_pair(__m256i words, uint8_t* first, uint8_t* second, size_t row_B) {
    const __m128i low = _mm256_castsi256_si128(words), high = _mm256_extracti128_si256(words, 1);
    if constexpr (kLayout == DepthLayout::D16) {
        const __m128i rows = _mm_packus_epi32(low, high);
        _mm_storeu_si32(second, _mm_srli_si128(rows, 8));
        _mm_storeu_si32(second + row_B, _mm_srli_si128(rows, 12));
        _mm_storeu_si32(first, rows);
        _mm_storeu_si32(first + row_B, _mm_srli_si128(rows, 4));
    } else {
        _mm_storeu_si64(second, high);
        _mm_storeu_si64(second + row_B, _mm_unpackhi_epi64(high, high));
        _mm_storeu_si64(first, low);
        _mm_storeu_si64(first + row_B, _mm_unpackhi_epi64(low, low));
    }
}

// Depths as the tile stores them.
template <DepthFormat kFormat>
[[gnu::target("avx2")]] inline __m256i encode(__m128 z) {
    // From 2^52 on, the low words of doubles are integers.
    constexpr double kHigh = kFormat == DepthFormat::Unorm16 ? 0xffff : 0xffffff;
    const __m128 v = _mm_min_ps(_mm_max_ps(z, _mm_setzero_ps()), _mm_set1_ps(1));
    return _mm256_castpd_si256(
        _mm256_add_pd(_mm256_mul_pd(_mm256_cvtps_pd(v), _mm256_set1_pd(kHigh)), _mm256_set1_pd(0x1p52)));
}
template <DepthFormat kFormat>
[[gnu::target("avx2")]] inline __m256i encode_pair(__m128 first, __m128 second) {
    if constexpr (kFormat == DepthFormat::Float32) return _mm256_castps_si256(_mm256_set_m128(second, first));
    const __m256 mixed =
        _mm256_shuffle_ps(_mm256_castsi256_ps(encode<kFormat>(first)),
                          _mm256_castsi256_ps(encode<kFormat>(second)), _MM_SHUFFLE(2, 0, 2, 0));
    return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), _MM_SHUFFLE(3, 1, 2, 0));
}

// The pixels that pass.
template <DepthFormat kFormat>
[[gnu::target("avx2")]] inline __m256i compare(const DepthStencilTests::DepthMasks& masks, __m256i word,
                                               __m256i there) {
    __m256i less, equal, greater, unordered;
    if constexpr (kFormat == DepthFormat::Float32) {
        const __m256 z = _mm256_castsi256_ps(word), d = _mm256_castsi256_ps(there);
        less = _mm256_castps_si256(_mm256_cmp_ps(z, d, _CMP_LT_OQ));
        equal = _mm256_castps_si256(_mm256_cmp_ps(z, d, _CMP_EQ_OQ));
        greater = _mm256_castps_si256(_mm256_cmp_ps(z, d, _CMP_GT_OQ));
        unordered = _mm256_castps_si256(_mm256_cmp_ps(z, d, _CMP_UNORD_Q));
    } else {  // at most 24 bits
        less = _mm256_cmpgt_epi32(there, word);
        equal = _mm256_cmpeq_epi32(there, word);
        greater = _mm256_cmpgt_epi32(word, there);
        unordered = _mm256_setzero_si256();
    }
    return (less & _mm256_set1_epi32(masks.less)) | (equal & _mm256_set1_epi32(masks.equal)) |
           (greater & _mm256_set1_epi32(masks.greater)) | (unordered & _mm256_set1_epi32(masks.unordered));
}

// A bit of each word: whether it is negative.
[[gnu::target("avx2")]] inline unsigned signs_of(__m256i words) {
    return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(words)));
}

template <DepthLayout kLayout, DepthFormat kFormat>
[[gnu::target("avx2")]] void test_list(const FragmentTests& t, const RasterPrimitive& p, bool writes,
                                       DepthStencilTile& tile, PrimitiveQuads& quads) {
    constexpr auto kWord_B = ptrdiff_t(depth_size_B(kLayout));
    const DepthStencilTests::DepthMasks masks = t.depth_masks();
    const __m256i written = _mm256_set1_epi32(writes ? masks.writes : 0),
                  depth_bits = _mm256_set1_epi32(kLayout == DepthLayout::D24S8 ? 0xffffff : -1);
    const __m256d a = _mm256_set1_pd(p.depth.a), b = _mm256_set1_pd(p.depth.b), c = _mm256_set1_pd(p.depth.c),
                  low = _mm256_set1_pd(t.depth.low), high = _mm256_set1_pd(t.depth.high),
                  sample_x = _mm256_set1_pd(t.sample_x[0]), sample_y = _mm256_set1_pd(t.sample_y[0]);
    const __m256i right = _mm256_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1),
                  down = _mm256_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1);
    // Each pixel has a byte in PrimitiveQuads::Quad::passed.
    const __m256i byte = _mm256_setr_epi32(1, 1 << 8, 1 << 16, 1 << 24, 1, 1 << 8, 1 << 16, 1 << 24);
    const pipe::raster::PixelRect rect = tile.rect;
    const bool has_edges = ((rect.x0 | rect.y0 | rect.x1 | rect.y1) & 1) != 0;
    const auto row_B = ptrdiff_t(tile.depth.row_B);
    uint8_t* const origin = tile.depth.origin - rect.y0 * row_B - rect.x0 * kWord_B;
    const auto depths = [&](__m128i x_px, __m128i y_px) __attribute__((target("avx2"), always_inline)) {
        // The sums of integers and positions of samples are exact.
        const __m256d x = _mm256_add_pd(_mm256_cvtepi32_pd(x_px), sample_x),
                      y = _mm256_add_pd(_mm256_cvtepi32_pd(y_px), sample_y),
                      z = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, a), _mm256_mul_pd(y, b)), c);
        return _mm256_cvtpd_ps(_mm256_max_pd(_mm256_min_pd(high, z), low));
    };
    const unsigned total = quads.count;
    // A quad is loaded and stored as a whole: the CPU would wait for loads of what several stores wrote.
    const auto load = [&](unsigned n) __attribute__((target("avx2"), always_inline)) {
        return _mm_load_si128(reinterpret_cast<const __m128i*>(&quads.quad[n]));
    };
    const auto store = [&](__m128i q, uint32_t samples, unsigned n)
        __attribute__((target("avx2"), always_inline)) {
        _mm_store_si128(reinterpret_cast<__m128i*>(&quads.quad[n]), _mm_insert_epi32(q, int32_t(samples), 3));
    };
    if (total & 1) store(load(total - 1), 0, total);
    unsigned count = 0;
    for (unsigned i = 0; i < total; i += 2) {
        const PrimitiveQuads::Quad* const quad = &quads.quad[i];
        const int32_t x0 = quad[0].x, y0 = quad[0].y, x1 = quad[1].x, y1 = quad[1].y;
        const __m256i pair = _mm256_inserti128_si256(_mm256_castsi128_si256(load(i)), load(i + 1), 1),
                      x = _mm256_add_epi32(_mm256_shuffle_epi32(pair, 0x00), right),
                      y = _mm256_add_epi32(_mm256_shuffle_epi32(pair, 0x55), down);
        const __m128 z0 = depths(_mm256_castsi256_si128(x), _mm256_castsi256_si128(y)),
                     z1 = depths(_mm256_extracti128_si256(x, 1), _mm256_extracti128_si256(y, 1));
        unsigned passed;  // 4 bits for each quad
        if (has_edges && !(has_quad(rect, x0, y0) && has_quad(rect, x1, y1))) {
            const auto run = [&](const PrimitiveQuads::Quad& q, __m128 z) __attribute__((target("avx2"))) {
                return t.run({q.x, q.y, 0, pixels_of(q.passed, 0), p.back_facing, writes, QuadF32(z)}, tile);
            };
            passed = run(quad[0], z0);
            passed |= run(quad[1], z1) << 4;
        } else {
            uint8_t* const first = origin + y0 * row_B + x0 * kWord_B;
            uint8_t* const second = origin + y1 * row_B + x1 * kWord_B;
            const __m256i stored = load_pair<kLayout>(first, second, size_t(row_B)),
                          there = stored & depth_bits, word = encode_pair<kFormat>(z0, z1),
                          tested = _mm256_cmpeq_epi32(_mm256_shuffle_epi32(pair, 0xff) & byte, byte),
                          passes = compare<kFormat>(masks, word, there) & tested,
                          left = _mm256_blendv_epi8(there, word, passes & written);
            passed = signs_of(passes);
            if (const unsigned same = signs_of(_mm256_cmpeq_epi32(left, there)); same != 0xff) {
                store_pair<kLayout>(left | _mm256_andnot_si256(depth_bits, stored), first, second,
                                    size_t(row_B));
                if ((same & 15) != 15) tile.change(x0, y0);
                if (same >> 4 != 15) tile.change(x1, y1);
            }
        }
        store(_mm256_castsi256_si128(pair), samples_of(passed & 15), count);
        count += (passed & 15) != 0;
        store(_mm256_extracti128_si256(pair, 1), samples_of(passed >> 4), count);
        count += passed >> 4 != 0;
    }
    quads.count = count;
}
#endif

}  // namespace

DepthListTest depth_list_avx2(DepthLayout layout, DepthFormat format) {
#if defined(__x86_64__)
    if (!wave::kHasAvx2) return nullptr;
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            return test_list<DepthLayout::D16, DepthFormat::Unorm16>;
        case DepthLayout::D24S8:
            return test_list<DepthLayout::D24S8, DepthFormat::Unorm24>;
        case DepthLayout::Word:
            return format == DepthFormat::Unorm16   ? test_list<DepthLayout::Word, DepthFormat::Unorm16>
                   : format == DepthFormat::Unorm24 ? test_list<DepthLayout::Word, DepthFormat::Unorm24>
                                                    : test_list<DepthLayout::Word, DepthFormat::Float32>;
    }
#else
    (void)layout, (void)format;
#endif
    return nullptr;
}

}  // namespace terrazzo::units
