// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integers of categories 2 and 3. Sources of 16 bits are extended; a half result is the low 16 bits.
#include <algorithm>
#include <limits>

#include "drivers/adreno/sim/core/alu.h"
#include "drivers/adreno/sim/core/lane_mask.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

template <class F>
inline void each(const AluArgs& x, F&& f) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = f(x.a[g], x.b[g]);
}
template <class F>
inline void each3(const AluArgs& x, F&& f) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = f(x.a[g], x.b[g], x.c[g]);
}
// With 64-bit integers: (sat) clamps to the precision's range, (ei) halves.
template <bool kSigned, class F>
void wide(const AluArgs& x, F&& f) {
    const unsigned bits = x.half ? 16 : 32;
    const int64_t most = (int64_t(1) << (bits - kSigned)) - 1, least = kSigned ? -most - 1 : 0;
    const bool sat = x.instr->sat(), halves = x.instr->ei();
    const auto word = [](uint32_t v) { return kSigned ? int64_t(int32_t(v)) : int64_t(v); };
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = wave::map(x.a[g], x.b[g], [&](uint32_t a, uint32_t b) {
            int64_t v = f(word(a), word(b));
            if (halves) v >>= 1;
            return uint32_t(sat ? std::clamp(v, least, most) : v);
        });
}
bool is_plain(const AluArgs& x) {
    return !x.instr->sat() && !x.instr->ei();
}

template <bool kSigned>
void add(const AluArgs& x) {
    if (is_plain(x)) return each(x, [](U32 a, U32 b) { return a + b; });
    wide<kSigned>(x, [](int64_t a, int64_t b) { return a + b; });
}
template <bool kSigned>
void sub(const AluArgs& x) {
    if (is_plain(x)) return each(x, [](U32 a, U32 b) { return a - b; });
    wide<kSigned>(x, [](int64_t a, int64_t b) { return a - b; });
}

void min_s(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return wave::select(U32(I32(a) < I32(b)), a, b); });
}
void max_s(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return wave::select(U32(I32(a) > I32(b)), a, b); });
}
void min_u(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return wave::select(U32(a < b), a, b); });
}
void max_u(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return wave::select(U32(a > b), a, b); });
}
void copy(const AluArgs& x) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = x.a[g];
}

template <class V>
U32 holds(isa::Condition c, V a, V b) {
    switch (c) {
        case isa::Condition::kLt:
            return U32(a < b);
        case isa::Condition::kLe:
            return U32(a <= b);
        case isa::Condition::kGt:
            return U32(a > b);
        case isa::Condition::kGe:
            return U32(a >= b);
        case isa::Condition::kEq:
            return U32(a == b);
        case isa::Condition::kNe:
            return U32(a != b);
    }
    return U32{};
}
template <class V>
void compare(const AluArgs& x) {
    const isa::Condition c = x.instr->condition();
    each(x, [c](U32 a, U32 b) { return holds(c, V(a), V(b)) & 1u; });
}

void mul_u24(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return (a & 0xffffffu) * (b & 0xffffffu); });
}
U32 signed_24(U32 v) {
    return U32(I32(v << 8) >> 8);
}
void mul_s24(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return signed_24(a) * signed_24(b); });
}
void mull_u(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return (a & 0xffffu) * (b & 0xffffu); });
}
void mad(const AluArgs& x) {
    each3(x, [](U32 a, U32 b, U32 c) { return a * b + c; });
}
void mad_u24(const AluArgs& x) {
    each3(x, [](U32 a, U32 b, U32 c) { return (a & 0xffffffu) * (b & 0xffffffu) + c; });
}
void mad_s24(const AluArgs& x) {
    each3(x, [](U32 a, U32 b, U32 c) { return signed_24(a) * signed_24(b) + c; });
}
// The low half of one times the high half of the other: a 32-bit product is mull.u and two of these (Mesa
// 25.0.7, nir_opcodes.py, imadsh_mix16).
void madsh_m16(const AluArgs& x) {
    each3(x, [](U32 a, U32 b, U32 c) { return (((a & 0xffffu) * (b >> 16)) << 16) + c; });
}
// Mesa 25.0.7 adds three numbers with it (iadd3). The name suggests the magnitude of a difference; no driver
// relies on that.
void sad(const AluArgs& x) {
    each3(x, [](U32 a, U32 b, U32 c) { return a + b + c; });
}

uint32_t byte_of(uint32_t v, unsigned n) {
    return v >> 8 * n & 0xff;
}
template <unsigned kCount>
void dot(const AluArgs& x) {
    const bool mixed = x.instr->dot_sign() == isa::DotSign::kMixed, sat = x.instr->sat();
    const unsigned first = kCount == 2 && x.instr->dot_half() == isa::DotHalf::kHigh ? 2 : 0;
    each3(x, [&](U32 av, U32 bv, U32 cv) {
        return wave::map(av, bv, cv, [&](uint32_t a, uint32_t b, uint32_t c) {
            int64_t sum = mixed ? int64_t(int32_t(c)) : int64_t(c);
            for (unsigned n = first; n < first + kCount; ++n)
                sum += (mixed ? int64_t(int8_t(byte_of(a, n))) : int64_t(byte_of(a, n))) *
                       int64_t(byte_of(b, n));
            if (sat && mixed)
                sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                          std::numeric_limits<int32_t>::max());
            return uint32_t(sum);
        });
    });
}

constexpr AluRow kRows[] = {
    {Op::kAddU, Numbers::Unsigned, add<false>, nullptr, kSaturates | kHalves},
    {Op::kAddS, Numbers::Signed, add<true>, nullptr, kSaturates | kHalves},
    {Op::kSubU, Numbers::Unsigned, sub<false>, nullptr, kSaturates | kHalves},
    {Op::kSubS, Numbers::Signed, sub<true>, nullptr, kSaturates | kHalves},
    {Op::kCmpsU, Numbers::Unsigned, compare<U32>, nullptr, kTruth},
    {Op::kCmpsS, Numbers::Signed, compare<I32>, nullptr, kTruth},
    {Op::kMinU, Numbers::Unsigned, min_u},
    {Op::kMinS, Numbers::Signed, min_s},
    {Op::kMaxU, Numbers::Unsigned, max_u},
    {Op::kMaxS, Numbers::Signed, max_s},
    {Op::kAbsnegS, Numbers::Signed, copy},
    {Op::kMulU24, Numbers::Unsigned, mul_u24, nullptr, kWide},
    {Op::kMulS24, Numbers::Signed, mul_s24, nullptr, kWide},
    {Op::kMullU, Numbers::Unsigned, mull_u, nullptr, kWide},
    {Op::kMadU16, Numbers::Unsigned, mad},
    {Op::kMadS16, Numbers::Signed, mad},
    {Op::kMadU24, Numbers::Unsigned, mad_u24},
    {Op::kMadS24, Numbers::Signed, mad_s24},
    {Op::kMadshM16, Numbers::Unsigned, madsh_m16},
    {Op::kSadS16, Numbers::Signed, sad},
    {Op::kSadS32, Numbers::Signed, sad},
    {Op::kDp2acc, Numbers::Unsigned, dot<2>, nullptr, kSaturates},
    {Op::kDp4acc, Numbers::Unsigned, dot<4>, nullptr, kSaturates},
};

}  // namespace

std::span<const AluRow> integer_rows() {
    return kRows;
}

}  // namespace terrazzo::adreno::sim
