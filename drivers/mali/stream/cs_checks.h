// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Finds errors of a command stream while it is written: use of reserved registers, reads of registers that
// were never set, use of a loaded register or change of a stored one before a wait for the slot, jobs without
// the registers that they read, instructions that our streams do not have. The virtual GPU finds most of
// these, too, but only when the stream runs; here the caller is on the stack.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

namespace terrazzo::mali {

class CsChecks {
  public:
    /// Notes the stream's next instruction. Returns null, or a message about its error.
    [[nodiscard]] const char* note(uint64_t word);
    void assume_set(unsigned first, unsigned count);
    /// Joins the states of two paths of the stream at the point where they come together; `other`: the other
    /// one's.
    void join(const CsChecks& other);

  private:
    using Registers = std::bitset<96>;

    const char* read(unsigned first, unsigned count);
    const char* write(unsigned first, unsigned count);
    const char* job(uint64_t word);
    const char* compute(unsigned srt, unsigned fau, unsigned spd, unsigned tsd);
    const char* load_store(uint64_t word, bool store);
    const char* memory(uint64_t word);
    void waited(uint32_t slots);

    Registers set_, loading_, storing_;
    std::array<uint8_t, 96> slot_{};  // the scoreboard slots of pending loads and stores, by register
    unsigned load_store_slot_ = 0;
};

}  // namespace terrazzo::mali
