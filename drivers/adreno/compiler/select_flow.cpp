// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Regions to blocks. Blocks stand in program order, so that threads that wait for others are those further on.
#include "drivers/adreno/compiler/selector.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Op;

Selector::Branch Selector::branch(Ref predicate) {
    Inst i;
    i.proto = isa::make(Op::kBr);
    i.src[0] = predicate;
    push(i);
    return {block_, f_.blocks[block_].insts.size() - 1};
}

Selector::Branch Selector::jump() {
    Inst i;
    i.proto = isa::make(Op::kJump);
    push(i);
    return {block_, f_.blocks[block_].insts.size() - 1};
}

void Selector::region(const ir::Region* r) {
    const ir::Region* const outer = region_;
    region_ = r;
    for (const ir::Instr* i = r->first; i && f_.error.empty(); i = i->next)
        visit(*i);
    region_ = outer;
}

/// The values of a terminator into the words of what it gives them to.
void Selector::give(ir::Value* const* to, const ir::Instr& from) {
    struct Given {
        uint32_t word;
        Ref value;
    };
    std::pmr::vector<Given> all(f_.memory);
    for (unsigned k = 0; k < from.operand_count; k++)
        all.push_back({word_of(to[k]), use(from.operand(k))});
    const auto is_target = [&](const Given& g) {
        for (const Given& other : all)
            if (&other != &g && g.value.is_word() && g.value.index == other.word) return true;
        return false;
    };
    for (Given& g : all) {
        if (!is_target(g)) continue;
        const uint32_t kept = f_.add_node(1, false, g.value.half ? kHalfClass : kFullClass);
        move_to(kept, g.value);
        g.value = Ref::word(kept, g.value.half);
    }
    for (const Given& g : all)
        if (!(g.value.is_word() && g.value.index == g.word && g.value.plain())) move_to(g.word, g.value);
}

Ref Selector::predicate(const ir::Value* condition, bool opposite) {
    Ref p = Ref::word(kP0Word);
    p.neg = opposite;
    if (const ir::Instr* d = condition->def; d && deferred_[condition->id] && compare_op(*d, kP0Word)) {
        deferred_[condition->id] = 0;
        return p;
    }
    isa::Instr cmp = isa::make(Op::kCmpsU);
    cmp.set_condition(isa::Condition::kNe);
    alu_to(kP0Word, cmp, {use(condition), constant(0)});
    return p;
}

void Selector::emit_if(const ir::Instr& i) {
    depth_++;
    info_.branch_stack = uint8_t(std::min(std::max<unsigned>(info_.branch_stack, depth_), 255u));
    for (unsigned k = 0; k < i.result_count; k++)
        (void)word_of(i.result(k));
    const auto arm = [&](const ir::Region* r) {
        region(r);
        const ir::Instr* t = r->terminator();
        if (t && t->op == ir::Op::Yield) give(i.results, *t);
        return !ir::leaves(r);
    };
    const Branch over = branch(predicate(i.operand(0), true));
    begin_block();
    const bool falls = arm(i.regions[0]);
    const ir::Region* no = i.regions[1];
    const bool empty = no->empty() || (no->first->op == ir::Op::Yield && !i.result_count);
    if (empty) {
        aim(over, begin_block());
    } else {
        Branch out;
        if (falls) out = jump();
        aim(over, begin_block());
        arm(no);
        const int32_t end = begin_block();
        if (falls) aim(out, end);
    }
    depth_--;
}

void Selector::emit_loop(const ir::Instr& i) {
    const ir::Region* body = i.regions[0];
    info_.statistics.loops++;
    depth_++;
    info_.branch_stack = uint8_t(std::min(std::max<unsigned>(info_.branch_stack, depth_), 255u));
    for (unsigned k = 0; k < body->arg_count; k++)
        (void)word_of(body->args[k]);
    for (unsigned k = 0; k < i.result_count; k++)
        (void)word_of(i.result(k));
    give(body->args, i);
    LoopState state{&i, begin_block(), std::pmr::vector<Branch>(f_.memory)};
    loops_.push_back(&state);
    region(body);
    loops_.pop_back();
    const int32_t end = begin_block();
    for (const Branch& b : state.exits)
        aim(b, end);
    depth_--;
}

void Selector::leave_loop(const ir::Instr& i) {
    LoopState& loop = *loops_.back();
    if (i.op == ir::Op::Break) {
        give(loop.instr->results, i);
        loop.exits.push_back(jump());
    } else {
        give(loop.instr->regions[0]->args, i);
        aim(jump(), loop.head);
    }
}

void Selector::discard(const ir::Instr& i) {
    info_.discards = true;
    Inst k;
    k.proto = isa::make(Op::kKill);
    k.src[0] = predicate(i.operand(0), false);
    push(k);
}

/// A fence orders memory, a barrier waits for the workgroup. Flags are those that Mesa gives them.
void Selector::barrier(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    // Invocations for a patch are in one wave, which runs in step; a barrier in the hardware would never end (Mesa, emit_control_barrier).
    if (s_.stage == ir::Stage::TessControl) return;
    if (m.memory != ir::MemScope::None && m.memories) {
        Inst fence;
        fence.proto = isa::make(Op::kFence);
        fence.proto.set_reads(true);
        fence.proto.set_writes(true);
        const bool buffers = m.memories & (ir::mem_space::kBuffer | ir::mem_space::kImage);
        fence.proto.set_global_memory(buffers);
        fence.proto.set_local_memory(buffers);
        push(fence);
    }
    if (m.execution == ir::MemScope::None) return;
    info_.has_barrier = true;
    Inst bar;
    bar.proto = isa::make(Op::kBar);
    bar.proto.set_global_memory(true);
    push(bar);
}

void Selector::visit(const ir::Instr& i) {
    if (!in_preamble_ && is_elsewhere(i)) return;
    switch (i.op) {
        case ir::Op::If:
            return emit_if(i);
        case ir::Op::Loop:
            return emit_loop(i);
        case ir::Op::Break:
        case ir::Op::Continue:
            return leave_loop(i);
        case ir::Op::Yield:
            return;
        case ir::Op::Discard:
            return discard(i);
        case ir::Op::Barrier:
            return barrier(i);
        case ir::Op::LoadInput:
            return load_input(i);
        case ir::Op::LoadInputAt:
            return load_input_at(i);
        case ir::Op::StoreOutput:
            return store_output(i);
        case ir::Op::LoadUniform:
            return load_uniform(i);
        case ir::Op::LoadVar:
        case ir::Op::StoreVar:
            return local_variable(i);
        case ir::Op::LoadSysval:
            return load_sysval(i);
        case ir::Op::Tex:
            return texture(i);
        default:
            if (ir::is_memory(i.op)) return memory_op(i);
            if (!defer(i)) alu_op(i);
    }
}

}  // namespace terrazzo::adreno::compiler
