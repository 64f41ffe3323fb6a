// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Floats of categories 2 and 3. Halves are computed as floats and rounded to halves, which is exact for one
// operation with two sources; mad.f16 rounds its float to odd, so that the second rounding decides alone.
#include <bit>
#include <cmath>

#include "drivers/adreno/sim/core/alu.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

// The sign of a number other than 0; NaN gives 0.
void sign(const U32& bits, const U32&, const U32&, uint64_t, U32* out) {
    const F32 a = wave::as_float(bits);
    const U32 one = (bits & 0x80000000u) | 0x3f800000u, zero = bits & 0x80000000u & ~wave::is_nan(a);
    *out = wave::select(U32(a != 0) & U32(a == a), one, zero);
}
void round_away(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    *out = wave::map(a, [](uint32_t v) {
        const auto f = std::bit_cast<float>(v);
        return std::isfinite(f) ? std::bit_cast<uint32_t>(std::round(f)) : v;
    });
}
template <core::MicroKernel kKernel>
Value kernel(const AluArgs& x) {
    return x.build.kernel(kKernel, 0, x.a);
}
template <wave::Round kMode>
Value round(const AluArgs& x) {
    return x.build.rounded(MicroOp::FloatRound, x.a, kMode);
}

// The sum of floats whose exact sum a half's rounding decides about: where it is inexact and even, the odd
// neighbour on the side of the error. Products and sums of halves are no denormal floats.
void add_odd(const U32& x, const U32& y, const U32&, uint64_t, U32* out) {
    const F32 a = wave::as_float(x), b = wave::as_float(y), sum = a + b;
    const F32 part = sum - a, error = (a - (sum - part)) + (b - part);
    const U32 bits = wave::as_bits(sum);
    const U32 moves = U32(error != 0) & U32(error == error) & U32((bits & 1u) == 0u);
    const U32 outwards = U32(I32(bits ^ wave::as_bits(error)) >= 0);
    *out = bits + (moves & wave::select(outwards, wave::splat(1), wave::splat(~0u)));
}
Value mad_f16(const AluArgs& x) {
    return x.build.kernel(add_odd, 0, x.op(MicroOp::FloatMul, x.a, x.b), x.c);
}

constexpr AluRow kRows[] = {
    {Op::kAddF, Numbers::Float, as_is<MicroOp::FloatAdd>},
    {Op::kMinF, Numbers::Float, as_is<MicroOp::FloatMin>},
    {Op::kMaxF, Numbers::Float, as_is<MicroOp::FloatMax>},
    {Op::kMulF, Numbers::Float, as_is<MicroOp::FloatMul>},
    {Op::kSignF, Numbers::Float, kernel<sign>},
    {Op::kAbsnegF, Numbers::Float, same},
    {Op::kCmpsF, Numbers::Float,
     compare<MicroOp::FloatEqual, MicroOp::FloatNotEqual, MicroOp::FloatLess, MicroOp::FloatLessEqual>,
     kTruth},
    {Op::kFloorF, Numbers::Float, round<wave::Round::Down>},
    {Op::kCeilF, Numbers::Float, round<wave::Round::Up>},
    {Op::kRndneF, Numbers::Float, round<wave::Round::NearestEven>},
    {Op::kRndazF, Numbers::Float, kernel<round_away>},
    {Op::kTruncF, Numbers::Float, round<wave::Round::ToZero>},
    {Op::kMadF32, Numbers::Float, as_is<MicroOp::FloatFma>},
    {Op::kMadF16, Numbers::Float, mad_f16},
};

}  // namespace

std::span<const AluRow> float_rows() {
    return kRows;
}

}  // namespace terrazzo::adreno::sim
