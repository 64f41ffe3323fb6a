// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Category 4: the exact value, rounded once. Computed as doubles, whose error is far below half a unit of a
// float, so that the result is the nearest float except in rare cases.
#include <bit>
#include <cmath>

#include "drivers/adreno/sim/core/alu.h"
#include "drivers/adreno/sim/core/lane_mask.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

double rcp(double v) {
    return 1 / v;
}
double rsq(double v) {
    return 1 / std::sqrt(v);
}
double log2(double v) {
    return std::log2(v);
}
double exp2(double v) {
    return std::exp2(v);
}
double sin(double v) {
    return std::sin(v);
}
double cos(double v) {
    return std::cos(v);
}
double sqrt(double v) {
    return std::sqrt(v);
}

template <double (*kFunction)(double)>
void full(const AluArgs& x) {
    const auto* a = reinterpret_cast<const float*>(x.a);
    auto* out = reinterpret_cast<float*>(x.out);
    for (unsigned i = 0; i < x.groups * kGroupLanes; ++i)
        out[i] = float(kFunction(double(a[i])));
}
template <double (*kFunction)(double)>
void half(const AluArgs& x) {
    U32 floats[kMaxGroups];
    halves_to_floats(x.a, floats, x.groups);
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = wave::map(floats[g], [](uint32_t v) {
            return uint32_t(wave::to_half(kFunction(double(std::bit_cast<float>(v)))));
        });
}

constexpr AluRow kRows[] = {
    {Op::kRcp, Numbers::Float, full<rcp>, half<rcp>},
    {Op::kRsq, Numbers::Float, full<rsq>, half<rsq>},
    {Op::kLog2, Numbers::Float, full<log2>, half<log2>},
    {Op::kExp2, Numbers::Float, full<exp2>, half<exp2>},
    {Op::kSin, Numbers::Float, full<sin>, half<sin>},
    {Op::kCos, Numbers::Float, full<cos>, half<cos>},
    {Op::kSqrt, Numbers::Float, full<sqrt>, half<sqrt>},
    {Op::kHrsq, Numbers::Float, full<rsq>, half<rsq>},
    {Op::kHlog2, Numbers::Float, full<log2>, half<log2>},
    {Op::kHexp2, Numbers::Float, full<exp2>, half<exp2>},
};

}  // namespace

std::span<const AluRow> special_rows() {
    return kRows;
}

}  // namespace terrazzo::adreno::sim
