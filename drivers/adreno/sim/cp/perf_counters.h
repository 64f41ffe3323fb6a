// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters: what the model can count of what the hardware counts. A counter of something else stays as it is: hardware would give some number, so that is
// no fault of the stream, and what it should have counted is said once. Cycles are never counted: the model has none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrazzo::adreno::sim {

struct Machine;

class PerfCounters {
  public:
    PerfCounters();
    /// After a write of a register.
    void wrote(uint16_t reg, uint32_t value, const Machine& machine);
    /// Whether the register is half of a counter.
    static bool is_counter(uint32_t reg) { return reg >= 0x400 && reg < 0x500; }
    /// The half; of one that nothing was selected for: 0. `missing` is what is selected and not counted, where that has not been said before; else "".
    [[nodiscard]] uint32_t read(uint32_t reg, const Machine& machine, std::string* missing);

  private:
    struct Slot {
        uint16_t counter, select;
        uint8_t block;
        bool counts = false;  // something was selected
        bool told = false;    // that it is not counted
        uint32_t selector = 0;
        uint64_t value = 0, since = 0;  // before it was selected; what had been counted then
    };
    std::vector<Slot> slots_;
};

}  // namespace terrazzo::adreno::sim
