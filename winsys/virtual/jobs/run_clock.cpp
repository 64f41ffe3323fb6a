// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/jobs/run_clock.h"

#include <algorithm>

#include "winsys/clock.h"
#include "winsys/virtual/fences/fence.h"

namespace terrazzo::winsys::virt {
namespace {

std::atomic<uint64_t> g_runs{0};

/// The state of a thread's last is_over() call.
struct Asked {
    uint64_t run = 0, coarse_ns = 0, cpu_ns = 0;
};
thread_local Asked t_asked;

}  // namespace

void RunClock::begin(uint64_t used_ns, uint64_t progress_ns, uint64_t limit_ns) {
    used_ns_.store(used_ns, std::memory_order_relaxed);
    progress_ns_ = progress_ns;
    limit_ns_ = limit_ns;
    set_end();
    counted_to_ns_.store(monotonic_ns(), std::memory_order_relaxed);
    run_.store(g_runs.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    t_asked = {run_.load(std::memory_order_relaxed), coarse_monotonic_ns(),
               clock_ns(CLOCK_THREAD_CPUTIME_ID)};
}

void RunClock::set_end() {
    const uint64_t most_ns = limit_ns_ > UINT64_MAX / kMostLimits ? UINT64_MAX : kMostLimits * limit_ns_;
    const uint64_t end_ns = limit_ns_ > UINT64_MAX - progress_ns_ ? UINT64_MAX : progress_ns_ + limit_ns_;
    end_ns_.store(std::min(end_ns, most_ns), std::memory_order_relaxed);
}

// The last count may be as old as a tick of the coarse clock, which is short compared to any limit.
void RunClock::note_progress() {
    progress_ns_ = used_ns_.load(std::memory_order_relaxed);
    set_end();
}

/// A thread has used `cpu_ns` since its last call. Time that was already counted for other threads is not
/// counted twice.
void RunClock::advance(uint64_t cpu_ns, uint64_t now_ns) const {
    uint64_t from_ns = counted_to_ns_.load(std::memory_order_relaxed);
    while (from_ns < now_ns &&
           !counted_to_ns_.compare_exchange_weak(from_ns, now_ns, std::memory_order_relaxed)) {
    }
    if (from_ns < now_ns) used_ns_.fetch_add(std::min(cpu_ns, now_ns - from_ns), std::memory_order_relaxed);
}

bool RunClock::is_over() const {
    const uint64_t run = run_.load(std::memory_order_relaxed), coarse_ns = coarse_monotonic_ns();
    Asked& asked = t_asked;
    // The coarse clock costs no system call.
    if (asked.run != run || asked.coarse_ns != coarse_ns) {
        const uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        if (asked.run == run) advance(cpu_ns - asked.cpu_ns, monotonic_ns());
        asked = {run, coarse_ns, cpu_ns};
    }
    return used_ns_.load(std::memory_order_relaxed) > end_ns_.load(std::memory_order_relaxed);
}

uint64_t RunClock::used_ns() const {
    t_asked.coarse_ns = 0;
    (void)is_over();
    return used_ns_.load(std::memory_order_relaxed);
}

}  // namespace terrazzo::winsys::virt
