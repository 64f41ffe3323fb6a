// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integer arithmetic of 8, 16, 32 and 64 bits.
#include <algorithm>
#include <array>
#include <limits>

#include "drivers/mali/sim/core/context.h"

namespace terrazzo::mali::sim {

namespace {

// The result of wide arithmetic, wrapped or saturated to T.
template <class T>
T fit(int64_t v, bool saturate) {
    if (saturate) v = std::clamp<int64_t>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    return T(v);
}
enum class Arithmetic { Add, Sub, Mul, Average };
template <class T, Arithmetic kOp>
T arithmetic(T a, T b, const isa::Instr& i) {
    const int64_t x = int64_t(a), y = int64_t(b);
    switch (kOp) {
        case Arithmetic::Add:
            return fit<T>(x + y, i.saturate());
        case Arithmetic::Sub:
            return fit<T>(x - y, i.saturate());
        case Arithmetic::Mul:
            if constexpr (sizeof(T) == 4) {  // unsigned products do not fit into int64_t
                if (std::is_unsigned_v<T>) {
                    const uint64_t p = uint64_t(uint32_t(a)) * uint32_t(b);
                    return i.saturate() && p > 0xffffffffu ? T(0xffffffffu) : T(p);
                }
            }
            return fit<T>(x * y, i.saturate());
        case Arithmetic::Average:
            return T((x + y + (i.rhadd() ? 1 : 0)) >> 1);
    }
    return a;
}

template <class T, Arithmetic kOp>
void run(Context& c) {
    const auto f = [&](auto a, auto b) { return arithmetic<T, kOp>(T(a), T(b), c.instr); };
    constexpr bool sign = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 4)
        c.write(wave::map(sign ? c.s32(0) : c.u32(0), sign ? c.s32(1) : c.u32(1),
                          [&](uint32_t a, uint32_t b) { return uint32_t(f(a, b)); }));
    else if constexpr (sizeof(T) == 2)
        c.write(wave::map_halves(sign ? c.s16(0) : c.u16(0), sign ? c.s16(1) : c.u16(1), U32{},
                                 [&](uint16_t a, uint16_t b, uint16_t) { return f(a, b); }));
    else
        c.write(wave::map_bytes(c.bytes(0), c.bytes(1), U32{},
                                [&](uint8_t a, uint8_t b, uint8_t) { return f(a, b); }));
}

uint64_t saturating_add(uint64_t a, uint64_t b, bool sign) {
    const uint64_t sum = a + b;
    if (!sign) return sum < a ? ~0ull : sum;
    const bool overflow = (~(a ^ b) & (a ^ sum)) >> 63;
    return overflow ? (a >> 63 ? 1ull << 63 : ~(1ull << 63)) : sum;
}
uint64_t saturating_sub(uint64_t a, uint64_t b, bool sign) {
    if (!sign) return a < b ? 0 : a - b;
    const uint64_t difference = a - b;
    const bool overflow = ((a ^ b) & (a ^ difference)) >> 63;
    return overflow ? (a >> 63 ? 1ull << 63 : ~(1ull << 63)) : difference;
}
template <bool kSigned, bool kSubtract>
void run64(Context& c) {
    const U64 a = c.u64(0, kSigned), b = c.u64(1, kSigned);
    U64 out = kSubtract ? a - b : a + b;
    if (c.instr.saturate())
        for (unsigned i = 0; i < wave::kLanes; ++i)
            out[i] = kSubtract ? saturating_sub(a[i], b[i], kSigned) : saturating_add(a[i], b[i], kSigned);
    c.write64(out);
}
template <bool kSigned>
void shift_add(Context& c) {
    c.write64(c.u64(0, kSigned) + (c.u64(1, kSigned) << uint64_t(c.instr.immediate(isa::Imm::kShift))));
}

template <bool kSigned>
void dot(Context& c) {
    c.write(wave::map(c.bytes(0), c.bytes(1), c.raw(2), [&](uint32_t a, uint32_t b, uint32_t accumulator) {
        int64_t sum = kSigned ? int64_t(int32_t(accumulator)) : int64_t(accumulator);
        for (unsigned s = 0; s < 32; s += 8)
            sum += kSigned ? int64_t(int8_t(a >> s)) * int8_t(b >> s)
                           : int64_t(uint8_t(a >> s)) * uint8_t(b >> s);
        return kSigned ? uint32_t(fit<int32_t>(sum, c.instr.saturate()))
                       : fit<uint32_t>(sum, c.instr.saturate());
    }));
}

uint32_t immediate(const Context& c) {
    return uint32_t(c.instr.immediate(isa::Imm::kConstant));
}

constexpr std::array kInteger = {
    HandlerRow{Op::kIabsS32,
               [](Context& c) {
                   c.write(wave::map(c.s32(0), [](uint32_t v) { return int32_t(v) < 0 ? 0u - v : v; }));
               }},
    HandlerRow{Op::kIaddU32,
               [](Context& c) {
                   c.instr.saturate() ? run<uint32_t, Arithmetic::Add>(c) : c.write(c.u32(0) + c.u32(1));
               }},
    HandlerRow{Op::kIsubU32,
               [](Context& c) {
                   c.instr.saturate() ? run<uint32_t, Arithmetic::Sub>(c) : c.write(c.u32(0) - c.u32(1));
               }},
    HandlerRow{Op::kImulI32,
               [](Context& c) {
                   c.instr.saturate() ? run<uint32_t, Arithmetic::Mul>(c) : c.write(c.u32(0) * c.u32(1));
               }},
    HandlerRow{Op::kHaddU32, run<uint32_t, Arithmetic::Average>},
    HandlerRow{Op::kIaddS32,
               [](Context& c) {
                   c.instr.saturate() ? run<int32_t, Arithmetic::Add>(c) : c.write(c.s32(0) + c.s32(1));
               }},
    HandlerRow{Op::kIsubS32,
               [](Context& c) {
                   c.instr.saturate() ? run<int32_t, Arithmetic::Sub>(c) : c.write(c.s32(0) - c.s32(1));
               }},
    HandlerRow{Op::kImulS32,
               [](Context& c) {
                   c.instr.saturate() ? run<int32_t, Arithmetic::Mul>(c) : c.write(c.s32(0) * c.s32(1));
               }},
    HandlerRow{Op::kHaddS32, run<int32_t, Arithmetic::Average>},
    HandlerRow{Op::kIdpV4s8, dot<true>},
    HandlerRow{Op::kIdpV4u8, dot<false>},
    HandlerRow{Op::kIaddImmI32, [](Context& c) { c.write(c.u32(0) + immediate(c)); }},
    HandlerRow{Op::kIaddU64, run64<false, false>},
    HandlerRow{Op::kIsubU64, run64<false, true>},
    HandlerRow{Op::kIaddS64, run64<true, false>},
    HandlerRow{Op::kIsubS64, run64<true, true>},
    HandlerRow{Op::kShaddxU64, shift_add<false>},
    HandlerRow{Op::kShaddxS64, shift_add<true>},
    HandlerRow{Op::kSegAddU64,
               [](Context& c) {  // optionally keeps a null pointer
                   const U64 a = c.u64(0, false), b = c.u64(1, false);
                   U64 out = c.instr.neg() ? a - b : a + b;
                   if (c.instr.preserve_null()) out &= U64(a != 0);
                   c.write64(out);
               }},
    HandlerRow{Op::kImuldU64,
               [](Context& c) {  // of the low words
                   c.write64((c.u64(0, false) & 0xffffffffull) * (c.u64(1, false) & 0xffffffffull));
               }},
};

using enum Arithmetic;

constexpr std::array kSmall = {
    HandlerRow{Op::kIabsV2s16,
               [](Context& c) {
                   c.write(wave::map_halves(c.s16(0), U32{}, U32{}, [](uint16_t v, uint16_t, uint16_t) {
                       return int16_t(v) < 0 ? -int16_t(v) : int16_t(v);
                   }));
               }},
    HandlerRow{Op::kIabsV4s8,
               [](Context& c) {
                   c.write(wave::map_bytes(c.bytes(0), U32{}, U32{}, [](uint8_t v, uint8_t, uint8_t) {
                       return int8_t(v) < 0 ? -int8_t(v) : int8_t(v);
                   }));
               }},
    HandlerRow{Op::kIaddV2u16, run<uint16_t, Add>},
    HandlerRow{Op::kIsubV2u16, run<uint16_t, Sub>},
    HandlerRow{Op::kImulV2i16, run<uint16_t, Mul>},
    HandlerRow{Op::kHaddV2u16, run<uint16_t, Average>},
    HandlerRow{Op::kIaddV4u8, run<uint8_t, Add>},
    HandlerRow{Op::kIsubV4u8, run<uint8_t, Sub>},
    HandlerRow{Op::kImulV4i8, run<uint8_t, Mul>},
    HandlerRow{Op::kHaddV4u8, run<uint8_t, Average>},
    HandlerRow{Op::kIaddV2s16, run<int16_t, Add>},
    HandlerRow{Op::kIsubV2s16, run<int16_t, Sub>},
    HandlerRow{Op::kImulV2s16, run<int16_t, Mul>},
    HandlerRow{Op::kHaddV2s16, run<int16_t, Average>},
    HandlerRow{Op::kIaddV4s8, run<int8_t, Add>},
    HandlerRow{Op::kIsubV4s8, run<int8_t, Sub>},
    HandlerRow{Op::kImulV4s8, run<int8_t, Mul>},
    HandlerRow{Op::kHaddV4s8, run<int8_t, Average>},
    HandlerRow{Op::kIaddImmV2i16,
               [](Context& c) {
                   c.write(wave::map_halves(c.u16(0), wave::splat(immediate(c)), U32{},
                                            [](uint16_t a, uint16_t b, uint16_t) { return a + b; }));
               }},
    HandlerRow{Op::kIaddImmV4i8,
               [](Context& c) {
                   c.write(wave::map_bytes(c.bytes(0), wave::splat(immediate(c)), U32{},
                                           [](uint8_t a, uint8_t b, uint8_t) { return a + b; }));
               }},
};

}  // namespace

std::span<const HandlerRow> integer_handlers() {
    return kInteger;
}
std::span<const HandlerRow> small_integer_handlers() {
    return kSmall;
}

}  // namespace terrazzo::mali::sim
