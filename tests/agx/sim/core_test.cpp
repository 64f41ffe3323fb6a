// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>

#include "tests/agx/sim/run_code.h"

namespace terrazzo::tests::agx {
namespace {

using sim::Outcome;

float as_float(uint32_t bits) {
    return std::bit_cast<float>(bits);
}

// Runs the text; the group must end without a fault.
void run_well(CodeRunner& r, std::string_view text) {
    REQUIRE_MESSAGE(r.assemble(text), r.error);
    REQUIRE_MESSAGE(r.run() == Outcome::Done, r.error);
}
std::string fault_of(CodeRunner& r, std::string_view text) {
    REQUIRE_MESSAGE(r.assemble(text), r.error);
    CHECK(r.run() == Outcome::Fault);
    return r.error;
}
bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("agx core: nested conditions and a loop") {
    // Threads below 8 count to their number; the others keep 100, or 200 if they are odd.
    CodeRunner r;
    run_well(r, R"(
        mov_imm16 r0l, 0x0
        get_sr r2, thread_index_in_simdgroup
        mov_imm32 r3, 0x0
        if_icmp.ult r0l, r2, 8, 1
        if_icmp.ult r0l, r3, r2, 1
        jmp_exec_none pc+26
        iadd r3, r3, 1
        while_icmp.ult r0l, r3, r2, 1
        jmp_exec_any pc-14
        pop_exec r0l, 1
        else_icmp.ueq r0l, 0, 0, 1
        mov_imm32 r3, 0x64
        bitop.and r4, r2, 1
        if_icmp.ueq r0l, r4, 1, 1
        mov_imm32 r3, 0xc8
        pop_exec r0l, 1
        pop_exec r0l, 1
        stop
    )");
    for (unsigned t = 0; t < sim::kThreads; ++t)
        CHECK(r.get(3, t) == (t < 8 ? t : t % 2 ? 200 : 100));
}

TEST_CASE("agx core: functions are within an error bound") {
    CodeRunner r;
    std::mt19937 random(7);
    for (unsigned t = 0; t < sim::kThreads; ++t)
        r.set(2, t, std::bit_cast<uint32_t>(std::ldexp(1 + float(random() % 4096) / 4096, int(t) - 16)));
    run_well(r,
             "rcp r3, r2\nrsqrt r4, r2\nlog2 r5, r2\nexp2 r6, r2\nrsqrt_special r7, r2\nfmul32 r7, r7, "
             "r2\nstop\n");
    for (unsigned t = 0; t < sim::kThreads; ++t) {
        const double x = as_float(r.get(2, t));
        CHECK(as_float(r.get(3, t)) == doctest::Approx(1 / x).epsilon(1e-6));
        CHECK(as_float(r.get(4, t)) == doctest::Approx(1 / std::sqrt(x)).epsilon(1e-6));
        CHECK(std::abs(as_float(r.get(5, t)) - std::log2(x)) < 1e-5);
        if (x < 100) CHECK(as_float(r.get(6, t)) == doctest::Approx(std::exp2(x)).epsilon(1e-6));
        CHECK(as_float(r.get(7, t)) == doctest::Approx(std::sqrt(x)).epsilon(1e-6));
    }
    r.set_all(2, 0);
    run_well(r, "rsqrt_special r7, r2\nfmul32 r7, r7, r2\nstop\n");
    CHECK(r.get(7, 0) == 0);
}

TEST_CASE("agx core: a sine in two steps") {
    CodeRunner r;
    for (unsigned t = 0; t < sim::kThreads; ++t)
        r.set(2, t, std::bit_cast<uint32_t>(float(t) / 8));  // quarter turns
    run_well(r, "sin_pt_1 r3, r2\nsin_pt_2 r4, r3\nfmul32 r5, r3, r4\nstop\n");
    for (unsigned t = 0; t < sim::kThreads; ++t)
        CHECK(std::abs(as_float(r.get(5, t)) - std::sin(t / 8.0 * 1.57079632679)) < 1e-6);
}

TEST_CASE("agx core: conversions round and saturate") {
    CodeRunner r;
    r.set_all(2, std::bit_cast<uint32_t>(2.5f));
    r.set_all(3, std::bit_cast<uint32_t>(-3.5f));
    r.set_all(4, std::bit_cast<uint32_t>(1e20f));
    r.set_all(5, 16777217);
    run_well(r, R"(
        convert.f_to_s32.rte r6, r2
        convert.f_to_s32.rtz r7, r3
        convert.f_to_u32.rtz r8, r3
        convert.f_to_u32.rtz r9, r4
        convert.f_to_s16.rtz r10l, r4
        convert.u32_to_f.rtz r11, r5
        convert.u32_to_f.rte r12, r5
        convert.s8_to_f.rte r13, r9
        stop
    )");
    CHECK(r.get(6, 3) == 2);
    CHECK(int32_t(r.get(7, 3)) == -3);
    CHECK(r.get(8, 3) == 0);
    CHECK(r.get(9, 3) == ~0u);
    CHECK((r.get(10, 3) & 0xffff) == 0x7fff);
    CHECK(as_float(r.get(11, 3)) == 16777216.0f);
    CHECK(as_float(r.get(12, 3)) == 16777216.0f);
    CHECK(as_float(r.get(13, 3)) == -1.0f);
}

TEST_CASE("agx core: device memory: masks, indices, atomics, waits") {
    CodeRunner r;
    r.bind(0, uint32_t(CodeRunner::kMemory_va));
    r.bind(1, uint32_t(CodeRunner::kMemory_va >> 32));
    for (unsigned i = 0; i < 256; ++i)
        r.memory()[i] = 1000 + i;
    run_well(r, R"(
        get_sr r2, thread_index_in_simdgroup
        device_load.i32.xz r4_r5, u0_u1, r2, shift=2
        wait 0
        iadd r6, r4, r5
        device_store.i32.x r6, u0_u1, r2
        wait 0
        mov_imm32 r7, 0x1
        atomic.add r8, u0_u1, 100, r7
        wait 0
        stop
    )");
    for (unsigned t = 0; t < sim::kThreads; ++t)
        CHECK(r.memory()[t] == 2 * (1000 + 4 * t) + 2);
    CHECK(r.memory()[100] == 1100 + sim::kThreads);
    CHECK(r.get(8, 5) == 1105);
}

TEST_CASE("agx core: cmpxchg has the new word first") {
    CodeRunner r;
    r.bind(0, uint32_t(CodeRunner::kMemory_va));
    r.bind(1, uint32_t(CodeRunner::kMemory_va >> 32));
    std::vector<uint8_t> local(256);
    r.group.local = local;
    r.memory()[3] = 70;
    local[12] = 80;
    r.set_all(2, 5);   // new
    r.set_all(3, 70);  // expected
    r.set_all(4, 6);
    r.set_all(5, 80);
    run_well(r, R"(
        atomic.cmpxchg r6, u0_u1, 3, r2_r3
        threadgroup_atomic.cmpxchg r7, 0, 3, r4_r5
        wait 0
        stop
    )");
    CHECK(r.memory()[3] == 5);
    CHECK(r.get(6, 0) == 70);
    CHECK(r.get(6, 1) == 5);
    CHECK(local[12] == 6);
    CHECK(r.get(7, 0) == 80);
    CHECK(r.get(7, 1) == 6);
}

TEST_CASE("agx core: faults name instruction, thread and rule") {
    CodeRunner r;
    r.bind(0, 0x1234);
    r.bind(1, 0);
    const std::string early = fault_of(r, "mov_imm32 r2, 0x0\ndevice_load.i32.x r4, u0_u1, r2\nstop\n");
    CHECK(has(early, "lane 0"));
    r.bind(0, uint32_t(CodeRunner::kMemory_va));
    r.bind(1, uint32_t(CodeRunner::kMemory_va >> 32));
    CHECK(
        has(fault_of(r, "mov_imm32 r2, 0x0\ndevice_load.i32.x r4, u0_u1, r2, slot=1\niadd r5, r4, 1\nstop\n"),
            "r4l is read before a wait for the slot that writes it (slot 1)"));
    // Registers are read when an instruction is issued.
    for (unsigned n = 0; n < sim::kThreads; ++n)
        r.set(4, n, 7u);
    REQUIRE(r.assemble("mov_imm32 r2, 0x0\ndevice_store.i32.x r4, u0_u1, r2\nmov_imm32 r4, 0x1\nstop\n"));
    REQUIRE(r.run() == Outcome::Done);
    CHECK(r.memory()[0] == 7);
    CHECK(has(fault_of(r, "iadd r2, u7, 1\nstop\n"), "uniform u7l is not bound"));
    r.group.registers = 8;
    CHECK(has(fault_of(r, "iadd r2, r9, 1\nstop\n"), "r9l is beyond the program's 8 registers"));
    r.group.registers = sim::kRegisters;
    CHECK(has(fault_of(r, "mov_imm16 r0l, 0x0\njmp_exec_any pc+0\nstop\n"), "does not end"));
    CHECK(has(fault_of(r, "threadgroup_load.i32.x r2, 0, 4\nstop\n"), "threadgroup memory, which has 0"));
    CHECK(has(fault_of(r, "trap\n"), "trap"));
    r.group.stack_B = 16;
    CHECK(has(fault_of(r, "stack_adjust 5\nstop\n"), "20 bytes, of 16"));
    CHECK(has(fault_of(r, "stack_adjust 2\nstack_load.i32.x r2, 8\nstop\n"), "byte 8 of the stack"));
    CHECK(has(fault_of(r, "mov_imm32 r3, 0xfffffffc\nstack_adjust 2\nstack_load.i32.y r4, r3\nstop\n"),
              "byte 4294967296 of the stack"));
    std::string many = "mov_imm32 r2, 0x0\n";
    for (unsigned n = 0; n < 9; ++n)
        many += "device_load.i32.x r" + std::to_string(4 + n) + ", u0_u1, r2\n";
    CHECK(has(fault_of(r, many + "stop\n"), "slot 0 has 8 instructions"));
}

TEST_CASE("agx core: votes, reductions and derivatives") {
    CodeRunner r;
    run_well(r, R"(
        get_sr r2, thread_index_in_simdgroup
        icmp_ballot.ult r3, r2, 5
        simd_iadd r4, r2
        simd_prefix_iadd r5, r2
        quad_max.u r6, r2
        convert.u32_to_f.rte r7, r2
        dfdx r8, r7
        dfdy r9, r7
        simd_shuffle_xor r10, r2, 4
        stop
    )");
    for (unsigned t = 0; t < sim::kThreads; ++t) {
        CHECK(r.get(3, t) == 31);
        CHECK(r.get(4, t) == 31 * 32 / 2);
        CHECK(r.get(5, t) == t * (t - 1) / 2);
        CHECK(r.get(6, t) == (t | 3));
        CHECK(as_float(r.get(8, t)) == 1);
        CHECK(as_float(r.get(9, t)) == 2);
        CHECK(r.get(10, t) == (t ^ 4));
    }
}

TEST_CASE("agx core: a barrier stops, stacks and threadgroup memory keep values") {
    CodeRunner r;
    std::vector<uint8_t> local(256);
    r.group.local = local;
    r.group.stack_B = 64;
    REQUIRE_MESSAGE(r.assemble(R"(
        get_sr r2, thread_index_in_simdgroup
        bfi r3l, 0, r2, 2
        threadgroup_store.i32.x r2, r3l, 0
        stack_adjust 3
        stack_store.i32.x r2, 8
        threadgroup_barrier
        wait 0
        stack_load.i32.x r4, 8
        wait 0
        threadgroup_load.i32.x r5, 0, 7
        stop
    )"),
                    r.error);
    REQUIRE_MESSAGE(r.run() == Outcome::Barrier, r.error);
    REQUIRE_MESSAGE(r.go_on() == Outcome::Done, r.error);
    for (unsigned t = 0; t < sim::kThreads; ++t) {
        CHECK(r.get(4, t) == t);
        CHECK(r.get(5, t) == 7);
    }
}

TEST_CASE("agx core: blocks have the results of single steps, translated or not") {
    std::mt19937 random(20261201);
    const char* const kOps[] = {"fmadd32 r%, r%, r%.neg, r%",
                                "fadd16 r%l, r%h, r%l",
                                "iadd r%, r%, r%, shift=1",
                                "imadd r%, r%l.sx, r%, r%",
                                "bfi r%, r%, r%, 5",
                                "bfeil r%, 0, r%, r%l",
                                "fcmpsel.lt r%, r%, r%, r%, r%",
                                "icmpsel.sgt r%, r%, r%, r%, r%",
                                "bitop.xor r%, r%, r%",
                                "asr r%, r%, r%l",
                                "fmul32.sat r%h, r%, r%",
                                "floor r%, r%",
                                "fmadd16 r%h, r%l, r%h, r%l"};
    for (unsigned round = 0; round < 60; ++round) {
        std::string text = "mov_imm16 r0l, 0x0\n";
        for (unsigned n = 0; n < 24; ++n) {
            for (const char* p = kOps[random() % std::size(kOps)]; *p; ++p)
                text += *p == '%' ? std::to_string(1 + random() % 12) : std::string(1, *p);
            text += '\n';
            if (n % 8 == 3) text += "if_icmp.slt r0l, r2, r3, 1\n";
        }
        text += "pop_exec r0l, 3\nstop\n";
        CodeRunner blocks, steps;
        steps.core.single_steps = true;
        REQUIRE_MESSAGE(blocks.assemble(text), blocks.error);
        REQUIRE(steps.assemble(text));
        // Blocks are translated after some runs.
        for (unsigned again = 0; again < 40; ++again) {
            const auto seed = unsigned(random());
            for (CodeRunner* r : {&blocks, &steps}) {
                std::mt19937 same(seed);
                for (unsigned i = 0; i < 14; ++i)
                    for (unsigned t = 0; t < sim::kThreads; ++t)
                        r->set(i, t, uint32_t(same()) >> same() % 2 * 8);
                REQUIRE_MESSAGE(r->run() == Outcome::Done, r->error);
            }
            for (unsigned i = 0; i < 14; ++i)
                for (unsigned t = 0; t < sim::kThreads; ++t)
                    REQUIRE_MESSAGE(blocks.get(i, t) == steps.get(i, t), text);
        }
    }
}

}  // namespace
}  // namespace terrazzo::tests::agx
