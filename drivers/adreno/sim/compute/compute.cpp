// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/compute/compute.h"

#include <algorithm>

#include "drivers/adreno/sim/compute/packing.h"
#include "drivers/adreno/sim/core/core.h"
#include "drivers/adreno/sim/texture/shader_units.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kInvocations = 10;    // of Machine::primitive_counters
constexpr uint64_t kFewWorkgroups = 64;  // fewer are not packed into common waves

}  // namespace

/// One thread's state.
struct ComputeShaders::Worker {
    Worker(Machine& machine, unsigned number)
        : units(machine), core(machine.uche_space(), units), slot(number) {
        core.host = &machine.host;
        core.has_scalar_alu = machine.chip.generation.has_scalar_alu;
    }
    /// After the first workgroup, which has run the preamble.
    bool runs_lane_by_lane(const DispatchState& state) {
        return sim::runs_lane_by_lane(*core.programs().find(core.memory(), state.code_va()));
    }
    /// Runs workgroups of [*workgroup, end) in the same waves. On a fault *workgroup is the faulting one.
    bool run(const DispatchState& state, uint64_t* workgroup, uint64_t end, Fault* fault);

    ShaderUnits units;
    Core core;
    const unsigned slot;
    std::vector<uint32_t> constants;  // the dispatch's own copy: its preamble may write them
    std::vector<uint8_t> shared;
    std::vector<std::unique_ptr<Wave>> waves;
    bool preamble_done = false;
};

ComputeShaders::ComputeShaders(Machine& machine) : machine_(machine) {}
ComputeShaders::~ComputeShaders() = default;

bool ComputeShaders::Worker::run(const DispatchState& state, uint64_t* workgroup, uint64_t end,
                                 Fault* fault) {
    const auto failed = [&](FaultKind kind, const auto&... why) {
        return fail(fault, kind, state.name_of(*workgroup), ": ", why...);
    };
    const auto together = unsigned(end - *workgroup);
    // Instructions of local memory do not run in packed waves.
    if (together == 1) std::fill(shared.begin(), shared.end(), uint8_t(0));
    std::string why;
    for (unsigned n = 0; n < state.waves(); ++n) {
        Wave& w = *waves[n];
        w.constants = w.writable_constants = constants;
        w.shared = together == 1 ? std::span<uint8_t>(shared) : std::span<uint8_t>();
        if (!state.start(w, n, *workgroup, together, slot, &why)) return failed(FaultKind::Hardware, why);
    }
    CoreFault core_fault;
    if (core::take_turns(
            state.waves(), [&](unsigned n) { return waves[n]->flow.live.any(); },
            [&](unsigned n) {
                waves[n]->preamble_done = preamble_done;
                const Outcome outcome = core.run(*waves[n], &core_fault);
                preamble_done |= waves[n]->preamble_done;
                return outcome;
            }))
        return true;
    if (together > 1) {
        *workgroup += core_fault.lane / state.invocations();
        core_fault.lane %= state.invocations();
    }
    return failed(core_fault.memory ? FaultKind::Memory : FaultKind::Shader, "compute ",
                  to_string(core_fault, state.code_va()));
}

// Between dispatches memory, descriptors and programs may have changed.
void ComputeShaders::begin(Worker& w) {
    w.core.memory().refresh();
    w.core.programs().begin_job();
    w.core.turn_limit = machine_.turn_limit;
    w.units.begin_work();
    w.units.set_stage(Stage::Compute);
    w.shared.resize(state_.shared_B());
    while (w.waves.size() < state_.waves())
        w.waves.push_back(std::make_unique<Wave>());
}

// Alone: all others use its preamble, so that counters do not depend on the number of threads.
bool ComputeShaders::run_first(Fault* fault) {
    if (workers_.empty()) workers_.push_back(std::make_unique<Worker>(machine_, 0));
    Worker& w = *workers_[0];
    begin(w);
    w.constants = state_.constants();
    w.preamble_done = false;
    uint64_t workgroup = 0;
    return w.run(state_, &workgroup, 1, fault);
}

bool ComputeShaders::run_rest(Failure* failure, bool* stopped) {
    units::WorkgroupRange rest{1, state_.workgroups()};
    const unsigned threads = units::workgroup_threads(
        rest.count(), state_.waves(), std::min<uint64_t>(machine_.threads, state_.most_at_a_time()));
    for (unsigned n = 1; n < threads; ++n) {
        if (workers_.size() == n) workers_.push_back(std::make_unique<Worker>(machine_, n));
        begin(*workers_[n]);
        workers_[n]->constants = workers_[0]->constants;
        workers_[n]->preamble_done = workers_[0]->preamble_done;
    }
    // Workgroups with few invocations leave most lanes of their waves empty.
    if (rest.count() >= kFewWorkgroups && workers_[0]->runs_lane_by_lane(state_))
        rest.together = state_.most_packed();
    const auto run = [&](unsigned worker, uint64_t* workgroup, uint64_t end, Fault* fault) {
        return workers_[worker]->run(state_, workgroup, end, fault);
    };
    const auto result = units::run_workgroups(
        rest, machine_.on_threads(threads), run,
        [](Fault* f) { fail(f, "the host has no memory for this dispatch"); },
        [&] { return machine_.host.should_stop(); }, failure);
    *stopped = result == units::AreaResult::Stopped;
    return result == units::AreaResult::Done;
}

bool ComputeShaders::dispatch(const DispatchCall& call, Fault* fault) {
    const auto failed = [&] {
        fault->report = "dispatch " + std::to_string(call.number) + ": " + fault->report;
        return false;
    };
    if (!state_.init(machine_, call, fault)) return failed();
    if (!state_.workgroups()) return true;
    if (!run_first(fault)) return failed();
    Failure failure;
    bool stopped = false;
    const bool good = state_.workgroups() == 1 || run_rest(&failure, &stopped);
    machine_.primitive_counters[kInvocations] +=
        state_.invocations() * (good ? state_.workgroups() : failure.workgroup);
    if (good) return true;
    *fault = std::move(failure.fault);
    if (stopped && fault->report.empty()) fail(fault, FaultKind::Shader, "it was stopped");
    return failed();
}

CoreStats ComputeShaders::stats() const {
    CoreStats all;
    for (const auto& w : workers_)
        all.add(w->core.stats());
    return all;
}

uint64_t ComputeShaders::texture_pixels() const {
    uint64_t all = 0;
    for (const auto& w : workers_)
        all += w->units.texture_pixels();
    return all;
}

}  // namespace terrazzo::adreno::sim
