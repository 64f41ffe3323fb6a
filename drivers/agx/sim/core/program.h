// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decoded programs: for each instruction what it reads and writes, and runs of instructions as blocks of
// micro-operations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "drivers/agx/isa/isa.h"
#include "drivers/agx/sim/core/group.h"
#include "drivers/common/core/block_cache.h"
#include "drivers/common/core/program_cache.h"

namespace terrazzo::agx::sim {

using UniformSet = core::RegisterSet<isa::kUniformHalves>;

/// What executes an instruction.
enum class StepKind : uint8_t {
    Arithmetic,  // its block
    Nothing,     // it has no effect here
    Mask,        // the block computes a condition; then the execution mask changes
    Vote,        // the block computes a condition, which all threads see
    Flow,        // jumps, waits, barriers, ends
    Special,     // get_sr
    Threads,     // exchanges values between threads
    Memory,      // device memory, stack, threadgroup memory, uniform registers
    Unit,        // a unit
    Unknown,     // nothing
};

struct Step {
    isa::Instr instr;
    StepKind kind = StepKind::Unknown;
    bool good = false;       // false: see Program::reasons
    bool is_target = false;  // of a jump
    uint32_t at_B = 0;       // from the program's begin
    uint8_t length_B = 2;
    int8_t slot = -1;  // of a late result
    RegisterSet reads, writes;
    UniformSet uniforms;
};

/// Consecutive steps, of which only the last one may do more than arithmetic.
struct Run {
    uint32_t steps = 0;
    bool good = true;
    unsigned registers = 0;     // the highest half that they touch, plus one
    RegisterSet reads, writes;  // of all steps
    UniformSet uniforms;
    std::shared_ptr<core::BlockCode> code;  // null: nothing to compute
};

/// One thread of the host may use it.
struct Program {
    uint64_t va = 0;
    std::vector<uint16_t> words;
    std::vector<Step> steps;
    std::vector<std::string> reasons;  // why a step must not execute; "" for good ones

    /// The step that begins at an address; -1: none.
    [[nodiscard]] int64_t find(uint64_t address) const;
    /// The run that begins with a step. Made when control first arrives there.
    [[nodiscard]] const Run& run_at(size_t step) const;
    /// Of at most `most` steps.
    [[nodiscard]] Run make_run(size_t step, size_t most) const;

  private:
    friend std::shared_ptr<const Program> decode_program(window::Window&, uint64_t, uint32_t);
    std::vector<int32_t> step_at_;                          // by units; -1: no step begins there
    mutable std::vector<std::unique_ptr<const Run>> runs_;  // by their first steps
    mutable size_t in_runs_ = 0;                            // steps of all of them
};

inline constexpr uint32_t kMostInstructions = 1u << 14;
/// Stops at the program's end that no jump crosses, at the first unit that is not mapped, or at an invalid
/// instruction, which becomes a step that faults when it is reached.
std::shared_ptr<const Program> decode_program(window::Window& memory, uint64_t va,
                                              uint32_t limit = kMostInstructions);

using ProgramCache = core::ProgramCache<Program, decode_program, kMostInstructions>;

}  // namespace terrazzo::agx::sim
