// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic, comparisons, conversions: each IR operation becomes one or two instructions.
#include "drivers/common/backend/comparison.h"
#include "drivers/mali/compiler/selector.h"
#include "shaders/ir/print.h"

namespace terrazzo::mali::compiler {

using isa::Condition;
using isa::Op;
using isa::ResultType;
using isa::RoundMode;

namespace {

// By the IR's operation.
constexpr backend::SimpleOp<RoundMode> kRounding[] = {{ir::Op::FFloor, RoundMode::kRtn},
                                                      {ir::Op::FCeil, RoundMode::kRtp},
                                                      {ir::Op::FTrunc, RoundMode::kRtz},
                                                      {ir::Op::FRound, RoundMode::kRte}};
constexpr backend::SimpleOp<Op> kClamping[] = {{ir::Op::FMin, Op::kFminF32}, {ir::Op::FMax, Op::kFmaxF32}};
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

Ref Selector::float_alu(const ir::Instr& i, Op op, std::initializer_list<Ref> src) {
    isa::Instr p = isa::make(op);
    if (takes_clamp(i.op) && saturates(i.result())) p.set_clamp(isa::Clamp::kUnit);
    return alu(p, src);
}

std::optional<Ref> Selector::special_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const auto b = [&] { return use(i.operand(1)); };
    if (const auto* mode = backend::SimpleOps<kRounding>::find(i.op)) return fround_f32({a()}, mode->to);
    if (const auto* op = backend::SimpleOps<kClamping>::find(i.op)) return float_alu(i, op->to, {a(), b()});
    switch (i.op) {
        case ir::Op::FMul:
            return float_alu(i, Op::kFmaF32, {a(), b(), minus_zero()});
        case ir::Op::FSat: {
            const ir::Value* const v = i.operand(0);
            if (v->def && takes_clamp(v->def->op) && saturates(v)) return a();  // float_alu() did it
            return alu(isa::make(Op::kFaddF32).set_clamp(isa::Clamp::kUnit), {a(), minus_zero()});
        }
        case ir::Op::FSqrt:
            return frcp_f32({frsq_f32({a()})});
        case ir::Op::FExp2:
            return exp2(number(1), a());
        case ir::Op::FLog2:
            return log2(a());
        default:
            return {};
    }
}

Ref Selector::logic(Op op, Ref a, Ref b, bool invert) {
    return alu(isa::make(op).set_not_result(invert), {a, zero(), b});
}

Ref Selector::shift(ir::Op op, Ref a, Ref count) {
    // A count in a register counts modulo 32 (Mesa 25.0.7, bifrost_compile.c, relies on it).
    Ref by = count;
    if (count.kind == Ref::Kind::Immediate || count.kind == Ref::Kind::Constant) {
        // Entries 8 to 15 of the constant table hold the bytes 0 to 31.
        const uint32_t n =
            (count.kind == Ref::Kind::Constant ? isa::constant_table(count.index) : count.index) & 31;
        constexpr isa::Swizzle kBytes[] = {isa::Swizzle::kB00, isa::Swizzle::kB11, isa::Swizzle::kB22,
                                           isa::Swizzle::kB33};
        by = Ref{.kind = Ref::Kind::Constant, .swizzle = kBytes[n % 4], .index = 8 + n / 4};
    }
    isa::Instr p = isa::make(op == ir::Op::IShl ? Op::kLshiftOrI32 : Op::kRshiftOrI32);
    if (op == ir::Op::IShr) p.set_is_signed(true);
    return alu(p, {a, by, zero()});
}

std::optional<Ref> Selector::int_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    switch (i.op) {
        case ir::Op::INot:
            return logic(Op::kLshiftOrI32, a(), zero(), true);
        case ir::Op::FindLsb: {
            const Ref v = in_register(a());
            return csel_u32({v, zero(), Ref::immediate(~0u), clz_u32({bitrev_i32({v})})}, Condition::kEq);
        }
        case ir::Op::UFindMsb:
            return isub_u32({Ref::immediate(31), clz_u32({a()})});
        case ir::Op::IFindMsb: {
            // Of a negative number, the highest bit that is 0.
            const Ref v = in_register(a());
            const Ref sign = shift(ir::Op::IShr, v, Ref::immediate(31));
            return isub_u32({Ref::immediate(31), clz_u32({logic(Op::kLshiftXorI32, v, sign)})});
        }
        default:
            return {};
    }
}

Ref Selector::compare(const ir::Instr& i, ResultType how, const Ref* other, bool both) {
    const auto c = comparison_of(i.op);
    isa::Instr p = isa::make(both ? c->ops.both : c->ops.compare);
    p.set_condition(c->condition).set_result_type(how);
    const bool half = i.operand(0)->type == ir::Type::F16;
    const auto in = [&](unsigned n) { return half ? widened(use(i.operand(n))) : use(i.operand(n)); };
    const Ref a = in(0), b = in(1);
    return alu(p, {a, b, other ? *other : zero()});
}

/// A comparison can also compute "and" or "or" of its result with another value; these can compute "not" of
/// theirs.
std::optional<Ref> Selector::truth_op(const ir::Instr& i) {
    if (i.result()->type != ir::Type::Bool) return {};
    if (i.op == ir::Op::INot && deferred_[i.operand(0)->id]) {
        const ir::Instr& d = *i.operand(0)->def;
        const Ref a = use(d.operand(0)), b = use(d.operand(1));
        return logic(backend::SimpleOps<kLogic>::find(d.op)->to, a, b, true);
    }
    if (i.op != ir::Op::IAnd && i.op != ir::Op::IOr) return {};
    for (const unsigned n : {1u, 0u}) {
        const ir::Instr* d = i.operand(n)->def;
        if (!deferred_[i.operand(n)->id] || !comparison_of(d->op)) continue;
        const Ref other = use(i.operand(1 - n));
        return compare(*d, ResultType::kM1, &other, i.op == ir::Op::IAnd);
    }
    return {};
}

Ref Selector::select(const backend::Comparison& c, const Sources<4>& of) {
    const auto how = backend::select_comparison<Condition>(c, kComparing);
    return alu(isa::make(how.ops.select).set_condition(how.condition), of.refs);
}

std::optional<Ref> Selector::convert_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const bool compared = i.operand_count == 1 && deferred_[i.operand(0)->id];
    switch (i.op) {
        case ir::Op::Mov:
        case ir::Op::Bitcast: {
            const Ref r = a();
            return is_plain(r) || i.op == ir::Op::Mov ? r : in_register(r);
        }
        case ir::Op::F2I:
            if (const Ref pixel = whole_pixel(i.operand(0)); pixel.kind != Ref::Kind::None) return pixel;
            return f32_to_s32({a()}, RoundMode::kRtz);
        case ir::Op::F2U:
            return f32_to_u32({a()}, RoundMode::kRtz);
        case ir::Op::B2F:
            return compared ? compare(*i.operand(0)->def, ResultType::kF1)
                            : logic(Op::kLshiftAndI32, a(), number(1));
        case ir::Op::B2I:
            return compared ? compare(*i.operand(0)->def, ResultType::kI1) : isub_u32({zero(), a()});
        case ir::Op::I2I:
        case ir::Op::U2U:
        case ir::Op::F2F:
            return a();  // among 32-bit types
        case ir::Op::Select:
            return choose(i.operand(0), use(i.operand(1)), use(i.operand(2)));
        default:
            return {};
    }
}

}  // namespace terrazzo::mali::compiler
