// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// AGX' encodings against words with a known text, and lines that must be refused, with the reason.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "drivers/agx/isa/isa.h"

using namespace terrazzo::agx::isa;

namespace {

struct Vector {
    const char* bytes;
    const char* text;
};
constexpr Vector kVectors[] = {
#define VECTOR(bytes, text) {bytes, text},
#include "tests/agx/isa/vectors.inc"
#undef VECTOR
};

std::vector<Unit> units_of(std::string_view bytes) {
    std::vector<Unit> units;
    for (size_t i = 0; i < bytes.size(); i += 4) {
        const unsigned long value = std::stoul(std::string(bytes.substr(i, 4)), nullptr, 16);
        units.push_back(Unit(value >> 8 | value << 8));
    }
    return units;
}

std::string reason_of(std::string_view line) {
    Instr instr;
    Error error;
    CHECK_FALSE_MESSAGE(assemble_line(line, &instr, &error), std::string(line));
    return error.reason;
}

std::string text_of(std::string_view bytes) {
    return disassemble(units_of(bytes));
}

}  // namespace

TEST_CASE("agx: words and their text, both ways") {
    std::set<std::string> seen;
    for (const Vector& v : kVectors) {
        CAPTURE(std::string(v.text));
        const std::vector<Unit> units = units_of(v.bytes);
        CHECK(disassemble(units) == std::string(v.text) + "\n");
        std::vector<Unit> again;
        Error error;
        const bool assembled = assemble(v.text, &again, &error);
        CHECK_MESSAGE(assembled, error.reason);
        CHECK(again == units);
        Instr instr;
        size_t length = 0;
        REQUIRE(terrazzo::isa::decode_first(std::span<const Unit>(units), &instr, &length, nullptr));
        seen.insert(instr.info().name);
    }
    for (unsigned i = 0; i < kOpCount; i++)
        CHECK_MESSAGE(seen.count(info(Op(i)).name), "no vector has ", std::string(info(Op(i)).name));
}

TEST_CASE("agx: lines that are refused, and why") {
    CHECK(reason_of("frobnicate r0") == "no instruction is named frobnicate");
    CHECK(reason_of("fadd32 r0, r1") == "'' where ',' belongs");
    CHECK(reason_of("fadd32 r0, r1, r2, r3") == "fadd32: ', r3' is too much");
    CHECK(reason_of("fadd32 r128, r1, r2") == "128 is outside 0..127");
    CHECK(reason_of("fadd32 r0, u256, r2") == "256 is outside 0..255");
    CHECK(reason_of("fadd32 r0_r1, r1, r2") == "fadd32 cannot have this destination");
    CHECK(reason_of("fadd16 r0, r1l, r2l") == "fadd16 cannot have this destination");
    CHECK(reason_of("fadd16 r0l, r1, r2l") == "fadd16 cannot have this source 0");
    CHECK(reason_of("fadd32 r0, r1.sx, r2") == "fadd32 cannot have this source 0");
    CHECK(reason_of("fadd32 r0, 1.03, r2") == "'1.03, r2' is no float of 8 bits");
    CHECK(reason_of("fadd32 r0, r1.cache.discard, r2") == "fadd32 cannot have this source 0");
    CHECK(reason_of("iadd r0, r1, 256") == "256 is outside 0..255");
    CHECK(reason_of("iadd r0, r1, 3.sx") == "iadd cannot have this source 1");
    CHECK(reason_of("iadd r0, r1, r2, shift=8") == "8 is outside 0..7");
    CHECK(reason_of("iadd r127_r128, r1, r2") == "128 is outside 0..127");
    CHECK(reason_of("iadd r0_r2, r1, r2") == "the registers of an operand are consecutive");
    CHECK(reason_of("iadd.long r0, r1, r2") == "iadd has no other form that is longer");
    CHECK(reason_of("fadd32.long r64, r1, r2") == "fadd32 has no other form that is longer");
    CHECK(reason_of("icmpsel.ult r0, r1, r2, r3l, r4").find("icmpsel: ") == 0);
    CHECK(reason_of("device_load.xy r0_r1, u0_u1, 0") == "'.xy r0_r1, u0_u1, 0' where the format belongs");
    CHECK(reason_of("device_load.i32.xy r0, u0_u1, 0") == "device_load cannot have this destination");
    CHECK(reason_of("device_load.i32.x r0, u128_u129, 0") == "device_load cannot have this source 0");
    CHECK(reason_of("device_load.i32.x r0, u0_u1, 40000") == "40000 is outside -32768..32767");
    CHECK(reason_of("jmp_exec_any 6") == "'6' where 'pc' belongs");
    CHECK(reason_of("jmp_exec_any pc6") == "pc is followed by + or - and a number of bytes");
    CHECK(reason_of("get_sr r0, sideways") == "'sideways' is no special register");
    CHECK(reason_of("get_sr r0, sr256") == "256 is outside 0..255");
    CHECK(reason_of("iter.xy.center r0_r1, cf0, 1") == "iter: the bits of source 1 have no meaning");
    CHECK(reason_of("zs_emit 255, r0l") == "zs_emit cannot have this source 1");
    CHECK(reason_of("if_icmp.ult r1l, r0, r1, 1") == "if_icmp cannot have this destination");
}

TEST_CASE("agx: words that are refused, and why") {
    CHECK(text_of("6e4a") == "4a6e (no instruction starts with 4a6e)\n");
    CHECK(text_of("8802") == "0288 (no instruction starts with 0288)\n");
    CHECK(text_of("3802") == "0238 (wait: bit 9 is reserved)\n");
    CHECK(text_of("0e00") == "000e (the program ends within iadd)\n");
    // The kind 2 of a source, without a hint.
    CHECK(text_of("2a0000020000").find("the bits of source 0 have no meaning") != std::string::npos);
    // An odd half as a 32-bit register.
    CHECK(text_of("2a03000000").find("the bits of the destination have no meaning") != std::string::npos);
}
