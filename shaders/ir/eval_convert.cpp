// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversions of the IR. Float to integer truncates and saturates; integer to float rounds to nearest even.
#include <cmath>
#include <limits>
#include <type_traits>

#include "shaders/ir/eval_kernel.h"

namespace terrazzo::ir::eval_detail {

namespace {

/// I: the resulting integer type, signed or unsigned.
template <typename I>
I saturate(float f) {
    if (f != f) return 0;
    // The first power of two above the largest value is exact in float; the largest value may not be.
    const float limit = std::ldexp(1.0f, std::numeric_limits<I>::digits);
    if (f >= limit) return std::numeric_limits<I>::max();
    if (std::is_signed_v<I> ? f < -limit : f <= -1) return std::numeric_limits<I>::min();
    return I(f);
}

template <typename To, typename From>
Kernel float_to_int(Op op) {
    using U = typename To::Calc;
    if (op == Op::F2I) return unary<To, From>([](float f) { return U(saturate<std::make_signed_t<U>>(f)); });
    return unary<To, From>([](float f) { return saturate<U>(f); });
}

template <typename From>
Kernel float_to_int(Op op, Type to) {
    switch (to) {
        case Type::I16:
            return float_to_int<I16, From>(op);
        case Type::I32:
            return float_to_int<I32, From>(op);
        case Type::I64:
            return float_to_int<I64, From>(op);
        case Type::Void:
        case Type::Bool:
        case Type::F16:
        case Type::F32:
            return nullptr;
    }
    return nullptr;
}

template <typename From>
Kernel int_to_float(Op op, Type to) {
    using U = typename From::Calc;
    using S = std::make_signed_t<U>;
    if (to == Type::F32) {
        if (op == Op::I2F) return unary<F32, From>([](U a) { return float(S(a)); });
        return unary<F32, From>([](U a) { return float(a); });
    }
    if (to != Type::F16) return nullptr;
    // By double: it is exact up to 53 bits, and larger values are infinity in binary16.
    if (op == Op::I2F) return unary<I32, From>([](U a) { return uint32_t(half_from_double(double(S(a)))); });
    return unary<I32, From>([](U a) { return uint32_t(half_from_double(double(a))); });
}

template <typename From>
Kernel int_to_int(Op op, Type to) {
    using U = typename From::Calc;
    using S = std::make_signed_t<U>;
    const bool sign = op == Op::I2I;
    switch (to) {
        case Type::I16:
            return unary<I16, From>([](U a) { return uint16_t(a); });
        case Type::I32:
            if (sign) return unary<I32, From>([](U a) { return uint32_t(int64_t(S(a))); });
            return unary<I32, From>([](U a) { return uint32_t(a); });
        case Type::I64:
            if (sign) return unary<I64, From>([](U a) { return uint64_t(int64_t(S(a))); });
            return unary<I64, From>([](U a) { return uint64_t(a); });
        case Type::Void:
        case Type::Bool:
        case Type::F16:
        case Type::F32:
            return nullptr;
    }
    return nullptr;
}

template <typename From>
Kernel from_int(Op op, Type to) {
    return op == Op::I2F || op == Op::U2F ? int_to_float<From>(op, to) : int_to_int<From>(op, to);
}

Kernel from_bool(Op op, Type to) {
    const bool to_float = op == Op::B2F;
    switch (to) {
        case Type::F32:
            return to_float ? unary<F32, Boolean>([](bool b) { return b ? 1.0f : 0.0f; }) : Kernel(nullptr);
        case Type::F16:
            return to_float ? unary<I32, Boolean>([](bool b) { return b ? 0x3c00u : 0u; }) : Kernel(nullptr);
        case Type::I16:
        case Type::I32:
            return to_float ? nullptr : unary<I32, Boolean>([](bool b) { return b ? 1u : 0u; });
        case Type::I64:
            return to_float ? nullptr : unary<I64, Boolean>([](bool b) { return uint64_t(b); });
        case Type::Void:
        case Type::Bool:
            return nullptr;
    }
    return nullptr;
}

Kernel copy_bits(Type to, Type from) {
    if (bit_size(to) != bit_size(from)) return nullptr;
    return bit_size(to) == 64 ? unary<I64, I64>([](uint64_t a) { return a; })
                              : unary<I32, I32>([](uint32_t a) { return a; });
}

}  // namespace

Kernel convert_kernel(Op op, Type to, Type from) {
    switch (op) {
        case Op::F2F:
            if (to == from) return copy_bits(to, from);
            if (to == Type::F16 && from == Type::F32) return unary<F16, F32>([](float a) { return a; });
            if (to == Type::F32 && from == Type::F16) return unary<F32, F16>([](float a) { return a; });
            return nullptr;
        case Op::F2I:
        case Op::F2U:
            return from == Type::F32   ? float_to_int<F32>(op, to)
                   : from == Type::F16 ? float_to_int<F16>(op, to)
                                       : nullptr;
        case Op::I2F:
        case Op::U2F:
        case Op::I2I:
        case Op::U2U:
            return from == Type::I32   ? from_int<I32>(op, to)
                   : from == Type::I16 ? from_int<I16>(op, to)
                   : from == Type::I64 ? from_int<I64>(op, to)
                                       : nullptr;
        case Op::B2F:
        case Op::B2I:
            return from == Type::Bool ? from_bool(op, to) : nullptr;
        case Op::Bitcast:
            return copy_bits(to, from);
        case Op::PackHalf2:
            return binary<I32, F32, F32>(
                [](float a, float b) { return half_from_float(a) | uint32_t(half_from_float(b)) << 16; });
        case Op::UnpackHalfLow:
            return unary<F32, I32>([](uint32_t a) { return half_to_float(uint16_t(a)); });
        case Op::UnpackHalfHigh:
            return unary<F32, I32>([](uint32_t a) { return half_to_float(uint16_t(a >> 16)); });
        default:
            return nullptr;
    }
}

}  // namespace terrazzo::ir::eval_detail
