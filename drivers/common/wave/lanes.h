// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sixteen lanes of a wave as vectors of the host, and the arithmetic that shader cores have in common.
// Comparisons give a mask of all ones or zero a lane. Results do not depend on the host: no approximations,
// fused multiply-add is fused everywhere.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "pipe/half.h"

namespace terrazzo::wave {

inline constexpr unsigned kLanes = 16;

template <class T>
using Lanes [[gnu::vector_size(sizeof(T) * kLanes)]] = T;
using U32 = Lanes<uint32_t>;
using I32 = Lanes<int32_t>;
using F32 = Lanes<float>;
using U64 = Lanes<uint64_t>;
using I64 = Lanes<int64_t>;

inline U32 splat(uint32_t v) {
    return U32{} + v;
}
inline F32 as_float(U32 v) {
    return F32(v);
}
inline U32 as_bits(F32 v) {
    return U32(v);
}
inline I32 as_signed(U32 v) {
    return I32(v);
}
/// mask: all ones or zero.
inline U32 select(U32 mask, U32 yes, U32 no) {
    return (yes & mask) | (no & ~mask);
}
inline F32 select(U32 mask, F32 yes, F32 no) {
    return as_float(select(mask, as_bits(yes), as_bits(no)));
}

/// Four lanes: the compiler compares these as one vector, but sixteen one by one.
using Four [[gnu::vector_size(16)]] = uint32_t;
inline constexpr Four kLaneBits[kLanes / 4] = {
    {1u << 0, 1u << 1, 1u << 2, 1u << 3},
    {1u << 4, 1u << 5, 1u << 6, 1u << 7},
    {1u << 8, 1u << 9, 1u << 10, 1u << 11},
    {1u << 12, 1u << 13, 1u << 14, 1u << 15},
};
/// A mask of lanes from a bit each.
inline U32 mask_of(uint32_t bits) {
    const Four parts[] = {Four((kLaneBits[0] & bits) != 0), Four((kLaneBits[1] & bits) != 0),
                          Four((kLaneBits[2] & bits) != 0), Four((kLaneBits[3] & bits) != 0)};
    U32 out;
    std::memcpy(&out, parts, sizeof(out));
    return out;
}
/// A bit for each lane that is not zero.
inline uint32_t bits_of(U32 v) {
    Four parts[kLanes / 4];
    std::memcpy(parts, &v, sizeof(parts));
    const Four low = (Four(parts[0] != 0) & kLaneBits[0]) | (Four(parts[1] != 0) & kLaneBits[1]);
    const Four high = (Four(parts[2] != 0) & kLaneBits[2]) | (Four(parts[3] != 0) & kLaneBits[3]);
    const Four any = low | high;
    return (any[0] | any[1]) | (any[2] | any[3]);
}

template <class F>
U32 map(U32 a, F&& f) {
    U32 out;
    for (unsigned i = 0; i < kLanes; ++i)
        out[i] = f(a[i]);
    return out;
}
template <class F>
U32 map(U32 a, U32 b, F&& f) {
    U32 out;
    for (unsigned i = 0; i < kLanes; ++i)
        out[i] = f(a[i], b[i]);
    return out;
}
template <class F>
U32 map(U32 a, U32 b, U32 c, F&& f) {
    U32 out;
    for (unsigned i = 0; i < kLanes; ++i)
        out[i] = f(a[i], b[i], c[i]);
    return out;
}
// ---- Floats ----

inline U32 is_nan(F32 v) {
    return U32(v != v);
}
inline constexpr uint32_t kQuietNan = 0x00400000;
/// For each lane: `operand` as a quiet NaN if it is a NaN, otherwise `result`. This is needed because a
/// compiler may return any of several NaN operands.
inline U32 or_nan(U32 operand, U32 result) {
    return select(is_nan(as_float(operand)), operand | kQuietNan, result);
}
/// A number rather than NaN; -0 is less than +0.
inline F32 fmin(F32 a, F32 b) {
    const U32 less = U32(a < b) | (U32(a == b) & as_bits(a));  // equal: a where its sign is set ...
    return select(is_nan(a), b, select(is_nan(b) | U32(I32(less) < 0), a, b));
}
inline F32 fmax(F32 a, F32 b) {
    const U32 greater = U32(a > b) | (U32(a == b) & ~as_bits(a));
    return select(is_nan(a), b, select(is_nan(b) | U32(I32(greater) < 0), a, b));
}
/// a * b + c, rounded once.
F32 fma(F32 a, F32 b, F32 c);

enum class Round : uint8_t { NearestEven, Up, Down, ToZero };
float round_to_integral(float v, Round mode);
/// v * 2^exponent, rounded once.
float scale(float v, int32_t exponent, Round mode = Round::NearestEven);
/// The sum, to odd: a later rounding to at most 51 bits is as if it were the only one.
double add_odd(double a, double b);
/// (a * b + c) * 2^exponent, rounded once.
float fma_scale(float a, float b, float c, int32_t exponent);
/// Saturating; NaN is 0.
int32_t to_s32(float v, Round mode);
uint32_t to_u32(float v, Round mode);
int16_t to_s16(float v, Round mode);
uint16_t to_u16(float v, Round mode);
/// Exact integers to a float, rounded as asked.
float from_s64(int64_t v, Round mode);
/// The nearest half of each lane, in its low 16 bits: pipe::float_to_half() of four floats.
[[gnu::always_inline]] inline Four to_four_halves(Four bits) {
    using Signed [[gnu::vector_size(16)]] = int32_t;
    using Float [[gnu::vector_size(16)]] = float;
    const Four magnitude = bits & 0x7fffffffu;
    const auto order = Signed(magnitude);
    // Adding 0xfff and the last bit that stays carries where the rest is above the middle, or at it and odd.
    const Four normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    // Denormals: adding 0.5 rounds to units of 2^-24.
    const auto is_small = Four(order < 0x38800000), is_large = Four(order >= 0x477ff000),  // from 65520 on
        is_nan = Four(order > 0x7f800000);
    const Four denormal = Four(Float(magnitude & is_small) + 0.5f) - 0x3f000000u;
    const Four finite = (denormal & is_small) | (normal & ~is_small);
    return (finite & ~is_large) | (is_large & 0x7c00u) | (is_nan & 0x7e00u) | (bits >> 16 & 0x8000u);
}
/// Converts sixteen floats likewise.
inline U32 to_halves(F32 v) {
    Four parts[kLanes / 4];
    std::memcpy(parts, &v, sizeof(parts));
    for (Four& p : parts)
        p = to_four_halves(p);
    U32 out;
    std::memcpy(&out, parts, sizeof(out));
    return out;
}
/// A double (with the exact value, or rounded to odd from it) to half precision.
uint16_t to_half(double v, Round mode = Round::NearestEven);

}  // namespace terrazzo::wave
