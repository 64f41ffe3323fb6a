// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Logarithms and exponentials are reduced by tables. The table's value is a sum of two doubles, and the
// largest product is exact, so that the last addition makes nearly the whole error. The argument is a float:
// what is left of it after the reduction is exact. Tables are computed when the process starts.
#include "drivers/common/core/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace terrazzo::core {

namespace {

using wave::kLanes;

constexpr uint32_t kExponent = 0x7f800000;

// ---- One lane at a time ----

double reciprocal(double v) {
    return 1 / v;
}
double reciprocal_sqrt(double v) {
    return 1 / std::sqrt(v);
}

// The mantissa in [3/4, 3/2) of a number greater than 0.
double log_mantissa(double v) {
    constexpr uint64_t kMantissa = (1ull << 52) - 1, kHalf = 1022ull << 52;
    const auto m = std::bit_cast<double>((std::bit_cast<uint64_t>(v) & kMantissa) | kHalf);
    return m < 0.75 ? 2 * m : m;
}
double log2_quotient(double v) {
    if (std::isnan(v) || v < 0) return std::numeric_limits<double>::quiet_NaN();
    if (v == 0 || std::isinf(v)) return std::numeric_limits<double>::infinity();
    const double m = log_mantissa(v);
    return m == 1 ? 1 / std::numbers::ln2 : std::log2(m) / (m - 1);
}

float to_odd(double v) {
    const auto f = float(v);
    if (!(double(f) != v) || !std::isfinite(f) || std::bit_cast<uint32_t>(f) & 1) return f;
    const float limit = std::numeric_limits<float>::infinity();
    return std::nextafterf(f, double(f) < v ? limit : -limit);
}

template <Function kF, bool kOdd>
void by_reference(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    *out = wave::map(a, [](uint32_t v) {
        const double from =
            kF == Function::Exp2OfFixed ? double(int32_t(v)) : double(std::bit_cast<float>(v));
        const double r = reference(kF, from);
        return std::bit_cast<uint32_t>(kOdd ? to_odd(r) : float(r));
    });
}

using Table = std::array<MicroKernel, kFunctions>;
template <bool kOdd, size_t... kF>
constexpr Table references(std::index_sequence<kF...>) {
    return {by_reference<Function(kF), kOdd>...};
}
constexpr Table kReferenceFloat = references<false>(std::make_index_sequence<kFunctions>());
constexpr Table kReferenceOdd = references<true>(std::make_index_sequence<kFunctions>());

#if defined(__x86_64__)

// ---- Four lanes at a time ----

#define TERRAZZO_AVX2 [[gnu::target("avx2,fma")]]

constexpr unsigned kTableBits = 7, kEntries = 1 << kTableBits;
constexpr double kInvLn2 = 1 / std::numbers::ln2;

// 2^(n / kEntries).
struct ExpTable {
    alignas(32) double high[kEntries], low[kEntries];
    ExpTable() {
        for (unsigned n = 0; n < kEntries; ++n) {
            const long double v = std::exp2((long double)(n) / kEntries);
            high[n] = double(v);
            low[n] = double(v - high[n]);
        }
    }
};
// For an interval of mantissas: a number near the reciprocal of its middle, and minus that number's
// logarithm. A mantissa of 24 bits times a number of kFactorBits is an exact double. The intervals next to 1
// have 1. high has at most kLogBits bits after the point, so that an exponent is added exactly.
constexpr uint64_t kLogFirst = 0x3fe6000000000000;  // mantissas are in [0.6875, 1.375)
constexpr int kFactorBits = 20, kLogBits = 40;
struct LogTable {
    alignas(32) double factor[kEntries], high[kEntries], low[kEntries];
    LogTable() {
        for (unsigned n = 0; n < kEntries; ++n) {
            const auto at = [&](uint64_t i) {
                return std::bit_cast<double>(kLogFirst + (i << (52 - kTableBits)));
            };
            const double first = at(n), last = at(n + 1);
            const bool next_to_1 = first == 1 || last == 1;
            factor[n] =
                next_to_1 ? 1
                          : std::ldexp(std::round(std::ldexp(2 / (first + last), kFactorBits)), -kFactorBits);
            const long double v = -std::log2((long double)(factor[n]));
            high[n] = std::ldexp(std::round(std::ldexp(double(v), kLogBits)), -kLogBits);
            low[n] = double(v - high[n]);
        }
    }
};
const ExpTable kExpTable;
const LogTable kLogTable;

TERRAZZO_AVX2 inline __m256d splat(double v) {
    return _mm256_set1_pd(v);
}
TERRAZZO_AVX2 inline __m256i bits(uint64_t v) {
    return _mm256_set1_epi64x(int64_t(v));
}
TERRAZZO_AVX2 inline __m256d as_double(__m256i v) {
    return _mm256_castsi256_pd(v);
}
// The table's entries; the mask form, since the other one depends on what the result was before.
TERRAZZO_AVX2 inline __m256d look_up(const double* table, __m256i index) {
    return _mm256_mask_i64gather_pd(_mm256_setzero_pd(), table, index, as_double(bits(~0ull)), 8);
}

// p * x^n + ... + the last one of `rest`.
template <class... Rest>
TERRAZZO_AVX2 inline __m256d horner(__m256d x, double p, Rest... rest) {
    __m256d v = splat(p);
    ((v = _mm256_fmadd_pd(v, x, splat(rest))), ...);
    return v;
}

struct ReciprocalOf {
    TERRAZZO_AVX2 static __m256d of(__m256d v) { return _mm256_div_pd(splat(1), v); }
};
struct ReciprocalSqrtOf {
    TERRAZZO_AVX2 static __m256d of(__m256d v) { return _mm256_div_pd(splat(1), _mm256_sqrt_pd(v)); }
};
struct SqrtOf {
    TERRAZZO_AVX2 static __m256d of(__m256d v) { return _mm256_sqrt_pd(v); }
};

// v = n / kEntries + rest: 2^v = 2^(n / kEntries) * (1 + (2^rest - 1)).
struct Exp2Of {
    TERRAZZO_AVX2 static __m256d of(__m256d v) {
        // Beyond these, results are no floats other than 0 and infinity. A NaN becomes the bound here.
        const __m256d in = _mm256_max_pd(_mm256_min_pd(v, splat(130)), splat(-160));
        constexpr double kShift = 0x1.8p52;  // leaves an integer in the low bits
        const __m256d shifted = _mm256_add_pd(_mm256_mul_pd(in, splat(kEntries)), splat(kShift));
        const __m256i n = _mm256_castpd_si256(shifted);
        const __m256d whole = _mm256_mul_pd(_mm256_sub_pd(shifted, splat(kShift)), splat(1.0 / kEntries));
        const __m256d x = _mm256_mul_pd(_mm256_sub_pd(in, whole), splat(std::numbers::ln2));
        // e^x - 1
        __m256d p = horner(x, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5);
        p = _mm256_fmadd_pd(_mm256_mul_pd(x, x), p, x);
        const __m256i entry = _mm256_and_si256(n, bits(kEntries - 1));
        const __m256d high = look_up(kExpTable.high, entry), low = look_up(kExpTable.low, entry);
        const __m256d mantissa = _mm256_add_pd(high, _mm256_fmadd_pd(high, p, low));
        const __m256i exponent =
            _mm256_slli_epi64(_mm256_andnot_si256(bits(kEntries - 1), n), 52 - kTableBits);
        const __m256d out = as_double(_mm256_add_epi64(_mm256_castpd_si256(mantissa), exponent));
        return _mm256_blendv_pd(out, _mm256_add_pd(v, v), _mm256_cmp_pd(v, v, _CMP_UNORD_Q));
    }
};

// v = 2^k * z, and z = (1 + r) / factor: log2(v) = k - log2(factor) + log2(1 + r).
struct Log2Of {
    TERRAZZO_AVX2 static __m256d of(__m256d v) {
        const __m256i in = _mm256_castpd_si256(v), from_first = _mm256_sub_epi64(in, bits(kLogFirst));
        const __m256i entry =
            _mm256_and_si256(_mm256_srli_epi64(from_first, 52 - kTableBits), bits(kEntries - 1));
        // The exponent and 2048, as the last bits of 2^52.
        const __m256i biased = _mm256_srli_epi64(_mm256_add_epi64(from_first, bits(2048ull << 52)), 52);
        const __m256d k =
            _mm256_sub_pd(as_double(_mm256_or_si256(biased, bits(0x4330000000000000))), splat(0x1p52 + 2048));
        const __m256d z = as_double(_mm256_sub_epi64(in, _mm256_and_si256(from_first, bits(0xfffull << 52))));
        const __m256d factor = look_up(kLogTable.factor, entry), high = look_up(kLogTable.high, entry),
                      low = look_up(kLogTable.low, entry);
        const __m256d r = _mm256_fmsub_pd(z, factor, splat(1));
        constexpr double kLow = double(1 / std::numbers::ln2_v<long double> - (long double)(kInvLn2));
        const __m256d first = _mm256_mul_pd(r, splat(kInvLn2));
        const __m256d first_low = _mm256_fmadd_pd(r, splat(kLow), _mm256_fmsub_pd(r, splat(kInvLn2), first));
        const __m256d p = horner(r, kInvLn2 / 9, -kInvLn2 / 8, kInvLn2 / 7, -kInvLn2 / 6, kInvLn2 / 5,
                                 -kInvLn2 / 4, kInvLn2 / 3, -kInvLn2 / 2);
        const __m256d whole = _mm256_add_pd(k, high), sum = _mm256_add_pd(whole, first);
        const __m256d lost = _mm256_add_pd(_mm256_sub_pd(whole, sum), first);
        const __m256d rest = _mm256_add_pd(_mm256_add_pd(lost, first_low), low);
        const __m256d out = _mm256_add_pd(sum, _mm256_fmadd_pd(_mm256_mul_pd(r, r), p, rest));
        // Not greater than 0, infinite, or NaN.
        const __m256d inf = splat(std::numeric_limits<double>::infinity());
        const __m256d good = _mm256_and_pd(_mm256_cmp_pd(v, _mm256_setzero_pd(), _CMP_GT_OQ),
                                           _mm256_cmp_pd(v, inf, _CMP_LT_OQ));
        return _mm256_movemask_pd(good) == 15 ? out : _mm256_blendv_pd(of_others(v), out, good);
    }
    TERRAZZO_AVX2 static __m256d of_others(__m256d v) {
        const __m256d none = _mm256_sub_pd(v, v);  // 0; NaN for what is not finite
        const __m256d inf = splat(std::numeric_limits<double>::infinity());
        __m256d out = _mm256_div_pd(none, none);
        out = _mm256_blendv_pd(out, inf, _mm256_cmp_pd(v, inf, _CMP_EQ_OQ));
        return _mm256_blendv_pd(out, _mm256_sub_pd(_mm256_setzero_pd(), inf),
                                _mm256_cmp_pd(v, _mm256_setzero_pd(), _CMP_EQ_OQ));
    }
};

struct Log2QuotientOf {
    TERRAZZO_AVX2 static __m256d of(__m256d v) {
        const __m256d inf = splat(std::numeric_limits<double>::infinity()), zero = _mm256_setzero_pd();
        const __m256i mantissa = _mm256_and_si256(_mm256_castpd_si256(v), bits((1ull << 52) - 1));
        const __m256d half = as_double(_mm256_or_si256(mantissa, bits(1022ull << 52)));
        const __m256d m =
            _mm256_blendv_pd(half, _mm256_add_pd(half, half), _mm256_cmp_pd(half, splat(0.75), _CMP_LT_OQ));
        __m256d out = _mm256_div_pd(Log2Of::of(m), _mm256_sub_pd(m, splat(1)));
        out = _mm256_blendv_pd(out, splat(1 / std::numbers::ln2), _mm256_cmp_pd(m, splat(1), _CMP_EQ_OQ));
        const __m256d infinite =
            _mm256_or_pd(_mm256_cmp_pd(v, zero, _CMP_EQ_OQ), _mm256_cmp_pd(v, inf, _CMP_EQ_OQ));
        out = _mm256_blendv_pd(out, inf, infinite);
        return _mm256_blendv_pd(out, splat(std::numeric_limits<double>::quiet_NaN()),
                                _mm256_cmp_pd(v, zero, _CMP_NGE_UQ));
    }
};

// to_odd() of four lanes. What is lost by the rounding decides; it is no denormal float where a half is not
// 0.
TERRAZZO_AVX2 inline __m128 to_odd(__m256d v) {
    const __m128 f = _mm256_cvtpd_ps(v), lost = _mm256_cvtpd_ps(_mm256_sub_pd(v, _mm256_cvtps_pd(f)));
    const __m128i word = _mm_castps_si128(f), exponent = _mm_set1_epi32(int32_t(kExponent));
    const __m128i inexact = _mm_castps_si128(_mm_cmp_ps(lost, _mm_setzero_ps(), _CMP_NEQ_OQ));
    const __m128i infinite = _mm_cmpeq_epi32(_mm_and_si128(word, exponent), exponent);
    const __m128i odd = _mm_sub_epi32(_mm_setzero_si128(), _mm_and_si128(word, _mm_set1_epi32(1)));
    const __m128i moves = _mm_andnot_si128(_mm_or_si128(infinite, odd), inexact);
    const __m128i signs = _mm_srai_epi32(_mm_xor_si128(word, _mm_castps_si128(lost)), 31);
    const __m128i step = _mm_or_si128(signs, _mm_set1_epi32(1));  // away from 0, or towards it
    return _mm_castsi128_ps(_mm_add_epi32(word, _mm_and_si128(moves, step)));
}

// kFixed: of integers, divided by 2^24.
template <class F, bool kOdd, bool kFixed = false>
TERRAZZO_AVX2 void by_vectors(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    const auto* const from = reinterpret_cast<const float*>(&a);
    auto* const to = reinterpret_cast<float*>(out);
    for (unsigned i = 0; i < kLanes; i += 4) {
        const __m128 word = _mm_loadu_ps(from + i);
        const __m256d in = kFixed ? _mm256_mul_pd(_mm256_cvtepi32_pd(_mm_castps_si128(word)), splat(0x1p-24))
                                  : _mm256_cvtps_pd(word);
        const __m256d v = F::of(in);
        _mm_storeu_ps(to + i, kOdd ? to_odd(v) : _mm256_cvtpd_ps(v));
    }
}
template <bool kOdd>
Table vectors() {
    Table t = kOdd ? kReferenceOdd : kReferenceFloat;
    t[unsigned(Function::Reciprocal)] = by_vectors<ReciprocalOf, kOdd>;
    t[unsigned(Function::ReciprocalSqrt)] = by_vectors<ReciprocalSqrtOf, kOdd>;
    t[unsigned(Function::Sqrt)] = by_vectors<SqrtOf, kOdd>;
    t[unsigned(Function::Log2)] = by_vectors<Log2Of, kOdd>;
    t[unsigned(Function::Exp2)] = by_vectors<Exp2Of, kOdd>;
    t[unsigned(Function::Exp2OfFixed)] = by_vectors<Exp2Of, kOdd, true>;
    t[unsigned(Function::Log2Quotient)] = by_vectors<Log2QuotientOf, kOdd>;
    return t;
}

template <bool kOdd>
MicroKernel fastest(Function f) {
    static const bool has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    static const Table table = vectors<kOdd>();
    return has_vectors ? table[unsigned(f)] : (kOdd ? kReferenceOdd : kReferenceFloat)[unsigned(f)];
}

#undef TERRAZZO_AVX2
#else

template <bool kOdd>
MicroKernel fastest(Function f) {
    return (kOdd ? kReferenceOdd : kReferenceFloat)[unsigned(f)];
}

#endif

}  // namespace

double reference(Function f, double v) {
    switch (f) {
        case Function::Reciprocal:
            return reciprocal(v);
        case Function::ReciprocalSqrt:
            return reciprocal_sqrt(v);
        case Function::Sqrt:
            return std::sqrt(v);
        case Function::Log2:
            return std::log2(v);
        case Function::Exp2:
            return std::exp2(v);
        case Function::Sin:
            return std::sin(v);
        case Function::Cos:
            return std::cos(v);
        case Function::Exp2OfFixed:
            return std::exp2(v * 0x1p-24);
        case Function::Log2Quotient:
            return log2_quotient(v);
    }
    return v;
}

MicroKernel float_kernel(Function f) {
    return fastest<false>(f);
}
MicroKernel odd_kernel(Function f) {
    return fastest<true>(f);
}
MicroKernel reference_float_kernel(Function f) {
    return kReferenceFloat[unsigned(f)];
}
MicroKernel reference_odd_kernel(Function f) {
    return kReferenceOdd[unsigned(f)];
}

// ---- Steps ----

namespace {

void float_to_half(const U32& a, const U32&, const U32&, uint64_t mode, U32* out) {
    *out = wave::map(a, [mode](uint32_t v) {
        return uint32_t(wave::to_half(double(std::bit_cast<float>(v)), Round(mode)));
    });
}
void truncate_to_half(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    using wave::I32;
    const U32 magnitude = a & 0x7fffffffu, is_small = U32(I32(magnitude) < 0x38800000);  // below 2^-14
    const wave::F32 units = wave::as_float(magnitude & is_small) * 0x1p24f;
    U32 v =
        wave::select(is_small, U32(__builtin_convertvector(units, I32)), (magnitude - (112u << 23)) >> 13);
    v = wave::select(U32(I32(magnitude) >= 0x47800000), wave::splat(0x7bff), v);  // from 65536 on
    v = wave::select(U32(I32(magnitude) == 0x7f800000), wave::splat(0x7c00), v);
    v = wave::select(U32(I32(magnitude) > 0x7f800000), wave::splat(0x7e00), v);
    *out = v | (a >> 16 & 0x8000u);
}
template <bool kSigned, bool kHalf>
void from_integer(const U32& a, const U32&, const U32&, uint64_t mode, U32* out) {
    *out = wave::map(a, [mode](uint32_t v) {
        const int64_t i = kSigned ? int64_t(int32_t(v)) : int64_t(v);
        return kHalf ? uint32_t(wave::to_half(double(i), Round(mode)))
                     : std::bit_cast<uint32_t>(wave::from_s64(i, Round(mode)));
    });
}

void dot(const U32& av, const U32& bv, const U32& cv, uint64_t data, U32* out) {
    const DotProduct d{bool(data & 1), bool(data & 2), bool(data & 4), uint8_t(data >> 8),
                       uint8_t(data >> 16)};
    const auto byte = [](uint32_t v, unsigned n, bool is_signed) {
        return is_signed ? int64_t(int8_t(v >> 8 * n)) : int64_t(uint8_t(v >> 8 * n));
    };
    const int64_t most = d.a_signed ? INT32_MAX : UINT32_MAX, least = d.a_signed ? INT32_MIN : 0;
    *out = wave::map(av, bv, cv, [&](uint32_t a, uint32_t b, uint32_t c) {
        int64_t v = d.a_signed ? int64_t(int32_t(c)) : int64_t(c);
        for (unsigned n = d.first; n < unsigned(d.first) + d.count; ++n)
            v += byte(a, n, d.a_signed) * byte(b, n, d.b_signed);
        return uint32_t(d.saturates ? std::clamp(v, least, most) : v);
    });
}

}  // namespace

// By the sum's error (Knuth's TwoSum). Where the sum is inexact and even, it moves to the side of the error.
Value add_to_odd(MicroBuilder& b, Value x, Value y) {
    const auto number = [](uint32_t bits) { return MicroBuilder::constant(bits); };
    const auto minus = [&](Value from, Value v) {
        return b.op(MicroOp::FloatAdd, from, b.op(MicroOp::Xor, v, number(0x80000000u)));
    };
    const Value sum = b.op(MicroOp::FloatAdd, x, y), added = minus(sum, x);
    const Value error = b.op(MicroOp::FloatAdd, minus(x, minus(sum, added)), minus(y, added));
    const Value inexact = b.op(MicroOp::FloatLess, number(0), b.op(MicroOp::And, error, number(0x7fffffffu)));
    const Value even = b.op(MicroOp::Equal, b.op(MicroOp::And, sum, number(1)), number(0));
    const Value signs = b.op(MicroOp::ShiftRightSigned, b.op(MicroOp::Xor, error, sum), number(31));
    const Value step = b.op(MicroOp::Or, signs, number(1));  // away from 0, or towards it
    return b.op(MicroOp::Add, sum, b.op(MicroOp::And, b.op(MicroOp::And, inexact, even), step));
}

Value round_to_half(MicroBuilder& b, Value v, Round round) {
    if (round == Round::NearestEven) return b.op(MicroOp::FloatToHalf, v);
    return b.kernel(round == Round::ToZero ? truncate_to_half : float_to_half, uint64_t(round), v);
}

Value integer_to_float(MicroBuilder& b, Value v, bool is_signed, Round round) {
    if (round == Round::NearestEven)
        return b.op(is_signed ? MicroOp::SignedToFloat : MicroOp::UnsignedToFloat, v);
    return b.kernel(is_signed ? from_integer<true, false> : from_integer<false, false>, uint64_t(round), v);
}

Value integer_to_half(MicroBuilder& b, Value v, bool is_signed, Round round) {
    // Integers that a float rounds are beyond all halves.
    if (round == Round::NearestEven)
        return b.op(MicroOp::FloatToHalf, integer_to_float(b, v, is_signed, round));
    return b.kernel(is_signed ? from_integer<true, true> : from_integer<false, true>, uint64_t(round), v);
}

Value dot_product(MicroBuilder& b, const DotProduct& d, Value x, Value y, Value accumulator) {
    const uint64_t data = uint64_t(d.a_signed) | uint64_t(d.b_signed) << 1 | uint64_t(d.saturates) << 2 |
                          uint64_t(d.first) << 8 | uint64_t(d.count) << 16;
    return b.kernel(dot, data, x, y, accumulator);
}

}  // namespace terrazzo::core
