// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/views.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool loads_view(const Instr& i) {
    return i.op == Op::LoadVar && i.var->storage == Storage::Input && i.var->name == kViewVar;
}

bool loads_instance(const Instr& i) {
    return i.op == Op::LoadSysval && Sysval(i.u.io.slot) == Sysval::InstanceId;
}

/// Replaces all loads for which `is` returns true.
template <class Is>
void replace_loads(Shader& s, Is&& is, Value* v) {
    for_each(s.body, [&](Instr* i) {
        if (!is(*i)) return;
        replace_uses(i->result(), v);
        erase(i);
    });
}

}  // namespace

ViewUses lower_views(Shader& s, uint32_t views) {
    ViewUses uses;
    for_each(s.body, [&](Instr* i) {
        uses.view |= loads_view(*i);
        uses.instance |= loads_instance(*i);
    });
    const bool layers = views > 1 && s.stage == Stage::Vertex;
    if (!uses.view && !layers) return uses;
    Builder b(s, s.body->first);
    if (views <= 1) {
        replace_loads(s, loads_view, b.i32(0));
    } else if (s.stage == Stage::Fragment) {
        replace_loads(s, loads_view, b.load_input(Type::I32, unsigned(VaryingSlot::Layer), 0, Interp::Flat));
    } else {
        Value* const count = b.i32(int32_t(views));
        Value* const all = b.load_sysval(Sysval::InstanceId, 0, Type::I32);
        Value* const view = b.alu(Op::UMod, all, count);
        Value* const instance = b.alu(Op::UDiv, all, count);
        b.store_output(unsigned(VaryingSlot::Layer), 0, view);
        replace_loads(
            s, [&](const Instr& i) { return loads_instance(i) && &i != all->def; }, instance);
        replace_loads(s, loads_view, view);
    }
    return uses;
}

}  // namespace terrazzo::ir
