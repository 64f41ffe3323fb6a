// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Comparisons, selections by comparison, multiplexers.
#include <array>

#include "drivers/mali/sim/core/context.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

using isa::Condition;
using isa::ResultType;
using pipe::half_to_float;

// The value of true in 8, 16 or 32 bits. Only ICMP_MULTI reads the low half of a 64-bit comparison (u1).
uint32_t true_value(ResultType t, unsigned bits) {
    switch (t) {
        case ResultType::kI1:
        case ResultType::kU1:
            return 1;
        case ResultType::kF1:
            return bits == 32 ? 0x3f800000u : bits == 16 ? 0x3c00u : 1u;
        case ResultType::kM1:
            return bits == 32 ? 0xffffffffu : bits == 16 ? 0xffffu : 0xffu;
    }
    return 0;
}
enum class Join { And, Or };
uint32_t join(Join j, bool holds, uint32_t yes, uint32_t with) {
    return j == Join::And ? (holds ? yes : 0) & with : (holds ? yes : 0) | with;
}

template <class T, Join kJoin>
void compare_int(Context& c) {
    const Condition k = c.instr.condition();
    const uint32_t yes = true_value(c.instr.result_type(), sizeof(T) * 8);
    constexpr bool sign = std::is_signed_v<T>;
    const auto f = [&](auto a, auto b, auto with) {
        return join(kJoin, condition_holds(k, int64_t(T(a)), int64_t(T(b))), yes, with);
    };
    if constexpr (sizeof(T) == 4)
        c.write(wave::map(sign ? c.s32(0) : c.u32(0), sign ? c.s32(1) : c.u32(1), c.raw(2), f));
    else if constexpr (sizeof(T) == 2)
        c.write(wave::map_halves(sign ? c.s16(0) : c.u16(0), sign ? c.s16(1) : c.u16(1), c.u16(2), f));
    else
        c.write(wave::map_bytes(c.bytes(0), c.bytes(1), c.bytes(2), f));
}

// The high words of a 64-bit comparison; the third source is the result of the low words' comparison.
template <class T>
void compare_multi(Context& c) {
    const Condition k = c.instr.condition();
    const uint32_t yes = true_value(c.instr.result_type(), 32);
    constexpr bool sign = std::is_signed_v<T>;
    c.write(wave::map(sign ? c.s32(0) : c.u32(0), sign ? c.s32(1) : c.u32(1), c.raw(2),
                      [&](uint32_t a, uint32_t b, uint32_t low) {
                          const int64_t x = int64_t(T(a)), y = int64_t(T(b));
                          bool holds;
                          if (k == Condition::kNe || k == Condition::kGtlt)
                              holds = x != y || low != 0;
                          else
                              holds = x == y ? low != 0 : k != Condition::kEq && condition_holds(k, x, y);
                          return holds ? yes : 0u;
                      }));
}

template <Join kJoin>
void compare_f32(Context& c) {
    const Condition k = c.instr.condition();
    const uint32_t yes = true_value(c.instr.result_type(), 32);
    c.write(wave::map(wave::as_bits(c.f32(0)), wave::as_bits(c.f32(1)), c.raw(2),
                      [&](uint32_t a, uint32_t b, uint32_t with) {
                          return join(kJoin,
                                      condition_holds(k, std::bit_cast<float>(a), std::bit_cast<float>(b)),
                                      yes, with);
                      }));
}
template <Join kJoin>
void compare_f16(Context& c) {
    const Condition k = c.instr.condition();
    const uint32_t yes = true_value(c.instr.result_type(), 16);
    c.write(wave::map_halves(c.f16(0), c.f16(1), c.u16(2), [&](uint16_t a, uint16_t b, uint16_t with) {
        return join(kJoin, condition_holds(k, half_to_float(a), half_to_float(b)), yes, with);
    }));
}

// Comparing src0 with src1 selects src2 or src3.
template <class Holds>
void select_words(Context& c, Holds&& holds) {
    const U32 a = c.raw(0), b = c.raw(1);
    U32 choose;
    for (unsigned i = 0; i < wave::kLanes; ++i)
        choose[i] = holds(a[i], b[i]) ? ~0u : 0;
    c.write(wave::select(choose, c.raw(2), c.raw(3)));
}
template <class Holds>
void select_halves(Context& c, Holds&& holds) {
    const U32 a = c.raw(0), b = c.raw(1);
    U32 choose;
    for (unsigned i = 0; i < wave::kLanes; ++i)
        choose[i] = (holds(uint16_t(a[i]), uint16_t(b[i])) ? 0xffffu : 0) |
                    (holds(uint16_t(a[i] >> 16), uint16_t(b[i] >> 16)) ? 0xffff0000u : 0);
    c.write(wave::select(choose, c.raw(2), c.raw(3)));
}
template <class T>
void select_int(Context& c) {
    const Condition k = c.instr.condition();
    const auto holds = [&](auto a, auto b) { return condition_holds(k, int64_t(T(a)), int64_t(T(b))); };
    if constexpr (sizeof(T) == 4)
        select_words(c, holds);
    else
        select_halves(c, holds);
}

// MUX: the third source selects, for each part.
bool chooses(isa::Mux m, uint32_t v, unsigned bits) {
    const uint32_t sign = 1u << (bits - 1);
    switch (m) {
        case isa::Mux::kNeg:
            return v & sign;
        case isa::Mux::kIntZero:
            return v == 0;
        case isa::Mux::kFpZero:
            return (v & ~sign) == 0;
        case isa::Mux::kBit:
            return false;
    }
    return false;
}
uint32_t mux(isa::Mux m, uint32_t a, uint32_t b, uint32_t v, unsigned bits) {
    return m == isa::Mux::kBit ? (a & v) | (b & ~v) : chooses(m, v, bits) ? a : b;
}

constexpr std::array kRows = {
    HandlerRow{Op::kMuxI32,
               [](Context& c) {
                   c.write(wave::map(c.raw(0), c.raw(1), c.raw(2), [&](uint32_t a, uint32_t b, uint32_t v) {
                       return mux(c.instr.mux(), a, b, v, 32);
                   }));
               }},
    HandlerRow{Op::kMuxV2i16,
               [](Context& c) {
                   c.write(wave::map_halves(
                       c.u16(0), c.u16(1), c.u16(2),
                       [&](uint16_t a, uint16_t b, uint16_t v) { return mux(c.instr.mux(), a, b, v, 16); }));
               }},
    HandlerRow{Op::kMuxV4i8,
               [](Context& c) {
                   c.write(wave::map_bytes(
                       c.bytes(0), c.bytes(1), c.bytes(2),
                       [&](uint8_t a, uint8_t b, uint8_t v) { return mux(c.instr.mux(), a, b, v, 8); }));
               }},
    HandlerRow{Op::kIcmpOrU32, compare_int<uint32_t, Join::Or>},
    HandlerRow{Op::kIcmpAndU32, compare_int<uint32_t, Join::And>},
    HandlerRow{Op::kIcmpMultiU32, compare_multi<uint32_t>},
    HandlerRow{Op::kIcmpOrV2u16, compare_int<uint16_t, Join::Or>},
    HandlerRow{Op::kIcmpAndV2u16, compare_int<uint16_t, Join::And>},
    HandlerRow{Op::kIcmpOrV4u8, compare_int<uint8_t, Join::Or>},
    HandlerRow{Op::kIcmpAndV4u8, compare_int<uint8_t, Join::And>},
    HandlerRow{Op::kIcmpOrS32, compare_int<int32_t, Join::Or>},
    HandlerRow{Op::kIcmpAndS32, compare_int<int32_t, Join::And>},
    HandlerRow{Op::kIcmpMultiS32, compare_multi<int32_t>},
    HandlerRow{Op::kIcmpOrV2s16, compare_int<int16_t, Join::Or>},
    HandlerRow{Op::kIcmpAndV2s16, compare_int<int16_t, Join::And>},
    HandlerRow{Op::kIcmpOrV4s8, compare_int<int8_t, Join::Or>},
    HandlerRow{Op::kIcmpAndV4s8, compare_int<int8_t, Join::And>},
    HandlerRow{Op::kFcmpOrF32, compare_f32<Join::Or>},
    HandlerRow{Op::kFcmpAndF32, compare_f32<Join::And>},
    HandlerRow{Op::kFcmpOrV2f16, compare_f16<Join::Or>},
    HandlerRow{Op::kFcmpAndV2f16, compare_f16<Join::And>},
    HandlerRow{Op::kCselU32, select_int<uint32_t>},
    HandlerRow{Op::kCselS32, select_int<int32_t>},
    HandlerRow{Op::kCselV2u16, select_int<uint16_t>},
    HandlerRow{Op::kCselV2s16, select_int<int16_t>},
    HandlerRow{Op::kCselF32,
               [](Context& c) {
                   const Condition k = c.instr.condition();
                   select_words(c, [&](uint32_t a, uint32_t b) {
                       return condition_holds(k, std::bit_cast<float>(a), std::bit_cast<float>(b));
                   });
               }},
    HandlerRow{Op::kCselV2f16,
               [](Context& c) {
                   const Condition k = c.instr.condition();
                   select_halves(c, [&](uint16_t a, uint16_t b) {
                       return condition_holds(k, half_to_float(a), half_to_float(b));
                   });
               }},
};

}  // namespace

std::span<const HandlerRow> compare_handlers() {
    return kRows;
}

}  // namespace terrazzo::mali::sim
