// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integers of 8, 16, 32 and 64 bits, shifts and logic, comparisons and selections. Parts of 8 and 16 bits
// are computed in 32 bits, of which the low ones are kept.
#include <algorithm>
#include <array>
#include <limits>

#include "drivers/common/core/functions.h"
#include "drivers/mali/sim/core/lower.h"

namespace terrazzo::mali::sim {

using isa::Condition;
using enum MicroOp;

namespace {

// ---- Kernels ----

uint32_t high_of_product(uint32_t a, uint32_t b, uint32_t, uint64_t sign) {
    const uint64_t product = sign ? uint64_t(int64_t(int32_t(a)) * int32_t(b)) : uint64_t(a) * b;
    return uint32_t(product >> 32);
}

constexpr uint64_t kShiftLeft = 1, kShiftSigned = 2, kHighWord = 4;
uint32_t shift_64(uint32_t low, uint32_t high, uint32_t amount, uint64_t how) {
    const uint64_t v = uint64_t(high) << 32 | low;
    const uint64_t out = how & kShiftLeft     ? v << (amount & 63)
                         : how & kShiftSigned ? uint64_t(int64_t(v) >> (amount & 63))
                                              : v >> (amount & 63);
    return uint32_t(how & kHighWord ? out >> 32 : out);
}

// ---- Sums and products ----

// A sum or product of parts, which 32 bits hold, saturated.
Value fit(Lowering& l, Value v) {
    const uint32_t high = (1u << (l.bits - l.is_signed())) - 1;
    return l.op(MaxSigned, l.op(MinSigned, v, l.constant(high)), l.constant(l.is_signed() ? ~high : 0));
}
// The largest or smallest integer, by the sign of `like`.
Value bound(Lowering& l, Value like) {
    return l.op(Xor, l.sign_of(like), l.constant(0x7fffffffu));
}
// Whether a signed sum or difference has overflowed, from the (high) words.
Value overflows(Lowering& l, bool minus, Value a, Value b, Value out) {
    return l.sign_of(l.op(And, l.op(Xor, a, out), l.op(Xor, minus ? a : out, b)));
}

Pair sum(Lowering& l, bool minus, Pair a, Pair b) {
    const Value low = l.op(minus ? Sub : Add, a.low, b.low);
    const Value carry = minus ? l.op(LessUnsigned, a.low, b.low) : l.op(LessUnsigned, low, a.low);
    return {low, l.op(minus ? Add : Sub, l.op(minus ? Sub : Add, a.high, b.high), carry)};
}
Value less(Lowering& l, Pair a, Pair b) {
    const Value equal = l.op(And, l.op(Equal, a.high, b.high), l.op(LessUnsigned, a.low, b.low));
    return l.op(Or, l.op(LessUnsigned, a.high, b.high), equal);
}

template <bool kMinus>
void add_wide(Lowering& l) {
    const Pair a = l.wide(0, l.is_signed()), b = l.wide(1, l.is_signed());
    Pair out = sum(l, kMinus, a, b);
    if (!l.instr.saturate()) return l.write(out);
    if (l.is_signed()) {
        const Value over = overflows(l, kMinus, a.high, b.high, out.high);
        out.low = l.op(Select, over, l.invert(l.sign_of(a.high)), out.low);
        out.high = l.op(Select, over, bound(l, a.high), out.high);
    } else {
        const Value over = kMinus ? less(l, a, b) : less(l, out, a);
        for (Value* word : {&out.low, &out.high})
            *word = kMinus ? l.op(And, *word, l.invert(over)) : l.op(Or, *word, over);
    }
    l.write(out);
}
template <bool kMinus>
void add(Lowering& l) {
    if (l.bits == 64) return add_wide<kMinus>(l);
    l.parts([&](unsigned p) {
        const Value a = l.integer(0, p, l.is_signed()), b = l.integer(1, p, l.is_signed());
        const Value out = l.op(kMinus ? Sub : Add, a, b);
        if (!l.instr.saturate()) return out;
        if (l.bits < 32) return fit(l, out);
        if (l.is_signed()) return l.op(Select, overflows(l, kMinus, a, b, out), bound(l, a), out);
        return kMinus ? l.op(Sub, l.op(MaxUnsigned, a, b), b) : l.op(Or, out, l.op(LessUnsigned, out, a));
    });
}
void multiply(Lowering& l) {
    const bool sign = l.is_signed();
    l.parts([&](unsigned p) {
        const Value a = l.integer(0, p, sign), b = l.integer(1, p, sign), out = l.op(Mul, a, b);
        if (!l.instr.saturate()) return out;
        if (l.bits < 32) return sign ? fit(l, out) : l.op(MinUnsigned, out, l.constant((1u << l.bits) - 1));
        const Value high = l.kernel<high_of_product>(sign, a, b);
        if (!sign) return l.op(Select, high, l.constant(~0u), out);
        return l.op(Select, l.op(NotEqual, high, l.sign_of(out)), bound(l, l.op(Xor, a, b)), out);
    });
}
void multiply_words(Lowering& l) {
    const Value a = l.wide(0, false).low, b = l.wide(1, false).low;
    l.write(Pair{l.op(Mul, a, b), l.kernel<high_of_product>(0, a, b)});
}
void average(Lowering& l) {
    l.parts([&](unsigned p) {
        const Value a = l.integer(0, p, l.is_signed()), b = l.integer(1, p, l.is_signed());
        const Value half =
            l.op(l.is_signed() ? ShiftRightSigned : ShiftRight, l.op(Xor, a, b), l.constant(1));
        return l.instr.rhadd() ? l.op(Sub, l.op(Or, a, b), half) : l.op(Add, l.op(And, a, b), half);
    });
}
void add_immediate(Lowering& l) {
    const auto imm = uint32_t(l.instr.immediate(isa::Imm::kConstant));
    l.parts([&](unsigned p) { return l.op(Add, l.integer(0, p, false), l.constant(imm >> (p * l.bits))); });
}
void absolute(Lowering& l) {
    l.parts([&](unsigned p) {
        const Value v = l.integer(0, p, true);
        return l.op(MaxSigned, v, l.op(Sub, l.constant(0), v));
    });
}
void shift_and_add(Lowering& l) {
    const Pair a = l.wide(0, l.is_signed());
    Pair b = l.wide(1, l.is_signed());
    if (const auto by = uint32_t(l.instr.immediate(isa::Imm::kShift))) {
        const Value carried = l.op(ShiftRight, b.low, l.constant(32 - by));
        b = {l.op(ShiftLeft, b.low, l.constant(by)),
             l.op(Or, l.op(ShiftLeft, b.high, l.constant(by)), carried)};
    }
    l.write(sum(l, false, a, b));
}
// Optionally keeps a null pointer.
void segment_add(Lowering& l) {
    const Pair a = l.wide(0, false);
    Pair out = sum(l, l.instr.neg(), a, l.wide(1, false));
    if (l.instr.preserve_null()) {
        const Value keeps = l.op(NotEqual, l.op(Or, a.low, a.high), l.constant(0));
        out = {l.op(And, out.low, keeps), l.op(And, out.high, keeps)};
    }
    l.write(out);
}
void dot_product(Lowering& l) {
    const core::DotProduct dot{l.is_signed(), l.is_signed(), l.instr.saturate()};
    l.write(core::dot_product(l.builder(), dot, l.raw(0), l.raw(1), l.raw(2)));
}

// ---- Bits ----

void move(Lowering& l) {
    l.write(l.raw(0));
}
void leading_zeros(Lowering& l) {
    l.parts([&](unsigned p) {
        return l.op(Sub, l.op(LeadingZeros, l.integer(0, p, false)), l.constant(32 - l.bits));
    });
}
template <MicroOp kOp>
void one(Lowering& l) {
    l.write(l.op(kOp, l.raw(0)));
}
void invert(Lowering& l) {
    if (l.bits == 32) return l.write(l.invert(l.raw(0)));
    const Pair v = l.wide(0, false);
    l.write(Pair{l.invert(v.low), l.invert(v.high)});
}
// Two halves; or two bytes as the low half, and the low half of the third source.
void make_vector(Lowering& l) {
    const Value a = l.integer(0, 0, false), b = l.integer(1, 0, false);
    if (l.bits == 16) return l.write(l.builder().insert(a, b, 16, 16));
    l.write(l.builder().insert(l.builder().insert(a, b, 8, 8), l.raw(2), 16, 16));
}
template <MicroOp kLogic, bool kLeft>
void shift(Lowering& l) {
    const bool sign = l.instr.is_signed() && !kLeft;
    const auto logic = [&](Value shifted, Value with) {
        const Value out = l.op(kLogic, shifted, with);
        return l.instr.not_result() ? l.invert(out) : out;
    };
    if (l.bits == 64) {
        const Pair v = l.wide(0, sign), with = l.wide(2, false);
        const Value by = l.integer(1, 0, false);
        const uint64_t how = (kLeft ? kShiftLeft : 0) | (sign ? kShiftSigned : 0);
        return l.write(Pair{logic(l.kernel<shift_64>(how, v.low, v.high, by), with.low),
                            logic(l.kernel<shift_64>(how | kHighWord, v.low, v.high, by), with.high)});
    }
    l.parts([&](unsigned p) {
        const Value by = l.op(And, l.integer(1, p, false), l.constant(l.bits - 1));
        const MicroOp op = kLeft ? ShiftLeft : sign ? ShiftRightSigned : ShiftRight;
        return logic(l.op(op, l.integer(0, p, sign), by), l.integer(2, p, false));
    });
}

// ---- Comparisons and selections ----

// True in 8, 16 or 32 bits. Only ICMP_MULTI reads the low half of a 64-bit comparison (u1).
Value true_value(const Lowering& l) {
    switch (l.instr.result_type()) {
        case isa::ResultType::kI1:
        case isa::ResultType::kU1:
            return l.constant(1);
        case isa::ResultType::kF1:
            return l.constant(l.bits == 32 ? 0x3f800000u : l.bits == 16 ? 0x3c00u : 1u);
        case isa::ResultType::kM1:
            return l.constant(~0u);
    }
    return l.constant(0);
}
Value holds(Lowering& l, unsigned p) {
    const auto source = [&](unsigned i) {
        return l.type == 'f' ? l.real(i, p) : l.integer(i, p, l.is_signed());
    };
    return l.compare(l.instr.condition(), source(0), source(1), l.type);
}
template <MicroOp kJoin>
void compare(Lowering& l) {
    l.parts([&](unsigned p) {
        return l.op(kJoin, l.op(And, holds(l, p), true_value(l)), l.integer(2, p, false));
    });
}
// The high words of a 64-bit comparison; the third source is the result of the low words' comparison.
void compare_high(Lowering& l) {
    const Condition k = l.instr.condition();
    const Value a = l.integer(0, 0, l.is_signed()), b = l.integer(1, 0, l.is_signed());
    const Value low = l.op(NotEqual, l.raw(2), l.constant(0));
    Value out = k == Condition::kEq ? l.constant(0) : l.compare(k, a, b, l.type);
    out = k == Condition::kNe || k == Condition::kGtlt ? l.op(Or, out, low)
                                                       : l.op(Select, l.op(Equal, a, b), low, out);
    l.write(l.op(And, out, true_value(l)));
}
void select(Lowering& l) {
    l.parts([&](unsigned p) {
        return l.op(Select, holds(l, p), l.integer(2, p, false), l.integer(3, p, false));
    });
}
// The third source selects, for each part.
void mux(Lowering& l) {
    l.parts([&](unsigned p) {
        const Value a = l.integer(0, p, false), b = l.integer(1, p, false), v = l.integer(2, p, false);
        const uint32_t sign = 1u << (l.bits - 1);
        switch (l.instr.mux()) {
            case isa::Mux::kNeg:
                return l.op(Select, l.op(And, v, l.constant(sign)), a, b);
            case isa::Mux::kIntZero:
                return l.op(Select, v, b, a);
            case isa::Mux::kFpZero:
                return l.op(Select, l.op(And, v, l.constant(sign - 1)), b, a);
            case isa::Mux::kBit:
                break;
        }
        return l.op(Or, l.op(And, a, v), l.op(And, b, l.invert(v)));
    });
}

constexpr std::array kRows = {
    LowerRow{"IABS", absolute},
    LowerRow{"IADD", add<false>},
    LowerRow{"ISUB", add<true>},
    LowerRow{"IMUL", multiply},
    LowerRow{"IMULD", multiply_words},
    LowerRow{"HADD", average},
    LowerRow{"IDP", dot_product},
    LowerRow{"IADD_IMM", add_immediate},
    LowerRow{"SHADDX", shift_and_add},
    LowerRow{"SEG_ADD", segment_add},
    LowerRow{"MOV", move},
    LowerRow{"CLZ", leading_zeros},
    LowerRow{"POPCOUNT", one<CountBits>},
    LowerRow{"BITREV", one<ReverseBits>},
    LowerRow{"NOT_OLD", invert},
    LowerRow{"MKVEC", make_vector},
    LowerRow{"RSHIFT_AND", shift<And, false>},
    LowerRow{"RSHIFT_OR", shift<Or, false>},
    LowerRow{"RSHIFT_XOR", shift<Xor, false>},
    LowerRow{"LSHIFT_AND", shift<And, true>},
    LowerRow{"LSHIFT_OR", shift<Or, true>},
    LowerRow{"LSHIFT_XOR", shift<Xor, true>},
    LowerRow{"ICMP_OR", compare<Or>},
    LowerRow{"ICMP_AND", compare<And>},
    LowerRow{"FCMP_OR", compare<Or>},
    LowerRow{"FCMP_AND", compare<And>},
    LowerRow{"ICMP_MULTI", compare_high},
    LowerRow{"CSEL", select},
    LowerRow{"MUX", mux},
};

}  // namespace

std::span<const LowerRow> integer_rows() {
    return kRows;
}

}  // namespace terrazzo::mali::sim
