// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Programs: lengths, jumps, the end.
#include <doctest/doctest.h>

#include <string>

#include "drivers/agx/isa/isa.h"

using namespace terrazzo::agx::isa;

namespace {

std::vector<Unit> assembled(std::string_view text) {
    std::vector<Unit> units;
    Error error;
    const bool good = assemble(text, &units, &error);
    CHECK_MESSAGE(good, error.reason);
    return units;
}

std::string problem(std::span<const Unit> units) {
    Error error;
    return validate_program(units, &error) ? "" : error.reason;
}

}  // namespace

TEST_CASE("agx: a program with a loop") {
    // Sums numbers below r1; as Mesa 25.0.7 compiles a loop with a break.
    constexpr std::string_view kText =
        "mov_imm32 r2, 0x0\n"
        "mov_imm16 r0l, 0\n"
        "if_fcmp.eq r0l, 0.0, 0.0, 2\n"
        "while_icmp.ult r0l, r2, r1, 2\n"
        "jmp_exec_none pc+20\n"
        "iadd r2, r2, 1\n"
        "jmp_exec_any pc-20\n"
        "pop_exec r0l, 2\n"
        "device_store.i32.x r2, u0_u1, 0\n"
        "stop\n";
    const std::vector<Unit> units = assembled(kText);
    CHECK(units.size() * 2 == 6 + 4 + 6 + 6 + 6 + 8 + 6 + 6 + 8 + 2);
    CHECK(disassemble(units) == kText);
    CHECK(problem(units) == "");
}

TEST_CASE("agx: programs that are refused, and why") {
    CHECK(problem({}) == "byte 0: the program does not end here with stop, trap or ret");
    CHECK(problem(assembled("stop\nwait 0")) ==
          "byte 4: the program does not end here with stop, trap or ret");
    CHECK(problem(assembled("jmp_exec_any pc+8\nstop")) ==
          "byte 0: no instruction starts at the target, byte 8");
    CHECK(problem(assembled("jmp_exec_any pc+2\nstop")) ==
          "byte 0: no instruction starts at the target, byte 2");
    CHECK(problem(assembled("jmp_exec_any pc+7\nstop")) ==
          "byte 0: no instruction starts at the target, byte 7");
    CHECK(problem(assembled("wait 0\njmp_exec_none pc-4\nstop")) ==
          "byte 2: no instruction starts at the target, byte -2");
    CHECK(problem(assembled("jmp_exec_any pc+6\nstop")) == "");
    std::vector<Unit> cut = assembled("iadd r0, r1, r2");
    cut.pop_back();
    CHECK(problem(cut) == "byte 0: the program ends within iadd");
    CHECK(problem(std::vector<Unit>{0x4a6e, 0x0088}) == "byte 0: no instruction starts with 4a6e");
    CHECK(problem(assembled("ret r1")) == "");
}
