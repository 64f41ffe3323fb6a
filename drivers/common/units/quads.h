// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Quads that are shaded together: a batch for one wave.
#pragma once

#include <type_traits>

#include "drivers/common/units/raster.h"

namespace terrazzo::units {

/// A quad of a primitive.
struct QuadAt {
    const RasterPrimitive* primitive;
    int32_t x, y;  // px
};

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
    Mask covered = 0;  // lanes; the other ones of a quad are helpers

    /// `mask`: the covered pixels of the quad. True: the batch is full, and must be shaded and cleared.
    [[nodiscard]] bool add(const P& p, int32_t x_px, int32_t y_px, unsigned mask) {
        primitive[count] = &p;
        x.quad[count] = x_px;
        y.quad[count] = y_px;
        covered |= Mask(mask) << (count * 4);
        return ++count == capacity;
    }
    [[nodiscard]] Mask lanes() const {
        return count == kQuads ? Mask(~Mask(0)) >> (8 * sizeof(Mask) - kLanes) : (Mask(1) << 4 * count) - 1;
    }
    void clear() {
        count = 0;
        covered = 0;
    }
};

/// Perspective-correct weights of the second and third vertex at the pixel centres of quads: four floats for
/// each quad. Both functions compute the same bits; find_weights() uses AVX2 if the CPU has it.
void find_weights_portable(const QuadAt* quads, unsigned count, float* second, float* third);
void find_weights(const QuadAt* quads, unsigned count, float* second, float* third);

/// Writes the weights of each lane of a batch, four for each quad. Lanes without a quad do not change.
template <class P, unsigned kQuads>
void find_weights(const QuadBatch<P, kQuads>& batch, void* second, void* third) {
    QuadAt quads[kQuads];
    for (unsigned q = 0; q < batch.count; ++q)
        quads[q] = {batch.primitive[q], batch.x.quad[q], batch.y.quad[q]};
    find_weights(quads, batch.count, static_cast<float*>(second), static_cast<float*>(third));
}

/// The weights at any position, in pixels.
inline void find_weights_at(const RasterPrimitive& p, double x, double y, float* second, float* third) {
    const double w = 1 / p.inv_w.at(x, y);
    *second = float(p.weight[1].at(x, y) * w);
    *third = float(p.weight[2].at(x, y) * w);
}

}  // namespace terrazzo::units
