// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each strict rule: a program that breaks it, and one that just fulfils it.
#include <doctest/doctest.h>

#include "tests/adreno/sim/core/runner.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::sim;

namespace {

struct Rule {
    const char* broken;
    const char* why;
    const char* kept;
};

const Rule kRules[] = {
    {"add.u r1.x, r0.x, 1\n(rpt1)nop\nadd.u r1.y, r1.x, 1", "r1.x is read 1 cycle too early",
     "add.u r1.x, r0.x, 1\n(rpt2)nop\nadd.u r1.y, r1.x, 1"},
    {"(nop2)add.u r1.x, r0.x, 1\nadd.u r1.y, r1.x, 1", "r1.x is read 1 cycle too early",
     "(nop3)add.u r1.x, r0.x, 1\nadd.u r1.y, r1.x, 1"},
    {"add.u r1.x, r0.x, 1\nadd.u r2.x, r0.x, 1\nadd.u r1.y, r1.x, 1", "r1.x is read 2 cycles too early",
     "add.u r1.x, r0.x, 1\nadd.u r2.x, r0.x, 1\nadd.u r2.y, r0.x, 1\nadd.u r2.z, r0.x, 1\nadd.u r1.y, r1.x, "
     "1"},
    // mad reads its last source two cycles later than the others.
    {"mul.f r1.x, r0.x, r0.y\nmad.f32 r2.x, r0.x, r0.y, r1.x", "r1.x is read 1 cycle too early",
     "mul.f r1.x, r0.x, r0.y\nnop\nmad.f32 r2.x, r0.x, r0.y, r1.x"},
    // A repeat writes and reads one register in each cycle.
    {"(rpt1)mov.u32u32 r1.x, (r)r0.x\nnop\n(rpt1)add.u r2.x, (r)r1.x, 1", "r1.x is read 1 cycle too early",
     "(rpt1)mov.u32u32 r1.x, (r)r0.x\n(rpt1)nop\n(rpt1)add.u r2.x, (r)r1.x, 1"},
    // bary.f's second word: read one cycle later if the instruction repeats, only then.
    {"add.u r1.x, r0.x, 1\nadd.u r1.y, r0.x, 1\n(rpt1)nop\nbary.f r2.x, 0, r1.x",
     "r1.y is read 1 cycle too early",
     "add.u r1.x, r0.x, 1\nadd.u r1.y, r0.x, 1\n(rpt1)nop\n(rpt1)bary.f r2.x, (r)0, r1.x"},
    {"add.u r1.y, r0.x, 1\nadd.u r1.x, r0.x, 1\n(rpt1)nop\n(rpt1)bary.f r2.x, (r)0, r1.x",
     "r1.x is read 1 cycle too early",
     "add.u r1.y, r0.x, 1\nadd.u r1.x, r0.x, 1\n(rpt2)nop\n(rpt1)bary.f r2.x, (r)0, r1.x"},
    // Half of a full register, and a full register of halves.
    {"add.u r1.x, r0.x, 1\n(rpt4)nop\nadd.u hr4.x, hr2.x, hr0.x", "r1.x is read 1 cycle too early",
     "add.u r1.x, r0.x, 1\n(rpt5)nop\nadd.u hr4.x, hr2.x, hr0.x"},
    {"add.u hr2.x, hr0.x, h(1)\n(rpt4)nop\nadd.u r2.x, r1.x, 1", "r1.x is read 1 cycle too early",
     "add.u hr2.x, hr0.x, h(1)\n(rpt5)nop\nadd.u r2.x, r1.x, 1"},
    // A bary.f without repeats idles for (r).
    {"bary.f r1.x, 1, r0.x\nbary.f r1.y, 0, r0.x\nadd.f r2.x, r1.x, r1.x", "r1.x is read 2 cycles too early",
     "bary.f r1.x, 1, r0.x\nbary.f r1.y, 0, (r)r0.x\nadd.f r2.x, r1.x, r1.x"},
    // To other units: 6 cycles.
    {"mul.f r1.x, r0.x, r0.y\n(rpt4)nop\nrcp r2.x, r1.x", "r1.x is read 1 cycle too early",
     "mul.f r1.x, r0.x, r0.y\n(rpt5)nop\nrcp r2.x, r1.x"},
    {"mul.f r1.x, r0.x, r0.y\n(rpt4)nop\nsam (f32)(xyzw)r2.x, r1.x, s#0, t#0",
     "r1.x is read 1 cycle too early",
     "mul.f r1.x, r0.x, r0.y\n(rpt5)nop\nsam (f32)(xyzw)r2.x, r1.x, s#0, t#0"},
    {"cmps.u.eq p0.x, r0.x, 0\n(rpt4)nop\nbr p0.x, #1", "p0.x is read 1 cycle too early",
     "cmps.u.eq p0.x, r0.x, 0\n(rpt5)nop\nbr p0.x, #1"},
    {"mova a0.x, hr0.x\n(rpt4)nop\nmov.u32u32 r1.x, c<a0.x + 4>", "a0.x is read 1 cycle too early",
     "mova a0.x, hr0.x\n(rpt5)nop\nmov.u32u32 r1.x, c<a0.x + 4>"},
    // (ss): special functions, local memory.
    {"rcp r1.x, r0.x\n(rpt5)nop\nadd.f r2.x, r1.x, r0.x", "r1.x is read without (ss)",
     "rcp r1.x, r0.x\n(ss)add.f r2.x, r1.x, r0.x"},
    {"rcp r1.x, r0.x\nmov.u32u32 r1.x, 0", "r1.x is written without (ss)",
     "rcp r1.x, r0.x\n(ss)mov.u32u32 r1.x, 0"},
    {"rcp r1.x, r0.x\nmov.u32u32 r0.x, 0", "r0.x is written without (ss) after what may still read it",
     "rcp r1.x, r0.x\n(ss)mov.u32u32 r0.x, 0"},
    {"rcp r1.x, r0.x\n(sy)mov.u32u32 r0.x, 0", "r0.x is written without (ss) after what may still read it",
     "rcp r1.x, r0.x\n(ss)nop\nmov.u32u32 r0.x, 0"},
    {"ldl.u32 r1.x, l[r3.x], 1\n(sy)add.u r2.x, r1.x, 1", "r1.x is read without (ss)",
     "ldl.u32 r1.x, l[r3.x], 1\n(ss)add.u r2.x, r1.x, 1"},
    {"stl.u32 l[r3.x], r1.x, 1\n(sy)mov.u32u32 r1.x, 0", "r1.x is written without (ss)",
     "stl.u32 l[r3.x], r1.x, 1\n(ss)mov.u32u32 r1.x, 0"},
    // (sy): textures and memory. After (ss) or (sy) their sources may be overwritten.
    {"sam (f32)(xy)r1.x, r0.x, s#0, t#0\n(ss)add.f r2.x, r1.y, r0.x", "r1.y is read without (sy)",
     "sam (f32)(xy)r1.x, r0.x, s#0, t#0\n(sy)add.f r2.x, r1.y, r0.x"},
    {"sam (f32)(y)r1.x, r0.x, s#0, t#0\nmov.u32u32 r1.y, 0", "r1.y is written without (sy)",
     "sam (f32)(y)r1.x, r0.x, s#0, t#0\nmov.u32u32 r1.x, 0"},
    {"sam (f32)(x)r1.x, r0.x, s#0, t#0\nmov.u32u32 r0.y, 0", "r0.y is written without (ss) or (sy)",
     "sam (f32)(x)r1.x, r0.x, s#0, t#0\n(sy)mov.u32u32 r0.y, 0"},
    {"sam (f32)(x)r1.x, r0.x, s#0, t#0\nmov.u32u32 r0.y, 0", "r0.y is written without (ss) or (sy)",
     "sam (f32)(x)r1.x, r0.x, s#0, t#0\n(ss)mov.u32u32 r0.y, 0"},
    {"ldc.offset0.1.imm r1.x, r0.x, 0\nadd.u r2.x, r1.x, 1", "r1.x is read without (sy)",
     "ldc.offset0.1.imm r1.x, r0.x, 0\n(sy)add.u r2.x, r1.x, 1"},
    {"resinfo.b.untyped.2d.u32.1.imm r1.x, 0\n(sy)mov.u32u32 r1.z, 0", "r1.z is written without (ss)",
     "resinfo.b.untyped.2d.u32.1.imm r1.x, 0\n(ss)nop\nmov.u32u32 r1.z, 0"},
    {"stc.u32 c[8], r0.x, 1\n(sy)mov.u32u32 r1.x, c2.x", "a constant is read without (ss)",
     "stc.u32 c[8], r0.x, 1\n(ss)mov.u32u32 r1.x, c2.x"},
    // Shared registers.
    {"mov.u32u32 r48.x, r0.x\n(rpt5)nop\nadd.u r1.x, r48.x, 1", "r48.x is read without (ss)",
     "mov.u32u32 r48.x, r0.x\n(ss)add.u r1.x, r48.x, 1"},
    // Registers, constants and memory that do not exist.
    {"mov.u32u32 r16.x, 1", "r16.x is beyond the shader's 16 full registers", "mov.u32u32 r15.w, 1"},
    {"mov.u32u32 r1.x, r20.x", "r20.x is beyond the shader's 16 full registers", "mov.u32u32 r1.x, r15.x"},
    {"mov.u16u16 hr32.x, 1", "hr32.x is beyond the shader's 16 half and 16 full registers",
     "mov.u16u16 hr31.w, 1"},
    {"mov.u32u32 r1.x, c16.x", "c16.x is beyond the 64 words of constants", "mov.u32u32 r1.x, c15.w"},
    {"ldl.u32 r1.x, l[r3.x+1024], 1", "local memory at 1024 is beyond its 1024 bytes",
     "ldl.u32 r1.x, l[r3.x+1020], 1"},
    {"ldg.u32 r1.x, g[r3.x], 1", "not mapped", "nop"},
};

}  // namespace

TEST_CASE("ir3 core: each rule is checked, and nothing else") {
    for (const Rule& rule : kRules) {
        Runner broken(rule.broken), kept(rule.kept);
        const std::string report = broken.report();
        CHECK_MESSAGE(report.find(rule.why) != std::string::npos, std::string(rule.broken), ": ", report);
        CHECK_MESSAGE(kept.report() == "", std::string(rule.kept));
    }
}

// On the a650 and later. The scalar ALU reads in order: it need not wait for its own earlier reads, other
// units must wait (ir3_legalize.c, needs_ss_scalar_war).
TEST_CASE("ir3 core: the scalar ALU reads its sources in order") {
    const std::string own =
        "mov.u32u32 r48.x, 5\nmax.s r48.y, r48.x, 3\nabsneg.s r48.x, (abs)r48.x\n(ss)add.u r1.x, r48.x, r0.x";
    Runner r(own);
    r.core->has_scalar_alu = true;
    CHECK(r.report() == "");
    CHECK(r.get(4) == 5);
    Runner without(own);
    CHECK(without.report().find("r48.x is ") != std::string::npos);
    Runner other("(ss)nop\nadd.u r48.y, r48.x, 1\nrcp r48.x, r0.x");
    other.core->has_scalar_alu = true;
    CHECK(other.report().find("r48.x is written without (ss) after what may still read it") !=
          std::string::npos);
}

// needs_ss (ir3.h): one scalar instruction waits for another only if it reads the other's result in another
// precision.
TEST_CASE("ir3 core: the scalar ALU waits for itself between precisions") {
    const std::string half = "mov.u16u16 hr48.x, 5\nadd.u hr48.x, hr48.x, h(3)\n";
    Runner same(half + "(ss)cov.u16u32 r1.x, hr48.x");
    same.core->has_scalar_alu = true;
    CHECK(same.report() == "");
    CHECK(same.get(4) == 8);
    Runner mixed(half + "add.u r48.y, r48.x, 1");
    mixed.core->has_scalar_alu = true;
    CHECK(mixed.report().find("r48.x is read without (ss)") != std::string::npos);
}

// hr48.x .. hr49.x are r48.x, r48.y and the low half of r48.z: the sum in r48.w does not change them.
TEST_CASE("ir3 core: shared halves are the halves of shared registers") {
    Runner r(
        "mov.u16u16 hr48.w, 3\nmov.u16u16 hr48.z, 2\nmov.u32u32 r48.w, 9\n(ss)mov.u32u32 r1.x, r48.y\n"
        "cov.u16u32 r1.y, hr48.w");
    r.core->has_scalar_alu = true;
    CHECK(r.report() == "");
    CHECK(r.get(4) == 0x30002);
    CHECK(r.get(5) == 3);
}

TEST_CASE("ir3 core: a lane need not wait for other lanes' results") {
    // Odd lanes sample into r1.x. Even lanes run later, and may use it without a wait.
    const std::string head =
        "and.b r0.y, r0.x, 1\n(rpt2)nop\ncmps.u.eq p0.x, r0.y, 0\n(rpt5)nop\nbr p0.x, #3\n";
    Runner r(head +
             "sam (f32)(x)r1.x, r0.x, s#0, t#0\njump #2\n(jp)mov.u32u32 r1.x, 5\n(jp)(rpt2)nop\n(sy)add.u "
             "r2.x, r1.x, 0");
    r.set_lanes(0);
    CHECK(r.report() == "");
    Runner late(head +
                "sam (f32)(x)r1.x, r0.x, s#0, t#0\njump #2\n(jp)mov.u32u32 r1.x, 5\n(jp)(rpt2)nop\nadd.u "
                "r2.x, r1.x, 0");
    late.set_lanes(0);
    CHECK(
        late.report() ==
        "shader 0x10000+0x48, lane 0: r1.x is read without (sy) after what writes it (add.u r2.x, r1.x, 0)");
}

TEST_CASE("ir3 core: unwritten registers are reported on request") {
    Runner r("add.u r1.x, r0.x, r0.y");
    r.set(0, 1);
    CHECK(r.report() == "");
    r.wave->check_defined = true;
    r.set(0, 1);
    CHECK(r.report().find("r0.y is read, but was never written") != std::string::npos);
    r.set(1, 1);
    CHECK(r.report() == "");
    r.wave->forget_registers();
    CHECK(r.report().find("r0.x is read, but was never written") != std::string::npos);
}

TEST_CASE("ir3 core: prefetched registers, and results without a wait") {
    Runner r("(sy)mov.u32u32 r1.x, r0.x\nsam (f32)(x)r2.x, r0.x, s#0, t#0");
    Core::start(*r.wave, TestSpace::kCode, LaneMask::first(64));
    r.wave->comes_by_sy({0}, false);
    CHECK(r.core->run(*r.wave, &r.fault) == Outcome::Done);
    CHECK(r.wave->arrived({4}, false));
    CHECK(!r.wave->arrived({8}, false));
    Runner early("mov.u32u32 r1.x, r0.x");
    Core::start(*early.wave, TestSpace::kCode, LaneMask::first(64));
    early.wave->comes_by_sy({0}, false);
    CHECK(early.core->run(*early.wave, &early.fault) == Outcome::Fault);
}
