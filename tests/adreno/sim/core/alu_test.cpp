// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Categories 1 to 4: one line of text each, and the registers before and after. r0.x .. r0.w (and hr0.x ..)
// are a, b, c, d; the result is in r1.x or hr8.x.
#include <doctest/doctest.h>
#include <cmath>

#include "tests/adreno/sim/core/runner.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::sim;

namespace {

uint32_t bits(float f) {
    return std::bit_cast<uint32_t>(f);
}

struct Case {
    const char* text;
    uint32_t a, b, c, result;
};

// The values of r0.x, r0.y, r0.z, and the result in r1.x.
constexpr uint32_t kOne = 0x3f800000, kTwo = 0x40000000, kThree = 0x40400000, kMinusOne = 0xbf800000,
                   kHalf = 0x3f000000, kNan = 0x7fc00000;
const Case kFull[] = {
    {"add.f r1.x, r0.x, r0.y", kOne, kTwo, 0, kThree},
    {"add.f r1.x, (neg)r0.x, r0.y", kOne, kTwo, 0, kOne},
    {"add.f r1.x, (absneg)r0.x, r0.y", kMinusOne, kTwo, 0, kOne},
    {"(sat)add.f r1.x, r0.x, r0.y", kOne, kTwo, 0, kOne},
    {"(sat)add.f r1.x, r0.x, r0.y", kNan, kTwo, 0, 0},
    {"add.f r1.x, r0.x, c1.y", kOne, 0, 0, kOne},  // the bits of 5 are a denormal: flushed
    {"add.f r1.x, r0.x, (2.0)", kOne, 0, 0, kThree},
    {"mul.f r1.x, r0.x, r0.y", kHalf, kTwo, 0, kOne},
    {"mul.f r1.x, r0.x, r0.y", 0x00400000, kTwo, 0, 0},   // a denormal reads as zero
    {"mul.f r1.x, r0.x, r0.y", 0x00800000, kHalf, 0, 0},  // a denormal result is not written
    {"min.f r1.x, r0.x, r0.y", kHalf, kTwo, 0, kHalf},
    {"max.f r1.x, r0.x, r0.y", kNan, kTwo, 0, kTwo},
    {"sign.f r1.x, r0.x", 0xc1200000, 0, 0, kMinusOne},
    {"sign.f r1.x, r0.x", 0x80000000, 0, 0, 0x80000000},
    {"cmps.f.lt r1.x, r0.x, r0.y", kOne, kTwo, 0, 1},
    {"(sat)cmps.f.lt r1.x, r0.x, r0.y", kOne, kTwo, 0, 1},  // the integer 1, which (sat) does not change
    {"cmps.f.ne r1.x, r0.x, r0.x", kNan, 0, 0, 1},
    {"cmps.f.eq r1.x, r0.x, r0.x", kNan, 0, 0, 0},
    {"absneg.f r1.x, (neg)r0.x", kOne, 0, 0, kMinusOne},
    {"floor.f r1.x, r0.x", 0xbf000000, 0, 0, kMinusOne},
    {"ceil.f r1.x, r0.x", kHalf, 0, 0, kOne},
    {"rndne.f r1.x, r0.x", 0x40200000, 0, 0, kTwo},
    {"rndaz.f r1.x, r0.x", 0x40200000, 0, 0, kThree},
    {"trunc.f r1.x, r0.x", 0xbfc00000, 0, 0, kMinusOne},
    {"add.u r1.x, r0.x, r0.y", 7, 0xffffffff, 0, 6},
    {"(sat)add.u r1.x, r0.x, r0.y", 7, 0xffffffff, 0, 0xffffffff},
    {"(sat)sub.u r1.x, r0.x, r0.y", 7, 9, 0, 0},
    {"(sat)add.s r1.x, r0.x, r0.y", 0x7fffffff, 1, 0, 0x7fffffff},
    {"add.s r1.x, r0.x, -3", 7, 0, 0, 4},
    {"add.u (ei)r1.x, r0.x, r0.y", 0xffffffff, 3, 0, 0x80000001},
    {"sub.s r1.x, r0.x, r0.y", 1, 2, 0, 0xffffffff},
    {"cmps.u.gt r1.x, r0.x, r0.y", 0xffffffff, 1, 0, 1},
    {"cmps.s.gt r1.x, r0.x, r0.y", 0xffffffff, 1, 0, 0},
    {"min.s r1.x, r0.x, r0.y", 0xffffffff, 1, 0, 0xffffffff},
    {"max.u r1.x, r0.x, r0.y", 0xffffffff, 1, 0, 0xffffffff},
    {"absneg.s r1.x, (absneg)r0.x", 5, 0, 0, 0xfffffffb},
    {"and.b r1.x, r0.x, r0.y", 0xff00ff, 0xfff0, 0, 0xf0},
    {"or.b r1.x, r0.x, r0.y", 0xf0, 0x0f, 0, 0xff},
    {"xor.b r1.x, r0.x, r0.y", 0xff, 0x0f, 0, 0xf0},
    {"not.b r1.x, r0.x", 0xff, 0, 0, 0xffffff00},
    {"and.b r1.x, (neg)r0.x, r0.y", 0xff, 0xffff, 0, 0xff00},
    {"mul.u24 r1.x, r0.x, r0.y", 0xff000003, 5, 0, 15},
    {"mul.s24 r1.x, r0.x, r0.y", 0xffffff, 5, 0, 0xfffffffb},
    {"mull.u r1.x, r0.x, r0.y", 0x1ffff, 0x20003, 0, 0x2fffd},
    {"bfrev.b r1.x, r0.x", 1, 0, 0, 0x80000000},
    {"clz.b r1.x, r0.x", 0, 0, 0, 0xffffffff},
    {"clz.b r1.x, r0.x", 0x00010000, 0, 0, 15},
    {"clz.s r1.x, r0.x", 0xfffffffe, 0, 0, 31},
    {"clz.s r1.x, r0.x", 0xffffffff, 0, 0, 0xffffffff},
    {"shl.b r1.x, r0.x, r0.y", 3, 33, 0, 6},
    {"shr.b r1.x, r0.x, r0.y", 0x80000000, 31, 0, 1},
    {"ashr.b r1.x, r0.x, r0.y", 0x80000000, 31, 0, 0xffffffff},
    {"getbit.b r1.x, r0.x, r0.y", 0x10, 4, 0, 1},
    {"mad.f32 r1.x, r0.x, r0.y, r0.z", kTwo, kOne, kOne, kThree},
    {"mad.f32 r1.x, r0.x, r0.y, (neg)r0.z", 0x3f800001, 0x3f800001, 0x3f800002, 0x28800000},  // rounded once
    {"mad.u24 r1.x, r0.x, r0.y, r0.z", 0x1000003, 4, 1, 13},
    {"mad.s24 r1.x, r0.x, r0.y, r0.z", 0xffffff, 4, 1, 0xfffffffd},
    {"madsh.m16 r1.x, r0.x, r0.y, r0.z", 0x50003, 0x70002, 4, (3 * 7 << 16) + 4},
    {"sel.b32 r1.x, r0.x, r0.y, r0.z", 11, 1, 22, 11},
    {"sel.b32 r1.x, r0.x, r0.y, r0.z", 11, 0, 22, 22},
    {"sad.s32 r1.x, r0.x, r0.y, r0.z", 1, 2, 3, 6},
    {"shrm r1.x, 4, r0.y, 15", 0, 0xabc, 0, 0xb},
    {"shlg r1.x, 4, r0.y, 15", 0, 0xa, 0, 0xaf},
    {"andg r1.x, r0.x, r0.y, r0.z", 0xff, 0xf0f, 0x1000, 0x100f},
    {"dp4acc.unsigned.low r1.x, r0.x, r0.y, r0.z", 0x01020304, 0x01010101, 100, 110},
    {"dp4acc.mixed.low r1.x, r0.x, r0.y, r0.z", 0xff000000, 0x02000000, 5, 3},
    {"dp2acc.unsigned.high r1.x, r0.x, r0.y, r0.z", 0x01020304, 0x01010101, 100, 103},
    {"mov.f32f32 r1.x, r0.x", 0x00000001, 0, 0, 1},  // bits, also of denormals
    {"mov.f32f32 r1.x, (1.5)", 0, 0, 0, 0x3fc00000},
    {"mov.u32u32 r1.x, c2.y", 0, 0, 0, 9},
    {"cov.u32f32 r1.x, r0.x", 3, 0, 0, kThree},
    {"cov.s32f32 r1.x, r0.x", 0xffffffff, 0, 0, kMinusOne},
    {"cov.f32s32 r1.x, r0.x", 0xbfc00000, 0, 0, 0xffffffff},
    {"cov.f32u32 r1.x, r0.x", 0xbfc00000, 0, 0, 0},
    {"cov.f32u32 r1.x, r0.x", 0x4f000001, 0, 0, 0x80000100},
    {"cov.f32u32 r1.x, r0.x", 0x4f800000, 0, 0, 0xffffffff},
    {"cov.f32u32 r1.x, r0.x", kNan, 0, 0, 0},
    {"cov.f32s32 r1.x, r0.x", 0x4f000000, 0, 0, 0x7fffffff},
    {"cov.f32s32 r1.x, r0.x", 0xcf000001, 0, 0, 0x80000000},
    {"cov.f32s32 r1.x, r0.x", kNan, 0, 0, 0},
    {"cov.u32f32 r1.x, r0.x", 0xffffffff, 0, 0, 0x4f800000},
    {"cov.u32f32 r1.x, r0.x", 0x80000081, 0, 0, 0x4f000001},
    {"cov.f32s32 (even)r1.x, r0.x", 0x40200000, 0, 0, 2},
    {"cov.f32s32 (pos_infinity)r1.x, r0.x", 0x40200000, 0, 0, 3},
    {"rcp r1.x, r0.x", kTwo, 0, 0, kHalf},
    {"rsq r1.x, r0.x", 0x40800000, 0, 0, kHalf},
    {"sqrt r1.x, r0.x", 0x40800000, 0, 0, kTwo},
    {"log2 r1.x, r0.x", 0x41000000, 0, 0, kThree},
    {"exp2 r1.x, (neg)r0.x", kOne, 0, 0, kHalf},
    {"sin r1.x, r0.x", 0, 0, 0, 0},
    {"cos r1.x, r0.x", 0, 0, 0, kOne},
};

// The values of hr0.x, hr0.y, hr0.z, and the result in hr8.x, or r8.x.
const Case kHalfCases[] = {
    {"add.f hr8.x, hr0.x, hr0.y", 0x3c00, 0x4000, 0, 0x4200},
    {"add.f r8.x, hr0.x, hr0.y", 0x3c00, 0x4000, 0, kThree},
    {"(sat)mul.f hr8.x, hr0.x, hr0.y", 0x4000, 0x4000, 0, 0x3c00},
    {"mul.f hr8.x, hr0.x, h(0.5)", 0x0001, 0, 0, 0x0000},  // half of the smallest denormal, rounded to even
    {"mul.f hr8.x, hr0.x, h(2.0)", 0x0001, 0, 0, 0x0002},  // denormals are kept
    {"mad.f16 hr8.x, hr0.x, hr0.y, hr0.z", 0x3c01, 0x3c01, 0x8c00, 0x3c02},
    {"mad.f16 hr8.x, hr0.x, hr0.y, hr0.z", 0x3c01, 0x3c01, 0x0001, 0x3c02},
    {"cmps.f.gt hr8.x, hr0.x, hr0.y", 0x4000, 0x3c00, 0, 1},
    {"add.s r8.x, hr0.x, hr0.y", 0xffff, 0xffff, 0, 0xfffffffe},
    {"add.u r8.x, hr0.x, hr0.y", 0xffff, 1, 0, 0},
    {"(sat)add.s hr8.x, hr0.x, hr0.y", 0x7fff, 1, 0, 0x7fff},
    {"mull.u r8.x, hr0.x, hr0.y", 0xffff, 0xffff, 0, 0xfffe0001},
    {"min.s hr8.x, hr0.x, hr0.y", 0xffff, 1, 0, 0xffff},
    {"max.s hr8.x, hr0.x, h(-3)", 2, 0, 0, 2},  // 16-bit integers have a sign, too
    {"min.u hr8.x, hr0.x, hr0.y", 0xffff, 1, 0, 1},
    {"shl.b hr8.x, hr0.x, hr0.y", 0x8001, 1, 0, 2},
    {"bfrev.b hr8.x, hr0.x", 1, 0, 0, 0x8000},
    {"clz.b hr8.x, hr0.x", 1, 0, 0, 15},
    {"cbits.b hr8.x, hr0.x", 0xf0f, 0, 0, 8},
    {"sel.b16 hr8.x, hr0.x, hr0.y, hr0.z", 5, 1, 6, 5},
    {"mad.u16 hr8.x, hr0.x, hr0.y, hr0.z", 300, 300, 1, (300 * 300 + 1) & 0xffff},
    {"cov.f16u32 r8.x, hr0.x", 0x4200, 0, 0, 3},
    {"cov.s16f32 r8.x, hr0.x", 0xffff, 0, 0, kMinusOne},
    {"cov.u16f32 r8.x, hr0.x", 0xffff, 0, 0, 0x477fff00},
    {"cov.f16f32 r8.x, hr0.x", 0x4200, 0, 0, kThree},
    {"cov.u16u32 r8.x, hr0.x", 0xffff, 0, 0, 0xffff},
    {"cov.s16s32 r8.x, hr0.x", 0xffff, 0, 0, 0xffffffff},
    {"cov.u8u32 r8.x, hr0.x", 0x1ff, 0, 0, 0xff},
    {"rcp hr8.x, hr0.x", 0x4000, 0, 0, 0x3800},
    {"hrsq hr8.x, hr0.x", 0x4400, 0, 0, 0x3800},
    {"mov.f16f16 hr8.x, h(1.0)", 0, 0, 0, 0x3c00},
};

}  // namespace

TEST_CASE("ir3 core: full registers") {
    for (const Case& c : kFull) {
        CAPTURE(std::string(c.text));
        Runner r(c.text);
        r.set(0, c.a);
        r.set(1, c.b);
        r.set(2, c.c);
        CHECK(r.report() == "");
        CHECK(r.get(4) == c.result);
        CHECK(r.get(4, 63) == c.result);
    }
}

TEST_CASE("ir3 core: halves, merged and not") {
    for (const bool merged : {true, false}) {
        for (const Case& c : kHalfCases) {
            CAPTURE(std::string(c.text));
            CAPTURE(merged);
            Runner r(c.text);
            r.wave->merged_registers = merged;
            r.set(0, c.a, true);
            r.set(1, c.b, true);
            r.set(2, c.c, true);
            CHECK(r.report() == "");
            const bool half = std::string_view(c.text).find("hr8.x") != std::string_view::npos;
            CHECK(r.get(32, 5, half) == c.result);
        }
    }
}

TEST_CASE("ir3 core: half registers are halves of full ones") {
    Runner r("mov.u16u16 hr2.y, 0x1234\nmov.u16u16 hr2.x, 0x5678");  // 8, 9: r1.x
    CHECK(r.report() == "");
    CHECK(r.get(4) == 0x12345678);
}

TEST_CASE("ir3 core: floats to halves are truncated, or rounded if the instruction says so") {
    Runner r(
        "cov.f32f16 hr8.x, r0.x\ncov.f32f16 (even)hr8.y, r0.x\ncov.f32f16 hr8.z, r0.y\nadd.f hr8.w, r0.x, "
        "(0.0)");
    r.set(0, 0x3f801fff);
    r.setf(1, 1e9f);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.get(32, 0, true) == 0x3c00);
    CHECK(r.get(33, 0, true) == 0x3c01);
    CHECK(r.get(34, 0, true) == 0x7bff);
    CHECK(r.get(35, 0, true) == 0x3c01);
}

TEST_CASE("ir3 core: the registers of neighbouring lanes do not change") {
    // Lanes that jump over the instruction, and lanes of other programs in the same wave.
    Runner jumps(
        "and.b r0.y, r0.x, 1\n(rpt2)nop\ncmps.u.eq p0.x, r0.y, 0\n(rpt5)nop\nbr p0.x, #2\nadd.u r1.x, r0.x, "
        "1\n(jp)nop");
    jumps.set_lanes(0);
    jumps.set(4, 77);
    CHECK(jumps.report() == "");
    CHECK(jumps.get(4, 3) == 4);
    CHECK(jumps.get(4, 4) == 77);
    Runner r("add.u r1.x, r0.x, 1");
    r.set_lanes(0);
    r.set(4, 77);
    r.wave->chains = true;
    LaneMask some;
    some.set(3);
    some.set(40);
    CHECK(r.run(&some) == Outcome::Done);
    CHECK(r.get(4, 3) == 4);
    CHECK(r.get(4, 40) == 41);
    CHECK(r.get(4, 4) == 77);
}

TEST_CASE("ir3 core: waves of 128") {
    Runner r("add.u r1.x, r0.x, 1", 8);
    r.set_lanes(0);
    CHECK(r.report() == "");
    CHECK(r.get(4, 127) == 128);
}

TEST_CASE("ir3 core: repeats advance operands with (r)") {
    Runner r("(rpt2)add.u r1.x, (r)r0.x, c2.x\n(rpt3)mov.u32u32 r2.x, (r)c1.x");
    r.set(0, 1);
    r.set(1, 10);
    r.set(2, 100);
    CHECK(r.report() == "");
    CHECK(r.get(4) == 9);
    CHECK(r.get(5) == 18);
    CHECK(r.get(6) == 108);
    CHECK(r.get(11) == 7);
}

TEST_CASE("ir3 core: registers and constants through a0.x, different in each lane") {
    Runner r(
        "mova a0.x, hr0.x\n(rpt5)nop\nmov.u32u32 r1.x, r<a0.x + 8>\nmov.u32u32 r1.y, c<a0.x + 4>\nmov.u32u32 "
        "r<a0.x + 12>, r2.x");
    for (unsigned lane = 0; lane < 64; ++lane)
        (void)r.wave->set({0}, true, lane, lane & 1);
    r.set(8, 88);
    r.set(9, 99);
    CHECK(r.report() == "");
    CHECK(r.get(4, 0) == 88);
    CHECK(r.get(4, 1) == 99);
    CHECK(r.get(5, 0) == 4);
    CHECK(r.get(5, 1) == 5);
    CHECK(r.get(12, 0) == 88);
    CHECK(r.get(13, 1) == 88);
    CHECK(r.get(13, 0) == 0);
}

TEST_CASE("ir3 core: swz, gat, sct, movmsk") {
    Runner r(
        "swz.u32u32 r0.x, r0.y, r0.y, r0.x\n(rpt2)nop\ngat.u32u32 r1.x, r0.x, r0.y, r0.z, "
        "r0.w\n(rpt2)nop\nsct.u32u32 r2.x, r2.z, r3.x, r3.z, r1.x\n"
        "movmsk.w64 r4.x");
    for (unsigned i = 0; i < 4; ++i)
        r.set(i, i + 1);
    CHECK(r.report() == "");
    CHECK(r.get(0) == 2);
    CHECK(r.get(1) == 1);
    CHECK(r.get(4) == 2);
    CHECK(r.get(7) == 4);
    CHECK(r.get(14) == 4);
    CHECK(r.get(17) == 0xffffffff);
}

TEST_CASE("ir3 core: halves of constants") {
    Runner r("mov.f16f16 hr8.x, hc0.y\nadd.u hr8.y, hr0.x, hc1.x");
    r.constants[1] = bits(1.5f);
    r.constants[4] = 0x10007;
    CHECK(r.report() == "");
    CHECK(r.get(32, 0, true) == 0x3e00);
    CHECK(r.get(33, 0, true) == 7);
    r.wave->demote_constants = false;  // hc0.y is the upper half of c0.x
    r.constants[0] = 0x12340000;
    CHECK(r.report() == "");
    CHECK(r.get(32, 0, true) == 0x1234);
}

TEST_CASE("ir3 core: instructions that are not implemented fault with a report") {
    CHECK(Runner("setrm r1.x, r0.x").report() ==
          "shader 0x10000+0x0, lane 0: not implemented: setrm (setrm r1.x, r0.x)");
    CHECK(Runner("cbits.b r1.x, r0.x").report().find("counts wrongly in full registers") !=
          std::string::npos);
    CHECK(Runner("(sat)max.s r1.x, r0.x, r0.y").report().find("not implemented with (sat): max.s") !=
          std::string::npos);
}
