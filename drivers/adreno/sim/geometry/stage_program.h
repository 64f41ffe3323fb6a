// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The program of one stage before the rasterizer: its code, registers, constants and private memory, as its
// waves need them.
#pragma once

#include <vector>

#include "drivers/adreno/sim/geometry/wave_runner.h"

namespace terrazzo::adreno::sim {

/// Waves of these stages always have 64 lanes.
inline constexpr unsigned kGeometryLanes = 64;

class StageProgram {
  public:
    /// Decodes the registers once per draw. `stage`: Vertex, Hull, Domain or Geometry. `chains`: another
    /// stage follows in the same wave.
    [[nodiscard]] bool init(Machine& machine, Stage stage, bool chains, Fault* fault);
    /// Runs `wave.lanes` from the program's first instruction. `chained`: after the wave's previous program.
    /// The caller has set the inputs' registers.
    [[nodiscard]] bool run(WaveRunner& runner, Wave& wave, bool chained, Fault* fault);
    /// Whether a wave of the draw has already run it, with its preamble.
    bool has_run() const { return has_run_; }
    /// Without it, copies of the program may run waves at the same time.
    bool has_private_memory() const { return private_B_ != 0; }

  private:
    template <class R>
    bool decode(Machine& machine, Fault* fault);

    StageRun run_;
    const char* name_ = "";
    std::vector<uint32_t> constants_;  // of the draw: its preamble may write them
    bool has_run_ = false, preamble_done_ = false, merged_registers_ = true, demote_constants_ = true;
    unsigned full_registers_ = 0, half_registers_ = 0, branch_stack_ = 0;
    uint64_t private_va_ = 0;
    uint32_t private_B_ = 0;
};

}  // namespace terrazzo::adreno::sim
