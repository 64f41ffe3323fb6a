// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/fences/sync_wait.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "winsys/uapi/drm.h"

namespace terrazzo::winsys::virt {
namespace {

using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC

Clock::time_point at_ns(int64_t ns) {
    return Clock::time_point(std::chrono::nanoseconds(ns));
}

/// Counts the entries that are done in the sense of `flags`, and looks up fences that exist by now. `*first`
/// is the index of the first done entry.
uint32_t count_done(std::vector<WaitEntry>& entries, uint32_t flags, uint32_t* first) {
    uint32_t done = 0;
    for (uint32_t i = 0; i < entries.size(); i++) {
        WaitEntry& e = entries[i];
        if (!e.fence) (void)e.syncobj->find(e.point, &e.fence);
        if (e.fence && ((flags & uapi::kSyncobjWaitAvailable) || e.fence->signaled()) && done++ == 0)
            *first = i;
    }
    return done;
}

}  // namespace

int wait_syncobjs(SyncDomain& domain, std::vector<WaitEntry>& entries, uint32_t flags, int64_t timeout_ns,
                  uint32_t* first) {
    const bool waits_for_fences = flags & (uapi::kSyncobjWaitForSubmit | uapi::kSyncobjWaitAvailable);
    for (WaitEntry& e : entries)
        if (e.syncobj->find(e.point, &e.fence) != 0 && !waits_for_fences) return -EINVAL;
    const uint32_t wanted = flags & uapi::kSyncobjWaitAll ? static_cast<uint32_t>(entries.size()) : 1;
    uint32_t found = UINT32_MAX;
    std::unique_lock lock(domain.mutex, std::adopt_lock);
    const auto ready = [&] { return count_done(entries, flags, &found) >= wanted; };
    bool ok = ready();
    if (!ok && timeout_ns > 0) ok = domain.changed.wait_until(lock, at_ns(timeout_ns), ready);
    lock.release();
    if (!ok) return -ETIME;
    *first = found;
    return 0;
}

int wait_fences(SyncDomain& domain, const std::vector<std::shared_ptr<Fence>>& fences, int64_t timeout_ns) {
    const auto ready = [&] {
        return std::all_of(fences.begin(), fences.end(), [](const auto& f) { return f->signaled(); });
    };
    std::unique_lock lock(domain.mutex, std::adopt_lock);
    bool ok = ready();
    if (!ok && timeout_ns > 0) ok = domain.changed.wait_until(lock, at_ns(timeout_ns), ready);
    lock.release();
    return ok ? 0 : -ETIME;
}

int wait_for_fence(SyncDomain& domain, Syncobj& syncobj, uint64_t point, std::shared_ptr<Fence>* out) {
    std::unique_lock lock(domain.mutex, std::adopt_lock);
    const bool ok =
        domain.changed.wait_for(lock, std::chrono::seconds(5), [&] { return syncobj.find(point, out) == 0; });
    lock.release();
    return ok ? 0 : -ETIME;
}

}  // namespace terrazzo::winsys::virt
