// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes in order, and alternatives of which the best result is kept.
#include "drivers/common/backend/compile_driver.h"

#include <tuple>

#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

TEST_CASE("backend compile driver: passes run in order, until one fails") {
    for (const bool validate : {false, true}) {
        Parsed p("block0:\n  const %8 #1\n  store <- %8\n");
        std::string ran;
        Passes<Toy> passes(p.f, validate);
        passes.then("first", [&] { ran += "1"; });
        passes.then("breaking", [&] {
            ran += "2";
            p.f.blocks[0].insts.erase(p.f.blocks[0].insts.begin());
        });
        passes.then("last", [&] { ran += "3"; });
        CHECK(ran == (validate ? "12" : "123"));
        CHECK(p.f.error.starts_with(validate ? "after breaking: block0, instruction 0" : ""));
        CHECK(p.f.error.empty() == !validate);
    }
    Parsed p("block0:\n  store <- r0\n");
    Passes<Toy> passes(p.f, true);
    passes.then("failing", [&] { p.f.fail("no"); });
    passes.then("last", [&] { p.f.fail("never"); });
    CHECK(p.f.error == "no");
}

TEST_CASE("backend compile driver: the better of two results") {
    struct Result {
        std::string error;
        int first, second;
    };
    const auto better = [](const Result& a, const Result& b) {
        return is_better(a, b, [](const Result& r) { return std::tuple(r.first, r.second); });
    };
    CHECK(better({"", 1, 5}, {"", 2, 0}));
    CHECK(!better({"", 2, 0}, {"", 1, 5}));
    CHECK(better({"", 1, 4}, {"", 1, 5}));
    CHECK(!better({"", 1, 5}, {"", 1, 5}));
    CHECK(better({"", 9, 9}, {"no", 0, 0}));
    CHECK(!better({"no", 0, 0}, {"", 9, 9}));
    CHECK(!better({"no", 0, 0}, {"no", 1, 1}));
}

TEST_CASE("backend compile driver: the best alternative, until one is good enough") {
    constexpr int kWays[] = {5, 3, 7, 1, 0};
    std::optional<int> best;
    std::vector<int> made;
    const auto make = [&](int way) {
        made.push_back(way);
        return way;
    };
    const auto run = [&](int enough) {
        made.clear();
        try_ways(best, kWays, make, std::less<>(), [&](int b) { return b <= enough; });
    };
    run(3);
    CHECK(made == std::vector{5, 3});
    CHECK(best == 3);
    // Earlier contents of the list count, too.
    run(3);
    CHECK(made.empty());
    run(1);
    CHECK(made == std::vector{5, 3, 7, 1});
    CHECK(best == 1);
}
