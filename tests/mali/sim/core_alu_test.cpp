// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions on random words and on special values, compared with scalar references that are written from
// the instruction's purpose. r0, r1, r2 are the sources, r4 (and r5) the result.
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>

#include "pipe/half.h"
#include "tests/mali/sim/core_fixture.h"

using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace wave = terrazzo::wave;

namespace {

using Reference = std::function<uint64_t(uint32_t a, uint32_t b, uint32_t c)>;
struct Case {
    const char* text;
    Reference expected;
    bool wide = false;
};

float as_f(uint32_t v) {
    return std::bit_cast<float>(v);
}
uint32_t as_u(float v) {
    return std::bit_cast<uint32_t>(v);
}
float as_h(uint32_t v) {
    return terrazzo::pipe::half_to_float(uint16_t(v));
}
uint16_t to_h(double v) {
    return terrazzo::pipe::float_to_half(float(v));
}
// All NaNs are equal.
uint32_t plain(uint32_t v) {
    return std::isnan(as_f(v)) ? 0x7fc00000u : v;
}
uint32_t halves(uint32_t a, uint32_t b, double (*g)(double, double)) {
    return to_h(g(as_h(a), as_h(b))) | uint32_t(to_h(g(as_h(a >> 16), as_h(b >> 16)))) << 16;
}
uint32_t each16(uint32_t a, uint32_t b, int64_t (*g)(int64_t, int64_t), bool sign) {
    const auto part = [&](uint32_t v, unsigned s) {
        return sign ? int64_t(int16_t(v >> s)) : int64_t(uint16_t(v >> s));
    };
    return uint32_t(uint16_t(g(part(a, 0), part(b, 0)))) | uint32_t(uint16_t(g(part(a, 16), part(b, 16))))
                                                               << 16;
}
uint32_t each8(uint32_t a, uint32_t b, int64_t (*g)(int64_t, int64_t), bool sign) {
    uint32_t out = 0;
    for (unsigned s = 0; s < 32; s += 8)
        out |=
            uint32_t(uint8_t(sign ? g(int8_t(a >> s), int8_t(b >> s)) : g(uint8_t(a >> s), uint8_t(b >> s))))
            << s;
    return out;
}
float unit(float v) {
    return v > 0 ? (v < 1 ? v : 1) : 0;
}
int64_t held(int64_t v, int64_t low, int64_t high) {
    return v < low ? low : v > high ? high : v;
}
double even(double v) {
    std::fesetround(FE_TONEAREST);
    return std::nearbyint(v);
}

const Case kCases[] = {
    {"FADD.f32 r4, r0, r1", [](auto a, auto b, auto) { return as_u(as_f(a) + as_f(b)); }},
    {"FADD.f32 r4, r0.neg, r1.abs", [](auto a, auto b, auto) { return as_u(-as_f(a) + std::fabs(as_f(b))); }},
    {"FADD.f32 r4, r0, r1.h1", [](auto a, auto b, auto) { return as_u(as_f(a) + as_h(b >> 16)); }},
    {"FADD.f32.clamp_0_1 r4, r0, r1", [](auto a, auto b, auto) { return as_u(unit(as_f(a) + as_f(b))); }},
    {"FMA.f32 r4, r0, r1, r2.neg",
     [](auto a, auto b, auto c) { return as_u(std::fma(as_f(a), as_f(b), -as_f(c))); }},
    {"FMIN.f32 r4, r0, r1",
     [](auto a, auto b, auto) {
         return std::isnan(as_f(a))   ? b
                : std::isnan(as_f(b)) ? a
                : as_f(a) == as_f(b)  ? (a | b)
                                      : as_u(std::fmin(as_f(a), as_f(b)));
     }},
    {"FMAX.f32 r4, r0, r1",
     [](auto a, auto b, auto) {
         return std::isnan(as_f(a))   ? b
                : std::isnan(as_f(b)) ? a
                : as_f(a) == as_f(b)  ? (a & b)
                                      : as_u(std::fmax(as_f(a), as_f(b)));
     }},
    {"FROUND.f32.rte r4, r0", [](auto a, auto, auto) { return as_u(std::nearbyint(as_f(a))); }},
    {"FROUND.f32.rtp r4, r0", [](auto a, auto, auto) { return as_u(std::ceil(as_f(a))); }},
    {"FROUND.f32.rtn r4, r0", [](auto a, auto, auto) { return as_u(std::floor(as_f(a))); }},
    {"FROUND.f32.rtz r4, r0", [](auto a, auto, auto) { return as_u(std::trunc(as_f(a))); }},
    {"FADD.v2f16 r4, r0, r1",
     [](auto a, auto b, auto) { return halves(a, b, [](double x, double y) { return x + y; }); }},
    {"FADD.v2f16 r4, r0.h10, r1.h00",
     [](auto a, auto b, auto) {
         return halves(a >> 16 | a << 16, (b & 0xffff) | b << 16, [](double x, double y) { return x + y; });
     }},
    {"FRCP.f32 r4, r0", [](auto a, auto, auto) { return as_u(float(1 / double(as_f(a)))); }},
    {"FRSQ.f32 r4, r0", [](auto a, auto, auto) { return as_u(float(1 / std::sqrt(double(as_f(a))))); }},
    {"F32_TO_S32.rtz r4, r0",
     [](auto a, auto, auto) {
         return uint32_t(
             std::isnan(as_f(a))
                 ? 0
                 : int64_t(std::fmin(std::fmax(std::trunc(double(as_f(a))), -2147483648.0), 2147483647.0)));
     }},
    {"F32_TO_U32 r4, r0",
     [](auto a, auto, auto) {
         return uint32_t(
             std::isnan(as_f(a)) ? 0 : int64_t(std::fmin(std::fmax(even(as_f(a)), 0.0), 4294967295.0)));
     }},
    {"S32_TO_F32 r4, r0", [](auto a, auto, auto) { return as_u(float(int32_t(a))); }},
    {"U32_TO_F32 r4, r0", [](auto a, auto, auto) { return as_u(float(a)); }},
    {"U16_TO_F32 r4, r0.h11", [](auto a, auto, auto) { return as_u(float(a >> 16)); }},
    {"S8_TO_S32 r4, r0.b2", [](auto a, auto, auto) { return uint32_t(int32_t(int8_t(a >> 16))); }},
    {"U8_TO_F32 r4, r0.b3", [](auto a, auto, auto) { return as_u(float(a >> 24)); }},
    {"F16_TO_F32 r4, r0.h1", [](auto a, auto, auto) { return as_u(as_h(a >> 16)); }},
    {"V2F32_TO_V2F16 r4, r0, r1",
     [](auto a, auto b, auto) {
         return terrazzo::pipe::float_to_half(as_f(a)) | uint32_t(terrazzo::pipe::float_to_half(as_f(b)))
                                                             << 16;
     }},
    {"IADD.u32 r4, r0, r1", [](auto a, auto b, auto) { return a + b; }},
    {"IADD.u32 r4, r0.b3, r1.h1", [](auto a, auto b, auto) { return (a >> 24) + (b >> 16); }},
    {"IADD.s32 r4, r0.b3, r1.h1",
     [](auto a, auto b, auto) { return uint32_t(int32_t(int8_t(a >> 24)) + int16_t(b >> 16)); }},
    {"IADD.s32.saturate r4, r0, r1",
     [](auto a, auto b, auto) {
         return uint32_t(held(int64_t(int32_t(a)) + int32_t(b), INT32_MIN, INT32_MAX));
     }},
    {"ISUB.u32.saturate r4, r0, r1", [](auto a, auto b, auto) { return a < b ? 0 : a - b; }},
    {"IMUL.i32 r4, r0, r1", [](auto a, auto b, auto) { return a * b; }},
    {"IMULD.u64 r4, r0.w0, r1.w0", [](auto a, auto b, auto) { return uint64_t(a) * b; }, true},
    {"HADD.u32 r4, r0, r1", [](auto a, auto b, auto) { return uint32_t((uint64_t(a) + b) / 2); }},
    {"HADD.s32.rhadd r4, r0, r1",
     [](auto a, auto b, auto) { return uint32_t((int64_t(int32_t(a)) + int32_t(b) + 1) >> 1); }},
    {"IADD.v2u16 r4, r0, r1",
     [](auto a, auto b, auto) {
         return each16(
             a, b, [](int64_t x, int64_t y) { return x + y; }, false);
     }},
    {"ISUB.v2s16.saturate r4, r0, r1",
     [](auto a, auto b, auto) {
         return each16(
             a, b, [](int64_t x, int64_t y) { return held(x - y, -32768, 32767); }, true);
     }},
    {"IMUL.v2i16 r4, r0, r1",
     [](auto a, auto b, auto) {
         return each16(
             a, b, [](int64_t x, int64_t y) { return x * y; }, false);
     }},
    {"IADD.v4u8.saturate r4, r0, r1",
     [](auto a, auto b, auto) {
         return each8(
             a, b, [](int64_t x, int64_t y) { return held(x + y, 0, 255); }, false);
     }},
    {"ISUB.v4s8 r4, r0, r1",
     [](auto a, auto b, auto) {
         return each8(
             a, b, [](int64_t x, int64_t y) { return x - y; }, true);
     }},
    {"IADD.u64 r4, r0.w0, r1.w0", [](auto a, auto b, auto) { return uint64_t(a) + b; }, true},
    {"ISUB.s64 r4, r0.w0, r1.w0",
     [](auto a, auto b, auto) { return uint64_t(int64_t(int32_t(a)) - int32_t(b)); }, true},
    {"SHADDX.s64 r4, r0, r2.w0, shift:0x3",
     [](auto a, auto b, auto c) { return (uint64_t(b) << 32 | a) + (uint64_t(int64_t(int32_t(c))) << 3); },
     true},
    {"LSHIFT_OR.i32 r4, r0, r1.b00, r2", [](auto a, auto b, auto c) { return a << (b & 31) | c; }},
    {"LSHIFT_AND.i32 r4, r0, r1.b11, r2.not", [](auto a, auto b, auto c) { return a << (b >> 8 & 31) & ~c; }},
    {"RSHIFT_XOR.i32 r4, r0, r1.b00, r2", [](auto a, auto b, auto c) { return a >> (b & 31) ^ c; }},
    {"RSHIFT_OR.i32.signed r4, r0, r1.b00, 0x0",
     [](auto a, auto b, auto) { return uint32_t(int32_t(a) >> (b & 31)); }},
    {"RSHIFT_OR.i32.not_result r4, r0, 0x0.b00, r2", [](auto a, auto, auto c) { return ~(a | c); }},
    {"CLZ.u32 r4, r0", [](auto a, auto, auto) { return a ? uint32_t(__builtin_clz(a)) : 32; }},
    {"POPCOUNT.i32 r4, r0", [](auto a, auto, auto) { return uint32_t(__builtin_popcount(a)); }},
    {"MKVEC.v2i16 r4, r0.h10, r1.h00", [](auto a, auto b, auto) { return a >> 16 | b << 16; }},
    {"ICMP_OR.u32.gt.m1 r4, r0, r1, 0x0", [](auto a, auto b, auto) { return a > b ? ~0u : 0; }},
    {"ICMP_OR.s32.le.i1 r4, r0, r1, 0x0",
     [](auto a, auto b, auto) { return int32_t(a) <= int32_t(b) ? 1u : 0; }},
    {"ICMP_AND.u32.ne.m1 r4, r0, r1, r2", [](auto a, auto b, auto c) { return a != b ? c : 0; }},
    {"FCMP_OR.f32.lt.f1 r4, r0, r1, 0x0",
     [](auto a, auto b, auto) { return as_f(a) < as_f(b) ? as_u(1.0f) : 0; }},
    {"FCMP_OR.f32.ne.m1 r4, r0, r1, 0x0", [](auto a, auto b, auto) { return as_f(a) == as_f(b) ? 0 : ~0u; }},
    {"FCMP_OR.f32.gtlt.m1 r4, r0, r1, 0x0",
     [](auto a, auto b, auto) { return as_f(a) < as_f(b) || as_f(a) > as_f(b) ? ~0u : 0; }},
    {"CSEL.f32.ge r4, r0, r1, r2, r0", [](auto a, auto b, auto c) { return as_f(a) >= as_f(b) ? c : a; }},
    {"CSEL.s32.lt r4, r0, r1, r2, r0",
     [](auto a, auto b, auto c) { return int32_t(a) < int32_t(b) ? c : a; }},
    {"MUX.i32.bit r4, r0, r1, r2", [](auto a, auto b, auto c) { return (a & c) | (b & ~c); }},
    {"MUX.i32.neg r4, r0, r1, r2", [](auto a, auto b, auto c) { return int32_t(c) < 0 ? a : b; }},
    {"IADD_IMM.i32 r4, r0, #0xFFFFFFF0", [](auto a, auto, auto) { return a - 16; }},
    {"FMA.v2f16 r4, r0, r1, r2.neg",
     [](auto a, auto b, auto c) {
         const auto part = [&](unsigned s) {
             return uint32_t(wave::to_half(
                 wave::add_odd(double(as_h(a >> s)) * double(as_h(b >> s)), -double(as_h(c >> s)))));
         };
         return part(0) | part(16) << 16;
     }},
    {"FADD.v2f16 r4.h1, r0, r1",
     [](auto a, auto b,
        auto) { return (halves(a, b, [](double x, double y) { return x + y; }) & 0xffff0000u) | 0x1234u; }},
};

const uint32_t kTroubles[] = {0,           1,           0x80000000u, 0x7fffffffu, 0xffffffffu, 0x3f800000u,
                              0xbf800000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x00000001u, 0x00800000u,
                              0x4b000000u, 0x4f000000u, 0xcf000001u, 0x3c003c00u};

}  // namespace

TEST_CASE_FIXTURE(CoreFixture, "core: arithmetic on random words") {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> ordinary(-300, 300);
    const auto pick = [&]() -> uint32_t {
        switch (random() % 4) {
            case 0:
                return random();
            case 1:
                return as_u(ordinary(random));
            case 2:
                return random() % 200;
            default:
                return kTroubles[random() % std::size(kTroubles)];
        }
    };
    for (const Case& c : kCases) {
        CAPTURE(c.text);
        for (int round = 0; round < 24; ++round) {
            for (unsigned r = 0; r < 3; ++r) {
                U32 v;
                for (unsigned i = 0; i < kWarpLanes; ++i)
                    v[i] = pick();
                set(r, v);
            }
            set(4, wave::splat(0x1234));
            REQUIRE(run(std::string(c.text) + "\nNOP.end\n") == Outcome::Done);
            for (unsigned i = 0; i < kWarpLanes; ++i) {
                const uint64_t expected =
                    c.expected(lane(warp.r[0], i), lane(warp.r[1], i), lane(warp.r[2], i));
                CAPTURE(lane(warp.r[0], i));
                CAPTURE(lane(warp.r[1], i));
                CAPTURE(lane(warp.r[2], i));
                const bool is_float =
                    std::string(c.text).find("f32") != std::string::npos && std::string(c.text)[0] == 'F';
                const bool is_half = std::string(c.text).find("f16") != std::string::npos ||
                                     std::string(c.text).find("F16") != std::string::npos;
                const auto same_half = [](uint16_t x, uint16_t y) {
                    return x == y || ((x & 0x7fff) > 0x7c00 && (y & 0x7fff) > 0x7c00);
                };
                if (c.wide)
                    CHECK((uint64_t(lane(warp.r[5], i)) << 32 | lane(warp.r[4], i)) == expected);
                else if (is_half && !is_float && std::string(c.text).find("TO_F32") == std::string::npos)
                    CHECK((same_half(uint16_t(lane(warp.r[4], i)), uint16_t(expected)) &&
                           same_half(uint16_t(lane(warp.r[4], i) >> 16), uint16_t(expected >> 16))));
                else
                    CHECK(bool(is_float || is_half ? plain(lane(warp.r[4], i)) == plain(uint32_t(expected))
                                                   : lane(warp.r[4], i) == uint32_t(expected)));
            }
        }
    }
}

TEST_CASE_FIXTURE(CoreFixture, "core: products and sums of halves are rounded once") {
    // 4 - 2^-18 and 8200 or -8200: as floats, the sums are in the middle between two halves.
    set(0, wave::splat(0x40014001));
    set(1, wave::splat(0x3ffe3ffe));
    set(2, wave::splat(0x7001f001));
    REQUIRE(run("FMA.v2f16 r4, r0, r1, r2\nNOP.end\n") == Outcome::Done);
    CHECK(lane(warp.r[4], 7) == 0x7001f001);
    // The smaller zero, and sums that are zero.
    set(0, wave::splat(0x80000000));
    set(1, wave::splat(0x00008000));
    REQUIRE(run("FMIN.v2f16 r4, r0, r1\nFMAX.v2f16 r5, r0, r1\nNOP.end\n") == Outcome::Done);
    CHECK(lane(warp.r[4], 7) == 0x80008000);
    CHECK(lane(warp.r[5], 7) == 0);
}

TEST_CASE_FIXTURE(CoreFixture, "core: floats are split into mantissas and exponents") {
    const float values[kWarpLanes] = {1,  -1,    0.5f,      0.74999f,  0.75f,        1.5f,
                                      -3, 100,   0x1p-126f, 0x1p-140f, -0x1.8p-149f, 0x1.fffffep127f,
                                      0,  -0.0f, INFINITY,  -INFINITY};
    U32 x;
    for (unsigned i = 0; i < kWarpLanes; ++i)
        x[i] = as_u(values[i]);
    set(0, x);
    for (const std::string mode : {"", ".sqrt", ".log"}) {
        CAPTURE(mode);
        REQUIRE(run("FREXPM.f32" + mode + " r1, r0\nFREXPE.f32" + mode + " r2, r0\nNOP.end\n") ==
                Outcome::Done);
        for (unsigned i = 0; i < kWarpLanes; ++i) {
            const float v = values[i], m = as_f(lane(warp.r[1], i));
            const auto e = int32_t(lane(warp.r[2], i));
            CAPTURE(v);
            if (v == 0 || std::isinf(v)) {
                CHECK(as_u(m) == as_u(v));
                CHECK(e == 0);
                continue;
            }
            CHECK(std::ldexp(double(m), mode == ".sqrt" ? 2 * e : e) == double(v));
            CHECK(std::fabs(m) >= (mode == ".sqrt" ? 0.25f : mode == ".log" ? 0.75f : 0.5f));
            CHECK(std::fabs(m) < (mode == ".log" ? 1.5f : 1.0f));
        }
    }
}

TEST_CASE_FIXTURE(CoreFixture, "core: the usual sequences compute logarithms, exponentials, sines") {
    U32 x;
    const float values[kWarpLanes] = {0.001f, 0.1f, 0.5f, 0.75f, 0.9f, 1,          1.1f,  1.4999f,
                                      1.5f,   2,    3,    10,    100,  12345.678f, 3e20f, 1e-20f};
    for (unsigned i = 0; i < kWarpLanes; ++i)
        x[i] = as_u(values[i]);
    set(0, x);
    REQUIRE(run("FREXPE.f32.log r1, r0\nS32_TO_F32 r1, r1\nFADD_LSCALE.f32 r2, 0x3F800000.neg, r0\nFLOGD.f32 "
                "r3, r0\n"
                "FMA.f32 r4, r3, r2, r1\nNOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i)
        CHECK(as_f(lane(warp.r[4], i)) == doctest::Approx(std::log2(double(values[i]))).epsilon(1e-6));
    const float exponents[kWarpLanes] = {0,    1,      -1,  0.5f, -0.5f,    10.25f,    -20.125f, 100,
                                         -100, 127.5f, 130, -200, INFINITY, -INFINITY, 3.3f,     1e-8f};
    for (unsigned i = 0; i < kWarpLanes; ++i)
        x[i] = as_u(exponents[i]);
    set(0, x);
    REQUIRE(run("IADD_IMM.i32 r5, 0x0, #0x18\nFMA_RSCALE.f32 r1, r0, 0x3F800000, 0x0, r5\nF32_TO_S32 r2, "
                "r1\nFEXP.f32 r4, r2, r1\nNOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        if (exponents[i] < -126)
            CHECK(as_f(lane(warp.r[4], i)) <= 0x1p-126f);
        else if (exponents[i] >= 128)
            CHECK(std::isinf(as_f(lane(warp.r[4], i))));
        else
            CHECK(as_f(lane(warp.r[4], i)) == doctest::Approx(std::exp2(double(exponents[i]))).epsilon(2e-6));
    }
}

TEST_CASE_FIXTURE(CoreFixture, "core: lanes of a quad read each other for derivatives") {
    REQUIRE(run("MOV.i32 r0, lane_id.w0\nCLPER.i32.subgroup4.xor.zero r1, r0, 0x1000000.b33\nNOP.end\n") ==
            Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i)
        CHECK(lane(warp.r[1], i) == (i ^ 1));
    // For a lane that does not run, the instruction selects the value.
    warp = {};
    REQUIRE(run("MOV.i32 r0, lane_id.w0\nCLPER.i32.subgroup4.xor.f1 r1, r0, 0x1000000.b33\nNOP.end\n",
                0x7fff) == Outcome::Done);
    CHECK(lane(warp.r[1], 14) == 0x3f800000u);
}

TEST_CASE_FIXTURE(CoreFixture, "core: cube faces") {
    const float dirs[6][3] = {{2, 0.5f, -1}, {-2, 0.5f, -1},    {0.5f, 3, 1},
                              {0.5f, -3, 1}, {0.25f, -0.5f, 4}, {0.25f, -0.5f, -4}};
    for (unsigned face = 0; face < 6; ++face) {
        for (unsigned k = 0; k < 3; ++k)
            set(k, wave::splat(as_u(dirs[face][k])));
        REQUIRE(run("CUBEFACE1 r4, r0, r1, r2\nCUBEFACE2_V9 r5, r0, r1, r2\nCUBE_SSEL r6, r2, r0, "
                    "r5\nCUBE_TSEL r7, r1, r2, r5\nNOP.end\n") == Outcome::Done);
        CHECK((lane(warp.r[5], 0) >> 29) == face);
        CHECK(as_f(lane(warp.r[4], 0)) ==
              std::fmax(std::fabs(dirs[face][0]),
                        std::fmax(std::fabs(dirs[face][1]), std::fabs(dirs[face][2]))));
    }
    CHECK(as_f(lane(warp.r[6], 0)) == -0.25f);
    CHECK(as_f(lane(warp.r[7], 0)) == 0.5f);
}
