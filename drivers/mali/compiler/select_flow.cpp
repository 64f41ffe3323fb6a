// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Regions to blocks. Blocks stand in program order, so that threads that wait for others are those further
// on.
#include "drivers/mali/compiler/selector.h"

#include "shaders/passes/walk.h"

namespace terrazzo::mali::compiler {

using isa::Op;

int32_t Selector::begin_block() {
    f_.blocks.emplace_back(f_.memory);
    block_ = f_.blocks.size() - 1;
    return int32_t(block_);
}

/// Goes away where the condition is zero.
Selector::Branch Selector::branch(Ref condition) {
    Inst i;
    i.proto = isa::make(Op::kBranchz);
    i.proto.set_eq(true);
    i.src[0] = condition;
    push(i);
    return {block_, f_.blocks[block_].insts.size() - 1};
}

Selector::Branch Selector::jump() {
    const Branch b = branch(zero());
    f_.blocks[b.block].insts[b.inst].always = true;
    return b;
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
        bool halves;
    };
    const auto move = [&](uint32_t word, const Given& g) {
        if (g.halves)
            move_halves_to(word, g.value);
        else
            move_to(word, g.value);
    };
    std::pmr::vector<Given> all(f_.memory);
    for (unsigned k = 0; k < from.operand_count; k++) {
        const uint32_t word = word_of(to[k]);
        if (to[k]->type != ir::Type::F16) {
            all.push_back({word, use(from.operand(k)), false});
            continue;
        }
        // With its neighbour, or alone in the lower half, whatever lies in the upper one.
        if (values_[to[k]->id].swizzle == isa::Swizzle::kH11) continue;
        const ir::Value* upper = plan_ ? plan_->join[to[k]->id] : nullptr;
        Ref value = halves(from.operand(k), from.operand(upper ? upper->index : k));
        if (!upper && value.swizzle == isa::Swizzle::kH00) value.swizzle = isa::Swizzle::kNone;
        all.push_back({word, value, true});
    }
    const auto is_target = [&](const Given& g) {
        for (const Given& other : all)
            if (&other != &g && g.value.kind == Ref::Kind::Word && g.value.index == other.word) return true;
        return false;
    };
    for (Given& g : all) {
        if (!is_target(g)) continue;
        const uint32_t kept = f_.add_node(1);
        move(kept, g);
        g.value = Ref::word(kept);
    }
    for (const Given& g : all)
        if (!(g.value.kind == Ref::Kind::Word && g.value.index == g.word && g.value.plain())) move(g.word, g);
}

void Selector::emit_if(const ir::Instr& i) {
    for (unsigned k = 0; k < i.result_count; k++)
        (void)word_of(i.result(k));
    const auto arm = [&](const ir::Region* r) {
        region(r);
        const ir::Instr* t = r->terminator();
        if (t && t->op == ir::Op::Yield) give(i.results, *t);
        return !ir::leaves(r);
    };
    const Branch over = branch(in_register(use(i.operand(0))));
    begin_block();
    const bool falls = arm(i.regions[0]);
    const ir::Region* no = i.regions[1];
    const bool empty = no->empty() || (no->first->op == ir::Op::Yield && !i.result_count);
    if (empty) {
        aim(over, begin_block());
        return;
    }
    Branch out;
    if (falls) out = jump();
    aim(over, begin_block());
    arm(no);
    const int32_t end = begin_block();
    if (falls) aim(out, end);
}

void Selector::emit_loop(const ir::Instr& i) {
    const ir::Region* body = i.regions[0];
    info_.statistics.loops++;
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
    isa::Instr p = isa::make(Op::kDiscardF32);
    Inst d;
    const ir::Instr* c = i.operand(0)->def;
    // False is zero, true a NaN: not equal.
    d.src[0] = Ref{};
    p.set_condition(isa::Condition::kNe);
    if (c && deferred_[i.operand(0)->id] &&
        (c->op == ir::Op::FLt || c->op == ir::Op::FGe || c->op == ir::Op::FEq || c->op == ir::Op::FNe)) {
        p.set_condition(c->op == ir::Op::FLt   ? isa::Condition::kLt
                        : c->op == ir::Op::FGe ? isa::Condition::kGe
                        : c->op == ir::Op::FEq ? isa::Condition::kEq
                                               : isa::Condition::kNe);
        d.src[0] = use(c->operand(0));
        d.src[1] = use(c->operand(1));
    } else {
        d.src[0] = use(i.operand(0));
        d.src[1] = zero();
    }
    d.proto = p;
    push(d);
}

void Selector::visit(const ir::Instr& i) {
    switch (i.op) {
        case ir::Op::If:
            emit_if(i);
            return forget_arrays();
        case ir::Op::Loop:
            emit_loop(i);
            return forget_arrays();
        case ir::Op::Break:
        case ir::Op::Continue:
            return leave_loop(i);
        case ir::Op::Yield:
            return;
        case ir::Op::Discard:
            return discard(i);
        case ir::Op::LoadInput:
            return load_input(i);
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
        case ir::Op::StoreBuffer:
            return store_buffer(i);
        default:
            if (!defer(i)) alu_op(i);
    }
}

}  // namespace terrazzo::mali::compiler
