// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic, comparisons, conversions: each IR operation becomes one or two instructions.
#include "drivers/common/backend/arithmetic.h"
#include "drivers/common/backend/comparison.h"
#include "drivers/common/backend/simple_ops.h"
#include "drivers/mali/compiler/selector.h"
#include "shaders/ir/print.h"

namespace terrazzo::mali::compiler {

using isa::Condition;
using isa::Op;
using isa::ResultType;
using isa::RoundMode;

namespace {

bool is_word_type(ir::Type t) {
    return t == ir::Type::Bool || t == ir::Type::I32 || t == ir::Type::F32;
}

// By the IR's operation.
constexpr backend::SimpleOp<Op> kSimple[] = {
    {ir::Op::FRsq, Op::kFrsqF32},         {ir::Op::FLdexp, Op::kLdexpF32},      {ir::Op::IAdd, Op::kIaddU32},
    {ir::Op::ISub, Op::kIsubU32},         {ir::Op::IMul, Op::kImulI32},         {ir::Op::IAbs, Op::kIabsS32},
    {ir::Op::BitCount, Op::kPopcountI32}, {ir::Op::BitReverse, Op::kBitrevI32}, {ir::Op::I2F, Op::kS32ToF32},
    {ir::Op::U2F, Op::kU32ToF32}};

struct Comparing {
    Op compare, both, select;  // both: and something else
};
// By backend::Numbers.
constexpr Comparing kComparing[] = {{Op::kFcmpOrF32, Op::kFcmpAndF32, Op::kCselF32},
                                    {Op::kIcmpOrS32, Op::kIcmpAndS32, Op::kCselS32},
                                    {Op::kIcmpOrU32, Op::kIcmpAndU32, Op::kCselU32}};
auto comparison_of(ir::Op op) {
    return backend::select_comparison<Condition>(op, kComparing);
}

}  // namespace

void Selector::saturating(const ir::Instr& i, isa::Instr proto, std::initializer_list<Ref> src) {
    if (saturates(i.result())) proto.set_clamp(isa::Clamp::kUnit);
    set(i.result(), alu(proto, src));
}

/// FRCP is exact enough for division, except if the result is no normal number.
Ref Selector::reciprocal(const ir::Value* v) {
    if (const auto inverse = backend::constant_reciprocal(v)) return f(*inverse);
    // Divisions of a vector's components by one number share the reciprocal.
    if (const Loaded* known = find_loaded(ir::Op::FRcp, v->id, region_)) return Ref::word(known->first);
    const Ref r = frcp_f32({use(v)});
    loaded_.push_back({ir::Op::FRcp, v->id, region_, r.index, 1});
    return r;
}

bool Selector::float_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const auto b = [&] { return use(i.operand(1)); };
    const auto round = [&](RoundMode m) { set(i.result(), fround_f32({a()}, m)); };
    switch (i.op) {
        case ir::Op::FAdd:
        case ir::Op::FSub:
            add(
                i,
                [&](Ref a, Ref b) {
                    saturating(i, isa::make(Op::kFaddF32), {a, b});
                },
                [&](Ref a, Ref b, Ref c) {
                    saturating(i, isa::make(Op::kFmaF32), {a, b, c});
                });
            break;
        case ir::Op::FMul:
            saturating(i, isa::make(Op::kFmaF32), {a(), b(), minus_zero()});
            break;
        case ir::Op::FFma:
            saturating(i, isa::make(Op::kFmaF32), {a(), b(), use(i.operand(2))});
            break;
        case ir::Op::FDiv:
            set(i.result(), ir::is_const(i.operand(0)) && ir::const_f32(i.operand(0)) == 1
                                ? reciprocal(i.operand(1))
                                : fmul(a(), reciprocal(i.operand(1))));
            break;
        case ir::Op::FMin:
            saturating(i, isa::make(Op::kFminF32), {a(), b()});
            break;
        case ir::Op::FMax:
            saturating(i, isa::make(Op::kFmaxF32), {a(), b()});
            break;
        case ir::Op::FNeg:
            set(i.result(), negated(a()));
            break;
        case ir::Op::FAbs:
            set(i.result(),
                a().kind == Ref::Kind::Immediate ? Ref::immediate(a().index & 0x7fffffffu) : absolute(a()));
            break;
        case ir::Op::FSat: {
            const ir::Value* v = i.operand(0);
            if (v->def && takes_clamp(v->def->op) && saturates(v)) {
                set(i.result(), a());
            } else {
                isa::Instr p = isa::make(Op::kFaddF32);
                p.set_clamp(isa::Clamp::kUnit);
                set(i.result(), alu(p, {a(), minus_zero()}));
            }
            break;
        }
        case ir::Op::FFloor:
            round(RoundMode::kRtn);
            break;
        case ir::Op::FCeil:
            round(RoundMode::kRtp);
            break;
        case ir::Op::FTrunc:
            round(RoundMode::kRtz);
            break;
        case ir::Op::FRound:
            round(RoundMode::kRte);
            break;
        case ir::Op::FFract:
            set(i.result(), fadd_f32({a(), negated(fround_f32({a()}, RoundMode::kRtn))}));
            break;
        case ir::Op::FSign: {
            const Ref minus = csel_f32({a(), zero(), f(-1), zero()}, Condition::kLt);
            set(i.result(), csel_f32({a(), zero(), f(1), minus}, Condition::kGt));
            break;
        }
        case ir::Op::FRcp:
            set(i.result(), reciprocal(i.operand(0)));
            break;
        case ir::Op::FSqrt:
            set(i.result(), frcp_f32({frsq_f32({a()})}));
            break;
        case ir::Op::FExp2:
            set(i.result(), exp2(f(1), a()));
            break;
        case ir::Op::FLog2:
            set(i.result(), log2(a()));
            break;
        case ir::Op::FPow:
            set(i.result(), exp2(log2(a()), b()));
            break;
        case ir::Op::FSin:
        case ir::Op::FCos:
            set(i.result(), sin_cos(a(), i.op == ir::Op::FCos));
            break;
        case ir::Op::FDdx:
        case ir::Op::FDdy:
        case ir::Op::FDdxFine:
        case ir::Op::FDdyFine: {
            const bool x = i.op == ir::Op::FDdx || i.op == ir::Op::FDdxFine;
            set(i.result(), derivative(a(), x ? 1 : 2, i.op == ir::Op::FDdxFine || i.op == ir::Op::FDdyFine));
            break;
        }
        default:
            return false;
    }
    return true;
}

Ref Selector::logic(Op op, Ref a, Ref b, bool invert) {
    isa::Instr p = isa::make(op);
    p.set_not_result(invert);
    return alu(p, {a, zero(), b});
}

Ref Selector::shift(Op op, Ref a, Ref count, bool is_signed) {
    isa::Instr p = isa::make(op);
    if (is_signed) p.set_is_signed(true);
    Ref by = count;
    if (count.kind == Ref::Kind::Immediate || count.kind == Ref::Kind::Constant) {
        // Entries 8 to 15 of the constant table hold the bytes 0 to 31.
        const uint32_t n =
            (count.kind == Ref::Kind::Constant ? isa::constant_table(count.index) : count.index) & 31;
        constexpr isa::Swizzle kBytes[] = {isa::Swizzle::kB00, isa::Swizzle::kB11, isa::Swizzle::kB22,
                                           isa::Swizzle::kB33};
        by = Ref{.kind = Ref::Kind::Constant, .swizzle = kBytes[n % 4], .index = 8 + n / 4};
    } else {
        by = logic(Op::kLshiftAndI32, count, Ref::immediate(31), false);
    }
    return alu(p, {a, by, zero()});
}

bool Selector::int_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const auto b = [&] { return use(i.operand(1)); };
    const auto extreme = [&](Op op, Condition c) { set(i.result(), csel(op, c, a(), b(), a(), b())); };
    switch (i.op) {
        case ir::Op::INeg:
            set(i.result(), isub_u32({zero(), a()}));
            break;
        case ir::Op::ISign: {
            const Ref minus = csel_s32({a(), zero(), Ref::immediate(~0u), zero()}, Condition::kLt);
            set(i.result(), csel_s32({a(), zero(), Ref::immediate(1), minus}, Condition::kGt));
            break;
        }
        case ir::Op::IMin:
            extreme(Op::kCselS32, Condition::kLt);
            break;
        case ir::Op::IMax:
            extreme(Op::kCselS32, Condition::kGt);
            break;
        case ir::Op::UMin:
            extreme(Op::kCselU32, Condition::kLt);
            break;
        case ir::Op::UMax:
            extreme(Op::kCselU32, Condition::kGt);
            break;
        case ir::Op::IDiv:
        case ir::Op::UDiv:
        case ir::Op::IRem:
        case ir::Op::IMod:
        case ir::Op::UMod:
            set(i.result(), divide_op(i));
            break;
        case ir::Op::IAnd:
            set(i.result(), logic(Op::kLshiftAndI32, a(), b(), false));
            break;
        case ir::Op::IOr:
            set(i.result(), logic(Op::kLshiftOrI32, a(), b(), false));
            break;
        case ir::Op::IXor:
            set(i.result(), logic(Op::kLshiftXorI32, a(), b(), false));
            break;
        case ir::Op::INot:
            set(i.result(), logic(Op::kLshiftOrI32, a(), zero(), true));
            break;
        case ir::Op::IShl:
            set(i.result(), shift(Op::kLshiftOrI32, a(), b(), false));
            break;
        case ir::Op::IShr:
            set(i.result(), shift(Op::kRshiftOrI32, a(), b(), true));
            break;
        case ir::Op::UShr:
            set(i.result(), shift(Op::kRshiftOrI32, a(), b(), false));
            break;
        default:
            return false;
    }
    return true;
}

Ref Selector::compare(const ir::Instr& i, ResultType how, const Ref* other, bool both) {
    const auto c = comparison_of(i.op);
    isa::Instr p = isa::make(both ? c->ops.both : c->ops.compare);
    p.set_condition(c->condition);
    p.set_result_type(how);
    const bool half = i.operand(0)->type == ir::Type::F16;
    const auto in = [&](unsigned n) { return half ? widened(use(i.operand(n))) : use(i.operand(n)); };
    const Ref a = in(0), b = in(1);
    return alu(p, {a, b, other ? *other : zero()});
}

/// A comparison can also compute "and" or "or" of its result with another value; these can compute "not" of
/// theirs.
bool Selector::truth_op(const ir::Instr& i) {
    if (i.result()->type != ir::Type::Bool) return false;
    if (i.op == ir::Op::INot && deferred_[i.operand(0)->id]) {
        const ir::Instr& d = *i.operand(0)->def;
        const Op op = d.op == ir::Op::IAnd  ? Op::kLshiftAndI32
                      : d.op == ir::Op::IOr ? Op::kLshiftOrI32
                                            : Op::kLshiftXorI32;
        const Ref a = use(d.operand(0)), b = use(d.operand(1));
        set(i.result(), logic(op, a, b, true));
        return true;
    }
    if (i.op != ir::Op::IAnd && i.op != ir::Op::IOr) return false;
    for (const unsigned n : {1u, 0u}) {
        const ir::Instr* d = i.operand(n)->def;
        if (!deferred_[i.operand(n)->id] || !comparison_of(d->op)) continue;
        const Ref other = use(i.operand(1 - n));
        set(i.result(), compare(*d, ResultType::kM1, &other, i.op == ir::Op::IAnd));
        return true;
    }
    return false;
}

bool Selector::compare_op(const ir::Instr& i) {
    if (!comparison_of(i.op)) return false;
    set(i.result(), compare(i, ResultType::kM1));
    return true;
}

Ref Selector::choose(const ir::Value* condition, Ref yes, Ref no) {
    const auto c = deferred_[condition->id] ? comparison_of(condition->def->op) : std::nullopt;
    if (c) {
        const ir::Instr& d = *condition->def;
        return csel(c->ops.select, c->condition, use(d.operand(0)), use(d.operand(1)), yes, no);
    }
    return csel_u32({use(condition), zero(), yes, no}, Condition::kNe);
}

bool Selector::convert_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const bool compared = i.operand_count == 1 && deferred_[i.operand(0)->id];
    switch (i.op) {
        case ir::Op::Mov:
        case ir::Op::Bitcast: {
            const Ref r = a();
            set(i.result(), is_plain(r) || i.op == ir::Op::Mov ? r : in_register(r));
            break;
        }
        case ir::Op::F2I:
            if (const Ref pixel = whole_pixel(i.operand(0)); pixel.kind != Ref::Kind::None)
                return set(i.result(), pixel), true;
            set(i.result(), f32_to_s32({a()}, RoundMode::kRtz));
            break;
        case ir::Op::F2U:
            set(i.result(), f32_to_u32({a()}, RoundMode::kRtz));
            break;
        case ir::Op::B2F:
            set(i.result(), compared ? compare(*i.operand(0)->def, ResultType::kF1)
                                     : logic(Op::kLshiftAndI32, a(), f(1), false));
            break;
        case ir::Op::B2I:
            set(i.result(),
                compared ? compare(*i.operand(0)->def, ResultType::kI1) : isub_u32({zero(), a()}));
            break;
        case ir::Op::I2I:
        case ir::Op::U2U:
        case ir::Op::F2F:
            set(i.result(), a());  // among 32-bit types
            break;
        case ir::Op::Select:
            set(i.result(), choose(i.operand(0), use(i.operand(1)), use(i.operand(2))));
            break;
        default:
            return false;
    }
    return true;
}

void Selector::alu_op(const ir::Instr& i) {
    if (i.op == ir::Op::Const || i.op == ir::Op::Undef) return;
    if (i.result_count == 1 && (word_half(i) || half_op(i))) return;
    for (unsigned n = 0; n < i.operand_count; n++)
        if (!is_word_type(i.operand(n)->type)) return f_.fail("mali: 64-bit values are not compiled yet");
    for (unsigned n = 0; n < i.result_count; n++)
        if (!is_word_type(i.result(n)->type)) return f_.fail("mali: 64-bit values are not compiled yet");
    if (const auto* simple = backend::SimpleOps<kSimple>::find(i.op)) return select_simple(i, simple->to);
    if (truth_op(i) || float_op(i) || int_op(i) || compare_op(i) || convert_op(i)) return;
    f_.fail("mali: operation " + std::string(i.info().text) + " is not compiled yet");
}

}  // namespace terrazzo::mali::compiler
