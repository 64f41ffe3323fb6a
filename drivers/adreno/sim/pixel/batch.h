// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragments that are shaded together.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/pixel/area.h"
#include "drivers/adreno/sim/pixel/lrz.h"
#include "drivers/common/units/primitive_quads.h"
#include "drivers/common/units/quad_samples.h"
#include "drivers/common/units/quads.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace terrazzo::adreno::sim {

struct FragmentPrimitive : units::RasterPrimitive {
    const uint32_t* values[3] = {};  // outputs of the vertices, VertexOutputs::words each
    float inv_w_of[3] = {1, 1, 1};   // 1/w of the vertices
    uint32_t provoking = 0, primitive_id = 0;
    uint16_t layer = 0;
    bool low_resolution_depth = false;  // tests and writes it
};

/// A wave has 16 or 32 quads.
inline constexpr unsigned kBatchQuads = 32, kBatchLanes = 4 * kBatchQuads;

struct FragmentBatch : units::QuadBatch<FragmentPrimitive, kBatchQuads> {
    uint32_t covered_samples[kBatchQuads];  // before tests
    uint32_t samples[kBatchQuads];          // not yet rejected by tests
    uint8_t sample[kBatchQuads] = {};       // the sample that is shaded, if each is shaded separately

    /// Adds the first quads of a list, as many as there is room for, and returns how many. `one_sample`: in
    /// each pixel.
    unsigned add_some(const FragmentPrimitive& p, std::span<const units::PrimitiveQuads::Quad> quads,
                      bool one_sample) {
        constexpr unsigned kMost = 16;  // of which 64 bits have the pixels
        const unsigned added = std::min({unsigned(quads.size()), capacity - count, kMost});
        uint64_t pixels = 0;
        unsigned i = 0;
#if defined(__SSE2__)
        // Four quads at a time, of which the last ones may be no quads of the list: PrimitiveQuads has room.
        for (; one_sample && i < added && count + i + 4 <= kBatchQuads; i += 4)
            pixels |= uint64_t(add_four(p, &quads[i], count + i)) << 4 * i;
        if (i >= added) pixels &= ~uint64_t(0) >> (64 - 4 * added);
#endif
        for (; i < added; ++i) {
            const units::PrimitiveQuads::Quad& q = quads[i];
            primitive[count + i] = &p;
            x.quad[count + i] = q.x;
            y.quad[count + i] = q.y;
            covered_samples[count + i] = q.covered;
            samples[count + i] = q.passed;
            pixels |= uint64_t(one_sample ? units::pixels_of(q.passed, 0) : units::any_pixels(q.passed))
                      << 4 * i;
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
            n += units::count_bits(samples[q]);
        return n;
    }

#if defined(__SSE2__)
  private:
    // Writes four quads to places `at` to at + 3. Returns their pixels, 4 bits each.
    unsigned add_four(const FragmentPrimitive& p, const units::PrimitiveQuads::Quad* quads, unsigned at) {
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

}  // namespace terrazzo::adreno::sim
