// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches of assembled shaders: the registers of invocations, shared memory with barriers, storage
// buffers, faults.
#include "drivers/adreno/sim/compute/compute.h"

#include <random>

#include "tests/adreno/sim/compute/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::Compute;

// Stores x + 16 y + 256 z of each invocation's local id, and of its group's id in the upper half, at the
// invocation's global linear number.
constexpr const char* kNumbers =
    "mov.u32u32 r1.x, r48.x\n"
    "shl.b r2.x, r0.y, 4\n"
    "shl.b r2.y, r0.z, 8\n"
    "(rpt5)nop\n"
    "add.u r2.x, r2.x, r0.x\n"
    "mad.u24 r1.y, c0.x, r0.y, r0.x\n"
    "(rpt5)nop\n"
    "add.u r2.x, r2.x, r2.y\n"
    "mad.u24 r1.y, c0.y, r0.z, r1.y\n"
    "shl.b r2.z, r1.x, 16\n"
    "(rpt5)nop\n"
    "add.u r2.x, r2.x, r2.z\n"
    "mad.u24 r1.y, c0.z, r1.x, r1.y\n"
    "(rpt5)nop\n"
    "stib.b.untyped.1d.u32.1.imm r2.x, r1.y, 0\n"
    "end\n";

}  // namespace

TEST_CASE("compute: invocations have their ids") {
    for (const bool wide : {false, true}) {
        CAPTURE(wide);
        Compute c(kNumbers, 7, 5, 3);
        hw::SP_CS_CTRL_REG0 control = c.machine.registers.get<hw::SP_CS_CTRL_REG0>();
        control.threadsize = wide ? hw::Threadsize::THREAD128 : hw::Threadsize::THREAD64;
        c.set(control);
        const bool good = c.run(9);
        INFO(c.fault.report);
        REQUIRE(good);
        for (uint32_t g = 0; g < 9; ++g)
            for (uint32_t n = 0; n < 105; ++n)
                REQUIRE(c.word(g * 105 + n) == (n % 7 + n / 7 % 5 * 16 + n / 35 * 256 + g * 65536));
        CHECK(c.word(9 * 105) == 0);
        CHECK(c.shaders.stats().waves == (wide ? 9 : 18));
    }
}

TEST_CASE("compute: shared memory and barriers between waves") {
    // Each invocation writes its number to shared memory, and reads that of the counterpart in the last wave.
    Compute c(
        "shl.b r1.x, r0.x, 2\n"
        "(rpt5)nop\n"
        "stl.u32 l[r1.x], r0.x, 1\n"
        "(ss)(sy)bar.g.l\n"
        "(ss)(sy)mov.u32u32 r1.y, 1020\n"
        "(rpt5)nop\n"
        "sub.u r1.z, r1.y, r1.x\n"
        "(rpt5)nop\n"
        "ldl.u32 r2.x, l[r1.z], 1\n"
        "nop\n"
        "(ss)nop\n"
        "stib.b.untyped.1d.u32.1.imm r2.x, r0.x, 0\n"
        "end\n",
        256, 1, 1);
    const bool good = c.run(1);
    INFO(c.fault.report);
    REQUIRE(good);
    for (uint32_t n = 0; n < 256; ++n)
        CHECK(c.word(n) == 255 - n);
}

TEST_CASE("compute: faults name the dispatch and the error") {
    Compute c(kNumbers, 8, 1, 1);
    c.machine.registers.forget();
    CHECK(!c.run(1));
    CHECK(c.fault.report == "dispatch 7: register HLSQ_CS_CNTL was never written");
    Compute big(kNumbers, 1024, 2, 1);
    CHECK(!big.run(1));
    CHECK(big.fault.report.find("more than 1024") != std::string::npos);
    Compute lost(kNumbers, 8, 1, 1);
    lost.machine.stages[unsigned(sim::Stage::Compute)].images.clear();
    CHECK(!lost.run(1));
    CHECK(lost.fault.report.find("image 0 of the compute stage: 0 were loaded") != std::string::npos);
    CHECK(lost.fault.kind == sim::FaultKind::Shader);
    Compute endless("#\njump #0\nend\n", 8, 1, 1);
    endless.machine.turn_limit = 1000;
    CHECK(!endless.run(1));
    // 2^64 workgroups must not be counted as 0.
    Compute countless(kNumbers, 8, 1, 1);
    CHECK(!countless.run(1u << 31, 1u << 31, 4));
    CHECK(countless.fault.report == "dispatch 7: 2^64 workgroups or more");
    Compute none(kNumbers, 8, 1, 1);
    CHECK(none.run(1u << 31, 1u << 31, 0));
    Compute stopped(kNumbers, 8, 1, 1);
    stopped.host.stops = true;
    CHECK(!stopped.run(100));
}

TEST_CASE("compute: random registers end without a crash") {
    std::mt19937 random(3);
    Compute c(kNumbers, 8, 1, 1);
    c.machine.turn_limit = 100;
    const uint16_t registers[] = {hw::HLSQ_CS_CNTL::kRegister,     hw::HLSQ_CS_CNTL_0::kRegister,
                                  hw::HLSQ_CS_CNTL_1::kRegister,   hw::SP_CS_CTRL_REG0::kRegister,
                                  hw::SP_CS_CTRL_REG1::kRegister,  hw::SP_CS_OBJ_FIRST_EXEC_OFFSET::kRegister,
                                  hw::SP_CS_OBJ_START::kRegister,  hw::SP_CS_PVT_MEM_PARAM::kRegister,
                                  hw::HLSQ_CS_NDRANGE_0::kRegister};
    std::vector<uint32_t> good;
    for (uint16_t r : registers)
        good.push_back(c.machine.registers.value(r));
    unsigned passed = 0;
    for (unsigned n = 0; n < 20000; ++n) {
        for (size_t i = 0; i < std::size(registers); ++i)
            c.machine.registers.write(registers[i], good[i]);
        const size_t i = random() % std::size(registers);
        c.machine.registers.write(registers[i],
                                  random() % 2 ? uint32_t(random()) : good[i] ^ 1u << random() % 32);
        if (c.run(1 + random() % 2)) ++passed;
    }
    CHECK(passed > 2000);
    CHECK(passed < 18000);
}

}  // namespace terrazzo::adreno
