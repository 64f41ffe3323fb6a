// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversions between types. Conversions from floats to integers saturate; NaN becomes 0.
#include <array>

#include "drivers/mali/sim/core/context.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

using pipe::float_to_half;
using pipe::half_to_float;

uint32_t bits(float v) {
    return std::bit_cast<uint32_t>(v);
}
template <class F>
void words(Context& c, U32 v, F&& f) {
    c.write(wave::map(v, f));
}
template <class F>
void halves(Context& c, U32 v, F&& f) {
    c.write(wave::map_halves(v, U32{}, U32{}, [&](uint16_t x, uint16_t, uint16_t) { return f(x); }));
}
uint16_t half_of(uint32_t float_bits, Round mode) {
    const float v = std::bit_cast<float>(float_bits);
    return mode == Round::NearestEven ? float_to_half(v) : wave::to_half(double(v), mode);
}
float low_half(uint32_t v) {
    return half_to_float(uint16_t(v));
}

constexpr std::array kRows = {
    HandlerRow{Op::kS8ToS32, [](Context& c) { c.write(c.s32(0)); }},
    HandlerRow{Op::kU8ToU32, [](Context& c) { c.write(c.u32(0)); }},
    HandlerRow{Op::kS8ToF32,
               [](Context& c) { words(c, c.s32(0), [](uint32_t v) { return bits(float(int32_t(v))); }); }},
    HandlerRow{Op::kU8ToF32,
               [](Context& c) { words(c, c.u32(0), [](uint32_t v) { return bits(float(v)); }); }},
    HandlerRow{Op::kV2s8ToV2s16, [](Context& c) { c.write(c.s16(0)); }},
    HandlerRow{Op::kV2u8ToV2u16, [](Context& c) { c.write(c.u16(0)); }},
    HandlerRow{
        Op::kV2s8ToV2f16,
        [](Context& c) { halves(c, c.s16(0), [](uint16_t v) { return float_to_half(float(int16_t(v))); }); }},
    HandlerRow{Op::kV2u8ToV2f16,
               [](Context& c) { halves(c, c.u16(0), [](uint16_t v) { return float_to_half(float(v)); }); }},
    HandlerRow{
        Op::kS16ToS32,
        [](Context& c) { words(c, c.s16(0), [](uint32_t v) { return uint32_t(int32_t(int16_t(v))); }); }},
    HandlerRow{Op::kU16ToU32, [](Context& c) { c.write(c.u16(0) & 0xffffu); }},
    HandlerRow{Op::kS16ToF32,
               [](Context& c) { words(c, c.s16(0), [](uint32_t v) { return bits(float(int16_t(v))); }); }},
    HandlerRow{Op::kU16ToF32,
               [](Context& c) { words(c, c.u16(0), [](uint32_t v) { return bits(float(uint16_t(v))); }); }},
    HandlerRow{Op::kV2s16ToV2f16,
               [](Context& c) {
                   halves(c, c.s16(0), [&](uint16_t v) { return wave::to_half(int16_t(v), c.round_mode()); });
               }},
    HandlerRow{Op::kV2u16ToV2f16,
               [](Context& c) {
                   halves(c, c.u16(0), [&](uint16_t v) { return wave::to_half(v, c.round_mode()); });
               }},
    HandlerRow{Op::kS32ToF32,
               [](Context& c) {
                   words(c, c.s32(0),
                         [&](uint32_t v) { return bits(wave::from_s64(int32_t(v), c.round_mode())); });
               }},
    HandlerRow{Op::kU32ToF32,
               [](Context& c) {
                   words(c, c.u32(0), [&](uint32_t v) { return bits(wave::from_s64(v, c.round_mode())); });
               }},
    HandlerRow{Op::kF16ToS32,
               [](Context& c) {
                   words(c, c.f16(0),
                         [&](uint32_t v) { return uint32_t(wave::to_s32(low_half(v), c.round_mode())); });
               }},
    HandlerRow{Op::kF16ToU32,
               [](Context& c) {
                   words(c, c.f16(0), [&](uint32_t v) { return wave::to_u32(low_half(v), c.round_mode()); });
               }},
    HandlerRow{Op::kF16ToF32,
               [](Context& c) { words(c, wave::as_bits(c.f32(0)), [](uint32_t v) { return v; }); }},
    HandlerRow{Op::kF32ToS32,
               [](Context& c) {
                   words(c, wave::as_bits(c.f32(0)), [&](uint32_t v) {
                       return uint32_t(wave::to_s32(std::bit_cast<float>(v), c.round_mode()));
                   });
               }},
    HandlerRow{Op::kF32ToU32,
               [](Context& c) {
                   words(c, wave::as_bits(c.f32(0)),
                         [&](uint32_t v) { return wave::to_u32(std::bit_cast<float>(v), c.round_mode()); });
               }},
    HandlerRow{Op::kV2f16ToV2s16,
               [](Context& c) {
                   halves(c, c.f16(0),
                          [&](uint16_t v) { return wave::to_s16(half_to_float(v), c.round_mode()); });
               }},
    HandlerRow{Op::kV2f16ToV2u16,
               [](Context& c) {
                   halves(c, c.f16(0),
                          [&](uint16_t v) { return wave::to_u16(half_to_float(v), c.round_mode()); });
               }},
    // The sources are whole words with one float each, although the row declares halves.
    HandlerRow{Op::kV2f32ToV2f16,
               [](Context& c) {
                   const auto source = [&](unsigned i) {
                       U32 v = c.raw(i);
                       if (c.instr.src[i].abs) v &= 0x7fffffffu;
                       if (c.instr.src[i].neg) v ^= 0x80000000u;
                       return v;
                   };
                   c.write_clamped_halves(wave::map(source(0), source(1), [&](uint32_t a, uint32_t b) {
                       return uint32_t(half_of(a, c.round_mode())) | uint32_t(half_of(b, c.round_mode()))
                                                                         << 16;
                   }));
               }},
};

}  // namespace

std::span<const HandlerRow> convert_handlers() {
    return kRows;
}

}  // namespace terrazzo::mali::sim
