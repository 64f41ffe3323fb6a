// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/mediump_to_16.h"

#include <array>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool convertible(const Instr& i) {
    if (!(i.flags & instr_flag::kMediump) || (i.flags & instr_flag::kExact)) return false;
    switch (i.info().sig) {
        case Sig::Same:
        case Sig::Select:
        case Sig::Float:
        case Sig::FloatInt:
            return i.result()->type == Type::F32;
        case Sig::FloatCmp:
            return i.operand(0)->type == Type::F32;
        case Sig::Convert:
            return i.result()->type == Type::F32 && (i.op == Op::I2F || i.op == Op::U2F || i.op == Op::B2F);
        case Sig::Any:
        case Sig::Int:
        case Sig::IntOrBool:
        case Sig::IntCmp:
            return false;
    }
    return false;
}

void convert(Shader& s, Instr* i) {
    Builder b(s, i);
    b.line = i->line;
    std::vector<Value*> operands;
    for (unsigned n = 0; n < i->operand_count; n++) {
        Value* v = i->operand(n);
        operands.push_back(v->type == Type::F32 ? b.convert(Op::F2F, Type::F16, v) : v);
    }
    const Type type = i->result()->type == Type::F32 ? Type::F16 : i->result()->type;
    Instr* half = s.create(i->op, operands, std::array{type});
    half->flags = i->flags;
    b.insert(half);
    Value* r = half->result();
    replace_uses(i->result(), type == Type::F16 ? b.convert(Op::F2F, Type::F32, r) : r);
    erase(i);
}

}  // namespace

bool mediump_to_16(Shader& s) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) {
        if (!convertible(*i)) return;
        convert(s, i);
        changed = true;
    });
    return changed;
}

}  // namespace terrazzo::ir
