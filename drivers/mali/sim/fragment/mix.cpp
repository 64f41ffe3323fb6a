// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/fragment/mix.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "drivers/common/wave/avx2.h"

namespace terrazzo::mali::sim {

#if defined(__x86_64__)

namespace {

[[gnu::target("avx2,f16c")]] bool mix_avx2(const FragmentStage& s, unsigned quads, uint32_t offset_B,
                                           unsigned count, bool to_half, Weights weight, U32* out) {
    static constexpr int32_t kComponents[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kComponents + 4 - count));
    const __m128 kept = _mm_castsi128_ps(some);
    const unsigned registers = to_half ? (count + 1) / 2 : count;
    const FragmentPrimitive* last = nullptr;
    __m256d first{}, to_second{}, to_third{};
    __m128 is_nan{};
    for (unsigned q = 0; q < s.count; ++q) {
        if (!(quads >> q & 1)) continue;
        if (const FragmentPrimitive* const p = s.primitive[q]; p != last) {
            last = p;
            if (uint64_t(offset_B) + count * 4 > p->varying_size_B || !p->varying[0]) return false;
            const auto corner = [&](unsigned i) __attribute__((target("avx2"), always_inline)) {
                const auto* const at = reinterpret_cast<const float*>(p->varying[i] + offset_B);
                return _mm256_cvtps_pd(_mm_maskload_ps(at, some));
            };
            const unsigned n = p->vertex_count();
            first = corner(0);
            to_second = n > 1 ? _mm256_sub_pd(corner(1), first) : _mm256_setzero_pd();
            to_third = n > 2 ? _mm256_sub_pd(corner(2), first) : _mm256_setzero_pd();
        }
        // As the values of single components are computed, and in this order.
        const auto mix = [&](unsigned pixel) __attribute__((target("avx2"), always_inline)) {
            const __m256d w1 = _mm256_broadcast_sd(&weight[0][4 * q + pixel]),
                          w2 = _mm256_broadcast_sd(&weight[1][4 * q + pixel]);
            return _mm256_cvtpd_ps(_mm256_add_pd(_mm256_add_pd(first, _mm256_mul_pd(w1, to_second)),
                                                 _mm256_mul_pd(w2, to_third)));
        };
        __m128 of[4] = {mix(0), mix(1), mix(2), mix(3)};
        if (to_half) {
            for (__m128& v : of) {
                v = _mm_and_ps(v, kept);
                is_nan = _mm_or_ps(is_nan, _mm_cmpunord_ps(v, v));
            }
            // Two pixels' first halves, then their last ones.
            const __m128 pairs[2] = {_mm_castsi128_ps(_mm256_cvtps_ph(_mm256_set_m128(of[1], of[0]), 0)),
                                     _mm_castsi128_ps(_mm256_cvtps_ph(_mm256_set_m128(of[3], of[2]), 0))};
            of[0] = _mm_shuffle_ps(pairs[0], pairs[1], _MM_SHUFFLE(2, 0, 2, 0));
            of[1] = _mm_shuffle_ps(pairs[0], pairs[1], _MM_SHUFFLE(3, 1, 3, 1));
        } else {
            _MM_TRANSPOSE4_PS(of[0], of[1], of[2], of[3]);
        }
        for (unsigned i = 0; i < registers; ++i)
            _mm_storeu_ps(reinterpret_cast<float*>(&out[i]) + 4 * q, of[i]);
    }
    return !_mm_movemask_ps(is_nan);  // the instruction converts NaN differently
}

}  // namespace

#endif

bool mix_quads(const FragmentStage& s, unsigned quads, uint32_t offset_B, unsigned count, bool to_half,
               Weights weight, U32* out) {
#if defined(__x86_64__)
    if (wave::kHasAvx2) return mix_avx2(s, quads, offset_B, count, to_half, weight, out);
#else
    (void)s, (void)quads, (void)offset_B, (void)count, (void)to_half, (void)weight, (void)out;
#endif
    return false;
}

}  // namespace terrazzo::mali::sim
