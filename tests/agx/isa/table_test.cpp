// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// What a compiler and a virtual GPU ask about instructions.
#include <doctest/doctest.h>

#include <string>

#include "drivers/agx/isa/isa.h"
#include "drivers/agx/isa/minifloat.h"

using namespace terrazzo::agx::isa;

namespace {

Instr line(std::string_view text) {
    Instr instr;
    Error error;
    const bool good = assemble_line(text, &instr, &error);
    CHECK_MESSAGE(good, std::string(text), ": ", error.reason);
    return instr;
}

}  // namespace

TEST_CASE("agx: made instructions are valid, and have the usual unknown bits") {
    for (unsigned i = 0; i < kOpCount; i++) {
        Error error;
        if (info(Op(i)).fallback) continue;  // without unknown bits it would be another instruction
        const bool good = validate(make(Op(i)), &error);
        CHECK_MESSAGE(good, std::string(info(Op(i)).name), ": ", error.reason);
        std::string text;
        print(make(Op(i)), &text);
        CHECK_MESSAGE(text.find(" b") == std::string::npos, text);
    }
    CHECK(make(Op::kAtomic).unknown0() == 1);
    CHECK(make(Op::kTextureSample).unknown0() == 12);
}

TEST_CASE("agx: registers that are written and read, and slots") {
    const Instr add = line("fadd32 r3, r1h.neg, u4");
    CHECK(registers_written(add) == Halves{6, 2});
    CHECK(registers_read(add, 0) == Halves{3, 1});
    CHECK(registers_read(add, 1) == Halves{});
    CHECK(result_slot(add) == -1);
    CHECK(registers_written(line("iadd r4_r5, r0_r1, r2.sx")) == Halves{8, 4});
    const Instr load = line("device_load.i16.xyz r4l_r4h_r5l, u0_u1, r9, slot=1");
    CHECK(registers_written(load) == Halves{8, 3});
    CHECK(registers_read(load, 1) == Halves{18, 2});
    CHECK(result_slot(load) == 1);
    CHECK(load.info().is(kReadsMemory));
    const Instr store = line("device_store.i32.xy r4_r5, r0_r1, 7");
    CHECK(registers_written(store) == Halves{});
    CHECK(registers_read(store, 0) == Halves{8, 4});
    CHECK(result_slot(store) == 0);
    const Instr sample =
        line("texture_sample.2d_array.xyzw r0_r1_r2_r3, r4l_r4h_r5l_r5h_r6l, _, _, ts0, ss1, _");
    CHECK(registers_read(sample, 0) == Halves{8, 5});
    CHECK(registers_written(sample) == Halves{0, 8});
    CHECK(registers_written(line("if_icmp.ult r0l, r1, r2, 1")) == Halves{0, 1});
    CHECK(registers_written(line("call pc+20")) == Halves{2, 2});
    CHECK(registers_written(line("atomic.add _, u0_u1, 0, r1")) == Halves{});
    CHECK(registers_read(line("atomic.cmpxchg r0, u0_u1, 0, r2_r3"), 2) == Halves{4, 4});
}

TEST_CASE("agx: operands determine how many registers a message has") {
    CHECK(line("texture_load.1d.x r0, r1, _, _, ts0, ss0, _").src[0].count == 1);
    CHECK(line("texture_sample.3d.x.lod_grad r0, r4_r5_r6, r8_r9_r10_r11_r12_r13, _, ts0, ss0, _")
              .src[1]
              .halves() == 12);
    CHECK(line("texture_sample.2d.x.shadow r0, r4_r5, _, u4_u5, r2, ss0, r6l_r6h_r7l").src[5].count == 3);
    CHECK(line("ldcf.xy r0_r1_r2_r3_r4_r5, cf3").dest.count == 6);
    CHECK(line("zs_emit.z.s 255, r0l_r0h_r1l").src[1].count == 3);
}

TEST_CASE("agx: floats of eight bits") {
    CHECK(decode_minifloat(0x00) == 0.0f);
    CHECK(decode_minifloat(0x01) == 1.0f / 64);
    CHECK(decode_minifloat(0x10) == 0.25f);
    CHECK(decode_minifloat(0x30) == 1.0f);
    CHECK(decode_minifloat(0x38) == 1.5f);
    CHECK(decode_minifloat(0x7f) == 31.0f);
    CHECK(decode_minifloat(0xff) == -31.0f);
    for (unsigned bits = 0; bits < 256; bits++)
        CHECK(encode_minifloat(decode_minifloat(uint8_t(bits))) == int(bits));
    CHECK(encode_minifloat(0.0f) == 0);
    CHECK(encode_minifloat(-0.0f) == 0x80);
    CHECK(encode_minifloat(32.0f) == -1);
    CHECK(encode_minifloat(1.03f) == -1);
}

TEST_CASE("agx: special registers have distinct names") {
    CHECK(special_name(unsigned(SpecialRegister::kBackFacing)) == std::string("backfacing"));
    CHECK(special_name(3) == nullptr);
    for (unsigned n = 0; n < 256; n++) {
        Instr instr = make(Op::kGetSr);
        instr.src[0].value = int32_t(n);
        std::string text;
        print(instr, &text);
        CHECK(line(text) == instr);
    }
}
