// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Objects that are created once for each key.
#include "drivers/common/program/variants.h"

#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using terrazzo::programs::Variants;

TEST_CASE("variants: each key has one entry, which does not move") {
    Variants<int, const int, 4> variants;
    int made = 0;
    std::vector<const int*> entries;
    for (int round = 0; round < 2; ++round)
        for (int key = 0; key < 20; ++key) {
            const int* const found = variants.find(
                key, [&] { return ++made, std::make_unique<const int>(7 * key); }, size_t(key));
            REQUIRE(found);
            CHECK(*found == 7 * key);
            if (round == 0) entries.push_back(found);
            CHECK(found == entries[size_t(key)]);
        }
    CHECK(made == 20);
}

TEST_CASE("variants: after a failure creation is tried again") {
    Variants<int, int> variants;
    CHECK(!variants.find(1, [] { return std::unique_ptr<int>(); }));
    CHECK_THROWS_AS((void)variants.find(1, []() -> std::unique_ptr<int> { throw std::bad_alloc(); }),
                    std::bad_alloc);
    const int* const found = variants.find(1, [] { return std::make_unique<int>(5); });
    REQUIRE(found);
    CHECK(*found == 5);
    CHECK(variants.find(1, [] { return std::make_unique<int>(6); }) == found);
}

TEST_CASE("variants: threads that need the same entry get the same one") {
    Variants<int, int, 2> variants;
    std::atomic<int> made = 0;
    constexpr int kThreads = 4, kKeys = 200;
    std::vector<std::vector<const int*>> seen(kThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            for (int key = 0; key < kKeys; ++key)
                seen[size_t(t)].push_back(variants.find(
                    key, [&] { return made.fetch_add(1), std::make_unique<int>(key); }, size_t(key)));
        });
    for (std::thread& t : threads)
        t.join();
    CHECK(made == kKeys);
    for (int t = 1; t < kThreads; ++t)
        CHECK(seen[size_t(t)] == seen[0]);
    for (int key = 0; key < kKeys; ++key)
        CHECK(*seen[0][size_t(key)] == key);
}
