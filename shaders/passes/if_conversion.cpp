// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/if_conversion.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool may_run_anywhere(const Instr& i) {
    if (i.region_count || i.info().terminator()) return false;
    if (i.op == Op::LoadVar) return i.operand_count == 0;
    return i.info().pure() || is_invariant_load(i);
}

/// Counts an arm's instructions; false if one of them must stay under the condition.
bool arm_fits(const Region* r, unsigned& count, unsigned& discards) {
    for (const Instr* i = r->first; i; i = i->next) {
        if (i->op == Op::Yield || i->op == Op::Const) continue;
        if (i->op == Op::Discard) {
            discards++;
            continue;
        }
        if (!may_run_anywhere(*i)) return false;
        count++;
    }
    return true;
}

void move_arm(Shader& s, Instr* branch, unsigned arm) {
    Region* r = branch->regions[arm];
    Value* inverse = nullptr;
    while (Instr* i = r->first) {
        if (i->op == Op::Yield) break;
        detach(i);
        insert_before(branch, i);
        if (i->op != Op::Discard) continue;
        Builder b(s, i);
        Value* c = branch->operand(0);
        if (arm) c = inverse ? inverse : inverse = b.inot(c);
        set_operand(i, 0, b.iand(c, i->operand(0)));
    }
}

bool convert(Shader& s, Instr* i, const IfConversionOptions& options) {
    if (leaves(i->regions[0]) || leaves(i->regions[1])) return false;
    unsigned count = 0, discards = 0;
    if (!arm_fits(i->regions[0], count, discards) || !arm_fits(i->regions[1], count, discards)) return false;
    if (count > options.max_instructions || discards > 2) return false;
    for (unsigned arm = 0; arm < 2; arm++)
        move_arm(s, i, arm);
    Builder b(s, i);
    const Instr* then = i->regions[0]->terminator();
    const Instr* other = i->regions[1]->terminator();
    for (unsigned n = 0; n < i->result_count; n++)
        replace_uses(i->result(n), b.select(i->operand(0), then->operand(n), other->operand(n)));
    erase(i);
    return true;
}

}  // namespace

bool if_conversion(Shader& s, const IfConversionOptions& options) {
    bool changed = false;
    for_each_inner_first(s.body, [&](Instr* i) {
        if (i->op == Op::If) changed |= convert(s, i, options);
    });
    return changed;
}

}  // namespace terrazzo::ir
