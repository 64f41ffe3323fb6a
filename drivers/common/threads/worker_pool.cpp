// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A job is in the list while it has calls that no thread has taken. A job starts threads if none is idle. A
// forked child has no threads: it works alone and does not touch the state, whose locks may be held for ever.
#include "drivers/common/threads/worker_pool.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace terrazzo::threads {

struct WorkerPool::Job {
    void (*call)(void*, unsigned);
    void* work;
    unsigned count;
    unsigned next = 1;     // the next call
    unsigned running = 0;  // calls running on the pool's threads
};

struct WorkerPool::State {
    const pid_t process = getpid();
    std::mutex mutex;  // guards the members below and the jobs
    std::condition_variable wake, done;
    std::list<Job*> jobs;  // jobs with calls left
    std::vector<std::thread> threads;
    unsigned limit = 0;  // the most threads
    unsigned idle = 0;
    bool stop = false;

    void serve();
    void start_threads(unsigned wanted);
};

void WorkerPool::State::serve() {
    std::unique_lock lock(mutex);
    while (true) {
        idle++;
        wake.wait(lock, [&] { return stop || !jobs.empty(); });
        idle--;
        if (stop) return;
        Job& job = *jobs.front();
        const unsigned n = job.next++;
        if (job.next == job.count) jobs.pop_front();
        job.running++;
        lock.unlock();
        job.call(job.work, n);
        lock.lock();
        if (--job.running == 0) done.notify_all();
    }
}

/// Called with the lock held. If a thread cannot be created, fewer do the work.
void WorkerPool::State::start_threads(unsigned wanted) {
    for (unsigned n = idle; n < wanted && threads.size() < limit; n++)
        try {
            threads.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {
            return;
        } catch (const std::bad_alloc&) {
            return;
        }
}

WorkerPool::WorkerPool() : state_(new State) {}

WorkerPool::~WorkerPool() {
    if (state_->process != getpid()) return;
    {
        const std::lock_guard lock(state_->mutex);
        state_->stop = true;
    }
    state_->wake.notify_all();
    for (std::thread& thread : state_->threads)
        thread.join();
    delete state_;
}

std::shared_ptr<WorkerPool> WorkerPool::acquire(unsigned threads) {
    static std::mutex mutex;
    static std::weak_ptr<WorkerPool> shared;
    const std::lock_guard lock(mutex);
    std::shared_ptr<WorkerPool> pool = shared.lock();
    if (!pool || pool->state_->process != getpid()) {
        pool.reset(new WorkerPool);
        shared = pool;
    }
    const std::lock_guard state_lock(pool->state_->mutex);
    pool->state_->limit = std::max(pool->state_->limit, threads ? threads - 1 : 0);
    return pool;
}

void WorkerPool::run_calls(unsigned count, void (*call)(void*, unsigned), void* work) {
    Job job{call, work, count};
    State& s = *state_;
    if (count < 2 || s.process != getpid()) return call(work, 0);
    {
        const std::lock_guard lock(s.mutex);
        try {
            s.jobs.push_back(&job);
        } catch (const std::bad_alloc&) {
            job.count = 1;
        }
        if (job.count > 1) s.start_threads(count - 1);
    }
    s.wake.notify_all();
    call(work, 0);
    std::unique_lock lock(s.mutex);
    s.jobs.remove(&job);  // calls that no thread has taken are not needed
    s.done.wait(lock, [&] { return job.running == 0; });
}

}  // namespace terrazzo::threads
