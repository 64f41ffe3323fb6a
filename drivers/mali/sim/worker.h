// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What jobs on several threads share. A worker is a thread's state; it has a `core` and its `units`.
#pragma once

#include <string>

#include "drivers/common/units/areas.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

/// A job begins: memory and descriptors may have changed since the last one.
template <class Worker>
void begin_job(Worker& w, Machine& machine) {
    w.units.forget();
    w.core.memory().refresh();
    w.core.programs().begin_job();
    w.core.turn_limit = machine.turn_limit;
    w.core.host = &machine.host;
    w.core.loads = w.units.loads = machine.loads;
}

/// Adds what the worker has executed.
template <class Worker>
void count_work(const Worker& w, host::Counters* counters) {
    counters->instructions += w.core.stats().instructions;
    counters->texture_fetches += w.units.texture_fetches();
}

inline JobStatus status_of(units::AreaResult result) {
    switch (result) {
        case units::AreaResult::Failed:
            return JobStatus::Fault;
        case units::AreaResult::Stopped:
            return JobStatus::Stopped;
        case units::AreaResult::Done:
            break;
    }
    return JobStatus::Done;
}

/// Reports that the host has no memory. `what`: "draw", for example.
inline void fail_without_memory(const char* what, Fault* fault) {
    fault->code = hw::ExceptionCode::OOM;
    fault->report = std::string("the host has no memory for this ") + what;
}

}  // namespace terrazzo::mali::sim
