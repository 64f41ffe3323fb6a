// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs warps of Valhall code. Strict: behaviour that hardware leaves undefined is a fault with a report. A
// register that a message writes must not be accessed before the message's slot was waited for; one that a
// message reads must not be overwritten before. Code must be mapped, known and valid. Registers must be
// written before they are read, and within the shader's number; uniforms must exist.
//
// Threads of a warp diverge at branches. Each has its own program counter, and those at the same place run
// together. They reconverge only at instructions with ".reconverge", at branches and at ends: there the
// threads at the lowest address run first.
//
// Warps that begin at the same place may run together, as a bundle: each run of steps and each message is
// executed for all of them before the next one. They run one by one from the first place on where their paths
// may differ. A bundle has the results of its warps one after the other, if their messages do not depend on
// each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "drivers/common/core/execution.h"
#include "drivers/mali/sim/core/memory.h"
#include "drivers/mali/sim/core/program.h"
#include "drivers/mali/sim/core/units.h"
#include "drivers/mali/sim/core/warp.h"

namespace terrazzo::mali::sim {

class LoadOrder;

using core::CoreFault;
using core::Outcome;

struct CoreStats {
    uint64_t instructions = 0, lane_instructions = 0, messages = 0;
};

using host::Host;

/// The more warps, the fewer checks and the less of the first cache for each.
inline constexpr unsigned kMostBundled = 8;

class Core : public core::ShaderCore<Units, ProgramCache, CoreStats> {
  public:
    using ShaderCore::ShaderCore;

    /// Runs until every thread has ended, or to a barrier. The caller sets the warp's registers, and calls
    /// start() for a new warp. After Barrier, the caller calls again.
    Outcome run(Warp& warp, CoreFault* fault) { return run({&warp, 1}, fault); }
    /// A bundle of at most kMostBundled warps of the same shader, with the same registers defined. They must
    /// have no thread-local memory, and reach no barrier. The fault is that of the first warp that has one.
    Outcome run(std::span<Warp> warps, CoreFault* fault);
    /// Starts all lanes of `lanes` at `va`.
    static void start(Warp& warp, uint64_t va, uint32_t lanes, uint32_t helpers = 0);

    /// Which of the GPU's warps this core runs (and the following ones, if it keeps several).
    unsigned warp_slot = 0;
    /// Runs each instruction by itself, which gives the same results.
    bool single_steps = false;
    /// Machine::loads.
    LoadOrder* loads = nullptr;

  private:
    friend class Execution;
};

}  // namespace terrazzo::mali::sim
