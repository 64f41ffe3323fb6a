// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs waves of ir3 code. Strict: behaviour that the hardware leaves undefined is a fault with a report. A
// result may be read after its cycles, or after (ss) or (sy); a source that a unit still reads must not be
// overwritten; registers must be within the shader's footprint, constants loaded, and code mapped and valid.
//
// Lanes diverge at branches: the lanes at one program counter run together, the lowest one first. They meet
// at instructions with (jp). Lanes that pass waiting lanes without (jp) run alone from there on, as on
// hardware.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/adreno/sim/core/program.h"
#include "drivers/adreno/sim/core/stats.h"
#include "drivers/adreno/sim/core/units.h"
#include "drivers/adreno/sim/core/wave.h"
#include "drivers/common/core/execution.h"

namespace terrazzo::adreno::sim {

using host::Host;

using core::CoreFault;
using core::Outcome;

class Core : public core::ShaderCore<Units, ProgramCache, CoreStats> {
  public:
    using ShaderCore::ShaderCore;

    /// Runs until every lane has ended, or a barrier. Sets `fault` for Outcome::Fault.
    Outcome run(Wave& wave, CoreFault* fault);
    /// All lanes of `lanes` are at `va`, and nothing is in flight. Registers keep their values; killed is
    /// cleared. The caller sets the wave's other members.
    static void start(Wave& wave, uint64_t va, const LaneMask& lanes, const LaneMask& helpers = {});

    /// As start(), when the wave continues with another stage's program after chsh: what is in flight stays
    /// in flight.
    static void chain(Wave& wave, uint64_t va, const LaneMask& lanes);

    /// Shared registers have their own ALU (a650 and later).
    bool has_scalar_alu = false;

  private:
    friend class Execution;
};

}  // namespace terrazzo::adreno::sim
