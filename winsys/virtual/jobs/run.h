// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work on a virtual GPU as the kernel sees it: queues, of which one of a group runs at a time, and how a run ended.
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
    Done,     // the job has ended, and all its work
    Blocked,  // waits for a value in memory; running it again continues it
    Fault,    // the rest of the job is dropped, its fence carries an error, the queue goes on with the next
    Fatal,    // the group is lost, or some of its queues: RunGroup::fatal decides
    Stopped,  // should_stop() said so
};

struct RunResult {
    RunStatus status = RunStatus::Done;
    /// Blocked: whether anything was done since the last run; then others that wait are tried again.
    bool progressed = true;
    /// Fault, Fatal: the vendor's code.
    uint32_t exception = 0;
    /// Fault, Fatal: queue, instruction, draw, shader, and what is wrong.
    std::string report;
};

/// A queue whose head runs on a virtual GPU, or ends as soon as it could where there is none. Under the device's lock.
class RunQueue : public JobQueue {
  public:
    RunQueue(uint32_t index, uint8_t priority) : index_(index), priority_(priority) {}
    [[nodiscard]] uint32_t index() const { return index_; }
    [[nodiscard]] uint8_t priority() const { return priority_; }
    /// Takes the head away, its work done or failed, and signals.
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
    uint64_t run_ns_ = 0, progress_ns_ = 0;           // how long the head has run (RunClock)
    bool blocked_ = false;                            // the head waits for memory:
    uint64_t blocked_ns_ = 0, tried_ns_ = 0;          // how long; when that was last seen
    uint64_t blocked_at_ = 0, group_blocked_at_ = 0;  // what had made progress then: all, its group
    uint64_t last_run_ = 0;                           // for taking turns
};

/// Queues that share an address space and a GPU's state of it. Under the device's lock but where it says otherwise.
class RunGroup {
  public:
    virtual ~RunGroup() = default;
    [[nodiscard]] virtual uint8_t run_priority() const = 0;  // the highest goes first
    [[nodiscard]] virtual bool can_run() const = 0;          // it is not lost
    [[nodiscard]] virtual AddressSpace& run_space() = 0;
    /// Runs the head of a queue, or goes on with it. A worker's thread, without the lock; one call at a time in a group. Throws
    /// nothing.
    [[nodiscard]] virtual RunResult run(RunQueue& queue, const Job& head) = 0;
    /// The head ended so; what becomes of the rest.
    virtual void fatal(RunQueue& queue, const RunResult& result) = 0;
    virtual void time_out(RunQueue& queue) = 0;
    /// Stops what runs; once nothing does, ends all jobs with the error that fits the group's state.
    virtual void lose() = 0;
    /// For reports: "panthor: group 1 queue 0", "CS_INSTR_INVALID".
    [[nodiscard]] virtual std::string name_of(const RunQueue& queue) const = 0;
    [[nodiscard]] virtual const char* exception_name(uint32_t exception) const = 0;

    /// Whether the running job's time is over, or its group goes. Threads of the job, cheap.
    [[nodiscard]] bool should_stop() const;
    /// A piece of the running job's work has ended: the next has the whole time again, within RunClock's bound. On
    /// the thread that is in run().
    void note_progress() { clock_.note_progress(); }

    std::vector<std::unique_ptr<RunQueue>> queues;
    bool running = false;  // a worker is in run()

  protected:
    std::atomic<bool> stop_{false};

  private:
    friend class Scheduler;
    uint64_t progress_ = 0;  // how often a job of it ended or went on
    RunClock clock_;         // of the job that runs
};

}  // namespace terrazzo::winsys::virt
