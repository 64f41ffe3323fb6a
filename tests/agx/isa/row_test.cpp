// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A wrong row of AGX' table does not compile (table.cpp asserts that all are sound). This tests which rows
// are wrong.
#include <doctest/doctest.h>

#include <string>

#include "drivers/agx/isa/row.h"

using namespace terrazzo::agx::isa;
using namespace terrazzo::agx::isa::row;
using terrazzo::isa::finish;

TEST_CASE("agx: rows that are sound") {
    constexpr Row kRow = finish("fadd32", float_binary(0x2a));
    static_assert(kRow.sound());
    CHECK(kRow.info.opcode.mask == Word(0x3f));
    CHECK(kRow.info.opcode.value == Word(0x2a));
    CHECK(kRow.info.length == 48);
    CHECK(kRow.info.short_length == 32);
    CHECK(kRow.info.long_bit.start == 15);
    CHECK(kRow.info.source_rows[1].value.pieces[0].start == 28);
    CHECK(kRow.info.source_rows[1].value.pieces[1].start == 40);
    CHECK(kRow.info.source_rows[1].signs.start == 38);
    CHECK(kRow.info.used == Word(0x3fffffffffff));  // not bits 46 and 47
    CHECK(kRow.info.has(Field::kSaturate));
    CHECK_FALSE(kRow.info.has(Field::kShift));
}

TEST_CASE("agx: rows that are not sound") {
    const auto plain = [] { return op(8, 0x31, Class::kFloat, 6, 8); };
    CHECK(plain().sound());
    CHECK_FALSE(op(4, 16, Class::kFloat, 4).sound());                // the value does not fit
    CHECK_FALSE(op(8, 1, Class::kFloat, 14).sound());                // longer than a word
    CHECK_FALSE(plain().is(7, 2, 0).sound());                        // overlaps the opcode
    CHECK_FALSE(plain().is(15, 1, 0).sound());                       // the length bit
    CHECK_FALSE(plain().field(Field::kShift, Bits{63, 2}).sound());  // beyond the end
    CHECK_FALSE(plain().field(Field::kShift, SplitBits({20, 2}, {21, 2})).sound());
    CHECK_FALSE(plain().field(Field::kShift, Bits{20, 2}, 4).sound());  // the usual value does not fit
    CHECK_FALSE(plain().field(Field::kShift, Bits{20, 2}).field(Field::kShift, Bits{24, 2}).sound());
    CHECK_FALSE(plain().dest(kDst, 44).dest(kDst, 46).sound());
    CHECK_FALSE(plain().src(kAlu, 16, 42).src(kAlu, 24, 44).sound());                  // bits 24 and 25
    CHECK_FALSE(plain().src(kMul, 16, 42).field(Field::kShift, Bits{26, 1}).sound());  // the sign's bit
    Row many = op(8, 0, Class::kFloat, 12);
    for (unsigned i = 0; i < 8; i++)
        many.src(kNumber, Bits{uint8_t(8 + i), 1});
    CHECK_FALSE(many.sound());
    Row unknown = op(8, 0, Class::kFloat, 12);
    for (unsigned i = 0; i <= kMostUnknown; i++)
        unknown.unknown(uint8_t(8 + i), 1);
    CHECK_FALSE(unknown.sound());
}
