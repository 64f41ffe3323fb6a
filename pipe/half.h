// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// IEEE 754 binary16 <-> binary32 in integer arithmetic, with the same bits on every CPU. Keeps denormals,
// infinities and NaNs.
#pragma once

#include <bit>
#include <cstdint>

namespace terrazzo::pipe {

/// Exact, since every half is a float. A NaN keeps its payload.
constexpr float half_to_float(uint16_t half) {
    // No branches, so that loops vectorize. Denormals: with exponent 113 the number is 2^-14 too large, and
    // the subtraction is exact.
    const uint32_t magnitude = uint32_t(half & 0x7fffu) << 13;
    const uint32_t rebiased = magnitude + (112u << 23);
    const uint32_t special = rebiased + (112u << 23);
    const float denormal = std::bit_cast<float>(rebiased + (1u << 23)) - std::bit_cast<float>(113u << 23);
    const uint32_t bits = magnitude >= 0x0f800000u ? special
                          : magnitude < (1u << 23) ? std::bit_cast<uint32_t>(denormal)
                                                   : rebiased;
    return std::bit_cast<float>(bits | uint32_t(half & 0x8000u) << 16);
}

/// Rounds to nearest, ties to even. Overflow becomes infinity, NaN a quiet NaN.
constexpr uint16_t float_to_half(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value), magnitude = bits & 0x7fffffffu;
    // Normal numbers: adding 0xfff and the last kept bit carries if the rest is above the middle, or equal to
    // it and the kept bit is 1.
    const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    // Denormals: the addition rounds, since the unit of 0.5 is 2^-24.
    const uint32_t small = magnitude < 0x38800000u ? magnitude : 0;
    const uint32_t denormal = std::bit_cast<uint32_t>(std::bit_cast<float>(small) + 0.5f) - 0x3f000000u;
    const uint32_t result = magnitude > 0x7f800000u    ? 0x7e00u
                            : magnitude >= 0x477ff000u ? 0x7c00u   // 65520 and above round to infinity
                            : magnitude < 0x38800000u  ? denormal  // below 2^-14
                                                       : normal;
    return uint16_t(result | (bits >> 16 & 0x8000u));
}

}  // namespace terrazzo::pipe
