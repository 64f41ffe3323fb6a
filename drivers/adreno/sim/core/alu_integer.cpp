// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integers of categories 2 and 3. Sources of 16 bits are extended; a half result is the low 16 bits.
#include <algorithm>

#include "drivers/adreno/sim/core/alu.h"
#include "drivers/common/core/functions.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

// Data of sum().
constexpr uint64_t kSigned = 1, kSubtracts = 2, kClamps = 4, kHalved = 8, kSixteen = 16;

// With 64-bit integers: (sat) clamps to the precision's range, (ei) halves.
void sum(const U32& av, const U32& bv, const U32&, uint64_t flags, U32* out) {
    const unsigned bits = flags & kSixteen ? 16 : 32;
    const int64_t most = (int64_t(1) << (bits - (flags & kSigned))) - 1;
    const int64_t least = flags & kSigned ? -most - 1 : 0;
    const auto word = [&](uint32_t v) { return flags & kSigned ? int64_t(int32_t(v)) : int64_t(v); };
    *out = wave::map(av, bv, [&](uint32_t a, uint32_t b) {
        int64_t v = flags & kSubtracts ? word(a) - word(b) : word(a) + word(b);
        if (flags & kHalved) v >>= 1;
        return uint32_t(flags & kClamps ? std::clamp(v, least, most) : v);
    });
}
template <MicroOp kOp, uint64_t kFlags>
Value add(const AluArgs& x) {
    if (!x.instr.sat() && !x.instr.ei()) return x.op(kOp, x.a, x.b);
    const uint64_t flags =
        kFlags | (x.instr.sat() ? kClamps : 0) | (x.instr.ei() ? kHalved : 0) | (x.half ? kSixteen : 0);
    return x.build.kernel(sum, flags, x.a, x.b);
}

// The product of the sources' low bits, and the third source.
template <bool kIsSigned, unsigned kBits, bool kAdds>
Value product(const AluArgs& x) {
    const auto low = [&](Value v) { return kBits == 32 ? v : x.build.extract(kIsSigned, v, 0, kBits); };
    const Value v = x.op(MicroOp::Mul, low(x.a), low(x.b));
    return kAdds ? x.op(MicroOp::Add, v, x.c) : v;
}
// The low half of one times the high half of the other: a 32-bit product is mull.u and two of these (Mesa
// 25.0.7, nir_opcodes.py, imadsh_mix16).
Value madsh_m16(const AluArgs& x) {
    const Value v =
        x.op(MicroOp::Mul, x.build.extract(false, x.a, 0, 16), x.op(MicroOp::ShiftRight, x.b, number(16)));
    return x.op(MicroOp::Add, x.op(MicroOp::ShiftLeft, v, number(16)), x.c);
}
// Mesa 25.0.7 adds three numbers with it (iadd3). The name suggests the magnitude of a difference; no driver
// relies on that.
Value sad(const AluArgs& x) {
    return x.op(MicroOp::Add, x.op(MicroOp::Add, x.a, x.b), x.c);
}

// Of bytes: the first source's are signed if they are mixed. Only then does (sat) limit the sum.
template <uint8_t kCount>
Value dot_product(const AluArgs& x) {
    const isa::Instr& i = x.instr;
    const bool mixed = i.dot_sign() == isa::DotSign::kMixed,
               high = kCount == 2 && i.dot_half() == isa::DotHalf::kHigh;
    const core::DotProduct dot{mixed, false, i.sat() && mixed, uint8_t(high ? 2 : 0), kCount};
    return core::dot_product(x.build, dot, x.a, x.b, x.c);
}

constexpr Lowering kCompareUnsigned =
    compare<MicroOp::Equal, MicroOp::NotEqual, MicroOp::LessUnsigned, MicroOp::Not>;
constexpr Lowering kCompareSigned =
    compare<MicroOp::Equal, MicroOp::NotEqual, MicroOp::LessSigned, MicroOp::Not>;

constexpr AluRow kRows[] = {
    {Op::kAddU, Numbers::Unsigned, add<MicroOp::Add, 0>, kSaturates | kHalves},
    {Op::kAddS, Numbers::Signed, add<MicroOp::Add, kSigned>, kSaturates | kHalves},
    {Op::kSubU, Numbers::Unsigned, add<MicroOp::Sub, kSubtracts>, kSaturates | kHalves},
    {Op::kSubS, Numbers::Signed, add<MicroOp::Sub, kSubtracts | kSigned>, kSaturates | kHalves},
    {Op::kCmpsU, Numbers::Unsigned, kCompareUnsigned, kTruth},
    {Op::kCmpsS, Numbers::Signed, kCompareSigned, kTruth},
    {Op::kMinU, Numbers::Unsigned, as_is<MicroOp::MinUnsigned>},
    {Op::kMinS, Numbers::Signed, as_is<MicroOp::MinSigned>},
    {Op::kMaxU, Numbers::Unsigned, as_is<MicroOp::MaxUnsigned>},
    {Op::kMaxS, Numbers::Signed, as_is<MicroOp::MaxSigned>},
    {Op::kAbsnegS, Numbers::Signed, same},
    {Op::kMulU24, Numbers::Unsigned, product<false, 24, false>, kWide},
    {Op::kMulS24, Numbers::Signed, product<true, 24, false>, kWide},
    {Op::kMullU, Numbers::Unsigned, product<false, 16, false>, kWide},
    {Op::kMadU16, Numbers::Unsigned, product<false, 32, true>},
    {Op::kMadS16, Numbers::Signed, product<false, 32, true>},
    {Op::kMadU24, Numbers::Unsigned, product<false, 24, true>},
    {Op::kMadS24, Numbers::Signed, product<true, 24, true>},
    {Op::kMadshM16, Numbers::Unsigned, madsh_m16},
    {Op::kSadS16, Numbers::Signed, sad},
    {Op::kSadS32, Numbers::Signed, sad},
    {Op::kDp2acc, Numbers::Unsigned, dot_product<2>, kSaturates},
    {Op::kDp4acc, Numbers::Unsigned, dot_product<4>, kSaturates},
};

}  // namespace

std::span<const AluRow> integer_rows() {
    return kRows;
}

}  // namespace terrazzo::adreno::sim
