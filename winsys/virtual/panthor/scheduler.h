// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs streams on worker threads: of the groups with something to do the one of the highest priority, among
// equals in turn; of its queues likewise. A blocked stream is tried again when another made progress, and
// every millisecond, since the CPU or another process may write the value it waits for. Without a GPU,
// streams end the moment they could start, on the thread that made them ready.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "winsys/virtual/fence.h"
#include "winsys/virtual/panthor/group.h"

namespace terrazzo::winsys::virt::panthor {

struct SchedulerOptions {
    uint32_t workers = 1;
    uint64_t run_timeout_ns = 60'000'000'000;  // of one stream; a virtual GPU is slow
    /// A stream that could run waits so long for a worker; then a spare one takes it. A GPU has its groups in
    /// turns; here a stream runs to its end, and one that does not end must not stop the others.
    uint64_t spare_wait_ns = 50'000'000;
    uint64_t blocked_timeout_ns = 5'000'000'000;     // without progress: panthor's JOB_TIMEOUT_MS
    std::function<void(const std::string&)> report;  // of faults, one line, under the lock; null: stderr
};

class Scheduler {
  public:
    Scheduler(SyncDomain& domain, Gpu* gpu, SchedulerOptions options)
        : domain_(domain), gpu_(gpu), options_(std::move(options)) {}

    [[nodiscard]] bool simulates() const { return gpu_ != nullptr; }
    [[nodiscard]] SyncDomain& domain() const { return domain_; }
    /// A group whose queues may have work. Starts the workers; -EAGAIN: no thread could be made.
    [[nodiscard]] int add(std::shared_ptr<Group> group);
    void remove(const Group* group);
    /// Some queue has work.
    void wake() { work_.notify_all(); }
    void report(const Group& group, uint32_t queue, const RunResult& result) const;
    void report(const Group& group, uint32_t queue, const char* what) const;
    /// Ends the workers; without the lock.
    void stop();
    /// Before each stream the ring wrapper flushes: the number of flushes so far is what users read in the
    /// flush-id page.
    std::function<void()> on_flush;

  private:
    struct Choice {
        std::shared_ptr<Group> group;
        Queue* queue = nullptr;
    };
    static void* worker_main(void* self);
    static void* spare_main(void* self);
    [[nodiscard]] bool start_worker(void* (*main)(void*));
    void work(bool spare);
    [[nodiscard]] Choice choose(uint64_t now_ns, bool* any_blocked);
    void run(std::unique_lock<std::mutex>& lock, Group& group, Queue& queue);
    void settle(Group& group, Queue& queue, const RunResult& result, uint64_t ran_ns);

    SyncDomain& domain_;
    Gpu* const gpu_;
    const SchedulerOptions options_;
    std::vector<std::shared_ptr<Group>> groups_;
    std::vector<pthread_t> workers_;
    std::condition_variable work_;
    uint64_t progress_ = 0, runs_ = 0;
    uint64_t changed_ns_ = 0;  // when a worker last began or ended a stream
    uint32_t spares_ = 0, busy_spares_ = 0;
    bool stopping_ = false;
};

/// "CS_INSTR_INVALID"; "unknown".
[[nodiscard]] const char* exception_name(uint32_t exception);

}  // namespace terrazzo::winsys::virt::panthor
