// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arrays with dynamic indices: constant ones are in the constant file, others in private memory.
#include "drivers/adreno/compiler/selector.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Op;
using isa::Type;

uint32_t Selector::uniforms_end_dw() const {
    uint32_t end_dw = 0;
    for_each([&](const ir::Instr& i) {
        if (i.op == ir::Op::LoadUniform)
            end_dw = std::max(end_dw, i.u.io.slot + (i.operand_count ? i.u.io.count : 1));
    });
    return std::min(end_dw, max_uniforms_dw());
}

/// Arrays that are only assigned constants, before they are read, become tables in the constant file.
void Selector::find_tables() {
    // The largest offset from a0.x. Uniforms, parameters and the preamble's results come before the tables.
    constexpr uint32_t kReach_dw = 511;
    const uint32_t before_dw = kMaxParams_dw + max_preamble_dw() + 3;
    struct Seen {
        bool is_loaded = false, is_other = false;
    };
    std::pmr::vector<Seen> seen(s_.vars().size(), Seen{}, f_.memory);
    bool any = false;
    const auto visit_all = [&](const auto& f) {
        for_each([&](const ir::Instr& i) {
            if (i.op == ir::Op::LoadVar || i.op == ir::Op::StoreVar) f(i);
        });
    };
    visit_all([&](const ir::Instr& i) {
        Seen& s = seen[i.var->id];
        any = true;
        s.is_other |= ir::bit_size(i.var->type) != 32;
        if (i.op == ir::Op::LoadVar)
            s.is_loaded = true;
        else
            s.is_other |=
                s.is_loaded || i.operand_count > 1 || !ir::is_const(i.operand(0)) || i.parent != s_.body;
    });
    if (!any) return;
    auto next = uint32_t(f_.immediates.size());
    const uint32_t before = uniforms_end_dw() + before_dw;
    for (const ir::Var* v : s_.vars()) {
        const Seen& s = seen[v->id];
        if (!s.is_loaded || s.is_other || before + next + v->count > kReach_dw) continue;
        tables_[v->id] = next;
        next += v->count;
    }
    f_.immediates.resize(next, 0);
    visit_all([&](const ir::Instr& i) {
        if (i.op == ir::Op::StoreVar && is_table(*i.var))
            f_.immediates[tables_[i.var->id] + i.u.io.component] = uint32_t(ir::const_bits(i.operand(0)));
    });
}

void Selector::load_table(const ir::Instr& i) {
    const uint32_t at = tables_[i.var->id] + i.u.io.component;
    if (!i.operand_count) return set(i.result(), constant(f_.immediates[at]));
    set_address(use(i.operand(0)));
    set(i.result(), in_register({.kind = Ref::Kind::InTable, .index = at}));
}

/// Arrays with dynamic indices that did not become registers.
void Selector::local_variable(const ir::Instr& i) {
    const bool store = i.op == ir::Op::StoreVar;
    if (is_table(*i.var)) return store ? void() : load_table(i);
    uint32_t& at_B = local_at_B_[i.var->id];
    if (at_B == kNoPlace) {
        at_B = f_.private_B;
        f_.private_B += i.var->count * 4;
    }
    const unsigned index_at = store ? 1 : 0;
    const bool indexed = i.operand_count > index_at;
    const uint32_t base_B = at_B + i.u.io.component * 4;
    Ref address = constant(base_B);
    if (indexed) address = add_u({shl_b({use(i.operand(index_at)), constant(2)}), constant(base_B)});
    const bool half = is_half(i.var->type);
    const isa::Instr p = isa::make(store ? Op::kStp : Op::kLdp).set_type(Type::kU32).set_size(1);
    const Ref at = in_register(address);
    if (store) {
        Ref value = use(i.operand(0));
        if (half) value = convert(Type::kU16, Type::kU32, in_register(value));
        return act(p, {at, in_register(value)});
    }
    const Ref loaded = Ref::word(load(p, {at}));
    set(i.result(), half ? convert(Type::kU32, Type::kU16, loaded) : loaded);
}

}  // namespace terrazzo::adreno::compiler
