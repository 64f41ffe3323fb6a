// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/group.h"

#include <cerrno>
#include <mutex>
#include <new>

namespace terrazzo::winsys::virt::panthor {
namespace {

constexpr uint32_t kSyncObject_B = 16;  // struct panthor_syncobj_64b: value, status, padding
constexpr uint32_t kOutOfMemory = 0x60, kFirstMmuException = 0xc0;
constexpr MapFlags kRingFlags = {.read_only = false, .no_exec = true, .uncached = true};

struct ExceptionName {
    uint32_t code;
    const char* name;
};
// enum drm_panthor_exception_type of panthor_device.h.
constexpr ExceptionName kExceptions[] = {
    {0x40, "CS_CONFIG_FAULT"},     {0x41, "CS_UNRECOVERABLE"},   {0x44, "CS_ENDPOINT_FAULT"},
    {0x48, "CS_BUS_FAULT"},        {0x49, "CS_INSTR_INVALID"},   {0x4a, "CS_CALL_STACK_OVERFLOW"},
    {0x4b, "CS_INHERIT_FAULT"},    {0x50, "INSTR_INVALID_PC"},   {0x51, "INSTR_INVALID_ENC"},
    {0x55, "INSTR_BARRIER_FAULT"}, {0x58, "DATA_INVALID_FAULT"}, {0x59, "TILE_RANGE_FAULT"},
    {0x5a, "ADDR_RANGE_FAULT"},    {0x5b, "IMPRECISE_FAULT"},    {0x60, "OOM"},
    {0xc3, "TRANSLATION_FAULT_3"}, {0xcb, "PERM_FAULT_3"},       {0xe0, "ADDR_SIZE_FAULT_IN"},
};

}  // namespace

void Queue::end_head(std::shared_ptr<Job> job, int error) {
    uint64_t* value = group_.sync_value(index());
    __atomic_store_n(value, __atomic_load_n(value, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
    last_error_ = error;
    job->done->signal(error);
}

void Queue::run_head(Job& job) {
    if (static_cast<StreamJob&>(job).submit.streams[0].size_B == 0)
        pop()->done->signal(last_error_);  // an empty stream only waits for the streams before it
    else if (!group_.start_head(*this))
        pop()->done->signal(-ECANCELED);
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
        auto queue = std::make_unique<Queue>(*this, static_cast<uint32_t>(queues.size()), arg.priority);
        queue->ring = vm_->create_object(size_B, kRingFlags, &error);
        if (!queue->ring) return error;
        queues.push_back(std::move(queue));
    }
    return GpuRunGroup::create(gpu);
}

RunResult Group::run(RunQueue& queue, const Job& head) {
    return run_submit(queue.index(), static_cast<const StreamJob&>(head).submit, kOutOfMemory);
}

void Group::fatal(RunQueue& queue, const RunResult& result) {
    fatal_queues |= result.exception >= kFirstMmuException
                        ? static_cast<uint32_t>((1ull << queues.size()) - 1)
                        : 1u << queue.index();
    lose();
}

void Group::time_out(RunQueue&) {
    timedout = true;
    lose();
}

std::string Group::name_of(const RunQueue& queue) const {
    return "panthor: group " + std::to_string(number) + " queue " + std::to_string(queue.index());
}

const char* Group::exception_name(uint32_t exception) const {
    for (const ExceptionName& e : kExceptions)
        if (e.code == exception) return e.name;
    return "unknown";
}

int Group::lost_error(const RunQueue& queue) const {
    return fatal_queues >> queue.index() & 1 ? -EINVAL : timedout ? -ETIMEDOUT : -ECANCELED;
}

HeapGrowth Group::grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) {
    HeapGrowth growth;
    const std::lock_guard lock(scheduler().domain().mutex);
    try {
        growth.error = vm_->heaps
                           ? vm_->heaps->grow(context_va, in_flight, pending_fragment, &growth.chunk_va)
                           : -EINVAL;
    } catch (const std::bad_alloc&) {
        growth.error = -ENOMEM;
    }
    return growth;
}

}  // namespace terrazzo::winsys::virt::panthor
