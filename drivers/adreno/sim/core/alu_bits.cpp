// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Bit operations and selections of categories 2 and 3.
#include <array>

#include "drivers/adreno/sim/core/alu.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

// Counts beyond the precision wrap, as NIR's shifts do; a micro-operation's wrap at 32.
Value count(const AluArgs& x, Value v) {
    return x.half ? x.op(MicroOp::And, v, number(15)) : v;
}
template <MicroOp kShift>
Value shift(const AluArgs& x) {
    return x.op(kShift, x.a, count(x, x.b));
}
Value bfrev(const AluArgs& x) {
    const Value v = x.op(MicroOp::ReverseBits, x.a);
    return x.half ? x.op(MicroOp::ShiftRight, v, number(16)) : v;
}
// Counts from the highest bit down; -1: no bit is set.
Value zeros(const AluArgs& x, Value v) {
    const Value n = x.op(MicroOp::Sub, x.op(MicroOp::LeadingZeros, v), number(x.half ? 16 : 0));
    return x.op(MicroOp::Select, v, n, number(~0u));
}
Value clz_b(const AluArgs& x) {
    return zeros(x, x.a);
}
// Counts to the first bit that differs from the sign.
Value clz_s(const AluArgs& x) {
    return zeros(x, x.op(MicroOp::Xor, x.a, x.op(MicroOp::ShiftRightSigned, x.a, number(31))));
}
Value getbit(const AluArgs& x) {
    return x.op(MicroOp::And, shift<MicroOp::ShiftRight>(x), number(1));
}
Value sel(const AluArgs& x) {
    return x.op(MicroOp::Select, x.b, x.a, x.c);
}
// The second source shifted by the first one, and the third one.
template <MicroOp kShift, MicroOp kThen>
Value shift_then(const AluArgs& x) {
    return x.op(kThen, x.op(kShift, x.b, count(x, x.a)), x.c);
}
Value andg(const AluArgs& x) {
    return x.op(MicroOp::Or, x.op(MicroOp::And, x.a, x.b), x.c);
}

constexpr AluRow kRows[] = {
    {Op::kAndB, Numbers::Bits, as_is<MicroOp::And>},
    {Op::kOrB, Numbers::Bits, as_is<MicroOp::Or>},
    {Op::kXorB, Numbers::Bits, as_is<MicroOp::Xor>},
    {Op::kNotB, Numbers::Bits, as_is<MicroOp::Not>},
    {Op::kShlB, Numbers::Bits, shift<MicroOp::ShiftLeft>},
    {Op::kShrB, Numbers::Bits, shift<MicroOp::ShiftRight>},
    {Op::kAshrB, Numbers::Signed, shift<MicroOp::ShiftRightSigned>},
    {Op::kBfrevB, Numbers::Bits, bfrev},
    {Op::kClzB, Numbers::Bits, clz_b},
    {Op::kClzS, Numbers::Signed, clz_s},
    {Op::kCbitsB, Numbers::Bits, as_is<MicroOp::CountBits>, kHalfOnly},
    {Op::kGetbitB, Numbers::Bits, getbit},
    {Op::kSelB16, Numbers::Bits, sel},
    {Op::kSelB32, Numbers::Bits, sel},
    {Op::kShrm, Numbers::Bits, shift_then<MicroOp::ShiftRight, MicroOp::And>},
    {Op::kShlm, Numbers::Bits, shift_then<MicroOp::ShiftLeft, MicroOp::And>},
    {Op::kShrg, Numbers::Bits, shift_then<MicroOp::ShiftRight, MicroOp::Or>},
    {Op::kShlg, Numbers::Bits, shift_then<MicroOp::ShiftLeft, MicroOp::Or>},
    {Op::kAndg, Numbers::Bits, andg},
};

}  // namespace

std::span<const AluRow> bit_rows() {
    return kRows;
}

const AluRow* alu_row(isa::Op op) {
    static const auto table = [] {
        std::array<const AluRow*, isa::kOpCount> t{};
        for (std::span<const AluRow> rows : {float_rows(), integer_rows(), bit_rows(), special_rows()})
            for (const AluRow& row : rows)
                t[unsigned(row.op)] = &row;
        return t;
    }();
    return table[unsigned(op)];
}

}  // namespace terrazzo::adreno::sim
