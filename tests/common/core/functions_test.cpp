// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Special functions: the kernels of vectors against the library's functions. All 2^32 floats were compared
// once; here some of each exponent, and all halves.
#include <doctest/doctest.h>

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
        // Around 1 and around integers, where little is left.
        for (unsigned i = 0; n % 4 == 0 && i < wave::kLanes; ++i)
            in[i] = (random() % 2 ? 0x3f800000 : std::bit_cast<uint32_t>(float(int(random() % 300) - 150))) +
                    random() % 64 - 32;
        fast(in, U32{}, U32{}, 0, &a);
        slow(in, U32{}, U32{}, 0, &b);
        for (unsigned i = 0; i < wave::kLanes; ++i) {
            if (a[i] == b[i]) continue;
            CAPTURE(in[i]);
            REQUIRE(a[i] == b[i]);
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
            if (a[i] == b[i]) continue;
            CAPTURE(in[i]);
            REQUIRE(a[i] == b[i]);
        }
    }
}

uint32_t one(Function f, uint32_t v) {
    U32 out;
    core::float_kernel(f)(wave::splat(v), U32{}, U32{}, 0, &out);
    return out[5];
}

}  // namespace

TEST_CASE("core: special functions are the library's, rounded to floats") {
    with_modes(check_floats);
}

TEST_CASE("core: special functions of halves, by a float that is rounded to odd") {
    with_modes(check_halves);
}

TEST_CASE("core: special functions at their edges") {
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
