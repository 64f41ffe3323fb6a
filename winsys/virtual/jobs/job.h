// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work in a queue: runs in the order of submission, each when the fences that it waits for have signalled
// (drm_sched_entity). Under the device's lock.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "winsys/virtual/fences/fence.h"

namespace terrazzo::winsys::virt {

struct Job {
    virtual ~Job() = default;
    std::shared_ptr<Fence> done;  // signals when the work is done or lost
    uint32_t missing = 0;         // fences that it still waits for
    /// All those, which signal also where nobody else has them: a syncobj may be destroyed once the job is submitted.
    std::vector<std::shared_ptr<Fence>> waits;
};

class JobQueue {
  public:
    virtual ~JobQueue() = default;

    /// Appends; what is ready runs at once, or is told to whoever runs it. Does not throw after `job` is in.
    void push(std::shared_ptr<Job> job);
    /// Before push(): the job waits for these, too. `queue` is where it will be.
    static void depend(const std::shared_ptr<JobQueue>& queue, const std::shared_ptr<Job>& job,
                       const std::vector<std::shared_ptr<Fence>>& fences);
    /// A fence that a job waited for has signalled.
    void dependency_done(Job& job);
    [[nodiscard]] Job* head() const { return jobs_.empty() ? nullptr : jobs_.front().get(); }
    [[nodiscard]] bool head_ready() const { return !jobs_.empty() && jobs_.front()->missing == 0; }
    /// Takes the head away.
    std::shared_ptr<Job> pop();
    /// Lets every job that is ready run.
    void pump();
    /// Ends all jobs with an error.
    void cancel(int error);

  protected:
    /// The head is ready: either runs it and signals its fence, popping it first, or leaves it there for
    /// later.
    virtual void run_head(Job& job) = 0;

  private:
    std::deque<std::shared_ptr<Job>> jobs_;
    bool pumping_ = false;
};

}  // namespace terrazzo::winsys::virt
