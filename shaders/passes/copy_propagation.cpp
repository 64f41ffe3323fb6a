// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/copy_propagation.h"

#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool replace(Value* from, Value* to) {
    if (!from->has_uses() || from == to) return false;
    replace_uses(from, to);
    return true;
}

bool branch(Instr* i) {
    bool changed = false;
    for (unsigned n = 0; n < i->result_count; n++) {
        Value* only = nullptr;
        bool one = true;
        for (unsigned arm = 0; arm < 2; arm++) {
            const Instr* t = i->regions[arm]->terminator();
            if (!t || t->op != Op::Yield) continue;
            one &= !only || only == t->operand(n);
            only = t->operand(n);
        }
        if (one && only && !is_within(region_of(only), i)) changed |= replace(i->result(n), only);
    }
    return changed;
}

bool loop(Instr* i) {
    bool changed = false;
    Region* body = i->regions[0];
    std::vector<Instr*> exits;
    for_each_exit(body, [&](Instr* t) { exits.push_back(t); });
    for (unsigned n = 0; n < body->arg_count; n++) {
        bool same = true;
        for (const Instr* t : exits)
            if (t->op == Op::Continue)
                same &= t->operand(n) == body->args[n] || t->operand(n) == i->operand(n);
        if (same) changed |= replace(body->args[n], i->operand(n));
    }
    for (unsigned n = 0; n < i->result_count; n++) {
        Value* only = nullptr;
        bool one = true;
        for (const Instr* t : exits) {
            if (t->op != Op::Break) continue;
            one &= !only || only == t->operand(n);
            only = t->operand(n);
        }
        if (one && only && !is_within(region_of(only), i)) changed |= replace(i->result(n), only);
    }
    return changed;
}

}  // namespace

bool copy_propagation(Shader& s) {
    bool changed = false;
    for_each_inner_first(s.body, [&](Instr* i) {
        if (i->op == Op::Mov) changed |= replace(i->result(), i->operand(0));
        if (i->op == Op::If) changed |= branch(i);
        if (i->op == Op::Loop) changed |= loop(i);
    });
    return changed;
}

}  // namespace terrazzo::ir
