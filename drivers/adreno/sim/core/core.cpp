// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A step of a wave: waiting lanes join the running ones. A straight run is executed as a whole. A single
// instruction waits as its flags require, and is passed to the part that executes it.
#include "drivers/adreno/sim/core/core.h"

#include <cstring>

#include "drivers/adreno/sim/core/execution.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

void Core::start(Wave& wave, uint64_t va, const LaneMask& lanes, const LaneMask& helpers) {
    chain(wave, va, lanes);
    wave.helpers = helpers;
    wave.hazards.reset();
}

void Core::chain(Wave& wave, uint64_t va, const LaneMask& lanes) {
    wave.lanes = lanes & LaneMask::first(wave.groups * kGroupLanes);
    wave.helpers = {};
    wave.killed = {};
    wave.planes = 0;
    Flow& f = wave.flow;
    f.va = va;
    f.start(0, wave.lanes);
    f.predication = Flow::Predication::None;
    f.in_preamble = f.chained = false;
    std::memset(f.calls, 0, sizeof(f.calls));
}

Outcome Core::run(Wave& wave, CoreFault* fault) {
    if (wave.groups < 1 || wave.groups > 8) {
        *fault = {wave.flow.va, "a wave has 16 to 128 lanes", "", 0, false, {}};
        return Outcome::Fault;
    }
    return Execution(*this, wave, fault).run();
}

void Execution::count_lanes() {
    counted_ = exec_;
    count_ = exec_.count();
    const bool all = exec_ == w_.lanes && !w_.chains;
    for (unsigned g = 0; g < w_.groups; ++g)
        running_[g] = uint16_t(all && exec_.group(g) ? 0xffff : exec_.group(g));
}

Outcome Execution::run() {
    program_ = core_.programs_.find(core_.memory_, flow_.va).get();
    core_.stats_.waves += flow_.turns == 0;
    const core::DenormalMode flush(core::DenormalMode::Mode::Flush);
    return Base::run();
}

bool Execution::advance() {
    s_ = nullptr;
    if (flow_.pc >= program_->steps.size())
        return fail("no code here: nothing is mapped executable, or what is there is no program");
    s_ = &program_->steps[flow_.pc];
    if (!s_->good) return fail(program_->reasons[flow_.pc]);
    if (s_->jp) flow_.join();
    exec_ = flow_.executing();
    if (exec_ != counted_) count_lanes();
    if (!s_->straight)
        stepwise_until_ = 0;
    else if (flow_.pc >= stepwise_until_ && run_straight())
        return true;
    count(1);
    if (s_->sy) h_.wait_sy();
    if (s_->ss) h_.wait_ss();
    if ((h_.barrier_ss || h_.barrier_sy) && s_->instr.op != isa::Op::kNop)
        return fail("it does not wait for the barrier or fence before it: no ",
                    (h_.barrier_ss ? "(ss)" : "(sy)"));
    const unsigned category = s_->category;
    ++core_.stats_.instructions[category];
    core_.stats_.half_instructions[category] += s_->half;
    core_.stats_.lane_instructions += count_;
    return execute();
}

bool Execution::execute() {
    const unsigned cycles = s_->cycles;
    bool good = true;
    switch (s_->kind) {
        case StepKind::Alu:
        case StepKind::Special:
        case StepKind::Move:
            good = alu();
            break;
        case StepKind::Moves:
            good = s_->instr.op == isa::Op::kMovmsk ? movmsk() : alu();
            break;
        case StepKind::Message:
            good = message();
            break;
        case StepKind::Flow:
            h_.now += cycles;
            return flow();
        case StepKind::Barrier:
            return barrier();
    }
    if (!good) return false;
    h_.now += cycles;
    next();
    return true;
}

std::string Execution::text() const {
    if (!s_) return {};
    if (!s_->good && s_->instr.op == isa::Op::kNop) return host::hex_text(s_->word);
    std::string out;
    isa::print(s_->instr, &out);
    return out;
}

}  // namespace terrazzo::adreno::sim
