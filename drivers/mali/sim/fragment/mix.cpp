// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/fragment/mix.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace terrazzo::mali::sim {

#if defined(__x86_64__)

namespace {

// Every CPU with AVX2 has F16C (x86-64-v3). Clang 14's __builtin_cpu_supports() does not know "f16c".
const bool kHasAvx2 = __builtin_cpu_supports("avx2");

// Four registers of a quad, from the components of its pixels: 0 and 1, 2 and 3.
[[gnu::target("avx2")]] inline void transpose(__m256 top, __m256 bottom, __m128 out[4]) {
    const __m256 low = _mm256_unpacklo_ps(top, bottom), high = _mm256_unpackhi_ps(top, bottom);
    const __m128 low_0 = _mm256_castps256_ps128(low), low_1 = _mm256_extractf128_ps(low, 1),
                 high_0 = _mm256_castps256_ps128(high), high_1 = _mm256_extractf128_ps(high, 1);
    out[0] = _mm_unpacklo_ps(low_0, low_1), out[1] = _mm_unpackhi_ps(low_0, low_1);
    out[2] = _mm_unpacklo_ps(high_0, high_1), out[3] = _mm_unpackhi_ps(high_0, high_1);
}

[[gnu::target("avx2,f16c")]] bool mix_avx2(const FragmentStage& s, unsigned quads, uint32_t offset_B,
                                           unsigned count, bool to_half, const F32* weight, U32* out) {
    static constexpr int32_t kComponents[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kComponents + 4 - count));
    const __m256 kept = _mm256_castsi256_ps(_mm256_broadcastsi128_si256(some));
    const __m256i first_two = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1),
                  last_two = _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3);
    const unsigned registers = to_half ? (count + 1) / 2 : count;
    const FragmentPrimitive* last = nullptr;
    __m256 first{}, to_second{}, to_third{}, is_nan{};
    for (unsigned q = 0; q < s.count; ++q) {
        if (!(quads >> q & 1)) continue;
        if (const FragmentPrimitive* const p = s.primitive[q]; p != last) {
            last = p;
            if (uint64_t(offset_B) + count * 4 > p->varying_size_B || !p->varying[0]) return false;
            const auto corner = [&](unsigned i) __attribute__((target("avx2"), always_inline)) {
                const auto* const at = reinterpret_cast<const float*>(p->varying[i] + offset_B);
                const __m128 v = _mm_maskload_ps(at, some);
                return _mm256_set_m128(v, v);
            };
            const unsigned n = p->vertex_count();
            first = corner(0);
            to_second = n > 1 ? _mm256_sub_ps(corner(1), first) : _mm256_setzero_ps();
            to_third = n > 2 ? _mm256_sub_ps(corner(2), first) : _mm256_setzero_ps();
        }
        const auto weights = [&](unsigned i) __attribute__((target("avx2"), always_inline)) {
            return _mm256_castps128_ps256(_mm_loadu_ps(reinterpret_cast<const float*>(&weight[i]) + 4 * q));
        };
        const __m256 w1 = weights(0), w2 = weights(1);
        // As the values of single components are computed, and in this order.
        const auto mix = [&](__m256i pixels) __attribute__((target("avx2"), always_inline)) {
            const __m256 second = _mm256_mul_ps(_mm256_permutevar8x32_ps(w1, pixels), to_second),
                         third = _mm256_mul_ps(_mm256_permutevar8x32_ps(w2, pixels), to_third);
            return _mm256_add_ps(_mm256_add_ps(first, second), third);
        };
        __m256 top = mix(first_two), bottom = mix(last_two);
        __m128 of[4];
        if (to_half) {
            top = _mm256_and_ps(top, kept), bottom = _mm256_and_ps(bottom, kept);
            is_nan = _mm256_or_ps(is_nan, _mm256_cmp_ps(top, bottom, _CMP_UNORD_Q));
            // Two pixels' first halves, then their last ones.
            const __m128 pairs[2] = {_mm_castsi128_ps(_mm256_cvtps_ph(top, 0)),
                                     _mm_castsi128_ps(_mm256_cvtps_ph(bottom, 0))};
            of[0] = _mm_shuffle_ps(pairs[0], pairs[1], _MM_SHUFFLE(2, 0, 2, 0));
            of[1] = _mm_shuffle_ps(pairs[0], pairs[1], _MM_SHUFFLE(3, 1, 3, 1));
        } else {
            transpose(top, bottom, of);
        }
        for (unsigned i = 0; i < registers; ++i)
            _mm_storeu_ps(reinterpret_cast<float*>(&out[i]) + 4 * q, of[i]);
    }
    return !_mm256_movemask_ps(is_nan);  // the instruction converts NaN differently
}

}  // namespace

#endif

bool mix_quads(const FragmentStage& s, unsigned quads, uint32_t offset_B, unsigned count, bool to_half,
               const F32* weight, U32* out) {
#if defined(__x86_64__)
    if (kHasAvx2) return mix_avx2(s, quads, offset_B, count, to_half, weight, out);
#else
    (void)s, (void)quads, (void)offset_B, (void)count, (void)to_half, (void)weight, (void)out;
#endif
    return false;
}

}  // namespace terrazzo::mali::sim
