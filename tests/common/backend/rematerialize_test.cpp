// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rematerialization of code for the toy target.
#include "drivers/common/backend/rematerialize.h"

#include "drivers/common/backend/allocate.h"
#include "drivers/common/backend/validate.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

constexpr uint32_t kAny = 1000;

/// `room` and `most`: registers r.
std::string rematerialized(std::string_view text, uint32_t room, uint32_t added, uint32_t most = kAny) {
    Parsed p(text);
    CHECK(rematerialize<Toy>(p.f, UnitSet<Toy>().set(), 2 * room, 2 * most) == added);
    p.f.link();
    CHECK(validate(p.f) == "");
    remove_dead(p.f);
    return p.text();
}
/// The live registers r in the order of the text.
uint32_t live(std::string_view text) {
    Parsed p(text);
    return (Allocator<Toy>(p.f).most_live(UnitSet<Toy>().set()) + 1) / 2;
}

const std::string kLoad = "block0:\n  load %8 <- r0\n",
                  kFour = "  add %9 <- %8 #1\n  add %10 <- %8 #2\n  add %11 <- %8 #3\n  add %12 <- %8 #4\n";

}  // namespace

TEST_CASE("backend rematerialization: code that must stay unchanged") {
    const std::string next = "block1:\n  store <- %9, %10, %11\n  store <- %12\n";
    for (const std::string& text : {
             // A register may change, and so may a word that is written twice.
             "block0:\n  add %9 <- r0 #1\n  add %10 <- r0 #2\n  add %11 <- r0 #3\n  add %12 <- r0 #4\n" +
                 next,
             kLoad + "  store <- %8\n  load %8 <- r1\n" + kFour + next,
             // Textures take long, loads read memory that may change, moves are coalesced.
             kLoad + "  tex %9 <- %8 #1\n  tex %10 <- %8 #2\n  tex %11 <- %8 #3\n  tex %12 <- %8 #4\n" + next,
             kLoad + "  load %9 <- %8\n  load %10 <- %8\n  load %11 <- %8\n  load %12 <- %8\n" + next,
             kLoad + "  mov %9 <- %8\n  mov %10 <- %8\n  mov %11 <- %8\n  mov %12 <- %8\n" + next,
             // Two values of a word that would have to live longer.
             kLoad + "  add %9 <- %8 #1\n  add %10 <- %8 #2\n  load %11 <- r0\n  load %12 <- r0\n" + next,
             // Both operands would have to live longer.
             kLoad +
                 "  load %13 <- r0\n  add %9 <- %8, %13\n  add %10 <- %13, %8 #2\n  add %11 <- %13, %8 #3\n"
                 "  add %12 <- %13, %8 #4\n" +
                 next,
         })
        CHECK(rematerialized(text, 1, 0) == text);
}

TEST_CASE("backend rematerialization: only where too many units live, and only as much as needed") {
    const std::string rest = "block1:\n  store <- %12\n  store <- %11\n  store <- %10\n",
                      text = kLoad + kFour + rest + "  store <- %9\n  store <- %8\n";
    CHECK(live(text) == 5);
    CHECK(rematerialized(text, 5, 0) == text);
    // The operand lives there anyway. The value that lives longest is computed again.
    const std::string four = rematerialized(text, 4, 1);
    CHECK(four == kLoad + "  add %10 <- %8 #2\n  add %11 <- %8 #3\n  add %12 <- %8 #4\n" + rest +
                      "  add %13 <- %8 #1\n  store <- %13\n  store <- %8\n");
    CHECK(live(four) == 4);
    // One register is too few: nothing is changed.
    CHECK(rematerialized(text, 1, 0, 1) == text);
}

TEST_CASE("backend rematerialization: a word lives longer for several values") {
    const std::string text =
                          kLoad + kFour +
                          "  load %16 <- r0\n  store <- %16\nblock1:\n  store <- %9\n  store <- %10\n  store "
                          "<- %11\n  store <- %12\n",
                      less = rematerialized(text, 3, 3);
    CHECK(live(text) == 5);
    CHECK(live(less) <= 4);
    // The first three values are computed again.
    CHECK(less.find("store <- %16\nblock1:\n  add") != std::string::npos);
}

TEST_CASE("backend rematerialization: reads near each other share a computation") {
    std::string between;
    for (int k = 0; k < 8; k++)
        between += "  store <- r0\n";
    const std::string wide = "  load %16 <- r0\n  load %17 <- r0\n  store <- %16, %17\n",
                      text = kLoad + "  add %9 <- %8 #1\n" + between + wide +
                             "  store <- %9\n  store <- %9\n" + between + "  store <- %9\n  store <- %8\n";
    CHECK(live(text) == 5);
    const std::string less = rematerialized(text, 4, 2);
    CHECK(less.find("add %18 <- %8 #1\n  store <- %18\n  store <- %18\n  store <- r0\n") !=
          std::string::npos);
    CHECK(less.find("add %19 <- %8 #1\n  store <- %19\n") != std::string::npos);
}
