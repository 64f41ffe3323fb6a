// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a core has executed since it was made.
#pragma once

#include <cstdint>

namespace terrazzo::adreno::sim {

struct CoreStats {
    static constexpr unsigned kCategories = 8;
    uint64_t waves = 0, instructions[kCategories] = {}, lane_instructions = 0;
    uint64_t half_instructions[kCategories] = {};  // those of `instructions` that are of halves
    uint64_t idle_cycles = 0;                      // nops and (nopN)

    uint64_t all() const {
        uint64_t n = 0;
        for (const uint64_t i : instructions)
            n += i;
        return n;
    }
    void add(const CoreStats& o) {
        waves += o.waves;
        lane_instructions += o.lane_instructions;
        idle_cycles += o.idle_cycles;
        for (unsigned i = 0; i < kCategories; ++i) {
            instructions[i] += o.instructions[i];
            half_instructions[i] += o.half_instructions[i];
        }
    }
};

}  // namespace terrazzo::adreno::sim
