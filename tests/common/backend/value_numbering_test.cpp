// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copy propagation, value numbering and dominance, with code of the toy. The toy shares constants over three
// instructions.
#include "drivers/common/backend/value_numbering.h"

#include "drivers/common/backend/liveness.h"
#include "drivers/common/backend/validate.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

std::string numbered(std::string_view text, Share share = Share::Yes) {
    Parsed p(text);
    number_values<Toy>(p.f, share);
    p.f.link();
    CHECK(validate(p.f) == "");
    remove_dead(p.f);
    return p.text();
}

}  // namespace

TEST_CASE("backend value numbering: code that must stay unchanged") {
    for (const char* text : {
             // Different operands and operations.
             "block0:\n  load %8 <- r0\n  add %9 <- %8, r0\n  add %10 <- %8, %8\n  widen %11 <- %8\n"
             "  store <- %9, %10, %11\n",
             // Registers may change later, and so may words that are written twice.
             "block0:\n  add %8 <- r1\n  const r1 #2\n  add %9 <- r1\n  store <- %8, %9\n",
             "block0:\n  const %8 #1\n  add %9 <- %8\n  add %8 <- %9\n  add %10 <- %8\n  store <- %9, %10\n",
             // A load reads memory that may have changed.
             "block0:\n  load %8 <- r0\n  store <- %8\n  load %9 <- r0\n  store <- %9\n",
             // Results of different sizes: two registers and one; a half and a full register.
             "%9: r x2\nblock0:\n  load %8 <- r0\n  tex %9*2 <- %8\n  tex %11 <- %8\n"
             "  store <- %9*2, %11\n",
             "%9: h x1\nblock0:\n  load %8 <- r0\n  add %9 <- %8\n  add %10 <- %8\n  store <- %9, %10\n",
             // Constants in a run stay in their places. Other constants are created again after some
             // instructions.
             "%8: r x2\nblock0:\n  const %8 #1\n  const %8.1 #1\n  store <- %8*2\n",
             "block0:\n  const %8 #1\n  store <- %8\n  store <- %8\n  store <- %8\n  const %9 #1\n"
             "  store <- %9\n",
             // An arm of an if is not on every path to the code after it.
             "block0:\n  load %8 <- r0\n  branch <- r0 -> block2\nblock1:\n  add %9 <- %8\n  store <- %9\n"
             "block2:\n  add %10 <- %8\n  store <- %10\n",
         })
        CHECK(numbered(text) == text);
}

TEST_CASE("backend value numbering: an expression is computed once if it is available on every path") {
    CHECK(numbered(
              "block0:\n  load %8 <- r0\n  add %9 <- %8\n  add %10 <- %8\n  add %11 <- %9\n  add %12 <- %10\n"
              "  store <- %11, %12\n") ==
          "block0:\n  load %8 <- r0\n  add %9 <- %8\n  add %11 <- %9\n  store <- %11, %11\n");
    // Both arms can use what was computed before them. The code after them cannot use the results of one arm.
    CHECK(numbered(
              "block0:\n  load %8 <- r0\n  add %9 <- %8\n  branch <- r0 -> block2\nblock1:\n  add %10 <- %8\n"
              "  widen %11 <- %8\n  store <- %10, %11\nblock2:\n  add %12 <- %8\n  widen %13 <- %8\n"
              "  store <- %9, %12, %13\n") ==
          "block0:\n  load %8 <- r0\n  add %9 <- %8\n  branch <- r0 -> block2\nblock1:\n  widen %11 <- %8\n"
          "  store <- %9, %11\nblock2:\n  widen %13 <- %8\n  store <- %9, %9, %13\n");
    // A loop can use what was computed before it.
    CHECK(numbered("block0:\n  load %8 <- r0\n  add %9 <- %8\nblock1:\n  add %10 <- %8\n  store <- %10\n"
                   "  branch <- r0 -> block1\nblock2:\n  store <- %9\n") ==
          "block0:\n  load %8 <- r0\n  add %9 <- %8\nblock1:\n  store <- %9\n  branch <- r0 -> block1\n"
          "block2:\n  store <- %9\n");
    // A run is equal only as a whole.
    CHECK(numbered("%9: r x2\n%11: r x2\nblock0:\n  load %8 <- r0\n  tex %9*2 <- %8\n  tex %11*2 <- %8\n"
                   "  store <- %9*2, %11*2, %11.1\n") ==
          "%9: r x2\nblock0:\n  load %8 <- r0\n  tex %9*2 <- %8\n  store <- %9*2, %9*2, %9.1\n");
}

TEST_CASE("backend value numbering: constants are shared for a few instructions, or not at all") {
    const char* text = "block0:\n  const %8 #1\n  store <- %8\n  const %9 #1\n  store <- %9\n";
    CHECK(numbered(text) == "block0:\n  const %8 #1\n  store <- %8\n  store <- %8\n");
    CHECK(numbered(text, Share::No) == text);
}

TEST_CASE("backend copy propagation: reads of a copy become reads of its source") {
    CHECK(numbered("block0:\n  load %8 <- r0\n  mov %9 <- %8\n  mov %10 <- %9\n  add %11 <- %10\n"
                   "  store <- %11, %9\n") ==
          "block0:\n  load %8 <- r0\n  add %11 <- %8\n  store <- %11, %8\n");
    // A run is read in place; only reads of its single words become reads of their sources.
    CHECK(numbered("%9: r x2\nblock0:\n  load %8 <- r0\n  mov %9 <- %8\n  mov %9.1 <- %8\n  store <- %9*2\n"
                   "  store <- %9.1\n") ==
          "%9: r x2\nblock0:\n  load %8 <- r0\n  mov %9 <- %8\n  mov %9.1 <- %8\n  store <- %9*2\n"
          "  store <- %8\n");
    for (const char* text : {
             "block0:\n  mov %8 <- r1\n  const r1 #1\n  store <- %8, r1\n",
             "block0:\n  const %8 #1\n  mov %9 <- %8\n  add %8 <- %8\n  store <- %9, %8\n",
             "%9: h x1\nblock0:\n  load %8 <- r0\n  mov %9 <- %8\n  store <- %9\n",
         })
        CHECK(numbered(text) == text);
}

TEST_CASE("backend dominance: branches that fall through, loops, and blocks in any order") {
    // 0 -> 1, 3; 1 -> 2, 4; 2 -> 3; 3 -> 1 (back), 4.
    const Parsed p(
        "block0:\n  branch <- r0 -> block3\nblock1:\n  branch <- r0 -> block4\nblock2:\nblock3:\n"
        "  branch <- r0 -> block0\nblock4:\n  store <- r0\n");
    const Dominance d(p.f);
    const char* const kExpected[] = {"11111", "01100", "00100", "00010", "00001"};
    for (size_t a = 0; a < 5; a++)
        for (size_t b = 0; b < 5; b++) {
            CAPTURE(a);
            CAPTURE(b);
            CHECK(d.dominates(a, b) == (kExpected[a][b] == '1'));
        }
    // A loop with two entries: dominance is unknown.
    const Parsed q(
        "block0:\n  branch <- r0 -> block2\nblock1:\n  store <- r0\nblock2:\n  branch <- r0 -> block1\n"
        "block3:\n  store <- r0\n");
    const Dominance none(q.f);
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            CHECK(none.dominates(a, b) == (a == b));
}
