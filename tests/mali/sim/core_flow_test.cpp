// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Divergence, memory, and each of the rules that the core enforces.
#include "drivers/mali/sim/machine.h"
#include "tests/mali/sim/core_fixture.h"

using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace wave = terrazzo::wave;

namespace {

bool mentions(const CoreFault& f, const char* text) {
    return f.reason.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE_FIXTURE(CoreFixture, "core: threads diverge, loop, and meet again") {
    // r0 = lane; r1 = 1 + 2 + ... + lane with a loop that each lane leaves after its number of iterations.
    // Then all lanes run the same instructions.
    REQUIRE(run("MOV.i32 r0, lane_id.w0\n"
                "IADD_IMM.i32 r1, 0x0, #0x0\n"
                "IADD_IMM.i32 r2, r0, #0x0\n"
                "BRANCHZ.eq.reconverge r2, offset:3\n"
                "IADD.u32 r1, r1, r2\n"
                "IADD_IMM.i32 r2, r2, #0xFFFFFFFF\n"
                "BRANCHZ.eq.reconverge 0x0, offset:-4\n"
                "IADD_IMM.i32 r3, r1, #0x64\n"
                "NOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        CHECK(lane(warp.r[1], i) == i * (i + 1) / 2);
        CHECK(lane(warp.r[3], i) == 100 + i * (i + 1) / 2);
    }
    // The last two instructions ran once for all lanes.
    CHECK(core.stats().instructions < 3 + 16 * 4 + 2 + 4);
}

TEST_CASE_FIXTURE(CoreFixture, "core: without .reconverge, threads that diverged do not meet again") {
    const auto text = [](const char* flow) {
        return std::string(
                   "MOV.i32 r0, lane_id.w0\nBRANCHZ.eq r0, offset:2\nIADD_IMM.i32 r1, 0x0, #0x5\nNOP") +
               flow + "\nWMASK.subgroup16 r2, 0xFFFFFFFF\nNOP.end\n";
    };
    REQUIRE(run(text(".reconverge")) == Outcome::Done);
    CHECK(lane(warp.r[2], 0) == 0xffff);
    CHECK(lane(warp.r[2], 5) == 0xffff);
    REQUIRE(run(text("")) == Outcome::Done);
    CHECK(lane(warp.r[2], 0) == 1);
    CHECK(lane(warp.r[2], 5) == 0xfffe);
}

TEST_CASE_FIXTURE(CoreFixture, "core: loads and stores lane by lane") {
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        const uint32_t v = 0x80ff0000u + i;
        std::memcpy(&space.constant_[4 * i], &v, 4);
    }
    const uint32_t uniforms[] = {uint32_t(ArraySpace::kReadOnly), 0, uint32_t(ArraySpace::kData), 0};
    warp.fau = uniforms;
    REQUIRE(run("MOV.i32 r8, lane_id.w0\n"
                "SHADDX.u64 r0, u0, r8.w0, shift:0x2\n"
                "SHADDX.u64 r2, u2, r8.w0, shift:0x3\n"
                "LOAD.i32.unsigned.slot0.wait0 @r4, r0, offset:0\n"
                "LOAD.i8.w0.slot1.wait1 @r5, r0, offset:3\n"
                "STORE.i64.slot0.wait0 @r4:r5, r2, offset:8\n"
                "NOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        uint32_t back[2];
        std::memcpy(back, &space.data_[8 * i + 8], 8);
        CHECK(back[0] == 0x80ff0000u + i);
        CHECK(back[1] == 0xffffff80u);  // sign extended
    }
}

TEST_CASE_FIXTURE(CoreFixture, "core: a register may not be used before its slot was waited for") {
    set_address(0, ArraySpace::kData);
    CHECK(run("LOAD.i32.unsigned.slot0 @r4, r0, offset:0\nMOV.i32 r5, r4\nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "r4 is used before"));
    CHECK(fault.pc == ArraySpace::kCode + 8);
    CHECK(fault.instruction == "MOV.i32 r5, r4");
}

TEST_CASE_FIXTURE(CoreFixture, "core: waiting for another slot does not help, waiting for its own does") {
    set_address(0, ArraySpace::kData);
    CHECK(run("LOAD.i32.unsigned.slot1.wait0 @r4, r0, offset:0\nMOV.i32 r5, r4\nNOP.end\n") ==
          Outcome::Fault);
    warp = {};
    set_address(0, ArraySpace::kData);
    CHECK(run("LOAD.i32.unsigned.slot1 @r4, r0, offset:0\nNOP.wait1 \nMOV.i32 r5, r4\nNOP.end\n") ==
          Outcome::Done);
}

TEST_CASE_FIXTURE(CoreFixture,
                  "core: a warp that ended with a message in flight has no state after forget()") {
    set_address(0, ArraySpace::kData);
    REQUIRE(run("LOAD.i32.unsigned.slot1 @r4, r0, offset:0\nNOP.end\n") == Outcome::Done);
    CHECK(warp.all_writing != 0);
    warp.forget();
    CHECK(warp.all_writing == 0);
    CHECK(warp.all_reading == 0);
    CHECK(warp.under_way == 0);
    CHECK(warp.defined == 0);
    CHECK(run("MOV.i32 r4, 0x0\nMOV.i32 r5, r4\nNOP.end\n") == Outcome::Done);
}

TEST_CASE_FIXTURE(CoreFixture, "core: a store's sources may be overwritten at once") {
    set_address(0, ArraySpace::kData);
    set(4, wave::splat(7));
    CHECK(run("STORE.i32.slot2 @r4, r0, offset:0\nMOV.i32 r4, 0x0\nNOP.end\n") == Outcome::Done);
    CHECK(space.data_[0] == 7);
}

TEST_CASE_FIXTURE(CoreFixture, "core: memory faults name the access") {
    set_address(0, ArraySpace::kReadOnly);
    set(4, wave::splat(7));
    CHECK(run("STORE.i32.slot0.wait0 @r4, r0, offset:16\nNOP.end\n") == Outcome::Fault);
    CHECK(fault.memory);
    CHECK(fault.access.va == ArraySpace::kReadOnly + 16);
    CHECK(mentions(fault, "mapped read-only"));
    warp = {};
    set_address(0, 0x77770000);
    CHECK(run("LOAD.i32.unsigned.slot0.wait0 @r4, r0, offset:0\nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "not mapped"));
    // Across the end of a page.
    warp = {};
    set_address(0, ArraySpace::kData + ArraySpace::kPage - 2);
    CHECK(run("LOAD.i32.unsigned.slot0.wait0 @r4, r0, offset:0\nNOP.end\n") == Outcome::Fault);
    CHECK(fault.access.va == ArraySpace::kData + ArraySpace::kPage);
}

TEST_CASE_FIXTURE(CoreFixture, "core: registers must be written before they are read, and must exist") {
    CHECK(run("MOV.i32 r1, r9\nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "r9 was never written"));
    warp.register_count = 32;
    CHECK(run("MOV.i32 r40, 0x0\nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "r40 is beyond"));
}

TEST_CASE_FIXTURE(CoreFixture, "core: uniforms must exist") {
    const uint32_t one[] = {5};
    warp.fau = one;
    CHECK(run("MOV.i32 r1, u0\nNOP.end\n") == Outcome::Done);
    CHECK(lane(warp.r[1], 3) == 5);
    CHECK(run("MOV.i32 r1, u1\nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "uniform u1"));
}

TEST_CASE_FIXTURE(CoreFixture, "core: code without an end runs into words that are no code") {
    CHECK(run("MOV.i32 r1, 0x0\n") == Outcome::Fault);  // zeros follow, which are no instruction
    CHECK(fault.pc == ArraySpace::kCode + 8);
    CHECK(fault.instruction == "0x0");
}

TEST_CASE_FIXTURE(CoreFixture, "core: a program that does not end is stopped") {
    core.turn_limit = 1000;
    CHECK(run("BRANCHZ.eq 0x0, offset:-1\nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "does not end"));
}

TEST_CASE_FIXTURE(CoreFixture, "core: an unknown word faults when it is reached") {
    load("MOV.i32 r1, 0x0\nNOP.end\n");
    const uint64_t bad = ~0ull;
    std::memcpy(&space.code_[8], &bad, 8);
    core.start(warp, ArraySpace::kCode, 1);
    CHECK(core.run(warp, &fault) == Outcome::Fault);
    CHECK(fault.instruction == "0xffffffffffffffff");
    core.start(warp, ArraySpace::kData, 1);
    CHECK(core.run(warp, &fault) == Outcome::Fault);
    CHECK(mentions(fault, "not executable"));
}

TEST_CASE_FIXTURE(CoreFixture, "core: units that a stage does not have are faults") {
    set(0, U32{});
    CHECK(run("BARRIER.slot7.wait \nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "no barriers"));
}

TEST_CASE_FIXTURE(CoreFixture, "core: a barrier comes after all messages, and before accesses to memory") {
    struct : Units {
        bool barrier(Warp&, std::string*) override { return true; }
    } units;
    const auto ends = [&](const char* text, const char* why) {
        INFO(text);
        Core with_barriers(space, units);
        set_address(0, ArraySpace::kData);
        set(4, U32{});
        load(text);
        with_barriers.start(warp, ArraySpace::kCode, 0xffff);
        Outcome o = with_barriers.run(warp, &fault);
        if (o == Outcome::Barrier) o = with_barriers.run(warp, &fault);
        CHECK(o == (why ? Outcome::Fault : Outcome::Done));
        if (why) CHECK(mentions(fault, why));
        warp.forget();
    };
    ends(
        "STORE.i32.slot1.wait1 @r4, r0, offset:0\nBARRIER.slot7.wait\nSTORE.i32.slot1.end @r4, r0, "
        "offset:0\n",
        nullptr);
    ends("STORE.i32.slot1 @r4, r0, offset:0\nBARRIER.slot7.wait\nNOP.end\n", "slot 1 was not waited for");
    ends("BARRIER.slot7\nSTORE.i32.slot1.end @r4, r0, offset:0\n", "slot 7 was not waited for");
    ends("BARRIER.slot7\nLOAD.i32.unsigned.slot1.wait1 @r4, r0, offset:0\nNOP.end\n",
         "slot 7 was not waited for");
}

TEST_CASE_FIXTURE(CoreFixture,
                  "core: where loads are checked, a thread waits for its accesses to the same bytes") {
    struct : LoadOrder {
        const char* loaded(uint64_t, uint64_t size_B) override {
            loaded_B += size_B;
            return why;
        }
        uint64_t loaded_B = 0;
        const char* why = nullptr;
    } loads;
    const auto ends = [&](const char* text, const char* why) {
        INFO(text);
        set_address(0, ArraySpace::kData);
        for (unsigned i = 0; i < kWarpLanes; ++i)
            warp.r[0][i] += 16 * i;
        set(4, U32{});
        set(5, U32{});
        CHECK(run(text) == (why ? Outcome::Fault : Outcome::Done));
        if (why) CHECK(mentions(fault, why));
        warp.forget();
    };
    constexpr const char* kTwice =
        "STORE.i32.slot0 @r4, r0, offset:4\nSTORE.i64.slot1 @r4:r5, r0, offset:0\nNOP.end\n";
    ends(kTwice, nullptr);
    core.loads = &loads;
    ends(kTwice, "before the message of slot 0");
    ends("STORE.i32.slot0 @r4, r0, offset:8\nSTORE.i64.slot1 @r4:r5, r0, offset:0\nNOP.end\n", nullptr);
    ends("STORE.i32.slot0.wait0 @r4, r0, offset:4\nSTORE.i64.slot1 @r4:r5, r0, offset:0\nNOP.end\n", nullptr);
    ends("LOAD.i32.unsigned.slot0 @r6, r0, offset:0\nSTORE.i32.slot1 @r4, r0, offset:0\nNOP.end\n",
         "before the message of slot 0");
    CHECK(loads.loaded_B == 16 * 4);
    ends("LOAD.i32.unsigned.slot0 @r6, r0, offset:0\nLOAD.i32.unsigned.slot1 @r7, r0, offset:0\nNOP.end\n",
         nullptr);
    loads.why = "comes too early";
    ends("LOAD.i32.unsigned.slot0.wait0 @r6, r0, offset:0\nNOP.end\n", "comes too early");
}

TEST_CASE_FIXTURE(CoreFixture, "core: atomics") {
    set_address(0, ArraySpace::kData + 64);
    set(4, wave::splat(3));
    REQUIRE(run("ATOM.i32.slot0.aadd.wait0 @r4, r0, offset:0x0\nNOP.end\n") == Outcome::Done);
    uint32_t sum;
    std::memcpy(&sum, &space.data_[64], 4);
    CHECK(sum == 48);
}

TEST_CASE_FIXTURE(CoreFixture, "core: after a marked last use a register may not be read") {
    const auto ends = [&](const char* text, const char* why) {
        INFO(text);
        warp = {};
        fault = {};
        set_address(0, ArraySpace::kData);
        set(4, wave::splat(7));
        set(5, wave::splat(8));
        const Outcome outcome = run(std::string(text) + "NOP.end\n");
        INFO(fault.reason);
        CHECK((outcome == Outcome::Fault) == (why != nullptr));
        if (why) CHECK(mentions(fault, why));
    };
    constexpr const char* kDead = "r4 is read after an instruction that was said to be its last use";
    constexpr const char* kHeld = "r4 is said to be dead while a message that reads it is in flight";
    ends("MOV.i32 r6, ^r4\nMOV.i32 r7, r5\n", nullptr);
    ends("MOV.i32 r6, ^r4\nMOV.i32 r7, r4\n", kDead);
    ends("IADD.u32 r6, ^r4, ^r4\nSTORE.i32.slot0.wait0 @r4, r0, offset:0\n", kDead);
    // Written again, by the same instruction or later.
    ends("IADD.u32 r4, ^r4, r5\nMOV.i32 r6, r4\n", nullptr);
    ends("MOV.i32 r6, ^r4\nMOV.i32 r4, r6\nMOV.i32 r7, r4\n", nullptr);
    // A pair.
    ends("STORE.i32.slot0.wait0 @r5, ^r0, offset:0\nMOV.i32 r6, r1\n", "r1 is read after");
    ends("SHADDX.u64 r6, ^r4, r5.w0, shift:0x2\nMOV.i32 r8, r4\n", kDead);
    // The sources of a message in flight.
    ends("STORE.i32.slot1 @r4, r0, offset:0\nMOV.i32 r6, ^r4\n", kHeld);
    ends("STORE.i32.slot1 @r4, r0, offset:0\nNOP.wait0\nMOV.i32 r6, ^r4\n", kHeld);
    ends("STORE.i32.slot1.wait1 @r4, r0, offset:0\nMOV.i32 r6, ^r4\n", nullptr);
}

TEST_CASE_FIXTURE(CoreFixture, "core: each thread has its own last uses") {
    const auto text = [](const char* then, const char* other, const char* after) {
        return std::string("MOV.i32 r0, lane_id.w0\nBRANCHZ.eq.reconverge r0, offset:2\n") + then +
               "\nBRANCHZ.eq.reconverge 0x0, offset:1\n" + other + "\n" + after + "\nNOP.end\n";
    };
    const auto go = [&](const std::string& program) {
        warp = {};
        set(4, wave::splat(7));
        return run(program);
    };
    CHECK(go(text("MOV.i32 r5, ^r4", "MOV.i32 r5, ^r4", "MOV.i32 r6, r5")) == Outcome::Done);
    CHECK(go(text("MOV.i32 r5, ^r4", "MOV.i32 r5, r4", "MOV.i32 r6, r4")) == Outcome::Fault);
    CHECK(mentions(fault, "r4 is read after"));
    CHECK(fault.lane == 1);
    CHECK(go(text("MOV.i32 r5, r4", "MOV.i32 r5, ^r4", "MOV.i32 r6, r4")) == Outcome::Fault);
    // Written by the lanes in which it was dead: valid in all lanes.
    CHECK(go(text("IADD.u32 r4, ^r4, r0", "MOV.i32 r5, r4", "MOV.i32 r6, ^r4")) == Outcome::Done);
    CHECK(lane(warp.r[6], 0) == 7);
    CHECK(lane(warp.r[6], 3) == 10);
    // Dead in all lanes, then written by some.
    CHECK(go("MOV.i32 r0, lane_id.w0\nMOV.i32 r5, ^r4\nBRANCHZ.eq.reconverge r0, offset:1\n"
             "MOV.i32 r4, r5\nNOP.reconverge\nMOV.i32 r6, r4\nNOP.end\n") == Outcome::Fault);
    CHECK(mentions(fault, "r4 is read after"));
}

TEST_CASE_FIXTURE(CoreFixture, "core: a branch with .end ends the threads that do not take it") {
    REQUIRE(run("MOV.i32 r0, lane_id.w0\n"
                "IADD_IMM.i32 r1, 0x0, #0x1\n"
                "BRANCHZ.end r0, offset:1\n"
                "NOP.end\n"
                "IADD_IMM.i32 r1, 0x0, #0x2\n"
                "NOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i)
        CHECK(lane(warp.r[1], i) == (i ? 2 : 1));
}
