// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Walks a stream: finds its packets and the order in which they take effect.
#pragma once

#include <array>

#include "drivers/adreno/decode/context.h"

namespace terrazzo::adreno::decode {

class Walker {
  public:
    Walker(Context& context, Registers& registers) : c_(context), r_(registers) {}
    /// Walks a submission. False: it could not be followed to its end.
    bool run(uint64_t va, uint64_t size_dw);

  private:
    enum class Level : uint8_t { Submission = 1, Called = 2, Group = 3 };  // IB1, IB2, draw state
    struct Buffer {
        uint64_t va = 0;
        uint64_t size_dw = 0;
        Level level{};
        unsigned indent = 0;
    };
    /// A group of draw state that waits for a draw.
    struct Group {
        uint64_t va = 0;
        uint32_t size_dw = 0;
        uint8_t modes = 0;
    };

    // walker.cpp
    bool buffer(Buffer buffer);
    /// Walks the packet at buffer.va + 4 * at. Returns its length in words.
    bool packet(Buffer& buffer, uint64_t at, uint64_t* length_dw);
    bool invalid(const Buffer& buffer, uint64_t at, uint32_t word, uint64_t* length_dw);
    void write_registers(const Buffer& buffer, uint32_t reg, std::span<const uint32_t> values);
    void print_registers(unsigned indent, uint32_t reg, std::span<const uint32_t> values);

    // packets.cpp
    bool type7(Buffer& buffer, hw::Pm4Opcode opcode, const std::string& label,
               std::span<const uint32_t> payload);
    void print_payload(unsigned indent, hw::Pm4Opcode opcode, const std::string& label,
                       std::span<const uint32_t> payload);
    /// Applies a packet's effects. The payload must have the words that is_whole() requires.
    bool effect(Buffer& buffer, hw::Pm4Opcode opcode, std::span<const uint32_t> payload);
    bool call(Buffer& buffer, uint64_t va, uint32_t size_dw);
    void set_draw_state(const Buffer& buffer, std::span<const uint32_t> payload);
    bool run_group(const Buffer& buffer, unsigned number, const Group& group);
    bool run_groups(const Buffer& buffer);
    void load_state(const Buffer& buffer, std::span<const uint32_t> payload);
    void marker(std::span<const uint32_t> payload);
    void count(hw::Pm4Opcode opcode, std::span<const uint32_t> payload);
    void memory_writes(const Buffer& buffer, hw::Pm4Opcode opcode, std::span<const uint32_t> payload);

    Context& c_;
    Registers& r_;
    std::array<Group, 32> groups_{};
    uint64_t packets_ = 0;
    unsigned chained_ = 0;
};

}  // namespace terrazzo::adreno::decode
