// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Floats of categories 2 and 3. Halves are computed as floats and rounded to halves, which is exact for one
// operation with two sources; mad.f16 handles the cases in which it would round twice.
#include <bit>
#include <cmath>

#include "drivers/adreno/sim/core/alu.h"
#include "drivers/adreno/sim/core/lane_mask.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

template <class F>
inline void each(const AluArgs& x, F&& f) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = wave::as_bits(f(wave::as_float(x.a[g]), wave::as_float(x.b[g])));
}

// The float operation, on halves.
template <Kernel kFloat>
void as_floats(const AluArgs& x) {
    U32 a[kMaxGroups], b[kMaxGroups];
    halves_to_floats(x.a, a, x.groups);
    if (x.b) halves_to_floats(x.b, b, x.groups);
    AluArgs y = x;
    y.a = a;
    y.b = x.b ? b : a;
    y.out = a;
    kFloat(y);
    floats_to_halves(a, x.out, x.groups);
}

void add(const AluArgs& x) {
    each(x, [](F32 a, F32 b) { return a + b; });
}
void mul(const AluArgs& x) {
    each(x, [](F32 a, F32 b) { return a * b; });
}
void min(const AluArgs& x) {
    each(x, [](F32 a, F32 b) { return wave::fmin(a, b); });
}
void max(const AluArgs& x) {
    each(x, [](F32 a, F32 b) { return wave::fmax(a, b); });
}
void copy(const AluArgs& x) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = x.a[g];
}
// The sign of a number other than 0; NaN gives 0.
void sign(const AluArgs& x) {
    for (unsigned g = 0; g < x.groups; ++g) {
        const F32 a = wave::as_float(x.a[g]);
        const U32 one = (x.a[g] & 0x80000000u) | 0x3f800000u;
        x.out[g] = wave::select(U32(a != 0) & U32(a == a), one,
                                x.a[g] & wave::select(wave::is_nan(a), U32{}, wave::splat(0x80000000u)));
    }
}

#if defined(__x86_64__)
constexpr int immediate_of(wave::Round mode) {
    return mode == wave::Round::NearestEven ? 8
           : mode == wave::Round::Down      ? 9
           : mode == wave::Round::Up        ? 10
                                            : 11;
}
template <wave::Round kMode>
[[gnu::target("sse4.1")]] void round_fast(const float* a, float* out, unsigned count) {
    using F4 [[gnu::vector_size(16), gnu::may_alias]] = float;
    for (unsigned i = 0; i < count; i += 4)
        *reinterpret_cast<F4*>(out + i) =
            __builtin_ia32_roundps(*reinterpret_cast<const F4*>(a + i), immediate_of(kMode));
}
const bool kCanRound = __builtin_cpu_supports("sse4.1");
#endif

template <wave::Round kMode>
void round(const AluArgs& x) {
#if defined(__x86_64__)
    if (kCanRound)
        return round_fast<kMode>(reinterpret_cast<const float*>(x.a), reinterpret_cast<float*>(x.out),
                                 x.groups * kGroupLanes);
#endif
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = wave::map(x.a[g], [](uint32_t v) {
            return std::bit_cast<uint32_t>(wave::round_to_integral(std::bit_cast<float>(v), kMode));
        });
}
float away(float v) {
    return std::isfinite(v) ? std::round(v) : v;
}
void round_away(const AluArgs& x) {
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = wave::map(
            x.a[g], [](uint32_t v) { return std::bit_cast<uint32_t>(away(std::bit_cast<float>(v))); });
}

U32 holds(isa::Condition c, F32 a, F32 b) {
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
void compare(const AluArgs& x) {
    const isa::Condition c = x.instr->condition();
    for (unsigned g = 0; g < x.groups; ++g)
        x.out[g] = holds(c, wave::as_float(x.a[g]), wave::as_float(x.b[g])) & 1u;
}
void compare_halves(const AluArgs& x) {
    U32 a[kMaxGroups], b[kMaxGroups];
    halves_to_floats(x.a, a, x.groups);
    halves_to_floats(x.b, b, x.groups);
    AluArgs y = x;
    y.a = a;
    y.b = b;
    compare(y);
}

void mad_plain(const float* a, const float* b, const float* c, float* out, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        out[i] = std::fma(a[i], b[i], c[i]);
}
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void mad_fast(const float* a, const float* b, const float* c, float* out,
                                          unsigned count) {
    using F8 [[gnu::vector_size(32), gnu::may_alias, gnu::aligned(4)]] = float;
    for (unsigned i = 0; i < count; i += 16) {
        for (unsigned k = i; k < i + 16; k += 8) {
            const F8 x = *reinterpret_cast<const F8*>(a + k), y = *reinterpret_cast<const F8*>(b + k);
            const F8 z = *reinterpret_cast<const F8*>(c + k);
            F8 r;
            for (unsigned n = 0; n < 8; ++n)
                r[n] = __builtin_fmaf(x[n], y[n], z[n]);
            *reinterpret_cast<F8*>(out + k) = r;
        }
    }
}
const bool kHasFma = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#endif

void mad(const AluArgs& x) {
    const auto *a = reinterpret_cast<const float*>(x.a), *b = reinterpret_cast<const float*>(x.b);
    const auto* c = reinterpret_cast<const float*>(x.c);
    auto* out = reinterpret_cast<float*>(x.out);
#if defined(__x86_64__)
    if (kHasFma) return mad_fast(a, b, c, out, x.groups * kGroupLanes);
#endif
    mad_plain(a, b, c, out, x.groups * kGroupLanes);
}

// A float halfway between two halves, or so small that halves have fewer bits: the second rounding may be
// wrong.
bool is_doubtful(uint32_t bits) {
    return (bits & 0x1fff) == 0x1000 || ((bits & 0x7fffffff) < 0x38800000 && (bits & 0x7fffffff) != 0);
}
void mad_halves(const AluArgs& x) {
    U32 a[kMaxGroups], b[kMaxGroups], c[kMaxGroups], r[kMaxGroups], out[kMaxGroups];
    halves_to_floats(x.a, a, x.groups);
    halves_to_floats(x.b, b, x.groups);
    halves_to_floats(x.c, c, x.groups);
    mad({a, b, c, r, x.groups, true, x.instr});
    floats_to_halves(r, out, x.groups);
    for (unsigned g = 0; g < x.groups; ++g) {
        for (unsigned i = 0; i < kGroupLanes; ++i) {
            if (!is_doubtful(r[g][i])) continue;
            const double product = double(std::bit_cast<float>(uint32_t(a[g][i]))) *
                                   double(std::bit_cast<float>(uint32_t(b[g][i])));
            out[g][i] =
                wave::to_half(wave::add_odd(product, double(std::bit_cast<float>(uint32_t(c[g][i])))));
        }
        x.out[g] = out[g];
    }
}

constexpr AluRow kRows[] = {
    {Op::kAddF, Numbers::Float, add, as_floats<add>},
    {Op::kMinF, Numbers::Float, min, as_floats<min>},
    {Op::kMaxF, Numbers::Float, max, as_floats<max>},
    {Op::kMulF, Numbers::Float, mul, as_floats<mul>},
    {Op::kSignF, Numbers::Float, sign, as_floats<sign>},
    {Op::kAbsnegF, Numbers::Float, copy, copy},
    {Op::kCmpsF, Numbers::Float, compare, compare_halves, kTruth},
    {Op::kFloorF, Numbers::Float, round<wave::Round::Down>, as_floats<round<wave::Round::Down>>},
    {Op::kCeilF, Numbers::Float, round<wave::Round::Up>, as_floats<round<wave::Round::Up>>},
    {Op::kRndneF, Numbers::Float, round<wave::Round::NearestEven>,
     as_floats<round<wave::Round::NearestEven>>},
    {Op::kRndazF, Numbers::Float, round_away, as_floats<round_away>},
    {Op::kTruncF, Numbers::Float, round<wave::Round::ToZero>, as_floats<round<wave::Round::ToZero>>},
    {Op::kMadF32, Numbers::Float, mad},
    {Op::kMadF16, Numbers::Float, nullptr, mad_halves},
};

}  // namespace

std::span<const AluRow> float_rows() {
    return kRows;
}

}  // namespace terrazzo::adreno::sim
