// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Threads that help the virtual GPUs of a process with work that has independent parts.
#pragma once

#include <memory>

namespace terrazzo::threads {

/// Thread: any.
class WorkerPool {
  public:
    /// The process's own, shared by all who hold it. Its threads end with the last of them. `threads`: how many
    /// its holder may use, its own included; the pool has one less than the largest of these. Throws
    /// std::bad_alloc.
    [[nodiscard]] static std::shared_ptr<WorkerPool> acquire(unsigned threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Calls work(0) on this thread, and work(n), for other n below `count`, on threads that have nothing else
    /// to do: perhaps none. So work(0) alone must be able to do everything. Each n is called once at most.
    /// Returns when all calls have returned. `work` does not throw, and does not call run().
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
