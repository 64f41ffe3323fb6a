// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/core/lower.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/agx/isa/minifloat.h"
#include "drivers/agx/sim/core/group.h"
#include "drivers/common/core/functions.h"

namespace terrazzo::agx::sim {

namespace {

using core::MicroBuilder;
using core::MicroOp;
using core::Value;
using isa::Op;
using isa::Operand;
using isa::OperandKind;
using wave::Round;

constexpr uint32_t kOne = 0x3f800000, kSign = 0x80000000;

/// A value of 64 bits.
struct Pair {
    Value low, high;
};

/// Computes kF for each lane.
template <uint32_t (*kF)(uint32_t, uint32_t, uint32_t, uint64_t)>
void each(const U32& x, const U32& y, const U32& z, uint64_t data, U32* out) {
    uint32_t from[3][wave::kLanes], to[wave::kLanes];  // arrays, so that the loop vectorizes
    std::memcpy(from[0], &x, sizeof to);
    std::memcpy(from[1], &y, sizeof to);
    std::memcpy(from[2], &z, sizeof to);
    for (unsigned i = 0; i < wave::kLanes; ++i)
        to[i] = kF(from[0][i], from[1][i], from[2][i], data);
    std::memcpy(out, to, sizeof to);
}

// ---- What is no micro-operation ----

/// An operand of 32 bits as a number: bit 0 of `how` says that it has a sign, the rest is its size.
int64_t number(uint32_t v, unsigned how) {
    const unsigned bits = how >> 1;
    if (!(how & 1)) return v;
    return bits == 16 ? int16_t(v) : int32_t(v);
}
unsigned how_of(const Operand& o) {
    return unsigned(o.size == 16 ? 16 : 32) << 1 | unsigned((o.flags & isa::kSignExtend) != 0);
}

/// The high word of a product. `data`: how_of() of both, 8 bits each.
uint32_t mul_high(uint32_t a, uint32_t b, uint32_t, uint64_t data) {
    const int64_t x = number(a, data & 0xff), y = number(b, data >> 8 & 0xff);
    return uint32_t(uint64_t(__extension__ __int128(x) * y) >> 32);
}

/// a * b + c, or a + c, limited to the destination's range. `data`: how_of() of a, b, c, 8 bits each; bits of
/// the destination; then 1: there is no product; 2: c is subtracted; 4: the range has negative numbers.
uint32_t saturating(uint32_t a, uint32_t b, uint32_t c, uint64_t data) {
    __extension__ using Wide = __int128;
    const unsigned bits = data >> 24 & 0xff, how = data >> 32 & 7;
    Wide sum = number(a, data & 0xff);
    if (!(how & 1)) sum *= number(b, data >> 8 & 0xff);
    sum += how & 2 ? -Wide(number(c, data >> 16 & 0xff)) : Wide(number(c, data >> 16 & 0xff));
    const Wide low = how & 4 ? -(Wide(1) << (bits - 1)) : Wide(0),
               high = (Wide(1) << (how & 4 ? bits - 1 : bits)) - 1;
    return uint32_t(sum < low ? low : sum > high ? high : sum);
}

/// bfi, bfeil, extr, shlhi, shrhi. `data`: the operation, and the field's mask from bit 8 on.
uint32_t bit_field(uint32_t a, uint32_t b, uint32_t c, uint64_t data) {
    __extension__ using Wide = unsigned __int128;
    const unsigned by = c & 0x7f;
    const uint64_t mask = data >> 8;
    const auto low = [](Wide v) { return uint32_t(v); };
    const auto left = [&](uint64_t v) { return by < 64 ? low(Wide(v) << by) : 0; };
    const auto right = [&](uint64_t v) { return by < 64 ? uint64_t(v) >> by : 0; };
    switch (Op(data & 0xff)) {
        case Op::kBfi:
            return (a & ~left(mask)) | left(b & mask);
        case Op::kBfeil:
            return (a & ~uint32_t(mask)) | uint32_t(right(b) & mask);
        case Op::kExtr:
            return uint32_t(right(uint64_t(b) << 32 | a) & mask);
        case Op::kShlhi: {
            const auto shifted = uint32_t(Wide(mask) << (by > 32 ? by - 32 : 0));
            return (low(by < 96 ? (Wide(b) << by) >> 32 : Wide(0)) & shifted) | (a & ~shifted);
        }
        default: {  // kShrhi
            const auto shifted = uint32_t((mask << 32) >> std::min(by, 32u));
            return (uint32_t(right(uint64_t(b) << 32)) & shifted) | (a & ~shifted);
        }
    }
}

/// The low word of a << 32 >> by. `data`: the size of a.
uint32_t shift_high(uint32_t a, uint32_t by, uint32_t, uint64_t data) {
    const int64_t wide = int64_t(uint64_t(data == 16 ? int64_t(int16_t(a)) : int64_t(int32_t(a))) << 32);
    return uint32_t(wide >> std::min(by & 0x7f, 63u));
}

uint32_t interleave(uint32_t a, uint32_t b, uint32_t, uint64_t) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 16; ++i)
        out |= (a >> i & 1) << 2 * i | (b >> i & 1) << (2 * i + 1);
    return out;
}

uint32_t truncated(double v) {  // to a float, toward zero
    const auto f = float(v);
    const bool away = std::abs(double(f)) > std::abs(v);
    return std::bit_cast<uint32_t>(f) - away;
}
uint32_t signed_truncated(uint32_t v, uint32_t, uint32_t, uint64_t) {
    return truncated(int32_t(v));
}
uint32_t unsigned_truncated(uint32_t v, uint32_t, uint32_t, uint64_t) {
    return truncated(v);
}

/// a * b + c of floats, to odd: rounding it to a half is as if that were the only rounding.
uint32_t odd_sum(uint32_t a, uint32_t b, uint32_t c, uint64_t) {
    const auto f = [](uint32_t v) { return double(std::bit_cast<float>(v)); };
    const double sum = wave::add_odd(f(a) * f(b), f(c));
    const uint32_t bits = truncated(sum);
    return bits | uint32_t(double(std::bit_cast<float>(bits)) != sum && !std::isnan(sum));
}

/// sin(v * pi / 2) / v, for v in [-1, 1].
uint32_t sine_quotient(uint32_t bits, uint32_t, uint32_t, uint64_t) {
    constexpr double kHalfPi = 1.57079632679489661923;
    const auto v = double(std::bit_cast<float>(bits));
    return std::bit_cast<uint32_t>(float(v == 0 ? kHalfPi : std::sin(v * kHalfPi) / v));
}

// ---- Operands ----

class Lowering {
  public:
    Lowering(const isa::Instr& i, core::MicroBlock* block) : instr(i), b(block) {}

    const isa::Instr& instr;
    MicroBuilder b;

    static Value constant(uint32_t bits) { return MicroBuilder::constant(bits); }
    Value op(MicroOp o, Value x, Value y = {}, Value z = {}) { return b.op(o, x, y, z); }
    template <uint32_t (*kF)(uint32_t, uint32_t, uint32_t, uint64_t)>
    Value kernel(uint64_t data, Value x, Value y = constant(0), Value z = constant(0)) {
        return b.kernel(each<kF>, data, x, y, z);
    }
    const Operand& src(unsigned n) const { return instr.src[n]; }
    bool is_number(unsigned n, uint32_t value) const {
        return src(n).kind == OperandKind::kImmediate && uint32_t(src(n).value) == value;
    }

    /// The bits, extended to a word with zeros, or with the sign.
    Value word(unsigned n, bool sign = false) {
        const Operand& o = src(n);
        if (o.kind == OperandKind::kImmediate) return constant(uint32_t(o.value));
        const auto row = uint32_t(o.value) / 2;
        const Value whole =
            o.kind == OperandKind::kUniform ? MicroBuilder::uniform(row) : MicroBuilder::reg(row);
        return o.size == 16 ? b.extract(sign, whole, 16 * (unsigned(o.value) & 1), 16) : whole;
    }
    /// An integer source with its .sx.
    Value integer(unsigned n) { return word(n, (src(n).flags & isa::kSignExtend) != 0); }
    Pair wide(unsigned n) {
        const Operand& o = src(n);
        if (o.kind != OperandKind::kImmediate && o.size == 64) {
            const auto row = uint32_t(o.value) / 2;
            if (o.kind == OperandKind::kUniform)
                return {MicroBuilder::uniform(row), MicroBuilder::uniform(row + 1)};
            return {MicroBuilder::reg(row), MicroBuilder::reg(row + 1)};
        }
        const Value low = integer(n);
        return {low,
                o.flags & isa::kSignExtend ? op(MicroOp::ShiftRightSigned, low, constant(31)) : constant(0)};
    }
    /// A float source, as a float of 32 bits.
    Value real(unsigned n) {
        const Operand& o = src(n);
        Value v;
        if (o.kind == OperandKind::kImmediate)
            v = constant(std::bit_cast<uint32_t>(isa::decode_minifloat(uint8_t(o.value))));
        else
            v = o.size == 16 ? op(MicroOp::HalfToFloat, word(n)) : word(n);
        if (o.flags & isa::kAbs) v = op(MicroOp::And, v, constant(~kSign));
        if (o.flags & isa::kNeg) v = op(MicroOp::Xor, v, constant(kSign));
        return v;
    }

    void write(Value v) {
        const Operand& d = instr.dest;
        const auto row = uint32_t(d.value) / 2;
        if (d.size == 16) v = b.insert(MicroBuilder::reg(row), v, 16 * (unsigned(d.value) & 1), 16);
        b.write(row, v);
    }
    void write(Pair v) {
        if (instr.dest.size != 64) return write(v.low);
        const auto row = uint32_t(instr.dest.value) / 2;
        // Both may be computed from the old registers.
        const Value high = op(MicroOp::Copy, v.high);
        b.write(row, v.low);
        b.write(row + 1, high);
    }
    /// Every NaN becomes the same one; a saturated NaN is 0.
    Value finished(Value v) {
        if (instr.saturate()) return b.clamp(v, core::ClampRange::ZeroToOne);
        return op(MicroOp::Select, op(MicroOp::FloatNotEqual, v, v), constant(0x7fc00000), v);
    }
    /// Writes a float of 32 bits.
    void write_real(Value v) {
        v = finished(v);
        write(instr.dest.size == 16 ? op(MicroOp::FloatToHalf, v) : v);
    }
};

// ---- Comparisons ----

Value compare_integers(Lowering& l) {
    const auto k = unsigned(l.instr.int_condition());
    const bool is_signed = k & 4;
    const Value x = l.word(0, is_signed), y = l.word(1, is_signed);
    const MicroOp less = is_signed ? MicroOp::LessSigned : MicroOp::LessUnsigned;
    const unsigned what = k & 3;
    const Value v = what == 0 ? l.op(MicroOp::Equal, x, y) : what == 1 ? l.op(less, x, y) : l.op(less, y, x);
    return k & 8 ? l.op(MicroOp::Not, v) : v;
}
Value compare_floats(Lowering& l) {
    const auto k = unsigned(l.instr.float_condition());
    const Value x = l.real(0), y = l.real(1);
    const auto number_wins = [&](Value v, Value other) {
        return l.op(MicroOp::Or, v, l.op(MicroOp::FloatNotEqual, other, other));
    };
    Value v;
    switch (k & 7) {
        case 0:
            v = l.op(MicroOp::FloatEqual, x, y);
            break;
        case 1:
            v = l.op(MicroOp::FloatLess, x, y);
            break;
        case 2:
            v = l.op(MicroOp::FloatLess, y, x);
            break;
        case 3:
            v = number_wins(l.op(MicroOp::FloatLess, x, y), y);
            break;
        case 5:
            v = l.op(MicroOp::FloatLessEqual, y, x);
            break;
        case 6:
            v = l.op(MicroOp::FloatLessEqual, x, y);
            break;
        default:
            v = number_wins(l.op(MicroOp::FloatLess, y, x), y);
            break;
    }
    return k & 8 ? l.op(MicroOp::Not, v) : v;
}

// ---- Integers ----

Pair shifted_left(Lowering& l, Pair v, unsigned by) {
    if (by == 0) return v;
    if (by > 4) return {Lowering::constant(0), Lowering::constant(0)};
    const auto n = Lowering::constant(by);
    return {l.op(MicroOp::ShiftLeft, v.low, n),
            l.op(MicroOp::Or, l.op(MicroOp::ShiftLeft, v.high, n),
                 l.op(MicroOp::ShiftRight, v.low, Lowering::constant(32 - by)))};
}
Pair sum(Lowering& l, Pair x, Pair y, bool subtracts) {
    if (subtracts) {
        const Value borrow = l.op(MicroOp::LessUnsigned, x.low, y.low);
        return {l.op(MicroOp::Sub, x.low, y.low),
                l.op(MicroOp::Add, l.op(MicroOp::Sub, x.high, y.high), borrow)};
    }
    const Value low = l.op(MicroOp::Add, x.low, y.low);
    const Value carry = l.op(MicroOp::LessUnsigned, low, x.low);
    return {low, l.op(MicroOp::Sub, l.op(MicroOp::Add, x.high, y.high), carry)};
}

/// iadd, isub: a + (b << shift). imadd, imsub: a * b + (c << shift).
void add(Lowering& l, bool multiplies, bool subtracts) {
    const isa::Instr& i = l.instr;
    const unsigned last = multiplies ? 2 : 1;
    bool is_small = i.dest.size <= 32, is_signed = false;
    uint64_t how = 0;
    for (unsigned n = 0; n <= last; ++n) {
        is_small &= i.src[n].size <= 32;
        is_signed |= (i.src[n].flags & isa::kSignExtend) != 0;
    }
    if (i.saturate() && is_small && i.shift() == 0) {
        const unsigned c = multiplies ? 2 : 1;
        how = how_of(i.src[0]) | (multiplies ? how_of(i.src[1]) : 0) << 8 | how_of(i.src[c]) << 16 |
              uint64_t(i.dest.size) << 24 |
              uint64_t(unsigned(!multiplies) | unsigned(subtracts) << 1 | unsigned(is_signed) << 2) << 32;
        return l.write(
            l.kernel<saturating>(how, l.word(0), multiplies ? l.word(1) : Lowering::constant(0), l.word(c)));
    }
    const bool is_wide = i.dest.size == 64;
    Pair first = is_wide || !multiplies ? l.wide(0) : Pair{l.integer(0), {}};
    if (multiplies) {
        const Value x = l.integer(0), y = l.integer(1);
        first.low = l.op(MicroOp::Mul, x, y);
        // As numbers of 32 bits: halves are extended.
        const auto sign = [&](unsigned n) {
            return 64u | unsigned((i.src[n].flags & isa::kSignExtend) != 0);
        };
        if (is_wide) first.high = l.kernel<mul_high>(sign(0) | sign(1) << 8, x, y);
    }
    if (!is_wide) {
        Value second = l.integer(last);
        if (i.src[last].size == 64) second = l.wide(last).low;
        if (!multiplies && i.src[0].size == 64) first.low = l.wide(0).low;
        if (i.shift() > 4) return l.write(first.low);
        if (i.shift()) second = l.op(MicroOp::ShiftLeft, second, Lowering::constant(i.shift()));
        return l.write(l.op(subtracts ? MicroOp::Sub : MicroOp::Add, first.low, second));
    }
    l.write(sum(l, first, shifted_left(l, l.wide(last), i.shift()), subtracts));
}

/// Shifts by a constant, of whole words and of fields, as short operations; the others as kernels.
void fields(Lowering& l) {
    const isa::Instr& i = l.instr;
    const unsigned bits = i.bits() ? i.bits() : 32;
    const uint64_t mask = (uint64_t(1) << bits) - 1;
    const Value x = l.word(0), y = l.word(1), by = l.word(2);
    const bool fixed = by.kind == Value::Kind::Constant && (by.index & 0x7f) < 32;
    const unsigned n = by.index & 0x7f;
    if (i.op == Op::kBfi && fixed) return l.write(l.b.insert(x, y, n, std::min(bits, 32 - n)));
    if (i.op == Op::kBfeil && fixed) {
        const Value field = l.b.extract(false, y, n, std::min(bits, 32 - n));
        return l.write(l.is_number(0, 0) ? field : l.b.insert(x, field, 0, bits));
    }
    if ((i.op == Op::kBfi || i.op == Op::kBfeil) && bits == 32 && l.is_number(0, 0)) {
        const Value amount = l.op(MicroOp::And, by, Lowering::constant(0x7f));
        const Value shifted = l.op(i.op == Op::kBfi ? MicroOp::ShiftLeft : MicroOp::ShiftRight, y, amount);
        const Value small = l.op(MicroOp::LessUnsigned, amount, Lowering::constant(32));
        return l.write(l.op(MicroOp::And, shifted, small));
    }
    static_assert(isa::kOpCount <= 256);
    l.write(l.kernel<bit_field>(uint64_t(i.op) | mask << 8, x, y, by));
}

void truth_table(Lowering& l) {
    const auto table = unsigned(l.instr.truth_table());
    const Value x = l.word(0), y = l.word(1);
    // What does not depend on the first source gives the first one.
    if (table == 3 || table == 12) return l.write(x);
    const Value no_x = l.op(MicroOp::Not, x), no_y = l.op(MicroOp::Not, y);
    Value out = Lowering::constant(0);
    const Value terms[4][2] = {{no_x, no_y}, {x, no_y}, {no_x, y}, {x, y}};
    for (unsigned n = 0; n < 4; ++n)
        if (table >> n & 1) out = l.op(MicroOp::Or, out, l.op(MicroOp::And, terms[n][0], terms[n][1]));
    l.write(out);
}

void convert(Lowering& l) {
    using isa::Conversion;
    const isa::Instr& i = l.instr;
    const Round round = i.round() == isa::Round::kZero ? Round::ToZero : Round::NearestEven;
    const Conversion c = i.conversion();
    const auto from_integer = [&](unsigned bits, bool is_signed) {
        Value v = l.word(0);
        if (bits < 32) v = l.b.extract(is_signed, v, 0, bits);
        // Up to 16 bits every integer is a float.
        if (bits == 32 && round == Round::ToZero)
            v = is_signed ? l.kernel<signed_truncated>(0, v) : l.kernel<unsigned_truncated>(0, v);
        else
            v = l.op(is_signed ? MicroOp::SignedToFloat : MicroOp::UnsignedToFloat, v);
        l.write(i.dest.size == 16 ? core::round_to_half(l.b, v, round) : v);
    };
    const auto to_integer = [&](unsigned bits, bool is_signed) {
        Value v = l.src(0).size == 16 ? l.op(MicroOp::HalfToFloat, l.word(0)) : l.word(0);
        v = l.b.rounded(is_signed ? MicroOp::FloatToSigned : MicroOp::FloatToUnsigned, v, round);
        if (bits == 16 && is_signed)
            v = l.op(MicroOp::MaxSigned, l.op(MicroOp::MinSigned, v, Lowering::constant(0x7fff)),
                     Lowering::constant(uint32_t(-0x8000)));
        else if (bits == 16)
            v = l.op(MicroOp::MinUnsigned, v, Lowering::constant(0xffff));
        l.write(v);
    };
    switch (c) {
        case Conversion::kU8ToF:
        case Conversion::kS8ToF:
            return from_integer(8, c == Conversion::kS8ToF);
        case Conversion::kU16ToF:
        case Conversion::kS16ToF:
            return from_integer(16, c == Conversion::kS16ToF);
        case Conversion::kU32ToF:
        case Conversion::kS32ToF:
            return from_integer(32, c == Conversion::kS32ToF);
        case Conversion::kFToU16:
        case Conversion::kFToS16:
            return to_integer(16, c == Conversion::kFToS16);
        case Conversion::kFToU32:
        case Conversion::kFToS32:
            return to_integer(32, c == Conversion::kFToS32);
    }
}

// ---- Floats ----

/// a * b + c, rounded once, to a half. Products of halves are exact floats.
void half_sum(Lowering& l, Value a, Value b, Value c) {
    bool halves = true;
    for (const Operand& o : l.instr.src)
        halves &= o.kind != OperandKind::kUniform || o.size == 16;
    const Value sum =
        halves ? core::add_to_odd(l.b, l.op(MicroOp::FloatMul, a, b), c) : l.kernel<odd_sum>(0, a, b, c);
    l.write(l.op(MicroOp::FloatToHalf, l.finished(sum)));
}

/// Folds [0, 4) into [-1, 1], so that the sine of a quarter turn stays the same.
Value folded(Lowering& l, Value v) {
    const Value one = Lowering::constant(kOne), two = Lowering::constant(0x40000000),
                three = Lowering::constant(0x40400000), minus_four = Lowering::constant(0xc0800000);
    const Value mirrored = l.op(MicroOp::FloatAdd, two, l.op(MicroOp::Xor, v, Lowering::constant(kSign)));
    const Value last = l.op(MicroOp::FloatAdd, v, minus_four);
    const Value high = l.op(MicroOp::Select, l.op(MicroOp::FloatLess, three, v), last, mirrored);
    return l.op(MicroOp::Select, l.op(MicroOp::FloatLess, one, v), high, v);
}

/// A square root is the product of a number and this: of 0 and infinity it is the number itself.
Value root_factor(Lowering& l, Value v) {
    const Value factor = l.b.kernel(core::float_kernel(core::Function::ReciprocalSqrt), 0, v);
    const Value zero = l.op(MicroOp::FloatEqual, v, Lowering::constant(0)),
                infinite = l.op(MicroOp::FloatEqual, v, Lowering::constant(0x7f800000));
    return l.op(MicroOp::Select, l.op(MicroOp::Or, zero, infinite), v, factor);
}

void function(Lowering& l, core::Function f) {
    l.write_real(l.b.kernel(core::float_kernel(f), 0, l.real(0)));
}

}  // namespace

bool compares(Op op) {
    return op == Op::kIcmpBallot || op == Op::kIcmpQuadBallot || op == Op::kFcmpBallot ||
           op == Op::kFcmpQuadBallot;
}

void lower_condition(const isa::Instr& instr, core::MicroBlock* block) {
    Lowering l(instr, block);
    if (instr.info().has(isa::Field::kIntCondition))
        l.b.write(kConditionRow, compare_integers(l));
    else if (instr.info().has(isa::Field::kFloatCondition))
        l.b.write(kConditionRow, compare_floats(l));
}

void lower(const isa::Instr& i, core::MicroBlock* block) {
    Lowering l(i, block);
    const auto select = [&](Value condition) {
        l.write(l.op(MicroOp::Select, condition, l.word(2), l.word(3)));
    };
    const auto rounded = [&](Round r) { l.write_real(l.b.rounded(MicroOp::FloatRound, l.real(0), r)); };
    const Value zero = Lowering::constant(0);
    switch (i.op) {
        case Op::kMovImm16:
        case Op::kMovImm32:
            return l.write(l.word(0));
        case Op::kIadd:
        case Op::kIsub:
            return add(l, false, i.op == Op::kIsub);
        case Op::kImadd:
        case Op::kImsub:
            return add(l, true, i.op == Op::kImsub);
        case Op::kBfi:
        case Op::kBfeil:
        case Op::kExtr:
        case Op::kShlhi:
        case Op::kShrhi:
            return fields(l);
        case Op::kAsr: {
            const Value by = l.op(MicroOp::And, l.word(1), Lowering::constant(0x7f));
            return l.write(l.op(MicroOp::ShiftRightSigned, l.word(0, true),
                                l.op(MicroOp::MinUnsigned, by, Lowering::constant(31))));
        }
        case Op::kAsrh:
            return l.write(l.kernel<shift_high>(l.src(0).size == 16 ? 16 : 32, l.word(0), l.word(1)));
        case Op::kBitop:
            return truth_table(l);
        case Op::kBitrev:
            return l.write(l.op(MicroOp::ReverseBits, l.word(0)));
        case Op::kPopcount:
            return l.write(l.op(MicroOp::CountBits, l.word(0)));
        case Op::kFfs:
            return l.write(
                l.op(MicroOp::Sub, Lowering::constant(31), l.op(MicroOp::LeadingZeros, l.word(0))));
        case Op::kIntl:
            return l.write(l.kernel<interleave>(0, l.word(0), l.word(1)));
        case Op::kIcmpsel:
            return select(compare_integers(l));
        case Op::kFcmpsel:
            return select(compare_floats(l));
        case Op::kConvert:
            return convert(l);
        case Op::kFadd32:
            return l.write_real(l.op(MicroOp::FloatAdd, l.real(0), l.real(1)));
        case Op::kFmul32:
            // A product of -0 becomes 0.
            return l.write_real(l.op(MicroOp::FloatFma, l.real(0), l.real(1), zero));
        case Op::kFmadd32:
            return l.write_real(l.op(MicroOp::FloatFma, l.real(0), l.real(1), l.real(2)));
        case Op::kFadd16:
            return half_sum(l, l.real(0), Lowering::constant(kOne), l.real(1));
        case Op::kFmul16:
            return half_sum(l, l.real(0), l.real(1), zero);
        case Op::kFmadd16:
            return half_sum(l, l.real(0), l.real(1), l.real(2));
        case Op::kFloor:
            return rounded(Round::Down);
        case Op::kCeil:
            return rounded(Round::Up);
        case Op::kTrunc:
            return rounded(Round::ToZero);
        case Op::kRint:
            return rounded(Round::NearestEven);
        case Op::kRcp:
            return function(l, core::Function::Reciprocal);
        case Op::kRsqrt:
            return function(l, core::Function::ReciprocalSqrt);
        case Op::kLog2:
            return function(l, core::Function::Log2);
        case Op::kExp2:
            return function(l, core::Function::Exp2);
        case Op::kRsqrtSpecial:
            return l.write_real(root_factor(l, l.real(0)));
        case Op::kSinPt1:
            return l.write_real(folded(l, l.real(0)));
        case Op::kSinPt2:
            return l.write_real(l.kernel<sine_quotient>(0, l.real(0)));
        default:
            __builtin_trap();  // program.cpp's kind_of() has no others
    }
}

}  // namespace terrazzo::agx::sim
