// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/jobs/scheduler.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "winsys/clock.h"

namespace terrazzo::winsys::virt {
namespace {

constexpr uint64_t kRetry_ns = 1'000'000;
constexpr uint32_t kMaxSpares = 8;
/// A longer time between two tries counts as this much: this process was stopped, or other groups ran.
constexpr uint64_t kLongestRetry_ns = 10 * kRetry_ns;

/// The stack of a worker, on which a virtual GPU runs: as large as a thread's default.
constexpr size_t kWorkerStack_B = size_t(8) << 20, kWorkerGuard_B = size_t(64) << 10;

}  // namespace

/// Whether queue `qa` runs before queue `qb`.
bool Scheduler::before(const RunGroup& a, const RunQueue& qa, const RunGroup& b, const RunQueue& qb) {
    if (a.run_priority() != b.run_priority()) return a.run_priority() > b.run_priority();
    if (&a == &b && qa.priority() != qb.priority()) return qa.priority() > qb.priority();
    return qa.last_run_ < qb.last_run_;
}

bool RunGroup::should_stop() const {
    return stop_.load(std::memory_order_relaxed) || clock_.is_over();
}

int Scheduler::add(std::shared_ptr<RunGroup> group) {
    groups_.reserve(groups_.size() + 1);
    workers_.reserve(options_.workers + kMaxSpares);
    if (simulates_ && workers_.empty()) {
        for (uint32_t i = 0; i < options_.workers; i++)
            (void)start_worker(worker_main);
        if (workers_.empty()) return -EAGAIN;
    }
    groups_.push_back(std::move(group));
    // Without a spare worker the groups wait for each other.
    if (simulates_ && groups_.size() > 1 && spares_ == 0 && start_worker(spare_main)) spares_++;
    return 0;
}

/// workers_ has capacity for one more.
bool Scheduler::start_worker(void* (*main)(void*)) {
    // The application's threads handle the signals.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_t attributes;
    bool ok = false;
    if (pthread_attr_init(&attributes) == 0) {
        pthread_attr_setstacksize(&attributes, kWorkerStack_B);
        pthread_attr_setguardsize(&attributes, kWorkerGuard_B);
        pthread_t thread;
        ok = pthread_create(&thread, &attributes, main, this) == 0;
        if (ok) workers_.push_back(thread);
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    return ok;
}

void Scheduler::remove(const RunGroup* group) {
    std::erase_if(groups_, [&](const auto& g) { return g.get() == group; });
}

void Scheduler::report(const RunGroup& group, const RunQueue& queue, const char* what) const {
    char line[512];
    snprintf(line, sizeof line, "terrazzo: %s: %s", group.name_of(queue).c_str(), what);
    if (options_.report)
        options_.report(line);
    else
        fprintf(stderr, "%s\n", line);
}

void Scheduler::report(const RunGroup& group, const RunQueue& queue, const RunResult& result) const {
    char text[448];
    snprintf(text, sizeof text, "%s, exception 0x%02x (%s): %s",
             result.status == RunStatus::Fault ? "fault" : "fatal", result.exception,
             group.exception_name(result.exception), result.report.c_str());
    report(group, queue, text);
}

void Scheduler::stop() {
    {
        const std::lock_guard lock(domain_.mutex);
        stopping_ = true;
        for (const auto& group : groups_)
            group->stop_.store(true, std::memory_order_relaxed);
        work_.notify_all();
    }
    for (const pthread_t thread : workers_)
        pthread_join(thread, nullptr);
    workers_.clear();
    const std::lock_guard lock(domain_.mutex);
    groups_.clear();
}

void* Scheduler::worker_main(void* self) {
    static_cast<Scheduler*>(self)->work(false);
    return nullptr;
}

void* Scheduler::spare_main(void* self) {
    static_cast<Scheduler*>(self)->work(true);
    return nullptr;
}

Scheduler::Choice Scheduler::choose(uint64_t now_ns, bool* any_blocked) {
    Choice best;
    for (const auto& group : groups_) {
        if (group->running || !group->can_run()) continue;
        for (const auto& queue : group->queues) {
            if (!queue->head_ready()) continue;
            if (queue->blocked_ && queue->blocked_at_ == progress_ && now_ns < queue->tried_ns_ + kRetry_ns) {
                *any_blocked = true;
                continue;
            }
            if (!best.queue || before(*group, *queue, *best.group, *best.queue)) best = {group, queue.get()};
        }
    }
    return best;
}

void Scheduler::work(bool spare) {
    std::unique_lock lock(domain_.mutex);
    while (!stopping_) {
        bool any_blocked = false;
        const uint64_t now_ns = monotonic_ns();
        const Choice choice = choose(now_ns, &any_blocked);
        if (choice.queue && spare && now_ns - changed_ns_ < options_.spare_wait_ns) {
            work_.wait_for(lock, std::chrono::nanoseconds(options_.spare_wait_ns));
        } else if (choice.queue) {
            busy_spares_ += spare;
            if (spare && busy_spares_ == spares_ && spares_ < kMaxSpares && start_worker(spare_main))
                spares_++;
            run(lock, *choice.group, *choice.queue);
            busy_spares_ -= spare;
        } else if (any_blocked)
            work_.wait_for(lock, std::chrono::nanoseconds(spare ? options_.spare_wait_ns : kRetry_ns));
        else
            work_.wait(lock);
    }
}

void Scheduler::run(std::unique_lock<std::mutex>& lock, RunGroup& group, RunQueue& queue) {
    const Job& head = *queue.head();
    group.clock_.begin(queue.run_ns_, queue.progress_ns_, options_.run_timeout_ns);
    group.running = true;
    changed_ns_ = monotonic_ns();
    queue.last_run_ = ++runs_;
    if (!queue.blocked_ && on_start) on_start();
    lock.unlock();
    RunResult result;
    {
        const AddressSpace::Use use(group.run_space());
        result = group.run(queue, head);
    }
    lock.lock();
    group.running = false;
    changed_ns_ = monotonic_ns();
    queue.run_ns_ = group.clock_.used_ns();
    queue.progress_ns_ = group.clock_.progress_ns();
    settle(group, queue, result);
}

void Scheduler::settle(RunGroup& group, RunQueue& queue, const RunResult& result) {
    const uint64_t now_ns = monotonic_ns();
    if (result.status != RunStatus::Blocked || result.progressed) {
        progress_++;
        group.progress_++;
    }
    if (!group.can_run()) {  // destroyed while it ran
        group.lose();
        return;
    }
    switch (result.status) {
        case RunStatus::Done:
            queue.finish_head(0);
            queue.pump();
            return;
        case RunStatus::Fault:
            report(group, queue, result);
            queue.finish_head(-EINVAL);
            queue.pump();
            return;
        case RunStatus::Fatal:
            report(group, queue, result);
            group.fatal(queue, result);
            return;
        case RunStatus::Stopped:
            if (!stopping_) report(group, queue, "it ran too long and was killed");
            group.time_out(queue);
            return;
        case RunStatus::Blocked:
            break;
    }
    if (queue.blocked_ && queue.group_blocked_at_ == group.progress_)
        queue.blocked_ns_ += std::min(now_ns - queue.tried_ns_, kLongestRetry_ns);
    else
        queue.blocked_ns_ = 0;
    queue.blocked_ = true;
    queue.blocked_at_ = progress_;
    queue.group_blocked_at_ = group.progress_;
    queue.tried_ns_ = now_ns;
    if (queue.blocked_ns_ > options_.blocked_timeout_ns) {
        report(group, queue, "it waits for a value that nothing writes, and was killed");
        group.time_out(queue);
    }
}

}  // namespace terrazzo::winsys::virt
