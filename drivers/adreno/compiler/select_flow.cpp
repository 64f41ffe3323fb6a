// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow and barriers.
#include "drivers/adreno/compiler/selector.h"

namespace terrazzo::adreno::compiler {

using isa::Op;

std::pair<isa::Instr, Ref> Selector::branch(const ir::Value* unless) {
    if (!unless) return {isa::make(Op::kJump), Ref{}};
    return {isa::make(Op::kBr), predicate(unless, true)};
}

/// Moves the operands of a terminator to the words of the values that receive them.
void Selector::give(ir::Value* const* to, const ir::Instr& from) {
    struct Given {
        Word word;
        Ref value;
    };
    std::pmr::vector<Given> all(f_.memory);
    for (unsigned k = 0; k < from.operand_count; k++)
        all.push_back({word_of(to[k]), use(from.operand(k))});
    move_together(
        all, [&](Word word, const Given& g) { move_to(word, g.value); },
        [&](const Given& g) {
            const bool half = g.value.half;
            return Ref::word(new_words(1, half), half);
        });
}

Ref Selector::predicate(const ir::Value* condition, bool opposite) {
    Ref p = Ref::word(kP0Word);
    p.neg = opposite;
    if (const ir::Instr* d = condition->def; d && deferred_[condition->id] && compare_to(kP0Word, *d)) {
        deferred_[condition->id] = 0;
        return p;
    }
    alu_to(kP0Word, isa::make(Op::kCmpsU).set_condition(isa::Condition::kNe), {use(condition), constant(0)});
    return p;
}

void Selector::before_flow(const ir::Instr& i) {
    constexpr unsigned kMost = 255;
    info_.branch_stack = uint8_t(std::max<unsigned>(info_.branch_stack, std::min(flow_depth_ + 1, kMost)));
    ShaderSelector::before_flow(i);
}

void Selector::discard(const ir::Instr& i) {
    info_.discards = true;
    act(isa::make(Op::kKill), {predicate(i.operand(0), false)});
}

/// A fence orders memory; a barrier waits for the workgroup. The flags are Mesa's.
void Selector::barrier(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    // The invocations of a patch run in one wave, in step. A hardware barrier would never end (Mesa,
    // emit_control_barrier).
    if (s_.stage == ir::Stage::TessControl) return;
    if (m.memory != ir::MemScope::None && m.memories) {
        const bool buffers = m.memories & (ir::mem_space::kBuffer | ir::mem_space::kImage);
        isa::Instr fence = isa::make(Op::kFence).set_reads(true).set_writes(true);
        act(fence.set_global_memory(buffers).set_local_memory(buffers), {});
    }
    if (m.execution == ir::MemScope::None) return;
    info_.has_barrier = true;
    act(isa::make(Op::kBar).set_global_memory(true), {});
}

}  // namespace terrazzo::adreno::compiler
