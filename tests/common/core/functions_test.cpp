// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Special functions: compares the vector kernels with the library's functions. This test compares some floats
// of each exponent, and all halves. All 2^32 floats were compared once; for sines every fourth group of 16.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "drivers/common/core/functions.h"
#include "tests/common/core/words.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace terrazzo;
using core::Function;
using core::U32;

namespace {

constexpr unsigned kFlushBits = 0x8040;

void with_modes([[maybe_unused]] void (*f)(Function)) {
    for (unsigned n = 0; n < core::kFunctions; ++n) {
        CAPTURE(n);
        f(Function(n));
#if defined(__x86_64__)
        const unsigned before = _mm_getcsr();
        _mm_setcsr(before | kFlushBits);
        f(Function(n));
        _mm_setcsr(before);
#endif
    }
}

void check_floats(Function f) {
    std::mt19937 random(7);
    const core::MicroKernel fast = core::float_kernel(f), slow = core::reference_float_kernel(f);
    for (unsigned n = 0; n < 40000; ++n) {
        U32 in = core_test::some_words(random), a, b;
        // Around 1 and around integers, where most digits cancel.
        for (unsigned i = 0; n % 4 == 0 && i < wave::kLanes; ++i)
            in[i] = (random() % 2 ? 0x3f800000 : std::bit_cast<uint32_t>(float(int(random() % 300) - 150))) +
                    random() % 64 - 32;
        fast(in, U32{}, U32{}, 0, &a);
        slow(in, U32{}, U32{}, 0, &b);
        for (unsigned i = 0; i < wave::kLanes; ++i) {
            const uint32_t input = in[i], got = a[i], wanted = b[i];
            if (got == wanted) continue;
            CAPTURE(input);
            REQUIRE(got == wanted);
        }
    }
}

void check_halves(Function f) {
    const core::MicroKernel fast = core::odd_kernel(f), slow = core::reference_odd_kernel(f);
    for (unsigned h = 0; h < 0x10000; h += wave::kLanes) {
        U32 in, a, b;
        for (unsigned i = 0; i < wave::kLanes; ++i)
            in[i] = std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(h + i)));
        fast(in, U32{}, U32{}, 0, &a);
        slow(in, U32{}, U32{}, 0, &b);
        a = wave::to_halves(wave::as_float(a)), b = wave::to_halves(wave::as_float(b));
        for (unsigned i = 0; i < wave::kLanes; ++i) {
            const uint32_t input = in[i], got = a[i], wanted = b[i];
            if (got == wanted) continue;
            CAPTURE(input);
            REQUIRE(got == wanted);
        }
    }
}

void check_scaled_fma() {
    std::mt19937 random(9);
    const core::MicroKernel fast = core::scaled_fma_kernel(), slow = core::reference_scaled_fma_kernel();
    for (unsigned n = 0; n < 40000; ++n) {
        const U32 a = core_test::some_words(random), b = core_test::some_words(random);
        U32 exponent, got, wanted;
        for (unsigned i = 0; i < wave::kLanes; ++i)
            exponent[i] = random() % 4 ? random() % 320 - 160 : random();
        const U32 addends = core_test::some_words(random);
        const uint64_t c = n % 3 ? uint64_t(addends[0]) : 0x80000000u * (n % 2);
        fast(a, b, exponent, c, &got);
        slow(a, b, exponent, c, &wanted);
        for (unsigned i = 0; i < wave::kLanes; ++i) {
            const uint32_t x = a[i], y = b[i], v = got[i], w = wanted[i];
            if (v == w) continue;
            CAPTURE(x);
            CAPTURE(y);
            CAPTURE(c);
            REQUIRE(v == w);
        }
    }
}

uint32_t one(Function f, uint32_t v) {
    U32 out;
    core::float_kernel(f)(wave::splat(v), U32{}, U32{}, 0, &out);
    return out[5];
}

// Runs one instruction for 16 lanes: the code of `build`, with rows 0 to 2.
template <class F>
U32 run(const U32& a, const U32& b, const U32& c, F&& build) {
    core::MicroBlock block;
    core::MicroBuilder builder(&block);
    builder.write(3, build(builder));
    U32 rows[4] = {a, b, c, {}};
    const uint16_t running = 0xffff;
    core::interpret(block, {rows, 1, 1, nullptr, &running});
    return rows[3];
}
core::Value row(unsigned n) {
    return core::MicroBuilder::reg(n);
}

}  // namespace

TEST_CASE("core: products and sums of halves are rounded once") {
    std::mt19937 random(3);
    for (unsigned n = 0; n < 20000; ++n) {
        U32 in[3];
        for (U32& v : in)
            for (unsigned i = 0; i < wave::kLanes; ++i)
                v[i] = std::bit_cast<uint32_t>(
                    pipe::half_to_float(uint16_t(random() % 2 ? random() : 0x3c00 + random() % 64)));
        const U32 out = run(in[0], in[1], in[2], [](core::MicroBuilder& b) {
            const core::Value product = b.op(core::MicroOp::FloatMul, row(0), row(1));
            return b.op(core::MicroOp::FloatToHalf, core::add_to_odd(b, product, row(2)));
        });
        for (unsigned i = 0; i < wave::kLanes; ++i) {
            const auto f = [&](unsigned k) { return double(std::bit_cast<float>(uint32_t(in[k][i]))); };
            const double exact = wave::add_odd(f(0) * f(1), f(2));
            if (std::isnan(exact)) continue;
            REQUIRE(out[i] == wave::to_half(exact));
        }
    }
}

TEST_CASE("core: conversions with every rounding") {
    using wave::Round;
    std::mt19937 random(5);
    for (const Round round : {Round::NearestEven, Round::Up, Round::Down, Round::ToZero})
        for (unsigned n = 0; n < 2000; ++n) {
            const U32 in = core_test::some_words(random);
            const auto of = [&](auto&& build) { return run(in, U32{}, U32{}, build); };
            const U32 half = of([&](core::MicroBuilder& b) { return core::round_to_half(b, row(0), round); });
            const U32 s =
                of([&](core::MicroBuilder& b) { return core::integer_to_float(b, row(0), true, round); });
            const U32 u =
                of([&](core::MicroBuilder& b) { return core::integer_to_float(b, row(0), false, round); });
            const U32 h =
                of([&](core::MicroBuilder& b) { return core::integer_to_half(b, row(0), true, round); });
            for (unsigned i = 0; i < wave::kLanes; ++i) {
                const uint32_t v = in[i];
                CAPTURE(v);
                REQUIRE(half[i] == wave::to_half(double(std::bit_cast<float>(v)), round));
                REQUIRE(s[i] == std::bit_cast<uint32_t>(wave::from_s64(int32_t(v), round)));
                REQUIRE(u[i] == std::bit_cast<uint32_t>(wave::from_s64(v, round)));
                REQUIRE(h[i] == wave::to_half(double(int32_t(v)), round));
            }
        }
}

TEST_CASE("core: products of bytes") {
    const auto dot = [](const core::DotProduct& d, uint32_t a, uint32_t b, uint32_t c) {
        return uint32_t(run(wave::splat(a), wave::splat(b), wave::splat(c), [&](core::MicroBuilder& m) {
            return core::dot_product(m, d, row(0), row(1), row(2));
        })[3]);
    };
    CHECK(dot({}, 0x04030201, 0x01010102, 100) == 111);
    CHECK(dot({false, false, false, 2, 2}, 0x04030201, 0x01010102, 100) == 107);
    CHECK(dot({true, false}, 0x000000ff, 0x000000ff, 0) == uint32_t(-255));
    CHECK(dot({true, true}, 0x000000ff, 0x000000ff, 0) == 1);
    CHECK(dot({true, true, true}, 0x00000001, 0x00000001, 0x7fffffff) == 0x7fffffff);
    CHECK(dot({false, false, true}, 1, 1, 0xffffffff) == 0xffffffff);
    CHECK(dot({false, false, false}, 1, 1, 0xffffffff) == 0);
}

TEST_CASE("core: special functions equal the library's, rounded to floats") {
    with_modes(check_floats);
}

TEST_CASE("core: special functions of halves, through a float that is rounded to odd") {
    with_modes(check_halves);
}

TEST_CASE("core: a product and a sum, scaled, are rounded once") {
    check_scaled_fma();
}

TEST_CASE("core: sines of large arguments, and of zeros") {
    const auto sine = [](float v) { return one(Function::Sin, std::bit_cast<uint32_t>(v)); };
    CHECK(sine(-0.0f) == 0x80000000);
    CHECK(one(Function::Cos, 0x80000000) == 0x3f800000);
    for (const float v : {39999.5f, 40000.0f, -40001.0f, 1e7f, -3e38f, 3.14159274f, 1.57079637f, 1e-30f})
        CHECK(sine(v) == std::bit_cast<uint32_t>(float(std::sin(double(v)))));
    CHECK((one(Function::Cos, 0x7f800000) & 0x7fffffff) == 0x7fc00000);
}

TEST_CASE("core: special functions at their limits") {
    CHECK(one(Function::Log2, 0) == 0xff800000);
    CHECK(one(Function::Log2, 0x80000000) == 0xff800000);
    CHECK(one(Function::Log2, 0x7f800000) == 0x7f800000);
    CHECK(one(Function::Log2, 0x3f800000) == 0);
    CHECK(one(Function::Log2, 0x00000001) == 0xc3150000);  // -149
    CHECK((one(Function::Log2, 0xbf800000) & 0x7fffffff) == 0x7fc00000);
    CHECK(one(Function::Exp2, 0xff800000) == 0);
    CHECK(one(Function::Exp2, 0x7f800000) == 0x7f800000);
    CHECK(one(Function::Exp2, 0x43000000) == 0x7f800000);  // 128
    CHECK(one(Function::Exp2, 0xc3150000) == 1);           // -149
    CHECK(one(Function::Exp2, 0x7f800001) == 0x7fc00001);
    CHECK(one(Function::Reciprocal, 0x80000000) == 0xff800000);
    CHECK(one(Function::ReciprocalSqrt, 0x40800000) == 0x3f000000);
    CHECK(one(Function::Sqrt, 0x40800000) == 0x40000000);
}
