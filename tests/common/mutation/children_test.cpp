// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/mutation/children.h"

#include <doctest/doctest.h>

#include <csignal>
#include <map>

using namespace terrazzo::test;

namespace {

/// Runs the children 0 to 9. Each continues from the parent's state in its loop. Returns their texts.
std::map<int, std::string> run(unsigned most, int dies, std::string* lost) {
    std::map<int, std::string> said;
    Children children(most);
    int before = 0;
    for (int i = 0; i < 10; ++i) {
        if (children.begin([&said, i](const std::string& text) { said[i] = text; })) {
            if (i == dies) std::raise(SIGKILL);
            children.end(i == 3 ? "" : "run " + std::to_string(i) + " after " + std::to_string(before));
        }
        before += i;
    }
    *lost = children.wait();
    return said;
}

}  // namespace

TEST_CASE("mutation children: each continues from its start, and its text arrives") {
    for (const unsigned most : {1u, 3u, 20u}) {
        std::string lost;
        const auto said = run(most, -1, &lost);
        CHECK(lost == "");
        REQUIRE(said.size() == 10);
        CHECK(said.at(0) == "run 0 after 0");
        CHECK(said.at(3) == "");
        CHECK(said.at(9) == "run 9 after 36");
    }
}

TEST_CASE("mutation children: a child that ends by a signal is an error") {
    std::string lost;
    const auto said = run(2, 5, &lost);
    CHECK(said.size() == 9);
    CHECK(said.count(5) == 0);
    CHECK(lost.find("ended by a signal") != std::string::npos);
}
