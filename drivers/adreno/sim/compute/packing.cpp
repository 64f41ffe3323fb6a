// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/compute/packing.h"

#include <algorithm>

namespace terrazzo::adreno::sim {
namespace {

using isa::Op;

/// Atomics on buffers, images and global memory, which all workgroups share. In a wave, as on several
/// threads, their order is not defined.
bool is_atomic_of_all(Op op) {
    return (op >= Op::kAtomicBAdd && op <= Op::kAtomicBXor) ||
           (op >= Op::kAtomicGAdd && op <= Op::kAtomicGXor);
}

/// The flow and message instructions that only concern one lane.
bool is_of_a_lane(Op op) {
    constexpr Op kOps[] = {Op::kNop,   Op::kEnd,   Op::kJump,  Op::kBr,      Op::kBrao,     Op::kBraa,
                           Op::kPredt, Op::kPredf, Op::kPrede, Op::kLdg,     Op::kLdgA,     Op::kStg,
                           Op::kStgA,  Op::kLdc,   Op::kStibB, Op::kLdibB,   Op::kResinfoB, Op::kResbase,
                           Op::kIsam,  Op::kIsaml, Op::kSaml,  Op::kGetsize, Op::kGetbuf,   Op::kGetinfo};
    return is_atomic_of_all(op) || std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

bool leads_back(const isa::Instr& i) {
    const bool jumps = i.op == Op::kJump || i.op == Op::kBr || i.op == Op::kBrao || i.op == Op::kBraa;
    return jumps && i.offset <= 0;
}

bool is_of_a_lane(const Step& s) {
    if (!s.good || std::any_of(std::begin(s.dst), std::end(s.dst),
                               [](const Operand& o) { return o.from == From::Shared; }))
        return false;
    switch (s.kind) {
        case StepKind::Alu:
        case StepKind::Special:
        case StepKind::Move:
            return true;
        case StepKind::Moves:
            return s.instr.op != Op::kMovmsk;
        case StepKind::Flow:
            return is_of_a_lane(s.instr.op) && !leads_back(s.instr);
        case StepKind::Message:
            return is_of_a_lane(s.instr.op);
        case StepKind::Barrier:
            return false;
    }
    return false;
}

}  // namespace

bool runs_lane_by_lane(const Program& program) {
    bool in_preamble = false;
    for (const Step& s : program.steps) {
        if (s.good && s.instr.op == Op::kShps) in_preamble = true;
        if (!in_preamble && !is_of_a_lane(s)) return false;
        if (s.good && s.instr.op == Op::kShpe) in_preamble = false;
    }
    return !in_preamble;
}

}  // namespace terrazzo::adreno::sim
