// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "winsys/virtual/memory/va_allocator.h"

using terrazzo::winsys::virt::VaAllocator;

TEST_CASE("addresses come from the smallest hole that fits") {
    VaAllocator vas(0x1000, 0x10000);
    uint64_t a = 0, b = 0, c = 0, d = 0;
    REQUIRE(vas.allocate(0x2000, &a));
    REQUIRE(vas.allocate(0x1000, &b));
    REQUIRE(vas.allocate(0x3000, &c));
    CHECK(a == 0x1000);
    CHECK(b == 0x3000);
    CHECK(c == 0x4000);
    vas.free(b, 0x1000);
    vas.free(a, 0x2000);  // this results in one hole of three pages
    REQUIRE(vas.allocate(0x3000, &d));
    CHECK(d == 0x1000);
    CHECK_FALSE(vas.allocate(0x9001, &d));
    REQUIRE(vas.allocate(0x9000, &d));
    CHECK_FALSE(vas.allocate(1, &d));
}

TEST_CASE("requested addresses must all be free") {
    VaAllocator vas(0x1000, 0x10000);
    CHECK_FALSE(vas.allocate_at(0, 0x1000));
    CHECK_FALSE(vas.allocate_at(0xf000, 0x2000));
    CHECK_FALSE(vas.allocate_at(0x10000, 0x1000));
    CHECK_FALSE(vas.allocate_at(UINT64_MAX, 0x1000));
    REQUIRE(vas.allocate_at(0x4000, 0x2000));
    CHECK_FALSE(vas.allocate_at(0x3000, 0x2000));
    CHECK_FALSE(vas.allocate_at(0x5000, 0x1000));
    REQUIRE(vas.allocate_at(0x6000, 0xa000));
    REQUIRE(vas.allocate_at(0x1000, 0x3000));
    vas.free(0x4000, 0x2000);
    CHECK(vas.allocate_at(0x4000, 0x2000));
}

TEST_CASE("random allocations never overlap, and everything can be freed") {
    VaAllocator vas(0x1000, 0x101000);
    std::map<uint64_t, uint64_t> taken;
    std::mt19937 random(3);
    for (int i = 0; i < 5000; i++) {
        if (random() % 2 || taken.empty()) {
            const uint64_t size_B = (1 + random() % 16) << 12;
            uint64_t va = (random() % 300) << 12;
            const bool ok = random() % 2 ? vas.allocate(size_B, &va) : vas.allocate_at(va, size_B);
            if (!ok) continue;
            const auto next = taken.lower_bound(va);
            CHECK((next == taken.end() || va + size_B <= next->first));
            CHECK((next == taken.begin() || std::prev(next)->second <= va));
            taken[va] = va + size_B;
        } else {
            auto it = taken.begin();
            std::advance(it, random() % taken.size());
            vas.free(it->first, it->second - it->first);
            taken.erase(it);
        }
    }
    for (const auto& [begin, end] : taken)
        vas.free(begin, end - begin);
    CHECK(vas.allocate_at(0x1000, 0x100000));
}
