// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How many samples of quads have passed the tests, for occlusion queries.
#pragma once

#include <span>

#include "drivers/common/units/primitive_quads.h"
#include "drivers/common/units/quad_samples.h"

namespace terrazzo::units {

/// Of a primitive's quads. `one_sample`: pixels have one sample each.
[[nodiscard]] inline uint64_t count_passed(std::span<const PrimitiveQuads::Quad> quads, bool one_sample) {
    uint64_t count = 0;
    if (!one_sample) {
        for (const PrimitiveQuads::Quad& q : quads)
            count += count_bits(q.passed);
        return count;
    }
    // A pixel's byte is 0 or 1. The sums of two pixels have 16 bits each.
    static_assert(2 * PrimitiveQuads::kMost < 1 << 16);
    constexpr uint32_t kEven = 0x00ff00ff;
    uint32_t sums = 0;
    for (const PrimitiveQuads::Quad& q : quads)
        sums += (q.passed & kEven) + (q.passed >> 8 & kEven);
    return (sums & 0xffff) + (sums >> 16);
}

}  // namespace terrazzo::units
