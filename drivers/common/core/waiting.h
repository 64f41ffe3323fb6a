// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Divergence: the lanes of a wave that run, and those that do not run now, by the place at which they go on.
// Lanes that wait at the same place run on together.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace terrazzo::core {

/// Mask: a set of lanes; Mask{} is empty. kMostLanes: of a wave. A lane must not be added while it waits.
template <class Mask, unsigned kMostLanes>
class WaitingLanes {
  public:
    [[nodiscard]] bool empty() const { return count_ == 0; }
    void clear() { count_ = 0; }
    void add(uint64_t place, const Mask& lanes) {
        if (lanes == Mask{}) return;
        const auto at = find(place);
        if (at != end())
            at->lanes = at->lanes | lanes;
        else
            sets_[count_++] = {place, lanes};
    }
    /// Where the lanes with the lowest place wait. Must not be empty.
    [[nodiscard]] uint64_t lowest() const {
        uint64_t place = sets_[0].place;
        for (unsigned i = 1; i < count_; ++i)
            place = std::min(place, sets_[i].place);
        return place;
    }
    /// The lanes that wait at the place, which no longer do.
    Mask take(uint64_t place) {
        const auto at = find(place);
        if (at == end()) return {};
        const Mask lanes = at->lanes;
        *at = sets_[--count_];
        return lanes;
    }

  private:
    struct Set {
        uint64_t place;
        Mask lanes;
    };
    Set* end() { return sets_.data() + count_; }
    Set* find(uint64_t place) {
        return std::find_if(sets_.data(), end(), [&](const Set& s) { return s.place == place; });
    }
    std::array<Set, kMostLanes> sets_;  // count_ of them
    unsigned count_ = 0;
};

/// Where the lanes of a wave are. Places are vendors': addresses, or instructions of a program.
template <class Mask, unsigned kMostLanes>
struct LaneFlow {
    using LaneSet = Mask;
    uint64_t pc = 0;  // the place of the running lanes
    Mask live{};      // lanes that have not ended
    Mask running{};   // the live lanes that are at pc
    /// Live lanes that do not run: those that may run, and those that have reached a barrier.
    WaitingLanes<Mask, kMostLanes> waiting, at_barrier;
    uint64_t turns = 0;  // instructions executed

    void start(uint64_t at, const Mask& lanes) {
        pc = at;
        live = running = lanes;
        waiting.clear();
        at_barrier.clear();
        turns = 0;
    }
    /// No lane is left.
    void finish() { start(pc, {}); }
    /// Lanes that go on there when they are chosen.
    void park(uint64_t at, const Mask& lanes) { waiting.add(at, lanes & live); }
    /// Lanes that wait at pc run on with those that arrived.
    void join() {
        if (!waiting.empty()) running = running | waiting.take(pc);
    }
    /// The lanes at the lowest place run: those that run, if others only wait at the same place. False: no
    /// lane is left that may run.
    bool regroup() {
        if (waiting.empty()) return running != Mask{};
        const uint64_t lowest = waiting.lowest();
        if (running != Mask{} && pc <= lowest) return true;
        waiting.add(pc, running);
        running = waiting.take(lowest);
        pc = lowest;
        return true;
    }
    /// Of the running lanes, `taken` go to the target, the others to the next place.
    void branch(const Mask& taken, uint64_t target, uint64_t next) {
        const Mask stay = running & ~taken;
        if (taken == Mask{}) {
            pc = next;
            return;
        }
        const bool waits = stay != Mask{} && target >= next;  // those that jump
        if (stay != Mask{}) waiting.add(waits ? target : next, waits ? taken : stay);
        running = waits ? stay : taken;
        pc = waits ? next : target;
        regroup();
    }
    void end(const Mask& lanes) {
        live = live & ~lanes;
        running = running & ~lanes;
    }
    /// The running lanes have reached a barrier. True: all live lanes have, and go on after it.
    bool reach_barrier(uint64_t next) {
        at_barrier.add(next, running);
        running = {};
        return release_barrier();
    }
    /// If all live lanes are at barriers, they go on. False: they are not.
    bool release_barrier() {
        if (at_barrier.empty() || regroup()) return false;
        while (!at_barrier.empty()) {
            const uint64_t place = at_barrier.lowest();
            waiting.add(place, at_barrier.take(place));
        }
        return regroup();
    }
};

}  // namespace terrazzo::core
