// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Waiting lanes: those with the lowest address run first; lanes with the same address run together. Waves
// that wait at barriers.
#include <doctest/doctest.h>

#include <string>

#include "drivers/common/core/execution.h"
#include "drivers/common/core/waiting.h"

using terrazzo::core::LaneFlow;
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

TEST_CASE("core: lanes part at branches, and the lowest place runs") {
    LaneFlow<uint32_t, 8> f;
    f.start(10, 0xff);
    f.branch(0, 20, 11);
    CHECK(f.pc == 11);
    CHECK(f.running == 0xff);
    f.branch(0x0f, 20, 12);  // forwards: the lanes that do not jump run on
    CHECK(f.pc == 12);
    CHECK(f.running == 0xf0);
    f.branch(0x30, 5, 13);  // backwards: the lanes that jump run
    CHECK(f.pc == 5);
    CHECK(f.running == 0x30);
    f.end(0x30);
    CHECK(f.live == 0xcf);
    CHECK(f.regroup());
    CHECK(f.pc == 13);
    CHECK(f.running == 0xc0);
    // At 20, the running lanes pass the lanes that wait there, unless join() is called.
    f.pc = 20;
    CHECK(f.regroup());
    CHECK(f.running == 0xc0);
    f.join();
    CHECK(f.running == 0xcf);
    f.branch(0xcf, 30, 21);
    CHECK(f.pc == 30);
    f.finish();
    CHECK_FALSE(f.regroup());
}

TEST_CASE("core: a barrier waits for the lanes that have not ended") {
    LaneFlow<uint32_t, 8> f;
    f.start(0, 0xff);
    f.branch(0x0f, 10, 1);
    CHECK_FALSE(f.reach_barrier(2));  // lanes 0x0f have not reached it
    CHECK(f.running == 0x0f);
    CHECK(f.pc == 10);
    f.branch(0x03, 20, 11);
    CHECK_FALSE(f.reach_barrier(12));
    CHECK(f.running == 0x03);
    f.end(f.running);
    CHECK(f.release_barrier());
    CHECK(f.pc == 2);
    CHECK(f.running == 0xf0);
    CHECK(f.waiting.lowest() == 12);
    CHECK_FALSE(f.release_barrier());  // no lane waits at a barrier
    f.park(30, 0xff);                  // lanes that have ended do not wait
    CHECK(f.waiting.take(30) == 0xfc);
}

TEST_CASE("core: the waves of a workgroup take turns from barrier to barrier, until one faults") {
    using terrazzo::core::Outcome;
    for (const unsigned faulting : {9u, 1u}) {
        unsigned left[3] = {2, 0, 1};  // barriers; wave 1 ends at once
        bool live[3] = {true, true, true};
        std::string order;
        const bool good = terrazzo::core::take_turns(
            3, [&](unsigned n) { return live[n]; },
            [&](unsigned n) {
                order += char('0' + n);
                if (n == faulting) return Outcome::Fault;
                if (left[n]) return --left[n], Outcome::Barrier;
                live[n] = false;
                return Outcome::Done;
            });
        CHECK(good == (faulting == 9));
        CHECK(order == (good ? "012020" : "01"));
    }
}
