// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 8-bit sRGB with tables. Encoding starts from a table indexed by the exponent and upper mantissa bits of the
// value, and steps through the exact thresholds from there (at most a few steps). So the result is correctly
// rounded.
#include <array>
#include <bit>

#include "pipe/format.h"
#include "pipe/format_srgb_table.h"

namespace terrazzo::pipe {

namespace {

constexpr uint32_t kFirstBits = 0x39000000u;  // 2^-13, below the first threshold (0.5 / 255 / 12.92)
constexpr unsigned kBucketShift = 18;         // 32 buckets an octave
constexpr size_t kBuckets = (0x3f800000u - kFirstBits) >> kBucketShift;

// The code of the smallest value in each bucket.
constexpr std::array<uint8_t, kBuckets> build_starts() {
    std::array<uint8_t, kBuckets> starts{};
    unsigned code = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
        const float value = std::bit_cast<float>(kFirstBits + (uint32_t(i) << kBucketShift));
        while (code < 255 && value >= detail::kSrgb8Threshold[code])
            ++code;
        starts[i] = uint8_t(code);
    }
    return starts;
}
constexpr std::array<uint8_t, kBuckets> kStarts = build_starts();

}  // namespace

float srgb8_to_linear(uint8_t value) {
    return detail::kSrgb8ToLinear[value];
}

uint8_t linear_to_srgb8(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if (!(value >= std::bit_cast<float>(kFirstBits))) return 0;  // NaN too
    if (bits >= 0x3f800000u) return 255;
    unsigned code = kStarts[(bits - kFirstBits) >> kBucketShift];
    while (code < 255 && value >= detail::kSrgb8Threshold[code])
        ++code;
    return uint8_t(code);
}

}  // namespace terrazzo::pipe
