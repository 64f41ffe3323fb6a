// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Moves, shifts with a logic operation, bit counts, vectors of parts.
#include <array>
#include <bit>

#include "drivers/mali/sim/core/context.h"

namespace terrazzo::mali::sim {

namespace {

enum class Logic { And, Or, Xor };

template <class T, Logic kLogic, bool kLeft>
T shift_logic(T value, uint32_t amount, T with, const isa::Instr& i) {
    amount &= sizeof(T) * 8 - 1;
    const T shifted = kLeft           ? T(value << amount)
                      : i.is_signed() ? T(std::make_signed_t<T>(value) >> amount)
                                      : T(value >> amount);
    const T out = kLogic == Logic::And  ? T(shifted & with)
                  : kLogic == Logic::Or ? T(shifted | with)
                                        : T(shifted ^ with);
    return i.not_result() ? T(~out) : out;
}

template <unsigned kBits, Logic kLogic, bool kLeft>
void run(Context& c) {
    const isa::Instr& i = c.instr;
    if constexpr (kBits == 32) {
        c.write(wave::map(i.is_signed() && !kLeft ? c.s32(0) : c.u32(0), c.bytes(1), c.u32(2),
                          [&](uint32_t v, uint32_t s, uint32_t w) {
                              return shift_logic<uint32_t, kLogic, kLeft>(v, s & 0xffu, w, i);
                          }));
    } else if constexpr (kBits == 16) {
        c.write(wave::map_halves(i.is_signed() && !kLeft ? c.s16(0) : c.u16(0), c.bytes(1), c.u16(2),
                                 [&](uint16_t v, uint16_t s, uint16_t w) {
                                     return shift_logic<uint16_t, kLogic, kLeft>(v, s & 0xffu, w, i);
                                 }));
    } else if constexpr (kBits == 8) {
        c.write(wave::map_bytes(c.bytes(0), c.bytes(1), c.bytes(2), [&](uint8_t v, uint8_t s, uint8_t w) {
            return shift_logic<uint8_t, kLogic, kLeft>(v, s, w, i);
        }));
    } else {
        const U64 v = c.u64(0, i.is_signed() && !kLeft), w = c.u64(2, false);
        const U32 s = c.bytes(1);
        U64 out;
        for (unsigned l = 0; l < wave::kLanes; ++l)
            out[l] = shift_logic<uint64_t, kLogic, kLeft>(v[l], s[l] & 0xffu, w[l], i);
        c.write64(out);
    }
}

uint32_t reverse(uint32_t v) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; ++i)
        out |= (v >> i & 1) << (31 - i);
    return out;
}

constexpr std::array kBitRows = {
    HandlerRow{Op::kMovI32, [](Context& c) { c.write(c.u32(0)); }},
    HandlerRow{Op::kClzU32,
               [](Context& c) {
                   c.write(wave::map(c.u32(0), [](uint32_t v) { return uint32_t(std::countl_zero(v)); }));
               }},
    HandlerRow{Op::kClzV2u16,
               [](Context& c) {
                   c.write(wave::map_halves(c.u16(0), U32{}, U32{}, [](uint16_t v, uint16_t, uint16_t) {
                       return std::countl_zero(v);
                   }));
               }},
    HandlerRow{Op::kClzV4u8,
               [](Context& c) {
                   c.write(wave::map_bytes(c.bytes(0), U32{}, U32{},
                                           [](uint8_t v, uint8_t, uint8_t) { return std::countl_zero(v); }));
               }},
    HandlerRow{Op::kPopcountI32,
               [](Context& c) {
                   c.write(wave::map(c.u32(0), [](uint32_t v) { return uint32_t(std::popcount(v)); }));
               }},
    HandlerRow{Op::kBitrevI32, [](Context& c) { c.write(wave::map(c.u32(0), reverse)); }},
    HandlerRow{Op::kNotOldI32, [](Context& c) { c.write(~c.u32(0)); }},
    HandlerRow{Op::kNotOldI64, [](Context& c) { c.write64(~c.u64(0, false)); }},
    HandlerRow{Op::kMkvecV2i16, [](Context& c) { c.write((c.u16(0) & 0xffffu) | c.u16(1) << 16); }},
    // The low half consists of two bytes; the high half is the low half of the third source.
    HandlerRow{Op::kMkvecV2i8,
               [](Context& c) { c.write((c.u32(0) & 0xffu) | (c.u32(1) & 0xffu) << 8 | c.raw(2) << 16); }},
#define SHIFTS(part, bits)                                                        \
    HandlerRow{Op::kRshiftAnd##part, run<bits, Logic::And, false>},               \
        HandlerRow{Op::kRshiftOr##part, run<bits, Logic::Or, false>},             \
        HandlerRow{Op::kRshiftXor##part, run<bits, Logic::Xor, false>},           \
        HandlerRow{Op::kLshiftAnd##part, run<bits, Logic::And, true>},            \
        HandlerRow{Op::kLshiftOr##part, run<bits, Logic::Or, true>}, HandlerRow { \
        Op::kLshiftXor##part, run<bits, Logic::Xor, true>                         \
    }
    SHIFTS(I32, 32),
    SHIFTS(V2i16, 16),
    SHIFTS(V4i8, 8),
    SHIFTS(I64, 64),
#undef SHIFTS
};

}  // namespace

std::span<const HandlerRow> bit_handlers() {
    return kBitRows;
}

}  // namespace terrazzo::mali::sim
