// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Float arithmetic and comparisons of the IR. F16 is computed in F32 and rounded: for + - * / and sqrt that
// equals one rounding, since 24 >= 2 * 11 + 2 bits (Figueroa, "When is double rounding innocuous?", 1995).
#include <algorithm>
#include <cmath>

#include "shaders/ir/eval_kernel.h"

namespace terrazzo::ir::eval_detail {

namespace {

/// a * b + c of halves, rounded once: the product is exact in double, the sum is rounded to odd where
/// it is inexact, so the rounding to half sees on which side of a tie it lies.
uint16_t fma_half(uint16_t a, uint16_t b, uint16_t c) {
    const double p = double(half_to_float(a)) * double(half_to_float(b));
    const double z = half_to_float(c);
    double s = p + z;
    if (std::isfinite(s)) {
        const double bb = s - p;
        const double error = (p - (s - bb)) + (z - bb);
        uint64_t bits = std::bit_cast<uint64_t>(s);
        if (error != 0 && !(bits & 1)) {
            const bool away = (error > 0) == (s > 0);
            bits = away ? bits + 1 : bits - 1;
            s = std::bit_cast<double>(bits);
        }
    }
    return half_from_double(s);
}

double pow_ir(double x, double y) {
    if (y == 0) return 1;
    if (x < 0) return NAN;
    return std::pow(x == 0 ? 0.0 : x, y);
}

template <typename T>
Kernel ldexp_kernel() {
    return binary<T, T, I32>([](float x, uint32_t e) {
        // A double holds every float times 2^e for |e| <= 600. Beyond that the result is 0 or infinity.
        return float(std::ldexp(double(x), std::clamp(int32_t(e), -600, 600)));
    });
}

template <>
Kernel ldexp_kernel<F16>() {
    return [](void* dst, const void* a, const void* b, const void*, const void*, unsigned lanes) {
        for (unsigned i = 0; i < lanes; i++) {
            const double x = half_to_float(uint16_t(static_cast<const uint32_t*>(a)[i]));
            const int e = std::clamp(static_cast<const int32_t*>(b)[i], -100, 100);
            static_cast<uint32_t*>(dst)[i] = half_from_double(std::ldexp(x, e));
        }
    };
}

template <typename T>
Kernel fma_kernel() {
    return ternary<T, T, T, T>([](float a, float b, float c) { return std::fma(a, b, c); });
}

template <>
Kernel fma_kernel<F16>() {
    return ternary<I32, I32, I32, I32>([](uint32_t a, uint32_t b, uint32_t c) -> uint32_t {
        return fma_half(uint16_t(a), uint16_t(b), uint16_t(c));
    });
}

template <typename T>
Kernel transcendental(Op op) {
    switch (op) {
        case Op::FExp2:
            return unary<T, T>([](float a) { return float(std::exp2(double(a))); });
        case Op::FLog2:
            return unary<T, T>([](float a) { return float(std::log2(double(a))); });
        case Op::FSin:
            return unary<T, T>([](float a) { return float(std::sin(double(a))); });
        case Op::FCos:
            return unary<T, T>([](float a) { return float(std::cos(double(a))); });
        case Op::FPow:
            return binary<T, T, T>([](float a, float b) { return float(pow_ir(a, b)); });
        default:
            return nullptr;
    }
}

template <typename T>
Kernel arithmetic(Op op) {
    switch (op) {
        case Op::FAdd:
            return binary<T, T, T>([](float a, float b) { return a + b; });
        case Op::FSub:
            return binary<T, T, T>([](float a, float b) { return a - b; });
        case Op::FMul:
            return binary<T, T, T>([](float a, float b) { return a * b; });
        case Op::FDiv:
            return binary<T, T, T>([](float a, float b) { return a / b; });
        case Op::FFma:
            return fma_kernel<T>();
        case Op::FSign:
            return unary<T, T>([](float a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : 0.0f; });
        case Op::FSat:
            return unary<T, T>([](float a) { return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f; });
        case Op::FMin:
            return binary<T, T, T>([](float a, float b) { return a != a ? b : b < a ? b : a; });
        case Op::FMax:
            return binary<T, T, T>([](float a, float b) { return a != a ? b : a < b ? b : a; });
        case Op::FFloor:
            return unary<T, T>([](float a) { return std::floor(a); });
        case Op::FCeil:
            return unary<T, T>([](float a) { return std::ceil(a); });
        case Op::FTrunc:
            return unary<T, T>([](float a) { return std::trunc(a); });
        case Op::FRound:
            return unary<T, T>([](float a) { return std::rint(a); });
        case Op::FFract:
            return unary<T, T>([](float a) { return a - std::floor(a); });
        case Op::FSqrt:
            return unary<T, T>([](float a) { return std::sqrt(a); });
        case Op::FRcp:
            return unary<T, T>([](float a) { return 1.0f / a; });
        case Op::FRsq:
            return unary<T, T>([](float a) { return 1.0f / T::load(T::store(std::sqrt(a))); });
        case Op::FLdexp:
            return ldexp_kernel<T>();
        default:
            return transcendental<T>(op);
    }
}

template <typename T>
Kernel compare(Op op) {
    switch (op) {
        case Op::FEq:
            return binary<Boolean, T, T>([](float a, float b) { return a == b; });
        case Op::FNe:
            return binary<Boolean, T, T>([](float a, float b) { return a != b; });
        case Op::FLt:
            return binary<Boolean, T, T>([](float a, float b) { return a < b; });
        case Op::FGe:
            return binary<Boolean, T, T>([](float a, float b) { return a >= b; });
        default:
            return nullptr;
    }
}

}  // namespace

Kernel float_kernel(Op op, Type t) {
    // Sign changes only change the sign bit, also of NaN.
    if (t == Type::F32) {
        if (op == Op::FNeg) return unary<I32, I32>([](uint32_t a) { return a ^ 0x80000000u; });
        if (op == Op::FAbs) return unary<I32, I32>([](uint32_t a) { return a & 0x7fffffffu; });
        return arithmetic<F32>(op);
    }
    if (t == Type::F16) {
        if (op == Op::FNeg) return unary<I32, I32>([](uint32_t a) { return a ^ 0x8000u; });
        if (op == Op::FAbs) return unary<I32, I32>([](uint32_t a) { return a & 0x7fffu; });
        return arithmetic<F16>(op);
    }
    return nullptr;
}

Kernel float_compare_kernel(Op op, Type t) {
    return t == Type::F32 ? compare<F32>(op) : t == Type::F16 ? compare<F16>(op) : nullptr;
}

}  // namespace terrazzo::ir::eval_detail
