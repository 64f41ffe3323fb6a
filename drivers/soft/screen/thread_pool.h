// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The threads that draw tiles, shared by all contexts of a screen. Each context has a queue of jobs, which
// run in order. All workers, and threads that wait for the queue, take items of a queue's first job. The
// first job starts the threads, or an executor provides them. No queue waits for another queue's work: after
// each item, a worker moves to a queue that no thread serves. If that takes long, a thread that waits for a
// queue or polls it works on it itself.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/programs/executor.h"
#include "drivers/soft/programs/shader_memory.h"
#include "pipe/ref.h"

namespace terrazzo::soft {

class JobQueue;

/// The state of a thread that draws tiles; too large for the stack of a thread that is not ours.
struct TileScratch {
    TileScratch() { tile.args.work = memory.work(); }
    TileWorker tile;
    ShaderMemory memory;
};

/// Work in `items` parts that any threads may process in any order. The owner keeps it alive until it is
/// done.
class PoolJob {
  public:
    virtual ~PoolJob() = default;

  protected:
    /// Processes items until none is left. Only one thread at a time has a given `worker` number; 0 is the
    /// waiting thread.
    virtual void work(unsigned worker, TileWorker& scratch) = 0;
    /// All items are done, and waiting threads have not been notified yet. Called with the pool locked.
    virtual void finish() = 0;

    /// Takes an item. False: none is left, or `worker` must do something else first.
    [[nodiscard]] bool next(unsigned worker, uint32_t* item) {
        if (worker ? unserved_->load(std::memory_order_relaxed) != 0 : limit_ && limit_-- == 1) return false;
        *item = next_.fetch_add(1, std::memory_order_relaxed);
        return *item < items_;
    }
    uint32_t items_ = 0;

  private:
    friend class ThreadPool;
    alignas(64) std::atomic<uint32_t> next_{0};
    uint64_t seq_ = 0;
    PoolJob* after_ = nullptr;
    [[nodiscard]] bool has_items() const { return next_.load(std::memory_order_relaxed) < items_; }
    unsigned active_ = 0;                              // threads inside work()
    bool helped_ = false;                              // a thread is worker 0
    uint32_t limit_ = 0;                               // worker 0 leaves when this reaches 1; 0: never
    const std::atomic<uint32_t>* unserved_ = nullptr;  // the pool's
};

class ThreadPool final : public pipe::RefCounted {
    using Lock = std::unique_lock<std::mutex>;

  public:
    /// `threads`: the most threads that work on a job, including one that waits for it; at least 1.
    explicit ThreadPool(unsigned threads, const Executor& executor = {});

    [[nodiscard]] unsigned threads() const { return threads_; }
    /// Whether jobs may be added. False: no second thread is available, and the caller must do its work
    /// alone. Throws std::bad_alloc.
    [[nodiscard]] bool start();
    /// Called before the queue's first job whose shaders have arrays: allocates them for all threads that may
    /// run it. Throws std::bad_alloc.
    void reserve_arrays(JobQueue& q);
    /// For tests.
    [[nodiscard]] bool has_threads() {
        const Lock lock(mutex_);
        return started_;
    }
    /// Ends the threads. No queue may be attached.
    void stop();

    /// Throws std::bad_alloc.
    void attach(JobQueue& q);
    /// No job may be queued.
    void detach(JobQueue& q);
    /// Appends a job; start() must have returned true. Returns the job's number in the queue.
    uint64_t add(JobQueue& q, PoolJob& job);
    /// Waits until the queue's jobs up to `seq` are done. Works on them if the wait is unlimited; otherwise
    /// one item at a time, if no other thread does.
    bool wait(JobQueue& q, uint64_t seq, uint64_t timeout_ns);

  private:
    ~ThreadPool() override { stop(); }

    [[nodiscard]] JobQueue* find_work();
    void run_front(Lock& lock, JobQueue& q, unsigned worker, TileScratch& scratch);
    void make_scratch();
    void wake(Lock& lock, uint32_t items);
    void set_front(JobQueue& q, PoolJob* job);
    void note_served(const PoolJob* job, bool before);
    [[nodiscard]] static bool is_unserved(const PoolJob* job) {
        return job && !job->active_ && job->has_items();
    }
    [[nodiscard]] bool can_serve() const;
    static void* thread_main(void* arg);
    void serve(unsigned worker);
    static void executor_task(void* arg);
    void check_fork();
    void forget_threads();

    const unsigned threads_;
    const Executor executor_;
    std::atomic<int> pid_;  // the process that the threads belong to
    std::mutex mutex_;      // guards all members below, and the jobs' and queues' private parts
    std::condition_variable wake_, done_;
    std::vector<JobQueue*> queues_;
    size_t turn_ = 0;  // index in queues_ of the queue to serve next
    std::vector<pthread_t> workers_;
    std::vector<std::unique_ptr<TileScratch>> scratch_;  // for worker 1, 2, ...
    bool arrays_ = false;                                // allocated
    std::vector<unsigned> free_workers_;                 // worker numbers that executor tasks may use
    unsigned idle_ = 0, waiting_ = 0, lent_ = 0;
    bool started_ = false, stop_ = false;
    std::atomic<uint32_t> unserved_{0};  // queues whose first job has items, but no thread
};

/// The jobs of a context, in order. May outlive the context if a fence refers to it.
class JobQueue final : public pipe::RefCounted {
  public:
    /// Throws std::bad_alloc.
    explicit JobQueue(pipe::Ref<ThreadPool> pool) : pool_(std::move(pool)) { pool_->attach(*this); }
    /// Called before the owner releases it; no job may be queued. Fences that refer to it are signalled.
    void close() {
        pool_->detach(*this);
        open_ = false;
    }

    [[nodiscard]] bool done(uint64_t seq) const { return done_.load(std::memory_order_acquire) >= seq; }
    void reserve_arrays() { pool_->reserve_arrays(*this); }
    bool wait(uint64_t seq, uint64_t timeout_ns) { return done(seq) || pool_->wait(*this, seq, timeout_ns); }
    /// For worker 0. The owner may use it while no job is queued.
    TileScratch scratch;

  private:
    friend class ThreadPool;
    ~JobQueue() override {
        if (open_) close();  // the owner's constructor failed
    }

    const pipe::Ref<ThreadPool> pool_;
    bool open_ = true;
    std::atomic<uint64_t> done_{0};
    PoolJob *front_ = nullptr, *back_ = nullptr;
    uint64_t added_ = 0;
};

}  // namespace terrazzo::soft
