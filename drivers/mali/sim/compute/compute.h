// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RUN_COMPUTE: runs workgroups one after the other.
#pragma once

#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/units/stage.h"

namespace terrazzo::mali::sim {

class ComputeJob {
  public:
    ComputeJob(Machine& machine, Core& core) : machine_(machine), core_(core) {}
    /// The selectors choose one of four registers each.
    JobStatus run(unsigned srt, unsigned fau, unsigned spd, unsigned tsd, const CsRegisters& registers,
                  Fault* fault);

  private:
    bool run_group(const ShaderState& shader, const uint32_t size[3], const uint32_t group[3],
                   std::vector<Warp>& warps, Fault* fault);

    Machine& machine_;
    Core& core_;
};

}  // namespace terrazzo::mali::sim
