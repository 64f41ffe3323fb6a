// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/panthor_drm.h of Linux; sizes as in Mesa 25.0.7's panfrost (pan_csf.c).
#include "drivers/mali/submission/queues.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "drivers/mali/hw/descriptors.h"
#include "winsys/uapi/panthor.h"

namespace terrazzo::mali {
namespace {

using namespace terrazzo::uapi;

constexpr uint32_t kRing_B = 64 << 10;  // the kernel's maximum: a thousand submissions
constexpr uint32_t kGeometryBuffer_B = 64 << 10;
constexpr uint32_t kChunkHeader_B = 64;  // the link to the next chunk, which the kernel and the tiler write
constexpr uint32_t kSequences_B = kQueueCount * 64;

}  // namespace

struct Queues::Ops {
    std::vector<drm_panthor_sync_op> syncs;  // waits, then the signal
};

Queues::Queues(pipe::Ref<Device> on, int priority)
    : VendorQueue(std::move(on), priority), heap_desc_(device().heap), ops_(std::make_unique<Ops>()) {}

bool Queues::allocate() {
    sequences_ = device_->create_block(kSequences_B, 64);
    tiler_heap_desc_ = device_->create_block(hw::TilerHeap::kSize_B, 64);
    geometry_ = device_->create_bo(kGeometryBuffer_B, bo_flag::kNoCpu);
    return sequences_ && tiler_heap_desc_ && geometry_;
}

Queues::~Queues() {
    finish();
}

int Queues::create_queue(uint32_t* group) {
    const hw::Chip& chip = device().chip();
    drm_panthor_vm_get_state vm{device().vm_id(), 0};
    if (const int error = device_->drm().ioctl(kPanthorVmGetState, &vm)) return error;
    // Only a failed asynchronous bind has this effect, and the driver makes none.
    if (vm.state != kVmStateUsable) return -EIO;
    const drm_panthor_queue_create queues[kQueueCount] = {
        {1, {}, kRing_B}, {1, {}, kRing_B}, {1, {}, kRing_B}};
    drm_panthor_group_create args{};
    args.queues = {sizeof queues[0], kQueueCount, reinterpret_cast<uintptr_t>(queues)};
    args.compute_core_mask = args.fragment_core_mask = chip.shader_present;
    args.max_compute_cores = args.max_fragment_cores = uint8_t(chip.core_count());
    args.tiler_core_mask = chip.tiler_present & ~(chip.tiler_present - 1);
    args.max_tiler_cores = 1;
    constexpr uint8_t kPriorities[] = {kGroupPriorityLow, kGroupPriorityMedium, kGroupPriorityHigh};
    args.priority = kPriorities[priority_];
    args.vm_id = device().vm_id();
    if (const int error = device_->drm().ioctl(kPanthorGroupCreate, &args)) return error;
    memset(sequences_.cpu, 0, kSequences_B);
    const int error = create_heap();
    if (error)
        destroy_queue(args.group_handle);
    else
        *group = args.group_handle;
    return error;
}

int Queues::create_heap() {
    drm_panthor_tiler_heap_create args{};
    args.vm_id = device().vm_id();
    args.initial_chunk_count = heap_desc_.initial_chunks;
    args.chunk_size = heap_desc_.chunk_B;
    args.max_chunks = heap_desc_.max_chunks;
    args.target_in_flight = 65535;
    if (const int error = device_->drm().ioctl(kPanthorTilerHeapCreate, &args)) return error;
    heap_ = args.handle;
    heap_context_va_ = args.tiler_heap_ctx_gpu_va;
    const uint64_t base = args.first_heap_chunk_gpu_va;
    hw::pack({.size = heap_desc_.chunk_B,
              .base = base,
              .bottom = base + kChunkHeader_B,
              .top = base + heap_desc_.chunk_B},
             reinterpret_cast<uint32_t*>(tiler_heap_desc_.cpu));
    return 0;
}

void Queues::destroy_queue(uint32_t group) {
    VendorQueue::destroy_queue(group);
    drm_panthor_tiler_heap_destroy args{heap_, 0};
    if (heap_) (void)device_->drm().ioctl(kPanthorTilerHeapDestroy, &args);
    heap_ = 0;
}

uint64_t Queues::submit(const std::array<Stream, kQueueCount>& streams, std::span<const Point> waits) {
    assert(streams[unsigned(QueueKind::Fragment)].size_B &&
           "the fragment queue signals the submission's end");
    if (!prepare()) return 0;
    auto& syncs = ops_->syncs;
    syncs.clear();
    syncs.reserve(waits.size() + 1);
    for (const Point& point : waits)
        syncs.push_back({kSyncOpWait | kSyncOpTimeline, point.timeline->syncobj, point.value});
    syncs.push_back({kSyncOpSignal | kSyncOpTimeline, timeline()->syncobj, last_point() + 1});
    drm_panthor_queue_submit submits[kQueueCount];
    uint32_t count = 0;
    // The fragment queue is last. The kernel accepts all of the submissions or none.
    for (const QueueKind kind : {QueueKind::VertexTiler, QueueKind::Compute, QueueKind::Fragment}) {
        const Stream& stream = streams[unsigned(kind)];
        if (!stream.size_B) continue;
        const uint32_t sync_count = uint32_t(waits.size()) + (kind == QueueKind::Fragment);
        submits[count++] = {uint32_t(kind),
                            stream.size_B,
                            stream.va,
                            device().flush_id(),
                            0,
                            {sizeof syncs[0], sync_count, reinterpret_cast<uintptr_t>(syncs.data())}};
    }
    drm_panthor_group_submit args{id(), 0, {sizeof submits[0], count, reinterpret_cast<uintptr_t>(submits)}};
    return note_submission(device_->drm().ioctl(kPanthorGroupSubmit, &args));
}

}  // namespace terrazzo::mali
