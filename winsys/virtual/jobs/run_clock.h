// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How long a job has run: the time in which the system had at least one of its threads on a CPU. That is the same on any number of threads, in a process whose
// other threads are busy, and where it starves or was stopped. Threads of a job are those that ask.
//
// A job is many pieces of work (draws, dispatches, blits), and the limit is meant for one: each that ends makes
// progress. Else what is killed would depend on how much a driver puts into a job.
#pragma once

#include <atomic>
#include <cstdint>

namespace terrazzo::winsys::virt {

class RunClock {
  public:
    RunClock() = default;
    RunClock(const RunClock&) = delete;
    /// So many limits are the most that a job may run: Linux' msm looks again three times at a submit that makes
    /// progress (DRM_MSM_HANGCHECK_PROGRESS_RETRIES).
    static constexpr unsigned kMostLimits = 4;

    /// On a thread of the job: it begins, or goes on after it has run for `used_ns` and made progress at `progress_ns`
    /// of them. It may run for `limit_ns` from its last progress on.
    void begin(uint64_t used_ns, uint64_t progress_ns, uint64_t limit_ns);
    /// Between two pieces of the job's work, while no other thread of it runs. Cheap.
    void note_progress();
    /// Whether the limit is over. On any thread of the job, now and then: a thread's time counts from its first question on. Cheap.
    [[nodiscard]] bool is_over() const;
    /// On a thread of the job.
    [[nodiscard]] uint64_t used_ns() const;
    [[nodiscard]] uint64_t progress_ns() const { return progress_ns_; }

  private:
    void advance(uint64_t cpu_ns, uint64_t now_ns) const;
    void set_end();

    std::atomic<uint64_t> run_{0};  // of the process, to know a thread's last question by
    std::atomic<uint64_t> end_ns_{UINT64_MAX};
    uint64_t progress_ns_ = 0, limit_ns_ = UINT64_MAX;
    mutable std::atomic<uint64_t> used_ns_{0}, counted_to_ns_{0};
};

}  // namespace terrazzo::winsys::virt
