// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rounding of the lanes' arithmetic, compared with the nearest halves, which are found by search.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "drivers/common/wave/lanes.h"
#include "pipe/half.h"

using namespace terrazzo;

namespace {

// The finite half that is nearest to v (in double, exactly). Ties go to the even one.
uint16_t nearest(double v) {
    uint16_t best = 0;
    double distance = INFINITY;
    for (uint32_t h = 0; h < 0x7c00; ++h) {
        const double d = std::fabs(double(pipe::half_to_float(uint16_t(h))) - std::fabs(v));
        if (d < distance || (d == distance && h % 2 == 0)) {
            best = uint16_t(h);
            distance = d;
        }
    }
    return uint16_t(best | (std::signbit(v) ? 0x8000 : 0));
}

}  // namespace

TEST_CASE("wave: doubles round to the nearest half") {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> mantissa(-2, 2);
    for (int i = 0; i < 400; ++i) {
        const double v = std::ldexp(mantissa(random), int(random() % 42) - 28);
        if (std::fabs(v) >= 65520) continue;
        CAPTURE(v);
        CHECK(wave::to_half(v) == nearest(v));
    }
    // Midpoints, and the adjacent doubles.
    for (const uint16_t h : {0x0000, 0x0001, 0x03ff, 0x0400, 0x3c00, 0x3c01, 0x7bfe}) {
        const double a = pipe::half_to_float(h), b = pipe::half_to_float(uint16_t(h + 1)),
                     middle = (a + b) / 2;
        CHECK(wave::to_half(middle) == (h % 2 ? h + 1 : h));
        CHECK(wave::to_half(std::nextafter(middle, 1e9)) == h + 1);
        CHECK(wave::to_half(std::nextafter(middle, -1e9)) == h);
    }
    CHECK(wave::to_half(65519.99) == 0x7bff);
    CHECK(wave::to_half(65520) == 0x7c00);
    CHECK(wave::to_half(-1e300) == 0xfc00);
    CHECK(wave::to_half(INFINITY) == 0x7c00);
    CHECK((wave::to_half(NAN) & 0x7fff) == 0x7e00);
    CHECK(wave::to_half(-0.0) == 0x8000);
    CHECK(wave::to_half(1.0 + 0x1p-12, wave::Round::Up) == 0x3c01);
    CHECK(wave::to_half(-1.0 - 0x1p-12, wave::Round::ToZero) == 0xbc00);
}

TEST_CASE("wave: sixteen floats round to halves like single ones") {
    uint32_t different = 0;
    // Every exponent and sign, and each pattern of the bits that decide the rounding.
    for (uint64_t i = 0; i < uint64_t(1) << 32; i += 16 * 251) {
        wave::U32 bits;
        for (unsigned n = 0; n < wave::kLanes; ++n)
            bits[n] = uint32_t(i + n * 251);
        const wave::U32 halves = wave::to_halves(wave::as_float(bits));
        for (unsigned n = 0; n < wave::kLanes; ++n)
            different += halves[n] != pipe::float_to_half(std::bit_cast<float>(bits[n]));
    }
    CHECK(different == 0);
    const auto half_of = [](float v) { return wave::to_halves(wave::F32{} + v)[3]; };
    CHECK(half_of(65519.996f) == 0x7bff);
    CHECK(half_of(65520) == 0x7c00);
    CHECK(half_of(-INFINITY) == 0xfc00);
    CHECK((half_of(NAN) & 0x7fff) == 0x7e00);
    CHECK(half_of(0x1p-25f) == 0);
    CHECK(half_of(0x1.8p-24f) == 2);
    CHECK(half_of(1 + 0x1p-11f) == 0x3c00);
    CHECK(half_of(1 + 0x1.8p-10f) == 0x3c02);
}

TEST_CASE("wave: rounding sums to odd makes fused operations exact") {
    // 1 + 2^-60 is not representable: the odd neighbour says that there is a remainder.
    CHECK(wave::add_odd(1.0, 0x1p-60) == std::nextafter(1.0, 2.0));
    CHECK(wave::add_odd(1.0, -0x1p-60) == std::nextafter(1.0, 0.0));
    CHECK(wave::add_odd(1.0, 2.0) == 3.0);
    CHECK(wave::fma_scale(3, 5, -1, 4) == 224.0f);
    CHECK(wave::round_to_integral(2.5f, wave::Round::NearestEven) == 2.0f);
    CHECK(wave::to_s32(3e9f, wave::Round::ToZero) == INT32_MAX);
    CHECK(wave::to_u16(-3.0f, wave::Round::Down) == 0);
}

TEST_CASE("wave: one bit for each lane becomes a mask, and back") {
    for (uint32_t bits = 0; bits < 0x10000; bits += 7) {
        const wave::U32 mask = wave::mask_of(bits);
        uint32_t wrong = 0;
        for (unsigned i = 0; i < wave::kLanes; ++i)
            wrong |= uint32_t(mask[i] != (bits >> i & 1 ? ~0u : 0u)) << i;
        REQUIRE(wrong == 0);
        REQUIRE(wave::bits_of(mask) == bits);
        REQUIRE(wave::bits_of(mask & 0x80000000u) == bits);
        REQUIRE(wave::bits_of(mask & 1u) == bits);
    }
}
