// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RUN_COMPUTE: workgroups on several threads. The warps of a workgroup take turns from barrier to barrier, on
// one thread.
#pragma once

#include <memory>
#include <vector>

#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

class ComputeJobs {
  public:
    /// `machine` outlives it.
    explicit ComputeJobs(Machine& machine);
    ~ComputeJobs();
    /// The selectors choose one of four registers each. If several workgroups fault, the first one is
    /// reported; later ones may have run.
    JobStatus run(unsigned srt, unsigned fau, unsigned spd, unsigned tsd, const CsRegisters& registers,
                  Fault* fault);
    /// Adds the instructions and texture fetches of all dispatches.
    void count(host::Counters* counters) const;

  private:
    struct Dispatch;
    struct Worker;
    bool load(unsigned srt, unsigned fau, unsigned spd, unsigned tsd, const CsRegisters& registers,
              Dispatch* d, Fault* fault);
    void begin(Worker& worker, Dispatch& d);

    Machine& machine_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace terrazzo::mali::sim
