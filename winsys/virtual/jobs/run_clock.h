// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How long a job has run: the time in which the system had at least one of its threads on a CPU. That is the same on any number of threads, in a process whose
// other threads are busy, and where it starves or was stopped. Threads of a job are those that ask.
#pragma once

#include <atomic>
#include <cstdint>

namespace terrazzo::winsys::virt {

class RunClock {
  public:
    RunClock() = default;
    RunClock(const RunClock&) = delete;
    /// On a thread of the job: it begins, or goes on after it has run for `used_ns`, and may run for `limit_ns`.
    void begin(uint64_t used_ns, uint64_t limit_ns);
    /// Whether the limit is over. On any thread of the job, now and then: a thread's time counts from its first question on. Cheap.
    [[nodiscard]] bool is_over() const;
    /// On a thread of the job.
    [[nodiscard]] uint64_t used_ns() const;

  private:
    void advance(uint64_t cpu_ns, uint64_t now_ns) const;

    std::atomic<uint64_t> run_{0};  // of the process, to know a thread's last question by
    std::atomic<uint64_t> limit_ns_{UINT64_MAX};
    mutable std::atomic<uint64_t> used_ns_{0}, counted_to_ns_{0};
};

}  // namespace terrazzo::winsys::virt
