// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/comparison.h"
#include "drivers/mali/compiler/selector.h"

namespace terrazzo::mali::compiler {

Ref Selector::literal(ir::Type type, uint32_t bits) const {
    if (ir::bit_size(type) == 16) return Ref::immediate(bits * 0x10001u);
    return Ref::immediate(type == ir::Type::Bool && bits ? ~0u : bits);
}

Ref Selector::value_of(const ir::Value* v) {
    return v->type == ir::Type::F16 ? use_half(v) : Regions::value_of(v);
}

void Selector::add_word(const ir::Value* v) {
    const Ref word = Ref::word(new_words(1));
    const bool half = v->type == ir::Type::F16;
    values_[v->id] = half ? word.part(isa::Swizzle::kH00) : word;
    if (half && plan_ && plan_->join[v->id]) values_[plan_->join[v->id]->id] = word.part(isa::Swizzle::kH11);
}

bool Selector::takes_in(const ir::Instr& i, const ir::Use& use) const {
    if (!i.operand_count) return false;
    const ir::Instr& user = *use.user;
    // Of halves what compare() does.
    const bool half = i.operand(0)->type == ir::Type::F16;
    backend::Comparison c;
    if (backend::comparison_of(i.op, &c))
        return (!half && user.op == ir::Op::Discard && c.numbers == backend::Numbers::Float) ||
               (!half && user.op == ir::Op::Select && &use == &user.operands[0]) || user.op == ir::Op::B2F ||
               user.op == ir::Op::B2I || user.op == ir::Op::IAnd || user.op == ir::Op::IOr;
    if (i.op == ir::Op::IAnd || i.op == ir::Op::IOr || i.op == ir::Op::IXor)
        return user.op == ir::Op::INot && i.result()->type == ir::Type::Bool;
    return !half && is_fused_product(i, user);
}

void Selector::run() {
    begin_block();
    plan_uniforms();
    scan_inputs();
    if (blend_) take_blend_inputs();
    plan_outputs();
    region(s_.body);
    if (!f_.error.empty()) return;
    region_ = s_.body;
    if (blend_) return finish_blend();
    switch (part_) {
        case Part::Position:
            return finish_position();
        case Part::Varying:
            return finish_varyings();
        case Part::Fragment:
            return finish_fragment();
        case Part::Compute:
            return;
    }
}

}  // namespace terrazzo::mali::compiler
