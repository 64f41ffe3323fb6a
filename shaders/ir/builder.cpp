// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Result types and payloads of the instructions that Builder appends.
#include "shaders/ir/builder.h"

#include <array>
#include <cassert>

#include "shaders/ir/half.h"

namespace terrazzo::ir {

namespace {

Type alu_result(Op op, std::span<Value* const> v) {
    switch (op_info(op).sig) {
        case Sig::Same:
        case Sig::Float:
        case Sig::FloatInt:
        case Sig::Int:
        case Sig::IntOrBool:
            return v[0]->type;
        case Sig::Select:
            return v.size() > 1 ? v[1]->type : Type::Void;  // GCC cannot see that a Select has three
        case Sig::FloatCmp:
        case Sig::IntCmp:
            return Type::Bool;
        case Sig::Any:
        case Sig::Convert:
            break;
    }
    assert(!"alu() is for ops whose result type follows from the operands");
    return Type::Void;
}

}  // namespace

Instr* Builder::insert(Instr* i) {
    if (i->op != Op::Const && i->op != Op::Undef) i->flags |= flags;  // constants differ by value alone
    i->line = line;
    if (before_)
        insert_before(before_, i);
    else
        append(region_, i);
    return i;
}

Value* Builder::fconst(Type t, double v) {
    return t == Type::F16 ? constant(t, half_from_double(v)) : f32(float(v));
}

Value* Builder::constant(Type t, uint64_t bits) {
    Instr* i = shader.create(Op::Const, {}, std::array{t});
    const unsigned size = bit_size(t);
    i->u.bits = size == 64 ? bits : bits & ((uint64_t(1) << size) - 1);
    return insert(i)->result();
}

Value* Builder::undef(Type t) {
    return insert(shader.create(Op::Undef, {}, std::array{t}))->result();
}

Value* Builder::alu(Op op, std::span<Value* const> operands) {
    assert(op_info(op).operands == int(operands.size()) && "wrong number of operands");
    return insert(shader.create(op, operands, std::array{alu_result(op, operands)}))->result();
}
Value* Builder::alu(Op op, Value* a) {
    return alu(op, std::array{a});
}
Value* Builder::alu(Op op, Value* a, Value* b) {
    return alu(op, std::array{a, b});
}
Value* Builder::alu(Op op, Value* a, Value* b, Value* c) {
    return alu(op, std::array{a, b, c});
}

Value* Builder::convert(Op op, Type to, std::span<Value* const> operands) {
    assert(op_info(op).sig == Sig::Convert && "not a conversion");
    return insert(shader.create(op, operands, std::array{to}))->result();
}

Value* Builder::load_var(Var* v, uint32_t component, Value* index) {
    Instr* i =
        shader.create(Op::LoadVar, std::span<Value* const>(&index, index ? 1 : 0), std::array{v->type});
    i->var = v;
    i->u.io.component = component;
    return insert(i)->result();
}

void Builder::store_var(Var* v, uint32_t component, Value* value, Value* index) {
    Value* const operands[] = {value, index};
    Instr* i = shader.create(Op::StoreVar, std::span<Value* const>(operands, index ? 2 : 1), {});
    i->var = v;
    i->u.io.component = component;
    insert(i);
}

Value* Builder::load_input(Type t, uint32_t slot, uint32_t component, Interp interp, InterpAt at) {
    Instr* i = shader.create(Op::LoadInput, {}, std::array{t});
    i->u.io.slot = slot;
    i->u.io.component = component;
    i->u.io.interp = interp;
    i->u.io.interp_at = at;
    return insert(i)->result();
}

Value* Builder::load_at(Op op, Var* var, const IoInfo& io, Type t, std::span<Value* const> operands) {
    assert((op == Op::LoadVarAt || op == Op::LoadInputAt) && "not a load at a place");
    Instr* i = shader.create(op, operands, std::array{t});
    i->var = var;
    i->u.io = io;
    return insert(i)->result();
}

void Builder::store_output(uint32_t slot, uint32_t component, Value* value) {
    Instr* i = shader.create(Op::StoreOutput, std::array{value}, {});
    i->u.io.slot = slot;
    i->u.io.component = component;
    insert(i);
}

Value* Builder::load_uniform(Type t, uint32_t offset_dw, Value* index, uint32_t count) {
    Instr* i = shader.create(Op::LoadUniform, std::span<Value* const>(&index, index ? 1 : 0), std::array{t});
    i->u.io.slot = offset_dw;
    i->u.io.count = count;
    return insert(i)->result();
}

Value* Builder::load_sysval(Sysval s, uint32_t component, Type t) {
    Instr* i = shader.create(Op::LoadSysval, {}, std::array{t});
    i->u.io.slot = uint32_t(s);
    i->u.io.component = component;
    return insert(i)->result();
}

Instr* Builder::tex(const TexInfo& info, std::span<Value* const> operands) {
    assert(tex_operands(info).count == int(operands.size()) && "the texture operation needs other operands");
    const std::array types = {info.result, info.result, info.result, info.result};
    Instr* i = shader.create(Op::Tex, operands, std::span(types).first(tex_result_count(info)));
    i->u.tex = shader.create_tex(info);
    return insert(i);
}

void Builder::discard(Value* cond) {
    insert(shader.create(Op::Discard, std::array{cond}, {}));
}

Instr* Builder::begin_if(Value* cond, std::span<const Type> results) {
    return insert(shader.create(Op::If, std::array{cond}, results, 2));
}

Instr* Builder::begin_loop(std::span<Value* const> init, std::span<const Type> results) {
    Instr* i = shader.create(Op::Loop, init, results, 1);
    for (Value* v : init)
        (void)shader.add_region_arg(i->regions[0], v->type);
    return insert(i);
}

void Builder::terminate(Op op, std::span<Value* const> v) {
    insert(shader.create(op, v, {}));
}

}  // namespace terrazzo::ir
