// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wave's steps: chooses the lanes that run together, checks the waits of flags, and dispatches the
// instruction.
#include "drivers/adreno/sim/core/core.h"

#include <cstring>

#include "drivers/adreno/sim/core/execution.h"
#include "drivers/adreno/sim/machine.h"
#include "drivers/common/host/commands.h"

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
    f.pc = 0;
    f.live = f.running = wave.lanes;
    f.waiting.clear();
    f.at_barrier.clear();
    f.predication = Flow::Predication::None;
    f.in_preamble = f.chained = false;
    f.turns = 0;
    std::memset(f.calls, 0, sizeof(f.calls));
}

Outcome Core::run(Wave& wave, CoreFault* fault) {
    if (wave.groups < 1 || wave.groups > 8) {
        *fault = {wave.flow.va, "a wave has 16 to 128 lanes", "", 0, false, {}};
        return Outcome::Fault;
    }
    return Execution(*this, wave, fault).run();
}

inline bool Execution::check_turns() {
    if (++f_.turns > core_.turn_limit) return fail("the program does not end");
    if (++core_.turns_ >= core::kTurnsPerQuestion) {
        core_.turns_ = 0;
        if (core_.host && core_.host->should_stop()) return fail("the GPU was told to stop");
    }
    return true;
}

void Execution::count_lanes() {
    counted_ = exec_;
    count_ = exec_.count();
    const bool all = exec_ == w_.lanes && !w_.chains;
    for (unsigned g = 0; g < w_.groups; ++g)
        running_[g] = uint16_t(all && exec_.group(g) ? 0xffff : exec_.group(g));
}

Outcome Execution::run() {
    program_ = core_.programs_.find(core_.memory_, f_.va).get();
    core_.stats_.waves += f_.turns == 0;
    const core::DenormalMode flush(core::DenormalMode::Mode::Flush);
    for (;;) {
        if (!f_.live.any()) return Outcome::Done;
        if (!check_turns()) return Outcome::Fault;
        if (f_.pc >= program_->steps.size()) {
            s_ = nullptr;
            fail("no code here: nothing is mapped executable, or what is there is no program");
            return Outcome::Fault;
        }
        s_ = &program_->steps[f_.pc];
        if (!s_->good) {
            fail(program_->reasons[f_.pc]);
            return Outcome::Fault;
        }
        // Lanes that wait here run on with the lanes that arrived.
        if (s_->jp && !f_.waiting.empty()) f_.running = f_.running | f_.waiting.take(f_.pc);
        exec_ = f_.executing();
        if (exec_ != counted_) count_lanes();
        if (!s_->straight)
            stepwise_until_ = 0;
        else if (f_.pc >= stepwise_until_ && run_straight())
            continue;
        if (s_->sy) h_.wait_sy();
        if (s_->ss) h_.wait_ss();
        if ((h_.barrier_ss || h_.barrier_sy) && s_->instr.op != isa::Op::kNop) {
            fail(std::string("it does not wait for the barrier or fence before it: no ") +
                 (h_.barrier_ss ? "(ss)" : "(sy)"));
            return Outcome::Fault;
        }
        const unsigned category = s_->category;
        ++core_.stats_.instructions[category];
        core_.stats_.half_instructions[category] += s_->half;
        core_.stats_.lane_instructions += count_;
        if (s_->kind == StepKind::Barrier) {
            bool stops = false;
            if (!barrier(&stops)) return Outcome::Fault;
            if (stops) return Outcome::Barrier;
            continue;
        }
        if (!execute()) return Outcome::Fault;
    }
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
            break;
    }
    if (!good) return false;
    h_.now += cycles;
    next();
    return true;
}

bool Execution::fail(std::string reason) {
    return fail(std::move(reason), exec_.any() ? exec_.lowest() : f_.running.any() ? f_.running.lowest() : 0);
}

bool Execution::fail(std::string reason, unsigned lane) {
    *fault_ = {};
    fault_->pc = f_.va + 8ull * f_.pc;
    fault_->reason = std::move(reason);
    fault_->lane = lane;
    if (!s_) return false;
    if (s_->good || s_->instr.op != isa::Op::kNop)
        isa::print(s_->instr, &fault_->instruction);
    else
        fault_->instruction = host::hex_text(s_->word);
    return false;
}

bool Execution::fail_access(unsigned lane) {
    const window::AccessFault access = core_.memory_.fault();
    fail(window::to_string(access), lane);
    fault_->memory = true;
    fault_->access = access;
    return false;
}

}  // namespace terrazzo::adreno::sim
