// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rematerialization of code for the toy target.
#include "drivers/common/backend/rematerialize.h"

#include "drivers/common/backend/liveness.h"
#include "drivers/common/backend/validate.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

std::string rematerialized(std::string_view text, uint32_t added) {
    Parsed p(text);
    CHECK(rematerialize<Toy>(p.f, 4) == added);
    p.f.link();
    CHECK(validate(p.f) == "");
    remove_dead(p.f);
    return p.text();
}

}  // namespace

TEST_CASE("backend rematerialization: code that must stay unchanged") {
    const std::string next = "block1:\n  store <- %9, %10, %11\n";
    for (const std::string& text : {
             // Three values of one word.
             "block0:\n  load %8 <- r0\n  add %9 <- %8 #1\n  add %10 <- %8 #2\n  add %11 <- %8 #3\n" + next,
             // A register may change, and so may a word that is written twice.
             "block0:\n  add %9 <- r0 #1\n  add %10 <- r0 #2\n  add %11 <- r0 #3\n  add %8 <- r0 #4\n" +
                 next + "  store <- %8\n",
             "block0:\n  load %8 <- r0\n  store <- %8\n  load %8 <- r1\n  add %9 <- %8 #1\n  add %10 <- %8 "
             "#2\n"
             "  add %11 <- %8 #3\n  add %12 <- %8 #4\n" +
                 next + "  store <- %12\n",
             // Textures take long, loads read memory that may change, sums read two words.
             "block0:\n  load %8 <- r0\n  tex %9 <- %8 #1\n  tex %10 <- %8 #2\n  tex %11 <- %8 #3\n"
             "  tex %12 <- %8 #4\n" +
                 next + "  store <- %12\n",
             "block0:\n  load %8 <- r0\n  load %9 <- %8\n  load %10 <- %8\n  load %11 <- %8\n  load %12 <- "
             "%8\n" +
                 next + "  store <- %12\n",
             "block0:\n  load %8 <- r0\n  add %9 <- %8, %8\n  add %10 <- %8, r0\n  add %11 <- %8, r1\n"
             "  add %12 <- %8, r2\n" +
                 next + "  store <- %12\n",
         })
        CHECK(rematerialized(text, 0) == text);
}

TEST_CASE("backend rematerialization: values are computed again in other blocks") {
    const std::string values =
        "  add %9 <- %8 #1\n  add %10 <- %8 #2\n  add %11 <- %8 #3\n  add %12 <- %8 #4\n";
    CHECK(rematerialized("block0:\n  load %8 <- r0\n" + values +
                             "  store <- %9\nblock1:\n  store <- %10, %11, %12\n  store <- %10, %9\n",
                         4) ==
          "block0:\n  load %8 <- r0\n  add %9 <- %8 #1\n  store <- %9\nblock1:\n  add %13 <- %8 #2\n"
          "  add %14 <- %8 #3\n  add %15 <- %8 #4\n  store <- %13, %14, %15\n  add %16 <- %8 #1\n"
          "  store <- %13, %16\n");
}

TEST_CASE("backend rematerialization: values are computed again far from the last time") {
    const std::string load = "block0:\n  load %8 <- r0\n", first = "  add %9 <- %8 #1\n",
                      others = "  add %10 <- %8 #2\n  add %11 <- %8 #3\n  add %12 <- %8 #4\n",
                      store = "  store <- r0\n", last = "  store <- %9\n";
    std::string between = "  store <- %10, %11, %12\n";
    for (int k = 0; k < 11; k++)
        between += store;
    const std::string near = load + first + others + between + last;
    CHECK(rematerialized(near, 0) == near);
    // Now the first value was computed 17 instructions before.
    CHECK(rematerialized(load + first + others + between + store + last, 1) ==
          load + others + between + store + "  add %13 <- %8 #1\n  store <- %13\n");
}
