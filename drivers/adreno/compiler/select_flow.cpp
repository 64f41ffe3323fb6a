// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow, barriers, and who selects which instruction.
#include "drivers/adreno/compiler/selector.h"

namespace terrazzo::adreno::compiler {

using isa::Op;

Selector::Branch Selector::branch(Ref predicate) {
    Inst i;
    i.proto = isa::make(Op::kBr);
    i.src[0] = predicate;
    push(i);
    return last();
}

Selector::Branch Selector::jump() {
    Inst i;
    i.proto = isa::make(Op::kJump);
    push(i);
    return last();
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
    move_together(
        all, [&](uint32_t word, const Given& g) { move_to(word, g.value); },
        [&](const Given& g) {
            const bool half = g.value.half;
            return Ref::word(f_.add_node(1, false, half ? kHalfClass : kFullClass), half);
        });
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

void Selector::branches(const ir::Instr& i) {
    depth_++;
    info_.branch_stack = uint8_t(std::min(std::max<unsigned>(info_.branch_stack, depth_), 255u));
    if (i.op == ir::Op::Loop) {
        info_.statistics.loops++;
        emit_loop(i);
    } else {
        emit_if(i);
    }
    depth_--;
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
    if (preamble_ && !in_preamble_ && preamble_->only_in_preamble(i)) return;
    switch (i.op) {
        case ir::Op::If:
        case ir::Op::Loop:
            return branches(i);
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
