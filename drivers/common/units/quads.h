// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Quads that are shaded together: a batch for one wave.
#pragma once

#include <cstring>
#include <type_traits>

#include "drivers/common/units/raster.h"
#include "drivers/common/wave/avx2.h"

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
    bool full() const { return count == capacity; }
    void clear() {
        count = 0;
        covered = 0;
    }
    QuadAt operator[](unsigned q) const { return {primitive[q], x.quad[q], y.quad[q]}; }
};

namespace detail {

inline bool has_one_w(const RasterPrimitive& p) {
    return p.inv_w.a == 0 && p.inv_w.b == 0;
}

#if defined(__x86_64__)
template <class Quads, class T>
[[gnu::target("avx2")]] void find_weights_avx2(const Quads& quads, unsigned count, T* second, T* third) {
    constexpr QuadF64 kCenterX = {0.5, 1.5, 0.5, 1.5}, kCenterY = {0.5, 0.5, 1.5, 1.5};
    const QuadF64 none{};
    for (unsigned q = 0; q < count; ++q, second += kQuadPixels, third += kQuadPixels) {
        const QuadAt at = quads[q];
        const RasterPrimitive& p = *at.primitive;
        const QuadF64 x = kCenterX + double(at.x), y = kCenterY + double(at.y);
        const QuadF64 w =
            has_one_w(p) ? none + 1 / p.inv_w.c : 1 / (x * p.inv_w.a + y * p.inv_w.b + p.inv_w.c);
        const QuadLanes<T> v[2] = {
            __builtin_convertvector((x * p.weight[1].a + y * p.weight[1].b + p.weight[1].c) * w,
                                    QuadLanes<T>),
            __builtin_convertvector((x * p.weight[2].a + y * p.weight[2].b + p.weight[2].c) * w,
                                    QuadLanes<T>)};
        std::memcpy(second, &v[0], sizeof v[0]);
        std::memcpy(third, &v[1], sizeof v[1]);
    }
}
#endif

}  // namespace detail

/// Perspective-correct weights of the second and third vertex at the pixel centres of quads: four numbers for
/// each quad; `quads[q]` returns a QuadAt. They are computed in double precision, and rounded to T (float or
/// double) at the end. If 1/w is constant in the primitive, one division per quad is enough. Both functions
/// compute the same bits; find_weights() uses AVX2 if the CPU has it.
template <class Quads, class T>
void find_weights_portable(const Quads& quads, unsigned count, T* second, T* third) {
    for (unsigned q = 0; q < count; ++q, second += kQuadPixels, third += kQuadPixels) {
        const QuadAt at = quads[q];
        const RasterPrimitive& p = *at.primitive;
        const double y = at.y + 0.5;
        const RowF64 x = {at.x + 0.5, at.x + 1.5};
        RowF64 w[2][2];
        for (unsigned row = 0; row < 2; ++row) {
            const RowF64 inverse =
                1 / (detail::has_one_w(p) ? RowF64{} + p.inv_w.c : p.inv_w.at_row(x, y + row));
            w[0][row] = p.weight[1].at_row(x, y + row) * inverse;
            w[1][row] = p.weight[2].at_row(x, y + row) * inverse;
        }
        QuadLanes<T> v[2];
        for (unsigned i = 0; i < 2; ++i)
            v[i] = __builtin_convertvector(quad_of(w[i][0], w[i][1]), QuadLanes<T>);
        std::memcpy(second, &v[0], sizeof v[0]);
        std::memcpy(third, &v[1], sizeof v[1]);
    }
}
template <class Quads, class T>
void find_weights(const Quads& quads, unsigned count, T* second, T* third) {
#if defined(__x86_64__)
    if (wave::kHasAvx2) return detail::find_weights_avx2(quads, count, second, third);
#endif
    find_weights_portable(quads, count, second, third);
}

/// Writes the weights of each lane of a batch, four for each quad. Lanes without a quad do not change.
template <class P, unsigned kQuads>
void find_weights(const QuadBatch<P, kQuads>& batch, void* second, void* third) {
    find_weights(batch, batch.count, static_cast<float*>(second), static_cast<float*>(third));
}

/// The weights at any position, in pixels.
template <class T>
void find_weights_at(const RasterPrimitive& p, double x, double y, T* second, T* third) {
    const double w = 1 / p.inv_w.at(x, y);
    *second = T(p.weight[1].at(x, y) * w);
    *third = T(p.weight[2].at(x, y) * w);
}

}  // namespace terrazzo::units
