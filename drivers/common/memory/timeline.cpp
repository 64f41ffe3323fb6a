// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: drivers/gpu/drm/drm_syncobj.c of Linux.
#include "drivers/common/memory/timeline.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <string>

#include "drivers/common/memory/device.h"
#include "winsys/uapi/drm.h"

namespace terrazzo::memory {
namespace {

using namespace terrazzo::uapi;

/// 0: not signalled. 1: done. A negative errno: done with an error, or not known.
int status_of(winsys::Drm& drm, int sync_file) {
    // A point is a fence around that of the work, and has no error itself: of its parts the kernel tells.
    std::array<sync_fence_info, 4> parts{};
    uapi::sync_file_info info{};
    if (const int error = drm.descriptor_ioctl(sync_file, kIoctlSyncFileInfo, &info)) return error;
    if (info.status <= 0) return info.status;
    info = {};
    info.num_fences = parts.size();
    info.sync_fence_info = reinterpret_cast<uintptr_t>(parts.data());
    const int error = drm.descriptor_ioctl(sync_file, kIoctlSyncFileInfo, &info);
    return error ? error : info.status;
}

}  // namespace

pipe::Ref<Timeline> Timeline::create(Device& device) {
    drm_syncobj_create args{0, 0};
    if (device.drm().ioctl(kIoctlSyncobjCreate, &args) != 0) return nullptr;
    auto timeline = pipe::Ref<Timeline>::adopt(new (std::nothrow) Timeline(device, args.handle));
    if (!timeline) {
        drm_syncobj_destroy destroy{args.handle, 0};
        (void)device.drm().ioctl(kIoctlSyncobjDestroy, &destroy);
    }
    return timeline;
}

pipe::Ref<Timeline> Timeline::import_sync_file(Device& device, int fd) {
    winsys::Drm& drm = device.drm();
    pipe::Ref<Timeline> timeline = create(device);
    drm_syncobj_create one{0, 0};
    if (!timeline || drm.ioctl(kIoctlSyncobjCreate, &one) != 0) return nullptr;
    drm_syncobj_handle file{one.handle, kSyncobjFdSyncFile, fd, 0};
    drm_syncobj_transfer transfer{};
    transfer.src_handle = one.handle;
    transfer.dst_handle = timeline->syncobj;
    transfer.dst_point = 1;
    const bool ok =
        drm.ioctl(kIoctlSyncobjFdToHandle, &file) == 0 && drm.ioctl(kIoctlSyncobjTransfer, &transfer) == 0;
    drm_syncobj_destroy destroy{one.handle, 0};
    (void)drm.ioctl(kIoctlSyncobjDestroy, &destroy);
    return ok ? timeline : nullptr;
}

Timeline::Timeline(Device& d, uint32_t s) : device(&d), syncobj(s) {}

Timeline::~Timeline() {
    for (const Fenced& f : fenced_)
        close(f.sync_file);
    drm_syncobj_destroy args{syncobj, 0};
    (void)device->drm().ioctl(kIoctlSyncobjDestroy, &args);
}

bool Timeline::attach(uint32_t queue, uint64_t last_point) {
    const std::lock_guard lock(mutex_);
    try {
        lost_.reserve(lost_.size() + 1);
    } catch (const std::bad_alloc&) {
        return false;
    }
    queue_ = queue;
    queue_first_ = last_point + 1;
    submitted_ = last_point;
    state_ = QueueState::Usable;
    return true;
}

void Timeline::detach() {
    const std::lock_guard lock(mutex_);
    queue_.reset();
}

void Timeline::note_submitted(uint64_t point) {
    const bool fenced = device->kernel().limits().faults_in_fences;
    const int file = fenced ? export_sync_file(point) : -1;
    bool held = file >= 0;
    const std::lock_guard lock(mutex_);
    submitted_ = point;
    if (held) try {
            fenced_.push_back({point, file});
        } catch (const std::bad_alloc&) {
            close(file);
            held = false;
        }
    if (!fenced || held || blind_) return;
    blind_ = true;
    device->log()(pipe::Severity::Warning,
                  std::string(device->vendor) + ": out of descriptors: faults of some work will not be seen");
}

void Timeline::add_lost(const Range& points) {
    try {
        lost_.push_back(points);
    } catch (const std::bad_alloc&) {
        lost_.back().last = points.last;  // there is one: the first needs no memory
    }
    any_lost_.store(true, std::memory_order_release);
}

bool Timeline::read_fences() {
    bool faults = false;
    while (!fenced_.empty()) {
        const Fenced& f = fenced_.front();
        const int status = status_of(device->drm(), f.sync_file);
        if (status == 0) break;
        if (status < 0) {
            add_lost({f.point, f.point});
            faults = true;
        }
        close(f.sync_file);
        fenced_.pop_front();
    }
    return faults;
}

QueueState Timeline::query_queue() {
    // Before the state is queried: the fences of a lost queue's work also have errors, and only the state
    // tells whether the queue is innocent.
    const bool faults = read_fences();
    if (!queue_) return state_;
    state_ = device->kernel().queue_state(*queue_);
    const bool lost = state_ != QueueState::Usable;
    if (!lost && !faults) return state_;
    queue_.reset();
    if (!lost) return state_ = QueueState::Guilty;
    const uint64_t first = std::max(queue_first_, reached() + 1);
    if (first <= submitted_) add_lost({first, submitted_});
    return state_;
}

QueueState Timeline::queue_state() {
    const std::lock_guard lock(mutex_);
    return query_queue();
}

bool Timeline::is_lost(uint64_t point) const {
    return std::any_of(lost_.begin(), lost_.end(),
                       [&](const Range& r) { return point >= r.first && point <= r.last; });
}

WaitResult Timeline::wait(uint64_t point, uint64_t timeout_ns) {
    if (point <= reached()) {
        if (!any_lost_.load(std::memory_order_acquire)) return WaitResult::Done;
        const std::lock_guard lock(mutex_);
        return is_lost(point) ? WaitResult::Lost : WaitResult::Done;
    }
    drm_syncobj_timeline_wait args{};
    args.handles = reinterpret_cast<uintptr_t>(&syncobj);
    args.points = reinterpret_cast<uintptr_t>(&point);
    args.timeout_nsec = static_cast<int64_t>(deadline_of(timeout_ns));
    args.count_handles = 1;
    const int error = device->drm().ioctl(kIoctlSyncobjTimelineWait, &args);
    if (error == -ETIME) return WaitResult::Timeout;
    if (error) return WaitResult::Lost;
    const std::lock_guard lock(mutex_);
    // Queried before the point counts as reached, so that it is in the lost range if the queue was lost.
    (void)query_queue();
    if (point > reached()) reached_.store(point, std::memory_order_release);
    return is_lost(point) ? WaitResult::Lost : WaitResult::Done;
}

int Timeline::export_sync_file(uint64_t point) {
    winsys::Drm& drm = device->drm();
    drm_syncobj_create one{0, point ? 0 : kSyncobjCreateSignaled};
    if (drm.ioctl(kIoctlSyncobjCreate, &one) != 0) return -1;
    drm_syncobj_transfer transfer{};
    transfer.src_handle = syncobj;
    transfer.dst_handle = one.handle;
    transfer.src_point = point;
    drm_syncobj_handle fd{one.handle, kSyncobjFdSyncFile, -1, 0};
    const bool ok = (!point || drm.ioctl(kIoctlSyncobjTransfer, &transfer) == 0) &&
                    drm.ioctl(kIoctlSyncobjHandleToFd, &fd) == 0;
    drm_syncobj_destroy destroy{one.handle, 0};
    (void)drm.ioctl(kIoctlSyncobjDestroy, &destroy);
    return ok ? fd.fd : -1;
}

// ---- Uses ----

void Uses::note(const pipe::Ref<Timeline>& timeline, uint64_t point, bool write) {
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(uses_, [&](const Use& u) {
            return u.timeline.get() != timeline.get() && std::max(u.read, u.written) <= u.timeline->reached();
        });
        auto it = std::find_if(uses_.begin(), uses_.end(),
                               [&](const Use& u) { return u.timeline.get() == timeline.get(); });
        try {
            if (it == uses_.end()) it = uses_.insert(uses_.end(), Use{timeline, 0, 0});
            (write ? it->written : it->read) = point;
            return;
        } catch (const std::bad_alloc&) {
        }
    }
    // Recording the use failed, so wait: completed work need not be recorded.
    (void)timeline->wait(point, UINT64_MAX);
}

WaitResult Uses::wait(bool write, uint64_t timeout_ns) {
    const uint64_t deadline_ns = deadline_of(timeout_ns);
    WaitResult result = WaitResult::Done;
    std::unique_lock lock(mutex_);
    for (size_t i = 0; i < uses_.size();) {
        const uint64_t point = write ? std::max(uses_[i].read, uses_[i].written) : uses_[i].written;
        if (point == 0) {
            i++;
            continue;
        }
        const pipe::Ref<Timeline> timeline = uses_[i].timeline;
        lock.unlock();
        const WaitResult one = timeline->wait(point, left_until(deadline_ns));
        if (one == WaitResult::Timeout) return one;
        if (one == WaitResult::Lost) result = one;
        lock.lock();
        // The list may have changed: removes what was waited for and starts again.
        for (auto it = uses_.begin(); it != uses_.end(); ++it) {
            if (it->timeline.get() != timeline.get()) continue;
            if (it->read <= point) it->read = 0;
            if (it->written <= point) it->written = 0;
            if (!it->read && !it->written) uses_.erase(it);
            break;
        }
        i = 0;
    }
    return result;
}

void Uses::collect(const Timeline& own, bool write, std::vector<Point>* out) {
    const std::lock_guard lock(mutex_);
    for (const Use& u : uses_) {
        const uint64_t point = write ? std::max(u.read, u.written) : u.written;
        if (u.timeline.get() != &own && point > u.timeline->reached()) out->push_back({u.timeline, point});
    }
}

}  // namespace terrazzo::memory
