// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Angle and exponential functions in terms of the IR's sin, cos, exp2, log2 and sqrt. The inverse functions
// use the single-precision polynomials of the Cephes library (S. Moshier), with errors of a few ULP.
#include <array>

#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

namespace {
constexpr float kPi = 3.14159265358979f;
constexpr float kLog2E = 1.44269504088896f;
constexpr float kLn2 = 0.693147180559945f;
}  // namespace

/// c[0] x^(n-1) + ... + c[n-1]
Value* Walker::polynomial(Value* x, std::span<const float> c) {
    Value* r = f32(c[0]);
    for (size_t i = 1; i < c.size(); ++i)
        r = b_.fadd(b_.fmul(r, x), f32(c[i]));
    return r;
}

Value* Walker::with_sign_of(Value* magnitude, Value* sign) {
    return b_.select(b_.alu(Op::FLt, sign, f32(0.0f)), b_.fneg(magnitude), magnitude);
}

Value* Walker::math_tan(Value* x) {
    return b_.fdiv(b_.alu(Op::FSin, x), b_.alu(Op::FCos, x));
}

Value* Walker::math_atan(Value* x) {
    Value* a = b_.alu(Op::FAbs, x);
    Value* large = b_.alu(Op::FLt, f32(2.414213562373095f), a);    // tan(3 pi / 8)
    Value* middle = b_.alu(Op::FLt, f32(0.4142135623730950f), a);  // tan(pi / 8)
    Value* numerator = b_.select(large, f32(-1.0f), b_.select(middle, b_.fsub(a, f32(1.0f)), a));
    Value* denominator = b_.select(large, a, b_.select(middle, b_.fadd(a, f32(1.0f)), f32(1.0f)));
    Value* t = b_.fdiv(numerator, denominator);
    Value* base = b_.select(large, f32(kPi / 2), b_.select(middle, f32(kPi / 4), f32(0.0f)));
    Value* z = b_.fmul(t, t);
    static constexpr std::array<float, 4> kC = {8.05374449538e-2f, -1.38776856032e-1f, 1.99777106478e-1f,
                                                -3.33329491539e-1f};
    Value* p = b_.fadd(b_.fmul(b_.fmul(polynomial(z, kC), z), t), t);
    return with_sign_of(b_.fadd(base, p), x);
}

Value* Walker::math_atan2(Value* y, Value* x) {
    Value* ax = b_.alu(Op::FAbs, x);
    Value* ay = b_.alu(Op::FAbs, y);
    Value* steep = b_.alu(Op::FLt, ax, ay);
    Value* small = b_.select(steep, ax, ay);
    Value* big = b_.select(steep, ay, ax);
    Value* origin = b_.alu(Op::FEq, big, f32(0.0f));
    // Equal magnitudes, including infinities, have the ratio 1.
    Value* ratio = b_.select(b_.alu(Op::FEq, small, big), f32(1.0f), b_.fdiv(small, big));
    Value* r = math_atan(b_.select(origin, f32(0.0f), ratio));
    r = b_.select(steep, b_.fsub(f32(kPi / 2), r), r);
    r = b_.select(b_.alu(Op::FLt, x, f32(0.0f)), b_.fsub(f32(kPi), r), r);
    return with_sign_of(r, y);
}

/// asin of a in [0, 0.5].
Value* Walker::asin_core(Value* a) {
    static constexpr std::array<float, 5> kC = {4.2163199048e-2f, 2.4181311049e-2f, 4.5470025998e-2f,
                                                7.4953002686e-2f, 1.6666752422e-1f};
    Value* z = b_.fmul(a, a);
    return b_.fadd(b_.fmul(b_.fmul(polynomial(z, kC), z), a), a);
}

Value* Walker::math_asin(Value* x) {
    Value* a = b_.alu(Op::FAbs, x);
    Value* large = b_.alu(Op::FLt, f32(0.5f), a);
    Value* half_angle = b_.alu(Op::FSqrt, b_.fmul(f32(0.5f), b_.fsub(f32(1.0f), a)));
    Value* p = asin_core(b_.select(large, half_angle, a));
    Value* r = b_.select(large, b_.fsub(f32(kPi / 2), b_.fmul(f32(2.0f), p)), p);
    return with_sign_of(r, x);
}

Value* Walker::math_acos(Value* x) {
    Value* a = b_.alu(Op::FAbs, x);
    Value* large = b_.alu(Op::FLt, f32(0.5f), a);
    Value* half_angle = b_.alu(Op::FSqrt, b_.fmul(f32(0.5f), b_.fsub(f32(1.0f), a)));
    Value* p = asin_core(b_.select(large, half_angle, a));
    Value* negative = b_.alu(Op::FLt, x, f32(0.0f));
    Value* twice = b_.fmul(f32(2.0f), p);
    Value* far = b_.select(negative, b_.fsub(f32(kPi), twice), twice);
    Value* near = b_.select(negative, b_.fadd(f32(kPi / 2), p), b_.fsub(f32(kPi / 2), p));
    return b_.select(large, far, near);
}

Value* Walker::math_exp(Value* x) {
    return b_.alu(Op::FExp2, b_.fmul(x, f32(kLog2E)));
}
Value* Walker::math_log(Value* x) {
    return b_.fmul(b_.alu(Op::FLog2, x), f32(kLn2));
}

Value* Walker::math_sinh(Value* x) {
    // Near 0, the difference of the exponentials would cancel.
    static constexpr std::array<float, 3> kC = {2.03721912945e-4f, 8.33028376239e-3f, 1.66667160211e-1f};
    Value* z = b_.fmul(x, x);
    Value* near = b_.fadd(b_.fmul(b_.fmul(polynomial(z, kC), z), x), x);
    Value* half = f32(0.5f);
    Value* far = b_.fsub(b_.fmul(half, math_exp(x)), b_.fmul(half, math_exp(b_.fneg(x))));
    return b_.select(b_.alu(Op::FLt, b_.alu(Op::FAbs, x), f32(1.0f)), near, far);
}

Value* Walker::math_tanh(Value* x) {
    static constexpr std::array<float, 5> kC = {-5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f,
                                                1.33314422036e-1f, -3.33332819422e-1f};
    Value* a = b_.alu(Op::FAbs, x);
    Value* z = b_.fmul(x, x);
    Value* near = b_.fadd(b_.fmul(b_.fmul(polynomial(z, kC), z), x), x);
    Value* e = math_exp(b_.fmul(f32(2.0f), b_.alu(Op::FMin, a, f32(20.0f))));
    Value* far = b_.fsub(f32(1.0f), b_.fdiv(f32(2.0f), b_.fadd(e, f32(1.0f))));
    return b_.select(b_.alu(Op::FLt, a, f32(0.625f)), near, with_sign_of(far, x));
}

Value* Walker::math_asinh(Value* x) {
    static constexpr std::array<float, 4> kC = {2.0122003309e-2f, -4.2699340972e-2f, 7.4847586088e-2f,
                                                -1.6666288134e-1f};
    Value* a = b_.alu(Op::FAbs, x);
    Value* z = b_.fmul(x, x);
    Value* near = b_.fadd(b_.fmul(b_.fmul(polynomial(z, kC), z), x), x);
    Value* middle = math_log(b_.fadd(a, b_.alu(Op::FSqrt, b_.fadd(z, f32(1.0f)))));
    Value* huge = b_.fadd(math_log(a), f32(kLn2));
    Value* far = with_sign_of(b_.select(b_.alu(Op::FLt, f32(1500.0f), a), huge, middle), x);
    return b_.select(b_.alu(Op::FLt, a, f32(0.5f)), near, far);
}

Value* Walker::math_acosh(Value* x) {
    Value* s = b_.alu(Op::FSqrt, b_.fmul(b_.fsub(x, f32(1.0f)), b_.fadd(x, f32(1.0f))));
    Value* huge = b_.fadd(math_log(x), f32(kLn2));
    return b_.select(b_.alu(Op::FLt, f32(1500.0f), x), huge, math_log(b_.fadd(x, s)));
}

Value* Walker::math_atanh(Value* x) {
    static constexpr std::array<float, 5> kC = {1.81740078349e-1f, 8.24370301058e-2f, 1.46691431730e-1f,
                                                1.99782164500e-1f, 3.33337300303e-1f};
    Value* z = b_.fmul(x, x);
    Value* near = b_.fadd(b_.fmul(b_.fmul(polynomial(z, kC), z), x), x);
    Value* far = b_.fmul(f32(0.5f), math_log(b_.fdiv(b_.fadd(f32(1.0f), x), b_.fsub(f32(1.0f), x))));
    return b_.select(b_.alu(Op::FLt, b_.alu(Op::FAbs, x), f32(0.5f)), near, far);
}

bool Walker::math_function(TOperator op, std::span<Vals> a, Vals& r) {
    const auto map = [&](auto&& f) { r = each(a, [&](Value** x) { return f(x[0]); }); };
    const auto direct = [&](Op o) { map([&](Value* x) { return b_.alu(o, x); }); };
    switch (op) {
        case EOpRadians:
            map([&](Value* x) { return b_.fmul(x, f32(kPi / 180)); });
            break;
        case EOpDegrees:
            map([&](Value* x) { return b_.fmul(x, f32(180 / kPi)); });
            break;
        case EOpSin:
            direct(Op::FSin);
            break;
        case EOpCos:
            direct(Op::FCos);
            break;
        case EOpTan:
            map([&](Value* x) { return math_tan(x); });
            break;
        case EOpAsin:
            map([&](Value* x) { return math_asin(x); });
            break;
        case EOpAcos:
            map([&](Value* x) { return math_acos(x); });
            break;
        case EOpAtan:
            r = each(a, [&](Value** x) { return a.size() == 1 ? math_atan(x[0]) : math_atan2(x[0], x[1]); });
            break;
        case EOpSinh:
            map([&](Value* x) { return math_sinh(x); });
            break;
        case EOpCosh:
            map([&](Value* x) {
                Value* half = f32(0.5f);
                return b_.fadd(b_.fmul(half, math_exp(x)), b_.fmul(half, math_exp(b_.fneg(x))));
            });
            break;
        case EOpTanh:
            map([&](Value* x) { return math_tanh(x); });
            break;
        case EOpAsinh:
            map([&](Value* x) { return math_asinh(x); });
            break;
        case EOpAcosh:
            map([&](Value* x) { return math_acosh(x); });
            break;
        case EOpAtanh:
            map([&](Value* x) { return math_atanh(x); });
            break;
        case EOpPow:
            r = each(a, [&](Value** x) { return b_.alu(Op::FPow, x[0], x[1]); });
            break;
        case EOpExp:
            map([&](Value* x) { return math_exp(x); });
            break;
        case EOpLog:
            map([&](Value* x) { return math_log(x); });
            break;
        case EOpExp2:
            direct(Op::FExp2);
            break;
        case EOpLog2:
            direct(Op::FLog2);
            break;
        case EOpSqrt:
            direct(Op::FSqrt);
            break;
        case EOpInverseSqrt:
            direct(Op::FRsq);
            break;
        default:
            return false;
    }
    return true;
}

}  // namespace terrazzo::shaders::glsl
