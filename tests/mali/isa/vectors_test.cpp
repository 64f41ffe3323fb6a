// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Valhall's encodings against captured words, and lines that must be refused, with the reason.
#include <doctest/doctest.h>

#include <string>

#include "drivers/mali/isa/isa.h"

using namespace terrazzo::mali::isa;

namespace {

struct Vector {
    uint64_t word;
    const char* text;
};
constexpr Vector kVectors[] = {
#define VECTOR(word, text) {word, text},
#include "tests/mali/isa/vectors.inc"
#undef VECTOR
};

std::string text_of(uint64_t word) {
    std::string text = disassemble({&word, 1});
    text.pop_back();  // the newline
    return text;
}

struct Refused {
    const char* line;
    const char* reason;
};
// The lines of Mesa 25.0.7, src/panfrost/compiler/valhall/test/negative-cases.txt (MIT). The reasons are our
// own.
constexpr Refused kRefused[] = {
    {"FADD.f32 r0, r1", "'' where ',' belongs"},
    {"TEX.computed.2d.slot0 @r2, @r4:r5:r6:r7", "no instruction is named TEX.computed.2d.slot0"},
    {"BRANCH", "no instruction is named BRANCH"},
    {"BRANCH #0", "no instruction is named BRANCH"},
    {"BRANCH #0, offset:", "no instruction is named BRANCH"},
    {"BRANCH u0, offset:-123456789", "no instruction is named BRANCH"},
    {"BRANCH u0, offset:123456789", "no instruction is named BRANCH"},
    {"IADD_IMM.i32 r3, #12345", "'#12345' is not an operand"},
    {"FADD.v2f16 r0, r1, r0.h0", "the source at bit 8 cannot have .h0 here"},
    {"MOV.i32.wait01.wait1 r0, r1", "MOV.i32 cannot have .wait1 here"},
    {"MOV.i32.wait01.return r0, r1", "MOV.i32 cannot have .return here"},
    {"MOV.i32.reconverge.return r0, r1", "MOV.i32 cannot have .return here"},
    {"FROUND.f32.rtn.clamp_m1_1 r2, `r2.neg", "FROUND.f32 cannot have .clamp_m1_1 here"},
    {"FADD.f32 r0, u0, u4", "FADD.f32 reads more than one pair of uniforms or special values"},
    {"FADD.f32 r0, u5, u3", "FADD.f32 reads more than one pair of uniforms or special values"},
    {"FADD.f32 r0, u5, u6", "FADD.f32 reads more than one pair of uniforms or special values"},
    {"FMA.f32 r0, u0, u1, 0x0", "FMA.f32 reads more than two words of uniforms and constants"},
    {"FMA.f32 r0, u0, 0x40490FDB, 0x0", "FMA.f32 reads more than two words of uniforms and constants"},
    {"FMA.f32 r0, 0x3F317218, 0x40490FDB, 0x0",
     "FMA.f32 reads more than two words of uniforms and constants"},
    {"IADD.u32 r0, lane_id, core_id", "IADD.u32 reads more than one pair of uniforms or special values"},
    {"IADD.u32 r0, lane_id, core_id", "IADD.u32 reads more than one pair of uniforms or special values"},
    {"IADD.u32 r0, tls_ptr, wls_ptr", "'tls_ptr' is not an operand"},
    {"LOAD.i32.unsigned.slot0.wait0 @r1:r2, `r0, offset:0", "'`r0' is not an operand"},
    {"STORE.i32.slot0.reconverge @r3:r4:r5, `r2, offset:0", "'`r2' is not an operand"},
    {"STORE.i96.vary.slot0.return @r1:r2:r3:r4, `r4, offset:0", "STORE.i96 cannot have .vary here"},
    // Our own lines.
    {"LOAD.i32.unsigned.slot0.wait0 @r1:r2, ^r0, offset:0",
     "LOAD.i32: staging registers start at an even one, not r1"},
    {"LOAD.i32.slot0 @r0:r2, ^r0, offset:0", "staging registers are consecutive: no r2 is here"},
    {"LOAD.i32.slot0 @r2, ^r1, offset:0", "LOAD.i32: 64-bit source at bit 0 starts at an odd word"},
    {"LOAD.i32.slot0 @r2, ^r0, offset:32768", "32768 is outside -32768..32767"},
    {"LOAD.i32 @r2, ^r0, offset:0", "LOAD.i32 needs one of .slot0, ..."},
    {"BRANCHZ.reconverge ^r1, offset:", "'' is not a number"},
    {"BRANCHZ.reconverge ^r1, offset:67108864", "67108864 is outside -67108864..67108863"},
    {"FADD.f32 r0, r1, 0x12345678", "0x12345678 is not in the table of constants"},
    {"FADD.f32 r0, r64, r1", "64 is outside 0..63"},
    {"FADD.f32 r0.h2, r1, r1", "a destination has .h0, .h1 or nothing, not .h2"},
    {"FADD.f32 r0, u64, 0x0", "FADD.f32 reads FAU pages 1 and 0 (constants are in page 0)"},
    {"IADD.s64 r0, r2, r5", "IADD.s64: 64-bit source at bit 8 starts at an odd word"},
    {"IADD.s64 r1, r2, r4", "IADD.s64 writes a pair of registers, which starts at an even one"},
    {"S8_TO_S32 r0, r1", "S8_TO_S32: source at bit 0 needs a lane"},
    {"LD_VAR_SPECIAL.f32.center.store.slot0 @r0, lane_id.w0, index:0x0",
     "LD_VAR_SPECIAL is a message, which cannot read lane_id"},
    {"FADD.f32.clamp_0_1.clamp_0_1 r0, r1, r2", "FADD.f32 cannot have .clamp_0_1 here"},
    {"FADD.f32 r0, r1.neg.neg, r2", "the source at bit 0 cannot have .neg here"},
    {"FADD.f32 r0, r1.h0.h1, r2", "the source at bit 0 cannot have .h1 here"},
    {"FADD.f32 r0,, r2", "'' is not an operand"},
    {"", "no instruction is named "},
};

}  // namespace

TEST_CASE("valhall: captured words and their text, both ways") {
    CHECK(std::size(kVectors) == 244);
    for (const Vector& v : kVectors) {
        CAPTURE(v.text);
        Instr instr;
        Error error;
        uint64_t word = 0;
        const bool assembled = assemble_line(v.text, &instr, &error) && encode(instr, &word, &error);
        CHECK_MESSAGE(assembled, error.reason);
        CHECK(word == v.word);
        CHECK(text_of(v.word) == v.text);
        Instr decoded;
        REQUIRE(decode(v.word, &decoded, &error));
        CHECK(decoded == instr);
    }
}

TEST_CASE("valhall: lines are refused with a reason, and change nothing") {
    for (const Refused& refused : kRefused) {
        CAPTURE(refused.line);
        const Instr before = make(Op::kBlend);
        Instr instr = before;
        Error error;
        CHECK_FALSE(assemble_line(refused.line, &instr, &error));
        CHECK(std::string(error.reason) == refused.reason);
        CHECK(instr == before);
    }
}
