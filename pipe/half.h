// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// IEEE 754 binary16 <-> binary32 in integer arithmetic: the same bits on every CPU. Denormals, infinities and
// NaNs kept.
#pragma once

#include <bit>
#include <cstdint>

namespace terrazzo::pipe {

/// Exact: every half is a float. A signalling NaN becomes quiet with its payload kept.
constexpr float half_to_float(uint16_t half) {
    const uint32_t sign = uint32_t(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fu;
    uint32_t mantissa = half & 0x3ffu;
    if (exponent == 31) {
        const uint32_t quiet = mantissa ? 0x400000u : 0;
        return std::bit_cast<float>(sign | 0x7f800000u | quiet | (mantissa << 13));
    }
    if (exponent == 0) {
        if (mantissa == 0) return std::bit_cast<float>(sign);
        const int shift = std::countl_zero(mantissa) - 21;  // brings the leading one to bit 10
        mantissa = (mantissa << shift) & 0x3ffu;
        return std::bit_cast<float>(sign | (uint32_t(113 - shift) << 23) | (mantissa << 13));
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

/// Rounds to nearest, ties to even; overflow gives infinity, NaN a quiet NaN.
constexpr uint16_t float_to_half(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return uint16_t(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
    if (magnitude >= 0x477ff000u) return uint16_t(sign | 0x7c00u);  // 65520 and above round to infinity
    if (magnitude < 0x33000001u) return sign;  // up to 2^-25, a tie that goes to even zero
    uint32_t mantissa, shift;
    if (magnitude < 0x38800000u) {  // below 2^-14: a denormal half
        mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        shift = 126u - (magnitude >> 23);
    } else {
        mantissa = magnitude - 0x38000000u;  // rebias; the exponent rides on top and takes a carry rightly
        shift = 13;
    }
    const uint32_t half_ulp = 1u << (shift - 1);
    const uint32_t rest = mantissa & ((1u << shift) - 1);
    uint32_t result = mantissa >> shift;
    if (rest > half_ulp || (rest == half_ulp && (result & 1u))) ++result;
    return uint16_t(sign | result);
}

}  // namespace terrazzo::pipe
