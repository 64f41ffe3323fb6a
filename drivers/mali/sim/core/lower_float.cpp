// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Floating point of 32 bits and of pairs of 16 bits, and conversions. Halves are computed as floats and
// rounded once; where that is not exact, in wider types. Denormals are kept.
#include <algorithm>
#include <array>
#include <cmath>

#include "drivers/common/core/functions.h"
#include "drivers/mali/sim/core/lower.h"

namespace terrazzo::mali::sim {

using enum MicroOp;

namespace {

float value(uint32_t bits) {
    return std::bit_cast<float>(bits);
}
uint32_t bits_of(float v) {
    return std::bit_cast<uint32_t>(v);
}
double half(uint32_t bits) {
    return double(pipe::half_to_float(uint16_t(bits)));
}

// ---- Kernels ----

// FLUSH: replaces the values that the modifiers name.
constexpr uint64_t kFlushNans = 1, kQuietNans = 2, kFlushInfinities = 4, kFlushDenormals = 8, kOfHalf = 16;
uint32_t flush(uint32_t v, uint32_t, uint32_t, uint64_t what) {
    const bool of_half = what & kOfHalf;
    const uint32_t exponent = of_half ? 0x7c00u : 0x7f800000u, sign = of_half ? 0x8000u : 0x80000000u;
    const uint32_t quiet = of_half ? 0x0200u : 0x00400000u;
    const uint32_t magnitude = v & (sign - 1), smallest_normal = exponent & ~(exponent << 1);
    if (magnitude > exponent) return what & kFlushNans ? 0 : what & kQuietNans ? v | quiet : v;
    if (magnitude == exponent && (what & kFlushInfinities)) return (v & sign) | (exponent - 1);
    return (what & kFlushDenormals) && magnitude < smallest_normal ? v & sign : v;
}

uint32_t scale(uint32_t v, uint32_t e, uint32_t, uint64_t round) {
    return bits_of(wave::scale(value(v), int32_t(e), Round(round)));
}
uint32_t scale_half(uint32_t v, uint32_t e, uint32_t, uint64_t round) {
    return wave::to_half(std::ldexp(half(v), std::clamp(int32_t(e), -400, 400)), Round(round));
}

// ---- Instructions ----

template <MicroOp kOp>
void two(Lowering& l) {
    l.reals([&](unsigned p) { return l.op(kOp, l.real(0, p), l.real(1, p)); });
}
void fma(Lowering& l) {
    l.reals([&](unsigned p) {
        const Value a = l.real(0, p), b = l.real(1, p), c = l.real(2, p);
        // The product of halves is an exact float.
        return l.bits == 16 ? core::add_to_odd(l.builder(), l.op(FloatMul, a, b), c)
                            : l.op(FloatFma, a, b, c);
    });
}
void add_immediate(Lowering& l) {
    const auto imm = uint32_t(l.instr.immediate(isa::Imm::kConstant));
    l.reals([&](unsigned p) {
        const Value b = l.bits == 16 ? l.constant(bits_of(pipe::half_to_float(uint16_t(imm >> (16 * p)))))
                                     : l.constant(imm);
        return l.op(FloatAdd, l.real(0, p), b);
    });
}
void round(Lowering& l) {
    l.reals([&](unsigned p) { return l.builder().rounded(FloatRound, l.real(0, p), l.round_mode()); });
}
void flush(Lowering& l) {
    uint64_t what = l.bits == 16 ? kOfHalf : 0;
    if (l.instr.nan_mode() == isa::NanMode::kFlush) what |= kFlushNans;
    if (l.instr.nan_mode() == isa::NanMode::kQuiet) what |= kQuietNans;
    if (l.instr.flush_inf()) what |= kFlushInfinities;
    if (l.instr.ftz()) what |= kFlushDenormals;
    l.parts(
        [&](unsigned p) { return l.kernel<flush>(what, l.bits == 16 ? l.half_bits(0, p) : l.real(0, p)); });
}
void split_mantissa(Lowering& l) {
    l.reals([&](unsigned p) { return split(l, l.real(0, p), l.instr.sqrt(), l.instr.log()).mantissa; });
}
void split_exponent(Lowering& l) {
    l.parts([&](unsigned p) { return split(l, l.real(0, p), l.instr.sqrt(), l.instr.log()).exponent; });
}
void ldexp(Lowering& l) {
    const auto round = uint64_t(l.round_mode());
    l.parts([&](unsigned p) {
        return l.bits == 16 ? l.kernel<scale_half>(round, l.half_bits(0, p), l.integer(1, p, true))
                            : l.kernel<scale>(round, l.real(0, p), l.integer(1, p, true));
    });
}

// Saturates; NaN becomes 0.
Value float_to_int(Lowering& l, Value v, bool sign) {
    v = l.builder().rounded(sign ? FloatToSigned : FloatToUnsigned, v, l.round_mode());
    if (l.bits == 32) return v;
    if (!sign) return l.op(MinUnsigned, v, l.constant(0xffff));
    return l.op(MaxSigned, l.op(MinSigned, v, l.constant(0x7fff)), l.constant(0xffff8000u));
}
void convert(Lowering& l) {
    const std::string_view name = l.instr.info().name;
    if (name == "V2F32_TO_V2F16")  // of two words, although the row declares halves
        return l.parts([&](unsigned p) {
            Value v = l.raw(p);
            if (l.instr.src[p].abs) v = l.op(And, v, l.constant(0x7fffffffu));
            if (l.instr.src[p].neg) v = l.op(Xor, v, l.constant(0x80000000u));
            return core::round_to_half(l.builder(), l.clamped(v), l.round_mode());
        });
    const char from = name[name.find_first_of("SUF")];
    l.parts([&](unsigned p) {
        const bool to_float = l.type == 'f', sign = from == 'S';
        if (from == 'F') return to_float ? l.real(0, p) : float_to_int(l, l.real(0, p), l.is_signed());
        const Value v = l.integer(0, p, sign);
        if (!to_float) return v;
        return l.bits == 16 ? core::integer_to_half(l.builder(), v, sign, l.round_mode())
                            : core::integer_to_float(l.builder(), v, sign, l.round_mode());
    });
}

constexpr std::array kRows = {
    LowerRow{"FROUND", round},           LowerRow{"FLUSH", flush},        LowerRow{"FREXPM", split_mantissa},
    LowerRow{"FREXPE", split_exponent},  LowerRow{"FADD", two<FloatAdd>}, LowerRow{"FMIN", two<FloatMin>},
    LowerRow{"FMAX", two<FloatMax>},     LowerRow{"LDEXP", ldexp},        LowerRow{"FMA", fma},
    LowerRow{"FADD_IMM", add_immediate}, LowerRow{"_TO_", convert},
};

}  // namespace

SplitValue split(Lowering& l, Value v, bool sqrt, bool log) {
    constexpr uint32_t kMantissa = 0x007fffff, kSign = 0x80000000u;
    const auto number = [&](uint32_t bits) { return l.constant(bits); };
    const auto exponents = [&](Value n) { return l.op(ShiftLeft, n, number(23)); };
    const Value magnitude = l.op(And, v, number(~kSign));
    const Value is_denormal = l.op(LessUnsigned, magnitude, number(kMantissa + 1));
    const Value normal = l.op(Select, is_denormal, l.op(FloatMul, v, number(bits_of(0x1p32f))), v);
    Value m = l.op(Or, l.op(And, normal, number(kMantissa | kSign)), number(bits_of(0.5f)));
    Value e = l.op(Sub, l.op(And, l.op(ShiftRight, normal, number(23)), number(0xff)), number(126));
    e = l.op(Sub, e, l.op(And, is_denormal, number(32)));
    if (sqrt) {
        const Value odd = l.op(And, e, number(1));
        m = l.op(Sub, m, exponents(odd));
        e = l.op(Add, e, odd);
    }
    if (log) {
        const Value is_low = l.op(LessUnsigned, l.op(And, m, number(~kSign)), number(bits_of(0.75f)));
        m = l.op(Sub, m, exponents(is_low));  // all ones are -1
        e = l.op(Add, e, is_low);
    }
    if (sqrt) e = l.op(ShiftRightSigned, e, number(1));
    const Value splits = l.op(LessUnsigned, l.op(Sub, magnitude, number(1)), number(0x7f7fffff));
    return {l.op(Select, splits, m, v), l.op(And, e, splits)};
}

std::span<const LowerRow> float_rows() {
    return kRows;
}

}  // namespace terrazzo::mali::sim
