// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Waiting lanes: those with the lowest address run first; lanes with the same address run together.
#include <doctest/doctest.h>

#include "drivers/common/core/waiting.h"

using terrazzo::core::WaitingLanes;

TEST_CASE("core: waiting lanes continue from the lowest address, together with all that wait there") {
    WaitingLanes<uint32_t, 4> w;
    CHECK(w.empty());
    w.add(7, 0);
    CHECK(w.empty());
    w.add(7, 1), w.add(3, 2), w.add(7, 4), w.add(5, 8);
    CHECK(w.lowest() == 3);
    CHECK(w.take(4) == 0);
    CHECK(w.take(3) == 2);
    CHECK(w.take(3) == 0);
    CHECK(w.lowest() == 5);
    CHECK(w.take(7) == 5);
    CHECK(w.take(5) == 8);
    CHECK(w.empty());
    // As many addresses as lanes.
    for (uint32_t n = 0; n < 4; ++n)
        w.add(10 - n, 1u << n);
    CHECK(w.lowest() == 7);
    w.clear();
    CHECK(w.empty());
}
