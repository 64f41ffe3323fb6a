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
    /// Ends all lanes.
    void finish() { start(pc, {}); }
    /// These lanes wait. They go on at `at` when regroup() chooses them.
    void park(uint64_t at, const Mask& lanes) { waiting.add(at, lanes & live); }
    /// The running lanes have reached pc: lanes that wait there run with them from now on.
    void join() {
        if (!waiting.empty()) running = running | waiting.take(pc);
    }
    /// Chooses the lanes at the lowest place to run. If lanes run at that place already, they go on without
    /// those that wait there. False: no lane is left that may run.
    bool regroup() {
        if (waiting.empty()) return running != Mask{};
        const uint64_t lowest = waiting.lowest();
        if (running != Mask{} && pc <= lowest) return true;
        waiting.add(pc, running);
        running = waiting.take(lowest);
        pc = lowest;
        return true;
    }
    /// The running lanes branch: the lanes in `taken` go to the target, the others to `next`.
    void branch(const Mask& taken, uint64_t target, uint64_t next) {
        const Mask stay = running & ~taken;
        if (taken == Mask{}) {
            pc = next;
            return;
        }
        const bool waits = stay != Mask{} && target >= next;  // `taken` wait, not the others
        if (stay != Mask{}) waiting.add(waits ? target : next, waits ? taken : stay);
        running = waits ? stay : taken;
        pc = waits ? next : target;
        regroup();
    }
    void end(const Mask& lanes) {
        live = live & ~lanes;
        running = running & ~lanes;
    }
    /// The running lanes have reached a barrier, and go on at `next`. True: all live lanes have reached one,
    /// and run again.
    bool reach_barrier(uint64_t next) {
        at_barrier.add(next, running);
        running = {};
        return release_barrier();
    }
    /// If all live lanes have reached a barrier, they go on. Otherwise returns false.
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
