// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/asahi_drm.h of Linux.
#include "drivers/agx/submission/queue.h"

#include <cassert>
#include <cstring>
#include <utility>

namespace terrazzo::agx {

using namespace terrazzo::uapi;

void Commands::add(uint16_t type, const void* payload, uint16_t size_B, After after, uint16_t Counts::*kind) {
    const size_t at = bytes_.size();
    const bool is_full = uint32_t{counts_.renders} + counts_.dispatches == most_;
    if (is_full) full_.reserve(full_.size() + 1);
    bytes_.resize(at + sizeof(drm_asahi_cmd_header) + size_B);
    if (is_full) {
        full_.push_back(at);
        counts_ = {};
    }
    // The number of the list's commands that precede this one. 0 means those of earlier submits; a larger
    // number includes them, since each kind of work runs in order.
    const drm_asahi_cmd_header header{type, size_B, after.renders ? counts_.renders : kAsahiBarrierNone,
                                      after.dispatches ? counts_.dispatches : kAsahiBarrierNone};
    memcpy(bytes_.data() + at, &header, sizeof header);
    memcpy(bytes_.data() + at + sizeof header, payload, size_B);
    (counts_.*kind)++;
}

int Queue::create_queue(uint32_t* id) {
    constexpr uint32_t kPriorities[] = {kAsahiPriorityLow, kAsahiPriorityMedium, kAsahiPriorityHigh};
    drm_asahi_queue_create args{0, device().vm_id(), kPriorities[priority_], 0, Asahi::kUscBase};
    const int error = device_->drm().ioctl(kAsahiQueueCreate, &args);
    if (!error) *id = args.queue_id;
    return error;
}

uint64_t Queue::submit(const Commands& commands, std::span<const Point> waits) {
    assert(!commands.empty());
    if (!prepare()) return 0;
    syncs_.clear();
    syncs_.reserve(waits.size() + 1);
    for (const Point& point : waits)
        syncs_.push_back({kAsahiSyncTimelineSyncobj, point.timeline->syncobj, point.value});
    syncs_.push_back({kAsahiSyncTimelineSyncobj, timeline()->syncobj, 0});
    const uint64_t before = last_point();
    // Later submits of a queue start after earlier ones have started, and a timeline's point is reached after
    // those before it.
    uint32_t left = uint32_t(waits.size());
    const bool all = commands.for_each_list(
        [&](std::span<const uint8_t> list) { return submit_list(list, std::exchange(left, 0)) != 0; });
    if (all) return last_point();
    // The caller reuses the memory of work that is not submitted.
    if (last_point() != before) (void)timeline()->wait(last_point(), UINT64_MAX);
    return 0;
}

uint64_t Queue::submit_list(std::span<const uint8_t> list, uint32_t waits) {
    syncs_.back().timeline_value = last_point() + 1;
    drm_asahi_submit args{};
    args.syncs = reinterpret_cast<uintptr_t>(waits ? syncs_.data() : &syncs_.back());
    args.cmdbuf = reinterpret_cast<uintptr_t>(list.data());
    args.queue_id = id();
    args.in_sync_count = waits;
    args.out_sync_count = 1;
    args.cmdbuf_size = uint32_t(list.size());
    return note_submission(device_->drm().ioctl(kAsahiSubmit, &args));
}

}  // namespace terrazzo::agx
