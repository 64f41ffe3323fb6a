// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/depth_stencil.h"

namespace terrazzo::units {

uint32_t to_unorm(float v, unsigned bits) {
    if (!(v > 0)) return 0;
    const auto high = float((1u << bits) - 1);
    if (v >= 1) return uint32_t(high);
    // From 2^52 on, the low bits of a double are its integer value.
    return uint32_t(std::bit_cast<uint64_t>(double(v) * high + 0x1p52));
}

uint32_t encode_depth(DepthFormat format, float z) {
    switch (format) {
        case DepthFormat::Unorm16:
            return to_unorm(z, 16);
        case DepthFormat::Unorm24:
            return to_unorm(z, 24);
        case DepthFormat::Float32:
            break;
    }
    return std::bit_cast<uint32_t>(z);
}

float decode_depth(DepthFormat format, uint32_t word) {
    switch (format) {
        case DepthFormat::Unorm16:
            return float(double(word) / 65535);
        case DepthFormat::Unorm24:
            return float(double(word) / 16777215);
        case DepthFormat::Float32:
            break;
    }
    return std::bit_cast<float>(word);
}

}  // namespace terrazzo::units
