// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Most triangles of detailed scenes are a few pixels large. On CPUs with AVX2 their edge functions are
// computed for two quads at a time, and no branch depends on the shape of the triangle.
#include "drivers/common/units/primitive_quads.h"

#include <bit>
#include <cstddef>

#include "drivers/common/units/quad_samples.h"
#include "drivers/common/units/walk.h"
#include "drivers/common/wave/avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace terrazzo::units {

namespace {

#if defined(__x86_64__)
// Two adjacent members of PrimitiveQuads::Quad.
constexpr uint64_t pair_of(uint32_t first, uint32_t second) {
    return first | uint64_t(second) << 32;
}
// For each quad of a block its place in it, for each mask of pixels the samples: covered ones and passed
// ones.
struct Pairs {
    uint64_t place[16] = {}, samples[16] = {};
    constexpr Pairs() {
        for (unsigned i = 0; i < 16; ++i)
            place[i] = pair_of(i % 4 * 2, i / 4 * 2), samples[i] = pair_of(samples_of(i), samples_of(i));
    }
};
constexpr Pairs kPairs;
static_assert(offsetof(PrimitiveQuads::Quad, x) == 0 && offsetof(PrimitiveQuads::Quad, y) == 4 &&
              offsetof(PrimitiveQuads::Quad, covered) == 8 && offsetof(PrimitiveQuads::Quad, passed) == 12);

// walk_quads() of a triangle with small steps (AreaEdges::kMaxExactStep), with one sample in each pixel, in
// the few pixels of rectangle r.
[[gnu::target("avx2")]] void find_few_avx2(const TriangleEdges& t, const SamplePattern& s,
                                           const pipe::raster::PixelRect& r, PrimitiveQuads* out) {
    constexpr int kBits = pipe::raster::kSubpixelBits;
    const int32_t left = r.x0 & ~1, top = r.y0 & ~1;
    // The edge functions at the first pixel. 32 bits are enough within the triangle's bounds, so it does not
    // matter what overflows on the way.
    static_assert(offsetof(TriangleEdges, a) == 0 && offsetof(TriangleEdges, b) == 12 &&
                  offsetof(TriangleEdges, c) == 24 && sizeof(TriangleEdges) == 48);
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&t);
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)),
                  b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 12));
    const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 16));
    const __m128i first = _mm_add_epi32(
        _mm_add_epi32(_mm_mullo_epi32(a, _mm_set1_epi32((left << kBits) + s.x[0])),
                      _mm_mullo_epi32(b, _mm_set1_epi32((top << kBits) + s.y[0]))),
        _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(c, _mm256_setr_epi32(2, 4, 6, 0, 0, 0, 0, 0))));
    // The pixels of two quads, and the steps to the quads to their right and below.
    const __m256i odd = _mm256_setr_epi32(0, -1, 0, -1, 0, -1, 0, -1),
                  next_quad = _mm256_setr_epi32(0, 0, 0, 0, -1, -1, -1, -1),
                  lower = _mm256_setr_epi32(0, 0, -1, -1, 0, 0, -1, -1);
    __m256i start[3], four_right[3], two_down[3];
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; ++i) {
        const __m256i right = _mm256_slli_epi32(_mm256_set1_epi32(t.a[i]), kBits),
                      down = _mm256_slli_epi32(_mm256_set1_epi32(t.b[i]), kBits),
                      two_right = _mm256_add_epi32(right, right);
        const __m256i at =
            _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(first), _mm256_set1_epi32(int(i)));
        start[i] = _mm256_add_epi32(
            _mm256_add_epi32(at, _mm256_and_si256(right, odd)),
            _mm256_add_epi32(_mm256_and_si256(two_right, next_quad), _mm256_and_si256(down, lower)));
        four_right[i] = _mm256_add_epi32(two_right, two_right);
        two_down[i] = _mm256_add_epi32(down, down);
    }
    PrimitiveQuads::Quad* quad = out->quad;
    int32_t first_row = r.y0 & 1;
    for (int32_t y = top; y < r.y1; y += detail::kBlock_px, first_row = 0) {
        __m256i e0 = start[0], e1 = start[1], e2 = start[2];
        int32_t first_column = r.x0 & 1;
        for (int32_t x = left; x < r.x1; x += detail::kBlock_px, first_column = 0) {
            __m256i f0 = e0, f1 = e1, f2 = e2;
            uint64_t outside = 0;
#pragma GCC unroll 4
            for (unsigned row = 0; row < 4; ++row) {
                const auto signs =
                    [](__m256i v0, __m256i v1, __m256i v2) __attribute__((target("avx2"), always_inline)) {
                    const __m256i any = _mm256_or_si256(_mm256_or_si256(v0, v1), v2);
                    return uint64_t(uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(any))));
                };
                outside |= signs(f0, f1, f2) << 16 * row;
                outside |= signs(_mm256_add_epi32(f0, four_right[0]), _mm256_add_epi32(f1, four_right[1]),
                                 _mm256_add_epi32(f2, four_right[2]))
                           << (16 * row + 8);
                f0 = _mm256_add_epi32(f0, two_down[0]);
                f1 = _mm256_add_epi32(f1, two_down[1]);
                f2 = _mm256_add_epi32(f2, two_down[2]);
            }
            const uint64_t inside =
                detail::Block::pixels(first_column, first_row, std::min(r.x1 - x, detail::kBlock_px),
                                      std::min(r.y1 - y, detail::kBlock_px));
            const uint64_t at = pair_of(uint32_t(x), uint32_t(y));
            for (uint64_t any = inside & ~outside; any; ++quad) {
                const unsigned bit = unsigned(std::countr_zero(any)) & ~3u;
                const uint64_t pixels = any >> bit & 15;
                any ^= pixels << bit;
                _mm_store_si128(
                    reinterpret_cast<__m128i*>(quad),
                    _mm_set_epi64x(int64_t(kPairs.samples[pixels]), int64_t(at + kPairs.place[bit / 4])));
            }
            if (x + detail::kBlock_px >= r.x1) break;
            e0 = _mm256_add_epi32(e0, _mm256_slli_epi32(four_right[0], 1));
            e1 = _mm256_add_epi32(e1, _mm256_slli_epi32(four_right[1], 1));
            e2 = _mm256_add_epi32(e2, _mm256_slli_epi32(four_right[2], 1));
        }
        if (y + detail::kBlock_px >= r.y1) break;
#pragma GCC unroll 3
        for (unsigned i = 0; i < 3; ++i)
            start[i] = _mm256_add_epi32(start[i], _mm256_slli_epi32(two_down[i], 2));
    }
    out->count = unsigned(quad - out->quad);
}

bool can_find_few(const RasterPrimitive& p, const SamplePattern& s, const pipe::raster::PixelRect& r) {
    return wave::kHasAvx2 && p.kind == PrimitiveKind::Triangle && !p.covers_all && s.count == 1 &&
           (r.x1 - r.x0) * (r.y1 - r.y0) <= detail::kFew_px &&
           p.triangle.within(detail::AreaEdges::kMaxExactStep);
}
#endif

// Any primitive. It is not inlined, so that find_quads() saves few registers.
[[gnu::noinline]] void find_any(const RasterPrimitive& p, const SamplePattern& samples,
                                const pipe::raster::PixelRect& tile, uint32_t sample_mask,
                                PrimitiveQuads* out) {
    const uint32_t kept = (sample_mask & 0xff) * 0x01010101u;
    const auto add = [&](int32_t x, int32_t y, uint32_t covered) {
        out->quad[out->count] = {x, y, covered, covered};
        out->count += covered != 0;
        return out->count < PrimitiveQuads::kMost;
    };
    const unsigned n = samples.count, all = (1u << n) - 1;
    // `out` has room for all quads of a tile, so the walk never stops early.
    (void)(n == 1 ? walk_quads(p, samples, tile,
                               [&](int32_t x, int32_t y, uint32_t pixels) {
                                   return add(x, y, samples_of(pixels) & kept);
                               })
                  : walk_quads(p, samples, tile, [&](int32_t x, int32_t y, uint32_t mask) {
                        const uint32_t top = (mask & all) | (mask >> n & all) << 8,
                                       bottom = (mask >> 2 * n & all) | (mask >> 3 * n & all) << 8;
                        return add(x, y, (top | bottom << 16) & kept);
                    }));
}

}  // namespace

void find_quads(const RasterPrimitive& p, const SamplePattern& samples, const pipe::raster::PixelRect& tile,
                uint32_t sample_mask, PrimitiveQuads* out) {
    out->count = 0;
    const pipe::raster::PixelRect r = pipe::raster::intersect(p.bounds, tile);
    if (r.empty()) return;
#if defined(__x86_64__)
    if ((sample_mask & 1) && can_find_few(p, samples, r)) return find_few_avx2(p.triangle, samples, r, out);
#endif
    find_any(p, samples, tile, sample_mask, out);
}

}  // namespace terrazzo::units
