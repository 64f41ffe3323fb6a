// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/thread_pool.h"

#include <pthread.h>
#include <signal.h>

#include <system_error>

namespace terrazzo::soft {

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& t : workers_)
        t.join();
}

void ThreadPool::start() {
    started_ = true;
    // The program's signal handlers are not run on our threads.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    workers_.reserve(threads_ - 1);
    for (unsigned i = 1; i < threads_; ++i) {
        // A refused thread (a process limit) is no failure: the others do its work. pthread_create's error is
        // the one thing std::thread reports by an exception.
        try {
            workers_.emplace_back(&ThreadPool::worker_main, this, i);
        } catch (const std::system_error&) {
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void ThreadPool::drain(unsigned worker) {
    for (uint32_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < items_;)
        fn_(data_, i, worker);
}

void ThreadPool::worker_main(unsigned index) {
    pthread_setname_np(pthread_self(), "terrazzo-tile");
    uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
        if (stop_) return;
        seen = generation_;
        if (!fn_) continue;  // the job was over before this thread woke
        ++busy_;
        lock.unlock();
        drain(index);
        lock.lock();
        if (--busy_ == 0) done_.notify_one();
    }
}

void ThreadPool::run(uint32_t items, Fn fn, void* data, bool parallel) {
    if (!parallel || threads_ == 1 || items < 2 || !owner_.try_lock()) {
        for (uint32_t i = 0; i < items; ++i)
            fn(data, i, 0);
        return;
    }
    std::lock_guard owner(owner_, std::adopt_lock);
    if (!started_) start();
    {
        std::lock_guard lock(mutex_);
        fn_ = fn;
        data_ = data;
        items_ = items;
        next_.store(0, std::memory_order_relaxed);
        ++generation_;
    }
    wake_.notify_all();
    drain(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
    fn_ = nullptr;
}

}  // namespace terrazzo::soft
