// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Float arithmetic, comparisons, and operations that are neither float nor integer, bit-identical to
// shaders/ir/eval.cpp. Types and operations without code here (halves, 16-bit integers, rare ops) call that
// file's kernels. Facts about instructions: Intel's Software Developer's Manual, volume 2.
#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

using ir::Op;
using ir::Type;

namespace {

// VCMPPS: quiet comparisons.
constexpr unsigned kEq = 0, kLt = 17, kGe = 29, kGt = 30, kNe = 4, kUnordered = 3;
// VROUNDPS: no inexact exception.
constexpr unsigned kNearest = 8, kFloor = 9, kCeil = 10, kTrunc = 11;

bool is_plain_number(uint32_t bits) {
    return (bits & 0x7fffffff) <= 0x7f800000;
}

}  // namespace

/// Returns a if it is less (greater) than b or equal to it, and b if a is NaN. MINPS and MAXPS return their
/// second operand if the operands are equal or one is NaN.
Codegen::V Codegen::min_max(Op op, const V& a, const V& b) {
    const InstId id = op == Op::FMin ? Inst::kIdVminps : Inst::kIdVmaxps;
    const auto is_const = [](const V& v) { return v.kind == V::Kind::Const && is_plain_number(v.bits); };
    if (is_const(b) && (b.bits & 0x7fffffff)) return emit(id, a, b);  // equal values have equal bits
    const Ymm in_a = reg(a);
    const V chosen = emit(id, b, in_a);
    if (is_const(a)) return chosen;
    const Ymm nan = fresh();
    cc_.vcmpps(nan, in_a, in_a, kUnordered);
    return blend(nan, b, chosen);
}

Codegen::V Codegen::fma(const ir::Instr& i) {
    const Ymm d = fresh();
    move(d, operand(i, 0));
    cc_.emit(Inst::kIdVfmadd213ps, d, reg(operand(i, 1)), rm(operand(i, 2)));
    return d;
}

Codegen::V Codegen::float_op(const ir::Instr& i) {
    const V a = operand(i, 0), b = i.operand_count > 1 ? operand(i, 1) : V();
    const V one = splat_f32(1), none = splat(0);
    const auto compare_zero = [&](unsigned how) {
        const Ymm m = fresh();
        cc_.emit(Inst::kIdVcmpps, m, reg(a), rm(none), asmjit::Imm(how));
        return V(m);
    };
    switch (i.op) {
        case Op::FAdd:
            return emit_commuting(Inst::kIdVaddps, a, b);
        case Op::FSub:
            return emit(Inst::kIdVsubps, a, b);
        case Op::FMul:
            return emit_commuting(Inst::kIdVmulps, a, b);
        case Op::FDiv:
            return emit(Inst::kIdVdivps, a, b);
        case Op::FFma:
            return fma_ ? fma(i) : V();
        case Op::FNeg:
            return bit_xor(a, splat(0x80000000));
        case Op::FAbs:
            return bit_and(a, splat(0x7fffffff));
        case Op::FSign:
            return bit_or(bit_and(compare_zero(kGt), one), bit_and(compare_zero(kLt), splat_f32(-1)));
        case Op::FSat:
            return emit(Inst::kIdVminps, emit(Inst::kIdVmaxps, a, none), one);
        case Op::FMin:
        case Op::FMax:
            return min_max(i.op, a, b);
        case Op::FFloor:
            return emit_imm(Inst::kIdVroundps, a, kFloor);
        case Op::FCeil:
            return emit_imm(Inst::kIdVroundps, a, kCeil);
        case Op::FTrunc:
            return emit_imm(Inst::kIdVroundps, a, kTrunc);
        case Op::FRound:
            return emit_imm(Inst::kIdVroundps, a, kNearest);
        case Op::FFract: {
            const Ymm in_a = reg(a);
            return emit(Inst::kIdVsubps, in_a, emit_imm(Inst::kIdVroundps, in_a, kFloor));
        }
        case Op::FSqrt:
            return emit(Inst::kIdVsqrtps, a);
        case Op::FRcp:
            return emit(Inst::kIdVdivps, one, a);
        case Op::FRsq:
            return emit(Inst::kIdVdivps, one, emit(Inst::kIdVsqrtps, a));
        default:
            return {};
    }
}

Codegen::V Codegen::compare_op(const ir::Instr& i) {
    const V a = operand(i, 0), b = operand(i, 1);
    const auto floats = [&](unsigned how) {
        const Ymm m = fresh();
        cc_.emit(Inst::kIdVcmpps, m, reg(a), rm(b), asmjit::Imm(how));
        return V(m);
    };
    switch (i.op) {
        case Op::FEq:
            return floats(kEq);
        case Op::FNe:
            return floats(kNe);
        case Op::FLt:
            return floats(kLt);
        case Op::FGe:
            return floats(kGe);
        case Op::IEq:
            return emit_commuting(Inst::kIdVpcmpeqd, a, b);
        case Op::INe:
            return bit_not(emit_commuting(Inst::kIdVpcmpeqd, a, b));
        case Op::ILt:
            return emit(Inst::kIdVpcmpgtd, b, a);
        case Op::IGe:
            return bit_not(emit(Inst::kIdVpcmpgtd, b, a));
        case Op::ULt:
        case Op::UGe: {
            const Ymm in_a = reg(a);
            const V not_less = emit_commuting(Inst::kIdVpcmpeqd, in_a, emit(Inst::kIdVpmaxud, in_a, b));
            return i.op == Op::UGe ? not_less : bit_not(not_less);
        }
        default:
            return {};
    }
}

/// Coarse: one difference for the quad, of its first row or column. Fine: one difference for each row or
/// column. A quad is half a register.
Codegen::V Codegen::derivative(Op op, const V& a) {
    unsigned from = 0, to = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
        const unsigned row = lane & 2, column = lane & 1;
        const bool x = op == Op::FDdx || op == Op::FDdxFine;
        const bool fine = op == Op::FDdxFine || op == Op::FDdyFine;
        const unsigned first = fine ? (x ? row : column) : 0;
        from |= first << (2 * lane);
        to |= (first + (x ? 1 : 2)) << (2 * lane);
    }
    const Ymm in_a = reg(a);
    const V there = emit_imm(Inst::kIdVpermilps, in_a, to);
    return emit(Inst::kIdVsubps, there, emit_imm(Inst::kIdVpermilps, in_a, from));
}

Codegen::V Codegen::kernel_call(const ir::Instr& i) {
    const Type from = i.operand(i.op == Op::Select ? 1 : 0)->type;
    if (!ir::kernel(i.op, i.result()->type, from)) {
        problem_ = "an operation has no meaning for these types";
        return splat(0);
    }
    if (rows_ == kNowhere) rows_ = reserve(kRows * uint32_t(kRow_B));
    const Gp work = work_area();
    for (unsigned r = 0; r < i.operand_count && r < 4; ++r)
        store(as_words(operand(i, r), i.operand(r)->type), in_work(work, rows_ + int32_t(r + 1) * kRow_B));
    call("run_kernel", {address(in_work(work, rows_)), address(kernel_symbol(i.op, i.result()->type, from))});
    return from_words(load(in_work(work, rows_)), i.result()->type);
}

Codegen::V Codegen::alu(const ir::Instr& i) {
    const Type type = i.result()->type, from = i.operand(0)->type;
    for (unsigned n = 0; n < i.operand_count; ++n)
        if (i.operand(n)->type == Type::I64) problem_ = "64-bit integers";
    if (type == Type::I64) problem_ = "64-bit integers";
    if (problem_) return splat(0);
    V v;
    switch (i.op) {
        case Op::Mov:
            return operand(i, 0);
        case Op::Select:
            return blend(operand(i, 0), operand(i, 1), operand(i, 2));
        case Op::FDdx:
        case Op::FDdy:
        case Op::FDdxFine:
        case Op::FDdyFine:
            if (type == Type::F32) return derivative(i.op, operand(i, 0));
            problem_ = "derivatives of halves are not known to this driver";
            return splat(0);
        default:
            break;
    }
    if (type == Type::Bool && (i.op == Op::IAnd || i.op == Op::IOr || i.op == Op::IXor || i.op == Op::INot))
        return int_op(i);
    if (type == Type::F32 && from == Type::F32) v = float_op(i);
    if (type == Type::I32 && from == Type::I32) v = int_op(i);
    if (type == Type::Bool && (from == Type::F32 || from == Type::I32)) v = compare_op(i);
    if (v.kind == V::Kind::None && i.info().operands == 1) v = convert_op(i);
    return v.kind == V::Kind::None ? kernel_call(i) : v;
}

}  // namespace terrazzo::soft::tier1
