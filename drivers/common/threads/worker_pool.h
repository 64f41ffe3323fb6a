// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Threads that help the virtual GPUs of a process with independent parts of work.
#pragma once

#include <memory>

namespace terrazzo::threads {

/// Thread: any.
class WorkerPool {
  public:
    /// The process' pool, shared by all holders. Its threads end when the last holder releases it. `threads`:
    /// how many the holder may use, including its own; the pool has one less than the maximum of these.
    /// Throws std::bad_alloc.
    [[nodiscard]] static std::shared_ptr<WorkerPool> acquire(unsigned threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Calls work(0) on this thread, and work(n) for other n below `count` on idle threads. There may be
    /// none, so work(0) must be able to do everything. Each n is called at most once. Returns when all calls
    /// have returned. `work` must not throw and must not call run().
    template <typename Work>
    void run(unsigned count, Work& work) {
        run_calls(
            count, [](void* w, unsigned n) { (*static_cast<Work*>(w))(n); }, &work);
    }

  private:
    struct State;
    struct Job;
    WorkerPool();
    void run_calls(unsigned count, void (*call)(void*, unsigned), void* work);

    State* const state_;
};

}  // namespace terrazzo::threads
