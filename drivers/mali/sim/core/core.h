// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs warps of Valhall code. Strict: what hardware leaves undefined is a fault with a report. A register
// that a message writes is not to be touched until the message's slot was waited for, and one that a message
// reads is not to be overwritten; code is mapped, known and sound; registers were written before they are
// read and are within the shader's; uniforms exist.
//
// Threads of a warp diverge at branches: each has its own program counter, those at one place run together.
// They meet again only where an instruction says ".reconverge", at branches and at ends: there the threads at
// the lowest address go on.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/mali/sim/core/memory.h"
#include "drivers/mali/sim/core/program.h"
#include "drivers/mali/sim/core/units.h"
#include "drivers/mali/sim/core/warp.h"

namespace terrazzo::mali::sim {

struct CoreFault {
    uint64_t pc = 0;
    std::string reason;       // what is wrong
    std::string instruction;  // text, or the word
    uint32_t lane = 0;        // the first it concerns
    bool memory = false;      // an access was refused: `access` says which
    AccessFault access;
};
/// "shader 0x1000+0x18, lane 3: read of 4 bytes at 0x0: not mapped (LOAD.i32...)".
std::string to_string(const CoreFault& fault, uint64_t shader_va);

enum class Outcome : uint8_t { Done, Barrier, Fault };

struct CoreStats {
    uint64_t instructions = 0, lane_instructions = 0, messages = 0;
};

class Host;

class Core {
  public:
    Core(Space& space, Units& units) : memory_(space), units_(&units) {}

    /// Runs until every thread has ended, or a barrier. The warp's registers, `lanes`, `live` and program
    /// counters are set by the caller (start() for a fresh one). After Barrier, call again.
    Outcome run(Warp& warp, CoreFault* fault);
    /// All lanes of `lanes` at `va`.
    static void start(Warp& warp, uint64_t va, uint32_t lanes, uint32_t helpers = 0);

    Window& memory() { return memory_; }
    const CoreStats& stats() const { return stats_; }
    /// How many instructions a warp may execute before it counts as endless.
    uint64_t turn_limit = 1ull << 24;
    /// Asked now and then whether to stop, which then is a fault; null: nobody.
    const Host* host = nullptr;
    /// Which of the warps that the GPU has room for this core runs (the next ones, too, if it keeps several).
    unsigned warp_slot = 0;
    /// Whether reading a register that nobody wrote is a fault.
    bool check_defined = true;
    ProgramCache& programs() { return programs_; }

  private:
    friend class Execution;
    Window memory_;
    Units* units_;
    ProgramCache programs_;
    CoreStats stats_;
};

}  // namespace terrazzo::mali::sim
