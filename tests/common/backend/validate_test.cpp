// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The validator. Correct code passes, before and after allocation; each broken rule is found and named.
#include "drivers/common/backend/validate.h"

#include <random>

#include "drivers/common/backend/allocate.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/common/backend/spill.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

std::string broken(std::string_view text) {
    return validate<Toy>(Parsed(text).f);
}

/// `reg`: the registers of the words from %8 on, as numbers in their class.
std::string broken_registers(std::string_view text, std::initializer_list<unsigned> reg) {
    Parsed p(text);
    for (const Word w : p.f.all_words()) {
        const uint32_t n = w - Word(8);
        const uint32_t number = p.f.is_fixed(w) || n >= reg.size() ? 0 : reg.begin()[n];
        p.f.reg.push_back(p.f.is_fixed(w) ? p.f.fixed_unit(w) : Unit(number * p.f.width(w)));
    }
    return validate<Toy>(p.f);
}

}  // namespace

TEST_CASE("backend validator: correct code") {
    for (const char* text : {
             "block0:\n  add %8 <- r0\n  branch <- %8 -> block2\nblock1:\n  mov %8 <- r1\nblock2:\n  store "
             "<- %8\n",
             "block0:\n  const %8 #1\nblock1:\n  store <- %8\n  add %8 <- %8\n  branch <- r0 -> "
             "block1\nblock2:\n",
             // An unreachable block may read anything.
             "block0:\n  jump -> block2\nblock1:\n  store <- %8\nblock2:\n  fence\n",
         })
        CHECK(broken(text) == "");
    CHECK(broken_registers(
              "%8: r x2\n%10: h x1\nblock0:\n  tex %8*2 <- r0\n  const %10 #1\n  store <- %8, %8.1, %10\n",
              {1, 2, 0}) == "");
}

TEST_CASE("backend validator: code before allocation") {
    CHECK(broken("block0:\n  store <- %8\n") == "block0, instruction 0, store: %8 was not written");
    // Written on only one path.
    CHECK(broken("block0:\n  branch <- r0 -> block2\nblock1:\n  mov %8 <- r1\nblock2:\n  store <- %8\n") ==
          "block2, instruction 0, store: %8 was not written");
    CHECK(broken("block0:\n  call\n  store <- r1\n") == "block0, instruction 1, store: r1 was not written");
    CHECK(broken("block0:\n  jump -> block1\n  fence\nblock1:\n") ==
          "block0, instruction 0, jump: a branch before the block's end");
    CHECK(broken("block0:\n  const %8 #1\n  tex %9 <- %8*2\n") ==
          "block0, instruction 1, tex: %9 is not adjacent to %8");
    Parsed p("block0:\n  jump -> block0\n");
    p.f.blocks[0].insts[0].target = 1;
    CHECK(validate<Toy>(p.f) == "block0, instruction 0, jump: a branch to no block");
}

TEST_CASE("backend validator: registers") {
    const char* two = "block0:\n  const %8 #1\n  const %9 #2\n  store <- %8\n";
    CHECK(broken_registers(two, {1, 2}) == "");
    CHECK(broken_registers(two, {1, 1}) ==
          "block0, instruction 2, store: r1 (%8) does not hold what is read");
    CHECK(broken_registers(two, {8, 1}) == "%8 has no register of its class");
    // A half of it is overwritten: h3 is r1's upper half.
    const char* half = "%9: h x1\nblock0:\n  const %8 #1\n  const %9 #2\n  store <- %8\n";
    CHECK(broken_registers(half, {1, 1}) == "");
    CHECK(broken_registers(half, {1, 3}) ==
          "block0, instruction 2, store: r1 (%8) does not hold what is read");
    CHECK(broken_registers("block0:\n  const %8 #1\n  call\n  store <- %8\n", {1}) ==
          "block0, instruction 2, store: r1 (%8) does not hold what is read");
    const char* early = "%9: r x2\nblock0:\n  const %8 #1\n  tex %9*2 <- %8\n  store <- %9\n";
    CHECK(broken_registers(early, {0, 1, 2}) == "");
    CHECK(broken_registers(early, {0, 0, 1}) ==
          "block0, instruction 1, tex: r0 (%9) is written while r0 (%8) is read");
    CHECK(broken_registers(early, {0, 1, 3}) ==
          "block0, instruction 1, tex: r3 (%10) is not adjacent to r1 (%9)");
    // Correct only in the first iteration of the loop.
    CHECK(broken_registers(
              "block0:\n  const %8 #1\nblock1:\n  store <- %8\n  const %9 #2\n  branch <- r0 -> block1\n"
              "block2:\n",
              {1, 1}) == "block1, instruction 0, store: r1 (%8) does not hold what is read");
}

TEST_CASE("backend validator: the pass is named") {
    Parsed p("block0:\n  store <- %8\n");
    validate_after(p.f, "dreaming");
    CHECK(p.f.error == "after dreaming: block0, instruction 0, store: %8 was not written");
}

TEST_CASE("backend: random code stays valid through all passes; with swapped registers it is invalid") {
    unsigned spilled = 0, clashes = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        std::mt19937 random(seed);
        const auto below = [&](unsigned n) { return unsigned(random() % n); };
        // An if and a loop. Words are written in the entry block before their first use.
        const unsigned words = 4 + below(14);
        std::string nodes, text;
        std::vector<std::string> names;
        for (unsigned k = 0, at = 8; k < words; k++) {
            const bool half = below(3) == 0;
            const unsigned count = below(4) ? 1 : 2;
            const std::string name = "%" + std::to_string(at);
            nodes += name + ": " + (half ? "h" : "r") + " x" + std::to_string(count) + "\n";
            text += "  load " + name + " <- r7\n";
            names.push_back(name);
            for (unsigned c = 1; c < count; c++) {
                names.push_back(name + "." + std::to_string(c));
                text += "  const " + names.back() + " #3\n";
            }
            at += count;
        }
        const auto any = [&] { return names[below(unsigned(names.size()))]; };
        const auto some = [&] {
            for (unsigned k = below(8); k-- > 0;) {
                static constexpr const char* kOps[] = {"add", "tex", "mov", "widen"};
                const char* op = kOps[below(4)];
                const std::string to = any(), from = any();
                text += std::string("  ") + (op == kOps[2] ? "widen" : op) + " " + to + " <- " + from + "\n";
            }
            text += "  store <- " + any() + ", " + any() + "\n";
        };
        text = nodes + "block0:\n" + text;
        some();
        text += "  branch <- " + any() + " -> block2\nblock1:\n";
        some();
        text += "block2:\n";
        some();
        text += "  branch <- " + any() + " -> block2\nblock3:\n";
        some();
        CAPTURE(text);
        Parsed p(text);
        REQUIRE(validate<Toy>(p.f) == "");
        remove_dead(p.f);
        CHECK(validate<Toy>(p.f) == "");
        schedule<Toy>(p.f, {12, 12});
        CHECK(validate<Toy>(p.f) == "");
        const UnitSet<Toy> limits[] = {0xffff};
        const int limit =
            allocate<Toy>(p.f, limits, [&](uint32_t place, const UnitSet<Toy>& limit, uint32_t room) {
                return spill<Toy>(p.f, place, limit, room);
            });
        spilled += p.f.spilled_words > 0;
        if (limit < 0) continue;
        CHECK(validate<Toy>(p.f) == "");
        schedule<Toy>(p.f, {0, 0});
        CHECK(validate<Toy>(p.f) == "");
        // A word gets another register. That is an error if another word is live there at the same time.
        p.f.link();
        const auto live = live_ranges(p.f);
        for (const Word w : Words(Word(8), p.f.words() - 8)) {
            const auto good = p.f.reg[w];
            const uint32_t width = p.f.width(w);
            p.f.reg[w] = Unit(below(width == 1 ? 8 : 16) / width * width);
            bool clash = false;
            for (const Word o : p.f.all_words())
                clash |= o != w && p.f.reg[o] < p.f.reg[w] + width &&
                         p.f.reg[w] < p.f.reg[o] + p.f.width(o) && overlap(live[w], live[o]);
            CHECK(clash == !validate<Toy>(p.f).empty());
            clashes += clash;
            p.f.reg[w] = good;
        }
    }
    CHECK(spilled > 20);
    CHECK(clashes > 1000);
}
