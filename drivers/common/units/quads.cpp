// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Weights are computed in double precision, and rounded to floats at the end. If 1/w is constant in the
// primitive, one division per quad is enough.
#include "drivers/common/units/quads.h"

#include <cstring>

namespace terrazzo::units {

namespace {

bool has_one_w(const RasterPrimitive& p) {
    return p.inv_w.a == 0 && p.inv_w.b == 0;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void find_weights_avx2(const QuadAt* quads, unsigned count, float* second,
                                               float* third) {
    const QuadI32 right = {0, 1, 0, 1}, down = {0, 0, 1, 1};
    const QuadF64 none{};
    for (unsigned q = 0; q < count; ++q, second += kQuadPixels, third += kQuadPixels) {
        const RasterPrimitive& p = *quads[q].primitive;
        const QuadF64 x = __builtin_convertvector(right + quads[q].x, QuadF64) + 0.5,
                      y = __builtin_convertvector(down + quads[q].y, QuadF64) + 0.5;
        const QuadF64 w =
            has_one_w(p) ? none + 1 / p.inv_w.c : 1 / (x * p.inv_w.a + y * p.inv_w.b + p.inv_w.c);
        const QuadF32 v[2] = {
            __builtin_convertvector((x * p.weight[1].a + y * p.weight[1].b + p.weight[1].c) * w, QuadF32),
            __builtin_convertvector((x * p.weight[2].a + y * p.weight[2].b + p.weight[2].c) * w, QuadF32)};
        std::memcpy(second, &v[0], sizeof v[0]);
        std::memcpy(third, &v[1], sizeof v[1]);
    }
}
const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace

void find_weights_portable(const QuadAt* quads, unsigned count, float* second, float* third) {
    for (unsigned q = 0; q < count; ++q, second += kQuadPixels, third += kQuadPixels) {
        const RasterPrimitive& p = *quads[q].primitive;
        const double y = quads[q].y + 0.5;
        const RowF64 x = {quads[q].x + 0.5, quads[q].x + 1.5};
        RowF64 w[2][2];
        for (unsigned row = 0; row < 2; ++row) {
            const RowF64 inverse = 1 / (has_one_w(p) ? RowF64{} + p.inv_w.c : p.inv_w.at_row(x, y + row));
            w[0][row] = p.weight[1].at_row(x, y + row) * inverse;
            w[1][row] = p.weight[2].at_row(x, y + row) * inverse;
        }
        const QuadF32 v[2] = {to_floats(w[0][0], w[0][1]), to_floats(w[1][0], w[1][1])};
        std::memcpy(second, &v[0], sizeof v[0]);
        std::memcpy(third, &v[1], sizeof v[1]);
    }
}

void find_weights(const QuadAt* quads, unsigned count, float* second, float* third) {
#if defined(__x86_64__)
    if (kHasAvx2) return find_weights_avx2(quads, count, second, third);
#endif
    find_weights_portable(quads, count, second, third);
}

}  // namespace terrazzo::units
