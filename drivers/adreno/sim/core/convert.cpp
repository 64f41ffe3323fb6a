// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversions between the types of registers. Without a rounding mode floats are truncated (Mesa's
// ROUND_ZERO, which it encodes as no mode); integers become floats to nearest even.
#include <bit>
#include <cmath>

#include "drivers/adreno/sim/core/alu.h"
#include "drivers/adreno/sim/core/lane_mask.h"
#include "pipe/half.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Type;

bool is_float(Type t) {
    return t == Type::kF16 || t == Type::kF32;
}
bool is_signed(Type t) {
    return t == Type::kS16 || t == Type::kS32;
}
unsigned bits_of(Type t) {
    switch (t) {
        case Type::kF16:
        case Type::kU16:
        case Type::kS16:
            return 16;
        case Type::kF32:
        case Type::kU32:
        case Type::kS32:
            return 32;
        case Type::kU8:
        case Type::kU8In32:
            return 8;
    }
    return 32;
}

wave::Round mode_of(isa::Round r, wave::Round none) {
    switch (r) {
        case isa::Round::kNone:
            return none;
        case isa::Round::kEven:
            return wave::Round::NearestEven;
        case isa::Round::kUp:
            return wave::Round::Up;
        case isa::Round::kDown:
            return wave::Round::Down;
    }
    return none;
}

int64_t integer(Type t, uint32_t v) {
    if (is_signed(t)) return bits_of(t) == 16 ? int64_t(int16_t(v)) : int64_t(int32_t(v));
    return bits_of(t) == 32 ? int64_t(v) : int64_t(v & ((1u << bits_of(t)) - 1));
}
float number(Type t, uint32_t v) {
    return t == Type::kF16 ? pipe::half_to_float(uint16_t(v)) : std::bit_cast<float>(v);
}

uint32_t to_integer(Type t, float v, wave::Round mode) {
    switch (t) {
        case Type::kS32:
            return uint32_t(wave::to_s32(v, mode));
        case Type::kS16:
            return uint16_t(wave::to_s16(v, mode));
        case Type::kU16:
            return wave::to_u16(v, mode);
        case Type::kU8:
        case Type::kU8In32: {
            const uint32_t u = wave::to_u32(v, mode);
            return u > 255 ? 255 : u;
        }
        case Type::kU32:
        case Type::kF16:
        case Type::kF32:
            break;
    }
    return wave::to_u32(v, mode);
}

uint32_t convert_one(Type from, Type to, isa::Round r, uint32_t v) {
    if (is_float(from) && is_float(to)) {
        if (to == Type::kF32) return std::bit_cast<uint32_t>(number(from, v));
        return wave::to_half(double(number(from, v)), mode_of(r, wave::Round::ToZero));
    }
    if (is_float(from)) return to_integer(to, number(from, v), mode_of(r, wave::Round::ToZero));
    const int64_t i = integer(from, v);
    if (to == Type::kF32)
        return std::bit_cast<uint32_t>(wave::from_s64(i, mode_of(r, wave::Round::NearestEven)));
    if (to == Type::kF16) return wave::to_half(double(i), mode_of(r, wave::Round::NearestEven));
    return bits_of(to) == 32 ? uint32_t(i) : uint32_t(i) & ((1u << bits_of(to)) - 1);
}

// The conversions that shaders use most, 16 lanes at once. Saturating; NaN is 0.
U32 truncate_signed(F32 v) {
    const U32 low = U32(v < -2147483648.0f), high = U32(v >= 2147483648.0f),
              in = ~(low | high) & ~wave::is_nan(v);
    const U32 number = U32(__builtin_convertvector(wave::as_float(wave::as_bits(v) & in), I32));
    return number | (low & 0x80000000u) | (high & 0x7fffffffu);
}
U32 truncate_unsigned(F32 v) {
    const U32 high = U32(v >= 4294967296.0f), upper = U32(v >= 2147483648.0f) & ~high,
              in = U32(v > 0) & ~high;
    const F32 less = v - wave::as_float(upper & std::bit_cast<uint32_t>(2147483648.0f));
    const U32 number = U32(__builtin_convertvector(wave::as_float(wave::as_bits(less) & in), I32));
    return (number ^ (upper & 0x80000000u)) | high;
}
F32 from_signed(U32 v) {
    return __builtin_convertvector(I32(v), F32);
}
// Halves of 16 bits convert exactly, so that the sum is rounded once.
F32 from_unsigned(U32 v) {
    return __builtin_convertvector(I32(v >> 16), F32) * 65536.0f +
           __builtin_convertvector(I32(v & 0xffffu), F32);
}

// False: none of these conversions.
bool convert_fast(Type from, Type to, isa::Round round, const U32* in, U32* out, unsigned groups) {
    const auto each = [&](auto&& f) {
        for (unsigned g = 0; g < groups; ++g)
            out[g] = f(in[g]);
        return true;
    };
    if (round != isa::Round::kNone) return false;
    if (from == Type::kF32 && to == Type::kS32)
        return each([](U32 v) { return truncate_signed(wave::as_float(v)); });
    if (from == Type::kF32 && to == Type::kU32)
        return each([](U32 v) { return truncate_unsigned(wave::as_float(v)); });
    if (from == Type::kS32 && to == Type::kF32)
        return each([](U32 v) { return wave::as_bits(from_signed(v)); });
    if (from == Type::kU32 && to == Type::kF32)
        return each([](U32 v) { return wave::as_bits(from_unsigned(v)); });
    if (from == Type::kU16 && to == Type::kF32)
        return each([](U32 v) { return wave::as_bits(from_signed(v & 0xffffu)); });
    if (from == Type::kU16 && to == Type::kU32) return each([](U32 v) { return v & 0xffffu; });
    if (from == Type::kS16 && to == Type::kS32) return each([](U32 v) { return U32(I32(v << 16) >> 16); });
    if (from == Type::kU32 && to == Type::kU16) return each([](U32 v) { return v & 0xffffu; });
    if (from == Type::kS32 && to == Type::kS16) return each([](U32 v) { return v & 0xffffu; });
    return false;
}

void halves_to_floats_plain(const uint32_t* in, uint32_t* out, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        out[i] = std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(in[i])));
}
void floats_to_halves_plain(const uint32_t* in, uint32_t* out, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        out[i] = pipe::float_to_half(std::bit_cast<float>(in[i]));
}

#if defined(__x86_64__)
using Words [[gnu::vector_size(32), gnu::may_alias, gnu::aligned(4)]] = int;
using Shorts [[gnu::vector_size(16), gnu::may_alias, gnu::aligned(2)]] = short;
using Eight [[gnu::vector_size(32), gnu::may_alias, gnu::aligned(4)]] = float;

[[gnu::target("avx2,f16c")]] void halves_to_floats_fast(const uint32_t* in, uint32_t* out, unsigned count) {
    for (unsigned i = 0; i < count; i += 8) {
        const Shorts h = __builtin_convertvector(*reinterpret_cast<const Words*>(in + i), Shorts);
        *reinterpret_cast<Eight*>(out + i) = __builtin_ia32_vcvtph2ps256(h);
    }
}
template <int kMode>
[[gnu::target("avx2,f16c")]] void floats_to_halves_fast(const uint32_t* in, uint32_t* out, unsigned count) {
    for (unsigned i = 0; i < count; i += 8) {
        const Shorts h = __builtin_ia32_vcvtps2ph256(*reinterpret_cast<const Eight*>(in + i), kMode);
        *reinterpret_cast<Words*>(out + i) = __builtin_convertvector(h, Words) & 0xffff;
    }
}
// Every CPU with AVX2 has F16C (x86-64-v3); Clang 14 has no name to ask for it.
const bool kHasHalves = __builtin_cpu_supports("avx2");
#endif

}  // namespace

void halves_to_floats(const U32* in, U32* out, unsigned groups) {
    const auto* from = reinterpret_cast<const uint32_t*>(in);
    auto* to = reinterpret_cast<uint32_t*>(out);
#if defined(__x86_64__)
    if (kHasHalves) return halves_to_floats_fast(from, to, groups * kGroupLanes);
#endif
    halves_to_floats_plain(from, to, groups * kGroupLanes);
}

void floats_to_halves(const U32* in, U32* out, unsigned groups) {
    const auto* from = reinterpret_cast<const uint32_t*>(in);
    auto* to = reinterpret_cast<uint32_t*>(out);
#if defined(__x86_64__)
    if (kHasHalves) return floats_to_halves_fast<0>(from, to, groups * kGroupLanes);
#endif
    floats_to_halves_plain(from, to, groups * kGroupLanes);
}

void saturate_floats(U32* v, unsigned groups) {
    const F32 zero{}, one = F32{} + 1.0f;
    for (unsigned g = 0; g < groups; ++g) {
        F32 f = wave::as_float(v[g]);
        f = wave::select(U32(f > zero), f, zero);
        v[g] = wave::as_bits(wave::select(U32(f > one), one, f));
    }
}

void saturate_halves(U32* v, unsigned groups) {
    halves_to_floats(v, v, groups);
    saturate_floats(v, groups);
    floats_to_halves(v, v, groups);
}

void convert(isa::Type from, isa::Type to, isa::Round round, const U32* in, U32* out, unsigned groups) {
    if (from == Type::kF16 && to == Type::kF32) return halves_to_floats(in, out, groups);
    const bool words = bits_of(from) == bits_of(to) && is_float(from) == is_float(to);
    if (from == Type::kF32 && to == Type::kF16 && round == isa::Round::kEven)
        return floats_to_halves(in, out, groups);
    if (convert_fast(from, to, round, in, out, groups)) return;
#if defined(__x86_64__)
    if (kHasHalves && from == Type::kF32 && to == Type::kF16 && round == isa::Round::kNone)
        return floats_to_halves_fast<3>(reinterpret_cast<const uint32_t*>(in),
                                        reinterpret_cast<uint32_t*>(out), groups * kGroupLanes);
#endif
    for (unsigned g = 0; g < groups; ++g)
        out[g] =
            words ? in[g] : wave::map(in[g], [&](uint32_t v) { return convert_one(from, to, round, v); });
}

}  // namespace terrazzo::adreno::sim
