// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversions between the types of registers. Without a rounding mode floats are truncated (Mesa's
// ROUND_ZERO, which it encodes as no mode); integers become floats to nearest even.
#include <bit>

#include "drivers/adreno/sim/core/alu.h"

namespace terrazzo::adreno::sim {

namespace {

using core::MicroBuilder;
using isa::Type;
using wave::Round;

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

Round mode_of(isa::Round r, Round none) {
    switch (r) {
        case isa::Round::kNone:
            return none;
        case isa::Round::kEven:
            return Round::NearestEven;
        case isa::Round::kUp:
            return Round::Up;
        case isa::Round::kDown:
            return Round::Down;
    }
    return none;
}

// ---- Roundings that are no micro-operations; the mode is the data ----

void float_to_half(const U32& a, const U32&, const U32&, uint64_t mode, U32* out) {
    *out = wave::map(a, [mode](uint32_t v) {
        return uint32_t(wave::to_half(double(std::bit_cast<float>(v)), Round(mode)));
    });
}
void truncate_to_half(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    const U32 magnitude = a & 0x7fffffffu, is_small = U32(I32(magnitude) < 0x38800000);  // below 2^-14
    const F32 units = wave::as_float(magnitude & is_small) * 0x1p24f;
    U32 v =
        wave::select(is_small, U32(__builtin_convertvector(units, I32)), (magnitude - (112u << 23)) >> 13);
    v = wave::select(U32(I32(magnitude) >= 0x47800000), wave::splat(0x7bff), v);  // from 65536 on
    v = wave::select(U32(I32(magnitude) == 0x7f800000), wave::splat(0x7c00), v);
    v = wave::select(U32(I32(magnitude) > 0x7f800000), wave::splat(0x7e00), v);
    *out = v | (a >> 16 & 0x8000u);
}
template <bool kSigned, bool kHalf>
void integer_to_float(const U32& a, const U32&, const U32&, uint64_t mode, U32* out) {
    *out = wave::map(a, [mode](uint32_t v) {
        const int64_t i = kSigned ? int64_t(int32_t(v)) : int64_t(v);
        return kHalf ? uint32_t(wave::to_half(double(i), Round(mode)))
                     : std::bit_cast<uint32_t>(wave::from_s64(i, Round(mode)));
    });
}

Value to_integer(MicroBuilder& b, Type to, Value v, Round mode) {
    const bool is_signed_type = is_signed(to);
    v = b.rounded(is_signed_type ? MicroOp::FloatToSigned : MicroOp::FloatToUnsigned, v, mode);
    if (to == Type::kS16) {
        v = b.op(MicroOp::MinSigned, b.op(MicroOp::MaxSigned, v, number(uint32_t(-32768))), number(32767));
        return b.extract(false, v, 0, 16);
    }
    return bits_of(to) == 32 ? v : b.op(MicroOp::MinUnsigned, v, number((1u << bits_of(to)) - 1));
}

Value from_integer(MicroBuilder& b, bool from_signed, Type to, Value v, Round mode) {
    const bool half = to == Type::kF16;
    if (mode == Round::NearestEven) {
        // Integers that a float rounds are beyond all halves.
        v = b.op(from_signed ? MicroOp::SignedToFloat : MicroOp::UnsignedToFloat, v);
        return half ? b.op(MicroOp::FloatToHalf, v) : v;
    }
    const core::MicroKernel kernel = from_signed
                                         ? half ? integer_to_float<true, true> : integer_to_float<true, false>
                                     : half ? integer_to_float<false, true>
                                            : integer_to_float<false, false>;
    return b.kernel(kernel, uint64_t(mode), v);
}

}  // namespace

Value convert(MicroBuilder& b, Type from, Type to, isa::Round round, Value v, bool extended) {
    if (bits_of(from) == bits_of(to) && is_float(from) == is_float(to)) return v;
    if (is_float(from)) {
        const Round mode = mode_of(round, Round::ToZero);
        if (from == Type::kF16) v = b.op(MicroOp::HalfToFloat, v);
        if (!is_float(to)) return to_integer(b, to, v, mode);
        if (to == Type::kF32) return v;
        if (mode == Round::NearestEven) return b.op(MicroOp::FloatToHalf, v);
        return b.kernel(mode == Round::ToZero ? truncate_to_half : float_to_half, uint64_t(mode), v);
    }
    if (bits_of(from) < (extended ? 16 : 32)) v = b.extract(is_signed(from), v, 0, bits_of(from));
    if (is_float(to)) return from_integer(b, is_signed(from), to, v, mode_of(round, Round::NearestEven));
    return bits_of(to) < bits_of(from) || (bits_of(to) < 32 && is_signed(from))
               ? b.extract(false, v, 0, bits_of(to))
               : v;
}

}  // namespace terrazzo::adreno::sim
