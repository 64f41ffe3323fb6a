// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How long a job has run: the time in which at least one of its threads was on a CPU. The result does not
// depend on the number of threads, on the load of other threads, or on the process being stopped. A thread
// belongs to the job if it calls is_over().
//
// A job consists of many pieces of work (draws, dispatches, blits), and the limit applies to one piece: each
// piece that ends counts as progress. Otherwise the limit would depend on how much work a driver puts into a
// job.
#pragma once

#include <atomic>
#include <cstdint>

namespace terrazzo::winsys::virt {

class RunClock {
  public:
    RunClock() = default;
    RunClock(const RunClock&) = delete;
    /// A job may run for this many limits in total: Linux' msm checks a submit that makes progress three more
    /// times (DRM_MSM_HANGCHECK_PROGRESS_RETRIES).
    static constexpr unsigned kMostLimits = 4;

    /// On a thread of the job: the job begins, or continues after it has run for `used_ns`, of which
    /// `progress_ns` had passed at its last progress. It may run for `limit_ns` after its last progress.
    void begin(uint64_t used_ns, uint64_t progress_ns, uint64_t limit_ns);
    /// Between two pieces of the job's work, while no other thread of the job runs. Cheap.
    void note_progress();
    /// Whether the limit has passed. Each thread of the job calls this regularly; its time counts from its
    /// first call. Cheap.
    [[nodiscard]] bool is_over() const;
    /// On a thread of the job.
    [[nodiscard]] uint64_t used_ns() const;
    [[nodiscard]] uint64_t progress_ns() const { return progress_ns_; }

  private:
    void advance(uint64_t cpu_ns, uint64_t now_ns) const;
    void set_end();

    // unique in the process; tells whether a thread's last call was for this run
    std::atomic<uint64_t> run_{0};
    std::atomic<uint64_t> end_ns_{UINT64_MAX};
    uint64_t progress_ns_ = 0, limit_ns_ = UINT64_MAX;
    mutable std::atomic<uint64_t> used_ns_{0}, counted_to_ns_{0};
};

}  // namespace terrazzo::winsys::virt
