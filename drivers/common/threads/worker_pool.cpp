// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A job is in the list while it has calls that no thread has taken. A job starts threads if none is idle. A
// forked child has no threads: it works alone and does not touch the state, whose locks may be held for ever.
//
// Jobs are short, and the next one often begins soon after the last one. To wake a sleeping thread takes
// longer than a small job. So an idle thread, and the thread that waits for the end of a job, first spin for
// a short time (wait_briefly()).
#include "drivers/common/threads/worker_pool.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "drivers/common/threads/cpu.h"

namespace terrazzo::threads {

namespace {

/// How often a thread looks before it sleeps: about 50 us.
constexpr unsigned kLooks = 1000;

/// Returns when done() returns true, or after a short time; at once unless it `spins`.
template <class Done>
void wait_briefly(bool spins, Done&& done) {
    for (unsigned n = 0; spins && n < kLooks && !done(); ++n) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("isb");  // takes about as long as a pause
#endif
    }
}

}  // namespace

struct WorkerPool::Job {
    void (*call)(void*, unsigned);
    void* work;
    unsigned count;
    unsigned next = 1;                 // the next call
    std::atomic<unsigned> running{0};  // calls running on the pool's threads; changes with the lock held
};

struct WorkerPool::State {
    const pid_t process = getpid();
    const bool spins = usable_cpus() > 1;  // with a single CPU, no other thread could run meanwhile
    std::mutex mutex;                      // guards the members below and the jobs
    std::condition_variable wake, done;
    std::list<Job*> jobs;               // jobs with calls left
    std::atomic<bool> has_work{false};  // there are jobs, or the threads must end; changes with the lock held
    std::vector<std::thread> threads;
    unsigned limit = 0;             // the most threads
    unsigned idle = 0, asleep = 0;  // threads without a call, and those of them that do not spin
    bool stop = false;

    void serve();
    void remove(Job* job);
    void start_threads(unsigned wanted);
};

void WorkerPool::State::serve() {
    std::unique_lock lock(mutex);
    while (true) {
        idle++;
        lock.unlock();
        wait_briefly(spins, [&] { return has_work.load(std::memory_order_relaxed); });
        lock.lock();
        asleep++;
        wake.wait(lock, [&] { return has_work.load(std::memory_order_relaxed); });
        asleep--;
        idle--;
        if (stop) return;
        Job& job = *jobs.front();
        const unsigned n = job.next++;
        if (job.next == job.count) remove(&job);
        job.running.fetch_add(1, std::memory_order_relaxed);
        lock.unlock();
        job.call(job.work, n);
        lock.lock();
        // The thread that waits for the job sees the end of its calls with the lock held.
        if (job.running.fetch_sub(1, std::memory_order_relaxed) == 1) done.notify_all();
    }
}

/// Called with the lock held.
void WorkerPool::State::remove(Job* job) {
    jobs.remove(job);
    has_work.store(stop || !jobs.empty(), std::memory_order_relaxed);
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
        state_->has_work.store(true, std::memory_order_relaxed);
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
    unsigned wakes = 0;
    {
        const std::lock_guard lock(s.mutex);
        try {
            s.jobs.push_back(&job);
        } catch (const std::bad_alloc&) {
            job.count = 1;
        }
        if (job.count > 1) {
            s.has_work.store(true, std::memory_order_relaxed);
            s.start_threads(count - 1);
            // Those that spin see the job by themselves.
            const unsigned spinning = s.idle - s.asleep;
            wakes = count - 1 > spinning ? std::min(count - 1 - spinning, s.asleep) : 0;
        }
    }
    while (wakes-- > 0)
        s.wake.notify_one();
    call(work, 0);
    std::unique_lock lock(s.mutex);
    s.remove(&job);  // calls that no thread has taken are not needed
    const auto is_done = [&] { return job.running.load(std::memory_order_relaxed) == 0; };
    if (!is_done()) {
        lock.unlock();
        wait_briefly(state_->spins, is_done);
        lock.lock();
    }
    s.done.wait(lock, is_done);
}

}  // namespace terrazzo::threads
