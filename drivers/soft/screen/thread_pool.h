// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The threads that work on tiles, shared by all contexts of a screen. Each context has a queue of jobs, done
// one after the other; the items of a queue's first job are taken by all workers, and by a thread that waits
// for that queue. Threads are started by the first job, or are the executor's. No queue waits for another's
// work: a worker goes on to a queue that nobody serves when the item at hand is done, and where that takes
// long, who waits for a queue or asks whether it is done works on it himself.
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

/// What a thread that works on tiles keeps; too large for the stack of a thread that is not ours.
struct TileScratch {
    TileScratch() { tile.args.work = memory.work(); }
    TileWorker tile;
    ShaderMemory memory;
};

/// Work in `items` parts that any thread may take in any order. The owner keeps it alive until it is done.
class PoolJob {
  public:
    virtual ~PoolJob() = default;

  protected:
    /// Takes items until none are left. Each `worker` is in one thread only at a time; 0 is the one who
    /// waits.
    virtual void work(unsigned worker, TileWorker& scratch) = 0;
    /// All items are done, and nobody was told of it. Called with the pool locked.
    virtual void finish() = 0;

    /// Takes an item. False: none is left, or `worker` should do something else first.
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
    bool helped_ = false;                              // worker 0 was given away
    uint32_t limit_ = 0;                               // worker 0 leaves when this comes to 1; 0: never
    const std::atomic<uint32_t>* unserved_ = nullptr;  // the pool's
};

class ThreadPool final : public pipe::RefCounted {
    using Lock = std::unique_lock<std::mutex>;

  public:
    /// `threads`: how many work on a job at most, one that waits for it included; at least 1.
    explicit ThreadPool(unsigned threads, const Executor& executor = {});

    [[nodiscard]] unsigned threads() const { return threads_; }
    /// Whether jobs may be added: false where no second thread can be had, and the caller must do its work
    /// alone. Throws std::bad_alloc.
    [[nodiscard]] bool start();
    /// Before the first job of this queue whose shaders have arrays: reserves them for all who may run it.
    /// Throws std::bad_alloc.
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
    /// Nothing may be queued.
    void detach(JobQueue& q);
    /// Appends a job; start() must have returned true. Returns its number in the queue.
    uint64_t add(JobQueue& q, PoolJob& job);
    /// Waits until the queue's jobs up to `seq` are done; works on them where it may wait for ever, and an
    /// item at a time where nobody else does.
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
    std::atomic<int> pid_;  // of the process whose threads these are
    std::mutex mutex_;      // guards all that follows, and the jobs' and queues' private parts
    std::condition_variable wake_, done_;
    std::vector<JobQueue*> queues_;
    size_t turn_ = 0;  // in queues_: who is served next
    std::vector<pthread_t> workers_;
    std::vector<std::unique_ptr<TileScratch>> scratch_;  // of worker 1, 2, ...
    bool arrays_ = false;                                // reserved
    std::vector<unsigned> free_workers_;                 // numbers that executor's tasks may have
    unsigned idle_ = 0, waiting_ = 0, lent_ = 0;
    bool started_ = false, stop_ = false;
    std::atomic<uint32_t> unserved_{0};  // queues whose first job has items and no thread
};

/// The jobs of one context, in order. Outlives the context where a fence holds it.
class JobQueue final : public pipe::RefCounted {
  public:
    /// Throws std::bad_alloc.
    explicit JobQueue(pipe::Ref<ThreadPool> pool) : pool_(std::move(pool)) { pool_->attach(*this); }
    /// Before the owner lets go of it; nothing may be queued. Fences go on to say that all is done.
    void close() {
        pool_->detach(*this);
        open_ = false;
    }

    [[nodiscard]] bool done(uint64_t seq) const { return done_.load(std::memory_order_acquire) >= seq; }
    void reserve_arrays() { pool_->reserve_arrays(*this); }
    bool wait(uint64_t seq, uint64_t timeout_ns) { return done(seq) || pool_->wait(*this, seq, timeout_ns); }
    /// Of worker 0. The owner may use it while nothing is queued.
    TileScratch scratch;

  private:
    friend class ThreadPool;
    ~JobQueue() override {
        if (open_) close();  // the owner was never completed
    }

    const pipe::Ref<ThreadPool> pool_;
    bool open_ = true;
    std::atomic<uint64_t> done_{0};
    PoolJob *front_ = nullptr, *back_ = nullptr;
    uint64_t added_ = 0;
};

}  // namespace terrazzo::soft
