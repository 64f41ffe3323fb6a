// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Category 0: divergence, loops, discards, calls, predication, barriers, the preamble.
#include <doctest/doctest.h>

#include "tests/adreno/sim/core/runner.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::sim;

namespace {

std::string p0_is(const char* compare) {
    return std::string(compare) + "\n(rpt5)nop\n";
}
const std::string kOdd = "and.b r0.y, r0.x, 1\n(rpt2)nop\n" + p0_is("cmps.u.ne p0.x, r0.y, 0");

bool contains(const std::string& text, const char* what) {
    return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("ir3 core: both sides of a branch run, and meet at (jp)") {
    Runner r(kOdd +
             "br p0.x, #3\n"
             "mov.u32u32 r1.x, 10\n"  // even
             "jump #2\n"
             "(jp)mov.u32u32 r1.x, 20\n"  // odd
             "(jp)movmsk.w64 r2.x");
    r.set_lanes(0);
    CHECK(r.report() == "");
    CHECK(r.get(4, 2) == 10);
    CHECK(r.get(4, 3) == 20);
    CHECK(r.get(8, 0) == 0xffffffff);
    CHECK(r.get(9, 63) == 0xffffffff);
}

TEST_CASE("ir3 core: without (jp) lanes do not meet again") {
    Runner r(kOdd + "br p0.x, #2\nmov.u32u32 r1.x, 10\nmovmsk.w64 r2.x");
    r.set_lanes(0);
    CHECK(r.report() == "");
    CHECK(r.get(8, 0) == 0x55555555);
    CHECK(r.get(8, 1) == 0xaaaaaaaa);
}

TEST_CASE("ir3 core: each lane has its own number of iterations") {
    Runner r(
        "mov.u32u32 r1.x, 0\n"
        "(jp)(rpt2)nop\n"
        "cmps.u.ge p0.x, r1.x, r0.x\n"
        "(rpt5)nop\n"
        "br p0.x, #3\n"
        "add.u r1.x, r1.x, 1\n"
        "jump #-5\n"
        "(jp)movmsk.w64 r2.x");
    r.set_lanes(0);
    CHECK(r.report() == "");
    for (unsigned lane = 0; lane < 64; ++lane)
        CHECK(r.get(4, lane) == lane);
    CHECK(r.get(8, 7) == 0xffffffff);
}

TEST_CASE("ir3 core: two predicates, any, all") {
    const std::string both =
        "cmps.u.lt p0.x, r0.x, 8\ncmps.u.ge p0.y, r0.x, 4\n(rpt5)nop\nmov.u32u32 r1.x, 1\n";
    Runner and_(both + "braa p0.x, p0.y, #2\nmov.u32u32 r1.x, 2\n(jp)nop");
    and_.set_lanes(0);
    CHECK(and_.report() == "");
    CHECK(and_.get(4, 5) == 1);
    CHECK(and_.get(4, 3) == 2);
    Runner or_(both + "brao !p0.x, !p0.y, #2\nmov.u32u32 r1.x, 2\n(jp)nop");
    or_.set_lanes(0);
    CHECK(or_.report() == "");
    CHECK(or_.get(4, 5) == 2);
    CHECK(or_.get(4, 9) == 1);
    Runner any(both + "bany p0.x, #2\nmov.u32u32 r1.x, 2\n(jp)ball p0.x, #2\nmov.u32u32 r1.y, 3\n(jp)nop");
    any.set_lanes(0);
    CHECK(any.report() == "");
    CHECK(any.get(4, 60) == 1);
    CHECK(any.get(5, 1) == 3);
}

TEST_CASE("ir3 core: logic on predicates") {
    Runner r(
        "cmps.u.lt p0.x, r0.x, 8\n(rpt5)nop\nnot.b p0.y, p0.x\n(rpt5)nop\nbr p0.y, #2\nmov.u32u32 r1.x, "
        "5\n(jp)nop");
    r.set_lanes(0);
    CHECK(r.report() == "");
    CHECK(r.get(4, 7) == 5);
    CHECK(r.get(4, 8) == 0);
}

TEST_CASE("ir3 core: predicated execution") {
    Runner r(kOdd +
             "predt\n(ss)mov.u32u32 r1.x, 1\npredf\n(ss)mov.u32u32 r1.x, 2\nprede\nmov.u32u32 r1.y, 3");
    r.set_lanes(0);
    CHECK(r.report() == "");
    CHECK(r.get(4, 1) == 1);
    CHECK(r.get(4, 2) == 2);
    CHECK(r.get(5, 1) == 3);
    CHECK(r.get(5, 2) == 3);
}

TEST_CASE("ir3 core: one lane of all, and the last of a cluster") {
    Runner one("getone #2\nmov.u32u32 r1.x, 1\n(jp)nop");
    CHECK(one.report() == "");
    CHECK(one.get(4, 0) == 1);
    CHECK(one.get(4, 1) == 0);
    Runner last("getlast.w8 #2\nmov.u32u32 r1.x, 1\n(jp)nop");
    CHECK(last.report() == "");
    CHECK(last.get(4, 6) == 0);
    CHECK(last.get(4, 7) == 1);
    CHECK(last.get(4, 8) == 1);
}

TEST_CASE("ir3 core: discarded lanes continue as helpers, without stores; the last one ends the wave") {
    const std::string code =
        p0_is("cmps.u.lt p0.x, r0.x, r0.y") + "kill p0.x\nstl.u32 l[r0.z], r0.x, 1\nmov.u32u32 r1.x, 7";
    Runner r(code);
    r.set_lanes(0);
    r.set(1, 3);
    for (unsigned lane = 0; lane < 64; ++lane)
        (void)r.wave->set({2}, false, lane, 4 * lane);
    CHECK(r.report() == "");
    CHECK(r.wave->killed.word[0] == 7);
    CHECK(r.get(4, 0) == 7);
    CHECK(r.shared[12] == 3);
    CHECK(r.shared[8] == 0);
    r.set(1, 64);
    r.set(4, 0);
    CHECK(r.report() == "");
    CHECK(r.wave->killed == LaneMask::first(64));
    CHECK(r.get(4, 0) == 0);
}

TEST_CASE("ir3 core: calls") {
    Runner r("call #4\nadd.u r1.x, r1.x, 1\nend\nnop\nadd.u r1.x, r1.x, 10\n(rpt2)nop\nret");
    CHECK(r.report() == "");
    CHECK(r.get(4) == 11);
    CHECK(contains(Runner("call #0").report(), "nested deeper than 4"));
    CHECK(contains(Runner("ret").report(), "ret without a call"));
}

TEST_CASE("ir3 core: barriers stop the wave once all lanes have reached them") {
    Runner r(kOdd +
             "br p0.x, #4\nmov.u32u32 r1.x, 1\nbar.g.l\n(sy)(ss)jump #3\n(jp)mov.u32u32 r1.x, "
             "2\nbar.g.l\n(sy)(ss)(jp)mov.u32u32 r1.y, 3");
    r.set_lanes(0);
    CHECK(r.run() == Outcome::Barrier);
    CHECK(r.get(4, 0) == 1);
    CHECK(r.get(4, 1) == 2);
    CHECK(r.get(5, 0) == 0);
    CHECK(r.core->run(*r.wave, &r.fault) == Outcome::Done);
    CHECK(r.get(5, 0) == 3);
    CHECK(r.get(5, 1) == 3);
}

TEST_CASE("ir3 core: a barrier does not wait for lanes that have ended") {
    Runner r(kOdd + "br p0.x, #4\nbar.g.l\n(sy)(ss)mov.u32u32 r1.x, 1\nend");
    r.set_lanes(0);
    r.core->turn_limit = 1000;
    CHECK(r.run() == Outcome::Barrier);
    CHECK(r.get(4, 0) == 0);
    CHECK(r.core->run(*r.wave, &r.fault) == Outcome::Done);
    CHECK(r.get(4, 0) == 1);
    CHECK(r.get(4, 1) == 0);
}

TEST_CASE("ir3 core: instructions after a barrier or a fence wait for it") {
    const auto report = [](const std::string& next) { return Runner("fence.g.l.r.w\n" + next).report(); };
    CHECK(report("(sy)(ss)mov.u32u32 r1.x, 1") == "");
    CHECK(report("(ss)nop\n(sy)mov.u32u32 r1.x, 1") == "");
    CHECK(contains(report("(sy)mov.u32u32 r1.x, 1"), "barrier or fence before it: no (ss)"));
    CHECK(contains(report("(ss)mov.u32u32 r1.x, 1"), "barrier or fence before it: no (sy)"));
    Runner r("bar.g.l\nmov.u32u32 r1.x, 1");
    CHECK(r.run() == Outcome::Barrier);
    CHECK(r.core->run(*r.wave, &r.fault) == Outcome::Fault);
    CHECK(contains(r.fault.reason, "it does not wait for the barrier or fence"));
}

TEST_CASE("ir3 core: the preamble runs once, and writes constants") {
    Runner r(
        "shps #6\ngetone #5\nmov.u32u32 r0.x, 99\n(rpt5)nop\nstc.u32 c[8], r0.x, "
        "1\n(sy)(ss)shpe\n(jp)mov.u32u32 r1.x, c2.x");
    CHECK(r.report() == "");
    CHECK(r.get(4, 9) == 99);
    CHECK(r.wave->preamble_done);
    r.constants[8] = 5;
    CHECK(r.report() == "");
    CHECK(r.get(4, 9) == 5);
    r.wave->preamble_done = false;
    r.wave->writable_constants = {};
    CHECK(contains(r.report(), "constant 8 is written, and there are 0 words that may be"));
}

TEST_CASE("ir3 core: endless programs and programs that leave their code are faults") {
    Runner endless("jump #0");
    endless.core->turn_limit = 1000;
    CHECK(contains(endless.report(), "the program does not end"));
    CHECK(contains(Runner("jump #-7").report(), "the jump leaves the program, to instruction -7"));
    CHECK(contains(Runner("jump #700").report(), "the jump leaves the program, to instruction 700"));
    Runner bad("nop");
    bad.space.code[1] = ~0ull;
    CHECK(contains(bad.report(), "shader 0x10000+0x8, lane 0: "));
    Runner none("nop");
    none.space.code = {0};  // continues after its last instruction
    CHECK(contains(none.report(), "no code here"));
    Wave& w = *none.wave;
    Core::start(w, 0x999, LaneMask::first(64));
    CHECK(none.core->run(w, &none.fault) == Outcome::Fault);
}

TEST_CASE("ir3 core: other words at the same address are another program") {
    Runner r("mov.u32u32 r1.x, 1");
    CHECK(r.report() == "");
    std::vector<uint64_t> other;
    REQUIRE(isa::assemble("mov.u32u32 r1.x, 2\nend", &other, nullptr));
    r.space.code[0] = other[0];
    CHECK(r.report() == "");
    CHECK(r.get(4) == 2);
}
