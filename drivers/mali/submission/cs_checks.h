// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a command stream of ours must not do, found while it is written: touch registers that are not the
// stream's, read registers that were never set, use a loaded register or change a stored one before the slot
// was waited for, start jobs without what they read. The virtual GPU finds most of that when the stream runs;
// this one has the caller on its stack.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

namespace terrazzo::mali {

class CsChecks {
  public:
    /// The stream's next instruction. Null, or what is wrong with it.
    [[nodiscard]] const char* note(uint64_t word);
    void assume_set(unsigned first, unsigned count);
    /// The stream came here on two ways.
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
    std::array<uint8_t, 96> slot_{};  // of what is loading or storing
    unsigned load_store_slot_ = 0;
};

}  // namespace terrazzo::mali
