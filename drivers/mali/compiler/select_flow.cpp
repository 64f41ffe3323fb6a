// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow.
#include "drivers/common/backend/comparison.h"
#include "drivers/mali/compiler/selector.h"

namespace terrazzo::mali::compiler {

using isa::Op;

/// Taken if the condition is zero.
std::pair<isa::Instr, Ref> Selector::branch(const ir::Value* unless) {
    return {isa::make(Op::kBranchz).set_eq(true), unless ? in_register(use(unless)) : zero()};
}

/// Moves the operands of a terminator into the words of the results or arguments that they are passed to.
void Selector::give(ir::Value* const* to, const ir::Instr& from) {
    struct Given {
        Word word;
        Ref value;
        bool halves;
    };
    std::pmr::vector<Given> all(f_.memory);
    for (unsigned k = 0; k < from.operand_count; k++) {
        const Word word = word_of(to[k]);
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
    const auto move = [&](Word word, const Given& g) {
        if (g.halves)
            move_halves_to(word, g.value);
        else
            move_to(word, g.value);
    };
    move_together(all, move, [&](const Given&) { return Ref::word(new_words(1)); });
}

void Selector::discard(const ir::Instr& i) {
    info_.discards = true;
    constexpr int kAll[3] = {};  // all types of numbers use one instruction
    isa::Instr p = isa::make(Op::kDiscardF32);
    const ir::Instr* const d = i.operand(0)->def;
    if (const auto c = deferred_[i.operand(0)->id] ? backend::select_comparison<isa::Condition>(d->op, kAll)
                                                   : std::nullopt)
        push(with(p.set_condition(c->condition), {use(d->operand(0)), use(d->operand(1))}));
    else  // false is 0; true is a NaN, which is not equal to 0
        push(with(p.set_condition(isa::Condition::kNe), {use(i.operand(0)), zero()}));
}

}  // namespace terrazzo::mali::compiler
