// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/simplify_if.h"

#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// Moves a region's instructions, without a yield at its end, before `pos`; results of `owner` become what
/// was yielded.
void inline_region(Region* r, Instr* pos, Instr* owner) {
    if (Instr* t = r->terminator(); t && t->op == Op::Yield) {
        for (unsigned n = 0; n < owner->result_count; n++)
            replace_uses(owner->result(n), t->operand(n));
        erase(t);
    }
    while (Instr* i = r->first) {
        detach(i);
        insert_before(pos, i);
    }
}

/// Erases the rest of the region, which is never reached, since `i`, its new end, leaves it.
void erase_behind(Instr* i) {
    if (i->next) erase_from(i->next);
}

/// The condition is known: only one arm remains.
void take_arm(Instr* i, unsigned arm) {
    const bool gone = leaves(i->regions[arm]);
    if (gone) erase_behind(i);
    inline_region(i->regions[arm], i, i);
    erase(i);
}

/// One arm leaves the iteration: the other arm can follow the if. If both leave, the code after the if is
/// erased.
bool flatten(Shader& s, Instr* i) {
    const bool gone[2] = {leaves(i->regions[0]), leaves(i->regions[1])};
    if (!gone[0] && !gone[1]) return false;
    const unsigned stay = gone[0] ? 1 : 0;
    if (i->regions[stay]->empty() || (i->regions[stay]->first->op == Op::Yield && !i->result_count))
        return false;
    if (gone[0] && gone[1]) erase_behind(i);
    // The staying arm's instructions move after the if, with the uses of its results.
    Region* r = i->regions[stay];
    if (Instr* t = r->terminator(); t && t->op == Op::Yield) {
        for (unsigned n = 0; n < i->result_count; n++)
            replace_uses(i->result(n), t->operand(n));
        erase(t);
    }
    Instr* after = i;
    while (Instr* x = r->first) {
        detach(x);
        insert_after(after, x);
        after = x;
    }
    while (i->result_count)
        s.remove_result(i, i->result_count - 1u);
    return true;
}

/// A loop that ends by the break at its end, in its first turn.
bool run_once(Instr* i) {
    Region* body = i->regions[0];
    Instr* end = body->terminator();
    if (!end || end->op != Op::Break) return false;
    bool only = true;
    for_each_exit(body, [&](Instr* t) { only &= t == end; });
    if (!only) return false;
    for (unsigned n = 0; n < body->arg_count; n++)
        replace_uses(body->args[n], i->operand(n));
    for (unsigned n = 0; n < i->result_count; n++)
        replace_uses(i->result(n), end->operand(n));
    erase(end);
    inline_region(body, i, i);
    erase(i);
    return true;
}

}  // namespace

bool simplify_if(Shader& s) {
    bool changed = false;
    // Erasing unreachable code may erase the instruction that a simple walk would visit next: walk again
    // after each.
    const auto region = [&](auto&& self, Region* r) -> void {
        for (Instr* i = r->first; i;) {
            for (unsigned n = 0; n < i->region_count; n++)
                self(self, i->regions[n]);
            Instr* const before = i->prev;
            bool gone = false;
            if (i->op == Op::If && is_const(i->operand(0))) {
                take_arm(i, const_bits(i->operand(0)) ? 0 : 1);
                gone = true;
            } else if (i->op == Op::If) {
                changed |= flatten(s, i);
            } else if (i->op == Op::Loop) {
                gone = run_once(i);
            } else if (i->op == Op::Discard && is_const(i->operand(0)) && !const_bits(i->operand(0))) {
                erase(i);
                gone = true;
            }
            changed |= gone;
            // The instructions that replaced it were visited in the arm that had them.
            if (gone)
                i = before ? before->next : r->first;
            else
                i = i->next;
        }
    };
    region(region, s.body);
    return changed;
}

}  // namespace terrazzo::ir
