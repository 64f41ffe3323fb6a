// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/submission/recording.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "drivers/common/memory/implicit_fences.h"

namespace terrazzo::submission {
namespace {

std::atomic<uint64_t> g_next_serial{1};

}  // namespace

Recording::Recording(pipe::Ref<memory::Device> device)
    : pool(device, memory::Pool::kChunk_B, device->recorded_flags) {
    renew_serial();
}

Recording::~Recording() {
    forget(uses_);
}

void Recording::renew_serial() {
    serial_ = g_next_serial.fetch_add(1, std::memory_order_relaxed);
}

void Recording::use(const pipe::Ref<Bo>& bo, bool write) {
    uses_.push_back({bo, write});
    if (write) bo->uses.recorded_writes.fetch_add(1, std::memory_order_relaxed);
}

void Recording::note(images::StoredResource& r, bool write) {
    // Holds the resource, too, not only its memory: the only owner of a resource may take it to be idle
    // (pipe/upload, buffers of the state tracker).
    hold_always(pipe::Ref<const pipe::RefCounted>(&r));
    // While a write is recorded, the resource keeps its form and its memory.
    const std::lock_guard guard(r.mutex());
    use(r.bo(), write);
    (write ? r.written_by : r.read_by).store(serial_, std::memory_order_relaxed);
}

void Recording::forget(const std::vector<Use>& uses) {
    for (const Use& u : uses)
        if (u.write) u.bo->uses.recorded_writes.fetch_sub(1, std::memory_order_release);
}

bool Recording::uses(const Bo& bo, bool write) const {
    for (const Use& u : uses_)
        if (u.bo.get() == &bo && (write || u.write)) return true;
    return false;
}

uint32_t Recording::count_writes(const Bo& bo) const {
    return uint32_t(std::count_if(uses_.begin(), uses_.end(),
                                  [&](const Use& u) { return u.bo.get() == &bo && u.write; }));
}

Needs Recording::begin_submission(const Timeline& own) {
    Needs needs{waits_, {}};
    for (const Use& u : uses_) {
        u.bo->uses.collect(own, u.write, &needs.waits);
        needs.uses.push_back({u.bo->handle, u.write});
        if (u.bo->shared()) memory::collect_foreign(*u.bo, u.write, &needs.waits);
    }
    in_flight_.emplace_back();
    InFlight& f = in_flight_.back();
    try {
        pool.detach_chunks(&f.chunks);
    } catch (...) {
        in_flight_.pop_back();
        throw;
    }
    f.held = std::exchange(held_, {});
    f.uses = std::exchange(uses_, {});
    waits_.clear();
    return needs;
}

/// Makes others wait for the point. If that is not possible, waits for it here.
void Recording::tell_others(const pipe::Ref<Timeline>& timeline, uint64_t point,
                            const std::vector<Use>& uses) {
    const auto is_shared = [](const Use& u) { return u.bo->shared(); };
    if (std::none_of(uses.begin(), uses.end(), is_shared)) return;
    const int fence = timeline->export_sync_file(point);
    bool told = true;
    for (const Use& u : uses)
        if (is_shared(u)) told &= memory::tell_foreign(*u.bo, fence, u.write);
    if (fence >= 0) close(fence);
    if (!told) (void)timeline->wait(point, UINT64_MAX);
}

void Recording::end_submission(const pipe::Ref<Timeline>& timeline, uint64_t point) {
    InFlight& f = in_flight_.back();
    if (point) {
        for (const Use& u : f.uses)
            u.bo->uses.note(timeline, point, u.write);
        tell_others(timeline, point, f.uses);
    }
    forget(f.uses);
    f.point = point;
    if (!point) {
        pool.recycle(std::move(f.chunks));
        in_flight_.pop_back();
    }
    renew_serial();
}

void Recording::drop_uses() {
    if (uses_.empty()) return;
    forget(uses_);
    uses_.clear();
    renew_serial();
}

void Recording::discard() {
    std::vector<pipe::Ref<Bo>> chunks;
    pool.detach_chunks(&chunks);
    pool.recycle(std::move(chunks));
    held_.clear();
    forget(uses_);
    uses_.clear();
    renew_serial();
}

void Recording::retire(Timeline& timeline) {
    while (!in_flight_.empty() && timeline.wait(in_flight_.front().point, 0) != memory::WaitResult::Timeout) {
        pool.recycle(std::move(in_flight_.front().chunks));
        in_flight_.pop_front();
    }
}

}  // namespace terrazzo::submission
