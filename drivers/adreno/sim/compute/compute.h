// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches: workgroups on several threads, started in their order, so that one may wait for an earlier one.
// The waves of a workgroup take turns from barrier to barrier, on one thread.
#pragma once

#include <memory>
#include <vector>

#include "drivers/adreno/sim/compute/dispatch_state.h"
#include "drivers/adreno/sim/core/stats.h"
#include "drivers/common/units/workgroups.h"

namespace terrazzo::adreno::sim {

class ComputeShaders {
  public:
    /// `machine` outlives it.
    explicit ComputeShaders(Machine& machine);
    ~ComputeShaders();
    /// Results, counters and the reported fault do not depend on the number of threads, except where the
    /// shaders themselves leave the order open. If several workgroups fault, the first one is reported (for
    /// those in one wave: the first to fault); later ones may have run. Not thread-safe.
    [[nodiscard]] bool dispatch(const DispatchCall& call, Fault* fault);
    /// Since it was made.
    CoreStats stats() const;
    uint64_t texture_pixels() const;

  private:
    struct Worker;
    using Failure = units::WorkgroupFailure<Fault>;
    void begin(Worker& worker);
    bool run_first(Fault* fault);
    bool run_rest(Failure* failure, bool* stopped);

    Machine& machine_;
    DispatchState state_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace terrazzo::adreno::sim
