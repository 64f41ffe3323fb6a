// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Liveness and removal of dead code, with code of the toy.
#include "drivers/common/backend/liveness.h"

#include "drivers/common/backend/last_use.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

std::string without_dead(std::string_view text) {
    Parsed p(text);
    remove_dead(p.f);
    return p.text();
}

std::vector<Range> ranges_of(std::string_view text, unsigned word) {
    const Parsed p(text);
    const auto all = live_ranges(p.f);
    return {all[Word(word)].begin(), all[Word(word)].end()};
}

}  // namespace

TEST_CASE("backend dead code: words that are read, effects and registers stay") {
    for (const char* text : {
             "block0:\n  const %8 #1\n  store <- %8\n",
             "block0:\n  const r2 #1\n",
             "block0:\n  fence\n",
             // Read in the next iteration of the loop.
             "block0:\n  const %8 #1\nblock1:\n  store <- %8\n  const %8 #2\n  branch <- r0 -> "
             "block1\nblock2:\n",
         })
        CHECK(without_dead(text) == text);
}

TEST_CASE("backend dead code: operands of dead code are removed, too, across blocks") {
    CHECK(without_dead("block0:\n  const %8 #1\n  add %9 <- %8\n  branch <- r0 -> block2\nblock1:\n"
                       "  add %10 <- %9\n  add %11 <- %10\nblock2:\n  const %8 #3\n  store <- %8\n") ==
          "block0:\n  branch <- r0 -> block2\nblock1:\nblock2:\n  const %8 #3\n  store <- %8\n");
    // A loop updates a word that no other code reads.
    CHECK(without_dead(
              "block0:\n  const %8 #1\nblock1:\n  add %8 <- %8\n  branch <- r0 -> block1\nblock2:\n") ==
          "block0:\nblock1:\n  branch <- r0 -> block1\nblock2:\n");
}

TEST_CASE("backend dead code: a value is removed if it is overwritten on all paths, not if on some") {
    const char* on_some =
        "block0:\n  const %8 #1\n  branch <- r0 -> block2\nblock1:\n  const %8 #2\nblock2:\n  store <- %8\n";
    CHECK(without_dead(on_some) == on_some);
    CHECK(without_dead("block0:\n  const %8 #1\n  branch <- r0 -> block2\nblock1:\n  const %8 #2\n"
                       "  jump -> block3\nblock2:\n  const %8 #3\nblock3:\n  store <- %8\n") ==
          "block0:\n  branch <- r0 -> block2\nblock1:\n  const %8 #2\n  jump -> block3\nblock2:\n"
          "  const %8 #3\nblock3:\n  store <- %8\n");
    // %9 is read by dead code, and by a block that does not follow it: it stays.
    const char* other_way =
        "block0:\n  const %9 #1\n  branch <- r0 -> block2\nblock1:\n  add %8 <- %9\n  const %8 #2\n"
        "  store <- %8\n  jump -> block3\nblock2:\n  store <- %9\nblock3:\n";
    CHECK(without_dead(other_way) ==
          "block0:\n  const %9 #1\n  branch <- r0 -> block2\nblock1:\n  const %8 #2\n"
          "  store <- %8\n  jump -> block3\nblock2:\n  store <- %9\nblock3:\n");
}

TEST_CASE("backend liveness: ranges have holes, and early writes begin them earlier") {
    using V = std::vector<Range>;
    const char* holes = "block0:\n  const %8 #1\n  store <- %8\n  fence\n  const %8 #2\n  store <- %8\n";
    CHECK(ranges_of(holes, 8) == V{{1, 3}, {7, 9}});
    CHECK(ranges_of("block0:\n  const %8 #1\n", 8) == V{{1, 2}});
    CHECK(ranges_of("block0:\n  add %8 <- r0\n  store <- %8\n", 8) == V{{1, 3}});
    CHECK(ranges_of("block0:\n  tex %8 <- r0\n  store <- %8\n", 8) == V{{0, 3}});
    CHECK(ranges_of("block0:\n  add %8 <- r0\n  store <- %8\n", 0) == V{{0, 1}});
    // It is live from the first block on, because the loop reads it in each iteration. A call overwrites r1.
    const char* loop =
        "block0:\n  const %8 #1\nblock1:\n  store <- %8\n  call\n  branch <- r2 -> block1\nblock2:\n";
    CHECK(ranges_of(loop, 8) == V{{1, 8}});
    CHECK(ranges_of(loop, 1) == V{{5, 6}});
}

TEST_CASE("backend last use: a register is dead after its last read, through loops and aliases") {
    Parsed p(
        "block0:\n  add r1 <- r0\n  widen r0 <- h2\nblock1:\n  add r3 <- r0\n  branch <- r2 -> "
        "block1\nblock2:\n");
    for (const Word w : p.f.all_words())
        p.f.reg.push_back(p.f.fixed_unit(w));
    std::string live;
    for_each_use(p.f, UnitSet<Toy>(0x40), [&](const ToyInst& i, const UnitSet<Toy>& after) {
        live += std::string(i.op->name) + " " + std::to_string(after.to_ulong()) + "\n";
    });
    // h2 is r1's lower half, which widen reads last. r0 and r2 are read in each iteration. The lower half of
    // r3 (units 6 and 7) is live at the end.
    CHECK(live == "widen 48\nadd 48\nbranch 115\nadd 51\n");
}
