// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The IR's conversions between binary16 and binary32 or binary64: to nearest even, with denormals; overflow
// becomes infinity, NaN a quiet NaN. Source: IEEE 754-2019, 3.4 and 4.3.1.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace terrazzo::ir {

[[nodiscard]] inline float half_to_float(uint16_t h) {
    const uint32_t sign = uint32_t(h & 0x8000u) << 16;
    const uint32_t magnitude = h & 0x7fffu;
    if (magnitude >= 0x7c00u) {  // infinity, NaN
        const uint32_t quiet = magnitude > 0x7c00u ? 0x400000u : 0u;
        return std::bit_cast<float>(sign | 0x7f800000u | quiet | ((magnitude & 0x3ffu) << 13));
    }
    if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
    const float denormal = float(magnitude) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(denormal));
}

/// One rounding from a wider format; double holds every float, so this serves both.
[[nodiscard]] inline uint16_t half_from_double(double d) {
    const uint64_t bits = std::bit_cast<uint64_t>(d);
    const uint16_t sign = uint16_t((bits >> 48) & 0x8000u);
    const double a = std::bit_cast<double>(bits & 0x7fffffffffffffffull);
    if (a != a) return uint16_t(sign | 0x7e00u);
    if (a >= 65520.0) return uint16_t(sign | 0x7c00u);  // halfway above the largest half rounds to infinity
    if (a < 0x1p-14) {
        // Adding 2^28 leaves one unit of the sum's last place at 2^-24, the step of binary16's denormals.
        const double r = a + 0x1p28;
        return uint16_t(sign | uint16_t(std::bit_cast<uint64_t>(r) & 0x7ffu));
    }
    const uint64_t abs_bits = bits & 0x7fffffffffffffffull;
    const uint64_t odd = (abs_bits >> 42) & 1;
    const uint64_t rounded = abs_bits + ((1ull << 41) - 1) + odd;
    return uint16_t(sign | uint16_t((rounded >> 42) - (uint64_t(1023 - 15) << 10)));
}
[[nodiscard]] inline uint16_t half_from_float(float f) {
    return half_from_double(double(f));
}

}  // namespace terrazzo::ir
