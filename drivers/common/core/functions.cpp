// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Logarithms and exponentials are reduced by tables. The table's value is a sum of two doubles, and the
// largest product is exact, so that the last addition makes nearly the whole error. The argument is a float:
// what is left of it after the reduction is exact. Tables are computed when the process starts.
#include "drivers/common/core/functions.h"

#include <array>
#include <cmath>
#include <cstring>
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

/// The first NaN among a, b and c is the result (micro.h).
U32 or_nan_of(const U32& a, const U32& b, uint32_t c, const U32& result) {
    return wave::or_nan(a, wave::or_nan(b, wave::or_nan(wave::splat(c), result)));
}

void scaled_fma_by_reference(const U32& a, const U32& b, const U32& exponent, uint64_t data, U32* out) {
    const auto c = std::bit_cast<float>(uint32_t(data));
    *out = wave::map(a, b, exponent, [c](uint32_t x, uint32_t y, uint32_t e) {
        return std::bit_cast<uint32_t>(
            wave::fma_scale(std::bit_cast<float>(x), std::bit_cast<float>(y), c, int32_t(e)));
    });
    *out = or_nan_of(a, b, uint32_t(data), *out);
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

constexpr unsigned kTableBits = 7, kEntries = 1 << kTableBits;
constexpr double kInvLn2 = 1 / std::numbers::ln2, kInf = std::numeric_limits<double>::infinity();

// Tables are rows, which are loaded as a whole: CPUs gather words slowly. A value is the sum of high and low.
struct Sum {
    double high, low;
};
// 2^(n / kEntries).
struct ExpTable {
    alignas(64) Sum row[kEntries];
    ExpTable() {
        for (unsigned n = 0; n < kEntries; ++n) {
            const long double v = std::exp2((long double)(n) / kEntries);
            row[n] = {double(v), double(v - double(v))};
        }
    }
};
// For an interval of mantissas: a number near the reciprocal of its middle, and minus that number's
// logarithm. A mantissa of 24 bits times a number of kFactorBits is an exact double. The intervals next to 1
// have 1. high has at most kLogBits bits after the point, so that an exponent is added exactly.
constexpr uint64_t kLogFirst = 0x3fe6000000000000;  // mantissas are in [0.6875, 1.375)
constexpr int kFactorBits = 20, kLogBits = 40;
struct LogTable {
    struct Row {
        Sum value;
        double factor, unused;
    };
    alignas(64) Row row[kEntries];
    LogTable() {
        for (unsigned n = 0; n < kEntries; ++n) {
            const auto at = [&](uint64_t i) {
                return std::bit_cast<double>(kLogFirst + (i << (52 - kTableBits)));
            };
            const double first = at(n), last = at(n + 1);
            const bool next_to_1 = first == 1 || last == 1;
            const double factor =
                next_to_1 ? 1
                          : std::ldexp(std::round(std::ldexp(2 / (first + last), kFactorBits)), -kFactorBits);
            const long double v = -std::log2((long double)(factor));
            const double high = std::ldexp(std::round(std::ldexp(double(v), kLogBits)), -kLogBits);
            row[n] = {{high, double(v - high)}, factor, 0};
        }
    }
};
// A table has the sines of n * kStep. kStepParts add up to kStep; the products of the first two with numbers
// up to 2^20 are exact.
constexpr double kStep = std::numbers::pi / 64;
constexpr double kStepParts[] = {0x3.243f6a88p-6, 0x85a308d3p-70, 0x1.3198a2e037073p-74};
struct SinTable {
    alignas(64) Sum row[kEntries];
    SinTable() {
        constexpr unsigned kQuarter = kEntries / 4;
        for (unsigned n = 0; n < kEntries; ++n) {
            const auto at = [](unsigned k) { return k * (std::numbers::pi_v<long double> / 64); };
            const unsigned k = n % kQuarter;
            const long double sine = k <= kQuarter / 2 ? std::sin(at(k)) : std::cos(at(kQuarter - k)),
                              cosine = k <= kQuarter / 2 ? std::cos(at(k)) : std::sin(at(kQuarter - k));
            const long double v = (n / kQuarter % 2 ? cosine : sine) * (n / kQuarter < 2 ? 1 : -1);
            row[n] = {double(v), double(v - double(v))};
        }
    }
};
const ExpTable kExpTable;
const LogTable kLogTable;
const SinTable kSinTable;

#define TERRAZZO_AVX2 [[gnu::target("avx2,fma")]]
constexpr unsigned kWidth = 4;
using D [[gnu::vector_size(32)]] = double;
using I [[gnu::vector_size(32)]] = int64_t;
TERRAZZO_AVX2 inline D fma(D a, D b, D c) {
    return _mm256_fmadd_pd(a, b, c);
}
TERRAZZO_AVX2 inline D fms(D a, D b, D c) {
    return _mm256_fmsub_pd(a, b, c);
}
TERRAZZO_AVX2 inline D square_root(D v) {
    return _mm256_sqrt_pd(v);
}
// Members kFirst and kFirst + 1 of the rows of four lanes.
template <unsigned kFirst = 0, class Row>
TERRAZZO_AVX2 inline void look_up(const Row* table, I index, D* first, D* second) {
    const auto at = [&](unsigned lane) {
        return reinterpret_cast<const __m128d*>(reinterpret_cast<const double*>(&table[index[lane]]) +
                                                kFirst);
    };
    const D even = _mm256_set_m128d(*at(2), *at(0)), odd = _mm256_set_m128d(*at(3), *at(1));
    *first = _mm256_unpacklo_pd(even, odd);
    *second = _mm256_unpackhi_pd(even, odd);
}
TERRAZZO_AVX2 inline bool is_all(I mask) {
    return _mm256_movemask_pd(__m256d(mask)) == 15;
}
using U [[gnu::vector_size(8 * kWidth)]] = uint64_t;
using F [[gnu::vector_size(4 * kWidth)]] = float;
using W [[gnu::vector_size(4 * kWidth)]] = int32_t;

TERRAZZO_AVX2 inline D choose(I mask, D yes, D no) {
    return mask ? yes : no;
}

// a * x + b. Polynomials are sums of such pairs of terms, which the CPU computes in parallel.
TERRAZZO_AVX2 inline D linear(D x, double a, double b) {
    return fma(x, D{} + a, D{} + b);
}

struct ReciprocalOf {
    TERRAZZO_AVX2 static D of(D v) { return 1.0 / v; }
};
struct ReciprocalSqrtOf {
    TERRAZZO_AVX2 static D of(D v) { return 1.0 / square_root(v); }
};
struct SqrtOf {
    TERRAZZO_AVX2 static D of(D v) { return square_root(v); }
};

// v = n / kEntries + rest: 2^v = 2^(n / kEntries) * (1 + (2^rest - 1)).
struct Exp2Of {
    TERRAZZO_AVX2 static D of(D v) {
        // Beyond these, results are no floats other than 0 and infinity. A NaN becomes the bound here.
        const D in = _mm256_max_pd(_mm256_min_pd(v, D{} + 130.0), D{} - 160.0);
        constexpr double kShift = 0x1.8p52;  // leaves an integer in the low bits
        const D shifted = in * double(kEntries) + kShift;
        const auto n = I(shifted);
        const D x = fma(shifted - kShift, D{} - 1.0 / kEntries, in) * std::numbers::ln2, square = x * x;
        // e^x - 1
        D p = fma(linear(x, 1.0 / 120, 1.0 / 24), square, linear(x, 1.0 / 6, 0.5));
        p = fma(linear(x, 1.0 / 5040, 1.0 / 720), square * square, p);
        p = fma(square, p, x);
        const I entry = n & int64_t(kEntries - 1);
        D high, low;
        look_up(kExpTable.row, entry, &high, &low);
        const D mantissa = high + fma(high, p, low);
        const auto exponent = I(U(n & ~int64_t(kEntries - 1)) << (52 - kTableBits));
        return choose(v == v, D(I(mantissa) + exponent), v + v);
    }
};

// v = 2^k * z, and z = (1 + r) / factor: log2(v) = k - log2(factor) + log2(1 + r).
struct Log2Of {
    TERRAZZO_AVX2 static D of(D v) {
        const U in = U(v), from_first = in - kLogFirst;
        const auto entry = I(from_first >> (52 - kTableBits) & uint64_t(kEntries - 1));
        // The exponent and 2048, as the last bits of 2^52.
        const U biased = (from_first + (2048ull << 52)) >> 52;
        const D k = D(biased | 0x4330000000000000ull) - (0x1p52 + 2048);
        const auto z = D(in - (from_first & (0xfffull << 52)));
        D high, low, factor, unused;
        look_up(kLogTable.row, entry, &high, &low);
        look_up<2>(kLogTable.row, entry, &factor, &unused);
        const D r = fms(z, factor, D{} + 1.0);
        constexpr double kLow = double(1 / std::numbers::ln2_v<long double> - (long double)(kInvLn2));
        const D first = r * kInvLn2;
        const D first_low = fma(r, D{} + kLow, fms(r, D{} + kInvLn2, first));
        const D square = r * r;
        const D last =
            fma(linear(r, kInvLn2 / 9, -kInvLn2 / 8), square, linear(r, kInvLn2 / 7, -kInvLn2 / 6));
        D p = fma(linear(r, kInvLn2 / 5, -kInvLn2 / 4), square, linear(r, kInvLn2 / 3, -kInvLn2 / 2));
        p = fma(last, square * square, p);
        const D whole = k + high, sum = whole + first;
        const D lost = (whole - sum) + first;
        const D rest = (lost + first_low) + low;
        const D out = sum + fma(square, p, rest);
        // Not greater than 0, infinite, or NaN.
        const I good = (v > 0.0) & (v < kInf);
        return is_all(good) ? out : choose(good, out, of_others(v));
    }
    TERRAZZO_AVX2 static D of_others(D v) {
        const D none = v - v;  // 0; NaN if v is not finite
        D out = none / none;
        out = choose(v == kInf, D{} + kInf, out);
        return choose(v == 0.0, D{} - kInf, out);
    }
};

struct Log2QuotientOf {
    TERRAZZO_AVX2 static D of(D v) {
        const auto half = D((I(v) & int64_t((1ull << 52) - 1)) | int64_t(1022ull << 52));
        const D m = choose(half < 0.75, half + half, half);
        D out = Log2Of::of(m) / (m - 1.0);
        out = choose(m == 1.0, D{} + 1 / std::numbers::ln2, out);
        out = choose((v == 0.0) | (v == kInf), D{} + kInf, out);
        return choose(v >= 0.0, out, D{} + std::numeric_limits<double>::quiet_NaN());
    }
};

// v = n * step + r, where r is a sum of two doubles. The sine of n * step is in a table, that of r is a
// polynomial. kQuarters: the quarters of a circle (128 steps) that are added to v: 0 for sines, 1 for
// cosines.
template <unsigned kQuarters>
struct SineOf {
    TERRAZZO_AVX2 static D of(D v) {
        constexpr double kShift = 0x1.8p52, kMost = 40000;
        const I good = (v < kMost) & (v > -kMost);
        const D in = choose(good, v, D{}), shifted = in * (1 / kStep) + kShift, n = shifted - kShift;
        const I entry = (I(shifted) + int64_t(32 * kQuarters)) & int64_t(kEntries - 1);
        // The products with the first two parts of the step are exact.
        const D at = fma(-n, D{} + kStepParts[0], in), second = n * kStepParts[1];
        const D high = at - second, moved = high - at;
        const D low = ((at - (high - moved)) - (second + moved)) - n * kStepParts[2];
        const I quarter = (entry + int64_t(kEntries / 4)) & int64_t(kEntries - 1);
        D s, s_low, c, c_low;
        look_up(kSinTable.row, entry, &s, &s_low);
        look_up(kSinTable.row, quarter, &c, &c_low);
        const D square = high * high;
        const D sine = (square * high) *
                       fma(linear(square, -1.0 / 5040, 1.0 / 120), square, D{} - 1.0 / 6);  // sine minus r
        const D cosine = square * fma(linear(square, 1.0 / 40320, -1.0 / 720), square * square,
                                      linear(square, 1.0 / 24, -0.5));  // cosine minus 1
        const D first = c * high, first_low = fms(c, high, first), sum = s + first;
        const D rest =
            ((s - sum) + first) + (first_low + fma(c, sine + low, fma(s, cosine, fma(c_low, high, s_low))));
        D out = choose(in == 0.0, kQuarters ? D{} + 1.0 : in, sum + rest);
        for (unsigned i = 0; !is_all(good) && i < kWidth; ++i)
            if (!good[i]) out[i] = kQuarters ? std::cos(v[i]) : std::sin(v[i]);
        return out;
    }
};

// to_odd() for lanes. The error of the rounding to a float decides whether and where a result moves. It is
// itself a float, and no denormal one if the result, as a half, is not 0.
TERRAZZO_AVX2 inline F to_odd(D v) {
    const F f = __builtin_convertvector(v, F);
    const F lost = __builtin_convertvector(v - __builtin_convertvector(f, D), F);
    const auto word = W(f);
    const W inexact = (lost < 0.0f) | (lost > 0.0f);
    const W infinite = (word & int32_t(kExponent)) == int32_t(kExponent);
    const W moves = inexact & ~(infinite | -(word & 1));
    const W step = ((word ^ W(lost)) >> 31) | 1;  // away from 0, or towards it
    return F(word + (moves & step));
}

template <class T>
TERRAZZO_AVX2 inline T four_of(const U32& v, unsigned first) {
    T out;
    std::memcpy(&out, reinterpret_cast<const uint8_t*>(&v) + sizeof(uint32_t) * first, sizeof(out));
    return out;
}
TERRAZZO_AVX2 inline void put_four(U32* v, unsigned first, F four) {
    std::memcpy(reinterpret_cast<uint8_t*>(v) + sizeof(uint32_t) * first, &four, sizeof(four));
}

// kFixed: of integers, divided by 2^24.
template <class Of, bool kOdd, bool kFixed = false>
TERRAZZO_AVX2 void by_vectors(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    for (unsigned i = 0; i < kLanes; i += kWidth) {
        const D in = kFixed ? __builtin_convertvector(four_of<W>(a, i), D) * 0x1p-24
                            : __builtin_convertvector(four_of<F>(a, i), D);
        const D v = Of::of(in);
        put_four(out, i, kOdd ? to_odd(v) : __builtin_convertvector(v, F));
    }
}

// The sum is rounded to odd. So the last rounding, to a float, has the same result as if it were the only
// one.
TERRAZZO_AVX2 void scaled_fma_by_vectors(const U32& a, const U32& b, const U32& exponent, uint64_t data,
                                         U32* out) {
    const auto c = double(std::bit_cast<float>(uint32_t(data)));
    constexpr int64_t kExponents = 0x7ffll << 52;
    I numbers = I{} - 1;  // lanes whose sums are not NaN
    for (unsigned i = 0; i < kLanes; i += kWidth) {
        const D product =
            __builtin_convertvector(four_of<F>(a, i), D) * __builtin_convertvector(four_of<F>(b, i), D);
        const D sum = product + c, added = sum - product;
        numbers &= sum == sum;
        const D error = (product - (sum - added)) + (c - added);
        const I moves =
            ((error < 0.0) | (error > 0.0)) & ((I(sum) & kExponents) != kExponents) & ((I(sum) & 1) == 0);
        const I step = ((I(error) ^ I(sum)) < 0) | 1;  // away from 0, or towards it
        const D odd = D(I(sum) + (moves & step));
        W e = four_of<W>(exponent, i);
        e = e < -700 ? W{} - 700 : e;
        e = e > 700 ? W{} + 700 : e;
        const D scale = D((__builtin_convertvector(e, I) + 1023) << 52);
        put_four(out, i, __builtin_convertvector(odd * scale, F));
    }
    if (!is_all(numbers)) *out = or_nan_of(a, b, uint32_t(data), *out);
}

template <bool kOdd>
Table vectors() {
    Table t = kOdd ? kReferenceOdd : kReferenceFloat;
    t[unsigned(Function::Reciprocal)] = by_vectors<ReciprocalOf, kOdd>;
    t[unsigned(Function::ReciprocalSqrt)] = by_vectors<ReciprocalSqrtOf, kOdd>;
    t[unsigned(Function::Sqrt)] = by_vectors<SqrtOf, kOdd>;
    t[unsigned(Function::Log2)] = by_vectors<Log2Of, kOdd>;
    t[unsigned(Function::Exp2)] = by_vectors<Exp2Of, kOdd>;
    t[unsigned(Function::Sin)] = by_vectors<SineOf<0>, kOdd>;
    t[unsigned(Function::Cos)] = by_vectors<SineOf<1>, kOdd>;
    t[unsigned(Function::Exp2OfFixed)] = by_vectors<Exp2Of, kOdd, true>;
    t[unsigned(Function::Log2Quotient)] = by_vectors<Log2QuotientOf, kOdd>;
    return t;
}

template <bool kOdd>
const Table& fastest() {
    static const bool has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    static const Table table = has_vectors ? vectors<kOdd>() : kOdd ? kReferenceOdd : kReferenceFloat;
    return table;
}

MicroKernel fastest_scaled_fma() {
    static const bool has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has_vectors ? scaled_fma_by_vectors : scaled_fma_by_reference;
}

#undef TERRAZZO_AVX2
#else

template <bool kOdd>
const Table& fastest() {
    return kOdd ? kReferenceOdd : kReferenceFloat;
}
MicroKernel fastest_scaled_fma() {
    return scaled_fma_by_reference;
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
    return fastest<false>()[unsigned(f)];
}
MicroKernel odd_kernel(Function f) {
    return fastest<true>()[unsigned(f)];
}
MicroKernel scaled_fma_kernel() {
    return fastest_scaled_fma();
}
MicroKernel reference_scaled_fma_kernel() {
    return scaled_fma_by_reference;
}
MicroKernel reference_float_kernel(Function f) {
    return kReferenceFloat[unsigned(f)];
}
MicroKernel reference_odd_kernel(Function f) {
    return kReferenceOdd[unsigned(f)];
}

}  // namespace terrazzo::core
