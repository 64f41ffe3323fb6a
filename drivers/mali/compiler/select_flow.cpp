// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow.
#include "drivers/mali/compiler/selector.h"

namespace terrazzo::mali::compiler {

using isa::Op;

/// Taken if the condition is zero.
std::pair<isa::Instr, Ref> Selector::branch(const ir::Value* unless) {
    isa::Instr p = isa::make(Op::kBranchz);
    p.set_eq(true);
    return {p, unless ? in_register(use(unless)) : zero()};
}

/// Moves the operands of a terminator into the words of the results or arguments that they are passed to.
void Selector::give(ir::Value* const* to, const ir::Instr& from) {
    struct Given {
        uint32_t word;
        Ref value;
        bool halves;
    };
    std::pmr::vector<Given> all(f_.memory);
    for (unsigned k = 0; k < from.operand_count; k++) {
        const uint32_t word = word_of(to[k]);
        if (to[k]->type != ir::Type::F16) {
            all.push_back({word, use(from.operand(k)), false});
            continue;
        }
        // A half is moved together with its pair, or alone in the lower half; the upper one is then
        // undefined.
        if (values_[to[k]->id].swizzle == isa::Swizzle::kH11) continue;
        const ir::Value* upper = plan_ ? plan_->join[to[k]->id] : nullptr;
        Ref value = halves(from.operand(k), from.operand(upper ? upper->index : k));
        if (!upper && value.swizzle == isa::Swizzle::kH00) value.swizzle = isa::Swizzle::kNone;
        all.push_back({word, value, true});
    }
    const auto move = [&](uint32_t word, const Given& g) {
        if (g.halves)
            move_halves_to(word, g.value);
        else
            move_to(word, g.value);
    };
    move_together(all, move, [&](const Given&) { return Ref::word(new_words(1)); });
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

}  // namespace terrazzo::mali::compiler
