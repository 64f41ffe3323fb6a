// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Category 0, and barriers: jumps, the lanes that run, the lanes that wait.
#include "drivers/adreno/sim/core/execution.h"

namespace terrazzo::adreno::sim {

using isa::Op;

bool Execution::branch(const LaneMask& taken) {
    const int64_t target = int64_t(flow_.pc) + s_->instr.offset;
    if (taken.any() && (target < 0 || target >= int64_t(program_->steps.size())))
        return fail("the jump leaves the program, to instruction ", target);
    flow_.branch(taken, uint64_t(target), flow_.pc + 1);
    return true;
}

bool Execution::check_predicate(const Operand& o) {
    return check_read(units_of(From::Predicate, unsigned(o.index)), true, h_.now - s_->cycles, Reader::Unit,
                      exec_);
}

// The executing lanes whose predicate holds.
LaneMask Execution::predicate(const Operand& o) const {
    const LaneMask p = lanes_of(w_.rows[kPredicateRow + (o.index & 3)], w_.groups);
    return exec_ & (o.neg ? ~p : p);
}

bool Execution::kill() {
    w_.killed = w_.killed | predicate(s_->src[0]);
    if ((w_.lanes & ~w_.helpers & ~w_.killed).any()) {
        next();
        return true;
    }
    // Only helpers are left: their work has no effect.
    flow_.finish();
    return true;
}

bool Execution::call(bool returns) {
    const LaneMask lanes = exec_;
    if (!returns) {
        return every_lane(lanes,
                          [&](unsigned lane) {
                              if (flow_.calls[lane] == Flow::kMaxCalls)
                                  return fail_lane(lane, "calls are nested deeper than ", Flow::kMaxCalls);
                              flow_.returns[flow_.calls[lane]++][lane] = flow_.pc + 1;
                              return true;
                          }) &&
               branch(lanes);
    }
    if (!every_lane(lanes, [&](unsigned lane) {
            if (flow_.calls[lane] == 0) return fail_lane(lane, "ret without a call");
            LaneMask one;
            one.set(lane);
            flow_.waiting.add(flow_.returns[--flow_.calls[lane]][lane], one);
            return true;
        }))
        return false;
    flow_.running = flow_.running & ~lanes;
    if (flow_.running.any()) next();
    flow_.regroup();
    return true;
}

// The executing lanes that jump.
LaneMask Execution::jumping() const {
    const auto p = [&](unsigned n) { return predicate(s_->src[n]); };
    switch (s_->instr.op) {
        case Op::kBr:
            return p(0);
        case Op::kBrao:
            return p(0) | p(1);
        case Op::kBraa:
            return p(0) & p(1);
        case Op::kBany:
            return p(0).any() ? exec_ : LaneMask{};
        case Op::kBall:
            return p(0) == exec_ ? exec_ : LaneMask{};
        case Op::kGetone: {
            LaneMask others = exec_;
            if (others.any()) others.clear(others.lowest());
            return others;
        }
        case Op::kGetlast: {
            // In the first cluster of 8 that runs, all but the last.
            LaneMask others;
            if (!exec_.any()) return others;
            const unsigned first = exec_.lowest() & ~7u, word = first / 64;
            others.word[word] = exec_.word[word] & uint64_t(0xff) << first % 64;
            others.clear(64 * word + 63u - unsigned(std::countl_zero(others.word[word])));
            return others;
        }
        default:
            return exec_;
    }
}

bool Execution::predicate_from(Flow::Predication how) {
    if (!check_read(units_of(From::Predicate, 0), true, h_.now - s_->cycles, Reader::Unit, flow_.running))
        return false;
    flow_.predicates = lanes_of(w_.rows[kPredicateRow], w_.groups);
    flow_.predication = how;
    next();
    return true;
}

// Ends the running lanes. If all lanes that are left wait at a barrier, they go on.
bool Execution::end() {
    flow_.end(flow_.running);
    if (flow_.release_barrier()) release();
    return true;
}

bool Execution::flow() {
    const isa::Instr& i = s_->instr;
    for (unsigned n = 0; n < s_->source_count; ++n)
        if (!check_predicate(s_->src[n])) return false;
    switch (i.op) {
        case Op::kBr:
        case Op::kBrao:
        case Op::kBraa:
        case Op::kBany:
        case Op::kBall:
        case Op::kGetone:
        case Op::kGetlast:
        case Op::kJump:
            return branch(jumping());
        case Op::kEnd:
        case Op::kChsh:
            flow_.chained |= i.op == Op::kChsh;
            return end();
        case Op::kCall:
            return call(false);
        case Op::kRet:
            return call(true);
        case Op::kKill:
            return kill();
        case Op::kPredt:
            return predicate_from(Flow::Predication::True);
        case Op::kPredf:
            return predicate_from(Flow::Predication::False);
        case Op::kShps:
            if (w_.preamble_done) return branch(exec_);
            flow_.in_preamble = true;
            break;
        case Op::kShpe:
            w_.preamble_done |= flow_.in_preamble;
            flow_.in_preamble = false;
            break;
        case Op::kPrede:
            flow_.predication = Flow::Predication::None;
            break;
        case Op::kNop:
            core_.stats_.idle_cycles += s_->cycles;
            break;
        case Op::kChmask:
            break;
        default:
            return fail("not implemented: ", i.info().name);
    }
    next();
    return true;
}

// The wave has reached a barrier: it stops until the other waves of its workgroup have reached it, too. After
// that, its next instruction must wait for the barrier by (ss) and (sy).
void Execution::release() {
    h_.barrier_ss = h_.barrier_sy = true;
    stops_ = true;
}

bool Execution::barrier() {
    if (s_->instr.op != Op::kBar) {
        // The model's memory has no caches: fences and sleep do nothing.
        h_.barrier_ss = h_.barrier_sy = true;
        next();
    } else if (flow_.reach_barrier(flow_.pc + 1)) {
        release();
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
