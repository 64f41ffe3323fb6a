// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Counts and orders of bits, by tables of four bits where the host has no instruction.
#include "drivers/common/core/emitter.h"

namespace terrazzo::core {

namespace Inst = asmjit::x86::Inst;
using asmjit::Imm;

Emitter::Vec Emitter::count_bits(const Vec& v) {
    if (wide_ && counts_bits_) return unary(Inst::kIdVpopcntd, v);
    static constexpr Pattern kCounts = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const Vec table = splat(kCounts), fours = splat(0x0f0f0f0f);
    const Vec low = binary(Inst::kIdVpshufb, table, bit_and(v, fours));
    const Vec high = binary(Inst::kIdVpshufb, table, bit_and(binary_imm(Inst::kIdVpsrld, v, 4), fours));
    // The sum of the bytes, in pairs and in pairs of pairs.
    const Vec bytes = binary(Inst::kIdVpaddb, low, high);
    const Vec pairs = binary(Inst::kIdVpmaddubsw, bytes, splat(0x01010101));
    return binary(Inst::kIdVpmaddwd, pairs, splat(0x00010001));
}

Emitter::Vec Emitter::leading_zeros(const Vec& v) {
    if (wide_) return unary(Inst::kIdVplzcntd, v);
    // The exponent of a float, which is not rounded up: the bit below the highest one is cleared. With bit 31
    // set the float is negative; the difference is then below 0, and saturates.
    const Vec cleared = binary(Inst::kIdVpandn, binary_imm(Inst::kIdVpsrld, v, 1), v);
    const Vec exponent = binary_imm(Inst::kIdVpsrld, unary(Inst::kIdVcvtdq2ps, cleared), 23);
    const Vec count = binary(Inst::kIdVpsubusw, splat(127 + 31), exponent);
    return binary(Inst::kIdVpminsd, count, word(32));
}

Emitter::Vec Emitter::reverse_bits(const Vec& v) {
    static constexpr Pattern kSwapBytes = {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12};
    static constexpr Pattern kToHigh = {0x00, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0,
                                        0x10, 0x90, 0x50, 0xd0, 0x30, 0xb0, 0x70, 0xf0};
    static constexpr Pattern kToLow = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    const Vec bytes = binary(Inst::kIdVpshufb, v, splat(kSwapBytes)), fours = splat(0x0f0f0f0f);
    const Vec low = binary(Inst::kIdVpshufb, splat(kToHigh), bit_and(bytes, fours));
    const Vec high =
        binary(Inst::kIdVpshufb, splat(kToLow), bit_and(binary_imm(Inst::kIdVpsrld, bytes, 4), fours));
    return bit_or(low, high);
}

}  // namespace terrazzo::core
