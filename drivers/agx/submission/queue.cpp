// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/asahi_drm.h of Linux.
#include "drivers/agx/submission/queue.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

namespace terrazzo::agx {

using namespace terrazzo::uapi;

void Commands::add(uint16_t type, const void* payload, uint16_t size_B, After after) {
    // The number of this submit's commands that precede this one. 0 means those of earlier submits; a larger
    // number includes them, since each kind of work runs in order.
    const drm_asahi_cmd_header header{type, size_B, after.renders ? renders_ : kAsahiBarrierNone,
                                      after.dispatches ? dispatches_ : kAsahiBarrierNone};
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof header + size_B);
    memcpy(bytes_.data() + at, &header, sizeof header);
    memcpy(bytes_.data() + at + sizeof header, payload, size_B);
}

Queue::Queue(pipe::Ref<Device> on, int priority) : VendorQueue(std::move(on)) {
    priority_ = std::clamp(priority, 0, 2);
}

Queue::~Queue() {
    finish();
}

bool Queue::create_queue(uint32_t* id) {
    constexpr uint32_t kPriorities[] = {kAsahiPriorityLow, kAsahiPriorityMedium, kAsahiPriorityHigh};
    drm_asahi_queue_create args{0, device().vm_id(), kPriorities[priority_], 0, Asahi::kUscBase};
    int error = device_->drm().ioctl(kAsahiQueueCreate, &args);
    // The kernel may reserve the highest priority.
    if ((error == -EINVAL || error == -EACCES || error == -EPERM) && priority_ > 1) {
        priority_ = 1;
        args.priority = kAsahiPriorityMedium;
        error = device_->drm().ioctl(kAsahiQueueCreate, &args);
    }
    if (error) return refuse("the kernel makes no queue", error);
    *id = id_ = args.queue_id;
    return true;
}

void Queue::destroy_queue() {
    drm_asahi_queue_destroy args{id_, 0};
    if (id_) (void)device_->drm().ioctl(kAsahiQueueDestroy, &args);
    id_ = 0;
}

uint64_t Queue::submit(const Commands& commands, std::span<const Point> waits) {
    assert(commands.count() && commands.count() <= device().max_commands());
    if (!prepare()) return 0;
    syncs_.clear();
    syncs_.reserve(waits.size() + 1);
    for (const Point& point : waits)
        syncs_.push_back({kAsahiSyncTimelineSyncobj, point.timeline->syncobj, point.value});
    syncs_.push_back({kAsahiSyncTimelineSyncobj, timeline()->syncobj, last_point() + 1});
    drm_asahi_submit args{};
    args.syncs = reinterpret_cast<uintptr_t>(syncs_.data());
    args.cmdbuf = reinterpret_cast<uintptr_t>(commands.bytes().data());
    args.queue_id = id_;
    args.in_sync_count = uint32_t(waits.size());
    args.out_sync_count = 1;
    args.cmdbuf_size = uint32_t(commands.bytes().size());
    return note_submission(device_->drm().ioctl(kAsahiSubmit, &args));
}

}  // namespace terrazzo::agx
