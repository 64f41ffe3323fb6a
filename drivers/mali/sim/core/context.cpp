// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Selection and extension of sources, and masks of results. Source of the swizzles' meaning: Mesa 25.0.7,
// src/panfrost/compiler/valhall/ISA.xml.
#include "drivers/mali/sim/core/context.h"

#include <array>

#include "pipe/half.h"

namespace terrazzo::mali::sim {

using isa::Swizzle;

namespace {

// The byte or half that each of up to four parts reads. For halves, bytes are extended (kByte) or halves
// selected (kHalf).
struct Parts {
    enum Kind : uint8_t { kWord, kHalf, kByte } kind = kWord;
    uint8_t part[4] = {};
};

constexpr Parts halves_of(uint8_t a, uint8_t b) {
    return {Parts::kHalf, {a, b}};
}
constexpr Parts bytes_of(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
    return {Parts::kByte, {a, b, c, d}};
}

// The parts of a swizzle: the first letter of a name is the lowest part.
constexpr Parts parts_of(Swizzle s) {
    switch (s) {
        case Swizzle::kNone:
        case Swizzle::kW0:
        case Swizzle::kAnd:
        case Swizzle::kLowbits:
            return {};
        case Swizzle::kH0:
        case Swizzle::kH00:
            return halves_of(0, 0);
        case Swizzle::kH1:
        case Swizzle::kH11:
            return halves_of(1, 1);
        case Swizzle::kH10:
            return halves_of(1, 0);
        case Swizzle::kB0:
        case Swizzle::kB00:
        case Swizzle::kB0000:
            return bytes_of(0, 0, 0, 0);
        case Swizzle::kB1:
        case Swizzle::kB11:
        case Swizzle::kB1111:
            return bytes_of(1, 1, 1, 1);
        case Swizzle::kB2:
        case Swizzle::kB22:
        case Swizzle::kB2222:
            return bytes_of(2, 2, 2, 2);
        case Swizzle::kB3:
        case Swizzle::kB33:
        case Swizzle::kB3333:
            return bytes_of(3, 3, 3, 3);
        case Swizzle::kB10:
            return bytes_of(1, 0, 1, 0);
        case Swizzle::kB20:
            return bytes_of(2, 0, 2, 0);
        case Swizzle::kB30:
            return bytes_of(3, 0, 3, 0);
        case Swizzle::kB01:
        case Swizzle::kB0101:
            return bytes_of(0, 1, 0, 1);
        case Swizzle::kB21:
            return bytes_of(2, 1, 2, 1);
        case Swizzle::kB31:
            return bytes_of(3, 1, 3, 1);
        case Swizzle::kB02:
            return bytes_of(0, 2, 0, 2);
        case Swizzle::kB12:
            return bytes_of(1, 2, 1, 2);
        case Swizzle::kB32:
            return bytes_of(3, 2, 3, 2);
        case Swizzle::kB03:
            return bytes_of(0, 3, 0, 3);
        case Swizzle::kB13:
            return bytes_of(1, 3, 1, 3);
        case Swizzle::kB23:
        case Swizzle::kB2323:
            return bytes_of(2, 3, 2, 3);
        case Swizzle::kB3210:
            return bytes_of(3, 2, 1, 0);
        case Swizzle::kB2301:
            return bytes_of(2, 3, 0, 1);
        case Swizzle::kB1032:
            return bytes_of(1, 0, 3, 2);
        case Swizzle::kB0011:
            return bytes_of(0, 0, 1, 1);
        case Swizzle::kB2233:
            return bytes_of(2, 2, 3, 3);
    }
    return {};
}

U32 half_at(U32 v, uint8_t which) {
    return which ? v >> 16 : v & 0xffffu;
}
U32 byte_at(U32 v, uint8_t which) {
    return v >> (8u * which) & 0xffu;
}
U32 extend(U32 v, unsigned bits, bool sign) {
    return sign ? U32(I32(v << (32 - bits)) >> int(32 - bits)) : v;
}
U32 clamp_half(U32 value, isa::Clamp clamp) {
    return wave::map_halves(value, value, value, [&](uint16_t h, uint16_t, uint16_t) {
        const float v = pipe::half_to_float(h), low = clamp == isa::Clamp::kSigned ? -1.0f : 0.0f;
        const float at_least = v > low ? v : low;  // a NaN becomes the bound
        return pipe::float_to_half(clamp != isa::Clamp::kPositive && at_least > 1.0f ? 1.0f : at_least);
    });
}

constexpr unsigned kLaneSpecial = unsigned(isa::Special::kLaneId),
                   kPcSpecial = unsigned(isa::Special::kProgramCounter);

}  // namespace

U32 Context::raw(unsigned i, bool high) const {
    const isa::Operand& o = instr.src[i];
    switch (o.kind) {
        case isa::OperandKind::kRegister:
            return warp.r[(o.index + high) % kRegisters];
        case isa::OperandKind::kUniform:
            return wave::splat(unsigned(o.index) + high < warp.fau.size() ? warp.fau[unsigned(o.index) + high]
                                                                          : 0);
        case isa::OperandKind::kConstant:
            return wave::splat(isa::constant_table((o.index + high) % 32u));
        case isa::OperandKind::kSpecial:
            break;
    }
    const bool upper = high || o.high_word;
    if (o.index == kLaneSpecial)
        return upper ? U32{} : U32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint64_t value = o.index == kPcSpecial ? next_pc : warp.special[o.index % warp.special.size()];
    return wave::splat(uint32_t(upper ? value >> 32 : value));
}

U32 Context::word(unsigned i, bool sign) const {
    const U32 v = raw(i);
    const Parts p = parts_of(instr.src[i].swizzle);
    U32 out = v;
    if (p.kind == Parts::kHalf) out = extend(half_at(v, p.part[0]), 16, sign);
    if (p.kind == Parts::kByte) out = extend(byte_at(v, p.part[0]), 8, sign);
    return instr.src[i].invert ? ~out : out;
}

F32 Context::f32(unsigned i) const {
    const isa::Operand& o = instr.src[i];
    U32 v = raw(i);
    if (o.swizzle != Swizzle::kNone) {
        const U32 half = half_at(v, parts_of(o.swizzle).part[0]);
        v = wave::map(half,
                      [](uint32_t h) { return std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(h))); });
    }
    if (o.abs) v &= 0x7fffffffu;
    if (o.neg) v ^= 0x80000000u;
    return wave::as_float(v);
}

U32 Context::halves(unsigned i, bool sign) const {
    const U32 v = raw(i);
    const Parts p = parts_of(instr.src[i].swizzle);
    U32 out = v;
    if (p.kind == Parts::kHalf) out = half_at(v, p.part[0]) | half_at(v, p.part[1]) << 16;
    if (p.kind == Parts::kByte)
        out = (extend(byte_at(v, p.part[0]), 8, sign) & 0xffffu) | extend(byte_at(v, p.part[1]), 8, sign)
                                                                       << 16;
    return instr.src[i].invert ? ~out : out;
}

U32 Context::f16(unsigned i) const {
    U32 v = halves(i, false);
    if (instr.src[i].abs) v &= 0x7fff7fffu;
    if (instr.src[i].neg) v ^= 0x80008000u;
    return v;
}

U32 Context::bytes(unsigned i) const {
    const U32 v = raw(i);
    const Parts p = parts_of(instr.src[i].swizzle);
    U32 out = v;
    if (p.kind == Parts::kByte)
        out = byte_at(v, p.part[0]) | byte_at(v, p.part[1]) << 8 | byte_at(v, p.part[2]) << 16 |
              byte_at(v, p.part[3]) << 24;
    return instr.src[i].invert ? ~out : out;
}

Pair Context::wide(unsigned i, bool sign) const {
    const isa::Operand& o = instr.src[i];
    if (o.swizzle == Swizzle::kNone) {
        const Pair p{raw(i), raw(i, true)};
        return o.invert ? Pair{~p.low, ~p.high} : p;
    }
    const U32 low = o.swizzle == Swizzle::kW0 ? raw(i) : word(i, sign);
    const U32 high = sign ? U32(I32(low) >> 31) : U32{};
    return o.invert ? Pair{~low, ~high} : Pair{low, high};
}

U64 Context::u64(unsigned i, bool sign) const {
    const Pair p = wide(i, sign);
    return __builtin_convertvector(p.low, U64) | __builtin_convertvector(p.high, U64) << 32;
}

Round Context::round_mode() const {
    switch (instr.round_mode()) {
        case isa::RoundMode::kRte:
            return Round::NearestEven;
        case isa::RoundMode::kRtp:
            return Round::Up;
        case isa::RoundMode::kRtn:
            return Round::Down;
        case isa::RoundMode::kRtz:
            return Round::ToZero;
    }
    return Round::NearestEven;
}

void Context::write(U32 value) {
    U32& r = warp.r[instr.dest.reg % kRegisters];
    U32 m = mask;
    if (instr.dest.halves == 1) m &= 0x0000ffffu;
    if (instr.dest.halves == 2) m &= 0xffff0000u;
    if (instr.dest.halves == 0) return;
    r = wave::select(m, value, r);
}

void Context::write64(U64 value) {
    const U32 low = __builtin_convertvector(value, U32), high = __builtin_convertvector(value >> 32, U32);
    U32& a = warp.r[instr.dest.reg % kRegisters];
    U32& b = warp.r[(instr.dest.reg + 1) % kRegisters];
    a = wave::select(mask, low, a);
    b = wave::select(mask, high, b);
}

void Context::write_clamped(F32 value) {
    const isa::Clamp clamp = instr.clamp();
    if (clamp != isa::Clamp::kNone) {
        const F32 low = F32{} + (clamp == isa::Clamp::kSigned ? -1.0f : 0.0f), one = F32{} + 1.0f;
        value = wave::select(U32(value > low), value, low);
        if (clamp != isa::Clamp::kPositive) value = wave::select(U32(value > one), one, value);
    }
    write(value);
}

void Context::write_clamped_halves(U32 value) {
    write(instr.clamp() == isa::Clamp::kNone ? value : clamp_half(value, instr.clamp()));
}

Handler handler_of(Op op) {
    static const auto table = [] {
        std::array<Handler, isa::kOpCount> t{};
        for (std::span<const HandlerRow> rows :
             {float_handlers(), half_handlers(), integer_handlers(), small_integer_handlers(), bit_handlers(),
              compare_handlers(), convert_handlers(), special_handlers(), subgroup_handlers()})
            for (const HandlerRow& row : rows)
                t[unsigned(row.op)] = row.run;
        return t;
    }();
    return table[unsigned(op)];
}

bool condition_holds(isa::Condition c, float a, float b) {
    switch (c) {
        case isa::Condition::kEq:
            return a == b;
        case isa::Condition::kGt:
            return a > b;
        case isa::Condition::kGe:
            return a >= b;
        case isa::Condition::kNe:
            return !(a == b);
        case isa::Condition::kLt:
            return a < b;
        case isa::Condition::kLe:
            return a <= b;
        case isa::Condition::kGtlt:
            return a > b || a < b;
        case isa::Condition::kTotal:
            return a == a && b == b;
    }
    return false;
}

bool condition_holds(isa::Condition c, int64_t a, int64_t b) {
    switch (c) {
        case isa::Condition::kEq:
            return a == b;
        case isa::Condition::kGt:
            return a > b;
        case isa::Condition::kGe:
            return a >= b;
        case isa::Condition::kNe:
        case isa::Condition::kGtlt:
            return a != b;
        case isa::Condition::kLt:
            return a < b;
        case isa::Condition::kLe:
            return a <= b;
        case isa::Condition::kTotal:
            return true;
    }
    return false;
}

}  // namespace terrazzo::mali::sim
