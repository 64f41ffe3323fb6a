// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A wrong row of Valhall's table does not compile (table.cpp asserts that all are sound). This tests which
// rows are wrong.
#include <doctest/doctest.h>

#include "drivers/mali/isa/row.h"

using namespace terrazzo::mali::isa;
using namespace terrazzo::mali::isa::row;

namespace {

constexpr Row base() {
    return op(0x0A4, Unit::kFma);
}

}  // namespace

TEST_CASE("valhall: rows that are sound") {
    constexpr Row kRow =
        finish("FADD.f32", base().is(16, 4, 0).dest().src(kF32Half).src(kF32Half).mods(Mod::kClamp));
    static_assert(kRow.sound());
    CHECK(kRow.info.size == 32);
    CHECK(kRow.info.opcode.mask == 0x01ff0000000f0000);
    CHECK(kRow.info.opcode.value == 0x00a4000000000000);
    CHECK(kRow.info.control.mask == 0);
    CHECK(kRow.info.source_rows[1].neg.start == 36);
    CHECK(kRow.info.source_rows[1].swizzle.start == 26);
    // Flow, page, opcode, result, sources with their signs and parts, the clamp.
    CHECK(kRow.info.used == 0x7ffffff33c0fffff);
    CHECK(size_of_name("V2F32_TO_V2F16") == 16);
    CHECK(size_of_name("SHADDX.u64") == 64);
    CHECK(size_of_name("CUBEFACE2_V9") == 32);
    CHECK(size_of_name("FSIN_TABLE.u6") == 32);
    CHECK(size_of_name("IADD.v4s8") == 8);
}

TEST_CASE("valhall: rows that are not sound") {
    CHECK_FALSE(op(0x200, Unit::kCvt).sound());                      // the opcode has 9 bits
    CHECK_FALSE(base().is(16, 4, 16).sound());                       // the value does not fit
    CHECK_FALSE(base().is(48, 1, 0).sound());                        // overlaps the opcode
    CHECK_FALSE(base().dest().writes().sound());                     // a register is either read or written
    CHECK_FALSE(base().mods(Mod::kClamp, Mod::kCondition).sound());  // the same bits
    CHECK_FALSE(base().mods(Mod::kRoundMode, Mod::kSaturate).sound());  // likewise
    CHECK_FALSE(
        base().src(kI32).src(kI32).imm(Imm::kOffset, 8, 8).sound());  // an immediate overlaps a source
    CHECK_FALSE(base().src(kF32).src(kF32).src(kF32).mods(Mod::kEq).sound());       // a flag overlaps a sign
    CHECK_FALSE(base().mod_at(Mod::kMemoryAccess, 63, 2).sound());                  // beyond the word
    CHECK_FALSE(base().src(kI32).src(kI32).src(kI32).src(kI32).src(kI32).sound());  // at most four sources
    CHECK_FALSE(base().src(kI64).gap().src(kI32).gap().src(kI32).sound());  // a 64-bit source in 32 bits
    CHECK_FALSE(base().imm(Imm::kTable, 0, 1).imm(Imm::kIndex, 1, 1).imm(Imm::kShift, 2, 1).sound());
}
