// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// ir3's encodings against captured words, and lines that must be refused, with the reason.
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <string>

#include "drivers/adreno/isa/isa.h"

using namespace terrazzo::adreno::isa;

namespace {

struct Vector {
    uint64_t word;
    const char* text;
};
constexpr Vector kVectors[] = {
#define VECTOR(word, text) {word, text},
#include "tests/adreno/isa/vectors.inc"
#undef VECTOR
};

constexpr Vector kDecoded[] = {
#define VECTOR(word, text) {word, text},
#include "tests/adreno/isa/decoded.inc"
#undef VECTOR
};

std::string text_of(uint64_t word) {
    std::string text = disassemble({&word, 1});
    text.pop_back();  // the newline
    return text;
}

void check_both_ways(uint64_t word, const char* text) {
    CAPTURE(std::string(text));
    Instr instr;
    Error error;
    uint64_t assembled = 0;
    const bool taken = assemble_line(text, &instr, &error) && encode(instr, &assembled, &error);
    CHECK_MESSAGE(taken, error.reason);
    CHECK(assembled == word);
    CHECK(text_of(word) == text);
    Instr decoded;
    const bool known = decode(word, &decoded, &error);
    CHECK_MESSAGE(known, error.reason);
    CHECK(decoded == instr);
}

}  // namespace

TEST_CASE("ir3: captured words and their text, both ways") {
    CHECK(std::size(kVectors) == 215);
    for (const Vector& v : kVectors) {
        check_both_ways(v.word, v.text);
    }
}

// Mesa 25.0.7, src/freedreno/ir3/tests/disasm.c, add_generated_tests(): the offset has bits that are the
// opcode in other instructions.
TEST_CASE("ir3: each offset of an image's store and load") {
    for (unsigned offset = 1; offset < 0x1f; offset++) {
        char text[96];
        std::snprintf(text, sizeof(text), "stib.b.untyped.1d.u32.4.imm.base0 r2.y, r5.z+%u, 4", offset);
        check_both_ways(0xc026080916e77100 + (uint64_t(offset) << 54), text);
        std::snprintf(text, sizeof(text), "ldib.b.untyped.1d.u32.4.imm.base0 r0.z, r0.y+%u, 0", offset);
        check_both_ways(0xc026000201e1b100 + (uint64_t(offset) << 54), text);
    }
}

TEST_CASE("ir3: Mesa's text of every operation") {
    std::array<bool, kOpCount> seen{};
    for (const Vector& v : kDecoded) {
        check_both_ways(v.word, v.text);
        Op op;
        REQUIRE(find_op(v.word, &op));
        seen[unsigned(op)] = true;
    }
    for (unsigned op = 0; op < kOpCount; op++) {
        CHECK_MESSAGE(seen[op] == (Op(op) != Op::kBrax), std::string(info(Op(op)).name));
    }
}
