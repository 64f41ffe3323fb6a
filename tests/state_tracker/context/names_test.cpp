// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names of objects: no name is returned twice, and with a million names the time is the same as with ten.
#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "state_tracker/object.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {
struct Thing : Object {
    using Object::Object;
};
}  // namespace

TEST_CASE("names: unused names are returned, deleted ones first") {
    NameTable<Thing> t;
    CHECK(t.reserve() == 1);
    CHECK(t.reserve() == 2);
    CHECK(t.reserve() == 3);
    t.remove(2);
    CHECK_FALSE(t.reserved(2));
    CHECK(t.reserve() == 2);
    CHECK(t.reserve() == 4);
    // A name that the application chose.
    t.set(5, pipe::Ref<Thing>::adopt(new Thing(5)));
    t.set(7, pipe::Ref<Thing>::adopt(new Thing(7)));
    CHECK(t.reserve() == 6);
    CHECK(t.reserve() == 8);
    // A name that the application deletes and uses again is not returned.
    t.remove(5);
    t.set(5, pipe::Ref<Thing>::adopt(new Thing(5)));
    CHECK(t.reserve() == 9);
    CHECK(t.find(5));
    // Deleting an unknown name changes nothing.
    CHECK_FALSE(t.remove(1000));
    CHECK(t.reserve() == 10);
    t.set(~0u, pipe::Ref<Thing>::adopt(new Thing(~0u)));
    t.remove(~0u);
    CHECK(t.reserve() == 11);
}

TEST_CASE("names: a million of them, deleted and created in turn") {
    NameTable<Thing> t;
    constexpr unsigned kNames = 1000000;
    for (unsigned i = 0; i < kNames; ++i)
        (void)t.reserve();
    std::set<uint32_t> seen;
    for (unsigned i = 0; i < 20000; ++i) {
        t.remove(1 + i * 37 % 1000);
        CHECK(t.reserve() == 1 + i * 37 % 1000);
        seen.insert(t.reserve());  // larger than all others
    }
    CHECK(seen.size() == 20000);
    CHECK(*seen.begin() == kNames + 1);
    // More names are deleted than are remembered. Still none is returned twice.
    for (unsigned n = 1; n <= kNames; ++n)
        t.remove(n);
    std::vector<bool> given(2 * kNames);
    for (unsigned i = 0; i < kNames; ++i) {
        const uint32_t n = t.reserve();
        if (n >= given.size()) continue;
        REQUIRE_FALSE(given[n]);
        given[n] = true;
    }
}
