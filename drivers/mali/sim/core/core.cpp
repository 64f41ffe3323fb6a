// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs of warps: whole ones, and the parts of a bundle.
#include "drivers/mali/sim/core/core.h"

#include <algorithm>
#include <bit>

#include "drivers/mali/sim/core/execution.h"

namespace terrazzo::mali::sim {

// Whether the warps of the bundle may go on at different places after the step, whose sources are computed;
// or whether it reads what a message of another warp may write.
bool Execution::may_part(const Step& s) const {
    // The first warp must keep a thread.
    if (s.instr.flow == isa::Flow::kDiscard && !(flow_.running & ~warp_.helpers)) return true;
    switch (s.kind) {
        case StepKind::Arithmetic:
        case StepKind::Nothing:
        case StepKind::Unknown:
            return false;
        case StepKind::Kill:
            return std::any_of(warps_.begin(), warps_.end(), [](const Warp& w) {
                return (wave::bits_of(w.r[kSourceRow]) & w.flow.running) != 0;
            });
        case StepKind::Branch: {
            if (s.instr.op != isa::Op::kBranchz) return true;
            const bool all = taken_of(s, warp_) != 0;
            return std::any_of(warps_.begin(), warps_.end(),
                               [&](const Warp& w) { return taken_of(s, w) != (all ? w.flow.running : 0); });
        }
        case StepKind::Message:
            break;
    }
    if (s.message == Message::kTile || s.message == Message::kBarrier) return true;
    // BLEND reads from the descriptor how it continues.
    const auto word = [](const Warp& w, unsigned row) {
        return w.r[kSourceRow + row][unsigned(std::countr_zero(w.flow.running)) % kWarpLanes];
    };
    return s.message == Message::kBlend && std::any_of(warps_.begin(), warps_.end(), [&](const Warp& w) {
               return word(w, 0) != word(warp_, 0) || word(w, 1) != word(warp_, 1);
           });
}

// Runs each warp by itself, in their order. `unfinished`: the step at at_, if its sources are computed.
bool Execution::part(const Step* unfinished) {
    const std::span<Warp> warps = std::exchange(warps_, warps_.first(1));
    for (Warp& w : warps.subspan(1))
        w.follow(warp_);
    for (Warp& w : warps) {
        Execution one(core_, {&w, 1}, fault_);
        if (unfinished) {
            one.program_ = program_;
            one.at_ = at_;
            one.target_ = target_;
            if (!one.finish(*unfinished)) return false;
            one.flow(*unfinished);
        }
        if (one.run() != Outcome::Done) return false;
    }
    return true;
}

Outcome Core::run(std::span<Warp> warps, CoreFault* fault) {
    memory_.refresh();
    const Outcome outcome = Execution(*this, warps, fault).run_all();
    for (Warp& w : warps.subspan(1))
        w.defined |= warps[0].defined;
    return outcome;
}

void Core::start(Warp& warp, uint64_t va, uint32_t lanes, uint32_t helpers) {
    warp.lanes = lanes;
    warp.helpers = helpers;
    warp.flow.start(va, lanes);
}

}  // namespace terrazzo::mali::sim
