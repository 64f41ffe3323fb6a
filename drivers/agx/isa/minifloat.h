// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Floats of 8 bits, the immediates of float sources: a sign, an exponent of 3 bits, a fraction of 4 bits. An
// exponent of 0 means multiples of 1/64. Facts: applegpu.py; Mesa 25.0.7, agx_minifloat.h.
#pragma once
#include <bit>
#include <cstdint>

namespace terrazzo::agx::isa {

constexpr float decode_minifloat(uint8_t bits) {
    const unsigned exponent = bits >> 4 & 7, fraction = bits & 15;
    const float magnitude =
        exponent ? float(16 + fraction) * float(1u << exponent) / 128.0f : float(fraction) / 64.0f;
    return bits & 0x80 ? -magnitude : magnitude;
}

/// -1: no minifloat has exactly this value.
constexpr int encode_minifloat(float value) {
    for (unsigned bits = 0; bits < 256; bits++)
        if (std::bit_cast<uint32_t>(decode_minifloat(uint8_t(bits))) == std::bit_cast<uint32_t>(value))
            return int(bits);
    return -1;
}

}  // namespace terrazzo::agx::isa
