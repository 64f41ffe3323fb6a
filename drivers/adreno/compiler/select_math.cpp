// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Functions that take several instructions: special functions, products of 32 bits, division.
// Facts: Mesa 25.0.7, ir3_nir_trig.py (range of sin and cos), ir3_nir_imul.py (products of halves).
#include "drivers/adreno/compiler/selector.h"
#include "shaders/passes/clamp_indices.h"

namespace terrazzo::adreno::compiler {

using isa::Condition;
using isa::Op;
using isa::Type;

/// The hardware takes angles between -pi and pi, so the angle is reduced first.
Ref Selector::sin_cos(Ref x, bool cos) {
    constexpr float kPi = 3.14159265f;
    const Ref turns = mad_f32({x, in_register(number(1 / (2 * kPi))), number(0.5f)});
    const Ref part = add_f({turns, negated(floor_f({turns}))});
    return alu(cos ? Op::kCos : Op::kSin, {mad_f32({part, in_register(number(2 * kPi)), number(-kPi)})});
}

/// Value numbering shares reciprocals (value_numbering.h).
Ref Selector::reciprocal(const ir::Value* v) {
    if (const auto inverse = backend::constant_reciprocal(v)) return number(*inverse);
    return rcp({use(v)});
}

std::optional<Ref> Selector::special_op(const ir::Instr& i) {
    switch (i.op) {
        case ir::Op::FSat:
            return saturated(i.operand(0));
        case ir::Op::FLdexp: {
            // In two steps, so that each power of two is a normal float.
            const Ref x = use(i.operand(0)), n = use(i.operand(1));
            const Ref first = ashr_b({n, constant(1)});
            const Ref second = sub_u({n, first});
            const auto power = [&](Ref e) {
                const Ref low = max_s({e, constant(uint32_t(-126))});
                const Ref legal = min_s({low, constant(127)});
                return shl_b({add_u({legal, constant(127)}), constant(23)});
            };
            const Ref p = power(first), q = power(second);
            return mul_f({mul_f({x, p}), q});
        }
        default:
            return {};
    }
}

/// Fine derivatives differ within the quad. They need a second instruction with (.p), which legalize.cpp adds
/// (Mesa).
Ref Selector::derivative(Ref x, unsigned axis, bool fine) {
    info_.needs_helpers = samples_ = true;
    const Op op = fine ? (axis ? Op::kDsypp1 : Op::kDsxpp1) : (axis ? Op::kDsy : Op::kDsx);
    return Ref::word(push_texture(isa::make(op), std::span(&x, 1), {}, 1));
}

/// mull.u multiplies the low halves; madsh.m16 adds the high half of the first times the low half of the
/// second, shifted by 16.
Ref Selector::multiply(Ref a, Ref b) {
    if (a.kind == Ref::Kind::Immediate) std::swap(a, b);
    if (b.kind == Ref::Kind::Immediate && std::has_single_bit(b.index))
        return shl_b({a, constant(uint32_t(std::countr_zero(b.index)))});
    a = in_register(a);
    b = in_register(b);
    const Ref low = mull_u({a, b});
    return madsh_m16({a, b, madsh_m16({b, a, low})});
}

/// A product of 16-bit numbers is one instruction.
Ref Selector::multiply_op(const ir::Instr& i) {
    constexpr uint64_t kMost = 0xffff;
    Ref a = use(i.operand(0)), b = use(i.operand(1));
    if (ir::largest_value(i.operand(0)) > kMost || ir::largest_value(i.operand(1)) > kMost)
        return multiply(a, b);
    if (a.kind == Ref::Kind::Immediate) std::swap(a, b);
    if (b.kind == Ref::Kind::Immediate && std::has_single_bit(b.index)) return multiply(a, b);
    return mull_u({a, b});
}

/// cbits.b only counts the bits of a half (Mesa 25.0.7, ir3_compiler_nir.c).
Ref Selector::count_bits(Ref x) {
    x = in_register(x);
    const auto count = [&](Ref word) { return cbits_b({convert(Type::kU32, Type::kU16, word)}, true); };
    const Ref low = count(x), high = count(shr_b({x, constant(16)}));
    return convert(Type::kU16, Type::kU32, add_u({low, high}, true));
}

Ref Selector::multiply_high(Ref a, Ref b, bool is_signed) {
    a = in_register(a);
    b = in_register(b);
    const auto high = [&](Ref x) { return shr_b({x, constant(16)}); };
    const auto low = [&](Ref x) { return and_b({x, constant(0xffff)}); };
    const Ref ah = high(a), bh = high(b);
    const Ref ll = mull_u({a, b}), hl = mull_u({ah, b}), lh = mull_u({a, bh}), hh = mull_u({ah, bh});
    const Ref middle = add_u({add_u({high(ll), low(hl)}), low(lh)});
    Ref out = add_u({add_u({hh, high(hl)}), add_u({high(lh), high(middle)})});
    if (!is_signed) return out;
    // A negative factor is read as 2^32 too large.
    const auto correction = [&](Ref sign, Ref other) { return and_b({ashr_b({sign, constant(31)}), other}); };
    out = sub_u({out, correction(a, b)});
    return sub_u({out, correction(b, a)});
}

/// Unsigned division by a reciprocal that is too small by less than 2^-19. The quotient is too small by at
/// most 2^13. A second division, of the remainder, is too small by at most 1.
Ref Selector::divide(Ref n, Ref d, Ref* remainder) {
    constexpr float kBelowOne = 1 - 0x1p-20f;
    n = in_register(n);
    const bool known = d.kind == Ref::Kind::Immediate && d.index;
    const Ref inverse =
        known ? number(1 / float(d.index) * kBelowOne)
              : mul_f({rcp({convert(Type::kU32, Type::kF32, in_register(d))}), number(kBelowOne)});
    if (!known) d = in_register(d);
    const auto estimate = [&](Ref x) {
        return convert(Type::kF32, Type::kU32, mul_f({convert(Type::kU32, Type::kF32, x), inverse}));
    };
    Ref q = estimate(n);
    Ref rest = sub_u({n, multiply(q, d)});
    const Ref second = estimate(rest);
    rest = sub_u({rest, multiply(second, d)});
    const Ref last = cmps_u({rest, d}, Condition::kGe);
    q = add_u({add_u({q, second}), last});
    *remainder = choose(last, sub_u({rest, d}), rest);
    return q;
}

Ref Selector::divide_op(const ir::Instr& i) {
    const bool is_signed = i.op != ir::Op::UDiv && i.op != ir::Op::UMod;
    const Ref n = in_register(use(i.operand(0))), d = in_register(use(i.operand(1)));
    const auto absolute = [&](Ref x) {
        if (!is_signed) return x;
        x.abs = true;
        return absneg_s({x});
    };
    Ref rest;
    Ref quotient = divide(absolute(n), absolute(d), &rest);
    const auto negate_where = [&](Ref sign, Ref x) {  // sign: 0 or -1
        return sub_u({xor_b({x, sign}), sign});
    };
    Ref out;
    if (i.op == ir::Op::UDiv || i.op == ir::Op::UMod) {
        out = i.op == ir::Op::UDiv ? quotient : rest;
    } else if (i.op == ir::Op::IDiv) {
        out = negate_where(ashr_b({xor_b({n, d}), constant(31)}), quotient);
    } else {
        out = negate_where(ashr_b({n, constant(31)}), rest);
        if (i.op == ir::Op::IMod) {
            // The result has the divisor's sign: add the divisor if the signs differ and the remainder is not
            // 0.
            const Ref differ = ashr_b({xor_b({out, d}), constant(31)});
            const Ref is_rest = cmps_u({out, constant(0)}, Condition::kNe);
            const Ref added = and_b({differ, d});
            out = choose(is_rest, add_u({out, added}), out);
        }
    }
    return choose(cmps_u({d, constant(0)}, Condition::kNe), out, constant(0));
}

}  // namespace terrazzo::adreno::compiler
