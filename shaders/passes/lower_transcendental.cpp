// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The polynomials' coefficients were fitted by the Remez algorithm (40 digits) for the least relative error
// on the
// stated interval, then rounded to binary32.
#include "shaders/passes/lower_transcendental.h"

#include <cmath>
#include <initializer_list>
#include <limits>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Adding 1.5 * 2^23 rounds a float below 2^22 to an integer, which then stands in the low bits of the sum.
constexpr float kRounder = 12582912.0f;

class Lowering {
  public:
    Lowering(Shader& s, Instr* at, const LowerTranscendentalOptions& o) : b_(s, at), o_(o) {
        // These steps must stay as they are written.
        b_.flags = instr_flag::kExact;
        b_.line = at->line;
    }
    Value* lower(const Instr& i);

  private:
    Value* exp2(Value* x);
    Value* log2(Value* x);
    Value* log2_of_normal(Value* x);
    Value* sin_cos(Value* x, bool cosine);
    Value* pow(Value* x, Value* y);
    Value* sign(Value* x);
    Value* round(Value* x);
    Value* ldexp(Value* x, Value* e);
    Value* f32_function(Op op, Value* x);

    Value* f(float v) { return b_.f32(v); }
    Value* i(int32_t v) { return b_.i32(v); }
    Value* shift(Op op, Value* v, int32_t n) { return b_.alu(op, v, i(n)); }
    Value* less(Value* a, Value* c) { return b_.alu(Op::FLt, a, c); }
    Value* bits(Value* v) { return b_.convert(Op::Bitcast, Type::I32, v); }
    Value* number(Value* v) { return b_.convert(Op::Bitcast, Type::F32, v); }
    /// Clamps to [low, high]; NaN stays NaN.
    Value* clamp(Value* x, float low, float high) {
        x = b_.select(less(x, f(low)), f(low), x);
        return b_.select(less(f(high), x), f(high), x);
    }
    /// c[0] + x * (c[1] + x * ...)
    Value* horner(Value* x, std::initializer_list<float> c) {
        const float* p = c.end() - 1;
        Value* r = f(*p);
        while (p != c.begin())
            r = b_.fadd(b_.fmul(r, x), f(*--p));
        return r;
    }
    /// 2^n for an integer n in [-126, 127].
    Value* power_of_two(Value* n) { return number(shift(Op::IShl, b_.iadd(n, i(127)), 23)); }

    Builder b_;
    const LowerTranscendentalOptions& o_;
};

/// x = n + r with |r| <= 1/2; 2^r by a polynomial, whose exponent then grows by n. At the ends of the range,
/// -127 and 128, that leaves exactly the words of 0 and of infinity; between 0 and 2^-126, where denormals
/// might be flushed, something not larger than the true value.
Value* Lowering::exp2(Value* x) {
    x = clamp(x, -127.0f, 128.0f);
    Value* rounded = b_.fadd(x, f(kRounder));
    Value* r = b_.fsub(x, b_.fsub(rounded, f(kRounder)));
    // (2^r - 1) / r on [-1/2, 1/2], error 1.1e-7 of 2^r
    Value* p = horner(r, {0.6931470036506653f, 0.2402224838733673f, 0.05550728365778923f,
                          0.009671231731772423f, 0.001326522440649569f});
    p = b_.fadd(b_.fmul(p, r), f(1.0f));
    // kRounder's own bits are shifted out.
    return number(b_.iadd(bits(p), shift(Op::IShl, bits(rounded), 23)));
}

/// For x >= 2^-126. x = 2^e * (1 + r) with 1 + r in [sqrt(1/2), sqrt(2)). 0 returns -127, infinity 128, and
/// denormals something between -127 and -126.
Value* Lowering::log2_of_normal(Value* x) {
    Value* word = bits(x);
    Value* e = shift(Op::IShr, b_.alu(Op::ISub, word, i(0x3f3504f3)), 23);  // sqrt(1/2)
    Value* r = b_.fsub(number(b_.alu(Op::ISub, word, shift(Op::IShl, e, 23))), f(1.0f));
    // log2(1 + r) / r, error 4.5e-8 of it. Even and odd powers are summed apart: two short chains, not one
    // long.
    Value* r2 = b_.fmul(r, r);
    Value* even = horner(r2, {1.4426950216293335f, 0.48091062903404236f, 0.28791630268096924f,
                              0.2157154381275177f, 0.1258355975151062f});
    Value* odd = horner(
        r2, {-0.7213473320007324f, -0.3607036769390106f, -0.23894503712654114f, -0.20726820826530457f});
    Value* p = b_.fadd(even, b_.fmul(odd, r));
    return b_.fadd(b_.fmul(p, r), b_.convert(Op::I2F, Type::F32, e));
}

/// Denormals and negative numbers count as 0. ESSL leaves the logarithm of the latter undefined.
Value* Lowering::log2(Value* x) {
    Value* finite = b_.select(less(x, f(0x1p-126f)), f(-kInfinity), log2_of_normal(x));
    return b_.select(less(x, f(kInfinity)), finite, x);
}

/// x = k * pi + r with |r| <= pi / 2, so the result is sin(r), negated for odd k. For the cosine k is half an
/// odd number. pi is cut into three parts of few bits, whose products with k up to 2^15 are exact, and a
/// fourth.
Value* Lowering::sin_cos(Value* x, bool cosine) {
    Value* turns = b_.fmul(x, f(0x1.45f306p-2f));  // 1 / pi
    if (cosine) turns = b_.fadd(turns, f(0.5f));
    Value* rounded = b_.fadd(turns, f(kRounder));
    Value* k = b_.fsub(rounded, f(kRounder));
    if (cosine) k = b_.fsub(k, f(0.5f));
    Value* r = x;
    for (float part : {0x1.92p+1f, 0x1.ep-11f, 0x1.b4p-15f, 0x1.4442d2p-23f})
        r = b_.fsub(r, b_.fmul(k, f(part)));
    // x / pi was rounded, so r may lie a little (0.0125 at |x| = 100 000) outside [-pi / 2, pi / 2].
    r = clamp(r, -1.6f, 1.6f);
    // (sin(r) - r) / r^3 by r^2, |r| <= pi / 2 + 0.001, error 6.1e-9 of sin(r). Among equally good fits this
    // one
    // returns 1 at pi / 2: cos(0) must be 1.
    Value* r2 = b_.fmul(r, r);
    Value* p = horner(
        r2, {-0.16666659712791443f, 0.008333065547049046f, -0.0001980953966267407f, 2.605625240903464e-06f});
    Value* s = b_.fadd(b_.fmul(b_.fmul(p, r2), r), r);
    s = clamp(s, -1.0f, 1.0f);
    Value* odd = shift(Op::IShl, bits(rounded), 31);
    return number(b_.alu(Op::IXor, bits(s), odd));
}

/// exp2(y * log2(x)). ESSL leaves x < 0 undefined; here that and NaN count as 0.
Value* Lowering::pow(Value* x, Value* y) {
    if (!o_.exp2 || !o_.log2) {
        Value* power = f32_function(Op::FExp2, b_.fmul(y, f32_function(Op::FLog2, x)));
        Value* const one = f(1.0f);  // first: the order of arguments is the compiler's
        return b_.select(b_.alu(Op::FEq, y, f(0.0f)), one, power);
    }
    // fmax(a, 0) does no more than what follows.
    const auto is_zero = [](const Value* v) { return is_const(v) && const_f32(v) == 0.0f; };
    if (const Instr* d = x->def; d && d->op == Op::FMax && x->type == Type::F32)
        for (unsigned n = 0; n < 2; n++)
            if (is_zero(d->operand(n))) x = d->operand(1 - n);
    // From 1 on, -127 * y and 128 * y already end as 0 and as infinity.
    Value* magnitude = b_.select(less(f(0.0f), x), x, f(0.0f));
    Value* l = log2_of_normal(magnitude);
    if (!is_const(y) || !(const_f32(y) >= 1.0f)) {
        // Numbers, not infinities: y may be 0, and pow(x, 0) is 1.
        constexpr float kHuge = std::numeric_limits<float>::max();
        l = b_.select(less(magnitude, f(0x1p-126f)), f(-kHuge), l);
        l = b_.select(less(magnitude, f(kInfinity)), l, f(kHuge));
    }
    return exp2(b_.fmul(y, l));
}

Value* Lowering::sign(Value* x) {
    const Type t = x->type;
    Value* negative = b_.select(less(x, b_.fconst(t, 0)), b_.fconst(t, -1), b_.fconst(t, 0));
    return b_.select(less(b_.fconst(t, 0), x), b_.fconst(t, 1), negative);
}

/// |x| + 2^23 has no fraction left; larger numbers had none.
Value* Lowering::round(Value* x) {
    Value* magnitude = b_.alu(Op::FAbs, x);
    Value* r = b_.fsub(b_.fadd(magnitude, f(0x1p23f)), f(0x1p23f));
    Value* sign_bit = b_.iand(bits(x), i(std::numeric_limits<int32_t>::min()));
    r = number(b_.ior(bits(r), sign_bit));
    return b_.select(less(magnitude, f(0x1p23f)), r, x);
}

Value* Lowering::ldexp(Value* x, Value* e) {
    const auto cut = [this](Value* v) { return b_.alu(Op::IMax, b_.alu(Op::IMin, v, i(127)), i(-126)); };
    e = b_.alu(Op::IMax, b_.alu(Op::IMin, e, i(381)), i(-378));
    for (unsigned step = 0; step < 3; step++) {
        Value* part = cut(e);
        x = b_.fmul(x, power_of_two(part));
        if (step < 2) e = b_.alu(Op::ISub, e, part);
    }
    return x;
}

/// The lowered operation, or the operation itself where the target has it.
Value* Lowering::f32_function(Op op, Value* x) {
    if (op == Op::FExp2) return o_.exp2 ? exp2(x) : b_.alu(op, x);
    return o_.log2 ? log2(x) : b_.alu(op, x);
}

/// Null: this operation stays.
Value* Lowering::lower(const Instr& in) {
    const bool half = in.result_count == 1 && in.result()->type == Type::F16;
    const auto operand = [&](unsigned n) {
        Value* v = in.operand(n);
        return half && v->type == Type::F16 ? b_.convert(Op::F2F, Type::F32, v) : v;
    };
    const auto result = [&](Value* v) { return half ? b_.convert(Op::F2F, Type::F16, v) : v; };
    // These are as good in 16 bits.
    const auto x = [&] { return in.operand(0); };
    const auto constant = [&](double v) { return b_.fconst(in.result()->type, v); };
    switch (in.op) {
        case Op::FRcp:
            return o_.rcp ? b_.fdiv(constant(1), x()) : nullptr;
        case Op::FRsq:
            return o_.rsq ? b_.fdiv(constant(1), b_.alu(Op::FSqrt, x())) : nullptr;
        case Op::FSign:
            return o_.sign ? sign(x()) : nullptr;
        case Op::FFract:
            return o_.fract ? b_.fsub(x(), b_.alu(Op::FFloor, x())) : nullptr;
        case Op::FSat: {
            if (!o_.sat) return nullptr;
            Value* low = b_.select(less(constant(0), x()), x(), constant(0));
            return b_.select(less(low, constant(1)), low, constant(1));
        }
        case Op::FExp2:
            return o_.exp2 ? result(exp2(operand(0))) : nullptr;
        case Op::FLog2:
            return o_.log2 ? result(log2(operand(0))) : nullptr;
        case Op::FSin:
            return o_.sin_cos ? result(sin_cos(operand(0), false)) : nullptr;
        case Op::FCos:
            return o_.sin_cos ? result(sin_cos(operand(0), true)) : nullptr;
        case Op::FPow:
            return o_.pow ? result(pow(operand(0), operand(1))) : nullptr;
        case Op::FRound:
            return o_.round ? result(round(operand(0))) : nullptr;
        case Op::FLdexp:
            return o_.ldexp ? result(ldexp(operand(0), in.operand(1))) : nullptr;
        default:
            return nullptr;
    }
}

/// Upper bound for one instruction: lower_transcendental_test.cpp counts.
uint64_t size_of(const Instr& i) {
    switch (i.op) {
        case Op::FExp2:
            return 32;
        case Op::FLog2:
            return 48;
        case Op::FSin:
        case Op::FCos:
            return 64;
        case Op::FPow:
            return 80;
        case Op::FLdexp:
            return 24;
        case Op::FRound:
        case Op::FSign:
        case Op::FSat:
            return 12;
        case Op::FRsq:
        case Op::FRcp:
        case Op::FFract:
            return 4;
        default:
            return 1;
    }
}

}  // namespace

uint64_t lowered_size(const Shader& s) {
    uint64_t size = 0;
    for_each(s.body, [&](const Instr* i) { size += size_of(*i); });
    return size;
}

bool lower_transcendental(Shader& s, const LowerTranscendentalOptions& options) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) {
        Value* v = Lowering(s, i, options).lower(*i);
        if (!v) return;
        replace_uses(i->result(), v);
        erase(i);
        changed = true;
    });
    return changed;
}

}  // namespace terrazzo::ir
