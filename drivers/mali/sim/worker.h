// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What jobs on several threads share. A worker is a thread's state; it has a `core` and its `units`.
#pragma once

#include "drivers/common/units/areas.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/machine.h"
#include "drivers/mali/sim/state/read.h"

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
    static constexpr JobStatus kStatus[] = {JobStatus::Done, JobStatus::Fault, JobStatus::Stopped};
    return kStatus[unsigned(result)];
}

/// Reports that the host has no memory. `what`: "draw", for example.
inline void fail_without_memory(const char* what, Fault* fault) {
    report(fault, hw::ExceptionCode::OOM, "the host has no memory for this ", what);
}

/// Calls run(worker, n, &fault) for each n below `parts`, on several threads (units::run_areas).
template <class Run, class... Begin>
JobStatus run_parts(Machine& machine, const char* what, unsigned parts, unsigned threads, Fault* fault,
                    Run&& run, Begin&&... begin) {
    return status_of(units::run_areas(
        parts, machine.on_threads(threads), run, [&](Fault* mine) { fail_without_memory(what, mine); },
        [&] { return machine.host.should_stop(); }, fault, begin...));
}

}  // namespace terrazzo::mali::sim
