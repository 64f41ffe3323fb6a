// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small floats: exhaustive round trips, and rounding compared with a search in double precision.
#include "pipe/half.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "pipe/packed_float.h"

using namespace terrazzo::pipe;

namespace {

// The value of a half by its definition, without bit tricks.
double half_value(uint16_t h) {
    const int e = (h >> 10) & 31, m = h & 1023;
    const double magnitude = e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
    return h & 0x8000 ? -magnitude : magnitude;
}

}  // namespace

TEST_CASE("half: every finite half has its value, and converts back") {
    for (unsigned i = 0; i < 65536; ++i) {
        const uint16_t h = uint16_t(i);
        const float f = half_to_float(h);
        if (((h >> 10) & 31) == 31) {
            if (h & 1023)
                CHECK(std::isnan(f));
            else
                CHECK(std::isinf(f));
            CHECK(((float_to_half(f) ^ h) & 0xfc00) == 0);
            if (!(h & 1023))
                CHECK(float_to_half(f) == h);
            else
                CHECK((float_to_half(f) & 1023) != 0);
            continue;
        }
        if (double(f) != half_value(h) || float_to_half(f) != h) FAIL("half " << i);
    }
    CHECK(std::signbit(half_to_float(0x8000)));
}

TEST_CASE("half: values round to the nearest half, ties to even") {
    for (unsigned i = 0; i < 0x7bff; ++i) {
        const float a = half_to_float(uint16_t(i)), b = half_to_float(uint16_t(i + 1));
        const float middle = float((double(a) + double(b)) / 2);
        const float below = std::nextafter(middle, 0.0f), above = std::nextafter(middle, 1e9f);
        const unsigned even = i & 1 ? i + 1 : i;
        if (float_to_half(below) != i || float_to_half(above) != i + 1 || float_to_half(middle) != even ||
            float_to_half(-middle) != (even | 0x8000))
            FAIL("above half " << i);
    }
}

TEST_CASE("half: infinities, NaN, overflow and underflow") {
    CHECK(float_to_half(65504.0f) == 0x7bff);
    CHECK(float_to_half(65519.996f) == 0x7bff);
    CHECK(float_to_half(65520.0f) == 0x7c00);
    CHECK(float_to_half(1e30f) == 0x7c00);
    CHECK(float_to_half(-std::numeric_limits<float>::infinity()) == 0xfc00);
    CHECK(float_to_half(std::ldexp(1.0f, -25)) == 0);
    CHECK(float_to_half(std::nextafter(std::ldexp(1.0f, -25), 1.0f)) == 1);
    CHECK(float_to_half(std::numeric_limits<float>::denorm_min()) == 0);
    CHECK(float_to_half(1.0f) == 0x3c00);
    CHECK(float_to_half(-0.0f) == 0x8000);
}

TEST_CASE("11- and 10-bit floats: round trips, nearest, and the spec's limits") {
    for (unsigned mantissa : {5u, 6u}) {
        const unsigned infinity = 31u << mantissa;
        for (unsigned i = 0; i <= infinity; ++i)
            CHECK(float_to_small_float(small_float_to_float(i, mantissa), mantissa) == i);
        for (unsigned i = 0; i + 1 < infinity; ++i) {
            const double a = small_float_to_float(i, mantissa), b = small_float_to_float(i + 1, mantissa);
            const float middle = float((a + b) / 2);
            CHECK(float_to_small_float(std::nextafter(middle, 0.0f), mantissa) == i);
            CHECK(float_to_small_float(std::nextafter(middle, 1e9f), mantissa) == i + 1);
        }
        CHECK(float_to_small_float(1e30f, mantissa) == infinity - 1);
        CHECK(float_to_small_float(-1.0f, mantissa) == 0);
        CHECK(float_to_small_float(-std::numeric_limits<float>::infinity(), mantissa) == 0);
        CHECK(float_to_small_float(std::numeric_limits<float>::infinity(), mantissa) == infinity);
        CHECK(float_to_small_float(std::nanf(""), mantissa) > infinity);
    }
    CHECK(small_float_to_float(30u << 6 | 63, 6) == 65024.0f);
    CHECK(small_float_to_float(30u << 5 | 31, 5) == 64512.0f);
}

TEST_CASE("shared exponent: literals, clamping, and relative error of random colours") {
    const float one[3] = {1, 1, 1};
    CHECK(pack_r9g9b9e5(one) == (16u << 27 | 256u << 18 | 256u << 9 | 256u));
    const float big[3] = {1e9f, -4.0f, std::nanf("")};
    CHECK(pack_r9g9b9e5(big) == (31u << 27 | 511u));
    const float zero[3] = {0, 0, 0};
    CHECK(pack_r9g9b9e5(zero) == 0);
    const float carry[3] = {std::nextafter(1.0f, 0.0f), 0, 0};  // rounds to 512, so the exponent grows
    CHECK(pack_r9g9b9e5(carry) == (16u << 27 | 256u));
    std::mt19937 rng(7);
    std::uniform_real_distribution<float> exponent(-14, 15.9f), unit(0, 1);
    for (int i = 0; i < 20000; ++i) {
        const float scale = std::exp2(exponent(rng));
        const float in[3] = {scale, unit(rng) * scale, unit(rng) * scale};
        float out[3];
        unpack_r9g9b9e5(out, pack_r9g9b9e5(in));
        for (int c = 0; c < 3; ++c)
            CHECK(std::abs(out[c] - in[c]) <= scale * (1.0f / 511.0f));
    }
}
