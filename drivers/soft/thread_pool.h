// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The threads that work on tiles. Shared by all contexts of a screen; started when first needed.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace terrazzo::soft {

class ThreadPool {
  public:
    /// `threads`: how many work on a job at most, the caller included; at least 1.
    explicit ThreadPool(unsigned threads) : threads_(threads ? threads : 1) {}
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] unsigned threads() const { return threads_; }

    /// Calls fn(data, item, worker) once for each item of [0, items), worker < threads(), 0 being the
    /// caller's thread; returns when all are done. Any thread may call it; where the pool is busy, the caller
    /// works alone. Two calls with the same `worker` never overlap within one run.
    using Fn = void (*)(void* data, uint32_t item, unsigned worker);
    void run(uint32_t items, Fn fn, void* data, bool parallel);

  private:
    void start();
    void worker_main(unsigned index);
    void drain(unsigned worker);

    const unsigned threads_;
    std::mutex owner_;  // held by the run that uses the workers
    std::mutex mutex_;  // guards what follows
    std::condition_variable wake_, done_;
    std::vector<std::thread> workers_;
    uint64_t generation_ = 0;
    unsigned busy_ = 0;
    bool stop_ = false, started_ = false;

    Fn fn_ = nullptr;
    void* data_ = nullptr;
    uint32_t items_ = 0;
    alignas(64) std::atomic<uint32_t> next_{0};
};

}  // namespace terrazzo::soft
