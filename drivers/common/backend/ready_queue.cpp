// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/ready_queue.h"

#include <algorithm>

namespace terrazzo::backend {

void ReadyQueue::begin(uint32_t steps) {
    steps_.assign(steps, Step{});
    for (Level& l : levels_) {
        l.waiting.clear();
        l.started.clear();
    }
}

ReadyQueue::Level& ReadyQueue::level(int growth) {
    for (Level& l : levels_)
        if (l.growth == growth) return l;
    levels_.emplace_back(growth, levels_.get_allocator().resource());
    return levels_.back();
}

bool ReadyQueue::is_better(uint32_t a, uint32_t b) const {
    const Step &x = steps_[a], &y = steps_[b];
    return x.path_clk != y.path_clk ? x.path_clk > y.path_clk : a < b;
}

void ReadyQueue::push(std::pmr::vector<uint32_t>& heap, uint32_t step, bool by_clock) {
    heap.push_back(step);
    std::push_heap(heap.begin(), heap.end(),
                   [&](uint32_t a, uint32_t b) { return comes_after(a, b, by_clock); });
}

void ReadyQueue::pop(std::pmr::vector<uint32_t>& heap, bool by_clock) {
    std::pop_heap(heap.begin(), heap.end(),
                  [&](uint32_t a, uint32_t b) { return comes_after(a, b, by_clock); });
    heap.pop_back();
}

void ReadyQueue::add(uint32_t step, uint32_t at_clk, uint32_t path_clk, int growth) {
    steps_[step] = {at_clk, path_clk, growth, true};
    push(level(growth).waiting, step, true);
}

void ReadyQueue::change(uint32_t step, int growth) {
    if (steps_[step].growth == growth) return;
    steps_[step].growth = growth;
    push(level(growth).waiting, step, true);
}

bool ReadyQueue::best_of(Level& l, uint32_t now_clk, uint32_t* step) {
    const auto is_stale = [&](uint32_t s) { return !steps_[s].is_ready || steps_[s].growth != l.growth; };
    while (!l.waiting.empty() && (is_stale(l.waiting[0]) || steps_[l.waiting[0]].at_clk <= now_clk)) {
        const uint32_t s = l.waiting[0];
        pop(l.waiting, true);
        if (!is_stale(s)) push(l.started, s, false);
    }
    while (!l.started.empty() && is_stale(l.started[0]))
        pop(l.started, false);
    if (l.started.empty() && l.waiting.empty()) return false;
    *step = l.started.empty() ? l.waiting[0] : l.started[0];
    return true;
}

ReadyQueue::Choice ReadyQueue::take(uint32_t now_clk, const Room& room) {
    struct Best {
        Choice choice{};
        int growth = 0;
        bool any = false, fits = false;
    };
    Best bests[2];  // of the steps within `eager`, and of those beyond it
    const auto wait_clk = [&](const Choice& c) {
        const uint32_t clk = c.start_clk - now_clk;
        return clk < room.free_wait_clk ? clk : 0;
    };
    for (Level& l : levels_) {
        uint32_t step = 0;
        if (!best_of(l, now_clk, &step)) continue;
        const bool fits = l.growth <= room.most || l.growth <= 0;
        const bool is_eager = l.growth > room.eager && l.growth > 0;
        const Choice c{step, std::max(steps_[step].at_clk, now_clk)};
        Best& best = bests[is_eager];
        bool better = !best.any;
        if (best.any && fits != best.fits)
            better = fits;
        else if (best.any && !fits)
            better = l.growth < best.growth;
        else if (best.any && c.start_clk != best.choice.start_clk)
            better = c.start_clk < best.choice.start_clk;
        else if (best.any)
            better = is_eager ? l.growth < best.growth : is_better(c.step, best.choice.step);
        if (better) best = {c, l.growth, true, fits};
    }
    const Best &within = bests[0], &beyond = bests[1];
    // If one beyond fits, those within have a smaller growth and fit, too.
    const bool takes_beyond =
        beyond.any && (!within.any || (beyond.fits && wait_clk(beyond.choice) < wait_clk(within.choice)));
    const Choice chosen = (takes_beyond ? beyond : within).choice;
    steps_[chosen.step].is_ready = false;
    return chosen;
}

}  // namespace terrazzo::backend
