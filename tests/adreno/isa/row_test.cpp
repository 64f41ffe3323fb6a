// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A wrong row of ir3's table does not compile (table.cpp asserts that all are sound). This tests which rows
// are wrong.
#include <doctest/doctest.h>

#include <string>

#include "drivers/adreno/isa/kinds.h"
#include "drivers/adreno/isa/operand.h"

using namespace terrazzo::adreno::isa;
using namespace terrazzo::adreno::isa::row;

TEST_CASE("ir3: rows that are sound") {
    constexpr Row kRow = finish("add.f", alu2(0));
    static_assert(kRow.sound());
    CHECK(kRow.info.opcode.mask == 0xe7e0000000000000);
    CHECK(kRow.info.opcode.value == 0x4000000000000000);
    CHECK(kRow.info.source_rows[1].bits.start == 16);
    CHECK(kRow.info.source_rows[1].repeat.start == 51);
    CHECK(kRow.info.nop_high.start == 51);
    // All bits except those of the condition.
    CHECK(kRow.info.used == 0xfff8ffffffffffff);
    CHECK(std::string_view(kRow.info.mnemonic) == "add.f");
    CHECK(kRow.info.has(Field::kSat));
    CHECK_FALSE(kRow.info.has(Field::kEq));
}

TEST_CASE("ir3: rows that are not sound") {
    CHECK(special(0).sound());
    CHECK_FALSE(special(64).sound());                                // the opcode has 6 bits
    CHECK_FALSE(special(0).is(16, 4, 16).sound());                   // the value does not fit
    CHECK_FALSE(special(0).is(53, 1, 0).sound());                    // overlaps the opcode
    CHECK_FALSE(special(0).is(63, 2, 0).sound());                    // beyond the word
    CHECK_FALSE(special(0).number(kSize, 15, 3).sound());            // overlaps the source
    CHECK_FALSE(special(0).flag(kSs, 47).sound());                   // set twice
    CHECK_FALSE(special(0).dest(40).sound());                        // overlaps (rpt)
    CHECK_FALSE(alu2(0).src(kRegister, 24).sound());                 // overlaps the second source
    CHECK_FALSE(alu1(0).src(kMulti, 16).repeat_at(43).sound());      // the first source's bit
    CHECK_FALSE(jump(2).offset({16, 8}, false).sound());             // overlaps the other offset
    CHECK_FALSE(many(1).dest(0).dest(8).dest(16).dest(24).sound());  // at most four destinations
    CHECK_FALSE(quad(0).src(kRegister, 1).sound());
}

TEST_CASE("ir3: a form consists of pieces") {
    std::string_view rest = ".{type} g[{s0}]", piece;
    bool braced;
    std::string pieces;
    while (next_piece(&rest, &piece, &braced)) {
        pieces += std::string(braced ? "<" : "'") + std::string(piece);
    }
    CHECK(pieces == "'.<type' g[<s0']");
    rest = "{open";
    CHECK(next_piece(&rest, &piece, &braced));
    CHECK(rest.empty());
}
