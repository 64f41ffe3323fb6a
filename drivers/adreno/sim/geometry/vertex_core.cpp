// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/vertex_core.h"

namespace terrazzo::adreno::sim {

VertexCore::VertexCore(Machine& machine)
    : machine_(machine), units_(machine), core_(machine.uche_space(), units_) {
    core_.host = &machine.host;
    core_.has_scalar_alu = machine.chip.generation.has_scalar_alu;
}

void VertexCore::begin_draw() {
    core_.memory().refresh();
    core_.programs().begin_job();
    core_.turn_limit = machine_.turn_limit;
    units_.begin_work();
    units_.set_stage(stage_ = Stage::Vertex);
    ++draw_;
}

WaveRunner* VertexCore::helper(unsigned number) {
    while (helpers_.size() < number)
        helpers_.push_back(std::make_unique<VertexCore>(machine_));
    VertexCore& h = *helpers_[number - 1];
    if (h.draw_ != draw_) {
        h.begin_draw();
        h.draw_ = draw_;
    }
    return &h;
}

CoreStats VertexCore::stats() const {
    CoreStats all = core_.stats();
    for (const auto& h : helpers_)
        all.add(h->core_.stats());
    return all;
}

uint64_t VertexCore::texture_pixels() const {
    uint64_t all = units_.texture_pixels();
    for (const auto& h : helpers_)
        all += h->units_.texture_pixels();
    return all;
}

// SP_*_INSTRLEN, the source of code_B, is the size that is prefetched; programs may be longer.
bool VertexCore::run(Wave& wave, const StageRun& run, std::string* why) {
    wave.chains = run.chains || run.chained;
    if (run.chained)
        Core::chain(wave, run.code_va, wave.lanes);
    else
        Core::start(wave, run.code_va, wave.lanes);
    if (stage_ != run.stage) units_.set_stage(stage_ = run.stage);
    CoreFault fault;
    Outcome outcome = core_.run(wave, &fault);
    // All invocations of a hull shader's barrier are in one wave (hull_shader.h).
    while (outcome == Outcome::Barrier && run.stage == Stage::Hull)
        outcome = core_.run(wave, &fault);
    if (outcome == Outcome::Done) {
        if (wave.flow.chained == run.chains) return true;
        return refuse(why, run.chains ? "it does not end by chsh, and another shader follows in its wave"
                                      : "it ends by chsh, and no other shader follows in its wave");
    }
    return refuse(why, outcome == Outcome::Barrier ? "a barrier" : to_string(fault, run.code_va));
}

}  // namespace terrazzo::adreno::sim
