// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Bit operations and selections of categories 2 and 3.
#include <array>
#include <bit>

#include "drivers/adreno/sim/core/alu.h"

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
template <class F>
inline void one(const AluArgs& x, F&& f) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = wave::map(x.a[g], f);
}

void bit_and(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return a & b; });
}
void bit_or(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return a | b; });
}
void bit_xor(const AluArgs& x) {
    each(x, [](U32 a, U32 b) { return a ^ b; });
}
void bit_not(const AluArgs& x) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = ~x.a[g];
}

// Counts beyond the precision wrap, as NIR's shifts do.
uint32_t count_mask(const AluArgs& x) {
    return x.half ? 15 : 31;
}
void shl(const AluArgs& x) {
    each(x, [m = count_mask(x)](U32 a, U32 b) { return a << (b & m); });
}
void shr(const AluArgs& x) {
    each(x, [m = count_mask(x)](U32 a, U32 b) { return a >> (b & m); });
}
void ashr(const AluArgs& x) {
    each(x, [m = count_mask(x)](U32 a, U32 b) { return U32(I32(a) >> I32(b & m)); });
}

uint32_t reverse(uint32_t v) {
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; ++i)
        r |= (v >> i & 1) << (31 - i);
    return r;
}
void bfrev(const AluArgs& x) {
    one(x, [down = x.half ? 16 : 0](uint32_t v) { return reverse(v) >> down; });
}
// Counts from the highest bit down; -1: no bit is set.
void clz_b(const AluArgs& x) {
    one(x, [less = x.half ? 16 : 0](uint32_t v) { return v ? uint32_t(std::countl_zero(v) - less) : ~0u; });
}
// Counts to the first bit that differs from the sign.
void clz_s(const AluArgs& x) {
    one(x, [less = x.half ? 16 : 0](uint32_t v) {
        const uint32_t u = int32_t(v) < 0 ? ~v : v;
        return u ? uint32_t(std::countl_zero(u) - less) : ~0u;
    });
}
void cbits(const AluArgs& x) {
    one(x, [](uint32_t v) { return uint32_t(std::popcount(v)); });
}
void getbit(const AluArgs& x) {
    each(x, [m = count_mask(x)](U32 a, U32 b) { return a >> (b & m) & 1u; });
}

void sel(const AluArgs& x) {
    each3(x, [](U32 a, U32 condition, U32 c) { return wave::select(U32(condition != 0), a, c); });
}
void shrm(const AluArgs& x) {
    each3(x, [m = count_mask(x)](U32 n, U32 v, U32 c) { return v >> (n & m) & c; });
}
void shlm(const AluArgs& x) {
    each3(x, [m = count_mask(x)](U32 n, U32 v, U32 c) { return v << (n & m) & c; });
}
void shrg(const AluArgs& x) {
    each3(x, [m = count_mask(x)](U32 n, U32 v, U32 c) { return v >> (n & m) | c; });
}
void shlg(const AluArgs& x) {
    each3(x, [m = count_mask(x)](U32 n, U32 v, U32 c) { return v << (n & m) | c; });
}
void andg(const AluArgs& x) {
    each3(x, [](U32 a, U32 b, U32 c) { return (a & b) | c; });
}

constexpr AluRow kRows[] = {
    {Op::kAndB, Numbers::Bits, bit_and},
    {Op::kOrB, Numbers::Bits, bit_or},
    {Op::kXorB, Numbers::Bits, bit_xor},
    {Op::kNotB, Numbers::Bits, bit_not},
    {Op::kShlB, Numbers::Bits, shl},
    {Op::kShrB, Numbers::Bits, shr},
    {Op::kAshrB, Numbers::Signed, ashr},
    {Op::kBfrevB, Numbers::Bits, bfrev},
    {Op::kClzB, Numbers::Bits, clz_b},
    {Op::kClzS, Numbers::Signed, clz_s},
    {Op::kCbitsB, Numbers::Bits, cbits, nullptr, kHalfOnly},
    {Op::kGetbitB, Numbers::Bits, getbit},
    {Op::kSelB16, Numbers::Bits, sel},
    {Op::kSelB32, Numbers::Bits, sel},
    {Op::kShrm, Numbers::Bits, shrm},
    {Op::kShlm, Numbers::Bits, shlm},
    {Op::kShrg, Numbers::Bits, shrg},
    {Op::kShlg, Numbers::Bits, shlg},
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
