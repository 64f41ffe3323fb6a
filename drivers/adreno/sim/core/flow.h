// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the lanes of a wave are in their program. Lanes at one place run together; others wait, each with its own program counter.
#pragma once

#include <array>
#include <cstdint>

#include "drivers/adreno/sim/core/lane_mask.h"

namespace terrazzo::adreno::sim {

struct Flow {
    static constexpr unsigned kMaxCalls = 4;
    enum class Predication : uint8_t { None, True, False };

    uint64_t va = 0;   // of the program
    uint32_t pc = 0;   // of the running lanes, in instructions from there
    LaneMask live;     // not at their end
    LaneMask running;  // of these, those at pc
    LaneMask at_barrier;
    uint32_t lane_pc[kMaxLanes];  // of lanes that live and do not run
    /// predt and predf: which lanes of the running ones execute.
    Predication predication = Predication::None;
    LaneMask predicates;
    bool in_preamble = false;
    bool chained = false;      // the program ended by chsh
    uint8_t calls[kMaxLanes];  // of a lane: how many returns are to come
    uint32_t returns[kMaxCalls][kMaxLanes];
    uint64_t turns = 0;  // instructions so far

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
