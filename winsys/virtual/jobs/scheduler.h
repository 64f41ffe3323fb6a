// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs jobs on worker threads. The group with the highest priority that has work runs first; groups of equal
// priority take turns; the same holds for a group's queues. A blocked job is tried again when another job
// made progress, and every millisecond, because the CPU or another process may write the value that it waits
// for.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "winsys/virtual/fences/fence.h"
#include "winsys/virtual/jobs/run.h"

namespace terrazzo::winsys::virt {

struct SchedulerOptions {
    uint32_t workers = 1;
    /// How long a job may run after its last progress (RunClock). A virtual GPU is slow.
    uint64_t run_timeout_ns = 60'000'000'000;
    /// If a job waits this long for a worker, a spare worker runs it. A real GPU switches between groups;
    /// here a job runs to its end, and a job that does not end must not block the other groups.
    uint64_t spare_wait_ns = 50'000'000;
    uint64_t blocked_timeout_ns = 5'000'000'000;  // without progress (panthor's JOB_TIMEOUT_MS)
    // receives a line for each fault, under the lock; empty: stderr
    std::function<void(const std::string&)> report;
};

class Scheduler {
  public:
    /// `simulates`: a GPU runs the jobs; otherwise groups complete their jobs themselves.
    Scheduler(SyncDomain& domain, bool simulates, SchedulerOptions options)
        : domain_(domain), simulates_(simulates), options_(std::move(options)) {}

    [[nodiscard]] bool simulates() const { return simulates_; }
    [[nodiscard]] SyncDomain& domain() const { return domain_; }
    /// Adds a group whose queues may have work. Starts the workers. -EAGAIN: no thread could be created.
    [[nodiscard]] int add(std::shared_ptr<RunGroup> group);
    void remove(const RunGroup* group);
    /// A queue has work.
    void wake() { work_.notify_all(); }
    /// Ends the workers. Called without the lock.
    void stop();
    /// Called before each job starts, but not when it continues.
    std::function<void()> on_start;

  private:
    struct Choice {
        std::shared_ptr<RunGroup> group;
        RunQueue* queue = nullptr;
    };
    [[nodiscard]] static bool before(const RunGroup& a, const RunQueue& qa, const RunGroup& b,
                                     const RunQueue& qb);
    static void* worker_main(void* self);
    static void* spare_main(void* self);
    [[nodiscard]] bool start_worker(void* (*main)(void*));
    void work(bool spare);
    [[nodiscard]] Choice choose(uint64_t now_ns, bool* any_blocked);
    void run(std::unique_lock<std::mutex>& lock, RunGroup& group, RunQueue& queue);
    void settle(RunGroup& group, RunQueue& queue, const RunResult& result);
    void report(const RunGroup& group, const RunQueue& queue, const RunResult& result) const;
    void report(const RunGroup& group, const RunQueue& queue, const char* what) const;

    SyncDomain& domain_;
    const bool simulates_;
    const SchedulerOptions options_;
    std::vector<std::shared_ptr<RunGroup>> groups_;
    std::vector<pthread_t> workers_;
    std::condition_variable work_;
    uint64_t progress_ = 0, runs_ = 0;
    uint64_t changed_ns_ = 0;  // when a worker last started or ended a job
    uint32_t spares_ = 0, busy_spares_ = 0;
    bool stopping_ = false;
};

}  // namespace terrazzo::winsys::virt
