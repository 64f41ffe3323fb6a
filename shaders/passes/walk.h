// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small helpers that passes share.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Calls f for each instruction, outer before inner. f may erase its instruction or insert others before it.
template <typename F>
void for_each(Region* r, const F& f) {
    for (Instr *i = r->first, *next; i; i = next) {
        next = i->next;
        // f may erase the instruction, and with it its regions.
        const unsigned regions = i->region_count;
        Region** const inner = i->regions;
        f(i);
        for (unsigned n = 0; n < regions; n++)
            for_each(inner[n], f);
    }
}

/// The same, inner before outer.
template <typename F>
void for_each_inner_first(Region* r, const F& f) {
    for (Instr *i = r->first, *next; i; i = next) {
        next = i->next;
        for (unsigned n = 0; n < i->region_count; n++)
            for_each_inner_first(i->regions[n], f);
        f(i);
    }
}

/// The region a value is defined in.
[[nodiscard]] inline const Region* region_of(const Value* v) {
    return v->def ? v->def->parent : v->region;
}

/// Whether `r` is one of `owner`'s regions or nested in one.
[[nodiscard]] inline bool is_within(const Region* r, const Instr* owner) {
    for (; r && r->owner; r = r->owner->parent)
        if (r->owner == owner) return true;
    return false;
}

/// Reads something that no instruction of the shader can change.
[[nodiscard]] inline bool is_invariant_load(const Instr& i) {
    switch (i.op) {
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::LoadVarAt:
        case Op::LoadUniform:
            return true;
        case Op::LoadSysval:
            return Sysval(i.u.io.slot) != Sysval::HelperInvocation;
        case Op::LoadVar:
            return i.var->storage == Storage::Input || i.var->storage == Storage::Uniform;
        case Op::LoadBuffer:
        case Op::BufferSize:
            return i.u.mem->space == Storage::UniformBlock;
        default:
            return false;
    }
}

/// Control leaves the arm by break or continue.
[[nodiscard]] inline bool leaves(const Region* r) {
    const Instr* t = r->terminator();
    return t && t->op != Op::Yield;
}

/// Calls f for each break and continue of this loop (not those of loops within it).
template <typename F>
void for_each_exit(Region* r, const F& f) {
    for (Instr *i = r->first, *next; i; i = next) {
        next = i->next;
        if (i->op == Op::If)
            for (unsigned n = 0; n < 2; n++)
                for_each_exit(i->regions[n], f);
        else if (i->op == Op::Break || i->op == Op::Continue)
            f(i);
    }
}

/// Erases `i` and all that follows it in its region, with their uses of one another.
void erase_from(Instr* i);

}  // namespace terrazzo::ir
