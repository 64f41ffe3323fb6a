// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See time_limit.h.
#include "drivers/soft/screen/time_limit.h"

#include <algorithm>

#include "winsys/clock.h"

namespace terrazzo::soft {

bool TimeLimit::is_over(std::atomic<uint64_t>& began_ns, uint64_t now_ns, uint64_t limit_ns) {
    uint64_t began = began_ns.load(std::memory_order_relaxed);
    if (began == kIdle) return false;
    // Several threads may check at the same time; the first one sets the start time.
    if (began == kFresh) {
        began_ns.compare_exchange_strong(began, now_ns, std::memory_order_relaxed);
        return false;
    }
    return now_ns > began && now_ns - began > limit_ns;
}

void TimeLimit::look(Watch* watch) {
    TimeLimit& t = *static_cast<OwnWatch*>(watch)->owner;
    const uint64_t now = winsys::coarse_monotonic_ns(), limit = t.limit_ns_.load(std::memory_order_relaxed);
    // Both are evaluated: a piece that has just begun gets its start time.
    const bool draw = is_over(t.draw_began_ns_, now, limit), tiles = is_over(t.tiles_began_ns_, now, limit);
    if (draw || tiles) stop(*watch);
}

void TimeLimit::abandon() {
    if (abandoned_.exchange(true)) return;
    for (std::atomic<uint64_t>* began : {&draw_began_ns_, &tiles_began_ns_}) {
        uint64_t old = began->load(std::memory_order_relaxed);
        const uint64_t now = winsys::coarse_monotonic_ns();
        while (old != kIdle && old != kFresh &&
               !began->compare_exchange_weak(old, now, std::memory_order_relaxed)) {
        }
    }
    limit_ns_.store(std::min(limit_ns_.load(), pipe::kAbandonedLimit_ns));
}

}  // namespace terrazzo::soft
