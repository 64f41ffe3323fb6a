// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The lowered functions, compared with libm in double precision, for random arguments of the whole range and
// special values.
#include "shaders/passes/lower_transcendental.h"

#include <functional>
#include <limits>

#include "shaders/ir/builder.h"
#include "shaders/ir/eval.h"
#include "shaders/ir/half.h"
#include "shaders/passes/pipeline.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// Evaluates the lowered operation on 64 lanes at a time.
class Function {
  public:
    explicit Function(Op op, Type t = Type::F32) : s_(Stage::Vertex) {
        Builder b(s_);
        std::vector<Value*> v;
        for (int n = 0; n < op_info(op).operands; n++) {
            const bool integer = op == Op::FLdexp && n == 1;
            Value* x = b.load_input(integer ? Type::I32 : Type::F32, unsigned(n), 0);
            v.push_back(t == Type::F16 && !integer ? b.convert(Op::F2F, t, x) : x);
        }
        Value* r = b.alu(op, v);
        b.store_output(0, 0, t == Type::F16 ? b.convert(Op::F2F, Type::F32, r) : r);
        CHECK(lower_transcendental(s_));
        CHECK(!lower_transcendental(s_));  // nothing is left to lower
        CHECK(validate(s_) == "");
        // The pipeline must not change a bit of the result.
        const auto optimised = clone(s_);
        optimize(*optimised);
        program_ = InterpProgram::create(s_, 64);
        optimised_ = InterpProgram::create(*optimised, 64);
    }
    std::vector<float> operator()(const std::vector<float>& x, const std::vector<float>& y = {}) {
        const auto go = [&](const InterpProgram& p) {
            InterpState state(p);
            TestEnv env(64);
            for (unsigned i = 0; i < 64; i++) {
                env.inputs[0].push_back(std::bit_cast<uint32_t>(x[i % x.size()]));
                env.inputs[4].push_back(y.empty() ? 0 : std::bit_cast<uint32_t>(y[i % y.size()]));
            }
            CHECK(run(p, state, env, ~0ull, 0) == InterpStatus::Done);
            return env.outputs[0];
        };
        const auto a = go(*program_), b = go(*optimised_);
        std::vector<float> r;
        for (unsigned i = 0; i < 64; i++) {
            REQUIRE(same_word(a[i], b[i]));
            r.push_back(f(a[i]));
        }
        return r;
    }
    float operator()(float x) { return (*this)(std::vector{x})[0]; }
    float operator()(float x, float y) { return (*this)(std::vector{x}, std::vector{y})[0]; }

  private:
    Shader s_;
    std::unique_ptr<const InterpProgram> program_, optimised_;
};

double ulp_of(double v) {
    const double a = std::max(std::fabs(v), double(std::numeric_limits<float>::min()));
    return std::ldexp(1.0, std::ilogb(a) - 23);
}

/// The worst error in ulps over `n` arguments from `argument`. Errors below `absolute` do not count.
double worst(Function& fn, const std::function<double(double)>& truth,
             const std::function<float(Random&)>& argument, unsigned n, double absolute = 0) {
    Random random(n);
    double w = 0;
    for (unsigned k = 0; k < n; k += 64) {
        std::vector<float> x;
        for (unsigned i = 0; i < 64; i++)
            x.push_back(argument(random));
        const auto y = fn(x);
        for (unsigned i = 0; i < 64; i++) {
            const double t = truth(double(x[i]));
            if (std::fabs(t) > double(std::numeric_limits<float>::max())) {
                if (std::fabs(t) > 3.4028236e38) CHECK(std::isinf(y[i]));
                continue;
            }
            const double e = std::fabs(double(y[i]) - t);
            if (e > absolute) w = std::max(w, e / ulp_of(t));
            REQUIRE_MESSAGE(std::isfinite(y[i]), x[i]);
        }
    }
    return w;
}

float uniform(Random& r, float low, float high) {
    return low + (high - low) * float(r.below(1u << 24)) * 0x1p-24f;
}

}  // namespace

TEST_CASE("exp2") {
    Function fn(Op::FExp2);
    const auto truth = [](double x) { return std::exp2(x); };
    const double w = worst(
        fn, truth, [](Random& r) { return uniform(r, -126, 128); }, 200000);
    CHECK(w < 3.0);
    CHECK(worst(
              fn, truth, [](Random& r) { return uniform(r, -1, 1); }, 100000) < 3.0);
    Random random(5);
    for (int n = 0; n < 1000; n++) {  // denormals may be flushed
        const float x = uniform(random, -150, -126), y = fn(x);
        CHECK(y >= 0.0f);
        CHECK(double(y) <= truth(double(x)) * (1 + 0x1p-20) + 0x1p-149);
    }
    MESSAGE("exp2: " << w << " ulp");
    for (int e = -126; e < 128; e++)
        CHECK(fn(float(e)) == std::ldexp(1.0f, e));
    CHECK(fn(-127.0f) == 0.0f);
    CHECK(fn(127.99999f) < kInf);
    CHECK(fn(128.0f) == kInf);
    CHECK(fn(1e30f) == kInf);
    CHECK(fn(kInf) == kInf);
    CHECK(fn(-kInf) == 0.0f);
    CHECK(fn(-1e30f) == 0.0f);
    CHECK(fn(-0.0f) == 1.0f);
    CHECK(std::isnan(fn(NAN)));
}

TEST_CASE("log2") {
    Function fn(Op::FLog2);
    const auto truth = [](double x) { return std::log2(x); };
    const double w = worst(
        fn, truth, [](Random& r) { return f(0x800000 + r.below(0x7f000000)); }, 200000);
    const double near_one = worst(
        fn, truth, [](Random& r) { return uniform(r, 0.6f, 1.6f); }, 200000);
    MESSAGE("log2: " << w << " ulp, near one " << near_one);
    CHECK(w < 3.0);
    CHECK(near_one < 3.0);
    for (int e = -126; e < 128; e++)
        CHECK(fn(std::ldexp(1.0f, e)) == float(e));
    CHECK(fn(0.0f) == -kInf);
    CHECK(fn(-0.0f) == -kInf);
    CHECK(fn(kInf) == kInf);
    CHECK(fn(0x1p-130f) == -kInf);
    CHECK(fn(-1.0f) == -kInf);
    CHECK(fn(-kInf) == -kInf);
    CHECK(std::isnan(fn(NAN)));
}

TEST_CASE("sin and cos") {
    for (const bool cosine : {false, true}) {
        Function fn(cosine ? Op::FCos : Op::FSin);
        const auto truth = [&](double x) { return cosine ? std::cos(x) : std::sin(x); };
        const double absolute = 0x1p-23 * 0.71;
        const double small = worst(
            fn, truth, [](Random& r) { return uniform(r, -4, 4); }, 200000, absolute);
        const double large = worst(
            fn, truth, [](Random& r) { return uniform(r, -100000, 100000); }, 200000, absolute);
        MESSAGE((cosine ? "cos: " : "sin: ") << small << " ulp, large " << large);
        CHECK(small < 2.2);
        CHECK(large < 2.2);
        Random random(3);
        for (int n = 0; n < 1000; n++) {
            const float x = f(random.below(0x7f7fffff));
            CHECK(std::fabs(fn(x)) <= 1.0f);
        }
        CHECK(fn(0.0f) == (cosine ? 1.0f : 0.0f));
        CHECK(std::isnan(fn(NAN)));
    }
    Function sine(Op::FSin);
    // Near its zeros the sine keeps relative precision. Small arguments equal their sines.
    CHECK(std::fabs(double(sine(3.14159274f)) - std::sin(double(3.14159274f))) < 1e-13);
    CHECK(sine(1e-20f) == 1e-20f);
}

TEST_CASE("pow") {
    Function fn(Op::FPow);
    Random random(8);
    double w = 0;
    for (unsigned n = 0; n < 60000; n += 64) {
        std::vector<float> x, y;
        for (unsigned i = 0; i < 64; i++) {
            x.push_back(n % 3 ? uniform(random, 0.001f, 4) : f(0x800000 + random.below(0x7f000000)));
            y.push_back(uniform(random, -10, 10));
        }
        const auto z = fn(x, y);
        for (unsigned i = 0; i < 64; i++) {
            const double t = std::pow(double(x[i]), double(y[i]));
            if (t > 3.4e38 || t < 0x1p-126) continue;
            const double e = std::fabs(double(z[i]) - t) / ulp_of(t);
            w = std::max(w, e / (3 + 1.75 * std::fabs(double(y[i]) * std::log2(double(x[i])))));
        }
    }
    MESSAGE("pow: " << w << " of the bound");
    CHECK(w < 1.0);
    CHECK(fn(2.0f, 10.0f) == 1024.0f);
    CHECK(fn(0.0f, 3.0f) == 0.0f);
    CHECK(fn(0.0f, 0.0f) == 1.0f);
    CHECK(fn(5.0f, 0.0f) == 1.0f);
    CHECK(fn(0.0f, -1.0f) == kInf);
    CHECK(fn(1.0f, 100.0f) == 1.0f);
    CHECK(fn(0.0f, 0.01f) == 0.0f);
    CHECK(fn(kInf, 0.01f) == kInf);
    CHECK(fn(kInf, -0.01f) == 0.0f);
    CHECK(fn(kInf, 0.0f) == 1.0f);
    CHECK(fn(-2.0f, 2.0f) == 0.0f);  // undefined in ESSL
    CHECK(fn(NAN, 2.0f) == 0.0f);
}

TEST_CASE("pow with a constant exponent") {
    for (const float y : {1.0f, 1.5f, 2.2f, 20.0f, 0.45f, -3.0f}) {
        CAPTURE(y);
        Shader s(Stage::Vertex);
        Builder b(s);
        b.store_output(0, 0, b.alu(Op::FPow, b.load_input(Type::F32, 0, 0), b.f32(y)));
        CHECK(lower_transcendental(s));
        const auto program = InterpProgram::create(s, 64);
        const auto at = [&](float x) {
            InterpState state(*program);
            TestEnv env(64);
            for (unsigned i = 0; i < 64; i++)
                env.inputs[0].push_back(std::bit_cast<uint32_t>(x));
            CHECK(run(*program, state, env, ~0ull, 0) == InterpStatus::Done);
            return f(env.outputs[0][0]);
        };
        Random random(9);
        for (int n = 0; n < 500; n++) {
            const float x = uniform(random, 0.02f, 3);
            const double t = std::pow(double(x), double(y));
            if (t < 0x1p-126) continue;
            const double bound = 3 + 1.75 * std::fabs(double(y) * std::log2(double(x)));
            CHECK(std::fabs(double(at(x)) - t) / ulp_of(t) < bound);
        }
        for (const float x : {0.0f, -0.0f, -1e-39f, -3.0f, -kInf, NAN})
            CHECK(at(x) == (y > 0 ? 0.0f : kInf));
        CHECK(at(kInf) == (y > 0 ? kInf : 0.0f));
        CHECK(at(1.0f) == 1.0f);
        if (y > 0) CHECK(at(1e-45f) < 0x1p-50f);
    }
}

TEST_CASE("exact functions equal the interpreter's own operation") {
    Random random(17);
    for (Op op : {Op::FRcp, Op::FRsq, Op::FSign, Op::FFract, Op::FRound, Op::FSat}) {
        for (Type t : {Type::F32, Type::F16}) {
            CAPTURE(std::string(op_info(op).text));
            Function fn(op, t);
            for (unsigned n = 0; n < 6000; n += 64) {
                std::vector<float> x;
                for (unsigned i = 0; i < 64; i++) {
                    static constexpr float kCorners[] = {0.0f, -0.0f, 0.5f, 1.5f,       2.5f,      -0.5f,
                                                         kInf, -kInf, NAN,  8388609.0f, 4194304.5f};
                    x.push_back(i < 11  ? kCorners[i]
                                : n % 2 ? uniform(random, -9, 9)
                                        : f(uint32_t(random.bits())));
                }
                const auto y = fn(x);
                for (unsigned i = 0; i < 64; i++) {
                    const uint64_t word =
                        t == Type::F16 ? half_from_float(x[i]) : std::bit_cast<uint32_t>(x[i]);
                    const uint32_t expected = uint32_t(*evaluate(op, t, t, std::span(&word, 1)));
                    const uint32_t got =
                        t == Type::F16 ? half_from_float(y[i]) : std::bit_cast<uint32_t>(y[i]);
                    const bool nan =
                        t == Type::F16 && (expected & 0x7fff) > 0x7c00 && (got & 0x7fff) > 0x7c00;
                    REQUIRE_MESSAGE((nan || same_word(expected, got)), x[i]);
                }
            }
        }
    }
    Function fn(Op::FLdexp);
    for (int n = 0; n < 3000; n++) {
        const float x = uniform(random, -3, 3);
        const int e = int(random.below(250)) - 126;
        CHECK(fn(x, std::bit_cast<float>(e)) == std::ldexp(x, e));
    }
    CHECK(fn(1e-45f, std::bit_cast<float>(276)) == std::ldexp(1e-45f, 276));
    CHECK(fn(1.0f, std::bit_cast<float>(1 << 30)) == kInf);
    CHECK(fn(1.0f, std::bit_cast<float>(-(1 << 30))) == 0.0f);
}

TEST_CASE("half precision is computed in full precision") {
    for (Op op : {Op::FExp2, Op::FLog2, Op::FSin, Op::FCos}) {
        Function fn(op, Type::F16);
        for (uint32_t h = 0; h < 0x7c00; h += 37) {
            const uint64_t word = h;
            const float expected =
                half_to_float(uint16_t(*evaluate(op, Type::F16, Type::F16, std::span(&word, 1))));
            const float got = fn(half_to_float(uint16_t(h)));
            if (expected == got) continue;
            REQUIRE(std::fabs(expected - got) <= 0.001 * std::fabs(expected) + 1e-6);
        }
    }
}

TEST_CASE("options choose what is lowered") {
    constexpr std::string_view text = R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = frsq %0
  %2: f32 = fpow %1, %0
  %3: f32 = fsign %2
  store_output 0.x, %3
}
)";
    const auto s = shader_of(text);
    LowerTranscendentalOptions none{};
    none = {false, false, false, false, false, false, false, false, false, false, false};
    CHECK(!lower_transcendental(*s, none));
    CHECK(print(*s) == text);
    LowerTranscendentalOptions pow_only = none;
    pow_only.pow = true;
    CHECK(lower_transcendental(*s, pow_only));
    s->renumber();
    CHECK(print(*s) == R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = frsq %0
  %2: f32 = flog2.exact %1
  %3: f32 = fmul.exact %0, %2
  %4: f32 = fexp2.exact %3
  %5: f32 = const 1.0
  %6: f32 = const 0.0
  %7: bool = feq.exact %0, %6
  %8: f32 = select.exact %7, %5, %4
  %9: f32 = fsign %8
  store_output 0.x, %9
}
)");
}

TEST_CASE("lowered_size: an upper bound of a shader's size, op by op") {
    for (unsigned n = 0; n < unsigned(Op::Count_); n++) {
        const Op op = Op(n);
        const OpInfo& info = op_info(op);
        if (info.sig != op_info(Op::FSqrt).sig && op != Op::FPow && op != Op::FLdexp) continue;
        for (const Type t : {Type::F32, Type::F16}) {
            Shader s(Stage::Vertex);
            Builder b(s);
            std::vector<Value*> operands;
            for (int k = 0; k < info.operands; k++) {
                const bool integer = op == Op::FLdexp && k == 1;
                Value* x = b.load_input(integer ? Type::I32 : Type::F32, unsigned(k), 0);
                operands.push_back(t == Type::F16 && !integer ? b.convert(Op::F2F, t, x) : x);
            }
            Value* r = b.alu(op, operands);
            b.store_output(0, 0, t == Type::F16 ? b.convert(Op::F2F, Type::F32, r) : r);
            const uint64_t expected = lowered_size(s);
            (void)lower_transcendental(s);
            uint64_t size = 0;
            for (const Instr* i = s.body->first; i; i = i->next)
                size += i->op != Op::Const;
            INFO(info.text);
            CHECK(size <= expected);
            CHECK(expected <= 4 * size);
        }
    }
}
