// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/window_origin.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// Whether no use depends on the sign of the value.
bool only_magnitude_used(const Value* v) {
    for (const Use* u = v->uses; u; u = u->next)
        if (u->user->op != Op::FAbs) return false;
    return true;
}

bool loads_y(const Instr& i, Sysval what) {
    return i.op == Op::LoadSysval && Sysval(i.u.io.slot) == what && i.u.io.component == 1;
}

bool depends(const Instr& i) {
    switch (i.op) {
        case Op::LoadSysval:
            return loads_y(i, Sysval::FragCoord) || loads_y(i, Sysval::PointCoord) ||
                   loads_y(i, Sysval::SamplePos);
        case Op::FDdy:
        case Op::FDdyFine:
            return !only_magnitude_used(i.result());
        case Op::LoadInputAt:
            return i.u.io.interp_at == InterpAt::Center && i.operand_count == 2;
        default:
            return false;
    }
}

class Lowering {
  public:
    explicit Lowering(Shader& s) : s_(s) {}
    Var* run() {
        for_each(s_.body, [&](Instr* i) {
            if (depends(*i)) turn(i);
        });
        return origin_;
    }

  private:
    Value* load(Builder& b, uint32_t component) {
        if (!origin_) origin_ = s_.add_var("window origin", Type::F32, 2, Storage::Uniform);
        return b.load_var(origin_, component);
    }
    /// 1, or -1 where the picture is upside down.
    Value* scale(Builder& b) {
        Value* const twice = load(b, 0);
        return b.fadd(twice, b.f32(1));
    }
    /// v, or 1 - v where the picture is upside down.
    Value* turn_unit(Builder& b, Value* v) {
        Value* const sign = scale(b);
        Value* const half = b.fmul(sign, b.f32(-0.5f));
        Value* const offset = b.fadd(half, b.f32(0.5f));
        return b.fadd(b.fmul(v, sign), offset);
    }
    Value* turned(Builder& b, const Instr& i) {
        const Type type = i.result()->type;
        if (i.op != Op::LoadSysval) {
            Value* const v = b.alu(i.op, i.operand(0));
            v->def->flags = i.flags;
            return b.fmul(v, scale(b));
        }
        const Sysval what = Sysval(i.u.io.slot);
        Value* const y = b.load_sysval(what, 1, type);
        if (what != Sysval::FragCoord) return turn_unit(b, y);
        Value* const signed_y = b.fmul(y, scale(b));
        return b.fadd(signed_y, load(b, 1));
    }
    void turn(Instr* i) {
        Builder b(s_, i);
        b.line = i->line;
        if (i->op == Op::LoadInputAt) return set_operand(i, 1, b.fmul(i->operand(1), scale(b)));
        replace_uses(i->result(), turned(b, *i));
        erase(i);
    }

    Shader& s_;
    Var* origin_ = nullptr;
};

}  // namespace

Var* lower_window_origin(Shader& s) {
    return s.stage == Stage::Fragment ? Lowering(s).run() : nullptr;
}

}  // namespace terrazzo::ir
