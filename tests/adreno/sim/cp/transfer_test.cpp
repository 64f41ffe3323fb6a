// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers, memory and scratch words, and waits for them.
#include <doctest/doctest.h>

#include "tests/adreno/sim/cp/harness.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::cp_test;

namespace {

constexpr uint16_t kReg = VFD_INDEX_OFFSET::kRegister, kNext = VFD_INSTANCE_START_OFFSET::kRegister;

}  // namespace

TEST_CASE("adreno cp: registers of the kernel, unknown ones, and beyond the last") {
    Gpu gpu;
    CHECK(has(gpu.run(Stream().reg(0x0800, 1)),
              "a write to register 0x0800, which is the kernel's"));  // CP_RB_BASE
    CHECK(gpu.processor.fault().kind == FaultKind::Protection);
    CHECK(has(gpu.run(Stream().reg(0x0540, 1)),
              "write of RBBM_PRIMCTR_0_LO at 0x10000, draw 0: a write to register RBBM_PRIMCTR_0_LO"));
    CHECK(
        has(gpu.run(Stream().reg(0x8fff, 1)), "a write of 0x00000001 to register 0x8fff, which is unknown"));
    CHECK(gpu.processor.fault().kind == FaultKind::Hardware);
    CHECK(has(gpu.run(Stream().words({pack_type4(0xffff, 2), 0, 0})), "there is no register 0x10000"));
    CpRegToMem get;
    get.dest = kData;
    get.reg = 0x0800;
    CHECK(has(gpu.run(Stream().packet(get)), "a read of register 0x800, which is the kernel's"));
    get.reg = 0x2ffff;
    CHECK(has(gpu.run(Stream().packet(get)), "a read of register 0x2ffff"));
    get.reg = 0x0400;  // a counter: reads are allowed
    CHECK(gpu.run(Stream().packet(get)) == "");
    // An empty list writes nothing.
    CHECK(gpu.run(Stream().words({pack_type4(kReg, 0)})) == "");
}

TEST_CASE("adreno cp: the kernel protects other registers on other chips") {
    const RegisterAccess a630(*find_chip("adreno-630")), a650(*find_chip("adreno-650")),
        a660(*find_chip("adreno-660"));
    for (const RegisterAccess* a : {&a630, &a650, &a660}) {
        CHECK(a->of(0x0000) == RegisterUse::ReadOnly);
        CHECK(a->of(0x08de) == RegisterUse::ReadOnly);
        CHECK(a->of(0x0510) == RegisterUse::Protected);
        CHECK(a->of(0x8e07) == RegisterUse::Free);  // RB_CCU_CNTL
        CHECK(a->of(0x8e08) == RegisterUse::Protected);
        CHECK(a->of(0xa00e) == RegisterUse::Free);
    }
    CHECK(a630.of(0xd000) == RegisterUse::Protected);
    CHECK(a650.of(0x8e80) == RegisterUse::Protected);
    CHECK(a630.of(0x8e80) != RegisterUse::Protected);
    CHECK(a650.of(0xb60f) == RegisterUse::Protected);
    CHECK(a660.of(0xb60f) != RegisterUse::Protected);
}

TEST_CASE("adreno cp: several registers, lists of them, and writes through the firmware") {
    Gpu gpu;
    CpRegWrite write;
    write.reg = kReg;
    write.value = 7;
    CHECK(gpu.run(Stream().words({pack_type4(kReg, 2), 3, 4})) == "");
    CHECK(gpu.value(kReg) == 3);
    CHECK(gpu.value(kNext) == 4);
    CHECK(gpu.run(Stream().packet(write).opcode(Pm4Opcode::CP_CONTEXT_REG_BUNCH, {kNext, 9, kNext, 8})) ==
          "");
    CHECK(gpu.value(kReg) == 7);
    CHECK(gpu.value(kNext) == 8);
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_CONTEXT_REG_BUNCH, {kNext, 9, kNext})), "lacks a value"));
    write.reg = 0x0800;
    CHECK(has(gpu.run(Stream().packet(write)), "the kernel's"));
}

TEST_CASE("adreno cp: a register is read, modified and written") {
    Gpu gpu;
    CpRegRmw p;
    p.dst_reg = kReg;
    p.src0 = 0xff;
    p.src1 = 0x10000;
    p.rotate = 4;
    CHECK(gpu.run(Stream().reg(kReg, 0x1234).packet(p)) == "");
    CHECK(gpu.value(kReg) == 0x10340);
    p.src1_add = true;
    p.src1 = 0x10;
    p.src0 = 0xf0000034;
    p.rotate = 8;
    CHECK(gpu.run(Stream().reg(kReg, 0xf2341234).packet(p)) == "");
    CHECK(gpu.value(kReg) == 0x3500);
    p.src0_is_reg = p.src1_is_reg = true;
    p.src0 = p.src1 = kNext;
    p.rotate = 0;
    CHECK(gpu.run(Stream().reg(kReg, 0xff).reg(kNext, 0x0f).packet(p)) == "");
    CHECK(gpu.value(kReg) == 0x1e);
}

TEST_CASE("adreno cp: registers to memory and back") {
    Gpu gpu;
    CpRegToMem get;
    get.reg = kReg;
    get.dest = kData;
    CHECK(gpu.run(Stream().reg(kReg, 5).reg(kNext, 6).packet(get)) == "");
    CHECK(gpu.data(0) == 5);
    CHECK(gpu.data(1) == 0);
    get.cnt = 2;
    CHECK(gpu.run(Stream().packet(get)) == "");
    CHECK(gpu.data(1) == 6);
    get.accumulate = true;
    CHECK(gpu.run(Stream().packet(get)) == "");
    CHECK(gpu.data(0) == 10);
    CHECK(gpu.data(1) == 12);
    get.n64b = true;
    gpu.data(0) = 0xffffffff;
    gpu.data(1) = 1;
    CHECK(gpu.run(Stream().packet(get)) == "");
    CHECK(gpu.data(0) == 4);
    CHECK(gpu.data(1) == 8);
    CHECK(gpu.data(2) == 0);
    CpMemToReg put;
    put.reg = kReg;
    put.src = kData;
    put.shift_by_2 = true;
    CHECK(gpu.run(Stream().packet(put)) == "");
    CHECK(gpu.value(kReg) == 16);
    CHECK(gpu.value(kNext) == 6);
    put.cnt = 2;
    put.shift_by_2 = false;
    CHECK(gpu.run(Stream().packet(put)) == "");
    CHECK(gpu.value(kNext) == 8);
    get.dest = kData + 2;
    CHECK(has(gpu.run(Stream().packet(get)), "at 0x200000002, which is no multiple of 4"));
    get.dest = 0x1000;
    CHECK(has(gpu.run(Stream().packet(get)), "at 0x1000: not mapped"));
    gpu.host.memory.blocks[kData].writable = false;
    ++gpu.host.memory.number;
    get.dest = kData;
    get.accumulate = false;
    CHECK(has(gpu.run(Stream().packet(get)), "mapped read-only"));
    CHECK(gpu.processor.fault().kind == FaultKind::Memory);
}

TEST_CASE("adreno cp: the time, and addresses with offsets") {
    Gpu gpu;
    CpRegToMem get;
    get.reg = CP_ALWAYS_ON_COUNTER::kRegister;
    get.n64b = true;
    get.dest = kData;
    CHECK(gpu.run(Stream().packet(get)) == "");
    CHECK(gpu.data(0) == 0x23456789);
    CHECK(gpu.data(1) == 1);
    CpRegToMemOffsetReg by_reg;
    by_reg.reg = kReg;
    by_reg.dest = kData;
    by_reg.offset0 = kNext;
    by_reg.offset1 = 2;
    by_reg.offset1_scratch = true;
    Stream s = Stream().opcode(Pm4Opcode::CP_SCRATCH_WRITE, {2u << 20, 8}).reg(kReg, 77).reg(kNext, 16);
    CHECK(gpu.run(s.packet(by_reg)) == "");
    CHECK(gpu.data(6) == 77);
    CpRegToMemOffsetMem by_mem;
    by_mem.reg = kReg;
    by_mem.dest = kData;
    by_mem.offset = kData + 4;
    gpu.data(1) = 32;
    CHECK(gpu.run(Stream().packet(by_mem)) == "");
    CHECK(gpu.data(8) == 77);
}

TEST_CASE("adreno cp: memory to memory") {
    Gpu gpu;
    CpMemToMem sum;
    sum.dst = kData + 32;
    sum.src_a = kData;
    sum.src_b = kData + 8;
    sum.src_c = kData + 16;
    sum.neg_c = true;
    sum.double_ = true;
    gpu.data(0) = 1;
    gpu.data(1) = 1;
    gpu.data(2) = 0xffffffff;
    gpu.data(4) = 2;
    CHECK(gpu.run(Stream().packet(sum)) == "");
    CHECK(gpu.data(8) == 0xfffffffe);
    CHECK(gpu.data(9) == 1);
    sum.double_ = false;
    CHECK(gpu.run(Stream().packet(sum)) == "");
    CHECK(gpu.data(8) == 0xfffffffe);
    CHECK(gpu.data(9) == 1);
    // Two sources: the third is not read.
    uint32_t words[9];
    sum.src_c = 0xdead0000;
    pack(sum, words);
    CHECK(gpu.run(Stream().opcode(Pm4Opcode::CP_MEM_TO_MEM, {words[0], words[1], words[2], words[3], words[4],
                                                             words[5], words[6]})) == "");
    CHECK(gpu.data(8) == 0);
    CHECK(has(gpu.run(Stream().packet(sum)), "not mapped"));
    CpMemWrite write;
    write.address = kData + 40;
    CHECK(gpu.run(Stream().packet(write, {1, 2, 3})) == "");
    CHECK(gpu.data(12) == 3);
    CpMemcpy copy;
    copy.dwords = 3;
    copy.src = kData + 40;
    copy.dst = kData + 80;
    CHECK(gpu.run(Stream().packet(copy)) == "");
    CHECK(gpu.data(22) == 3);
    copy.dwords = 0xffffffff;
    CHECK(has(gpu.run(Stream().packet(copy)), "not mapped"));
}

TEST_CASE("adreno cp: scratch words") {
    Gpu gpu;
    CpRegToScratch save;
    save.reg = kReg;
    save.scratch = 3;
    save.cnt = 2;
    CpScratchToReg load;
    load.reg = kReg;
    load.scratch = 4;
    load.cnt = 1;
    CHECK(gpu.run(Stream().reg(kReg, 5).reg(kNext, 6).packet(save).packet(load)) == "");
    CHECK(gpu.value(kReg) == 6);
    save.scratch = 7;
    CHECK(has(gpu.run(Stream().packet(save)), "there are 8 scratch words"));
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_SCRATCH_WRITE, {7u << 20, 1, 2})),
              "there are 8 scratch words"));
}

TEST_CASE("adreno cp: conditional writes compare as their function says") {
    struct Row {
        CondFunction function;
        bool is_signed;
        uint32_t value, ref;
        bool writes;
    };
    const Row rows[] = {
        {CondFunction::WRITE_ALWAYS, false, 1, 2, true}, {CondFunction::WRITE_LT, false, 1, 2, true},
        {CondFunction::WRITE_LT, false, 2, 2, false},    {CondFunction::WRITE_LE, false, 2, 2, true},
        {CondFunction::WRITE_EQ, false, 2, 2, true},     {CondFunction::WRITE_NE, false, 2, 2, false},
        {CondFunction::WRITE_GE, false, 2, 2, true},     {CondFunction::WRITE_GT, false, 3, 2, true},
        {CondFunction::WRITE_LT, true, ~0u, 0, true},    {CondFunction::WRITE_LT, false, ~0u, 0, false},
        {CondFunction(7), false, 2, 2, false},
    };
    Gpu gpu;
    for (const Row& row : rows) {
        CpCondWrite5 p;
        p.function = row.function;
        p.signed_compare = row.is_signed;
        p.poll = PollSource::POLL_MEMORY;
        p.poll_address = kData;
        p.ref = row.ref;
        p.mask = ~0u;
        p.write_memory = true;
        p.write_address = kData + 8;
        p.write_data = 55;
        gpu.data(0) = row.value;
        gpu.data(2) = gpu.data(3) = 0;
        CAPTURE(unsigned(row.function));
        CHECK(gpu.run(Stream().packet(p, {66})) == "");
        CHECK(gpu.data(2) == (row.writes ? 55 : 0));
        CHECK(gpu.data(3) == (row.writes ? 66 : 0));
    }
    CpCondWrite5 to_reg;
    to_reg.poll = PollSource::POLL_REGISTER;
    to_reg.function = CondFunction::WRITE_EQ;
    to_reg.poll_address = kReg;
    to_reg.ref = 0x30;
    to_reg.mask = 0xf0;
    to_reg.write_address = kNext;
    to_reg.write_data = 99;
    CHECK(gpu.run(Stream().reg(kReg, 0x1234).packet(to_reg)) == "");
    CHECK(gpu.value(kNext) == 99);
    to_reg.write_address = 0x0800;
    CHECK(has(gpu.run(Stream().packet(to_reg)), "the kernel's"));
    to_reg.poll = PollSource(3);
    CHECK(has(gpu.run(Stream().packet(to_reg)), "there is no source 3"));
}

TEST_CASE("adreno cp: waits for memory continue at their packet") {
    Gpu gpu;
    CpWaitRegMem wait;
    wait.function = CondFunction::WRITE_EQ;
    wait.poll = PollSource::POLL_MEMORY;
    wait.poll_address = kData;
    wait.ref = 1;
    wait.mask = 1;
    CHECK(gpu.run(Stream().draw().packet(wait).draw()) == "blocked");
    CHECK(gpu.processor.progressed());
    CHECK(gpu.work.log == "d");
    CHECK(gpu.go_on() == "blocked");
    CHECK_FALSE(gpu.processor.progressed());
    gpu.data(0) = 3;
    CHECK(gpu.go_on() == "");
    CHECK(gpu.work.log == "dd");
    CpWaitMemGte gte;
    gte.address = kData;
    gte.ref = 4;
    CHECK(gpu.run(Stream().packet(gte)) == "blocked");
    gpu.data(0) = 4;
    CHECK(gpu.go_on() == "");
    gpu.data(0) = 0x80000000;
    CHECK(gpu.run(Stream().packet(gte)) == "blocked");
    // In a group of draw state.
    const Stream group = Stream().packet(gte).reg(kReg, 3);
    gpu.buffer(0x60000, group);
    CpSetDrawState state;
    state.count_dw = group.size_dw();
    state.address = 0x60000;
    state.sysmem = true;
    gpu.work.seen.clear();
    CHECK(gpu.run(Stream().packet(state).draw()) == "blocked");
    gpu.data(0) = 5;
    CHECK(gpu.go_on() == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{3});
}

TEST_CASE("adreno cp: a wait for a value that nothing can write is a fault") {
    Gpu gpu;
    CpWaitRegMem wait;
    wait.function = CondFunction::WRITE_EQ;
    wait.poll_address = kReg;
    wait.ref = 1;
    wait.mask = ~0u;
    CHECK(has(gpu.run(Stream().reg(kReg, 2).packet(wait)), "it waits for ever: the value is 0x00000002"));
    CHECK(gpu.run(Stream().reg(kReg, 1).packet(wait)) == "");
    CpWaitTwoRegs two;
    two.reg0 = kReg;
    two.reg1 = kNext;
    two.ref = 4;
    CHECK(gpu.run(Stream().reg(kReg, 0).reg(kNext, 3).packet(two)) == "");
    CHECK(has(gpu.run(Stream().reg(kReg, 0).reg(kNext, 4).packet(two)), "it waits for ever"));
}
