// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Steps of functions for which there is no micro-operation, or which need several.
#include <algorithm>

#include "drivers/common/core/functions.h"

namespace terrazzo::core {

namespace {

void float_to_half(const U32& a, const U32&, const U32&, uint64_t mode, U32* out) {
    *out = wave::map(a, [mode](uint32_t v) {
        return uint32_t(wave::to_half(double(std::bit_cast<float>(v)), Round(mode)));
    });
}
void truncate_to_half(const U32& a, const U32&, const U32&, uint64_t, U32* out) {
    using wave::I32;
    const U32 magnitude = a & 0x7fffffffu, is_small = U32(I32(magnitude) < 0x38800000);  // below 2^-14
    const wave::F32 units = wave::as_float(magnitude & is_small) * 0x1p24f;
    U32 v =
        wave::select(is_small, U32(__builtin_convertvector(units, I32)), (magnitude - (112u << 23)) >> 13);
    v = wave::select(U32(I32(magnitude) >= 0x47800000), wave::splat(0x7bff), v);  // from 65536 on
    v = wave::select(U32(I32(magnitude) == 0x7f800000), wave::splat(0x7c00), v);
    v = wave::select(U32(I32(magnitude) > 0x7f800000), wave::splat(0x7e00), v);
    *out = v | (a >> 16 & 0x8000u);
}
template <bool kSigned, bool kHalf>
void from_integer(const U32& a, const U32&, const U32&, uint64_t mode, U32* out) {
    *out = wave::map(a, [mode](uint32_t v) {
        const int64_t i = kSigned ? int64_t(int32_t(v)) : int64_t(v);
        return kHalf ? uint32_t(wave::to_half(double(i), Round(mode)))
                     : std::bit_cast<uint32_t>(wave::from_s64(i, Round(mode)));
    });
}

void dot(const U32& av, const U32& bv, const U32& cv, uint64_t data, U32* out) {
    const DotProduct d{bool(data & 1), bool(data & 2), bool(data & 4), uint8_t(data >> 8),
                       uint8_t(data >> 16)};
    const auto byte = [](uint32_t v, unsigned n, bool is_signed) {
        return is_signed ? int64_t(int8_t(v >> 8 * n)) : int64_t(uint8_t(v >> 8 * n));
    };
    const int64_t most = d.a_signed ? INT32_MAX : UINT32_MAX, least = d.a_signed ? INT32_MIN : 0;
    *out = wave::map(av, bv, cv, [&](uint32_t a, uint32_t b, uint32_t c) {
        int64_t v = d.a_signed ? int64_t(int32_t(c)) : int64_t(c);
        for (unsigned n = d.first; n < unsigned(d.first) + d.count; ++n)
            v += byte(a, n, d.a_signed) * byte(b, n, d.b_signed);
        return uint32_t(d.saturates ? std::clamp(v, least, most) : v);
    });
}

}  // namespace

// Knuth's TwoSum finds the error of the sum. If the sum is inexact and even, it moves by one in the error's
// direction.
Value add_to_odd(MicroBuilder& b, Value x, Value y) {
    const auto number = [](uint32_t bits) { return MicroBuilder::constant(bits); };
    const auto minus = [&](Value from, Value v) {
        return b.op(MicroOp::FloatAdd, from, b.op(MicroOp::Xor, v, number(0x80000000u)));
    };
    const Value sum = b.op(MicroOp::FloatAdd, x, y), added = minus(sum, x);
    const Value error = b.op(MicroOp::FloatAdd, minus(x, minus(sum, added)), minus(y, added));
    const Value inexact = b.op(MicroOp::FloatLess, number(0), b.op(MicroOp::And, error, number(0x7fffffffu)));
    const Value even = b.op(MicroOp::Equal, b.op(MicroOp::And, sum, number(1)), number(0));
    const Value signs = b.op(MicroOp::ShiftRightSigned, b.op(MicroOp::Xor, error, sum), number(31));
    const Value step = b.op(MicroOp::Or, signs, number(1));  // away from 0, or towards it
    return b.op(MicroOp::Add, sum, b.op(MicroOp::And, b.op(MicroOp::And, inexact, even), step));
}

Value round_to_half(MicroBuilder& b, Value v, Round round) {
    if (round == Round::NearestEven) return b.op(MicroOp::FloatToHalf, v);
    return b.kernel(round == Round::ToZero ? truncate_to_half : float_to_half, uint64_t(round), v);
}

Value integer_to_float(MicroBuilder& b, Value v, bool is_signed, Round round) {
    if (round == Round::NearestEven)
        return b.op(is_signed ? MicroOp::SignedToFloat : MicroOp::UnsignedToFloat, v);
    return b.kernel(is_signed ? from_integer<true, false> : from_integer<false, false>, uint64_t(round), v);
}

Value integer_to_half(MicroBuilder& b, Value v, bool is_signed, Round round) {
    // Rounding twice is correct: integers that a float cannot represent are larger than any half.
    if (round == Round::NearestEven)
        return b.op(MicroOp::FloatToHalf, integer_to_float(b, v, is_signed, round));
    return b.kernel(is_signed ? from_integer<true, true> : from_integer<false, true>, uint64_t(round), v);
}

Value dot_product(MicroBuilder& b, const DotProduct& d, Value x, Value y, Value accumulator) {
    const uint64_t data = uint64_t(d.a_signed) | uint64_t(d.b_signed) << 1 | uint64_t(d.saturates) << 2 |
                          uint64_t(d.first) << 8 | uint64_t(d.count) << 16;
    return b.kernel(dot, data, x, y, accumulator);
}

}  // namespace terrazzo::core
