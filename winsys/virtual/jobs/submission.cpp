// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/jobs/submission.h"

#include <cerrno>
#include <utility>

namespace terrazzo::winsys::virt {
void Submission::add(std::shared_ptr<JobQueue> queue, std::shared_ptr<Job> job, std::vector<SyncOp> syncs) {
    entries_.push_back({std::move(queue), std::move(job), std::move(syncs), {}});
}

void Submission::add_wait(std::shared_ptr<Fence> fence) {
    if (!fence->signaled()) entries_.back().waits.push_back(std::move(fence));
}

Submission::Signal* Submission::find_signal(uint32_t handle, uint64_t point) {
    const auto it = signal_of_.find({handle, point});
    return it == signal_of_.end() ? nullptr : &signals_[it->second];
}

int Submission::collect_signals(const Entry& entry) {
    for (const SyncOp& op : entry.syncs) {
        if (!op.signal) continue;
        if (op.error) return op.error;
        if (find_signal(op.handle, op.point)) continue;
        Signal signal{op.handle, op.point, file_.syncobjs.find(op.handle), nullptr};
        if (!signal.syncobj) return -EINVAL;
        (void)signal.syncobj->find(op.point, &signal.fence);
        signals_.push_back(std::move(signal));
        signal_of_.emplace(std::pair{op.handle, op.point}, signals_.size() - 1);
    }
    return 0;
}

int Submission::collect_waits(Entry& entry) {
    for (const SyncOp& op : entry.syncs) {
        if (op.signal) continue;
        if (op.error) return op.error;
        std::shared_ptr<Fence> fence;
        if (const Signal* signal = find_signal(op.handle, op.point)) {
            if (!signal->fence) return -EINVAL;
            fence = signal->fence;
        } else {
            const auto syncobj = file_.syncobjs.find(op.handle);
            if (!syncobj) return -ENOENT;
            if (const int error = syncobj->find(op.point, &fence)) return error;
        }
        if (!fence->signaled()) entry.waits.push_back(std::move(fence));
    }
    return 0;
}

int Submission::commit() {
    for (const Entry& entry : entries_)
        if (const int error = collect_signals(entry)) return error;
    for (Entry& entry : entries_) {
        if (const int error = collect_waits(entry)) return error;
        entry.job->done = std::make_shared<Fence>(file_.device().domain);
        for (const SyncOp& op : entry.syncs)
            if (op.signal) find_signal(op.handle, op.point)->fence = entry.job->done;
    }
    for (Entry& entry : entries_)
        JobQueue::depend(entry.queue, entry.job, entry.waits);
    for (Entry& entry : entries_)
        entry.queue->push(entry.job);
    for (Signal& s : signals_) {
        if (s.point)
            s.syncobj->add_point(std::move(s.fence), s.point);
        else
            s.syncobj->replace(std::move(s.fence));
    }
    return 0;
}

}  // namespace terrazzo::winsys::virt
