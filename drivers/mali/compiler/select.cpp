// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/select.h"

#include "drivers/mali/compiler/selector.h"
#include "shaders/passes/walk.h"

namespace terrazzo::mali::compiler {

constexpr unsigned kOutputSlots = 64;

Selector::Selector(const ir::Shader& s, Part part, const BlendTarget* blend, const HalfPlan* plan,
                   Function& f, Info& info)
    : RegionSelector(f),
      s_(s),
      part_(part),
      blend_(blend),
      plan_(plan),
      info_(info),
      values_(s.value_count(), Ref{}, f.memory),
      deferred_(s.value_count(), uint8_t(0), f.memory),
      outputs_(kOutputSlots * 4, Ref{}, f.memory),
      owned_(f.memory),
      loaded_(f.memory),
      indexed_(f.memory),
      scaled_(f.memory),
      stores_(f.memory),
      packed_(f.memory),
      local_at_B_(s.vars().size(), kNoWord, f.memory) {}

Ref Selector::use(const ir::Value* v) {
    if (const ir::Instr* d = v->def) {
        if (d->op == ir::Op::Const) {
            const bool truth = v->type == ir::Type::Bool;
            if (ir::bit_size(v->type) == 16) return Ref::immediate(uint32_t(d->u.bits) * 0x10001u);
            return Ref::immediate(truth ? (d->u.bits ? ~0u : 0u) : uint32_t(d->u.bits));
        }
        if (d->op == ir::Op::Undef) return zero();
        if (deferred_[v->id]) {
            deferred_[v->id] = 0;
            alu_op(*d);
        }
    }
    if (v->type == ir::Type::F16) return use_half(v);
    if (values_[v->id].kind == Ref::Kind::None) f_.fail("mali: a value is used before it was made");
    return values_[v->id];
}

uint32_t Selector::word_of(const ir::Value* v) {
    if (values_[v->id].kind == Ref::Kind::None) {
        const Ref word = Ref::word(f_.add_node(1));
        const bool half = v->type == ir::Type::F16;
        values_[v->id] = half ? word.part(isa::Swizzle::kH00) : word;
        if (half && plan_ && plan_->join[v->id])
            values_[plan_->join[v->id]->id] = word.part(isa::Swizzle::kH11);
    }
    return values_[v->id].index;
}

/// Whether the one user of the result, in the same region, may take the operation in; it is then made there,
/// or by use().
bool Selector::defer(const ir::Instr& i) {
    if (i.result_count != 1 || !i.result()->has_one_use()) return false;
    const ir::Use* u = i.result()->uses;
    const ir::Instr& user = *u->user;
    if (user.parent != i.parent || !i.operand_count) return false;
    // Of halves what compare() does.
    const bool half = i.operand(0)->type == ir::Type::F16;
    bool yes = false;
    switch (i.op) {
        case ir::Op::FMul:
            yes = !half && (user.op == ir::Op::FAdd || user.op == ir::Op::FSub) &&
                  !((i.flags | user.flags) & ir::instr_flag::kExact);
            break;
        case ir::Op::FEq:
        case ir::Op::FNe:
        case ir::Op::FLt:
        case ir::Op::FGe:
            yes = !half && user.op == ir::Op::Discard;
            [[fallthrough]];
        case ir::Op::IEq:
        case ir::Op::INe:
        case ir::Op::ILt:
        case ir::Op::IGe:
        case ir::Op::ULt:
        case ir::Op::UGe:
            yes |= (!half && user.op == ir::Op::Select && u == &user.operands[0]) || user.op == ir::Op::B2F ||
                   user.op == ir::Op::B2I || user.op == ir::Op::IAnd || user.op == ir::Op::IOr;
            break;
        case ir::Op::IAnd:
        case ir::Op::IOr:
        case ir::Op::IXor:
            yes = user.op == ir::Op::INot && i.result()->type == ir::Type::Bool;
            break;
        default:
            break;
    }
    if (yes) deferred_[i.result()->id] = 1;
    return yes;
}

void Selector::run() {
    begin_block();
    plan_uniforms();
    scan_inputs();
    if (blend_) take_blend_inputs();
    // Outputs stored where not every thread comes by have a word of their own from the start.
    ir::for_each(const_cast<ir::Region*>(s_.body), [&](ir::Instr* i) {
        if (i->op != ir::Op::StoreOutput || i->parent == s_.body || i->u.io.slot >= kOutputSlots) return;
        Ref& r = outputs_[i->u.io.slot * 4 + i->u.io.component];
        if (r.kind != Ref::Kind::None) return;
        r = Ref::word(f_.add_node(1));
        move_to(r.index, zero());
    });
    owned_.assign(outputs_.begin(), outputs_.end());
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

void select(const ir::Shader& s, Part part, const BlendTarget* blend, const HalfPlan* plan, Function& f,
            Info& info) {
    Selector(s, part, blend, plan, f, info).run();
}

}  // namespace terrazzo::mali::compiler
