// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/vertex_core.h"

namespace terrazzo::adreno::sim {

VertexCore::VertexCore(Machine& machine)
    : machine_(machine), units_(machine), core_(machine.host.space(), units_) {
    core_.host = &machine.host;
    core_.has_scalar_alu = machine.chip.generation.has_scalar_alu;
}

void VertexCore::begin_draw() {
    core_.memory().refresh();
    core_.programs().begin_job();
    core_.turn_limit = machine_.turn_limit;
    units_.begin_work();
    units_.set_stage(Stage::Vertex);
}

// SP_VS_INSTRLEN, from which code_B comes, says how much is loaded ahead; programs may be longer.
bool VertexCore::run(Wave& wave, uint64_t code_va, uint64_t, std::string* why) {
    Core::start(wave, code_va, wave.lanes);
    CoreFault fault;
    const Outcome outcome = core_.run(wave, &fault);
    if (outcome == Outcome::Done) return true;
    *why = outcome == Outcome::Barrier ? "a barrier" : to_string(fault, code_va);
    return false;
}

}  // namespace terrazzo::adreno::sim
