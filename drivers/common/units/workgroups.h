// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The workgroups of a dispatch on several threads. They start in their order, so that one may wait for an
// earlier one. Results do not depend on the number of threads, except where shaders leave the order open.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "drivers/common/units/areas.h"

namespace terrazzo::units {

/// A box of workgroups, or of the invocations of one: numbered by x, then y, then z.
struct Grid {
    uint32_t size[3] = {1, 1, 1};
    uint64_t count() const { return uint64_t(size[0]) * size[1] * size[2]; }
    /// Whether the count is below 2^64.
    bool is_countable() const {
        const uint64_t row = uint64_t(size[0]) * size[1];
        return !row || size[2] <= UINT64_MAX / row;
    }
    /// The position of number `n`, which must be below count().
    std::array<uint32_t, 3> place_of(uint64_t n) const {
        return {uint32_t(n % size[0]), uint32_t(n / size[0] % size[1]), uint32_t(n / size[0] / size[1])};
    }
    /// Goes to the next position. False: that is the first one again.
    bool step(std::array<uint32_t, 3>* place) const {
        for (unsigned axis = 0; axis < 3; ++axis) {
            if (++(*place)[axis] < size[axis]) return true;
            (*place)[axis] = 0;
        }
        return false;
    }
};

struct WorkgroupRange {
    uint64_t first = 0, end = 0;
    unsigned together = 1;  // workgroups that share a wave
    uint64_t count() const { return end - first; }
};

/// `workgroup`: of a fault, the one that faulted.
template <class Fault>
struct WorkgroupFailure {
    Fault fault;
    uint64_t workgroup = 0;
};

/// The number of threads that pays off for so many workgroups of `waves` waves each.
inline unsigned workgroup_threads(uint64_t workgroups, unsigned waves, uint64_t allowed) {
    constexpr uint64_t kWavesAThread = 16, kMost = 63;
    return unsigned(std::clamp<uint64_t>(std::min(workgroups * waves / kWavesAThread, allowed), 1, kMost));
}

/// Calls run(worker, &workgroup, end, &fault) for the workgroups of the range, `together` at a time. If it
/// returns false, *workgroup is the faulting one; the first of several is reported. out_of_memory(&fault)
/// reports that the host has no memory; should_stop() is called before each few workgroups.
template <class Fault, class Run, class OutOfMemory, class Stop>
AreaResult run_workgroups(const WorkgroupRange& range, const AreaThreads& on, Run&& run,
                          OutOfMemory&& out_of_memory, Stop&& should_stop, WorkgroupFailure<Fault>* failure) {
    constexpr uint64_t kMostTaken = 64, kTakesAThread = 16;
    const uint64_t count = range.count(), together = range.together;
    // A thread takes several at a time. Which ones share a wave does not depend on the number of threads.
    uint64_t taken =
        std::max(count >> 31, std::clamp<uint64_t>(count / on.count / kTakesAThread, 1, kMostTaken));
    taken = (taken + together - 1) / together * together;
    const auto take = [&](unsigned worker, unsigned n, WorkgroupFailure<Fault>* mine) {
        const uint64_t first = range.first + n * taken, end = first + std::min(taken, range.end - first);
        for (uint64_t at = first; at < end; at += std::min(together, end - at)) {
            mine->workgroup = at;
            if (!run(worker, &mine->workgroup, at + std::min(together, end - at), &mine->fault)) return false;
        }
        return true;
    };
    return run_areas(
        unsigned(count / taken + (count % taken != 0)), on, take,
        [&](WorkgroupFailure<Fault>* mine) { out_of_memory(&mine->fault); }, should_stop, failure);
}

}  // namespace terrazzo::units
