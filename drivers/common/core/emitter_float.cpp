// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Floats and conversions. Of two NaN operands, an instruction returns its first; FMA instructions return the
// first of the factors, then the addend. A single NaN is returned quiet.
#include "drivers/common/core/emitter.h"
#include "winsys/trap.h"

namespace terrazzo::core {

namespace Inst = asmjit::x86::Inst;
using asmjit::Imm;

namespace {

// Predicates of vcmpps.
constexpr unsigned kEq = 0, kUnordered = 3, kOrdered = 7, kLess = 17, kNotGreaterEqual = 25,
                   kNotLessEqual = 22, kGreaterEqual = 29, kGreater = 30;
// Of vroundps and vrndscaleps: without the inexact exception.
constexpr unsigned kNoException = 8;

constexpr uint32_t kOne = 0x3f800000, kMinusOne = 0xbf800000;
constexpr uint32_t kTwoTo16 = 0x47800000, kTwoTo31 = 0x4f000000, kTwoTo32 = 0x4f800000;

unsigned round_bits(Round mode) {
    switch (mode) {
        case Round::NearestEven:
            return kNoException | 0;
        case Round::Down:
            return kNoException | 1;
        case Round::Up:
            return kNoException | 2;
        case Round::ToZero:
            return kNoException | 3;
    }
    winsys::unreachable();
}

bool is_number(const Value& v) {
    return v.kind == Value::Kind::Constant && (v.index & 0x7fffffff) <= 0x7f800000;
}
/// Neither NaN nor zero nor denormal.
bool is_normal(const Value& v) {
    return is_number(v) && (v.index & 0x7f800000) != 0;
}

}  // namespace

Emitter::Vec Emitter::float_op(const MicroInstr& i, unsigned part) {
    const Value &a = i.from[0], &b = i.from[1];
    switch (i.op) {
        case MicroOp::FloatAdd:
        case MicroOp::FloatMul: {
            const InstId id = i.op == MicroOp::FloatAdd ? Inst::kIdVaddps : Inst::kIdVmulps;
            return is_number(a) ? ordered(id, b, a, part) : ordered(id, a, b, part);
        }
        case MicroOp::FloatFma:
            return fma_part(i, part);
        case MicroOp::FloatMin:
        case MicroOp::FloatMax:
            return min_max_part(i, part);
        case MicroOp::FloatRound:
            return rounded(vec(a, part), i.imm.round);
        case MicroOp::FloatClamp:
            return clamp_part(i, part);
        case MicroOp::HalfToFloat:
            return half_to_float(vec(a, part));
        case MicroOp::FloatToHalf:
            return float_to_half(vec(a, part));
        case MicroOp::SignedToFloat:
            return unary(Inst::kIdVcvtdq2ps, vec(a, part));
        case MicroOp::UnsignedToFloat:
            return unsigned_to_float(vec(a, part));
        case MicroOp::FloatToSigned:
            return float_to_signed(vec(a, part), i.imm.round);
        case MicroOp::FloatToUnsigned:
            return float_to_unsigned(vec(a, part), i.imm.round);
        default:
            break;
    }
    winsys::unreachable();
}

// ---- Comparisons ------------------------------------------------------------------------------------------

Emitter::Vec Emitter::compare_floats(const Vec& a, const Operand& b, unsigned predicate) {
    const Vec d = fresh();
    cc_.emit(Inst::kIdVcmpps, d, a, b, Imm(predicate));
    return d;
}
x86::KReg Emitter::compare_floats_mask(const Vec& a, const Operand& b, unsigned predicate) {
    const KReg k = cc_.newKw();
    cc_.emit(Inst::kIdVcmpps, k, a, b, Imm(predicate));
    return k;
}
/// False in the other lanes than `where`'s.
x86::KReg Emitter::compare_floats_mask(const KReg& where, const Vec& a, const Operand& b,
                                       unsigned predicate) {
    const KReg k = cc_.newKw();
    cc_.k(where).emit(Inst::kIdVcmpps, k, a, b, Imm(predicate));
    return k;
}

// ---- Arithmetic -------------------------------------------------------------------------------------------

/// The forms differ in which operand is overwritten and which may be in memory; in all of them a comes first.
Emitter::Vec Emitter::fma_part(const MicroInstr& i, unsigned part) {
    Value a = i.from[0], b = i.from[1];
    const Value& c = i.from[2];
    if (is_number(a)) std::swap(a, b);
    const Vec d = fresh(), in_a = vec(a, part);
    if (c.kind == Value::Kind::Constant || c.kind == Value::Kind::Uniform) {
        const Vec in_b = vec(b, part);
        const Operand in_c = rm(c, part);
        cc_.emit(Inst::kIdVmovaps, d, in_b);
        cc_.emit(Inst::kIdVfmadd213ps, d, in_a, in_c);  // d = a * d + c
        return d;
    }
    const Vec in_c = vec(c, part);
    const Operand in_b = rm(b, part);
    cc_.emit(Inst::kIdVmovaps, d, in_c);
    cc_.emit(Inst::kIdVfmadd231ps, d, in_a, in_b);  // d = a * b + d
    return d;
}

/// As wave::fmin() and wave::fmax(). Where it takes a: a is less, or equal and negative, or b is a NaN; and
/// a is none.
Emitter::Vec Emitter::min_max_part(const MicroInstr& i, unsigned part) {
    const bool min = i.op == MicroOp::FloatMin;
    const Value &a = i.from[0], &b = i.from[1];
    const unsigned better = min ? kLess : kGreater;
    const unsigned better_or_nan = min ? kNotGreaterEqual : kNotLessEqual;
    const Vec in_a = vec(a, part), in_b = vec(b, part);
    // Equal operands are the same then, so it is one comparison.
    if (is_normal(a) || is_normal(b)) {
        const unsigned predicate = is_normal(b) ? better : better_or_nan;
        return choose(in_a, in_b, predicate);
    }
    if (!wide_) {
        const Vec equal = compare_floats(in_a, in_b, kEq);
        const Vec tie = min ? bit_and(equal, in_a) : binary(Inst::kIdVpandn, in_a, equal);
        const Vec takes_a = bit_or(compare_floats(in_a, in_b, better_or_nan), tie);
        return blend(bit_and(takes_a, compare_floats(in_a, in_a, kOrdered)), in_a, in_b);
    }
    const KReg equal = compare_floats_mask(in_a, in_b, kEq), tie = cc_.newKw();
    cc_.k(equal).emit(min ? Inst::kIdVptestmd : Inst::kIdVptestnmd, tie, in_a, word(0x80000000));
    const KReg is_better = compare_floats_mask(in_a, in_b, better_or_nan), either = cc_.newKw();
    cc_.korw(either, is_better, tie);
    const KReg takes_a = compare_floats_mask(either, in_a, in_a, kOrdered);
    const Vec d = fresh();
    cc_.k(takes_a).emit(Inst::kIdVblendmps, d, in_b, in_a);
    return d;
}

/// `a` where it compares so with `b`, otherwise `b`. Unlike vminps and vmaxps, this never flushes `a`.
Emitter::Vec Emitter::choose(const Vec& a, const Vec& b, unsigned predicate) {
    if (!wide_) return blend(compare_floats(a, b, predicate), a, b);
    const KReg k = compare_floats_mask(a, b, predicate);
    const Vec d = fresh();
    cc_.k(k).emit(Inst::kIdVblendmps, d, b, a);
    return d;
}

Emitter::Vec Emitter::clamp_part(const MicroInstr& i, unsigned part) {
    const Vec v = vec(i.from[0], part);
    if (i.imm.range == ClampRange::MinusOneToOne)
        return choose(choose(v, splat(kMinusOne), kGreater), splat(kOne), kLess);
    // The instructions return their second operand where one is a NaN, and where both are zero.
    const Vec at_least = binary(Inst::kIdVmaxps, v, word(0));
    if (i.imm.range == ClampRange::ZeroToInfinity) return at_least;
    return binary(Inst::kIdVminps, at_least, word(kOne));
}

Emitter::Vec Emitter::rounded(const Vec& v, Round mode) {
    return binary_imm(wide_ ? Inst::kIdVrndscaleps : Inst::kIdVroundps, v, round_bits(mode));
}

// ---- Conversions ------------------------------------------------------------------------------------------

/// The host's instruction makes NaNs quiet; pipe::half_to_float() keeps them.
Emitter::Vec Emitter::half_to_float(const Vec& v) {
    const Vec f = fresh(), bits = binary_imm(Inst::kIdVpslld, v, 13);
    if (wide_) {
        const x86::Ymm packed = cc_.newYmm();
        cc_.vpmovdw(packed, v.as<x86::Zmm>());
        cc_.vcvtph2ps(f.as<x86::Zmm>(), packed);
        // A NaN's quiet bit is the half's.
        const KReg nan = compare_floats_mask(f, f, kUnordered);
        const Vec kept = bit_or(bits, word(~0x00400000u));
        cc_.k(nan).emit(Inst::kIdVpandd, f, f, kept);
        return f;
    }
    // The low halves of each 128 bits, then those of both.
    static constexpr Pattern kLowHalves = {0,    1,    4,    5,    8,    9,    12,   13,
                                           0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    const Vec in_place = binary(Inst::kIdVpshufb, v, splat(kLowHalves)), packed = fresh();
    cc_.emit(Inst::kIdVpermq, packed, in_place, Imm(0x08));
    cc_.vcvtph2ps(f.as<x86::Ymm>(), packed.xmm());
    const Vec kept = bit_or(bits, word(~0x00400000u));
    return bit_and(f, bit_or(compare_floats(f, f, kOrdered), kept));
}

/// The host's instruction keeps a NaN's payload; pipe::float_to_half() returns 0x7e00 with its sign.
Emitter::Vec Emitter::float_to_half(const Vec& v) {
    const Vec out = fresh();
    if (wide_) {
        // A NaN without its payload, but quiet.
        const KReg nan = compare_floats_mask(v, v, kUnordered);
        const Vec in = fresh();
        cc_.emit(Inst::kIdVmovaps, in, v);
        cc_.k(nan).emit(Inst::kIdVpandd, in, in, word(0xff800000));
        cc_.k(nan).emit(Inst::kIdVpord, in, in, word(0x00400000));
        const x86::Ymm packed = cc_.newYmm();
        cc_.vcvtps2ph(packed, in.as<x86::Zmm>(), 0);
        cc_.vpmovzxwd(out.as<x86::Zmm>(), packed);
        return out;
    }
    const Vec nan = compare_floats(v, v, kUnordered);
    // All bits of a NaN's payload are replaced by the quiet bit.
    const Vec without = binary(Inst::kIdVpandn, bit_and(nan, word(0x003fffff)), v);
    const Vec in = bit_or(without, bit_and(nan, word(0x00400000)));
    cc_.vcvtps2ph(out.xmm(), in.as<x86::Ymm>(), 0);
    cc_.vpmovzxwd(out.as<x86::Ymm>(), out.xmm());
    return out;
}

Emitter::Vec Emitter::unsigned_to_float(const Vec& v) {
    if (wide_) return unary(Inst::kIdVcvtudq2ps, v);
    // Both halves are exact; their sum is rounded once.
    const Vec high = unary(Inst::kIdVcvtdq2ps, binary_imm(Inst::kIdVpsrld, v, 16));
    const Vec low = unary(Inst::kIdVcvtdq2ps, bit_and(v, word(0xffff)));
    cc_.emit(Inst::kIdVfmadd231ps, low, high, word(kTwoTo16));
    return low;
}

Emitter::Vec Emitter::float_to_signed(const Vec& v, Round mode) {
    const Vec r = mode == Round::ToZero ? v : rounded(v, mode);
    // Out of range, the instruction returns 0x80000000.
    if (wide_) {
        const KReg ordered = compare_floats_mask(v, v, kOrdered);
        const KReg large = compare_floats_mask(r, word(kTwoTo31), kGreaterEqual);
        const Vec d = fresh();
        cc_.k(ordered).z().emit(Inst::kIdVcvttps2dq, d, r);
        cc_.k(large).emit(Inst::kIdVpternlogd, d, d, d, Imm(0x55));  // not
        return d;
    }
    const Vec large = compare_floats(r, word(kTwoTo31), kGreaterEqual);
    return bit_and(bit_xor(unary(Inst::kIdVcvttps2dq, r), large), compare_floats(v, v, kOrdered));
}

Emitter::Vec Emitter::float_to_unsigned(const Vec& v, Round mode) {
    const Vec r = mode == Round::ToZero ? v : rounded(v, mode);
    const Vec at_least = binary(Inst::kIdVmaxps, r, word(0));  // of a NaN: 0
    // Out of range, the instruction returns all ones.
    if (wide_) return unary(Inst::kIdVcvttps2udq, at_least);
    // From 2^31 on it returns 0x80000000, to which the rest is added.
    const Vec low = unary(Inst::kIdVcvttps2dq, at_least);
    const Vec rest = unary(Inst::kIdVcvttps2dq, binary(Inst::kIdVsubps, at_least, word(kTwoTo31)));
    const Vec sum = bit_or(low, bit_and(rest, binary_imm(Inst::kIdVpsrad, low, 31)));
    return bit_or(sum, compare_floats(at_least, word(kTwoTo32), kGreaterEqual));
}

}  // namespace terrazzo::core
