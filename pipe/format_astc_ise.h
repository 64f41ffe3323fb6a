// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ASTC's integer sequences: numbers in ranges that are not powers of two, packed as bits with shared trits or
// quints, and their conversion to colours and weights. Khronos Data Format 1.3, sections 23.12, 23.13 and
// 23.17.
#pragma once

#include <cstdint>

namespace terrazzo::pipe::detail {

/// 128 bits, bit 0 first. Bits beyond the end read as 0.
struct AstcBits {
    uint64_t low = 0, high = 0;
    uint32_t get(unsigned at, unsigned count) const {  // count <= 32
        uint64_t v = 0;
        if (at < 64)
            v = low >> at | (at ? high << (64 - at) : 0);
        else if (at < 128)
            v = high >> (at - 64);
        return uint32_t(v & ((uint64_t(1) << count) - 1));
    }
};
AstcBits astc_load(const void* block);
/// Reverses the bits: bit i becomes bit 127 - i. Weights are stored from the end.
AstcBits astc_reverse(const AstcBits& bits);

/// A range of numbers 0 to max: max + 1 is 2^bits, 3 * 2^bits or 5 * 2^bits.
struct AstcRange {
    uint8_t bits;
    bool trits, quints;
};

/// Number of bits of a sequence of `count` numbers.
unsigned astc_sequence_bits(AstcRange range, unsigned count);

/// Reads `count` numbers from bit `at` on. If the last group is incomplete, the bits after astc_sequence_bits
/// count as zeros. count <= 64.
void astc_read_sequence(const AstcBits& bits, unsigned at, AstcRange range, unsigned count, uint8_t* out);

/// Converts a number to a colour, 0 to 255. The range must be at least 0-5.
uint8_t astc_color_value(AstcRange range, uint8_t number);
/// Converts a number to a weight, 0 to 64. The range must be at most 0-31.
uint8_t astc_weight_value(AstcRange range, uint8_t number);

}  // namespace terrazzo::pipe::detail
