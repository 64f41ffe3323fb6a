// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ALU operations, compared with literals, and binary16 with an independent conversion (a search of the
// nearest value).
#include "shaders/ir/eval.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "shaders/ir/half.h"
#include "tests/shaders/ir/random_shader.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::Random;

namespace {

uint64_t bits(float f) {
    return std::bit_cast<uint32_t>(f);
}
uint64_t bits(int i) {
    return uint32_t(i);
}

template <typename... T>
float ff(Op op, T... v) {
    const uint64_t o[] = {bits(v)...};
    const auto r = evaluate(op, Type::F32, Type::F32, o);
    REQUIRE(r);
    return std::bit_cast<float>(uint32_t(*r));
}
template <typename... T>
int ii(Op op, T... v) {
    const uint64_t o[] = {bits(v)...};
    const auto r = evaluate(op, Type::I32, Type::I32, o);
    REQUIRE(r);
    return int(uint32_t(*r));
}
template <typename... T>
bool cmp(Op op, Type t, T... v) {
    const uint64_t o[] = {bits(v)...};
    return *evaluate(op, Type::Bool, t, o) != 0;
}
uint64_t conv(Op op, Type to, Type from, uint64_t v) {
    const auto r = evaluate(op, to, from, std::span(&v, 1));
    REQUIRE(r);
    return *r;
}
uint64_t op(Op o, Type t, std::initializer_list<uint64_t> v) {
    return *evaluate(o, t, t, std::span(v.begin(), v.size()));
}

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int kMin = std::numeric_limits<int>::min();

}  // namespace

TEST_CASE("float arithmetic") {
    CHECK(ff(Op::FAdd, 1.5f, 2.0f) == 3.5f);
    CHECK(ff(Op::FSub, 1.0f, 3.0f) == -2.0f);
    CHECK(ff(Op::FMul, 1e-30f, 1e-15f) == 1e-45f);  // a denormal
    CHECK(ff(Op::FDiv, 1.0f, 0.0f) == kInf);
    CHECK(ff(Op::FFma, 16777217.0f, 1.0f, -16777216.0f) == 0.0f);
    CHECK(ff(Op::FFma, 1.0f + 0x1p-23f, 1.0f + 0x1p-23f, -1.0f - 0x1p-22f) == 0x1p-46f);
    CHECK(std::signbit(ff(Op::FNeg, 0.0f)));
    CHECK(ff(Op::FAbs, -3.0f) == 3.0f);
    CHECK(ff(Op::FSign, -3.0f) == -1.0f);
    CHECK(ff(Op::FSign, NAN) == 0.0f);
    CHECK(ff(Op::FSat, NAN) == 0.0f);
    CHECK(ff(Op::FSat, 7.0f) == 1.0f);
    CHECK(ff(Op::FMin, NAN, 2.0f) == 2.0f);
    CHECK(ff(Op::FMax, 2.0f, NAN) == 2.0f);
    CHECK(std::signbit(ff(Op::FMin, -0.0f, 0.0f)));
    CHECK(!std::signbit(ff(Op::FMin, 0.0f, -0.0f)));  // the first of two equal operands
    CHECK(ff(Op::FRound, 2.5f) == 2.0f);
    CHECK(ff(Op::FRound, -3.5f) == -4.0f);
    CHECK(ff(Op::FFract, -0.25f) == 0.75f);
    CHECK(ff(Op::FTrunc, -1.75f) == -1.0f);
    CHECK(ff(Op::FCeil, -1.75f) == -1.0f);
    CHECK(ff(Op::FRsq, 4.0f) == 0.5f);
    CHECK(ff(Op::FRcp, 0.0f) == kInf);
    CHECK(ff(Op::FLdexp, 1.5f, 4) == 24.0f);
    CHECK(ff(Op::FLdexp, 1.0f, -149) == 1e-45f);
    CHECK(ff(Op::FLdexp, 1e-45f, 149) == 1.0f);
    CHECK(ff(Op::FLdexp, 1.0f, 2000000000) == kInf);
    CHECK(ff(Op::FPow, 2.0f, 10.0f) == 1024.0f);
    CHECK(ff(Op::FPow, 0.0f, 3.0f) == 0.0f);
    CHECK(ff(Op::FPow, 0.0f, 0.0f) == 1.0f);
    CHECK(std::isnan(ff(Op::FPow, -2.0f, 2.0f)));
    CHECK(ff(Op::FLog2, 0.0f) == -kInf);
    CHECK(ff(Op::FExp2, -149.0f) == 1e-45f);
}

TEST_CASE("float comparisons of NaN") {
    CHECK(!cmp(Op::FEq, Type::F32, NAN, NAN));
    CHECK(cmp(Op::FNe, Type::F32, NAN, NAN));
    CHECK(!cmp(Op::FLt, Type::F32, NAN, 1.0f));
    CHECK(!cmp(Op::FGe, Type::F32, NAN, 1.0f));
    CHECK(cmp(Op::FEq, Type::F32, 0.0f, -0.0f));
}

TEST_CASE("integer arithmetic wraps and never traps") {
    CHECK(ii(Op::IAdd, 2147483647, 1) == kMin);
    CHECK(ii(Op::IMul, 65536, 65536) == 0);
    CHECK(ii(Op::IDiv, -7, 2) == -3);
    CHECK(ii(Op::IDiv, kMin, -1) == kMin);
    CHECK(ii(Op::IDiv, 5, 0) == 0);
    CHECK(ii(Op::IRem, -7, 2) == -1);
    CHECK(ii(Op::IRem, kMin, -1) == 0);
    CHECK(ii(Op::IMod, -7, 3) == 2);
    CHECK(ii(Op::IMod, 7, -3) == -2);
    CHECK(ii(Op::UDiv, -1, 2) == 0x7fffffff);
    CHECK(ii(Op::UMod, -1, 10) == 5);
    CHECK(ii(Op::UMod, 3, 0) == 0);
    CHECK(ii(Op::IMulHigh, -1, 5) == -1);
    CHECK(ii(Op::UMulHigh, -1, 5) == 4);
    CHECK(ii(Op::IAbs, kMin) == kMin);
    CHECK(ii(Op::ISign, -9) == -1);
    CHECK(ii(Op::IMin, -1, 1) == -1);
    CHECK(ii(Op::UMin, -1, 1) == 1);
    CHECK(op(Op::IMul, Type::I16, {0xffff, 0xffff}) == 1);
    CHECK(op(Op::IMulHigh, Type::I16, {0x8000, 0x0002}) == 0xffff);
    CHECK(op(Op::UMulHigh, Type::I64, {~0ull, ~0ull}) == ~0ull - 1);
    CHECK(op(Op::IDiv, Type::I16, {0x8000, 0xffff}) == 0x8000);
    CHECK(op(Op::IAdd, Type::I64, {0xffffffffull, 1}) == 0x100000000ull);
}

TEST_CASE("bits") {
    CHECK(ii(Op::IShl, 1, 33) == 2);
    CHECK(ii(Op::IShr, kMin, 31) == -1);
    CHECK(ii(Op::UShr, kMin, 31) == 1);
    CHECK(op(Op::IShl, Type::I16, {1, 17}) == 2);
    CHECK(op(Op::IShr, Type::I16, {0x8000, 15}) == 0xffff);
    CHECK(ii(Op::BitCount, -1) == 32);
    CHECK(ii(Op::BitReverse, 1) == kMin);
    CHECK(ii(Op::FindLsb, 0) == -1);
    CHECK(ii(Op::FindLsb, 40) == 3);
    CHECK(ii(Op::UFindMsb, 40) == 5);
    CHECK(ii(Op::IFindMsb, -1) == -1);
    CHECK(ii(Op::IFindMsb, -2) == 0);
    CHECK(ii(Op::UBitfieldExtract, 0x1234, 4, 8) == 0x23);
    CHECK(ii(Op::IBitfieldExtract, 0xf80, 7, 5) == -1);
    CHECK(ii(Op::IBitfieldExtract, -5, 0, 32) == -5);
    CHECK(ii(Op::UBitfieldExtract, -1, 3, 0) == 0);
    CHECK(ii(Op::BitfieldInsert, 0, 0xff, 4, 4) == 0xf0);
    CHECK(ii(Op::BitfieldInsert, 1, -1, 0, 32) == -1);
    CHECK(op(Op::INot, Type::Bool, {1}) == 0);
    CHECK(op(Op::INot, Type::I16, {0}) == 0xffff);
    CHECK(cmp(Op::ULt, Type::I32, 1, -1));
    CHECK(!cmp(Op::ILt, Type::I32, 1, -1));
}

TEST_CASE("conversions truncate, saturate and round") {
    const auto f2i = [](float f) { return int(conv(Op::F2I, Type::I32, Type::F32, bits(f))); };
    CHECK(f2i(-1.9f) == -1);
    CHECK(f2i(3e9f) == 2147483647);
    CHECK(f2i(-kInf) == kMin);
    CHECK(f2i(NAN) == 0);
    CHECK(f2i(2147483520.0f) == 2147483520);
    CHECK(conv(Op::F2U, Type::I32, Type::F32, bits(-0.5f)) == 0);
    CHECK(conv(Op::F2U, Type::I32, Type::F32, bits(-5.0f)) == 0);
    CHECK(conv(Op::F2U, Type::I32, Type::F32, bits(4294967040.0f)) == 4294967040u);
    CHECK(conv(Op::F2U, Type::I16, Type::F32, bits(70000.0f)) == 0xffff);
    CHECK(conv(Op::F2I, Type::I64, Type::F32, bits(1e19f)) == 0x7fffffffffffffffull);
    CHECK(conv(Op::I2F, Type::F32, Type::I32, bits(-3)) == bits(-3.0f));
    CHECK(conv(Op::I2F, Type::F32, Type::I32, bits(16777217)) == bits(16777216.0f));
    CHECK(conv(Op::U2F, Type::F32, Type::I32, bits(-1)) == bits(4294967296.0f));
    CHECK(conv(Op::I2I, Type::I64, Type::I32, bits(-2)) == uint64_t(-2));
    CHECK(conv(Op::U2U, Type::I64, Type::I32, bits(-2)) == 0xfffffffeull);
    CHECK(conv(Op::I2I, Type::I32, Type::I16, 0x8000) == 0xffff8000u);
    CHECK(conv(Op::U2U, Type::I16, Type::I64, 0x123456789abcull) == 0x9abc);
    CHECK(conv(Op::B2F, Type::F16, Type::Bool, 1) == 0x3c00);
    CHECK(conv(Op::F2F, Type::F16, Type::F32, bits(65520.0f)) == 0x7c00);
    CHECK(conv(Op::F2F, Type::F32, Type::F16, 0x0001) == bits(0x1p-24f));
    CHECK(conv(Op::I2F, Type::F16, Type::I32, bits(2049)) == 0x6800);
    CHECK(conv(Op::UnpackHalfHigh, Type::F32, Type::I32, 0x3c004000u) == bits(1.0f));
    const uint64_t two[] = {bits(1.0f), bits(2.0f)};
    CHECK(*evaluate(Op::PackHalf2, Type::I32, Type::F32, two) == 0x40003c00u);
}

TEST_CASE("binary16 conversion rounds to the nearest even") {
    // A search over all finite halves for the nearest one, independent of the bit operations.
    const auto value = [](uint16_t h) {
        const int e = (h >> 10) & 31, m = h & 1023;
        return e ? std::ldexp(1.0 + m / 1024.0, e - 15) : std::ldexp(m / 1024.0, -14);
    };
    for (uint32_t h = 0; h < 0x7c00; h++) {
        REQUIRE(double(half_to_float(uint16_t(h))) == value(uint16_t(h)));
        REQUIRE(half_from_float(float(value(uint16_t(h)))) == h);
        const double next = h == 0x7bff ? 65536.0 : value(uint16_t(h + 1));
        const double middle = (value(uint16_t(h)) + next) / 2;
        REQUIRE(half_from_double(middle) == h + (h & 1));
        REQUIRE(half_from_double(std::nextafter(middle, 0.0)) == h);
        REQUIRE(half_from_double(std::nextafter(middle, 1e9)) == h + 1);
        REQUIRE(half_from_float(-float(value(uint16_t(h)))) == (h | 0x8000));
    }
    CHECK(std::isnan(half_to_float(half_from_float(NAN))));
}

TEST_CASE("half fma rounds once") {
    Random random(5);
    for (int n = 0; n < 20000; n++) {
        const auto half = [&] { return uint16_t(random.below(0x7c00) | (random.chance(50) ? 0x8000 : 0)); };
        const uint16_t a = half(), b = half(), c = half();
        // long double has a significand of 64 bits. If it is exact, a single conversion is the reference.
        const long double p = (long double)half_to_float(a) * half_to_float(b), z = half_to_float(c);
        const long double s = p + z;
        if (s - p != z || s - z != p || (long double)double(s) != s) continue;
        const uint64_t o[] = {a, b, c};
        REQUIRE(*evaluate(Op::FFma, Type::F16, Type::F16, o) ==
                (s == 0 ? *evaluate(Op::FFma, Type::F16, Type::F16, o) : half_from_double(double(s))));
    }
}

TEST_CASE("operations that are not ALU operations have no kernel") {
    CHECK(!kernel(Op::LoadVar, Type::F32, Type::F32));
    CHECK(!kernel(Op::FDdx, Type::Bool, Type::Bool));
    CHECK(!kernel(Op::FAdd, Type::I32, Type::I32));
    CHECK(!kernel(Op::IAdd, Type::F32, Type::F32));
}
