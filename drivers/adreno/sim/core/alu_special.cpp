// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Category 4: the exact value, rounded once.
#include "drivers/adreno/sim/core/alu.h"
#include "drivers/common/core/functions.h"

namespace terrazzo::adreno::sim {

namespace {

using core::Function;
using isa::Op;

template <Function kFunction>
Value special(const AluArgs& x) {
    return x.build.kernel(x.half ? core::odd_kernel(kFunction) : core::float_kernel(kFunction), 0, x.a);
}

constexpr AluRow kRows[] = {
    {Op::kRcp, Numbers::Float, special<Function::Reciprocal>},
    {Op::kRsq, Numbers::Float, special<Function::ReciprocalSqrt>},
    {Op::kLog2, Numbers::Float, special<Function::Log2>},
    {Op::kExp2, Numbers::Float, special<Function::Exp2>},
    {Op::kSin, Numbers::Float, special<Function::Sin>},
    {Op::kCos, Numbers::Float, special<Function::Cos>},
    {Op::kSqrt, Numbers::Float, special<Function::Sqrt>},
    {Op::kHrsq, Numbers::Float, special<Function::ReciprocalSqrt>},
    {Op::kHlog2, Numbers::Float, special<Function::Log2>},
    {Op::kHexp2, Numbers::Float, special<Function::Exp2>},
};

}  // namespace

std::span<const AluRow> special_rows() {
    return kRows;
}

}  // namespace terrazzo::adreno::sim
