// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The printed form. Printed code parses to the same code; invalid code is refused with its line.
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

TEST_CASE("backend text: printing restores the parsed text") {
    const std::string text =
        "%9: r x2\n%11: h x1\n%12: h x4 temporary\n"
        "block0:\n  add %8 <- r3, h2\n  tex %9*2 <- %8\n  branch <- %9.1 -> block2\n"
        "block1:\n  const %11 #7\n  tex %12*4 <- %11\n  store <- %12.3\n"
        "block2:\n  fence\n";
    const Parsed p(text);
    CHECK(p.text() == text);
    CHECK(p.f.blocks[0].next[0] == 1);
    CHECK(p.f.blocks[0].next[1] == 2);
    CHECK(p.f.blocks[1].next[0] == 2);
    CHECK(p.f.blocks[2].next[0] == -1);
    CHECK(p.f.blocks[2].entries == 2);
    CHECK(p.f.node(Word(12)).temporary);
    CHECK(p.f.width(Word(11)) == 1);
    CHECK(p.f.width(Word(8)) == 2);
}

TEST_CASE("backend text: invalid code is refused with its line") {
    const struct {
        const char *text, *why;
    } cases[] = {
        {"add %8 <- r1\n", "line 1: an instruction before block0"},
        {"block0:\n\n  ad %8 <- r1\n", "line 3: no operation"},
        {"block0:\n  add %8 <- r8\n", "line 2: no word"},
        {"block0:\n  add %8 <- %8.1\n", "line 2: no word"},
        {"block0:\n  add %8 <- %70000\n", "line 2: no word"},
        {"block0:\n  add %8 <- %3\n", "line 2: no word"},
        {"block0:\n  add %8*2 <- r1\n", "line 2: a word that is not there"},
        {"block0:\n  add %8 <- r1*4294967295\n", "line 2: a word that is not there"},
        {"block0:\n  jump\n", "line 2: too much or too little"},
        {"block0:\n  jump -> block1\n", "a branch to a block that is not there"},
        {"block1:\n", "line 1: an instruction before block0"},
        {"%8: r x0\n", "line 1: no node, or not in the order of numbers"},
        {"%8: q x1\n", "line 1: no node, or not in the order of numbers"},
        {"%9: r x2\n%8: h x1\n", "line 2: no node, or not in the order of numbers"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.text);
        std::pmr::monotonic_buffer_resource arena;
        ToyCode f(&arena);
        std::string why;
        CHECK_FALSE(parse<Toy>(c.text, &f, &why));
        CHECK(why == c.why);
    }
}
