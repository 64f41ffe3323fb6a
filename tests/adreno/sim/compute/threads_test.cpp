// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches on several threads: results, counters and faults equal those of one thread.
#include "tests/adreno/sim/compute/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::Compute;

constexpr unsigned kThreads = 4;

std::string to_text(const sim::CoreStats& s) {
    std::string text = std::to_string(s.waves) + " waves, " + std::to_string(s.lane_instructions) + " lanes";
    for (const uint64_t n : s.instructions)
        text += " " + std::to_string(n);
    return text;
}

// The preamble computes c1.x from c0.w. Each workgroup stores its number plus c1.x, and counts itself in word
// 0; all store the same value in word 1.
constexpr const char* kCount =
    "shps #5\n"
    "(ss)mov.u32u32 r48.w, c0.w\n"
    "(ss)nop\n"
    "stc.u32 c[4], r48.w, 1\n"
    "shpe\n"
    "(ss)(jp)mov.u32u32 r1.x, r48.x\n"
    "mov.u32u32 r1.z, 1\n"
    "mov.u32u32 r2.z, 1\n"
    "mov.u32u32 r1.w, 0\n"
    "(rpt5)nop\n"
    "add.u r1.y, r1.x, 2\n"
    "add.u r2.x, r1.x, c1.x\n"
    "(rpt5)nop\n"
    "stib.b.untyped.1d.u32.1.imm r2.x, r1.y, 0\n"
    "stib.b.untyped.1d.u32.1.imm r1.z, r1.z, 0\n"
    "atomic.b.add.untyped.1d.u32.1.imm r2.y, r1.w, 0\n"
    "end\n";

}  // namespace

TEST_CASE("compute threads: results and counters equal those of one thread") {
    constexpr uint32_t kGroups = 1000;
    std::string stats;
    for (const unsigned threads : {1u, kThreads}) {
        CAPTURE(threads);
        Compute c(kCount, 1, 1, 1, threads);
        for (unsigned pass = 1; pass <= 3; ++pass) {
            const bool good = c.run(kGroups / 10, 5, 2);
            INFO(c.fault.report);
            REQUIRE(good);
            CHECK(c.word(0) == pass * kGroups);
            CHECK(c.word(1) == 1);
            for (uint32_t n = 0; n < kGroups / 10; ++n)
                REQUIRE(c.word(2 + n) == n + 64);
            CHECK(c.machine.primitive_counters[10] == uint64_t(pass) * kGroups);
        }
        if (threads == 1) stats = to_text(c.shaders.stats());
        CHECK(to_text(c.shaders.stats()) == stats);
    }
    CHECK(stats.substr(0, 8) == "51 waves");
}

TEST_CASE("compute threads: the first workgroup's fault is reported") {
    // The workgroups from 64 on store beyond local memory.
    const char* const text =
        "mov.u32u32 r1.x, r48.x\n"
        "mov.u32u32 r1.y, 8000\n"
        "(rpt5)nop\n"
        "cmps.u.lt p0.x, r1.x, c0.w\n"
        "(rpt5)nop\n"
        "br p0.x, #2\n"
        "stl.u32 l[r1.y], r1.x, 1\n"
        "(jp)nop\n"
        "end\n";
    for (unsigned pass = 0; pass < 40; ++pass) {
        Compute c(text, 1, 1, 1, pass ? kThreads : 1);
        CHECK(!c.run(500, 4));
        CHECK(c.fault.report ==
              "dispatch 7: workgroup 64 0 0: compute shader 0x10000+0x30, lane 0: local memory at 8000 is "
              "beyond "
              "its 2048 bytes (stl.u32 l[r1.y], r1.x, 1)");
        CHECK(c.machine.primitive_counters[10] == 64);
    }
}

TEST_CASE("compute threads: each has its private memory, which limits the number of threads") {
    constexpr uint32_t kGroups = 200, kLanes = 96, kItem_B = 512;
    const char* const text =
        "mov.u32u32 r1.x, r48.x\n"
        "mov.u32u32 r1.w, 4\n"
        "(rpt5)nop\n"
        "stp.u32 p[r1.w], r1.x, 1\n"
        "(ss)(sy)(rpt5)nop\n"
        "mad.u24 r1.y, c0.x, r1.x, r0.x\n"
        "ldp.u32 r2.x, p[r1.w], 1\n"
        "(ss)(sy)(rpt5)nop\n"
        "stib.b.untyped.1d.u32.1.imm r2.x, r1.y, 0\n"
        "end\n";
    for (const uint32_t room : {0u, 1u, 3u, 8u}) {
        CAPTURE(room);
        Compute c(text, kLanes, 1, 1, kThreads);
        constexpr uint64_t kPrivate_va = 0x200000000ull;
        const uint32_t group_B = kItem_B * kLanes, room_B = room * group_B + 4096;
        c.host.memory.map(kPrivate_va, room_B);
        c.set(hw::SP_CS_PVT_MEM_PARAM{.value = {.memsizeperitem = kItem_B}});
        c.set(hw::SP_CS_PVT_MEM_ADDR{.value = kPrivate_va});
        c.set(hw::SP_CS_PVT_MEM_SIZE{.value = {.totalpvtmemsize = room_B}});
        const bool good = c.run(kGroups);
        INFO(c.fault.report);
        REQUIRE(good == (room != 0));
        for (uint32_t n = 0; good && n < Compute::kBuffer_dw; ++n)
            REQUIRE(c.word(n) == n / kLanes);
    }
}

TEST_CASE("compute threads: a workgroup may wait for an earlier one") {
    // Adds 1 to word 0 when its value is the workgroup's number. (The atomic's operands: its result, its
    // data, the compared value.)
    Compute c(
        "mov.u32u32 r1.x, r48.x\n"
        "mov.u32u32 r1.y, 0\n"
        "(rpt5)nop\n"
        "add.u r2.x, r1.x, 1\n"
        "mov.u32u32 r2.y, r1.x\n"
        "(rpt5)nop\n"
        "mov.u32u32 r3.y, r2.x\n"
        "mov.u32u32 r3.z, r2.y\n"
        "(rpt5)nop\n"
        "atomic.b.cmpxchg.untyped.1d.u32.1.imm r3.x, r1.y, 0\n"
        "(ss)(sy)cmps.u.ne p0.x, r3.x, r1.x\n"
        "(rpt5)nop\n"
        "br p0.x, #-6\n"
        "end\n",
        1, 1, 1, kThreads);
    const bool good = c.run(2000);
    INFO(c.fault.report);
    REQUIRE(good);
    CHECK(c.word(0) == 2000);
}

}  // namespace terrazzo::adreno
