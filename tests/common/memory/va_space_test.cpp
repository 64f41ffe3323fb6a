// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/memory/va_space.h"

#include <doctest/doctest.h>

#include <iterator>
#include <random>

using namespace terrazzo::memory;

TEST_CASE("va space: an empty one has no addresses") {
    VaSpace space(0, 0, 4096, 2 << 20);
    CHECK(space.allocate(4096) == 0);
    CHECK(space.used_B() == 0);
}

TEST_CASE("va space: ranges never overlap, and can be reused") {
    for (const uint64_t page_B : {4096, 16384}) {
        const uint64_t large_B = 512 * page_B;
        CAPTURE(page_B);
        VaSpace space(8ull << 30, 16ull << 30, page_B, large_B);
        std::mt19937 random(1);
        std::map<uint64_t, uint64_t> held;
        for (int i = 0; i < 4000; i++) {
            if (held.size() < 60 || random() % 2) {
                const uint64_t size_B = page_B * (1 + random() % (random() % 8 ? 40 : 4000));
                const uint64_t va = space.allocate(size_B);
                if (!va) continue;
                CHECK(va % (size_B >= large_B ? large_B : page_B) == 0);
                CHECK(va >= (8ull << 30));
                CHECK(va + size_B < (16ull << 30));
                const auto next = held.lower_bound(va);
                if (next != held.end()) CHECK(va + size_B + page_B <= next->first);
                if (next != held.begin()) CHECK(std::prev(next)->second + page_B <= va);
                held.emplace(va, va + size_B);
            } else {
                const auto it = std::next(held.begin(), random() % held.size());
                space.free(it->first);
                held.erase(it);
            }
        }
        for (const auto& [va, end] : held)
            space.free(va);
        CHECK(space.used_B() == 0);
        // The whole space is one range again.
        CHECK(space.allocate((8ull << 30) - page_B) == (8ull << 30));
        CHECK(space.allocate(page_B) == 0);
    }
}

TEST_CASE("va space: sizes are rounded up to pages, and a size beyond all addresses is refused") {
    VaSpace space(1 << 30, 2ull << 30, 16384, 32 << 20);
    CHECK(space.allocate(1) == 1 << 30);
    CHECK(space.used_B() == 2 * 16384);
    CHECK(space.allocate(16385) == (1 << 30) + 2 * 16384);
    CHECK(space.used_B() == 5 * 16384);
    CHECK(space.allocate(UINT64_MAX) == 0);
    CHECK(space.allocate(UINT64_MAX - 16384) == 0);
}
