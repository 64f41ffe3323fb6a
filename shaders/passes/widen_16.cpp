// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/widen_16.h"

#include <algorithm>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool is_narrow(Type t) {
    return t == Type::I16 || t == Type::F16;
}
Type wide(Type t) {
    return t == Type::I16 ? Type::I32 : t == Type::F16 ? Type::F32 : t;
}
bool is_shift(Op op) {
    return op == Op::IShl || op == Op::IShr || op == Op::UShr;
}

/// What an operation needs in the upper half of an operand's word.
enum class Upper : uint8_t { Nothing, Sign, Zero };
Upper upper_of(Op op) {
    switch (op) {
        case Op::Mov:
        case Op::Select:
        case Op::IAdd:
        case Op::ISub:
        case Op::IMul:
        case Op::INeg:
        case Op::IAnd:
        case Op::IOr:
        case Op::IXor:
        case Op::INot:
        case Op::IShl:
        case Op::BitReverse:
            return Upper::Nothing;
        case Op::UMulHigh:
        case Op::UDiv:
        case Op::UMod:
        case Op::UMin:
        case Op::UMax:
        case Op::UShr:
        case Op::BitCount:
        case Op::UFindMsb:
        case Op::UBitfieldExtract:
        case Op::ULt:
        case Op::UGe:
        case Op::U2F:
            return Upper::Zero;
        default:
            return Upper::Sign;
    }
}

class Widening {
  public:
    Widening(Shader& s, bool (*is_native)(const Instr&)) : s_(s), is_native_(is_native) {}
    bool run() {
        for_each(s_.body, [&](Instr* i) { visit(i); });
        return changed_;
    }

  private:
    Value* widened(Builder& b, Value* v, Upper upper) {
        if (v->type == Type::F16) return b.convert(Op::F2F, Type::F32, v);
        if (v->type != Type::I16) return v;
        const Instr* d = v->def;
        const bool whole = d && (d->op == Op::I2I || d->op == Op::U2U) && d->operand(0)->type == Type::I32;
        if (upper == Upper::Nothing && whole) return d->operand(0);
        return b.convert(upper == Upper::Sign ? Op::I2I : Op::U2U, Type::I32, v);
    }
    static Value* narrowed(Builder& b, Value* v, Type t) {
        return t == Type::I16 || t == Type::F16 ? b.convert(t == Type::I16 ? Op::I2I : Op::F2F, t, v) : v;
    }

    /// Of values that are not computed, but passed on or loaded.
    void widen_value(Value* v, Instr* next_instr) {
        if (!is_narrow(v->type)) return;
        const Type t = v->type;
        v->type = wide(t);
        changed_ = true;
        if (!next_instr) return;  // no instruction follows it
        Builder b(s_, next_instr);
        Value* half = narrowed(b, v, t);
        for (Use *u = v->uses, *next; u; u = next) {
            next = u->next;
            if (u->user != half->def) set_operand(u->user, unsigned(u - u->user->operands), half);
        }
        changed_ = true;
    }

    void operation(Instr* i) {
        Builder b(s_, i);
        b.line = i->line;
        b.flags = i->flags;
        Value* operands[4] = {};
        const Type type = i->result()->type;
        const Upper upper = upper_of(i->op);
        for (unsigned n = 0; n < i->operand_count; n++)
            operands[n] = widened(b, i->operand(n), upper);
        if (type == Type::I16 && is_shift(i->op)) operands[1] = b.iand(operands[1], b.i32(15));
        const bool high = type == Type::I16 && (i->op == Op::IMulHigh || i->op == Op::UMulHigh);
        const Op op = high ? Op::IMul : i->op;
        const std::span<Value* const> all(operands, i->operand_count);
        Value* r = i->info().sig == Sig::Convert ? b.convert(op, wide(type), all) : b.alu(op, all);
        if (type == Type::I16) {
            if (high || op == Op::BitReverse)
                r = b.alu(i->op == Op::IMulHigh ? Op::IShr : Op::UShr, r, b.i32(16));
            else if (op == Op::F2I)
                r = b.alu(Op::IMax, b.alu(Op::IMin, r, b.i32(0x7fff)), b.i32(-0x8000));
            else if (op == Op::F2U)
                r = b.alu(Op::UMin, r, b.i32(0xffff));
        }
        replace_uses(i->result(), narrowed(b, r, type));
        erase(i);
        changed_ = true;
    }

    void visit(Instr* i) {
        const bool loop = i->op == Op::Loop, joins = i->op == Op::If || loop;
        const bool moves = joins || i->info().sig == Sig::Any;
        if (!moves) {
            bool narrow = i->result_count == 1 && is_narrow(i->result()->type);
            for (unsigned n = 0; n < i->operand_count; n++)
                narrow |= is_narrow(i->operand(n)->type);
            if (narrow && !is_native_(*i)) operation(i);
            return;
        }
        if (is_native_(*i)) return;
        // Floats that ifs choose and loops carry may stay halves.
        const bool gives = loop || i->info().terminator();
        const auto stays = [](const Value* v) { return v->type != Type::I16; };
        for (unsigned n = 0; n < i->operand_count; n++)
            if (is_narrow(i->operand(n)->type) && (!gives || !stays(i->operand(n)))) {
                Builder b(s_, i);
                set_operand(i, n, widened(b, i->operand(n), Upper::Nothing));
                changed_ = true;
            }
        for (unsigned n = 0; n < i->result_count; n++)
            if (!joins || !stays(i->result(n))) widen_value(i->result(n), i->next);
        for (unsigned n = 0; loop && n < i->regions[0]->arg_count; n++)
            if (!stays(i->regions[0]->args[n])) widen_value(i->regions[0]->args[n], i->regions[0]->first);
        if (i->var) i->var->type = wide(i->var->type);
        if (i->op == Op::Tex) i->u.tex->result = wide(i->u.tex->result);
    }

    Shader& s_;
    bool (*const is_native_)(const Instr&);
    bool changed_ = false;
};

}  // namespace

bool widen_16(Shader& s, bool (*is_native)(const Instr&)) {
    return Widening(s, is_native).run();
}

bool is_usual_half(const Instr& i) {
    switch (i.op) {
        case Op::Const:
        case Op::Undef:
        case Op::I2I:
        case Op::U2U:
        case Op::Bitcast:
        case Op::F2F:
            return true;
        case Op::Mov:
        case Op::Select:
        case Op::FAdd:
        case Op::FSub:
        case Op::FMul:
        case Op::FFma:
        case Op::FMin:
        case Op::FMax:
        case Op::FSat:
        case Op::FNeg:
        case Op::FAbs:
        case Op::B2F:
            return i.result()->type == Type::F16;
        default:
            return i.info().sig == Sig::FloatCmp;
    }
}

}  // namespace terrazzo::ir
