// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Scheduling, with code of the toy.
#include "drivers/common/backend/schedule.h"

#include <algorithm>
#include <iterator>
#include <random>

#include "drivers/common/backend/allocate.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

std::string scheduled(std::string_view text, const Budget& budget) {
    Parsed p(text);
    schedule<Toy>(p.f, budget);
    return p.text();
}

/// A budget of this many registers r.
std::string scheduled(std::string_view text, unsigned registers = 8) {
    return scheduled(text, Budget{registers * 2, registers * 2});
}

/// Schedules as after allocation: all words are registers.
std::string scheduled_registers(std::string_view text) {
    Parsed p(text);
    for (const Word w : p.f.all_words())
        p.f.reg.push_back(p.f.fixed_unit(w));
    schedule<Toy>(p.f, {0, 0});
    return p.text();
}

}  // namespace

TEST_CASE("backend schedule: code that must be in order stays") {
    for (const char* text : {
             "block0:\n  load %8 <- r0\n  add %9 <- %8\n  add %10 <- %9\n  store <- %10\n",
             // Memory accesses, and instructions that no other may pass.
             "block0:\n  store <- r0 #4\n  store <- r1 #4\n  load %8 <- r2\n  store <- %8\n",
             "block0:\n  store <- r0\n  fence\n  load %8 <- r1\n  store <- %8\n",
             "block0:\n  add %8 <- r0\n  store <- %8\n  call\n  load %9 <- r2\n  store <- %9\n",
             // A word's next value waits for the reads of the last one.
             "block0:\n  const %8 #1\n  store <- %8\n  load %8 <- r0\n  store <- %8\n",
         })
        CHECK(scheduled(text) == text);
}

TEST_CASE("backend schedule: long latencies go first, as far as registers allow") {
    const char* text =
        "block0:\n  const %8 #1\n  add %9 <- %8, r0\n  load %10 <- r1\n  add %11 <- %10, r2\n  add %12 <- "
        "%9, "
        "%11\n  store <- %12\n";
    CHECK(scheduled(text) ==
          "block0:\n  load %10 <- r1\n  const %8 #1\n  add %9 <- %8, r0\n  add %11 <- %10, r2\n  add %12 <- "
          "%9, "
          "%11\n  store <- %12\n");
    // If only r0 and one result fit, the first result is used before the second one is loaded.
    const std::string loads = "block0:\n  load %8 <- r0\n  load %9 <- r0\n", sum = "  add %10 <- %8\n",
                      stores = "  store <- %10\n  store <- %9\n  store <- r0\n";
    CHECK(scheduled(loads + sum + stores, 3) == loads + sum + stores);
    CHECK(scheduled(loads + sum + stores, 2) ==
          "block0:\n  load %8 <- r0\n" + sum + "  load %9 <- r0\n" + stores);
}

TEST_CASE("backend schedule: long waits do not count while many units live") {
    const std::string load = "  load %8 <- r0\n", first = "  add %9 <- %8\n", load_2 = "  load %10 <- r0\n",
                      end = "  add %11 <- %9, %10\n  store <- %11\n  store <- r0\n",
                      text = "block0:\n" + load + first + load_2 + end,
                      together = "block0:\n" + load + load_2 + first + end;
    const auto with = [&](uint32_t impatient, uint32_t long_wait_clk) {
        return scheduled(
            text,
            {.least = 16, .most = 16, .eager = 0, .impatient = impatient, .long_wait_clk = long_wait_clk});
    };
    CHECK(scheduled(text) == together);
    // The first sum must wait for 9 clocks. So the second load is placed before it, though it makes more
    // units live.
    CHECK(with(Budget::kUnlimited, 0) == together);
    // After the first load, 4 units live: r0 and the load's result.
    CHECK(with(2, 9) == text);
    CHECK(with(2, 10) == together);
    CHECK(with(4, 9) == together);
}

TEST_CASE("backend schedule: registers are saved where nothing waits") {
    std::pmr::monotonic_buffer_resource memory;
    const auto first = [&](const ReadyQueue::Room& room, uint32_t at_clk) {
        ReadyQueue q(&memory);
        q.begin(3);
        q.add(0, 0, 9, 4);
        q.add(1, 0, 5, 2);
        q.add(2, at_clk, 1, 0);
        return q.take(0, room).step;
    };
    // Without a limit, the step with the longest path is chosen.
    CHECK(first({.most = 8}, 0) == 0);
    CHECK(first({.most = 8, .eager = 4}, 0) == 0);
    CHECK(first({.most = 8, .eager = 3}, 0) == 1);
    CHECK(first({.most = 8, .eager = 1}, 0) == 2);
    // The last step must wait. Of the others, the smaller growth is preferred.
    CHECK(first({.most = 8, .eager = 1}, 3) == 1);
    CHECK(first({.most = 8, .eager = 1, .free_wait_clk = 3}, 3) == 2);
    CHECK(first({.most = 8, .eager = 1, .free_wait_clk = 4}, 3) == 1);
}

TEST_CASE("backend schedule: a choice does not depend on the order in which steps were added") {
    std::pmr::monotonic_buffer_resource memory;
    struct Step {
        uint32_t at_clk;
        int growth;
    };
    // The last one waits for long, which counts only among steps that are within `eager`.
    constexpr Step kSteps[] = {{0, 2}, {3, 0}, {60, -1}};
    unsigned order[] = {0, 1, 2};
    do {
        ReadyQueue q(&memory);
        q.begin(3);
        for (const unsigned n : order)
            q.add(n, kSteps[n].at_clk, 1, kSteps[n].growth);
        CHECK(q.take(0, {.most = 8, .eager = 1, .free_wait_clk = 8}).step == 0);
        CHECK(q.take(0, {.most = 8, .eager = 1, .free_wait_clk = 8}).step == 1);
    } while (std::next_permutation(std::begin(order), std::end(order)));
}

TEST_CASE("backend schedule: reports the live units of the original order") {
    // Two full registers and a half are 2 + 2 + 1 units.
    Parsed p(
        "%10: h x1\nblock0:\n  const %8 #1\n  const %9 #2\n  const %10 #3\n  store <- %8\n"
        "  store <- %9\n  store <- %10\n");
    CHECK(schedule<Toy>(p.f, {2, 2}) == 5);
    Parsed again(p.text());
    CHECK(schedule<Toy>(again.f, {16, 16}) == 2);
    Parsed allocated("block0:\n  const r0 #1\n  store <- r0\n");
    allocated.f.reg.resize(allocated.f.words());
    CHECK(schedule<Toy>(allocated.f, {0, 0}) == 0);
}

TEST_CASE("backend schedule: halves count half as much") {
    const char* text =
        "%8: h x1\n%9: h x1\nblock0:\n  const %8 #1\n  const %9 #2\n  store <- %8\n  store <- %9\n";
    // Both fit into one register.
    CHECK(scheduled(text, 1) == text);
    const char* full = "block0:\n  const %8 #1\n  const %9 #2\n  store <- %8\n  store <- %9\n";
    CHECK(scheduled(full, 1) == "block0:\n  const %8 #1\n  store <- %8\n  const %9 #2\n  store <- %9\n");
}

TEST_CASE("backend schedule: registers are kept in order where they alias") {
    // h2 is a half of r1; r3 has no other use.
    CHECK(
        scheduled_registers("block0:\n  add r4 <- r1\n  load h2 <- r0\n  widen r5 <- r1\n  const r3 #1\n") ==
        "block0:\n  add r4 <- r1\n  load h2 <- r0\n  const r3 #1\n  widen r5 <- r1\n");
    CHECK(
        scheduled_registers("block0:\n  add r4 <- r1\n  load h4 <- r0\n  widen r5 <- r1\n  const r3 #1\n") ==
        "block0:\n  load h4 <- r0\n  add r4 <- r1\n  widen r5 <- r1\n  const r3 #1\n");
}

namespace {

/// Code without branches. Operands are results of the last few instructions. Each result is read, at the
/// latest at the end.
std::string random_code(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random); };
    std::vector<unsigned> unread;
    std::string text = "block0:\n  const %8 #0\n";
    const unsigned steps = 10 + below(60);
    for (unsigned n = 9; n < 9 + steps; n++) {
        const auto any = [&] {
            const unsigned word = n - 1 - below(std::min(n - 8, 1 + below(12)));
            std::erase(unread, word);
            return "%" + std::to_string(word);
        };
        constexpr const char* kOps[] = {"add", "load", "tex", "widen", "add"};
        const char* op = kOps[below(5)];
        text += std::string("  ") + op + " %" + std::to_string(n) + " <- " + any();
        text += std::string_view(op) == "add" ? ", " + any() + "\n" : "\n";
        unread.push_back(n);
        if (below(8) == 0) text += "  store <- " + any() + "\n";
    }
    for (const unsigned word : unread)
        text += "  store <- %" + std::to_string(word) + "\n";
    return text;
}

uint32_t most_live(ToyCode& f) {
    return Allocator<Toy>(f).most_live(UnitSet<Toy>().set());
}

}  // namespace

TEST_CASE("backend schedule: no point exceeds the budget if the original order did not") {
    unsigned changed = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        const std::string text = random_code(seed);
        CAPTURE(seed);
        Parsed p(text);
        const uint32_t before = most_live(p.f);
        // Budgets: all registers, a tight one, and exactly the need of the original order.
        for (const Budget& budget :
             {Budget{8, 24, Budget::Overrun::Bounded}, Budget{before, before}, Budget{0, 1000}}) {
            Parsed again(text);
            schedule<Toy>(again.f, budget);
            CHECK(most_live(again.f) <= std::max(before, budget.least));
            changed += again.text() != text;
        }
        // The original order exceeds the budget. Then no point may need more than the original order did at
        // most.
        Parsed little(text);
        schedule<Toy>(little.f, {2, 2, Budget::Overrun::Bounded});
        CHECK(most_live(little.f) <= before);
    }
    CHECK(changed > 400);
}

TEST_CASE("backend schedule: units ahead, by range") {
    std::pmr::monotonic_buffer_resource memory;
    std::mt19937 random(1);
    for (const uint32_t count : {1u, 2u, 7u, 64u, 100u}) {
        std::vector<int> units;
        for (uint32_t n = 0; n < count; n++)
            units.push_back(int(random() % 20));
        Pressure p(&memory);
        p.begin(units);
        for (unsigned round = 0; round < 300; round++) {
            const uint32_t from = random() % (count + 1), to = from + random() % (count + 1 - from);
            const int change = int(random() % 7) - 3, most = int(random() % 24);
            p.add(from, to, change);
            uint32_t last = Pressure::kNone;
            for (uint32_t n = from; n < to; n++)
                if ((units[n] += change) > most) last = n;
            CHECK(p.last_above(from, to, most) == last);
        }
    }
}
