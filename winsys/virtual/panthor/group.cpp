// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/group.h"

#include <time.h>

#include <cerrno>
#include <mutex>
#include <new>

#include "winsys/virtual/panthor/scheduler.h"

namespace terrazzo::winsys::virt::panthor {
namespace {

constexpr uint32_t kSyncObject_B = 16;  // struct panthor_syncobj_64b: value, status, padding
constexpr MapFlags kRingFlags = {.read_only = false, .no_exec = true, .uncached = true};

}  // namespace

void Queue::finish_head(int error) {
    auto job = pop();
    uint64_t* value = group_.sync_value(index_);
    __atomic_store_n(value, __atomic_load_n(value, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
    last_error_ = error;
    run_ns = 0;
    blocked = false;
    job->done->signal(error);
}

void Queue::run_head(Job& job) {
    if (static_cast<StreamJob&>(job).stream.size_B == 0)
        pop()->done->signal(last_error_);  // only waits for those before it
    else if (!group_.can_run())
        pop()->done->signal(-ECANCELED);
    else if (group_.scheduler().simulates())
        group_.scheduler().wake();
    else
        finish_head(0);
}

uint64_t* Group::sync_value(uint32_t queue) const {
    return reinterpret_cast<uint64_t*>(syncobjs_->host() + uint64_t{queue} * kSyncObject_B);
}

int Group::create(Gpu* gpu, const std::vector<uapi::drm_panthor_queue_create>& args) {
    int error = 0;
    syncobjs_ = vm_->create_object(args.size() * kSyncObject_B, kRingFlags, &error);
    if (!syncobjs_) return error;
    for (const auto& arg : args) {
        const uint32_t size_B = arg.ringbuf_size;
        if (arg.pad[0] || arg.pad[1] || arg.pad[2] || size_B < (4u << 10) || size_B > (64u << 10) ||
            (size_B & (size_B - 1)) || arg.priority > 15)
            return -EINVAL;
        queues.push_back(std::make_unique<Queue>(*this, static_cast<uint32_t>(queues.size()), arg.priority));
        queues.back()->ring = vm_->create_object(size_B, kRingFlags, &error);
        if (!queues.back()->ring) return error;
    }
    if (gpu) gpu_group_ = gpu->create_group(desc_, *this);
    return !gpu || gpu_group_ ? 0 : -ENOMEM;
}

void Group::destroy() {
    destroyed_ = true;
    lose();
}

void Group::lose() {
    stop.store(true, std::memory_order_relaxed);
    if (running) return;  // the worker comes here when it is back
    gpu_group_.reset();
    for (const auto& queue : queues)
        queue->cancel(fatal_queues >> queue->index() & 1 ? -EINVAL : timedout ? -ETIMEDOUT : -ECANCELED);
}

HeapGrowth Group::grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) {
    HeapGrowth growth;
    const std::lock_guard lock(scheduler_.domain().mutex);
    try {
        growth.error = vm_->heaps
                           ? vm_->heaps->grow(context_va, in_flight, pending_fragment, &growth.chunk_va)
                           : -EINVAL;
    } catch (const std::bad_alloc&) {
        growth.error = -ENOMEM;
    }
    return growth;
}

uint64_t Group::timestamp() const {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(monotonic_ns()) * timestamp_hz_ /
                                 1'000'000'000u);
}

bool Group::should_stop() const {
    if (stop.load(std::memory_order_relaxed)) return true;
    return clock_ns(CLOCK_MONOTONIC_COARSE) > deadline_ns.load(std::memory_order_relaxed) &&
           clock_ns(CLOCK_PROCESS_CPUTIME_ID) > cpu_deadline_ns.load(std::memory_order_relaxed);
}

}  // namespace terrazzo::winsys::virt::panthor
