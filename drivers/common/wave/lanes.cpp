// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Roundings of waves' arithmetic. Sums that a double cannot hold are rounded to odd first, which keeps a
// second rounding to at most 51 bits correct (Boldo and Melquiond, "Emulation of FMA and correctly rounded
// sums").
#include "drivers/common/wave/lanes.h"

#include <algorithm>
#include <limits>

namespace terrazzo::wave {

namespace {

F32 fma_plain(F32 a, F32 b, F32 c) {
    F32 out;
    for (unsigned i = 0; i < kLanes; ++i)
        out[i] = std::fma(a[i], b[i], c[i]);
    return out;
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void fma_fast(const float* a, const float* b, const float* c, float* out) {
    for (unsigned i = 0; i < kLanes; ++i)
        out[i] = __builtin_fmaf(a[i], b[i], c[i]);
}
const bool kHasFma = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#endif

// A float that was rounded to nearest from the exact value `v`, one step on where the mode says so.
float settle(float f, double v, Round mode) {
    if (std::isnan(v) || double(f) == v) return f;
    const float inf = std::numeric_limits<float>::infinity();
    const bool up = mode == Round::Up || (mode == Round::ToZero && v < 0);
    const bool down = mode == Round::Down || (mode == Round::ToZero && v > 0);
    if (up && double(f) < v) return std::nextafterf(f, inf);
    if (down && double(f) > v) return std::nextafterf(f, -inf);
    return f;
}

double round_double(double v, Round mode) {
    switch (mode) {
        case Round::NearestEven: {
            const double f = std::floor(v), rest = v - f;
            return rest > 0.5 || (rest == 0.5 && std::fmod(f, 2) != 0) ? f + 1 : f;
        }
        case Round::Up:
            return std::ceil(v);
        case Round::Down:
            return std::floor(v);
        case Round::ToZero:
            return std::trunc(v);
    }
    return v;
}

template <class T>
T to_integer(float v, Round mode) {
    if (std::isnan(v)) return 0;
    const double r = round_double(double(v), mode);
    return T(std::clamp(r, double(std::numeric_limits<T>::min()), double(std::numeric_limits<T>::max())));
}

}  // namespace

F32 fma(F32 a, F32 b, F32 c) {
#if defined(__x86_64__)
    if (kHasFma) {
        alignas(64) float x[kLanes], y[kLanes], z[kLanes];
        std::memcpy(x, &a, sizeof(x));
        std::memcpy(y, &b, sizeof(y));
        std::memcpy(z, &c, sizeof(z));
        F32 out;
        alignas(64) float r[kLanes];
        fma_fast(x, y, z, r);
        std::memcpy(&out, r, sizeof(out));
        return out;
    }
#endif
    return fma_plain(a, b, c);
}

float round_to_integral(float v, Round mode) {
    if (!std::isfinite(v) || std::fabs(v) >= 8388608.0f) return v;
    return std::copysign(float(round_double(double(v), mode)), v);
}

float scale(float v, int32_t exponent, Round mode) {
    const double exact = std::ldexp(double(v), std::clamp(exponent, -400, 400));
    return settle(float(exact), exact, mode);
}

double add_odd(double a, double b) {
    const double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    const double b_part = sum - a, error = (a - (sum - b_part)) + (b - b_part);
    if (error == 0 || std::bit_cast<uint64_t>(sum) & 1) return sum;
    // Rounded to an even neighbour: the odd one lies on the side of the error.
    return std::nextafter(
        sum, error > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
}

float fma_scale(float a, float b, float c, int32_t exponent) {
    const double sum = add_odd(double(a) * double(b), double(c));
    return float(std::ldexp(sum, std::clamp(exponent, -700, 700)));
}

int32_t to_s32(float v, Round mode) {
    return to_integer<int32_t>(v, mode);
}
uint32_t to_u32(float v, Round mode) {
    return to_integer<uint32_t>(v, mode);
}
int16_t to_s16(float v, Round mode) {
    return to_integer<int16_t>(v, mode);
}
uint16_t to_u16(float v, Round mode) {
    return to_integer<uint16_t>(v, mode);
}

float from_s64(int64_t v, Round mode) {
    return settle(float(v), double(v), mode);
}

namespace {

// To nearest, in integers. Below 2^-14 halves are multiples of 2^-24, which is the unit of doubles from 2^28
// on.
uint16_t to_half_nearest(double v) {
    const uint64_t bits = std::bit_cast<uint64_t>(v), magnitude = bits & ~(1ull << 63);
    const auto sign = uint16_t(bits >> 48 & 0x8000);
    if (magnitude > std::bit_cast<uint64_t>(double(std::numeric_limits<double>::infinity())))
        return uint16_t(sign | 0x7e00);
    if (magnitude >= std::bit_cast<uint64_t>(65520.0)) return uint16_t(sign | 0x7c00);
    if (magnitude < std::bit_cast<uint64_t>(0x1p-14)) {
        const double units = std::bit_cast<double>(magnitude) + 0x1p28;
        return uint16_t(sign | (std::bit_cast<uint64_t>(units) - std::bit_cast<uint64_t>(0x1p28)));
    }
    const uint64_t rounded = magnitude + ((1ull << 41) - 1) + (magnitude >> 42 & 1);
    return uint16_t(sign | ((rounded >> 42) - (uint64_t(1023 - 15) << 10)));
}

}  // namespace

uint16_t to_half(double v, Round mode) {
    if (mode == Round::NearestEven) return to_half_nearest(v);
    const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
    if (std::isnan(v)) return uint16_t(sign | 0x7e00);
    if (std::isinf(v)) return uint16_t(sign | 0x7c00);
    if (v == 0) return sign;
    const double magnitude = std::fabs(v);
    const int exponent = std::max(std::ilogb(magnitude), -14);
    Round away = mode;  // as the magnitude sees it
    if (sign && mode == Round::Up) away = Round::Down;
    if (sign && mode == Round::Down) away = Round::Up;
    if (exponent > 15)
        return uint16_t(sign | (away == Round::Down || away == Round::ToZero ? 0x7bff : 0x7c00));
    const uint32_t units = uint32_t(round_double(std::ldexp(magnitude, 10 - exponent), away));
    const uint32_t bits = (uint32_t(exponent + 14) << 10) + units;
    // Rounding may have carried past the largest half.
    if (bits >= 0x7c00) return uint16_t(sign | 0x7c00);
    return uint16_t(sign | bits);
}

}  // namespace terrazzo::wave
