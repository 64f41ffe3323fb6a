// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Straight runs: instructions of categories 1 to 4 and nops that execute one after another, as one block of
// micro-operations. What a run needs and what it leaves in flight is computed once; a wave for which the
// needs hold executes it without looking at its instructions. Others execute it step by step, and find out
// what is wrong.
//
// A run breaks no rule inside. It ends before an instruction that would (a run may be empty), before one with
// (jp) and before the target of a jump.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "drivers/adreno/sim/core/hazards.h"
#include "drivers/adreno/sim/core/stats.h"
#include "drivers/common/core/block_cache.h"

namespace terrazzo::adreno::sim {

struct Program;

struct Run {
    uint32_t steps = 0;
    uint32_t cycles = 0;
    CoreStats stats;                        // of one lane
    std::shared_ptr<core::BlockCode> code;  // null: nothing but nops

    // ---- What must hold at its start ----
    unsigned full_registers = 0, half_registers = 0;  // the footprint, in registers of four
    uint32_t constants = 0;                           // words
    uint32_t planes = 0;                              // of these locations are in rows
    bool constants_before_ss = false, constants_before_sy = false;
    /// Units accessed, and those written, before a flag waits for what was in flight.
    UnitSet accessed_before_ss, accessed_before_sy, written_before_ss, written_before_any;
    /// Reads for which something that was written before the run may come too late. Cycles count from its
    /// start.
    struct Read {
        UnitRange units;
        bool alu, full;
        uint8_t cycle;
    };
    std::vector<Read> early_reads;

    // ---- What it leaves ----
    bool waits_ss = false, waits_sy = false;  // for what was in flight at its start
    /// Writes of the ALU that readers may still have to wait for: `cycle` as Hazards::wrote() has it.
    struct Write {
        UnitRange units;
        bool full;
        uint32_t cycle;
    };
    std::vector<Write> writes;
    std::vector<UnitRange> written_later;
    UnitSet results_ss, sources_ss;  // those that the run leaves in flight
    bool has_results = false;
};

/// Whether nothing in flight, and no footprint, forbids the wave's running lanes the run.
bool may_start(const Run& run, const Hazards& h, const LaneMask& lanes);
/// What the run leaves in flight, and its cycles.
void advance(const Run& run, Hazards* h, const LaneMask& lanes);

/// A program's runs and single steps, made when they are first reached. Of one thread.
class Runs {
  public:
    /// The run that starts at the step, which must be straight.
    const Run& from(const Program& program, uint32_t pc, RegisterMode mode);
    /// The micro-operations of a step of categories 1 to 4: lower()'s for straight ones, lower_apart()'s for
    /// others.
    const core::MicroBlock& step(const Program& program, uint32_t pc, RegisterMode mode);

  private:
    std::array<std::vector<std::unique_ptr<Run>>, RegisterMode::kCount> runs_;
    std::array<std::vector<std::unique_ptr<core::MicroBlock>>, RegisterMode::kCount> steps_;
};

}  // namespace terrazzo::adreno::sim
