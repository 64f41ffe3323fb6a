// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters: those of the hardware's that the model can count. Another counter keeps its value:
// hardware would give some number, so selecting it is no fault of the stream, and it is reported once. Cycles
// are never counted: the model has none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/common/host/running_count.h"

namespace terrazzo::adreno::sim {

struct Machine;

class PerfCounters {
  public:
    PerfCounters();
    /// After a write of a register.
    void wrote(uint16_t reg, uint32_t value, const Machine& machine);
    /// Whether the register is half of a counter's value.
    static bool is_counter(uint32_t reg) { return reg >= 0x400 && reg < 0x500; }
    /// The half; 0 if nothing was selected. `missing`: what is selected but not counted, if this was not
    /// reported before; else "".
    [[nodiscard]] uint32_t read(uint32_t reg, const Machine& machine, std::string* missing);

  private:
    struct Slot {
        uint16_t counter, select;
        uint8_t block;
        bool told = false;  // that the selected event is not counted was reported
        uint32_t selector = 0;
        host::RunningCount count;  // runs while an event is selected
    };
    std::vector<Slot> slots_;
};

}  // namespace terrazzo::adreno::sim
