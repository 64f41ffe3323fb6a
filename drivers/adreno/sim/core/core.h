// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs waves of ir3 code. Strict: what hardware leaves undefined is a fault with a report. A result is there after its cycles, or after (ss) or (sy); a source
// that a unit still reads is not overwritten; registers are within the shader's, constants were loaded; code is mapped, known and sound.
//
// Lanes diverge at branches: those at one place run together, the lowest place first. They meet where an instruction says (jp). Who goes on past waiting lanes
// without (jp) runs alone from there on, as on hardware.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/adreno/sim/core/program.h"
#include "drivers/adreno/sim/core/stats.h"
#include "drivers/adreno/sim/core/units.h"
#include "drivers/adreno/sim/core/wave.h"
#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

class Host;

struct CoreFault {
    uint64_t pc = 0;
    std::string reason;       // what is wrong
    std::string instruction;  // text, or the word
    uint32_t lane = 0;        // the first it concerns
    bool memory = false;      // an access was refused: `access` says which
    window::AccessFault access;
};
/// "shader 0x1000+0x18, lane 3: r0.x is read 2 cycles too early (add.f r0.y, r0.x, r0.z)".
std::string to_string(const CoreFault& fault, uint64_t shader_va);

/// Barrier: all lanes have come to one. Run the workgroup's other waves so far, then call again.
enum class Outcome : uint8_t { Done, Barrier, Fault };

class Core {
  public:
    Core(window::Space& space, Units& units) : memory_(space), units_(&units) {}

    /// Runs until every lane has ended, or a barrier. `fault` is set where it says Fault.
    Outcome run(Wave& wave, CoreFault* fault);
    /// All lanes of `lanes` are at `va`, and nothing is under way. Registers stay as they are; killed is cleared. Who makes the wave sets its other members.
    static void start(Wave& wave, uint64_t va, const LaneMask& lanes, const LaneMask& helpers = {});

    /// As start(), where the wave goes on with another stage's program behind chsh: what is under way stays so.
    static void chain(Wave& wave, uint64_t va, const LaneMask& lanes);

    window::Window& memory() { return memory_; }
    ProgramCache& programs() { return programs_; }
    const CoreStats& stats() const { return stats_; }
    /// How many instructions a wave may execute before it counts as endless.
    uint64_t turn_limit = 1ull << 24;
    /// Asked now and then whether to stop, which then is a fault; null: nobody.
    const Host* host = nullptr;
    /// Shared registers have an ALU of their own (a650 and later).
    bool has_scalar_alu = false;

  private:
    friend class Execution;
    window::Window memory_;
    Units* units_;
    ProgramCache programs_;
    CoreStats stats_;
    uint64_t turns_ = 0;
};

}  // namespace terrazzo::adreno::sim
