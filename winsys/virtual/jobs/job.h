// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A queue of jobs. They run in the order of submission, each one when the fences that it waits for have
// signalled (drm_sched_entity). Under the device's lock.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "winsys/virtual/fences/fence.h"

namespace terrazzo::winsys::virt {

struct Job {
    virtual ~Job() = default;
    std::shared_ptr<Fence> done;  // signals when the job has completed or is lost
    uint32_t missing = 0;         // fences that the job still waits for
    /// All of these fences. The job owns them, because their syncobjs may be destroyed after the submission.
    std::vector<std::shared_ptr<Fence>> waits;
};

class JobQueue {
  public:
    virtual ~JobQueue() = default;

    /// Appends a job. A ready job runs at once, or its worker is notified. Does not throw after `job` was
    /// appended.
    void push(std::shared_ptr<Job> job);
    /// Called before push(): the job waits for these fences, too. `queue` is the one it will be pushed to.
    static void depend(const std::shared_ptr<JobQueue>& queue, const std::shared_ptr<Job>& job,
                       const std::vector<std::shared_ptr<Fence>>& fences);
    /// A fence that a job waited for has signalled.
    void dependency_done(Job& job);
    [[nodiscard]] Job* head() const { return jobs_.empty() ? nullptr : jobs_.front().get(); }
    [[nodiscard]] bool head_ready() const { return !jobs_.empty() && jobs_.front()->missing == 0; }
    /// Removes and returns the head.
    std::shared_ptr<Job> pop();
    /// Runs every job that is ready.
    void pump();
    /// Ends all jobs with an error.
    void cancel(int error);
    /// Ends the last jobs with an error, as long as `which` returns true.
    void cancel_tail(int error, bool (*which)(const Job& job));

  protected:
    /// The head is ready. Either pops it, runs it and signals its fence, or leaves it in the queue for a
    /// worker.
    virtual void run_head(Job& job) = 0;

  private:
    std::deque<std::shared_ptr<Job>> jobs_;
    bool pumping_ = false;
};

}  // namespace terrazzo::winsys::virt
