// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic, comparisons, conversions. A Bool is 0 or 1.
#include "drivers/agx/compiler/selector.h"
#include "drivers/common/backend/comparison.h"

namespace terrazzo::agx::compiler {

using isa::Conversion;
using isa::FloatCondition;
using isa::IntCondition;
using isa::Op;
using isa::Round;
using isa::TruthTable;

namespace {

constexpr backend::SimpleOp<Op> kSimple[] = {
    {ir::Op::FFloor, Op::kFloor},      {ir::Op::FCeil, Op::kCeil},  {ir::Op::FTrunc, Op::kTrunc},
    {ir::Op::FRound, Op::kRint},       {ir::Op::FRsq, Op::kRsqrt},  {ir::Op::FExp2, Op::kExp2},
    {ir::Op::FLog2, Op::kLog2},        {ir::Op::FMul, Op::kFmul32}, {ir::Op::FFma, Op::kFmadd32},
    {ir::Op::IAdd, Op::kIadd},         {ir::Op::ISub, Op::kIsub},   {ir::Op::BitCount, Op::kPopcount},
    {ir::Op::BitReverse, Op::kBitrev}, {ir::Op::UFindMsb, Op::kFfs}};
constexpr backend::SimpleOp<TruthTable> kLogic[] = {
    {ir::Op::IAnd, TruthTable::kAnd}, {ir::Op::IOr, TruthTable::kOr}, {ir::Op::IXor, TruthTable::kXor}};
constexpr backend::SimpleOp<IntCondition> kExtremes[] = {{ir::Op::IMin, IntCondition::kSlt},
                                                         {ir::Op::IMax, IntCondition::kSgt},
                                                         {ir::Op::UMin, IntCondition::kUlt},
                                                         {ir::Op::UMax, IntCondition::kUgt}};
struct Converting {
    Conversion conversion;
    Round round;
};
constexpr backend::SimpleOp<Converting> kConversions[] = {{ir::Op::F2I, {Conversion::kFToS32, Round::kZero}},
                                                          {ir::Op::F2U, {Conversion::kFToU32, Round::kZero}},
                                                          {ir::Op::I2F, {Conversion::kS32ToF, Round::kEven}},
                                                          {ir::Op::U2F, {Conversion::kU32ToF, Round::kEven}}};

// By backend::Relation.
constexpr FloatCondition kFloat[] = {FloatCondition::kEq, FloatCondition::kNeq, FloatCondition::kLt,
                                     FloatCondition::kGte};
constexpr IntCondition kSigned[] = {IntCondition::kUeq, IntCondition::kNueq, IntCondition::kSlt,
                                    IntCondition::kSgte};
constexpr IntCondition kUnsigned[] = {IntCondition::kUeq, IntCondition::kNueq, IntCondition::kUlt,
                                      IntCondition::kUgte};

bool is_word_type(ir::Type t) {
    return t == ir::Type::Bool || t == ir::Type::I32 || t == ir::Type::F32 || ir::bit_size(t) == 16;
}

}  // namespace

/// A reciprocal whose result is no normal number may differ.
Ref Selector::reciprocal(const ir::Value* v) {
    if (const auto inverse = backend::constant_reciprocal(v)) return number(*inverse);
    if (const Loaded* known = find_loaded(ir::Op::FRcp, v->id)) return Ref::word(known->first);
    const Ref r = rcp({use(v)});
    add_loaded(ir::Op::FRcp, v->id, r.as_word());
    return r;
}

std::optional<Ref> Selector::float_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const auto b = [&] { return use(i.operand(1)); };
    const Ref zero = Ref::immediate(0);
    switch (i.op) {
        case ir::Op::FAdd:
        case ir::Op::FSub: {
            Ref out;
            add(
                i,
                [&](Ref x, Ref y) {
                    out = fadd32({x, y});
                },
                [&](Ref x, Ref y, Ref z) {
                    out = fmadd32({x, y, z});
                });
            return out;
        }
        case ir::Op::FDiv:
            return ir::is_const(i.operand(0)) && ir::const_f32(i.operand(0)) == 1
                       ? reciprocal(i.operand(1))
                       : fmul32({a(), reciprocal(i.operand(1))});
        case ir::Op::FNeg:
            return negated(a());
        case ir::Op::FAbs:
            return absolute(a());
        case ir::Op::FSat:
            return alu(isa::make(Op::kFadd32).set_saturate(true), {a(), minus_zero()});
        case ir::Op::FMin:
        case ir::Op::FMax: {
            const Ref x = in_register(a()), y = in_register(b());
            return fcmpsel({x, y, x, y}, i.op == ir::Op::FMin ? FloatCondition::kLtn : FloatCondition::kGtn);
        }
        case ir::Op::FFract: {
            const Ref x = a();
            return fadd32({x, negated(floor({x}))});
        }
        case ir::Op::FSign: {
            const Ref x = a();
            const Ref minus = fcmpsel({x, zero, number(-1), zero}, FloatCondition::kLt);
            return fcmpsel({x, zero, number(1), minus}, FloatCondition::kGt);
        }
        case ir::Op::FRcp:
            return reciprocal(i.operand(0));
        case ir::Op::FSqrt: {
            const Ref x = a();
            return fmul32({x, rsqrt_special({x})});
        }
        case ir::Op::FPow: {
            const Ref log = log2({a()});
            return exp2({fmul32({log, b()})});
        }
        case ir::Op::FSin:
        case ir::Op::FCos:
            return sin_cos(a(), i.op == ir::Op::FCos);
        case ir::Op::FLdexp: {
            const Ref x = a();
            return ldexp(x, b());
        }
        case ir::Op::FDdx:
        case ir::Op::FDdxFine:
            info_.uses_derivatives = true;
            return dfdx({a()});
        case ir::Op::FDdy:
        case ir::Op::FDdyFine:
            info_.uses_derivatives = true;
            return dfdy({a()});
        default:
            return {};
    }
}

/// The count is read modulo 128.
Ref Selector::shift(ir::Op op, Ref a, Ref count) {
    const Ref by = count.kind == Ref::Kind::Immediate ? Ref::immediate(count.index & 31)
                                                      : logic(TruthTable::kAnd, count, Ref::immediate(31));
    if (op == ir::Op::IShr) return asr({a, by});
    return op == ir::Op::IShl ? bfi({Ref::immediate(0), a, by}) : bfeil({Ref::immediate(0), a, by});
}

std::optional<Ref> Selector::int_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const auto b = [&] { return use(i.operand(1)); };
    const Ref zero = Ref::immediate(0);
    if (const auto* how = backend::SimpleOps<kLogic>::find(i.op)) {
        const Ref x = a();
        return logic(how->to, x, b());
    }
    if (const auto* e = backend::SimpleOps<kExtremes>::find(i.op)) {
        const Ref x = in_register(a()), y = in_register(b());
        return icsel(e->to, x, y, x, y);
    }
    switch (i.op) {
        case ir::Op::IMul: {
            const Ref x = a();
            return imadd({x, b(), zero});
        }
        case ir::Op::INeg:
            return isub({zero, a()});
        case ir::Op::IAbs: {
            const Ref x = in_register(a());
            return icsel(IntCondition::kSlt, x, zero, isub({zero, x}), x);
        }
        case ir::Op::ISign: {
            const Ref x = a();
            const Ref minus = icsel(IntCondition::kSlt, x, zero, Ref::immediate(~0u), zero);
            return icsel(IntCondition::kSgt, x, zero, Ref::immediate(1), minus);
        }
        case ir::Op::INot:
            if (i.result()->type == ir::Type::Bool) return logic(TruthTable::kXor, a(), Ref::immediate(1));
            return logic(TruthTable::kNot, a(), zero);
        case ir::Op::IDiv:
        case ir::Op::UDiv:
        case ir::Op::IRem:
        case ir::Op::IMod:
        case ir::Op::UMod:
            return divide_op(i);
        case ir::Op::IMulHigh:
        case ir::Op::UMulHigh: {
            const Ref x = a();
            return multiply_high(x, b(), i.op == ir::Op::IMulHigh);
        }
        case ir::Op::FindLsb: {
            const Ref x = in_register(a());
            const Ref low = isub({Ref::immediate(31), ffs({bitrev({x})})});
            return icsel(IntCondition::kUeq, x, zero, Ref::immediate(~0u), low);
        }
        case ir::Op::IFindMsb: {
            // Of a negative number, the highest bit that is 0.
            const Ref x = in_register(a());
            return ffs({logic(TruthTable::kXor, x, asr({x, Ref::immediate(31)}))});
        }
        case ir::Op::IShl:
        case ir::Op::IShr:
        case ir::Op::UShr: {
            const Ref x = a();
            return shift(i.op, x, b());
        }
        default:
            return {};
    }
}

Ref Selector::compare(const ir::Instr& i, Ref yes, Ref no) {
    backend::Comparison c;
    (void)backend::comparison_of(i.op, &c);
    const Ref a = use(i.operand(0)), b = use(i.operand(1));
    const auto relation = size_t(c.relation);
    if (c.numbers == backend::Numbers::Float) return fcsel(kFloat[relation], a, b, yes, no);
    return icsel(c.numbers == backend::Numbers::Signed ? kSigned[relation] : kUnsigned[relation], a, b, yes,
                 no);
}

std::optional<Ref> Selector::compare_op(const ir::Instr& i) {
    backend::Comparison c;
    if (!backend::comparison_of(i.op, &c)) return {};
    return compare(i, Ref::immediate(1), Ref::immediate(0));
}

Ref Selector::choose(const ir::Value* condition, Ref yes, Ref no) {
    if (deferred_[condition->id]) {
        deferred_[condition->id] = 0;
        return compare(*condition->def, yes, no);
    }
    return icsel(IntCondition::kUeq, use(condition), Ref::immediate(0), no, yes);
}

std::optional<Ref> Selector::convert_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const ir::Type to = i.result()->type;
    const unsigned bits = ir::bit_size(to),
                   from_bits = i.operand_count ? ir::bit_size(i.operand(0)->type) : 0;
    if (const auto* c = backend::SimpleOps<kConversions>::find(i.op))
        return convert({a()}, c->to.conversion, c->to.round);
    switch (i.op) {
        case ir::Op::Mov:
            return a();
        case ir::Op::Bitcast: {
            const Ref r = a();
            if (!r.neg && !r.abs && !r.sign) return r;
            const Ref whole = Ref::word(in_word(r));
            return bits == 16 ? whole.half() : whole;
        }
        case ir::Op::F2F:
            if (bits == from_bits) return a();
            if (bits == 16) return to_half(a());
            return fadd32({a(), minus_zero()});
        case ir::Op::I2I:
        case ir::Op::U2U: {
            const Ref r = a();
            if (bits == from_bits) return r;
            if (bits == 16) return Ref::word(in_word(r)).half();
            if (r.kind == Ref::Kind::Immediate)
                return Ref::immediate(i.op == ir::Op::I2I ? uint32_t(int32_t(int16_t(r.index)))
                                                          : r.index & 0xffff);
            return i.op == ir::Op::I2I ? iadd({r.extended(), Ref::immediate(0)})
                                       : bitop({r, Ref::immediate(0)}, TruthTable::kMov);
        }
        case ir::Op::B2F:
            return choose(i.operand(0), number(1), Ref::immediate(0));
        case ir::Op::B2I:
            return a();
        case ir::Op::Select: {
            const bool half = bits == 16;
            const auto in = [&](unsigned n) {
                const Ref r = use(i.operand(n));
                return half ? Ref::word(in_word(r)) : r;
            };
            const Ref yes = in(1), no = in(2);
            const Ref out = choose(i.operand(0), yes, no);
            return half ? out.half() : out;
        }
        case ir::Op::PackHalf2: {
            const Ref low = to_half(a()), high = to_half(use(i.operand(1)));
            return bfi({low, high, Ref::immediate(16)});
        }
        case ir::Op::UnpackHalfLow:
        case ir::Op::UnpackHalfHigh:
            return fadd32({Ref::word(in_word(a())).half(i.op == ir::Op::UnpackHalfHigh), minus_zero()});
        default:
            return {};
    }
}

void Selector::alu_op(const ir::Instr& i) {
    if (i.op == ir::Op::Const || i.op == ir::Op::Undef) return;
    for (unsigned n = 0; n < i.operand_count; n++)
        if (!is_word_type(i.operand(n)->type)) return f_.fail("agx: 64-bit values are not compiled yet");
    if (i.result_count != 1 || !is_word_type(i.result(0)->type))
        return f_.fail("agx: no instruction for " + std::string(i.info().text));
    constexpr Family kFamilies[] = {&Selector::float_op, &Selector::int_op, &Selector::compare_op,
                                    &Selector::convert_op};
    select_operation<backend::SimpleOps<kSimple>>(i, kFamilies);
}

}  // namespace terrazzo::agx::compiler
