// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Category 4: the exact value, rounded once. Computed as doubles, whose error is far below half a unit of a
// float, so that the result is the nearest float except in rare cases.
#include <bit>
#include <cmath>
#include <limits>

#include "drivers/adreno/sim/core/alu.h"

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
void nearest(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    const F32 in = wave::as_float(a);
    F32 result;
    for (unsigned i = 0; i < wave::kLanes; ++i)
        result[i] = float(kFunction(double(in[i])));
    *out = wave::as_bits(result);
}
// The float next to an inexact value whose last bit is set: rounding it to a half rounds the value.
float odd(double v) {
    const auto f = float(v);
    if (!(double(f) != v) || !std::isfinite(f) || std::bit_cast<uint32_t>(f) & 1) return f;
    const float limit = std::numeric_limits<float>::infinity();
    return std::nextafterf(f, double(f) < v ? limit : -limit);
}
template <double (*kFunction)(double)>
void to_odd(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    *out = wave::map(a, [](uint32_t v) {
        return std::bit_cast<uint32_t>(odd(kFunction(double(std::bit_cast<float>(v)))));
    });
}
template <double (*kFunction)(double)>
Value special(const AluArgs& x) {
    return x.build.kernel(x.half ? to_odd<kFunction> : nearest<kFunction>, 0, x.a);
}

constexpr AluRow kRows[] = {
    {Op::kRcp, Numbers::Float, special<rcp>},    {Op::kRsq, Numbers::Float, special<rsq>},
    {Op::kLog2, Numbers::Float, special<log2>},  {Op::kExp2, Numbers::Float, special<exp2>},
    {Op::kSin, Numbers::Float, special<sin>},    {Op::kCos, Numbers::Float, special<cos>},
    {Op::kSqrt, Numbers::Float, special<sqrt>},  {Op::kHrsq, Numbers::Float, special<rsq>},
    {Op::kHlog2, Numbers::Float, special<log2>}, {Op::kHexp2, Numbers::Float, special<exp2>},
};

}  // namespace

std::span<const AluRow> special_rows() {
    return kRows;
}

}  // namespace terrazzo::adreno::sim
