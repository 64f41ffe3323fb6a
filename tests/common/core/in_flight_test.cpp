// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers in flight, with their lanes: compared with a table that has the lanes of each register.
#include <doctest/doctest.h>

#include <random>

#include "drivers/common/core/in_flight.h"
#include "drivers/common/wave/lane_mask.h"

using namespace terrazzo;

namespace {

constexpr unsigned kCount = 150;
using Flight = core::InFlight<kCount, uint32_t>;
using Set = Flight::Set;

Set some(std::mt19937& random) {
    Set s;
    s.add(random() % kCount, 1);
    for (unsigned n = random() % 4; n; --n) {
        const unsigned first = random() % kCount;
        s.add(first, std::min(unsigned(random() % 9), kCount - first));
    }
    return s;
}
uint32_t some_lanes(std::mt19937& random) {
    constexpr uint32_t kOften[] = {0xffff, 0x00ff, 0xff00, 1};
    return random() % 2 ? kOften[random() % 4] : random() & 0xffff;
}

}  // namespace

TEST_CASE("core: registers in flight concern the lanes that access them") {
    std::mt19937 random(1);
    for (unsigned run = 0; run < 300; ++run) {
        Flight flight;
        uint32_t lanes[kCount] = {};
        for (unsigned n = 0; n < 40; ++n) {
            const uint32_t of = some_lanes(random);
            const Set set = some(random);
            switch (random() % 8) {
                case 0:
                    if (random() % 4) break;
                    flight.clear();
                    std::fill_n(lanes, kCount, 0u);
                    break;
                case 1:
                case 2:
                    flight.remove(set, of);
                    for (unsigned u = 0; u < kCount; ++u)
                        if (set.has(u)) lanes[u] &= ~of;
                    break;
                case 3: {
                    const unsigned first = random() % (kCount - 2);
                    flight.add(first, 2, of);
                    lanes[first] |= of, lanes[first + 1] |= of;
                    break;
                }
                default:
                    flight.add(set, of);
                    for (unsigned u = 0; u < kCount; ++u)
                        if (set.has(u)) lanes[u] |= of;
                    break;
            }
            const Set asked = some(random), found = flight.find(asked, of);
            for (unsigned u = 0; u < kCount; ++u) {
                CHECK(found.has(u) == (asked.has(u) && (lanes[u] & of)));
                CHECK((flight.find(u, 1, of) == int(u)) == bool(lanes[u] & of));
            }
        }
    }
}

TEST_CASE("core: a wave of 128 lanes has registers in flight") {
    core::InFlight<70, wave::LaneMask> flight;
    const wave::LaneMask first{{1, 0}}, last{{0, uint64_t(1) << 63}};
    flight.add(65, 2, first);
    CHECK(flight.find(64, 3, first) == 65);
    CHECK(flight.find(64, 3, last) == -1);
    core::RegisterSet<70> set;
    set.add(66, 1);
    flight.add(set, last);
    CHECK(flight.find(64, 3, last) == 66);
    flight.remove(set, first);
    CHECK(flight.find(66, 1, first) == -1);
    CHECK(flight.find(66, 1, last) == 66);
    flight.clear();
    CHECK_FALSE(flight.any());
    CHECK_FALSE(flight.intersects(set));
}
