// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 10- and 11-bit unsigned floats of R11G11B10_FLOAT and the shared exponent of R9G9B9E5_FLOAT.
// Rules: OpenGL ES 3.2 sections 2.3.4.3, 2.3.4.4 and 8.5.2.
#pragma once

#include <bit>
#include <cstdint>

#include "pipe/half.h"

namespace terrazzo::pipe {

/// Mantissa bits: 6 of an 11-bit float, 5 of a 10-bit one; both have 5 exponent bits and no sign.
constexpr float small_float_to_float(uint32_t bits, unsigned mantissa_bits) {
    return half_to_float(uint16_t(bits << (10 - mantissa_bits)));
}

/// Rounds to nearest even. Finite values above the range become the largest finite one, negative ones 0;
/// +infinity and NaN are kept.
constexpr uint32_t float_to_small_float(float value, unsigned mantissa_bits) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t infinity = 31u << mantissa_bits;
    if ((bits & 0x7fffffffu) > 0x7f800000u) return infinity | 1u;
    if (bits >> 31) return 0;
    if (bits == 0x7f800000u) return infinity;
    uint32_t mantissa, shift;
    if (bits < 0x38800000u) {  // below 2^-14: denormal
        const uint32_t exponent = bits >> 23;
        shift = 23 - mantissa_bits + (113 - exponent);
        if (shift > 24) return 0;
        mantissa = (bits & 0x7fffffu) | 0x800000u;
    } else {
        mantissa = bits - 0x38000000u;
        shift = 23 - mantissa_bits;
    }
    const uint32_t half_ulp = 1u << (shift - 1);
    const uint32_t rest = mantissa & ((1u << shift) - 1);
    uint32_t result = mantissa >> shift;
    if (rest > half_ulp || (rest == half_ulp && (result & 1u))) ++result;
    return result < infinity ? result : infinity - 1;
}

constexpr void unpack_r11g11b10(float rgb[3], uint32_t word) {
    rgb[0] = small_float_to_float(word & 0x7ffu, 6);
    rgb[1] = small_float_to_float((word >> 11) & 0x7ffu, 6);
    rgb[2] = small_float_to_float(word >> 22, 5);
}

constexpr uint32_t pack_r11g11b10(const float rgb[3]) {
    return float_to_small_float(rgb[0], 6) | float_to_small_float(rgb[1], 6) << 11 |
           float_to_small_float(rgb[2], 5) << 22;
}

namespace detail {
/// 2^exponent, for the exponents of normal doubles.
constexpr double exp2_int(int exponent) {
    return std::bit_cast<double>(uint64_t(1023 + exponent) << 52);
}
}  // namespace detail

constexpr void unpack_r9g9b9e5(float rgb[3], uint32_t word) {
    const double scale = detail::exp2_int(int(word >> 27) - 15 - 9);
    for (int i = 0; i < 3; ++i)
        rgb[i] = float(double((word >> (9 * i)) & 0x1ffu) * scale);
}

constexpr uint32_t pack_r9g9b9e5(const float rgb[3]) {
    constexpr float kMax = 65408.0f;  // 511/512 * 2^16
    float c[3] = {};
    float largest = 0;
    for (int i = 0; i < 3; ++i) {
        c[i] = rgb[i] > 0 ? (rgb[i] < kMax ? rgb[i] : kMax) : 0;  // NaN becomes 0
        if (c[i] > largest) largest = c[i];
    }
    const int floor_log2 = int(std::bit_cast<uint32_t>(largest) >> 23) - 127;
    int exponent = (floor_log2 > -16 ? floor_log2 : -16) + 1 + 15;
    if (uint32_t(double(largest) * detail::exp2_int(15 + 9 - exponent) + 0.5) == 512u) ++exponent;
    uint32_t word = uint32_t(exponent) << 27;
    for (int i = 0; i < 3; ++i)
        word |= uint32_t(double(c[i]) * detail::exp2_int(15 + 9 - exponent) + 0.5) << (9 * i);
    return word;
}

}  // namespace terrazzo::pipe
