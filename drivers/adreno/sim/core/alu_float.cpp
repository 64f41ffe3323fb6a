// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Floats of categories 2 and 3. Halves are computed as floats and rounded to halves, which is exact for one
// operation with two sources; mad.f16 rounds its float to odd, so that the second rounding decides alone.
#include <bit>
#include <cmath>

#include "drivers/adreno/sim/core/alu.h"
#include "drivers/common/core/functions.h"

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

Value mad_f16(const AluArgs& x) {
    return core::add_to_odd(x.build, x.op(MicroOp::FloatMul, x.a, x.b), x.c);
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
