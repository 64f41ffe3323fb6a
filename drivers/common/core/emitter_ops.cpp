// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Moves, logic, shifts, fields of bits, integers and comparisons.
#include "drivers/common/core/emitter.h"
#include "winsys/trap.h"

namespace terrazzo::core {

namespace Inst = asmjit::x86::Inst;
using asmjit::Imm;

namespace {

// Predicates of vcmpps; of vpcmpd and vpcmpud.
constexpr unsigned kFloatEq = 0, kFloatNe = 4, kFloatLt = 17, kFloatLe = 18;
constexpr unsigned kIntEq = 0, kIntLt = 1, kIntNe = 4;
// vpternlogd of A, B, C: A ? B : C.
constexpr unsigned kChooseByA = 0xca;

uint32_t low_bits(unsigned bits) {
    return bits >= 32 ? ~0u : (1u << bits) - 1;
}

bool is_constant(const Value& v) {
    return v.kind == Value::Kind::Constant || v.kind == Value::Kind::None;
}

unsigned float_predicate(MicroOp op) {
    return op == MicroOp::FloatEqual      ? kFloatEq
           : op == MicroOp::FloatNotEqual ? kFloatNe
           : op == MicroOp::FloatLess     ? kFloatLt
                                          : kFloatLe;
}

}  // namespace

// ---- Instructions of both widths --------------------------------------------------------------------------

Emitter::Vec Emitter::unary(InstId id, const Vec& a) {
    const Vec d = fresh();
    cc_.emit(id, d, a);
    return d;
}
Emitter::Vec Emitter::binary(InstId id, const Vec& a, const Operand& b) {
    const Vec d = fresh();
    cc_.emit(id, d, a, b);
    return d;
}
Emitter::Vec Emitter::binary_imm(InstId id, const Vec& a, unsigned imm) {
    const Vec d = fresh();
    cc_.emit(id, d, a, Imm(imm));
    return d;
}
Emitter::Vec Emitter::commuting(InstId id, const Value& a, const Value& b, unsigned part) {
    return is_constant(a) ? ordered(id, b, a, part) : ordered(id, a, b, part);
}
Emitter::Vec Emitter::ordered(InstId id, const Value& a, const Value& b, unsigned part) {
    const Vec x = vec(a, part);
    return binary(id, x, rm(b, part));
}
Emitter::Vec Emitter::bit_and(const Vec& a, const Operand& b) {
    return binary(wide_ ? Inst::kIdVpandd : Inst::kIdVpand, a, b);
}
Emitter::Vec Emitter::bit_or(const Vec& a, const Operand& b) {
    return binary(wide_ ? Inst::kIdVpord : Inst::kIdVpor, a, b);
}
Emitter::Vec Emitter::bit_xor(const Vec& a, const Operand& b) {
    return binary(wide_ ? Inst::kIdVpxord : Inst::kIdVpxor, a, b);
}

/// By the highest bit of each lane of `mask`; only with 8 lanes.
Emitter::Vec Emitter::blend(const Vec& mask, const Operand& yes, const Vec& no) {
    const Vec d = fresh();
    cc_.emit(Inst::kIdVblendvps, d, no, yes, mask);
    return d;
}

// ---- Micro-operations -------------------------------------------------------------------------------------

bool Emitter::compares(MicroOp op) const {
    return op >= MicroOp::Equal && op <= MicroOp::FloatLessEqual;
}

void Emitter::compute(const MicroInstr& i, Slot* out) {
    if (wide_ && compares(i.op)) {
        out->mask = compare_mask(i);
        out->has_mask = out->truth = true;
        return;
    }
    if (i.op == MicroOp::Copy)
        if (Slot* const from = slot_of(i.from[0])) {
            *out = *from;
            return;
        }
    for (unsigned p = 0; p < parts_; ++p)
        out->vec[p] = compute_part(i, p);
    out->has_vec = true;
    switch (i.op) {
        case MicroOp::And:
        case MicroOp::Or:
        case MicroOp::Xor:
            out->truth = is_truth(i.from[0]) && is_truth(i.from[1]);
            break;
        case MicroOp::Not:
        case MicroOp::Copy:
            out->truth = is_truth(i.from[0]);
            break;
        case MicroOp::Select:
            out->truth = is_truth(i.from[1]) && is_truth(i.from[2]);
            break;
        case MicroOp::ExtractSigned:
            out->truth = i.imm.bits <= 1;
            break;
        default:
            out->truth = compares(i.op);
            break;
    }
}

Emitter::Vec Emitter::compute_part(const MicroInstr& i, unsigned part) {
    const Value &a = i.from[0], &b = i.from[1];
    switch (i.op) {
        case MicroOp::Copy:
            return vec(a, part);
        case MicroOp::Select:
            return select_part(i, part);
        case MicroOp::And:
            return commuting(wide_ ? Inst::kIdVpandd : Inst::kIdVpand, a, b, part);
        case MicroOp::Or:
            return commuting(wide_ ? Inst::kIdVpord : Inst::kIdVpor, a, b, part);
        case MicroOp::Xor:
            return commuting(wide_ ? Inst::kIdVpxord : Inst::kIdVpxor, a, b, part);
        case MicroOp::Not:
            return bit_not(vec(a, part));
        case MicroOp::ShiftLeft:
        case MicroOp::ShiftRight:
        case MicroOp::ShiftRightSigned:
            return shift_part(i, part);
        case MicroOp::ExtractUnsigned:
        case MicroOp::ExtractSigned:
            return extract_part(i, part);
        case MicroOp::Insert:
            return insert_part(i, part);
        case MicroOp::CountBits:
            return count_bits(vec(a, part));
        case MicroOp::LeadingZeros:
            return leading_zeros(vec(a, part));
        case MicroOp::ReverseBits:
            return reverse_bits(vec(a, part));
        case MicroOp::Add:
            return commuting(Inst::kIdVpaddd, a, b, part);
        case MicroOp::Sub:
            return ordered(Inst::kIdVpsubd, a, b, part);
        case MicroOp::Mul:
            return commuting(Inst::kIdVpmulld, a, b, part);
        case MicroOp::MinSigned:
            return commuting(Inst::kIdVpminsd, a, b, part);
        case MicroOp::MaxSigned:
            return commuting(Inst::kIdVpmaxsd, a, b, part);
        case MicroOp::MinUnsigned:
            return commuting(Inst::kIdVpminud, a, b, part);
        case MicroOp::MaxUnsigned:
            return commuting(Inst::kIdVpmaxud, a, b, part);
        case MicroOp::Equal:
        case MicroOp::NotEqual:
        case MicroOp::LessSigned:
        case MicroOp::LessUnsigned:
        case MicroOp::FloatEqual:
        case MicroOp::FloatNotEqual:
        case MicroOp::FloatLess:
        case MicroOp::FloatLessEqual:
            return compare_part(i, part);
        case MicroOp::FloatAdd:
        case MicroOp::FloatMul:
        case MicroOp::FloatFma:
        case MicroOp::FloatMin:
        case MicroOp::FloatMax:
        case MicroOp::FloatRound:
        case MicroOp::FloatClamp:
        case MicroOp::HalfToFloat:
        case MicroOp::FloatToHalf:
        case MicroOp::SignedToFloat:
        case MicroOp::UnsignedToFloat:
        case MicroOp::FloatToSigned:
        case MicroOp::FloatToUnsigned:
            return float_op(i, part);
        case MicroOp::Kernel:
            break;  // call_kernel()
    }
    winsys::unreachable();
}

Emitter::Vec Emitter::select_part(const MicroInstr& i, unsigned part) {
    const Value &condition = i.from[0], &yes = i.from[1], &no = i.from[2];
    if (wide_) {
        const KReg k = mask_of(condition);
        const Vec in_no = vec(no, part), d = fresh();
        const Operand in_yes = rm(yes, part);
        cc_.k(k).emit(Inst::kIdVpblendmd, d, in_no, in_yes);
        return d;
    }
    const Vec c = vec(condition, part);
    if (is_truth(condition)) {
        const Vec in_no = vec(no, part);
        return blend(c, rm(yes, part), in_no);
    }
    const Vec is_zero = binary(Inst::kIdVpcmpeqd, c, word(0));
    const Vec in_yes = vec(yes, part);
    return blend(is_zero, rm(no, part), in_yes);
}

Emitter::Vec Emitter::shift_part(const MicroInstr& i, unsigned part) {
    const Value &a = i.from[0], &count = i.from[1];
    const bool left = i.op == MicroOp::ShiftLeft, is_signed = i.op == MicroOp::ShiftRightSigned;
    if (is_constant(count)) {
        const unsigned n = count.index & 31;
        return binary_imm(left        ? Inst::kIdVpslld
                          : is_signed ? Inst::kIdVpsrad
                                      : Inst::kIdVpsrld,
                          vec(a, part), n);
    }
    const Vec in_a = vec(a, part), n = bit_and(vec(count, part), word(31));
    return binary(left ? Inst::kIdVpsllvd : is_signed ? Inst::kIdVpsravd : Inst::kIdVpsrlvd, in_a, n);
}

Emitter::Vec Emitter::extract_part(const MicroInstr& i, unsigned part) {
    const unsigned first = i.imm.first, bits = i.imm.bits;
    const bool is_signed = i.op == MicroOp::ExtractSigned;
    if (bits == 0) return zero();
    const Vec a = vec(i.from[0], part);
    if (bits == 32) return a;
    if (!is_signed && first == 0) return bit_and(a, word(low_bits(bits)));
    const Vec top = first + bits == 32 ? a : binary_imm(Inst::kIdVpslld, a, 32 - first - bits);
    return binary_imm(is_signed ? Inst::kIdVpsrad : Inst::kIdVpsrld, top, 32 - bits);
}

Emitter::Vec Emitter::insert_part(const MicroInstr& i, unsigned part) {
    const unsigned first = i.imm.first, bits = i.imm.bits;
    const Vec into = vec(i.from[0], part);
    if (bits == 0) return into;
    const Vec v = vec(i.from[1], part);
    if (bits == 32) return v;
    const Vec placed = first ? binary_imm(Inst::kIdVpslld, v, first) : v;
    const uint32_t mask = low_bits(bits) << first;
    if (!wide_) {
        const Vec d = fresh();
        if (bits == 16 && first % 16 == 0) {
            cc_.emit(Inst::kIdVpblendw, d, into, placed, Imm(first ? 0xaa : 0x55));
            return d;
        }
        const Vec in = first + bits == 32 ? placed : bit_and(placed, word(mask));
        return bit_or(bit_and(into, word(~mask)), in);
    }
    const Vec d = splat(mask);
    cc_.emit(Inst::kIdVpternlogd, d, placed, into, Imm(kChooseByA));
    return d;
}

// ---- Comparisons ------------------------------------------------------------------------------------------

Emitter::Vec Emitter::compare_part(const MicroInstr& i, unsigned part) {
    const Value &a = i.from[0], &b = i.from[1];
    switch (i.op) {
        case MicroOp::Equal:
            return commuting(Inst::kIdVpcmpeqd, a, b, part);
        case MicroOp::NotEqual:
            return bit_not(commuting(Inst::kIdVpcmpeqd, a, b, part));
        case MicroOp::LessSigned:
            return ordered(Inst::kIdVpcmpgtd, b, a, part);
        case MicroOp::LessUnsigned: {
            // Not (b <= a), which is min(a, b) == b.
            const Vec in_a = vec(a, part), in_b = vec(b, part);
            return bit_not(binary(Inst::kIdVpcmpeqd, binary(Inst::kIdVpminud, in_a, in_b), in_b));
        }
        default:
            break;
    }
    const Vec x = vec(a, part);
    return compare_floats(x, rm(b, part), float_predicate(i.op));
}

x86::KReg Emitter::compare_mask(const MicroInstr& i) {
    const Vec a = vec(i.from[0], 0);
    const Operand b = rm(i.from[1], 0);
    if (i.op >= MicroOp::FloatEqual) return compare_floats_mask(a, b, float_predicate(i.op));
    const KReg k = cc_.newKw();
    const unsigned predicate = i.op == MicroOp::Equal ? kIntEq : i.op == MicroOp::NotEqual ? kIntNe : kIntLt;
    cc_.emit(i.op == MicroOp::LessUnsigned ? Inst::kIdVpcmpud : Inst::kIdVpcmpd, k, a, b, Imm(predicate));
    return k;
}

}  // namespace terrazzo::core
