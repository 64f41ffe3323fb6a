// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow. An arm of an If is skipped if none of its lanes run. A loop iterates until no lane is left.
#include "drivers/soft/asmjit/codegen.h"
#include "drivers/soft/interp/regions.h"

namespace terrazzo::soft::tier1 {

using ir::Op;

namespace {

/// The limit of virtual registers; codegen_registers.cpp has the reason.
constexpr uint32_t kMaxRegisters = 512;
constexpr const char* kTooManyRegisters = "it holds more than 512 values at once";
static_assert(kMaxRegisters == 512);

}  // namespace

Codegen::Gp Codegen::bits(const V& mask) {
    const Gp m = fresh_gp().r32();
    cc_.vmovmskps(m, reg(mask));
    return m;
}

void Codegen::jump_if_none(const Ymm& mask, const Label& to) {
    cc_.vtestps(mask, mask);
    cc_.jz(to);
}

Codegen::Ymm Codegen::lanes_of(const Gp& bits) {
    const x86::Mem lane_bits = pattern({1, 2, 4, 8, 16, 32, 64, 128});
    const x86::Xmm low = fresh().xmm();
    const Ymm d = fresh();
    cc_.vmovd(low, bits);
    cc_.vpbroadcastd(d, low);
    cc_.vpand(d, d, lane_bits);
    cc_.vpcmpeqd(d, d, lane_bits);
    return d;
}

namespace {

bool yields_all(const ir::Region& r, unsigned count) {
    return r.first && r.first->op == Op::Yield && r.first->operand_count >= count;
}

}  // namespace

void Codegen::region(const ir::Region& r, const Label& bail) {
    const Label outer_bail = bail_;
    bail_ = bail;
    for (const ir::Instr* i = r.first; i && !problem_; i = i->next) {
        instr(*i);
        release_after(*i);
        if (cc_.virtRegs().size() > kMaxRegisters) problem_ = kTooManyRegisters;
        if (depth_ == 0 && discard_pending_) leave_when_all_are_discarded();
    }
    bail_ = outer_bail;
}

/// Emits one arm under its mask. Ends where the other arm or the code after the If begins.
void Codegen::arm(const ir::Instr& i, unsigned n, const Ymm& mask, const std::vector<Ymm>& results) {
    const ir::Region& r = *i.regions[n];
    const auto* const outer_results = if_results_;
    const bool outer_else = else_arm_;
    if_results_ = &results;
    else_arm_ = n == 1;
    exec_ = mask;
    // The If's temporaries stay in use until its end.
    std::vector<Ymm> held;
    held.swap(temporaries_);
    if (only_yields(r)) {
        region(r, bail_);
    } else {
        const Label after = cc_.newLabel();
        jump_if_none(mask, after);
        ++depth_;
        region(r, after);
        --depth_;
        cc_.bind(after);
    }
    held.swap(temporaries_);
    if_results_ = outer_results;
    else_arm_ = outer_else;
}

void Codegen::branch(const ir::Instr& i) {
    const Ymm cond = reg(operand(i, 0)), saved = exec_;
    const bool plain = yields_all(*i.regions[0], i.result_count);
    std::vector<Ymm> results;
    for (unsigned n = 0; n < i.result_count; ++n)
        results.push_back(plain ? fresh() : zero());
    const bool has_else = i.result_count || !only_yields(*i.regions[1]);
    const Ymm else_mask = has_else ? reg(and_not(saved, cond)) : saved;
    if (i.result_count || !only_yields(*i.regions[0])) arm(i, 0, reg(bit_and(saved, cond)), results);
    if (has_else) arm(i, 1, else_mask, results);
    exec_ = saved;
    for (unsigned n = 0; n < i.result_count; ++n)
        set(i, results[n], n);
    if (!loop_ || !(count_exits(*i.regions[0], Op::Count_) + count_exits(*i.regions[1], Op::Count_))) return;
    // Lanes that left the iteration do not run on. If all left, the rest of this region is skipped.
    cc_.vandps(saved, saved, loop_->active);  // owned by this region, and not read after this
    jump_if_none(exec_, bail_);
}

/// The budget of all loop iterations of a block.
void Codegen::start_budget() {
    const Earlier top(cc_, top_);
    has_budget_ = true;
    static_assert(offsetof(Watch, stop) == 0);
    watch_ = cc_.newGpq();
    budget_ = cc_.newGpd();
    const Label fresh_budget = cc_.newLabel();
    cc_.mov(watch_, x86::ptr(args_, offsetof(VertexArgs, watch)));
    cc_.mov(budget_, kLoopBudget);
    cc_.cmp(x86::dword_ptr(watch_), 0);
    cc_.jz(fresh_budget);
    cc_.mov(budget_, 1);
    cc_.bind(fresh_budget);
}

void Codegen::loop(const ir::Instr& i) {
    const ir::Region& body = *i.regions[0];
    const Ymm saved = exec_;
    LoopState state;
    state.outer = loop_;
    state.one_continue = hands_over_all(body);
    for (unsigned n = 0; n < body.arg_count; ++n) {
        state.args.push_back(fresh());
        move(state.args.back(), operand(i, n));
    }
    for (unsigned n = 0; n < i.result_count; ++n)
        state.results.push_back(zero());
    state.remaining = fresh();
    state.active = fresh();
    move(state.remaining, saved);
    if (!has_budget_) start_budget();
    const Label head = cc_.newLabel(), latch = cc_.newLabel(), exit = cc_.newLabel();
    cc_.bind(head);
    exec_ = fresh();
    move(exec_, state.remaining);
    move(state.active, state.remaining);
    for (unsigned n = 0; n < body.arg_count; ++n) {
        V arg = state.args[n];
        if (!state.one_continue) move((arg = fresh()).reg, state.args[n]);
        values_[body.args[n]->id] = arg;
        keep(arg);
    }
    loop_ = &state;
    ++depth_;
    std::vector<Ymm> held;
    held.swap(temporaries_);
    region(body, latch);
    held.swap(temporaries_);
    --depth_;
    cc_.bind(latch);
    const Label spent = cc_.newLabel(), look = cc_.newLabel(), looked = cc_.newLabel();
    cc_.sub(budget_, 1);
    cc_.jle(spent);
    cc_.test(budget_, turns_per_look(count_instructions(body, kTurnsPerLook * 32)) - 1);
    cc_.jz(look);
    cc_.bind(looked);
    cc_.vtestps(state.remaining, state.remaining);
    cc_.jnz(head);
    cc_.jmp(exit);
    cc_.bind(look);
    call_look();
    cc_.cmp(x86::dword_ptr(watch_), 0);
    cc_.jz(looked);
    cc_.xor_(budget_, budget_);
    cc_.bind(spent);
    cc_.mov(x86::dword_ptr(watch_), 1);
    cc_.bind(exit);
    loop_ = state.outer;
    exec_ = saved;
    for (unsigned n = 0; n < body.arg_count; ++n)
        unkeep(values_[body.args[n]->id]);
    for (unsigned n = 0; n < i.result_count; ++n)
        set(i, state.results[n], n);
}

void Codegen::hand_over(const Ymm& to, const V& v, bool whole) {
    if (v.kind == V::Kind::Reg && v.reg.id() == to.id()) return;
    if (whole) return move(to, v);
    cc_.emit(Inst::kIdVblendvps, to, to, rm(v), exec_);
}

/// If arguments' registers are the values themselves, each must be read before any is written.
void Codegen::next_arguments(const ir::Instr& i) {
    std::vector<V> next;
    std::unordered_set<uint32_t> written;  // registers that the arguments before this one overwrite
    for (unsigned n = 0; n < i.operand_count && n < loop_->args.size(); ++n) {
        V v = operand(i, n);
        if (v.kind == V::Kind::Reg && written.contains(v.reg.id())) move((v = fresh()).reg, operand(i, n));
        if (loop_->one_continue) written.insert(loop_->args[n].id());
        next.push_back(v);
    }
    for (unsigned n = 0; n < next.size(); ++n)
        hand_over(loop_->args[n], next[n], loop_->one_continue);
}

/// Yield, Break and Continue: pass on their values, then remove the lanes.
void Codegen::leave(const ir::Instr& i) {
    if (i.op == Op::Yield) {
        // The else arm is second and must keep the then arm's results.
        for (unsigned n = 0; n < i.operand_count && if_results_ && n < if_results_->size(); ++n)
            hand_over((*if_results_)[n], operand(i, n), !else_arm_);
        return;
    }
    if (i.op == Op::Break)
        for (unsigned n = 0; n < i.operand_count && n < loop_->results.size(); ++n)
            hand_over(loop_->results[n], operand(i, n), false);
    else
        next_arguments(i);
    cc_.vandnps(loop_->active, exec_, loop_->active);
    if (i.op == Op::Break) cc_.vandnps(loop_->remaining, exec_, loop_->remaining);
}

void Codegen::discard(const ir::Instr& i) {
    const V gone = bit_and(operand(i, 0), exec_);
    cc_.vorps(discarded_, discarded_, reg(gone));
    discard_pending_ = true;
}

/// Helper lanes only serve the other lanes of their quad: once those are discarded, nothing needs to run.
void Codegen::leave_when_all_are_discarded() {
    discard_pending_ = false;
    const Gp kept = bits(discarded_);
    cc_.not_(kept);
    cc_.test(kept, mask_in_);
    cc_.jz(none_left_);
}

}  // namespace terrazzo::soft::tier1
