// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integer arithmetic and conversions of 32-bit words, bit-identical to shaders/ir/eval.cpp. Division uses
// doubles. A quotient of 32-bit integers that is not an integer differs from the nearest integer by at least
// 2^-32 of its value. A double has 53 bits, so truncating the rounded quotient is exact.
#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

using ir::Op;
using ir::Type;

namespace {

constexpr unsigned kGe = 29, kOrdered = 7, kTrunc = 11;
constexpr uint32_t kTop = 0x80000000;

}  // namespace

Codegen::V Codegen::shift(Op op, const V& a, const V& count) {
    const bool left = op == Op::IShl, is_signed = op == Op::IShr;
    if (count.kind == V::Kind::Const)
        return emit_imm(left        ? Inst::kIdVpslld
                        : is_signed ? Inst::kIdVpsrad
                                    : Inst::kIdVpsrld,
                        reg(a), count.bits & 31);
    return emit(left        ? Inst::kIdVpsllvd
                : is_signed ? Inst::kIdVpsravd
                            : Inst::kIdVpsrlvd,
                a, bit_and(count, splat(31)));
}

/// Multiplies the even words, then the odd ones.
Codegen::V Codegen::multiply_high(bool is_signed, const V& a, const V& b) {
    const InstId id = is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq;
    const Ymm in_a = reg(a), in_b = reg(b);
    const V even = emit_imm(Inst::kIdVpsrlq, emit(id, in_a, in_b), 32);
    const V odd = emit(id, emit_imm(Inst::kIdVpsrlq, in_a, 32), emit_imm(Inst::kIdVpsrlq, in_b, 32));
    const Ymm d = fresh();
    cc_.vpblendd(d, reg(even), reg(odd), 0xaa);
    return d;
}

/// Truncated a / b; undefined if b is 0.
Codegen::V Codegen::quotient(bool is_signed, const V& a, const V& b) {
    constexpr uint32_t kTwo31_high = 0x41e00000;  // 2^31 as a double
    const x86::Mem two31 = pattern({0, kTwo31_high, 0, kTwo31_high, 0, kTwo31_high, 0, kTwo31_high});
    const Ymm in_a = reg(is_signed ? a : bit_xor(a, splat(kTop)));
    const Ymm in_b = reg(is_signed ? b : bit_xor(b, splat(kTop)));
    Ymm half[2];
    for (unsigned h = 0; h < 2; ++h) {
        const auto doubles = [&](const Ymm& v) {
            const Ymm d = fresh();
            const x86::Xmm part = fresh().xmm();
            cc_.vextracti128(part, v, h);
            cc_.vcvtdq2pd(d, part);
            if (!is_signed) cc_.vaddpd(d, d, two31);
            return d;
        };
        const Ymm q = doubles(in_a);
        cc_.vdivpd(q, q, doubles(in_b));
        if (!is_signed) {
            cc_.vroundpd(q, q, kTrunc);
            cc_.vsubpd(q, q, two31);
        }
        half[h] = zero();
        cc_.vcvttpd2dq(half[h].xmm(), q);
    }
    const Ymm d = fresh();
    cc_.vinserti128(d, half[0], half[1].xmm(), 1);
    return is_signed ? V(d) : bit_xor(d, splat(kTop));
}

/// Division by 0 returns 0. The smallest integer divided by -1 wraps: VCVTTPD2DQ converts 2^31 to it.
Codegen::V Codegen::divide(Op op, const V& a, const V& b) {
    const Ymm in_a = reg(a), in_b = reg(b);
    const V by_zero = emit(Inst::kIdVpcmpeqd, in_b, splat(0));
    const V q = quotient(op != Op::UDiv && op != Op::UMod, in_a, in_b);
    if (op == Op::IDiv || op == Op::UDiv) return and_not(q, by_zero);
    const V r = and_not(emit(Inst::kIdVpsubd, in_a, emit(Inst::kIdVpmulld, q, in_b)), by_zero);
    if (op != Op::IMod) return r;
    const V signs_differ = emit_imm(Inst::kIdVpsrad, bit_xor(r, in_b), 31);
    const V adjust = and_not(signs_differ, emit(Inst::kIdVpcmpeqd, r, splat(0)));
    return emit(Inst::kIdVpaddd, r, bit_and(adjust, in_b));
}

Codegen::V Codegen::int_op(const ir::Instr& i) {
    const V a = operand(i, 0), b = i.operand_count > 1 ? operand(i, 1) : V();
    switch (i.op) {
        case Op::IAdd:
            return emit_commuting(Inst::kIdVpaddd, a, b);
        case Op::ISub:
            return emit(Inst::kIdVpsubd, a, b);
        case Op::IMul:
            return emit_commuting(Inst::kIdVpmulld, a, b);
        case Op::IMulHigh:
            return multiply_high(true, a, b);
        case Op::UMulHigh:
            return multiply_high(false, a, b);
        case Op::IDiv:
        case Op::UDiv:
        case Op::IMod:
        case Op::IRem:
        case Op::UMod:
            return divide(i.op, a, b);
        case Op::INeg:
            return emit(Inst::kIdVpsubd, splat(0), a);
        case Op::IAbs:
            return emit(Inst::kIdVpabsd, a);
        case Op::ISign:
            return emit(Inst::kIdVpsignd, splat(1), a);
        case Op::IMin:
            return emit_commuting(Inst::kIdVpminsd, a, b);
        case Op::IMax:
            return emit_commuting(Inst::kIdVpmaxsd, a, b);
        case Op::UMin:
            return emit_commuting(Inst::kIdVpminud, a, b);
        case Op::UMax:
            return emit_commuting(Inst::kIdVpmaxud, a, b);
        case Op::IAnd:
            return bit_and(a, b);
        case Op::IOr:
            return bit_or(a, b);
        case Op::IXor:
            return bit_xor(a, b);
        case Op::INot:
            return bit_not(a);
        case Op::IShl:
        case Op::IShr:
        case Op::UShr:
            return shift(i.op, a, b);
        default:
            return {};
    }
}

/// VCVTTPS2DQ returns 0x80000000 for values out of range. That is right for too small values and inverted for
/// too large ones.
Codegen::V Codegen::to_signed(const V& a) {
    const Ymm in_a = reg(a), large = fresh(), number = fresh();
    cc_.vcmpps(large, in_a, words(0x4f000000), kGe);  // 2^31
    cc_.vcmpps(number, in_a, in_a, kOrdered);
    return bit_and(bit_xor(emit(Inst::kIdVcvttps2dq, in_a), large), number);
}

/// From 2^31 on: converts the value minus 2^31, then sets the top bit.
Codegen::V Codegen::to_unsigned(const V& a) {
    const Ymm positive = reg(emit(Inst::kIdVmaxps, a, splat(0)));  // NaN becomes 0
    const Ymm large = fresh(), too_large = fresh();
    cc_.vcmpps(large, positive, words(0x4f000000), kGe);      // 2^31
    cc_.vcmpps(too_large, positive, words(0x4f800000), kGe);  // 2^32
    const V rest = emit(Inst::kIdVsubps, positive, bit_and(large, splat(0x4f000000)));
    const V whole = bit_xor(emit(Inst::kIdVcvttps2dq, rest), bit_and(large, splat(kTop)));
    return bit_or(whole, too_large);
}

/// Builds exact floats from both halves by setting exponents (2^23 + low, 2^39 + 2^16 * high). Only the final
/// sum rounds.
Codegen::V Codegen::from_unsigned(const V& a) {
    const Ymm in_a = reg(a);
    const V low = bit_or(bit_and(in_a, splat(0xffff)), splat(0x4b000000));
    const V high = bit_or(emit_imm(Inst::kIdVpsrld, in_a, 16), splat(0x53000000));
    return emit(Inst::kIdVaddps, emit(Inst::kIdVsubps, high, splat(0x53000080)), low);
}

Codegen::V Codegen::convert_op(const ir::Instr& i) {
    const Type to = i.result()->type, from = i.operand(0)->type;
    const V a = operand(i, 0);
    if (i.op == Op::B2F && to == Type::F32) return bit_and(a, splat_f32(1));
    if (i.op == Op::B2I && to == Type::I32) return emit_imm(Inst::kIdVpsrld, reg(a), 31);
    if (i.op == Op::Bitcast && ir::bit_size(to) == ir::bit_size(from)) return a;
    if (from == Type::F32 && to == Type::I32) {
        if (i.op == Op::F2I) return to_signed(a);
        if (i.op == Op::F2U) return to_unsigned(a);
    }
    if (from == Type::I32 && to == Type::F32) {
        if (i.op == Op::I2F) return emit(Inst::kIdVcvtdq2ps, a);
        if (i.op == Op::U2F) return from_unsigned(a);
    }
    return {};
}

}  // namespace terrazzo::soft::tier1
