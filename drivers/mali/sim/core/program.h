// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decoded shader code. Instructions that run one after the other, without a check in between that depends on
// messages or threads, are a run: their arithmetic is one block of micro-operations, and what the checks need
// to know of all of them is collected once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "drivers/common/core/block_cache.h"
#include "drivers/common/core/program_cache.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/lower.h"
#include "drivers/mali/sim/core/memory.h"

namespace terrazzo::mali::sim {

/// The part of the core that executes an instruction. Unknown: none does, it faults.
enum class StepKind : uint8_t { Arithmetic, Nothing, Message, Branch, Kill, Unknown };

/// An instruction and its registers, as masks of r0..r63.
struct Step {
    isa::Instr instr;
    uint64_t word = 0;
    StepKind kind = StepKind::Arithmetic;
    bool good = false;       // false: see `reasons` of the program
    bool is_target = false;  // of a branch
    int8_t slot = -1;        // the slot of a message
    uint8_t waits = 0;       // a bit for each slot for which the warp waits after the step
    uint16_t uniforms = 0;   // how many words of uniforms must exist
    uint64_t reads = 0, writes = 0;
    uint64_t dies = 0;                             // those of `reads` that are marked as no longer needed
    uint64_t staged_reads = 0, staged_writes = 0;  // by a message, until its slot was waited for
    isa::Message message = isa::Message::kNone;
    isa::Staging in, out;  // the staging registers that the message reads and writes
};

/// Consecutive steps. All but the last one are arithmetic or do nothing, wait for nothing and end nothing,
/// and none of them reads what an earlier one has marked as dead. The block also computes the last one's
/// sources (Lowering::sources).
struct Run {
    uint32_t steps = 0;
    uint16_t uniforms = 0;
    bool good = true, works = false;  // works: not only NOPs
    uint64_t touches = 0;             // all registers that they read or write
    uint64_t reads = 0;               // before they are written
    uint64_t writes = 0, dies = 0;
    uint64_t dead = 0, alive = 0;  // of those, which are dead, or written since, after the last one
    std::vector<Preset> presets;
    std::shared_ptr<core::BlockCode> code;  // null: nothing to compute
};

/// One thread may use it.
struct Program : core::WordProgram<Step> {
    bool reads_tile = false;  // before its first end

    /// The run that begins with a step. Made when control first arrives there.
    [[nodiscard]] const Run& run_at(size_t step) const;
    /// Of at most `most` steps.
    [[nodiscard]] Run make_run(size_t step, size_t most) const;

  private:
    mutable std::vector<std::unique_ptr<const Run>> runs_;  // by their first steps
    mutable size_t in_runs_ = 0;                            // steps of all of them
};

/// core::decode_words() says where it stops.
inline constexpr uint32_t kMostInstructions = 1u << 11;
std::shared_ptr<const Program> decode_program(Window& memory, uint64_t va,
                                              uint32_t limit = kMostInstructions);

using ProgramCache = core::ProgramCache<Program, decode_program, kMostInstructions>;

}  // namespace terrazzo::mali::sim
