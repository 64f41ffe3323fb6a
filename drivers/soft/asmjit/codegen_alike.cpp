// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Values that are the same in all lanes, running or not: an array's element at such an index is one load.
// They come from constants and uniforms by way of arithmetic; and a loop's argument is one where every
// iteration hands over one, which a loop's only continue, its last instruction, does for all lanes.
#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

using ir::Op;

namespace {

bool mixes_lanes(const ir::Instr& i) {
    switch (i.op) {
        case Op::LoadBuffer:
            // Lanes that do not run get what the others get, where code loads it itself.
            return i.u.mem->space != ir::Storage::UniformBlock || i.u.mem->indexed;
        case Op::LoadSysval:
            return i.u.io.slot != unsigned(ir::Sysval::WorkGroupId) &&
                   i.u.io.slot != unsigned(ir::Sysval::NumWorkGroups);
        case Op::LoadInput:
        case Op::LoadVar:
        case Op::Tex:
        case Op::If:
        case Op::Loop:
            return true;
        default:
            return i.info().side_effect() || ir::is_memory(i.op);
    }
}

}  // namespace

void Codegen::differs(const ir::Value* v) {
    if (differ_[v->id]) return;
    differ_[v->id] = true;
    spreads_.push_back(v);
}

/// What differs whatever it is made of. Loop arguments are alike until shown not to be.
void Codegen::find_sources(const ir::Region& r) {
    for (const ir::Instr* i = r.first; i; i = i->next) {
        for (unsigned n = 0; n < i->result_count && mixes_lanes(*i); ++n)
            differs(i->result(n));
        for (unsigned n = 0; n < i->region_count; ++n)
            find_sources(*i->regions[n]);
        if (i->op != Op::Loop || has_one_continue(*i->regions[0])) continue;
        for (unsigned n = 0; n < i->regions[0]->arg_count; ++n)
            differs(i->regions[0]->args[n]);
    }
}

/// Each value is looked at once, however long the way is that a difference takes through loops.
void Codegen::find_different() {
    differ_.assign(shader_.value_count(), false);
    find_sources(*shader_.body);
    while (!spreads_.empty()) {
        const ir::Value* const v = spreads_.back();
        spreads_.pop_back();
        for (const ir::Use* u = v->uses; u; u = u->next) {
            const ir::Instr* const user = u->user;
            const auto n = size_t(u - user->operands);
            const ir::Instr* const loop = user->op == Op::Loop       ? user
                                          : user->op == Op::Continue ? ir::enclosing_loop(user)
                                                                     : nullptr;
            if (loop && n < loop->regions[0]->arg_count) differs(loop->regions[0]->args[n]);
            for (unsigned k = 0; k < user->result_count; ++k)
                differs(user->result(k));
        }
    }
}

/// The first lane's word, for an address.
Codegen::Gp Codegen::first_lane(const V& v) {
    const Gp word = fresh_gp();
    cc_.vmovd(word.r32(), reg(v).xmm());
    return word;
}

}  // namespace terrazzo::soft::tier1
