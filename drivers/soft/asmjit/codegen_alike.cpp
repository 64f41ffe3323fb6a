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

bool mixes_lanes(Op op) {
    switch (op) {
        case Op::LoadInput:
        case Op::LoadSysval:
        case Op::LoadVar:
        case Op::Tex:
        case Op::If:
        case Op::Loop:
            return true;
        default:
            return ir::op_info(op).side_effect();
    }
}

}  // namespace

/// One pass; true where something was found to differ. Loop arguments are alike until shown not to be.
bool Codegen::find_different(const ir::Region& r) {
    bool changed = false;
    const auto differs = [&](const ir::Value* v) {
        if (differ_[v->id]) return;
        differ_[v->id] = changed = true;
    };
    for (const ir::Instr* i = r.first; i; i = i->next) {
        bool any = mixes_lanes(i->op);
        for (unsigned n = 0; n < i->operand_count && !any; ++n)
            any = differ_[i->operand(n)->id];
        for (unsigned n = 0; n < i->result_count && any; ++n)
            differs(i->result(n));
        for (unsigned n = 0; n < i->region_count; ++n)
            changed |= find_different(*i->regions[n]);
        if (i->op != Op::Loop) continue;
        const ir::Region& body = *i->regions[0];
        for (unsigned n = 0; n < body.arg_count; ++n)
            if (!has_one_continue(body) || differ_[i->operand(n)->id] || differ_[body.last->operand(n)->id])
                differs(body.args[n]);
    }
    return changed;
}

void Codegen::find_different() {
    differ_.assign(shader_.value_count(), false);
    while (find_different(*shader_.body)) {
    }
}

/// The first lane's word, for an address.
Codegen::Gp Codegen::first_lane(const V& v) {
    const Gp word = cc_.newGpq();
    cc_.vmovd(word.r32(), reg(v).xmm());
    return word;
}

}  // namespace terrazzo::soft::tier1
