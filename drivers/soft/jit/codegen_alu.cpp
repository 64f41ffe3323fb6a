// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic, bit-identical to shaders/ir/eval.cpp. Types and operations without code here (halves, 16 and
// 64-bit integers, rare ops) call that file's kernels. No result may be poison: lanes that do not run hold
// arbitrary values.
#include <cstddef>

#include "drivers/soft/jit/codegen.h"
#include "llvm/IR/Intrinsics.h"
#include "shaders/ir/eval.h"

namespace terrazzo::soft::jit {

using ir::Op;
using ir::Type;
namespace I = llvm::Intrinsic;

Codegen::V Codegen::intrinsic(unsigned id, std::initializer_list<V> operands,
                              std::initializer_list<llvm::Type*> types) {
    return b_.CreateIntrinsic(llvm::Intrinsic::ID(id),
                              llvm::ArrayRef<llvm::Type*>(types.begin(), types.size()),
                              llvm::ArrayRef<V>(operands.begin(), operands.size()));
}

Codegen::V Codegen::float_op(const ir::Instr& i) {
    V a = operand(i, 0), b = i.operand_count > 1 ? operand(i, 1) : nullptr;
    const auto rounded = [&](I::ID id) { return intrinsic(id, {a}, {f32v_}); };
    V zero = splat_f32(0), one = splat_f32(1);
    switch (i.op) {
        case Op::FAdd:
            return b_.CreateFAdd(a, b);
        case Op::FSub:
            return b_.CreateFSub(a, b);
        case Op::FMul:
            return b_.CreateFMul(a, b);
        case Op::FDiv:
            return b_.CreateFDiv(a, b);
        case Op::FFma:
            return features_.fma ? intrinsic(I::fma, {a, b, operand(i, 2)}, {f32v_}) : nullptr;
        case Op::FNeg:
            return b_.CreateFNeg(a);
        case Op::FAbs:
            return intrinsic(I::fabs, {a}, {f32v_});
        case Op::FSign: {
            V negative = b_.CreateSelect(b_.CreateFCmpOLT(a, zero), splat_f32(-1), zero);
            return b_.CreateSelect(b_.CreateFCmpOGT(a, zero), one, negative);
        }
        case Op::FSat: {
            V low = b_.CreateSelect(b_.CreateFCmpOGT(a, zero), a, zero);
            return b_.CreateSelect(b_.CreateFCmpOLT(low, one), low, one);
        }
        case Op::FMin:
        case Op::FMax: {
            V other_wins = i.op == Op::FMin ? b_.CreateFCmpOLT(b, a) : b_.CreateFCmpOLT(a, b);
            return b_.CreateSelect(b_.CreateFCmpUNO(a, a), b, b_.CreateSelect(other_wins, b, a));
        }
        case Op::FFloor:
            return features_.rounding ? rounded(I::floor) : nullptr;
        case Op::FCeil:
            return features_.rounding ? rounded(I::ceil) : nullptr;
        case Op::FTrunc:
            return features_.rounding ? rounded(I::trunc) : nullptr;
        case Op::FRound:
            return features_.rounding ? rounded(I::roundeven) : nullptr;
        case Op::FFract:
            return features_.rounding ? b_.CreateFSub(a, rounded(I::floor)) : nullptr;
        case Op::FSqrt:
            return rounded(I::sqrt);
        case Op::FRcp:
            return b_.CreateFDiv(one, a);
        case Op::FRsq:
            return b_.CreateFDiv(one, rounded(I::sqrt));
        default:
            return nullptr;
    }
}

/// Division by 0 returns 0; the smallest integer divided by -1 wraps (LLVM leaves both undefined).
Codegen::V Codegen::divide(Op op, V a, V b) {
    V zero = splat_i32(0), one = splat_i32(1);
    V by_zero = b_.CreateICmpEQ(b, zero);
    if (op == Op::UDiv || op == Op::UMod) {
        V divisor = b_.CreateSelect(by_zero, one, b);
        return b_.CreateSelect(by_zero, zero,
                               op == Op::UDiv ? b_.CreateUDiv(a, divisor) : b_.CreateURem(a, divisor));
    }
    V by_minus_one = b_.CreateICmpEQ(b, splat_i32(~0u));
    V divisor = b_.CreateSelect(b_.CreateOr(by_zero, by_minus_one), one, b);
    if (op == Op::IDiv) {
        V q = b_.CreateSelect(by_minus_one, b_.CreateSub(zero, a), b_.CreateSDiv(a, divisor));
        return b_.CreateSelect(by_zero, zero, q);
    }
    V r = b_.CreateSRem(a, divisor);  // 0 if the divisor was replaced
    if (op == Op::IRem) return r;
    V signs_differ = b_.CreateICmpSLT(b_.CreateXor(r, b), zero);
    V adjust = b_.CreateAnd(b_.CreateICmpNE(r, zero), signs_differ);
    return b_.CreateAdd(r, b_.CreateSelect(adjust, b, zero));
}

Codegen::V Codegen::int_op(const ir::Instr& i) {
    V a = operand(i, 0), b = i.operand_count > 1 ? operand(i, 1) : nullptr;
    V zero = splat_i32(0);
    const auto count = [&](V n) { return b_.CreateAnd(n, splat_i32(31)); };
    const auto high = [&](bool is_signed) {
        V wide_a = is_signed ? b_.CreateSExt(a, i64v_) : b_.CreateZExt(a, i64v_);
        V wide_b = is_signed ? b_.CreateSExt(b, i64v_) : b_.CreateZExt(b, i64v_);
        return b_.CreateTrunc(b_.CreateLShr(b_.CreateMul(wide_a, wide_b), 32), i32v_);
    };
    const auto highest_bit = [&](V v) {  // 31 - 32 is the -1 of "none"
        return b_.CreateSub(splat_i32(31), intrinsic(I::ctlz, {v, b_.getFalse()}, {i32v_}));
    };
    switch (i.op) {
        case Op::IAdd:
            return b_.CreateAdd(a, b);
        case Op::ISub:
            return b_.CreateSub(a, b);
        case Op::IMul:
            return b_.CreateMul(a, b);
        case Op::IMulHigh:
            return high(true);
        case Op::UMulHigh:
            return high(false);
        case Op::IDiv:
        case Op::UDiv:
        case Op::IMod:
        case Op::IRem:
        case Op::UMod:
            return divide(i.op, a, b);
        case Op::INeg:
            return b_.CreateSub(zero, a);
        case Op::IAbs:
            return intrinsic(I::abs, {a, b_.getFalse()}, {i32v_});
        case Op::ISign:
            return b_.CreateSub(b_.CreateZExt(b_.CreateICmpSGT(a, zero), i32v_),
                                b_.CreateZExt(b_.CreateICmpSLT(a, zero), i32v_));
        case Op::IMin:
            return intrinsic(I::smin, {a, b}, {i32v_});
        case Op::IMax:
            return intrinsic(I::smax, {a, b}, {i32v_});
        case Op::UMin:
            return intrinsic(I::umin, {a, b}, {i32v_});
        case Op::UMax:
            return intrinsic(I::umax, {a, b}, {i32v_});
        case Op::IAnd:
            return b_.CreateAnd(a, b);
        case Op::IOr:
            return b_.CreateOr(a, b);
        case Op::IXor:
            return b_.CreateXor(a, b);
        case Op::INot:
            return b_.CreateNot(a);
        case Op::IShl:
            return b_.CreateShl(a, count(b));
        case Op::IShr:
            return b_.CreateAShr(a, count(b));
        case Op::UShr:
            return b_.CreateLShr(a, count(b));
        case Op::BitCount:
            return intrinsic(I::ctpop, {a}, {i32v_});
        case Op::BitReverse:
            return intrinsic(I::bitreverse, {a}, {i32v_});
        case Op::FindLsb: {
            V n = intrinsic(I::cttz, {a, b_.getFalse()}, {i32v_});
            return b_.CreateSelect(b_.CreateICmpEQ(a, zero), splat_i32(~0u), n);
        }
        case Op::UFindMsb:
            return highest_bit(a);
        case Op::IFindMsb:
            return highest_bit(b_.CreateXor(a, b_.CreateAShr(a, 31)));
        default:
            return nullptr;
    }
}

Codegen::V Codegen::compare_op(const ir::Instr& i) {
    V a = operand(i, 0), b = operand(i, 1);
    switch (i.op) {
        case Op::FEq:
            return mask_of(b_.CreateFCmpOEQ(a, b));
        case Op::FNe:
            return mask_of(b_.CreateFCmpUNE(a, b));
        case Op::FLt:
            return mask_of(b_.CreateFCmpOLT(a, b));
        case Op::FGe:
            return mask_of(b_.CreateFCmpOGE(a, b));
        case Op::IEq:
            return mask_of(b_.CreateICmpEQ(a, b));
        case Op::INe:
            return mask_of(b_.CreateICmpNE(a, b));
        case Op::ILt:
            return mask_of(b_.CreateICmpSLT(a, b));
        case Op::IGe:
            return mask_of(b_.CreateICmpSGE(a, b));
        case Op::ULt:
            return mask_of(b_.CreateICmpULT(a, b));
        case Op::UGe:
            return mask_of(b_.CreateICmpUGE(a, b));
        default:
            return nullptr;
    }
}

Codegen::V Codegen::convert_op(const ir::Instr& i) {
    const Type to = i.result()->type, from = i.operand(0)->type;
    V a = operand(i, 0);
    if (i.op == Op::B2F && to == Type::F32) return as_float(b_.CreateAnd(a, as_int(splat_f32(1))));
    if (i.op == Op::B2I && to == Type::I32) return b_.CreateLShr(a, 31);
    if (i.op == Op::Bitcast && ir::bit_size(to) == 32 && ir::bit_size(from) == 32)
        return from_words(as_words(a, from), to);
    if (from == Type::F32 && to == Type::I32) {
        if (i.op == Op::F2I) return intrinsic(I::fptosi_sat, {a}, {i32v_, f32v_});
        if (i.op == Op::F2U) return intrinsic(I::fptoui_sat, {a}, {i32v_, f32v_});
    }
    if (from == Type::I32 && to == Type::F32) {
        if (i.op == Op::I2F) return b_.CreateSIToFP(a, f32v_);
        if (i.op == Op::U2F) return b_.CreateUIToFP(a, f32v_);
    }
    return nullptr;
}

/// Coarse: one difference for the quad, of its first row or column. Fine: one difference for each row or
/// column.
Codegen::V Codegen::derivative(Op op, V a) {
    llvm::SmallVector<int, 16> from, to;
    for (int lane = 0; lane < int(lanes_); ++lane) {
        const int quad = lane & ~3, row = lane & 2, column = lane & 1;
        const bool x = op == Op::FDdx || op == Op::FDdxFine;
        const bool fine = op == Op::FDdxFine || op == Op::FDdyFine;
        from.push_back(quad + (fine ? (x ? row : column) : 0));
        to.push_back(from.back() + (x ? 1 : 2));
    }
    return b_.CreateFSub(b_.CreateShuffleVector(a, to), b_.CreateShuffleVector(a, from));
}

/// dst, a, b, c, d are rows of words in a scratch area.
Codegen::V Codegen::kernel_call(const ir::Instr& i) {
    struct {
        Op op;
        Type result, operand;
    } const id{i.op, i.result()->type, i.operand(i.op == Op::Select ? 1 : 0)->type};
    if (!ir::kernel(id.op, id.result, id.operand)) {
        problem_ = "an operation has no meaning for these types";
        return constant(id.result, 0);
    }
    const unsigned row_B = lanes_ * 8;
    if (!rows_) rows_ = reserve(5 * row_B);
    V row[5];
    for (unsigned r = 0; r < 5; ++r)
        row[r] = at(rows_, r * row_B);
    for (unsigned r = 0; r < i.operand_count && r < 4; ++r)
        store(as_words(operand(i, r), i.operand(r)->type), row[r + 1], 0, 32);
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_, ptr_, ptr_, ptr_, ptr_, i32_}, false);
    // An external symbol: code/image.h finds the kernel by these numbers.
    const std::string name = "kernel_" + std::to_string(unsigned(id.op)) + '_' +
                             std::to_string(unsigned(id.result)) + '_' + std::to_string(unsigned(id.operand));
    b_.CreateCall(module_.getOrInsertFunction(name, type),
                  {row[0], row[1], row[2], row[3], row[4], b_.getInt32(lanes_)});
    llvm::Type* words = id.result == Type::I64 ? i64v_ : i32v_;
    return from_words(load(words, row[0], 0, 32, false), id.result);
}

Codegen::V Codegen::alu(const ir::Instr& i) {
    const Type type = i.result()->type;
    const Type operand_type = i.operand(0)->type;
    V v = nullptr;
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
            return constant(type, 0);
        default:
            break;
    }
    if (type == Type::Bool && (i.op == Op::IAnd || i.op == Op::IOr || i.op == Op::IXor || i.op == Op::INot))
        return int_op(i);
    if (type == Type::F32 && operand_type == Type::F32) v = float_op(i);
    if (!v && type == Type::I32 && operand_type == Type::I32) v = int_op(i);
    if (!v && type == Type::Bool && (operand_type == Type::F32 || operand_type == Type::I32))
        v = compare_op(i);
    if (!v && i.info().operands == 1) v = convert_op(i);
    return v ? v : kernel_call(i);
}

}  // namespace terrazzo::soft::jit
