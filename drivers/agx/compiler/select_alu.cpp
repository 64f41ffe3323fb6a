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

struct Converting {
    Conversion conversion;
    Round round;
};
constexpr backend::SimpleOp<Converting> kConversions[] = {{ir::Op::F2I, {Conversion::kFToS32, Round::kZero}},
                                                          {ir::Op::F2U, {Conversion::kFToU32, Round::kZero}},
                                                          {ir::Op::I2F, {Conversion::kS32ToF, Round::kEven}},
                                                          {ir::Op::U2F, {Conversion::kU32ToF, Round::kEven}}};

}  // namespace

Ref Selector::derivative(Ref x, unsigned axis, bool) {
    info_.uses_derivatives = true;
    return axis ? dfdy({x}) : dfdx({x});
}

std::optional<Ref> Selector::special_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    const auto b = [&] { return use(i.operand(1)); };
    switch (i.op) {
        case ir::Op::FMin:
        case ir::Op::FMax: {
            const Ref x = in_register(a()), y = in_register(b());
            return fcmpsel({x, y, x, y}, i.op == ir::Op::FMin ? FloatCondition::kLtn : FloatCondition::kGtn);
        }
        case ir::Op::FSat:
            return alu(isa::make(Op::kFadd32).set_saturate(true), {a(), minus_zero()});
        case ir::Op::FSqrt: {
            const Ref x = a();
            return fmul32({x, rsqrt_special({x})});
        }
        case ir::Op::FLdexp: {
            const Ref x = a();
            return ldexp(x, b());
        }
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
    switch (i.op) {
        case ir::Op::IMul: {
            const Ref x = a();
            return imadd({x, use(i.operand(1)), zero()});
        }
        case ir::Op::IAbs:
            return iabs(in_register(a()));
        case ir::Op::INot:
            if (i.result()->type == ir::Type::Bool) return logic(TruthTable::kXor, a(), Ref::immediate(1));
            return logic(TruthTable::kNot, a(), zero());
        case ir::Op::FindLsb: {
            const Ref x = in_register(a());
            const Ref low = isub({Ref::immediate(31), ffs({bitrev({x})})});
            return icsel(IntCondition::kUeq, x, zero(), Ref::immediate(~0u), low);
        }
        case ir::Op::IFindMsb: {
            // Of a negative number, the highest bit that is 0.
            const Ref x = in_register(a());
            return ffs({logic(TruthTable::kXor, x, asr({x, Ref::immediate(31)}))});
        }
        default:
            return {};
    }
}

Ref Selector::compare(const ir::Instr& i) {
    backend::Comparison c;
    (void)backend::comparison_of(i.op, &c);
    return select(c, {use(i.operand(0)), use(i.operand(1)), Ref::immediate(1), zero()});
}

Ref Selector::select(const backend::Comparison& c, const Sources<4>& of) {
    const auto& [a, b, yes, no] = of.refs;
    if (c.numbers == backend::Numbers::Float) return fcsel(float_condition(c), a, b, yes, no);
    return icsel(int_condition(c), a, b, yes, no);
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

}  // namespace terrazzo::agx::compiler
