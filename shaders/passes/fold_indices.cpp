// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/fold_indices.h"

#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// Operand that is the dynamic index; -1: there is none.
int index_operand(const Instr& i) {
    switch (i.op) {
        case Op::LoadUniform:
        case Op::LoadVar:
            return i.operand_count > 0 ? 0 : -1;
        case Op::StoreVar:
            return i.operand_count > 1 ? 1 : -1;
        default:
            return -1;
    }
}

}  // namespace

bool fold_constant_indices(Shader& s) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) {
        const int at = index_operand(*i);
        if (at < 0 || !is_const(i->operand(unsigned(at)))) return;
        const auto index = uint32_t(const_bits(i->operand(unsigned(at))));
        if (i->op == Op::LoadUniform) {
            i->u.io.slot += index;
            i->u.io.count = 1;
        } else {
            i->u.io.component += index;
        }
        s.remove_operand(i, unsigned(at));
        changed = true;
    });
    return changed;
}

}  // namespace terrazzo::ir
