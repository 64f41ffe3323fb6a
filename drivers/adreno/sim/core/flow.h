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

struct Flow : core::LaneFlow<LaneMask, kMaxLanes> {
    static constexpr unsigned kMaxCalls = 4;
    enum class Predication : uint8_t { None, True, False };

    uint64_t va = 0;  // the program's address; pc counts instructions from there
    /// predt and predf: the running lanes that execute.
    Predication predication = Predication::None;
    LaneMask predicates;
    bool in_preamble = false;
    bool chained = false;      // the program ended by chsh
    uint8_t calls[kMaxLanes];  // per lane: the number of open calls
    uint32_t returns[kMaxCalls][kMaxLanes];

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
