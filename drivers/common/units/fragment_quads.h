// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Quads of fragments that are shaded together, with their samples.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "drivers/common/units/primitive_quads.h"
#include "drivers/common/units/quad_samples.h"
#include "drivers/common/units/quads.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace terrazzo::units {

template <class P, unsigned kQuads>
struct FragmentQuads : QuadBatch<P, kQuads> {
    using Base = QuadBatch<P, kQuads>;
    using Base::count, Base::capacity, Base::primitive, Base::x, Base::y, Base::covered;
    using typename Base::Mask;
    uint32_t covered_samples[kQuads] = {};  // before tests
    uint32_t samples[kQuads] = {};          // not yet rejected by tests

    /// Adds the first quads of a list, as many as there is room for, and returns how many. `one_sample`: in
    /// each pixel.
    unsigned add_some(const P& p, std::span<const PrimitiveQuads::Quad> quads, bool one_sample) {
        constexpr unsigned kMost = 16;  // of which 64 bits have the pixels
        const unsigned added = std::min({unsigned(quads.size()), capacity - count, kMost});
        uint64_t pixels = 0;
        unsigned i = 0;
#if defined(__SSE2__)
        // Four quads at a time, of which the last ones may be no quads of the list: PrimitiveQuads has room.
        for (; one_sample && i < added && count + i + 4 <= kQuads; i += 4)
            pixels |= uint64_t(add_four(p, &quads[i], count + i)) << 4 * i;
        if (i >= added) pixels &= ~uint64_t(0) >> (64 - 4 * added);
#endif
        for (; i < added; ++i) {
            const PrimitiveQuads::Quad& q = quads[i];
            primitive[count + i] = &p;
            x.quad[count + i] = q.x;
            y.quad[count + i] = q.y;
            covered_samples[count + i] = q.covered;
            samples[count + i] = q.passed;
            pixels |= uint64_t(one_sample ? pixels_of(q.passed, 0) : any_pixels(q.passed)) << 4 * i;
        }
        covered |= Mask(pixels) << 4 * count;
        count += added;
        return added;
    }

    /// Of one lane's pixel.
    unsigned samples_at(unsigned lane) const {
        return samples[lane / 4] >> lane % 4 * 8 & 0xff;
    }
    unsigned covered_at(unsigned lane) const {
        return covered_samples[lane / 4] >> lane % 4 * 8 & 0xff;
    }
    /// Keeps the samples of `mask`.
    void keep_samples(unsigned lane, unsigned mask) {
        samples[lane / 4] &= ~(0xffu << lane % 4 * 8) | mask << lane % 4 * 8;
    }
    unsigned samples_left() const {
        unsigned n = 0;
        for (unsigned q = 0; q < count; ++q)
            n += count_bits(samples[q]);
        return n;
    }

#if defined(__SSE2__)
  private:
    // Writes four quads to places `at` to at + 3. Returns their pixels, 4 bits each.
    unsigned add_four(const P& p, const PrimitiveQuads::Quad* quads, unsigned at) {
        const auto quad = [&](unsigned n) {
            return _mm_load_si128(reinterpret_cast<const __m128i*>(quads + n));
        };
        const auto put = [](void* to, __m128i v) { _mm_storeu_si128(static_cast<__m128i*>(to), v); };
        const __m128i xy_01 = _mm_unpacklo_epi32(quad(0), quad(1)),
                      xy_23 = _mm_unpacklo_epi32(quad(2), quad(3)),
                      samples_01 = _mm_unpackhi_epi32(quad(0), quad(1)),
                      samples_23 = _mm_unpackhi_epi32(quad(2), quad(3));
        const __m128i passed = _mm_unpackhi_epi64(samples_01, samples_23);
        put(&x.quad[at], _mm_unpacklo_epi64(xy_01, xy_23));
        put(&y.quad[at], _mm_unpackhi_epi64(xy_01, xy_23));
        put(&covered_samples[at], _mm_unpacklo_epi64(samples_01, samples_23));
        put(&samples[at], passed);
        const __m128i address = _mm_set1_epi64x(int64_t(reinterpret_cast<intptr_t>(&p)));
        put(&primitive[at], address);
        put(&primitive[at + 2], address);
        return unsigned(_mm_movemask_epi8(_mm_slli_epi16(passed, 7)));
    }
#endif
};

}  // namespace terrazzo::units
