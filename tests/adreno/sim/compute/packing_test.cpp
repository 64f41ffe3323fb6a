// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small workgroups that share one wave.
#include "drivers/adreno/sim/compute/packing.h"

#include "tests/adreno/sim/compute/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::Compute;

// At (64 y + x of the workgroup) * its size + the local number: y << 16 | x << 8 | local y << 4 | local x,
// and bit 31 if x is 9 or more.
constexpr const char* kWho =
    "mov.u32u32 r1.x, r48.x\n"
    "mov.u32u32 r1.y, r48.y\n"
    "mov.u32u32 r3.x, 0\n"
    "(rpt5)nop\n"
    "cmps.u.lt p0.x, r1.x, 9\n"
    "mad.u24 r1.z, c0.w, r1.y, r1.x\n"
    "(rpt5)nop\n"
    "br p0.x, #3\n"
    "mov.u32u32 r3.x, 1\n"
    "nop\n"
    "(jp)shl.b r2.x, r1.y, 16\n"
    "shl.b r2.y, r1.x, 8\n"
    "shl.b r2.z, r0.y, 4\n"
    "mad.u24 r2.w, c0.x, r0.y, r0.x\n"
    "(rpt5)nop\n"
    "add.u r2.x, r2.x, r2.y\n"
    "add.u r2.z, r2.z, r0.x\n"
    "shl.b r3.x, r3.x, 31\n"
    "mad.u24 r1.z, c0.z, r1.z, r2.w\n"
    "(rpt5)nop\n"
    "add.u r2.x, r2.x, r2.z\n"
    "(rpt5)nop\n"
    "add.u r2.x, r2.x, r3.x\n"
    "(rpt5)nop\n"
    "stib.b.untyped.1d.u32.1.imm r2.x, r1.z, 0\n"
    "end\n";

}  // namespace

TEST_CASE("compute packing: invocations have their ids, with any workgroups in the same wave") {
    for (const unsigned threads : {1u, 3u})
        for (const unsigned width : {1u, 2u, 3u}) {
            CAPTURE(threads);
            CAPTURE(width);
            Compute c(kWho, width, 2, 1, threads);
            const bool good = c.run(40, 3);
            INFO(c.fault.report);
            REQUIRE(good);
            const unsigned size = width * 2;
            for (uint32_t y = 0; y < 3; ++y)
                for (uint32_t x = 0; x < 40; ++x)
                    for (uint32_t n = 0; n < size; ++n)
                        REQUIRE(c.word((64 * y + x) * size + n) ==
                                (y << 16 | x << 8 | n / width << 4 | n % width | (x >= 9 ? 1u << 31 : 0)));
            const unsigned packed = 64 / size;
            CHECK(c.shaders.stats().waves == 1 + (119 + packed - 1) / packed);
            CHECK(c.machine.primitive_counters[10] == 120 * size);
        }
}

TEST_CASE("compute packing: atomics on memory that all workgroups share run once each") {
    for (const unsigned threads : {1u, 3u})
        for (const bool global : {false, true}) {
            CAPTURE(threads);
            CAPTURE(global);
            // Word 0 is a counter; a ticket is its old value. Word 2 + ticket gets 1 + the workgroup's
            // number.
            const std::string atomic = global ? "atomic.g.add.untyped.1d.u32.1.g r2.x, r3.x, r2.y\n"
                                              : "atomic.b.add.untyped.1d.u32.1.imm r2.x, r1.w, 0\n";
            Compute c(("mov.u32u32 r1.x, r48.x\n"
                       "mov.u32u32 r1.w, 0\n"
                       "mov.u32u32 r2.y, 1\n"
                       "mov.u32u32 r3.x, 0\n"
                       "mov.u32u32 r3.y, 1\n"
                       "(rpt5)nop\n" +
                       atomic +
                       "add.u r1.x, r1.x, 1\n"
                       "(sy)nop\n"
                       "add.u r2.x, r2.x, 2\n"
                       "(rpt5)nop\n"
                       "stib.b.untyped.1d.u32.1.imm r1.x, r2.x, 0\n"
                       "end\n")
                          .c_str(),
                      1, 1, 1, threads);
            constexpr uint32_t kGroups = 1000;
            const bool good = c.run(kGroups);
            INFO(c.fault.report);
            REQUIRE(good);
            CHECK(c.word(0) == kGroups);
            std::vector<bool> seen(kGroups + 1);
            for (uint32_t n = 0; n < kGroups; ++n) {
                const uint32_t number = c.word(2 + n);
                REQUIRE(number >= 1);
                REQUIRE(number <= kGroups);
                CHECK(!seen[number]);
                seen[number] = true;
            }
            CHECK(c.shaders.stats().waves == 1 + (kGroups - 1 + 63) / 64);
        }
}

TEST_CASE(
    "compute packing: large workgroups, few workgroups, and shaders that read other lanes are not packed") {
    Compute large(kWho, 16, 2, 1);
    REQUIRE(large.run(20, 1));
    CHECK(large.shaders.stats().waves == 20);
    Compute few(kWho, 1, 1, 1);
    REQUIRE(few.run(30, 1));
    CHECK(few.shaders.stats().waves == 30);
    for (const char* const text : {
             "mov.u32u32 r48.w, 7\nend\n",  // a register of the whole wave
             "mov.u32u32 r1.x, 0\n(rpt5)nop\nstl.u32 l[r1.x], r1.x, 1\nend\n",  // local memory
             "mov.u32u32 r1.x, 0\n(rpt5)nop\natomic.add.untyped.1d.u32.1.l r2.x, l[r1.x], r1.x\nend\n",
             "bar.g\n(ss)(sy)nop\nend\n",
             "mov.u32u32 r1.x, 0\n(rpt5)nop\ncmps.u.ne p0.x, r1.x, 0\n(rpt5)nop\nbr p0.x, #-7\nend\n",
         }) {
        CAPTURE(text);
        Compute c(text, 1, 1, 1);
        const bool good = c.run(200);
        INFO(c.fault.report);
        REQUIRE(good);
        CHECK(c.shaders.stats().waves == 200);
    }
}

TEST_CASE("compute packing: a fault names its workgroup") {
    // The workgroups from 100 on load from unmapped memory.
    Compute c(
        "mov.u32u32 r1.x, r48.x\n"
        "mov.u32u32 r2.x, 8000\n"
        "mov.u32u32 r2.y, 0\n"
        "(rpt5)nop\n"
        "cmps.u.lt p0.x, r1.x, 100\n"
        "(rpt5)nop\n"
        "br p0.x, #3\n"
        "ldg.u32 r3.x, g[r2.x], 1\n"
        "nop\n"
        "(jp)nop\n"
        "end\n",
        1, 1, 1);
    CHECK(!c.run(500));
    INFO(c.fault.report);
    CHECK(c.fault.report.find("dispatch 7: workgroup 100 0 0: compute shader ") == 0);
    CHECK(c.fault.report.find(", lane 0: ") != std::string::npos);
    CHECK(c.machine.primitive_counters[10] == 100);
}

}  // namespace terrazzo::adreno
