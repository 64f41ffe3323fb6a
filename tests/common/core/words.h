// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Words to test micro-operations with.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>

#include "drivers/common/wave/lanes.h"

namespace terrazzo::core_test {

/// Zeros, denormals, infinities, quiet and signalling NaNs, the limits of integers and of conversions.
inline constexpr uint32_t kSpecialWords[] = {
    0,          1,          0x80000000, 0x80000001, 0x7fffffff, 0xffffffff, 0x007fffff, 0x807fffff,
    0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff812345,
    0x7fffffff, 0xffc54321, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000,
    0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x4b000000, 0x4affffff,
    0xcb000001, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x38800000, 0x387fffff, 0x387fe000,
    0x00000400, 0x000003ff, 0x00007c00, 0x00007c01, 0x0000fe55, 0x00008001, 0x0000ffff, 0xffff0000,
    31,         32,         33,
};

inline uint32_t some_word(std::mt19937& random) {
    const uint32_t w = uint32_t(random());
    switch (random() % 6) {
        case 0:
            return kSpecialWords[w % std::size(kSpecialWords)];
        case 1:  // a float of a moderate size
            return (w & 0x80ffffff) + ((112 + w % 32) << 23);
        case 2:  // with one bit or few after the point: rounding has ties
            return std::bit_cast<uint32_t>(float(int32_t(w) >> (w % 31)) / 2);
        case 3:
            return w >> (w & 31);
        default:
            return w;
    }
}
inline wave::U32 some_words(std::mt19937& random) {
    wave::U32 out;
    for (unsigned n = 0; n < wave::kLanes; ++n)
        out[n] = some_word(random);
    return out;
}

}  // namespace terrazzo::core_test
