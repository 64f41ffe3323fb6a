// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Headers of PM4 packets. Type 4 writes consecutive registers; type 7 is an opcode with a payload. Each
// number in a header has a parity bit that makes its number of ones odd. Source: Mesa 25.0.7,
// src/freedreno/common/freedreno_pm4.h.
#pragma once

#include <bit>
#include <cstdint>

#include "drivers/adreno/hw/pm4_packets.h"

namespace terrazzo::adreno::hw {

inline constexpr uint32_t kMaxWrites = 0x7f;        // registers of a type-4 packet
inline constexpr uint32_t kMaxPayload_dw = 0x3fff;  // of a type-7 packet
inline constexpr uint32_t kMaxRegister = 0x3ffff;   // the largest number in a header

/// The bit that makes the number of ones odd.
constexpr uint32_t odd_parity(uint32_t value) {
    return (uint32_t(std::popcount(value)) & 1) ^ 1;
}

/// The header of a write of `count` registers (1 to kMaxWrites) from `reg` on; their values follow it.
constexpr uint32_t pack_type4(uint16_t reg, uint32_t count) {
    return 4u << 28 | count | odd_parity(count) << 7 | uint32_t(reg) << 8 | odd_parity(reg) << 27;
}

/// The header of a packet with payload_dw words (0 to kMaxPayload_dw) after it.
constexpr uint32_t pack_type7(Pm4Opcode opcode, uint32_t payload_dw) {
    const uint32_t number = uint32_t(opcode);
    return 7u << 28 | payload_dw | odd_parity(payload_dw) << 15 | number << 16 | odd_parity(number) << 23;
}

/// An unpacked header.
struct Pm4Header {
    enum class Type : uint8_t { Write, Packet, Invalid };
    Type type = Type::Invalid;
    uint32_t reg = 0;       // Write: the first register
    uint32_t opcode = 0;    // Packet
    uint32_t count_dw = 0;  // the number of words that follow
    bool parity_is_wrong = false;
};
constexpr Pm4Header unpack_header(uint32_t word) {
    Pm4Header header;
    if (word >> 28 == 4) {
        header.type = Pm4Header::Type::Write;
        header.count_dw = word & 0x7f;
        header.reg = word >> 8 & kMaxRegister;
        // Bit 26 is zero.
        header.parity_is_wrong = (word >> 7 & 1) != odd_parity(header.count_dw) ||
                                 (word >> 27 & 1) != odd_parity(header.reg) || (word & 1u << 26);
    } else if (word >> 28 == 7) {
        header.type = Pm4Header::Type::Packet;
        header.count_dw = word & kMaxPayload_dw;
        header.opcode = word >> 16 & 0x7f;
        // Bit 14 and bits 24 to 27 are zero.
        header.parity_is_wrong = (word >> 15 & 1) != odd_parity(header.count_dw) ||
                                 (word >> 23 & 1) != odd_parity(header.opcode) || (word & 0x0f004000);
    }
    return header;
}

}  // namespace terrazzo::adreno::hw
