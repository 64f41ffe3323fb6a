// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Quads that are shaded together: a batch for one wave.
#pragma once

#include <algorithm>
#include <type_traits>

#include "drivers/common/units/raster.h"

namespace terrazzo::units {

/// Lanes 4q to 4q + 3 are the pixels (0,0), (1,0), (0,1), (1,1) of quad q. P derives from RasterPrimitive and
/// has the vendor's additions.
template <class P, unsigned kQuads>
struct QuadBatch {
    static constexpr unsigned kLanes = 4 * kQuads;
    static_assert(std::is_base_of_v<RasterPrimitive, P> && kLanes <= 128);
    __extension__ using Mask128 = unsigned __int128;
    using Mask =
        std::conditional_t<kLanes <= 32, uint32_t, std::conditional_t<kLanes <= 64, uint64_t, Mask128>>;

    /// A coordinate of each quad's first pixel; [lane] is a pixel's. kBit: of the pixel's number in the quad.
    template <unsigned kBit>
    struct Coordinates {
        int32_t quad[kQuads] = {};
        int32_t operator[](unsigned lane) const { return quad[lane / 4] + int32_t(lane >> kBit & 1); }
    };

    unsigned count = 0;          // quads
    unsigned capacity = kQuads;  // the quads of a full wave; smaller than kQuads for smaller waves
    const P* primitive[kQuads] = {};
    Coordinates<0> x;  // px
    Coordinates<1> y;
    float depth[kLanes] = {};
    Mask covered = 0;  // lanes; the other ones of a quad are helpers

    /// `mask`: the covered pixels of the quad. True: the batch is full, and must be shaded and cleared.
    [[nodiscard]] bool add(const P& p, int32_t x_px, int32_t y_px, unsigned mask) {
        primitive[count] = &p;
        x.quad[count] = x_px;
        y.quad[count] = y_px;
        covered |= Mask(mask) << (count * 4);
        return ++count == capacity;
    }
    /// With the depth of each pixel.
    [[nodiscard]] bool add(const P& p, int32_t x_px, int32_t y_px, unsigned mask, const float z[4]) {
        std::copy_n(z, kQuadPixels, depth + count * 4);
        return add(p, x_px, y_px, mask);
    }
    [[nodiscard]] Mask lanes() const {
        return count == kQuads ? Mask(~Mask(0)) >> (8 * sizeof(Mask) - kLanes) : (Mask(1) << 4 * count) - 1;
    }
    void clear() {
        count = 0;
        covered = 0;
    }
};

/// Computes perspective-correct weights of the vertices at pixel centres, a float for each lane. Quads that
/// the batch lacks are skipped.
template <class P, unsigned kQuads, class Lanes>
void find_weights(const QuadBatch<P, kQuads>& batch, Lanes weight[3]) {
    for (unsigned q = 0; q < kQuads; ++q) {
        const RasterPrimitive* p = batch.primitive[q];
        if (!p) continue;
        const double x = batch.x[4 * q] + 0.5, y = batch.y[4 * q] + 0.5;
        QuadF64 w[3];
        for (unsigned i = 0; i < 3; ++i)
            w[i] = p->weight[i].at_quad(x, y);
        const QuadF64 inverse = 1 / (w[0] + w[1] + w[2]);
        for (unsigned i = 0; i < 3; ++i) {
            const QuadF32 v = __builtin_convertvector(w[i] * inverse, QuadF32);
            for (unsigned n = 0; n < kQuadPixels; ++n)
                weight[i][4 * q + n] = v[n];
        }
    }
}

}  // namespace terrazzo::units
