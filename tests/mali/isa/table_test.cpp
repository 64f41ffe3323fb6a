// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The facts of Valhall's tables, as literals; and the reasons why words and instructions are refused.
#include <doctest/doctest.h>

#include <string>

#include "drivers/mali/isa/isa.h"

using namespace terrazzo::mali::isa;

namespace {

std::string refused(uint64_t word) {
    Instr instr;
    Error error;
    return decode(word, &instr, &error) ? "taken" : error.reason;
}

Instr instr_of(const char* line) {
    Instr instr;
    Error error;
    REQUIRE_MESSAGE(assemble_line(line, &instr, &error), error.reason);
    return instr;
}

}  // namespace

TEST_CASE("valhall: the table has every instruction of the sources") {
    CHECK(kOpCount == 252);
}

TEST_CASE("valhall: words are refused with a reason") {
    CHECK(refused(0) == "NOP: fixed bits 0000c00000000000 are 0000000000000000");
    CHECK(refused(0x0000c00000000000) == "taken");
    CHECK(refused(0x8000c00000000000) == "NOP: reserved bits 8000000000000000 are set");
    CHECK(refused(0x0000c00000000001) == "NOP: reserved bits 0000000000000001 are set");
    CHECK(refused(0x5800c00000000000) == "flow control 11 is reserved");
    CHECK(refused(0x01ffc00000000000) == "no instruction has opcode 0x1ff with these bits");
    CHECK(refused(0x0090c000001b0000) == "no instruction has opcode 0x090 with these bits");
    CHECK(refused(0x0091010000000002) == "MOV.i32 writes no half of r1");
    CHECK(refused(0x0091c100000000e0) == "MOV.i32: special value 0 of FAU page 0 is reserved");
    CHECK(refused(0x0291c100000000c0) == "MOV.i32: the constants are in FAU page 0, not 1");
    CHECK(refused(0x0291c10000000002) == "MOV.i32 selects FAU page 1 and reads nothing of it");
    CHECK(refused(0x00a4c00030000201) == "FADD.f32: swizzle 3 at bit 28 is reserved");
    CHECK(refused(0x00b4c00100c04040) == "LSHIFT_AND.i32: swizzle 0 at bit 26 is reserved");
    CHECK(refused(0x0045c00100000000) == "BARRIER: value 4 of modifier at bit 30 is reserved");
    CHECK(refused(0x0860c2b218000040) == "LOAD.i32: fixed bits 0000c00000000000 are 0000c00000000000");
    CHECK(refused(0x086082b218000040) == "LOAD.i32: value 3 of modifier at bit 36 is reserved");
    CHECK(refused(0x0860838418000040) == "LOAD.i32: staging registers start at an even one, not r3");
    CHECK(refused(0x0860bf8418000040) == "LOAD.i32: staging registers start at an even one, not r63");
    CHECK(refused(0x0860be8818000040) == "LOAD.i32: 4 staging registers at r62");
    CHECK(refused(0x0860828218000041) == "LOAD.i32: 64-bit source at bit 0 starts at an odd word");
    CHECK(refused(0x0050c00000000000) == "no instruction has opcode 0x050 with these bits");
}

TEST_CASE("valhall: a texture read as panfrost 25.0.7 packs it, without the result's type") {
    const uint64_t word = 0x0128403413c42080;
    CHECK(disassemble({&word, 1}) == "TEX_SINGLE.slot0.auto.32.2d.computed @r4:r5:r6:r7, @r0:r1, u0\n");
}

TEST_CASE("valhall: an instruction that the table does not allow is not encoded") {
    Error error;
    uint64_t word = 42;
    const auto reason = [&](const Instr& instr) -> std::string {
        return encode(instr, &word, &error) ? "taken" : error.reason;
    };
    Instr mov = make(Op::kMovI32);
    CHECK(reason(mov) == "taken");
    CHECK(word == 0x0091c00000000000);
    mov.set_saturate(true);
    CHECK(reason(mov) == "MOV.i32 has no modifier saturate");
    mov = make(Op::kMovI32);
    mov.src[0].neg = true;
    CHECK(reason(mov) == "MOV.i32: source at bit 0 has no neg or abs");
    mov = make(Op::kMovI32);
    mov.src[1].index = 1;
    CHECK(reason(mov) == "MOV.i32 has 1 sources");
    mov = make(Op::kMovI32);
    mov.src[0] = Operand::uniform(5);
    mov.src[0].last = true;
    CHECK(reason(mov) == "MOV.i32: only registers have a last use");
    Instr branch = make(Op::kBranchz);
    branch.set_immediate(Imm::kOffset, 1 << 26);
    CHECK(reason(branch) == "BRANCHZ: 67108864 does not fit into 27 bits");
    branch.op = Op::kCount;
    CHECK(reason(branch) == "there is no operation 252");
    CHECK(word == 0x0091c00000000000);
}

TEST_CASE("valhall: accessors have the names of the text") {
    Instr instr = instr_of("LOAD.i16.istream.h1.unsigned.slot2.wait01 @r2, u4, offset:-20");
    CHECK(instr.op == Op::kLoadI16);
    CHECK(instr.memory_access() == MemoryAccess::kIstream);
    CHECK(instr.load_lane_16() == LoadLane16::kH1);
    CHECK(instr.is_unsigned());
    CHECK(instr.slot() == Slot::k2);
    CHECK(instr.wait_slot() == 2);
    CHECK(instr.flow == Flow::kWait01);
    CHECK(instr.immediate(Imm::kOffset) == -20);
    CHECK(instr.staging_written() == Staging{2, 1});
    CHECK(instr.staging_read() == Staging{});
    CHECK(instr.src[0] == Operand::uniform(4));
    CHECK(instr.info().message == Message::kLoad);
    CHECK(instr.info().is(kReadsMemory));
    CHECK_FALSE(instr.info().is(kWritesMemory));

    instr = instr_of("ATOM_RETURN.i32.slot0.axchg @r55, @r12, r48, offset:0x0");
    CHECK(instr.staging_written() == Staging{55, 1});
    CHECK(instr.staging_read() == Staging{12, 1});
    CHECK(instr.atomic() == AtomicOp::kXchg);

    instr = instr_of("ATEST.discard @r60, r60, r3.h1, atest_datum.w0");
    CHECK(instr.wait_slot() == 0);
    CHECK(instr.src[1].swizzle == Swizzle::kH1);
    CHECK(instr.src[2] == Operand::special(Special::kAtestDatum));
    CHECK(instr_of("FADD.f32 r0, r1, r2").wait_slot() == -1);

    // The width of a result has a '.' in its name.
    instr = instr_of("VAR_TEX_DUAL.slot0.retrieve.f.16.32.cube.computed @r0:r1:r2, u2, u0");
    CHECK(instr.pair_width() == PairWidth::k16And32);
    CHECK(instr_of("VAR_TEX_DUAL.slot0.retrieve.f.16.cube.computed @r0:r1, u2, u0").pair_width() ==
          PairWidth::k16);
    // A special value's word comes before the part of the source.
    instr = instr_of("SHADDX.u64 r0, r2, program_counter.w1.w0, shift:0x3");
    CHECK(bool(instr.src[1].high_word));
    CHECK(instr.src[1].swizzle == Swizzle::kW0);
    CHECK(instr_of("FADD.v2f16 r0, r1.h01, r2") == instr_of("FADD.v2f16 r0, r1, r2"));
}

TEST_CASE("valhall: constants, special values, waits, tables") {
    CHECK(constant_table(0) == 0);
    CHECK(constant_table(16) == 0x3F800000);
    CHECK(constant_table(31) == 0x42480000);
    CHECK(find_constant(0x40490FDB) == 20);
    CHECK(find_constant(0) == 0);
    CHECK(find_constant(5) == -1);
    CHECK(instr_of("MOV.i32 r0, imm21").src[0] == Operand::constant(21));
    CHECK(std::string(special_name(Special::kResourceTablePointer)) == "resource_table_pointer");
    CHECK(instr_of("MOV.i32 r0, resource_table_pointer.w1").src[0] ==
          Operand::special(Special::kResourceTablePointer, true));
    CHECK(special_name(Special(0x20)) == nullptr);
    CHECK(fau_page(Operand::uniform(130)) == 2);
    CHECK(fau_page(Operand::special(Special::kLaneId)) == 3);
    CHECK(waited_slots(Flow::kWait02) == 0b101);
    CHECK(waited_slots(Flow::kWait0126) == 0b1000111);
    CHECK(waited_slots(Flow::kWait) == 0b11000111);
    CHECK(waited_slots(Flow::kEnd) == 0);
    CHECK(table_of_immediate(11) == 11);
    CHECK(table_of_immediate(12) == 60);
    CHECK(table_of_immediate(15) == 63);
}

TEST_CASE("valhall: costs by unit") {
    const auto cost_of = [](const char* line) { return cost(instr_of(line)); };
    CHECK(cost_of("FMA.f32 r0, r1, r2, r3").unit == Unit::kFma);
    CHECK(cost_of("FMA.f32 r0, r1, r2, r3").amount == 1);
    CHECK(cost_of("IADD.u64 r0, r2, r4").unit == Unit::kCvt);
    CHECK(cost_of("IADD.u64 r0, r2, r4").amount == 2);
    CHECK(cost_of("FRCP.f32 r0, r1").unit == Unit::kSfu);
    CHECK(cost_of("LD_VAR_BUF_IMM.f16.slot0.v4.src_f16.center.retrieve @r2:r3, r61, index:0x0").amount == 4);
    CHECK(cost_of("LD_VAR_IMM.slot0.v3.f32.center.store @r0:r1:r2, r61, table:0x0, index:0x0").amount == 6);
    CHECK(cost_of("LD_VAR_IMM.slot0.v3.f16.center.store @r0:r1, r61, table:0x0, index:0x0").amount == 3);
    CHECK(cost_of("STORE.i32.slot0 @r0, ^r2, offset:0").unit == Unit::kLs);
    CHECK(cost_of("NOP").amount == 0);
}

TEST_CASE("valhall: a program is one line for each instruction") {
    std::vector<uint64_t> words;
    Error error;
    REQUIRE(assemble("# a comment\n\n  MOV.i32 r1, r2  \r\nNOP.end\n", &words, &error));
    CHECK(words == std::vector<uint64_t>{0x0091c10000000002, 0x7800c00000000000});
    CHECK(disassemble(words) == "MOV.i32 r1, r2\nNOP.end\n");
    CHECK_FALSE(assemble("NOP\nNOP.endd\n", &words, &error));
    CHECK(std::string(error.reason) == "line 2: NOP cannot have .endd here");
    CHECK(words.size() == 2);
    CHECK(assemble("", &words, &error));
    CHECK(words.empty());
    const uint64_t zero = 0;
    CHECK(disassemble({&zero, 1}) ==
          "0000000000000000 (NOP: fixed bits 0000c00000000000 are 0000000000000000)\n");
}
