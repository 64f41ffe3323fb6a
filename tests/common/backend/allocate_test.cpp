// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Register allocation and spilling, with code of the toy: registers r0..r7; r0..r3 are also the halves
// h0..h7.
#include "drivers/common/backend/allocate_or_spill.h"

#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

struct Allocated {
    int limit = -1;
    std::string text, error;
    uint32_t spilled = 0, end = 0;  // end: of the units that the code touches
};

/// Allocates with only the lowest few registers first, then with all of them.
Allocated allocated(std::string_view text, bool spill = false, unsigned few = 4, unsigned all = 8) {
    Parsed p(text);
    const UnitSet<Toy> limits[] = {(1u << 2 * few) - 1, (1u << 2 * all) - 1};
    Allocated out;
    out.limit = allocate_or_spill<Toy, Toy>(p.f, limits, {.spills = spill, .vendor = "toy"});
    out.text = out.limit < 0 ? "" : p.text();
    out.end = out.limit < 0 ? 0 : units_end(p.f);
    out.error = p.f.error;
    out.spilled = p.f.spilled_words;
    return out;
}

}  // namespace

/// Allocates with as few registers as possible, of the lowest `all`.
Allocated fewest(std::string_view text, unsigned all) {
    Parsed p(text);
    const UnitSet<Toy> limit = (1u << 2 * all) - 1;
    Allocated out;
    out.limit = allocate<Toy>(
        p.f, std::span(&limit, 1), [](uint32_t, const UnitSet<Toy>&, uint32_t) { return false; }, 2);
    out.text = out.limit < 0 ? "" : p.text();
    out.error = p.f.error;
    return out;
}

TEST_CASE("backend allocation: the end of the registers that code touches, and whose error it is") {
    const std::string two = "block0:\n  const %8 #1\n  const %9 #2\n  store <- %8\n  store <- %9\n";
    CHECK(allocated(two).end == 4);
    CHECK(allocated("block0:\n  const %8 #1\n  store <- r6\n  store <- %8\n").end == 14);
    CHECK(allocated("block0:\n").end == 0);
    CHECK(allocated(two, false, 1, 1).error == "toy: the shader needs more registers at once than there are");
}

TEST_CASE("backend allocation: the fewest registers, within a limit") {
    const std::string three =
        "block0:\n  const %8 #1\n  const %9 #2\n  const %10 #3\n  store <- %8\n  store <- %9\n  store <- "
        "%10\n";
    const std::string allocated_three =
        "block0:\n  const r0 #1\n  const r1 #2\n  const r2 #3\n  store <- r0\n  store <- r1\n  store <- r2\n";
    CHECK(fewest(three, 8).text == allocated_three);
    // The limit is the number of registers that the code needs.
    CHECK(fewest(three, 3).text == allocated_three);
    CHECK(fewest(three, 2).limit == -1);
    CHECK(fewest(three, 2).error == "the shader needs more registers at once than there are");
}

TEST_CASE("backend allocation: code with registers stays unchanged") {
    const std::string text = "block0:\n  add r2 <- r0, h5\n  store <- r2\n  mov r1 <- r0\n  store <- r1\n";
    CHECK(allocated(text).text == text);
    CHECK(allocated(text).limit == 0);
}

TEST_CASE("backend allocation: a word gets the lowest register that is free in its live range") {
    CHECK(allocated("block0:\n  const %8 #1\n  const %9 #2\n  add %10 <- %8, %9\n  store <- %10\n").text ==
          "block0:\n  const r0 #1\n  const r1 #2\n  add r0 <- r0, r1\n  store <- r0\n");
    // r0 is an input and is read late. A hole of its live range has room for a word.
    CHECK(allocated("block0:\n  const %8 #1\n  store <- %8\n  store <- r0\n  const %9 #2\n  store <- %9\n")
              .text ==
          "block0:\n  const r1 #1\n  store <- r1\n  store <- r0\n  const r0 #2\n  store <- r0\n");
    // A result that is written while operands are still read needs another register.
    CHECK(allocated("block0:\n  const %8 #1\n  tex %9 <- %8\n  store <- %9\n").text ==
          "block0:\n  const r0 #1\n  tex r1 <- r0\n  store <- r1\n");
}

TEST_CASE("backend allocation: classes alias") {
    // Two halves share r0. A full register does not overlap a live half.
    CHECK(allocated("%8: h x1\n%9: h x1\nblock0:\n  const %8 #1\n  const %9 #2\n  const %10 #3\n"
                    "  add %11 <- %8, %9, %10\n  store <- %11\n")
              .text ==
          "block0:\n  const h0 #1\n  const h1 #2\n  const r1 #3\n  add r0 <- h0, h1, r1\n  store <- r0\n");
    CHECK(allocated("%8: h x1\nblock0:\n  const %8 #1\n  const %9 #3\n  store <- %9\n  store <- %8\n").text ==
          "block0:\n  const h0 #1\n  const r1 #3\n  store <- r1\n  store <- h0\n");
    // Halves use only the lower half of the register file.
    std::string many, text = "block0:\n", stores;
    for (unsigned k = 0; k < 9; k++) {
        const std::string w = "%" + std::to_string(8 + k);
        many += w + ": h x1\n";
        text += "  const " + w + " #1\n";
        stores += "  store <- " + w + "\n";
    }
    CHECK(allocated(many + text + stores).error ==
          "toy: the shader needs more registers at once than there are");
    // A word is not moved to a register that has a live half.
    CHECK(allocated("block0:\n  const %8 #1\n  const h0 #2\n  store <- h0\n  mov r0 <- %8\n  store <- r0\n")
              .text ==
          "block0:\n  const r1 #1\n  const h0 #2\n  store <- h0\n  mov r0 <- r1\n  store <- r0\n");
}

TEST_CASE("backend allocation: runs are consecutive, and moves that gather them vanish") {
    CHECK(allocated("%10: r x2\nblock0:\n  const %8 #1\n  const %9 #2\n  mov %10 <- %8\n  mov %10.1 <- %9\n"
                    "  tex %12 <- %10*2\n  store <- %12\n")
              .text == "block0:\n  const r0 #1\n  const r1 #2\n  tex r2 <- r0*2\n  store <- r2\n");
    // %8 is live after its copy: one move stays.
    CHECK(allocated("%10: r x2\nblock0:\n  const %8 #1\n  const %9 #2\n  mov %10 <- %8\n  mov %10.1 <- %9\n"
                    "  add %8 <- %8\n  tex %12 <- %10*2\n  store <- %12, %8\n")
              .text ==
          "block0:\n  const r0 #1\n  const r2 #2\n  mov r1 <- r0\n  add r0 <- r0\n"
          "  tex r3 <- r1*2\n  store <- r3, r0\n");
    // A copy may be live together with its source if both are written once: they are the same value. The move
    // vanishes.
    CHECK(allocated("%10: r x2\nblock0:\n  const %8 #1\n  mov %10 <- %8\n  const %10.1 #2\n"
                    "  tex %12 <- %10*2\n  store <- %12, %8\n")
              .text == "block0:\n  const r0 #1\n  const r1 #2\n  tex r2 <- r0*2\n  store <- r2, r0\n");
    // A hole of one register is too small for two.
    CHECK(allocated("%8: r x2\nblock0:\n  tex %8*2 <- r1\n  store <- r0\n  store <- %8, %8.1\n").text ==
          "block0:\n  tex r2*2 <- r1\n  store <- r0\n  store <- r2, r3\n");
}

TEST_CASE("backend allocation: loops and calls") {
    CHECK(allocated(
              "block0:\n  const %8 #1\nblock1:\n  add %9 <- %8\n  mov %8 <- %9\n  branch <- r0 -> block1\n"
              "block2:\n  store <- %8\n")
              .text ==
          "block0:\n  const r1 #1\nblock1:\n  add r1 <- r1\n  branch <- r0 -> block1\nblock2:\n"
          "  store <- r1\n");
    CHECK(allocated("block0:\n  const %8 #1\n  call\n  store <- %8\n").text ==
          "block0:\n  const r2 #1\n  call\n  store <- r2\n");
}

TEST_CASE("backend allocation: the first limit that suffices") {
    const char* three = "block0:\n  const %8 #1\n  const %9 #1\n  const %10 #1\n  store <- %8, %9, %10\n";
    CHECK(allocated(three, false, 3).limit == 0);
    CHECK(allocated(three, false, 2).limit == 1);
    CHECK(allocated(three, false, 1, 2).limit == -1);
}

TEST_CASE("backend allocation: a word between free registers moves for the rest of its live range") {
    const std::string four =
        "block0:\n  load %8 <- r7\n  load %9 <- r7\n  load %10 <- r7\n  load %11 <- r7\n  store <- %9, %11\n";
    const std::string placed =
        "block0:\n  load r0 <- r7\n  load r1 <- r7\n  load r2 <- r7\n  load r3 <- r7\n  store <- r1, r3\n";
    CHECK(allocated("%12: r x2\n" + four + "  tex %12*2 <- %8\n  store <- %8, %10, %12*2\n").text ==
          placed + "  mov r3 <- r0\n  tex r0*2 <- r3\n  store <- r3, r2, r0*2\n");
    // The word may be written again at its new register, and stay there through an if and past a loop.
    CHECK(allocated("%12: r x2\n" + four +
                    "  tex %12*2 <- %8\n  add %8 <- %8\n  branch <- r7 -> block2\nblock1:\n"
                    "  store <- %8\n  branch <- r7 -> block1\nblock2:\n  store <- %8, %10, %12*2\n")
              .text ==
          placed +
              "  mov r3 <- r0\n  tex r0*2 <- r3\n  add r3 <- r3\n  branch <- r7 -> block2\nblock1:\n"
              "  store <- r3\n  branch <- r7 -> block1\nblock2:\n  store <- r3, r2, r0*2\n");
    // It does not move if another path joins the rest of its live range: the end of an if, the next iteration
    // of a loop.
    const std::string text = "  tex %12*2 <- %8\n  store <- %8, %12*2\n";
    for (const std::string& after :
         {"  branch <- r7 -> block2\nblock1:\n" + text + "block2:\n  store <- %10, %8\n",
          "block1:\n" + text + "  store <- %10\n  branch <- r7 -> block1\nblock2:\n  store <- %8\n"}) {
        CHECK(allocated("%12: r x2\n" + four + after).limit == 1);
        CHECK(allocated("%12: r x2\n" + four + after).text.find("mov") == std::string::npos);
    }
    // A word that dies in the arm may move.
    CHECK(allocated("%12: r x2\n" + four + "  branch <- r7 -> block2\nblock1:\n" + text +
                    "  store <- %10\nblock2:\n")
              .text.find("block1:\n  mov r3 <- r0\n") != std::string::npos);
}

TEST_CASE("backend allocation: on request no more registers than words are live") {
    Parsed p(
        "%12: r x2\nblock0:\n  load %8 <- r7\n  load %9 <- r7\n  load %10 <- r7\n  load %11 <- r7\n"
        "  store <- %9, %11\n  tex %12*2 <- %8\n  store <- %8, %10, %12*2\n");
    const UnitSet<Toy> limit = 0x3fff;  // r7 is an input
    constexpr uint32_t kPair = 4;       // units of two registers
    CHECK(allocate<Toy>(
              p.f, std::span(&limit, 1), [](auto&&...) { return false; }, kPair) == 0);
    CHECK(p.text().find("r4") == std::string::npos);
    CHECK(p.text().find("  mov r3 <- r0\n  tex r0*2 <- r3\n") != std::string::npos);
}

TEST_CASE("backend spilling: words that fit are not spilled") {
    const char* text = "block0:\n  load %8 <- r0\n  load %9 <- r0\n  store <- %8, %9\n";
    CHECK(allocated(text, true, 2, 2).spilled == 0);
    CHECK(allocated(text, true, 2, 2).text == allocated(text).text);
}

TEST_CASE("backend spilling: the longest live range is spilled") {
    const Allocated a = allocated(
        "block0:\n  load %8 <- r0\n  load %9 <- r0\n  load %10 <- r0\n"
        "  store <- %9, %10\n  store <- %10, %9\n  store <- %8\n",
        true, 2, 2);
    CHECK(a.error == "");
    CHECK(a.text ==
          "block0:\n  load r1 <- r0\n  spill <- r1 #1\n  load r1 <- r0\n  load r0 <- r0\n"
          "  store <- r1, r0\n  store <- r0, r1\n  reload r0 #1\n  store <- r0\n");
    CHECK(a.spilled == 1);
}

TEST_CASE("backend spilling: constants are created again where they are read") {
    const Allocated a = allocated(
        "block0:\n  const %8 #7\n  load %9 <- r0\n  load %10 <- r0\n"
        "  store <- %9, %10\n  store <- %10, %9\n  store <- %8\n",
        true, 2, 2);
    CHECK(a.text ==
          "block0:\n  load r1 <- r0\n  load r0 <- r0\n  store <- r1, r0\n  store <- r0, r1\n"
          "  const r0 #7\n  store <- r0\n");
    CHECK(a.spilled == 0);
}

TEST_CASE("backend spilling: code that cannot fit is an error, not an endless loop") {
    CHECK(allocated("block0:\n  load %8 <- r0\n  load %9 <- r0\n  load %10 <- r0\n  store <- %8, %9, %10\n",
                    true, 2, 2)
              .error == "toy: the shader needs more registers at once than there are");
}

TEST_CASE("backend allocation: registers are used in turn if there are enough") {
    const auto in_turn = [](std::string_view text) {
        Parsed p(text);
        const UnitSet<Toy> all = 0xffff;
        CHECK(allocate<Toy>(
                  p.f, std::span(&all, 1), [](uint32_t, const UnitSet<Toy>&, uint32_t) { return false; },
                  4) == 0);
        return p.text();
    };
    // Three registers are live at once. They need two pairs, and all registers of these are used.
    CHECK(in_turn("block0:\n  const %8 #1\n  const %9 #2\n  const %10 #3\n  store <- %8\n  store <- %9, %10\n"
                  "  const %11 #4\n  store <- %11\n  const %12 #5\n  store <- %12\n") ==
          "block0:\n  const r0 #1\n  const r1 #2\n  const r2 #3\n  store <- r0\n  store <- r1, r2\n"
          "  const r3 #4\n  store <- r3\n  const r0 #5\n  store <- r0\n");
    // One register is live at a time.
    CHECK(in_turn("block0:\n  const %8 #1\n  store <- %8\n  const %9 #2\n  store <- %9\n  const %10 #3\n"
                  "  store <- %10\n") ==
          "block0:\n  const r0 #1\n  store <- r0\n  const r1 #2\n  store <- r1\n  const r0 #3\n"
          "  store <- r0\n");
}
