// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operations that take several instructions: powers and logarithms with the special-function unit, sines from
// its coarse tables and two terms of the series, integer division with float estimates, derivatives between
// lanes. Facts (the instructions of each step): Mesa 25.0.7, bifrost_compile.c.
#include "drivers/mali/compiler/selector.h"

namespace terrazzo::mali::compiler {

using isa::Clamp;
using isa::Condition;
using isa::Op;
using isa::ResultType;
using isa::RoundMode;

/// 2^(scaled_by * x): FEXP reads the exponent with 24 bits of fraction, and as a float for NaN and
/// infinities.
Ref Selector::exp2(Ref scaled_by, Ref x) {
    const Ref scaled = fma_rscale_f32({x, scaled_by, minus_zero(), Ref::immediate(24)});
    return fexp_f32({f32_to_s32({scaled}), scaled});
}

/// x = m * 2^e with m near 1: FLOGD returns log2(m) / (m - 1), FADD_LSCALE m - 1.
Ref Selector::log2(Ref x) {
    const Ref in = in_register(x);
    const Ref e = s32_to_f32({alu(isa::make(Op::kFrexpeF32).set_log(true), {in})});
    return fma_f32({flogd_f32({in}), fadd_lscale_f32({number(-1), in}), e});
}

Ref Selector::sin_cos(Ref x, bool cos) {
    // Adding 3 * 2^18 leaves multiples of 1/16, so of pi / 32 of the angle, in the low bits.
    constexpr uint32_t kBias = 0x49400000;
    const Ref bias = in_register(Ref::immediate(kBias));
    const Ref angle = in_register(x);
    const Ref steps = fma_f32({angle, number(0.636619772f), bias});
    const Ref turned = fadd_f32({steps, negated(bias)});
    // pi / 2 in two parts, so that the rest stays exact for larger angles.
    const Ref coarse = fma_f32({turned, number(-1.5707964f), angle});
    const Ref rest = fma_f32({turned, number(4.3711388e-8f), coarse});
    const Ref sine = fsin_table_u6({steps}), cosine = fcos_table_u6({steps});
    const Ref base = cos ? cosine : sine, slope = cos ? negated(sine) : cosine;
    // base * (1 - e^2 / 2) + slope * (e - e^3 / 6)
    const Ref square = fmul(rest, rest);
    const Ref cube = fmul(square, rest);
    const Ref odd = fma_f32({cube, number(-1.0f / 6), rest});
    const Ref bend = fmul(fmul(square, number(-0.5f)), base);
    const Ref change = fma_f32({slope, odd, bend});
    return alu(isa::make(Op::kFaddF32).set_clamp(Clamp::kSigned), {base, change});
}

/// The value of the far lane along the axis, minus that of the near one.
Ref Selector::derivative(Ref x, unsigned axis, bool fine) {
    info_.uses_derivatives = true;
    const unsigned step = axis + 1;  // to the next lane along the axis
    const Ref value = in_register(x);
    const Ref lane = in_register(Ref::special(isa::Special::kLaneId));
    const Ref near = logic(Op::kLshiftAndI32, lane, Ref::immediate(fine ? ~step : ~3u));
    const Ref far = iadd_u32({near, Ref::immediate(step)});
    const isa::Instr p = isa::make(Op::kClperI32).set_subgroup(isa::SubgroupSize::k4);
    return fadd_f32({alu(p, {value, far}), negated(alu(p, {value, near}))});
}

/// From the products of halves. Each sum fits 32 bits.
Ref Selector::multiply_high(Ref a, Ref b, bool is_signed) {
    a = in_register(a);
    b = in_register(b);
    const auto low = [&](Ref x) { return u16_to_u32({x.part(isa::Swizzle::kH00)}); };
    const auto high = [&](Ref x) { return u16_to_u32({x.part(isa::Swizzle::kH11)}); };
    const Ref al = low(a), ah = high(a), bl = low(b), bh = high(b);
    const Ref middle = iadd_u32({imul_i32({ah, bl}), high(imul_i32({al, bl}))});
    const Ref carries = iadd_u32({imul_i32({al, bh}), low(middle)});
    const Ref out = iadd_u32({iadd_u32({imul_i32({ah, bh}), high(middle)}), high(carries)});
    if (!is_signed) return out;
    // A negative factor was read as 2^32 too large.
    const auto excess = [&](Ref sign, Ref other) {
        return csel_s32({sign, zero(), other, zero()}, Condition::kLt);
    };
    return isub_u32({isub_u32({out, excess(a, b)}), excess(b, a)});
}

Selector::Quotient Selector::corrected(Ref q1, Ref q2, Ref r, Ref d) {
    const Ref more = icmp_or_u32({r, d, zero()}, Condition::kGe, ResultType::kM1);
    const Ref quotient = isub_u32({iadd_u32({q1, q2}), more});
    return {quotient, isub_u32({r, logic(Op::kLshiftAndI32, more, d)})};
}

}  // namespace terrazzo::mali::compiler
