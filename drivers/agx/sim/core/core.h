// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs SIMD-groups of AGX code. Strict: a result that is used before its wait, a uniform that is not bound, a
// register beyond the program's number, code or memory that is not mapped are faults that name the
// instruction and the thread.
//
// All threads of a group share the program counter. r0l counts, for each thread, the levels of conditions in
// which it is inactive; threads run where it is 0.
#pragma once

#include "drivers/agx/sim/core/program.h"
#include "drivers/agx/sim/core/units.h"
#include "drivers/common/core/execution.h"

namespace terrazzo::agx::sim {

using core::CoreFault;
using core::Outcome;

struct CoreStats {
    uint64_t instructions = 0, thread_instructions = 0;
    void add(const CoreStats& o) {
        instructions += o.instructions, thread_instructions += o.thread_instructions;
    }
};

class Core : public core::ShaderCore<Units, ProgramCache, CoreStats> {
  public:
    using ShaderCore::ShaderCore;
    /// Starts group.threads at `va`; all of them run. Registers keep what the creator wrote, except r0l: it
    /// gets garbage, and programs with conditions set it first.
    void start(SimdGroup& group, uint64_t va);
    /// Runs until all threads have stopped, or to a barrier of the workgroup. After Barrier, call it again.
    Outcome run(SimdGroup& group, CoreFault* fault);
    /// Runs each instruction by itself, which gives the same results.
    bool single_steps = false;

  private:
    friend class Execution;
};

}  // namespace terrazzo::agx::sim
