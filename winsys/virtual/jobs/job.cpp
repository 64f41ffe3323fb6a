// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/jobs/job.h"

#include <utility>

namespace terrazzo::winsys::virt {

void JobQueue::push(std::shared_ptr<Job> job) {
    jobs_.push_back(std::move(job));
    if (jobs_.size() == 1) pump();
}

void JobQueue::depend(const std::shared_ptr<JobQueue>& queue, const std::shared_ptr<Job>& job,
                      const std::vector<std::shared_ptr<Fence>>& fences) {
    for (const auto& fence : fences) {
        if (fence->signaled()) continue;
        job->waits.push_back(fence);
        fence->on_signal([queue = std::weak_ptr(queue), job = std::weak_ptr(job)](int) {
            const auto q = queue.lock();
            const auto j = job.lock();
            if (q && j) q->dependency_done(*j);
        });
        job->missing++;
    }
}

void JobQueue::dependency_done(Job& job) {
    if (--job.missing) return;
    job.waits.clear();
    if (head() == &job) pump();
}

std::shared_ptr<Job> JobQueue::pop() {
    std::shared_ptr<Job> job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
}

void JobQueue::pump() {
    if (pumping_) return;
    pumping_ = true;
    while (head_ready()) {
        Job* job = head();
        run_head(*job);
        if (head() == job) break;  // a worker runs it
    }
    pumping_ = false;
}

void JobQueue::cancel(int error) {
    while (!jobs_.empty())
        pop()->done->signal(error);
}

void JobQueue::cancel_tail(int error, bool (*which)(const Job& job)) {
    while (!jobs_.empty() && which(*jobs_.back())) {
        const std::shared_ptr<Job> job = std::move(jobs_.back());
        jobs_.pop_back();
        job->done->signal(error);
    }
}

}  // namespace terrazzo::winsys::virt
