// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work on a virtual GPU from the kernel's view: groups of queues, of which one queue per group runs at a
// time, and how a run ended.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "winsys/virtual/jobs/job.h"
#include "winsys/virtual/jobs/run_clock.h"
#include "winsys/virtual/memory/address_space.h"

namespace terrazzo::winsys::virt {

enum class RunStatus : uint8_t {
    Done,     // the job and all its work have ended
    Blocked,  // the job waits for a value in memory; running it again continues it
    // the rest of the job is dropped, its fence has an error, and the queue continues with the next job
    Fault,
    Fatal,    // the group or some of its queues are lost: RunGroup::fatal decides
    Stopped,  // should_stop() returned true
};

struct RunResult {
    RunStatus status = RunStatus::Done;
    /// Blocked: whether the job did anything since its last run. If so, other blocked jobs are tried again.
    bool progressed = true;
    /// Fault, Fatal: the vendor's code.
    uint32_t exception = 0;
    /// Fault, Fatal: names queue, instruction, draw and shader, and the error.
    std::string report;
    /// Fault, Fatal: the address that the GPU may not access, if that was the error.
    uint64_t address = 0;
};

/// A queue whose head runs on a virtual GPU. Without a GPU, jobs end as soon as they are ready. Under the
/// device's lock.
class RunQueue : public JobQueue {
  public:
    RunQueue(uint32_t index, uint8_t priority) : index_(index), priority_(priority) {}
    [[nodiscard]] uint32_t index() const { return index_; }
    [[nodiscard]] uint8_t priority() const { return priority_; }
    /// Removes the head, completed or failed, and signals its fence.
    void finish_head(int error) {
        run_ns_ = progress_ns_ = 0;
        blocked_ = false;
        end_head(pop(), error);
    }

  protected:
    virtual void end_head(std::shared_ptr<Job> job, int error) = 0;

  private:
    friend class Scheduler;
    const uint32_t index_;
    const uint8_t priority_;
    uint64_t run_ns_ = 0, progress_ns_ = 0;   // how long the head has run (RunClock)
    bool blocked_ = false;                    // the head waits for a value in memory
    uint64_t blocked_ns_ = 0, tried_ns_ = 0;  // how long it has been blocked; when it was last tried
    // the progress counts of scheduler and group at that time
    uint64_t blocked_at_ = 0, group_blocked_at_ = 0;
    uint64_t last_run_ = 0;  // the number of its last run, for round robin
};

/// Queues that share an address space and the GPU's state for it. Under the device's lock, except where a
/// comment says otherwise.
class RunGroup {
  public:
    virtual ~RunGroup() = default;
    [[nodiscard]] virtual uint8_t run_priority() const = 0;  // the highest runs first
    [[nodiscard]] virtual bool can_run() const = 0;          // false once the group is lost
    [[nodiscard]] virtual AddressSpace& run_space() = 0;
    /// Runs the head of a queue or continues it. On a worker's thread, without the lock; one call at a time
    /// per group. Must not throw.
    [[nodiscard]] virtual RunResult run(RunQueue& queue, const Job& head) = 0;
    /// The head ended with Fatal. Decides what happens to the other jobs.
    virtual void fatal(RunQueue& queue, const RunResult& result) = 0;
    virtual void time_out(RunQueue& queue) = 0;
    /// Stops the running job. Once none runs, ends all jobs with the error that matches the group's state.
    virtual void lose() = 0;
    /// For reports: "panthor: group 1 queue 0", "CS_INSTR_INVALID".
    [[nodiscard]] virtual std::string name_of(const RunQueue& queue) const = 0;
    [[nodiscard]] virtual const char* exception_name(uint32_t exception) const = 0;

    /// Whether the running job has used up its time or its group is being destroyed. Called by the job's
    /// threads; cheap.
    [[nodiscard]] bool should_stop() const;
    /// A part of the running job's work has completed: the next part has the full time again, within
    /// RunClock's bound. On the thread that is in run().
    void note_progress() { clock_.note_progress(); }

    std::vector<std::unique_ptr<RunQueue>> queues;
    bool running = false;  // a worker is in run()

  protected:
    std::atomic<bool> stop_{false};

  private:
    friend class Scheduler;
    uint64_t progress_ = 0;  // how often a job of the group ended or made progress
    RunClock clock_;         // of the running job
};

}  // namespace terrazzo::winsys::virt
