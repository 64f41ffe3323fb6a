// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow. An arm of an If is skipped if none of its lanes run. A loop iterates until no lane is left.
#include <algorithm>
#include <cstddef>

#include <llvm/IR/MDBuilder.h>

#include "drivers/soft/interp/regions.h"
#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

using ir::Op;

Codegen::V Codegen::bits(V mask) {
    return b_.CreateZExt(b_.CreateBitCast(test(mask), b_.getIntNTy(lanes_)), i32_);
}

Codegen::V Codegen::any(V mask) {
    V m = b_.CreateBitCast(test(mask), b_.getIntNTy(lanes_));
    return b_.CreateICmpNE(m, b_.getIntN(lanes_, 0));
}

Codegen::V Codegen::lanes_of(V bits) {
    llvm::SmallVector<llvm::Constant*, 16> lane;
    for (unsigned i = 0; i < lanes_; ++i)
        lane.push_back(b_.getInt32(1u << i));
    V m = b_.CreateAnd(splat(bits), llvm::ConstantVector::get(lane));
    return mask_of(b_.CreateICmpNE(m, llvm::Constant::getNullValue(i32v_)));
}

void Codegen::region(const ir::Region& r, llvm::BasicBlock* bail) {
    llvm::BasicBlock* const outer_bail = bail_;
    bail_ = bail;
    for (const ir::Instr* i = r.first; i && !problem_; i = i->next) {
        instr(*i);
        if (depth_ == 0 && discard_pending_) leave_when_all_are_discarded();
    }
    bail_ = outer_bail;
}

/// Whether all lanes that run in the loop leave each iteration at the same place.
bool Codegen::leaves_alike(const ir::Region& r) const {
    for (const ir::Instr* i = r.first; i; i = i->next) {
        if (i->op != Op::If) continue;
        for (const ir::Region* const arm : {i->regions[0], i->regions[1]})
            if (steps_.is_uniform(i->operand(0)) ? !leaves_alike(*arm) : count_exits(*arm, Op::Count_) != 0)
                return false;
    }
    return true;
}

/// An arm that all running lanes take or skip; `taken` (i1) says which. Ends as arm() does.
void Codegen::arm_of_all(const ir::Instr& i, unsigned n, V taken,
                         const std::vector<llvm::AllocaInst*>& results) {
    const ir::Region& r = *i.regions[n];
    const auto* const outer_results = if_results_;
    const bool outer_else = else_arm_;
    if_results_ = &results;
    else_arm_ = false;
    llvm::BasicBlock *run = block(n ? "else" : "then"), *after = block(n ? "endif" : "endthen");
    b_.CreateCondBr(taken, run, after);
    b_.SetInsertPoint(run);
    ++depth_;
    region(r, after);
    --depth_;
    const bool leaves = loop_ && loop_->alike && r.last;
    if (leaves && r.last->op == Op::Break)
        b_.CreateBr(loop_->exit);
    else if (leaves && r.last->op == Op::Continue)
        b_.CreateBr(loop_->latch);
    else
        b_.CreateBr(after);
    b_.SetInsertPoint(after);
    if_results_ = outer_results;
    else_arm_ = outer_else;
}

/// Emits one arm under its mask. Ends in the block where the other arm or the code after the If begins.
void Codegen::arm(const ir::Instr& i, unsigned n, V mask, const std::vector<llvm::AllocaInst*>& results) {
    const ir::Region& r = *i.regions[n];
    const auto* const outer_results = if_results_;
    const bool outer_else = else_arm_;
    if_results_ = &results;
    else_arm_ = n == 1;
    exec_ = mask;
    if (only_yields(r)) {
        region(r, nullptr);
    } else {
        llvm::BasicBlock *run = block(n ? "else" : "then"), *after = block(n ? "endif" : "endthen");
        b_.CreateCondBr(any(mask), run, after);
        b_.SetInsertPoint(run);
        ++depth_;
        region(r, after);
        --depth_;
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
    }
    if_results_ = outer_results;
    else_arm_ = outer_else;
}

void Codegen::branch(const ir::Instr& i) {
    V cond = operand(i, 0), saved = exec_;
    std::vector<llvm::AllocaInst*> results;
    for (unsigned n = 0; n < i.result_count; ++n)
        results.push_back(variable(type_of(i.result(n)->type)));
    if (steps_.is_uniform(i.operand(0)) && !(only_yields(*i.regions[0]) && only_yields(*i.regions[1]))) {
        V taken = b_.CreateICmpSLT(b_.CreateExtractElement(cond, uint64_t(0)), b_.getInt32(0));
        arm_of_all(i, 0, taken, results);
        arm_of_all(i, 1, b_.CreateNot(taken), results);
    } else {
        V else_mask = b_.CreateAnd(saved, b_.CreateNot(cond));
        arm(i, 0, b_.CreateAnd(saved, cond), results);
        arm(i, 1, else_mask, results);
    }
    exec_ = saved;
    for (unsigned n = 0; n < i.result_count; ++n)
        set(i, load(type_of(i.result(n)->type), results[n], 0, 32, false), n);
    if (!loop_ || loop_->alike ||
        !(count_exits(*i.regions[0], Op::Count_) + count_exits(*i.regions[1], Op::Count_)))
        return;
    // Lanes that left the iteration do not run on. If all left, the rest of this region is skipped.
    exec_ = b_.CreateAnd(saved, load(i32v_, loop_->active, 0, 32, false));
    llvm::BasicBlock* rest = block("rest");
    b_.CreateCondBr(any(exec_), rest, bail_);
    b_.SetInsertPoint(rest);
}

/// The budget of all loop iterations of a group of lanes.
void Codegen::start_budget() {
    budget_ = alloca_of(i32_);
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(once_);
    watch_ = load(ptr_, args_, offsetof(VertexArgs, watch), 8);
    b_.SetInsertPoint(entry_end_);
    store(b_.CreateSelect(is_stopped(), b_.getInt32(1), b_.getInt32(kLoopBudget)), budget_, 0, 4);
}

Codegen::V Codegen::is_stopped() {
    static_assert(offsetof(Watch, stop) == 0);
    auto* const stop = b_.CreateAlignedLoad(i32_, watch_, llvm::Align(4));
    stop->setAtomic(llvm::AtomicOrdering::Monotonic);
    return b_.CreateICmpNE(stop, b_.getInt32(0));
}

/// Emits the check of the time limit where the budget demands it. Returns the rest of the budget; 0 if the
/// work is to end.
Codegen::V Codegen::look_sometimes(V left, uint32_t turns) {
    llvm::BasicBlock *before = b_.GetInsertBlock(), *look = block("look"), *after = block("looked");
    V due = b_.CreateICmpEQ(b_.CreateAnd(left, b_.getInt32(turns - 1)), b_.getInt32(0));
    b_.CreateCondBr(due, look, after,
                    llvm::MDBuilder(b_.getContext()).createBranchWeights(1, std::max(turns, 2u) - 1));
    b_.SetInsertPoint(look);
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
    b_.CreateCall(type, load(ptr_, watch_, offsetof(Watch, look), 8), {watch_});
    V then = b_.CreateSelect(is_stopped(), b_.getInt32(0), left);
    look = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode* const phi = b_.CreatePHI(i32_, 2);
    phi->addIncoming(left, before);
    phi->addIncoming(then, look);
    return phi;
}

void Codegen::loop(const ir::Instr& i) {
    const ir::Region& body = *i.regions[0];
    V saved = exec_;
    LoopState state;
    state.outer = loop_;
    state.one_continue = hands_over_all(body);
    state.alike = leaves_alike(body);
    for (unsigned n = 0; n < body.arg_count; ++n) {
        state.args.push_back(alloca_of(type_of(body.args[n]->type)));
        store(operand(i, n), state.args.back(), 0, 32);
    }
    for (unsigned n = 0; n < i.result_count; ++n)
        state.results.push_back(variable(type_of(i.result(n)->type)));
    state.remaining = variable(i32v_);
    state.active = variable(i32v_);
    store(saved, state.remaining, 0, 32);
    if (!budget_) start_budget();
    llvm::BasicBlock *head = block("loop"), *latch = block("latch"), *exit = block("endloop");
    state.latch = latch;
    state.exit = exit;
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    if (!state.alike) {
        exec_ = load(i32v_, state.remaining, 0, 32, false);
        store(exec_, state.active, 0, 32);
    }
    for (unsigned n = 0; n < body.arg_count; ++n)
        values_[body.args[n]->id] = load(type_of(body.args[n]->type), state.args[n], 0, 32, false);
    loop_ = &state;
    ++depth_;
    region(body, latch);
    --depth_;
    b_.CreateBr(state.alike && body.last && body.last->op == Op::Break ? exit : latch);
    b_.SetInsertPoint(latch);
    V left = b_.CreateSub(load(i32_, budget_, 0, 4, false), b_.getInt32(1));
    left = look_sometimes(left, turns_per_look(count_instructions(body, kTurnsPerLook * 32)));
    store(left, budget_, 0, 4);
    V more = b_.CreateICmpSGT(left, b_.getInt32(0));
    if (!state.alike) more = b_.CreateAnd(any(load(i32v_, state.remaining, 0, 32, false)), more);
    b_.CreateCondBr(more, head, exit);
    end_loop(exit);
    loop_ = state.outer;
    exec_ = saved;
    for (unsigned n = 0; n < i.result_count; ++n)
        set(i, load(type_of(i.result(n)->type), state.results[n], 0, 32, false), n);
}

/// Stops the watch if the loop ended because the budget was used up.
void Codegen::end_loop(llvm::BasicBlock* exit) {
    b_.SetInsertPoint(exit);
    llvm::BasicBlock *spent = block("spent"), *done = block("done");
    V left = load(i32_, budget_, 0, 4, false);
    b_.CreateCondBr(b_.CreateICmpSGT(left, b_.getInt32(0)), done, spent);
    b_.SetInsertPoint(spent);
    b_.CreateAlignedStore(b_.getInt32(1), watch_, llvm::Align(4))->setAtomic(llvm::AtomicOrdering::Monotonic);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
}

/// Yield, Break and Continue: pass on their values, then remove the lanes.
void Codegen::leave(const ir::Instr& i) {
    const auto hand_over = [&](llvm::AllocaInst* to, V v, bool whole) {
        store(whole ? v : blend(exec_, v, load(v->getType(), to, 0, 32, false)), to, 0, 32);
    };
    if (i.op == Op::Yield) {
        // The else arm is second and must keep the then arm's results.
        for (unsigned n = 0; n < i.operand_count && if_results_ && n < if_results_->size(); ++n)
            hand_over((*if_results_)[n], operand(i, n), !else_arm_);
        return;
    }
    const bool is_break = i.op == Op::Break;
    // Loop arguments may be operands of each other's next values. All operands are values already, so the
    // order of stores does not matter.
    const auto& to = is_break ? loop_->results : loop_->args;
    for (unsigned n = 0; n < i.operand_count && n < to.size(); ++n)
        hand_over(to[n], operand(i, n), loop_->alike || (!is_break && loop_->one_continue));
    if (loop_->alike) return;  // the owner of this region continues at the right place
    V stay = b_.CreateNot(exec_);
    for (llvm::AllocaInst* m : {loop_->active, is_break ? loop_->remaining : nullptr})
        if (m) store(b_.CreateAnd(load(i32v_, m, 0, 32, false), stay), m, 0, 32);
}

void Codegen::discard(const ir::Instr& i) {
    V gone = load(i32v_, discarded_, 0, 32, false);
    store(b_.CreateOr(gone, b_.CreateAnd(operand(i, 0), exec_)), discarded_, 0, 32);
    discard_pending_ = true;
}

/// Helper lanes only serve the other lanes of their quad: once those are discarded, nothing needs to run.
void Codegen::leave_when_all_are_discarded() {
    discard_pending_ = false;
    V gone = bits(load(i32v_, discarded_, 0, 32, false));
    V wanted = b_.CreateAnd(mask_in_, b_.CreateNot(gone));
    llvm::BasicBlock* rest = block("kept");
    b_.CreateCondBr(b_.CreateICmpNE(wanted, b_.getInt32(0)), rest, end_);
    b_.SetInsertPoint(rest);
}

}  // namespace terrazzo::soft::jit
