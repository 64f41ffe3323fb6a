// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/screen/thread_pool.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "pipe/screen.h"

namespace terrazzo::soft {

namespace {

constexpr int kRepairing = -1;  // a value of pid_: a thread is resetting the pool
/// How often to check for the end of the last items before sleeping: about as long as falling asleep and
/// waking take.
constexpr int kSpins = 200;
/// A worker runs tile kernels, one shader (kMaxFrame_B) and its texture sampling: less than 64 KiB, several
/// times that if a sanitizer pads frames. The guard is larger than any of our frames.
constexpr size_t kWorkerStack_B = size_t(1) << 20, kWorkerGuard_B = size_t(64) << 10;
/// How long a caller that only polls works if no other thread does.
constexpr std::chrono::microseconds kPollWork{2000};

void pause_cpu() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

struct ThreadStart {
    ThreadPool* pool;
    unsigned worker;
};

}  // namespace

ThreadPool::ThreadPool(unsigned threads, const Executor& executor)
    : threads_(threads ? threads : 1), executor_(executor), pid_(getpid()) {}

bool ThreadPool::start() {
    if (threads_ == 1) return false;
    check_fork();
    const Lock lock(mutex_);
    if (!started_) make_scratch();
    if (executor_.run) {
        if (!started_) {
            free_workers_.reserve(threads_ - 1);
            for (unsigned i = threads_ - 1; i > 0; --i)
                free_workers_.push_back(i);
        }
        started_ = true;
        return true;
    }
    if (started_) return !workers_.empty();
    workers_.reserve(threads_ - 1);
    started_ = true;
    // Our threads must not run the program's signal handlers.
    sigset_t all, old;
    sigfillset(&all);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return false;
    pthread_attr_setstacksize(&attributes, kWorkerStack_B);
    pthread_attr_setguardsize(&attributes, kWorkerGuard_B);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    // If a thread cannot be created (a process limit), the others do its work.
    for (unsigned i = 1; i < threads_; ++i) {
        ThreadStart* const arg = new (std::nothrow) ThreadStart{this, i};
        pthread_t thread;
        if (!arg || pthread_create(&thread, &attributes, thread_main, arg)) {
            delete arg;
            break;
        }
        workers_.push_back(thread);
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    pthread_attr_destroy(&attributes);
    return !workers_.empty();
}

/// If it fails half way, the next call continues from there.
void ThreadPool::make_scratch() {
    scratch_.reserve(threads_ - 1);
    while (scratch_.size() + 1 < threads_)
        scratch_.push_back(std::make_unique<TileScratch>());
    if (arrays_)
        for (const auto& s : scratch_)
            s->memory.reserve_arrays();
}

void ThreadPool::reserve_arrays(JobQueue& q) {
    check_fork();
    const Lock lock(mutex_);
    q.scratch.memory.reserve_arrays();
    for (const auto& s : scratch_)
        s->memory.reserve_arrays();
    arrays_ = true;
}

void ThreadPool::stop() {
    check_fork();
    Lock lock(mutex_);
    stop_ = true;
    wake_.notify_all();
    // Tasks that the executor has not run yet will find no work; they hold a reference.
    done_.wait(lock, [&] { return !executor_.run || free_workers_.size() + 1 == threads_ || !started_; });
    lock.unlock();
    for (const pthread_t t : workers_)
        pthread_join(t, nullptr);
    workers_.clear();
}

// --- after a fork ------------------------------------------------------------------------------------------

/// A child process has no workers, and locks that were held during fork() stay locked. The first thread that
/// notices resets the pool.
void ThreadPool::check_fork() {
    const int pid = getpid();
    int seen = pid_.load(std::memory_order_acquire);
    while (seen != pid) {
        if (seen != kRepairing && pid_.compare_exchange_strong(seen, kRepairing)) {
            forget_threads();
            pid_.store(pid, std::memory_order_release);
            return;
        }
        sched_yield();
        seen = pid_.load(std::memory_order_acquire);
    }
}

/// Work in progress is lost, since its state is unknown.
void ThreadPool::forget_threads() {
    new (&mutex_) std::mutex;
    new (&wake_) std::condition_variable;
    new (&done_) std::condition_variable;
    workers_.clear();
    free_workers_.clear();
    idle_ = waiting_ = lent_ = 0;
    started_ = false;
    unserved_.store(0, std::memory_order_relaxed);
    for (JobQueue* q : queues_) {
        q->front_ = q->back_ = nullptr;
        q->done_.store(q->added_, std::memory_order_release);
    }
}

// --- queues ------------------------------------------------------------------------------------------------

void ThreadPool::attach(JobQueue& q) {
    check_fork();
    const Lock lock(mutex_);
    queues_.push_back(&q);
}

void ThreadPool::detach(JobQueue& q) {
    check_fork();
    const Lock lock(mutex_);
    queues_.erase(std::find(queues_.begin(), queues_.end(), &q));
}

/// A queue whose first job has items left; preferably one that no thread serves. Queues take turns.
JobQueue* ThreadPool::find_work() {
    JobQueue* served = nullptr;
    for (size_t i = 0; i < queues_.size(); ++i) {
        if (++turn_ >= queues_.size()) turn_ = 0;
        JobQueue* const q = queues_[turn_];
        if (is_unserved(q->front_)) return q;
        if (!served && q->front_ && q->front_->has_items()) served = q;
    }
    return served;
}

void ThreadPool::note_served(const PoolJob* job, bool before) {
    const bool after = is_unserved(job);
    if (before != after) unserved_.fetch_add(after ? 1 : uint32_t(-1), std::memory_order_relaxed);
}

/// Makes `job`, which no thread works on yet, the queue's first one; null: there is none.
void ThreadPool::set_front(JobQueue& q, PoolJob* job) {
    q.front_ = job;
    if (!job) q.back_ = nullptr;
    note_served(job, false);
}

/// Whether a thread is or will soon be available for a queue that no thread serves.
bool ThreadPool::can_serve() const {
    return idle_ || (executor_.run && lent_ < threads_ - 1);
}

uint64_t ThreadPool::add(JobQueue& q, PoolJob& job) {
    check_fork();
    job.next_.store(0, std::memory_order_relaxed);
    job.after_ = nullptr;
    job.active_ = 0;
    job.helped_ = false;
    job.limit_ = 0;
    job.unserved_ = &unserved_;
    Lock lock(mutex_);
    const uint64_t seq = job.seq_ = ++q.added_;
    const bool first = !q.back_;
    if (first)
        set_front(q, &job);
    else
        q.back_->after_ = &job;
    q.back_ = &job;
    if (first) wake(lock, job.items_);
    return seq;
}

/// Lets up to `items` more threads look for work. Unlocks temporarily if they are the executor's.
void ThreadPool::wake(Lock& lock, uint32_t items) {
    if (!executor_.run) {
        if (idle_ && items == 1)
            wake_.notify_one();
        else if (idle_)
            wake_.notify_all();
        return;
    }
    const uint32_t n = std::min<uint32_t>(items, threads_ - 1 - lent_);
    if (!n) return;
    lent_ += n;
    lock.unlock();
    for (uint32_t i = 0; i < n; ++i) {
        add_ref();  // the task's reference
        executor_.run(executor_.user, executor_task, this);
    }
    lock.lock();
}

/// Works on the queue's first job until it has no items left or another queue needs the thread more. The last
/// thread to leave completes the job.
void ThreadPool::run_front(Lock& lock, JobQueue& q, unsigned worker, TileScratch& scratch) {
    PoolJob& job = *q.front_;
    const bool was_unserved = is_unserved(&job);
    ++job.active_;
    scratch.tile.args.arrays = scratch.memory.arrays();
    note_served(&job, was_unserved);
    lock.unlock();
    job.work(worker, scratch.tile);
    lock.lock();
    if (--job.active_) return;
    if (job.has_items()) {
        note_served(&job, false);
        if (waiting_) done_.notify_all();  // waiting threads may work on it now
        return;
    }
    job.finish();
    PoolJob* const next = job.after_;
    set_front(q, next);
    q.done_.store(job.seq_, std::memory_order_release);  // the job belongs to its owner again
    if (waiting_) done_.notify_all();
    if (next) wake(lock, next->items_ - 1);
}

bool ThreadPool::wait(JobQueue& q, uint64_t seq, uint64_t timeout_ns) {
    check_fork();
    if (q.done(seq)) return true;
    if (timeout_ns == 0 && !unserved_.load(std::memory_order_relaxed)) return false;
    const bool forever = timeout_ns == pipe::Fence::kForever;
    using Clock = std::chrono::steady_clock;
    // Clamped to about a century, so that the sum does not overflow.
    const Clock::time_point begin = Clock::now();
    const Clock::time_point end =
        begin + std::chrono::nanoseconds(std::min<uint64_t>(timeout_ns, uint64_t(3) << 60));
    Lock lock(mutex_);
    while (!q.done(seq)) {
        PoolJob* const job = q.front_;
        // A caller with a time limit cannot know how long an item takes, so it works only if no other thread
        // does.
        if (job && !job->helped_ && job->has_items() && (forever || (!job->active_ && !can_serve()))) {
            const uint64_t job_seq = job->seq_;
            job->helped_ = true;
            job->limit_ = forever ? 0 : 2;
            run_front(lock, q, 0, q.scratch);
            if (!forever) {
                if (!q.done(job_seq)) job->helped_ = false;
                if (q.done(seq) || Clock::now() >= std::max(end, begin + kPollWork)) return q.done(seq);
                continue;
            }
            lock.unlock();
            for (int i = 0; i < kSpins && !q.done(seq); ++i)
                pause_cpu();
            lock.lock();
            continue;
        }
        if (timeout_ns == 0) return false;
        ++waiting_;
        bool in_time = true;
        if (forever)
            done_.wait(lock);
        else
            in_time = done_.wait_until(lock, end) == std::cv_status::no_timeout;
        --waiting_;
        if (!in_time) return q.done(seq);
    }
    return true;
}

// --- workers -----------------------------------------------------------------------------------------------

void* ThreadPool::thread_main(void* arg) {
    const ThreadStart start = *static_cast<ThreadStart*>(arg);
    delete static_cast<ThreadStart*>(arg);
    pthread_setname_np(pthread_self(), "terrazzo-tile");
    start.pool->serve(start.worker);
    return nullptr;
}

void ThreadPool::serve(unsigned worker) {
    Lock lock(mutex_);
    while (!stop_) {
        if (JobQueue* const q = find_work()) {
            run_front(lock, *q, worker, *scratch_[worker - 1]);
            continue;
        }
        ++idle_;
        wake_.wait(lock);
        --idle_;
    }
}

/// A lent thread returns as soon as there is no work.
void ThreadPool::executor_task(void* arg) {
    const pipe::Ref<ThreadPool> pool = pipe::Ref<ThreadPool>::adopt(static_cast<ThreadPool*>(arg));
    Lock lock(pool->mutex_);
    if (!pool->stop_ && !pool->free_workers_.empty()) {
        const unsigned worker = pool->free_workers_.back();
        pool->free_workers_.pop_back();
        while (JobQueue* const q = pool->find_work())
            pool->run_front(lock, *q, worker, *pool->scratch_[worker - 1]);
        pool->free_workers_.push_back(worker);  // its capacity was reserved
    }
    --pool->lent_;
    if (pool->stop_) pool->done_.notify_all();
}

}  // namespace terrazzo::soft
