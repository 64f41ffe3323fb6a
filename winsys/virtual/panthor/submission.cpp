// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/submission.h"

#include <cerrno>
#include <cstddef>
#include <utility>

namespace terrazzo::winsys::virt::panthor {
namespace {

using uapi::drm_panthor_sync_op;

int check(const drm_panthor_sync_op& op) {
    const uint32_t type = op.flags & uapi::kSyncOpTypeMask;
    if ((op.flags & ~(uapi::kSyncOpTypeMask | uapi::kSyncOpSignal)) ||
        (type != uapi::kSyncOpSyncobj && type != uapi::kSyncOpTimeline) ||
        (type == uapi::kSyncOpSyncobj && op.timeline_value != 0))
        return -EINVAL;
    return 0;
}

}  // namespace

int Submission::add(std::shared_ptr<JobQueue> queue, std::shared_ptr<Job> job,
                    const uapi::drm_panthor_obj_array& syncs) {
    Entry& entry = entries_.emplace_back();
    entry.queue = std::move(queue);
    entry.job = std::move(job);
    return read_array(file_.user, syncs, sizeof(drm_panthor_sync_op), &entry.syncs);
}

bool Submission::last_signals() const {
    for (const drm_panthor_sync_op& op : entries_.back().syncs)
        if (op.flags & uapi::kSyncOpSignal) return true;
    return false;
}

Submission::Signal* Submission::find_signal(uint32_t handle, uint64_t point) {
    const auto it = signal_of_.find({handle, point});
    return it == signal_of_.end() ? nullptr : &signals_[it->second];
}

int Submission::collect_signals(const Entry& entry) {
    for (const drm_panthor_sync_op& op : entry.syncs) {
        if (!(op.flags & uapi::kSyncOpSignal)) continue;
        if (const int error = check(op)) return error;
        if (find_signal(op.handle, op.timeline_value)) continue;
        Signal signal{op.handle, op.timeline_value, file_.syncobjs.find(op.handle), nullptr};
        if (!signal.syncobj) return -EINVAL;
        (void)signal.syncobj->find(op.timeline_value, &signal.fence);
        signals_.push_back(std::move(signal));
        signal_of_.emplace(std::pair{op.handle, op.timeline_value}, signals_.size() - 1);
    }
    return 0;
}

int Submission::collect_waits(Entry& entry) {
    for (const drm_panthor_sync_op& op : entry.syncs) {
        if (op.flags & uapi::kSyncOpSignal) continue;
        if (const int error = check(op)) return error;
        std::shared_ptr<Fence> fence;
        if (const Signal* signal = find_signal(op.handle, op.timeline_value)) {
            if (!signal->fence) return -EINVAL;
            fence = signal->fence;
        } else {
            const auto syncobj = file_.syncobjs.find(op.handle);
            if (!syncobj) return -ENOENT;
            if (const int error = syncobj->find(op.timeline_value, &fence)) return error;
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
        for (const drm_panthor_sync_op& op : entry.syncs)
            if (op.flags & uapi::kSyncOpSignal)
                find_signal(op.handle, op.timeline_value)->fence = entry.job->done;
    }
    for (Entry& entry : entries_) {
        entry.job->missing = static_cast<uint32_t>(entry.waits.size());
        for (const auto& fence : entry.waits)
            fence->on_signal(
                [queue = std::weak_ptr<JobQueue>(entry.queue), job = std::weak_ptr<Job>(entry.job)](int) {
                    const auto q = queue.lock();
                    const auto j = job.lock();
                    if (q && j) q->dependency_done(*j);
                });
    }
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

}  // namespace terrazzo::winsys::virt::panthor
