// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the lanes of a wave are in their program. Lanes at one program counter run together; others wait.
#pragma once

#include <array>
#include <cstdint>

#include "drivers/adreno/sim/core/registers.h"
#include "drivers/common/core/waiting.h"

namespace terrazzo::adreno::sim {

struct Flow {
    static constexpr unsigned kMaxCalls = 4;
    enum class Predication : uint8_t { None, True, False };

    uint64_t va = 0;   // of the program
    uint32_t pc = 0;   // of the running lanes, in instructions from `va`
    LaneMask live;     // lanes that have not ended
    LaneMask running;  // the live lanes that are at pc
    /// Live lanes that do not run, by their place: those that may run, and those that have reached a barrier.
    core::WaitingLanes<LaneMask, kMaxLanes> waiting, at_barrier;
    /// predt and predf: the running lanes that execute.
    Predication predication = Predication::None;
    LaneMask predicates;
    bool in_preamble = false;
    bool chained = false;      // the program ended by chsh
    uint8_t calls[kMaxLanes];  // per lane: the number of open calls
    uint32_t returns[kMaxCalls][kMaxLanes];
    uint64_t turns = 0;  // instructions executed

    LaneMask executing() const {
        switch (predication) {
            case Predication::None:
                return running;
            case Predication::True:
                return running & predicates;
            case Predication::False:
                return running & ~predicates;
        }
        return running;
    }
};

}  // namespace terrazzo::adreno::sim
