// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of Linux' panthor driver (Mali with a command-stream front end), version 1.3: structures as
// they lie in memory, request numbers and flags. Facts from the kernel's include/uapi/drm/panthor_drm.h.
// Padding must be zero; a struct that an array points to may be longer or shorter than here (its stride says
// so).
#pragma once

#include "winsys/uapi/drm.h"

namespace terrazzo::uapi {

struct drm_panthor_obj_array {
    uint32_t stride, count;
    uint64_t array;  // user pointer
};
struct drm_panthor_sync_op {
    uint32_t flags;  // kSyncOp*
    uint32_t handle;
    uint64_t timeline_value;  // 0 of a binary syncobj
};
struct drm_panthor_gpu_info {
    uint32_t gpu_id, gpu_rev, csf_id, l2_features, tiler_features, mem_features, mmu_features,
        thread_features;
    uint32_t max_threads, thread_max_workgroup_size, thread_max_barrier_size, coherency_features;
    uint32_t texture_features[4];
    uint32_t as_present, pad0;
    uint64_t shader_present, l2_present, tiler_present;
    uint32_t core_features, pad;
};
struct drm_panthor_csif_info {
    uint32_t csg_slot_count, cs_slot_count, cs_reg_count, scoreboard_slot_count, unpreserved_cs_reg_count,
        pad;
};
struct drm_panthor_timestamp_info {
    uint64_t timestamp_frequency, current_timestamp, timestamp_offset;
};
struct drm_panthor_group_priorities_info {
    uint8_t allowed_mask, pad[3];
};
struct drm_panthor_dev_query {
    uint32_t type, size;
    uint64_t pointer;  // 0: tell the size
};
struct drm_panthor_vm_create {
    uint32_t flags, id;
    uint64_t user_va_range;  // 0: the kernel's choice
};
struct drm_panthor_vm_destroy {
    uint32_t id, pad;
};
struct drm_panthor_vm_bind_op {
    uint32_t flags;  // kVmBindOp*
    uint32_t bo_handle;
    uint64_t bo_offset, va, size;
    drm_panthor_obj_array syncs;  // of drm_panthor_sync_op
};
struct drm_panthor_vm_bind {
    uint32_t vm_id, flags;
    drm_panthor_obj_array ops;  // of drm_panthor_vm_bind_op
};
struct drm_panthor_vm_get_state {
    uint32_t vm_id, state;
};
struct drm_panthor_bo_create {
    uint64_t size;
    uint32_t flags, exclusive_vm_id, handle, pad;
};
struct drm_panthor_bo_mmap_offset {
    uint32_t handle, pad;
    uint64_t offset;
};
struct drm_panthor_queue_create {
    uint8_t priority, pad[3];
    uint32_t ringbuf_size;
};
struct drm_panthor_group_create {
    drm_panthor_obj_array queues;  // of drm_panthor_queue_create
    uint8_t max_compute_cores, max_fragment_cores, max_tiler_cores, priority;
    uint32_t pad;
    uint64_t compute_core_mask, fragment_core_mask, tiler_core_mask;
    uint32_t vm_id, group_handle;
};
struct drm_panthor_group_destroy {
    uint32_t group_handle, pad;
};
struct drm_panthor_queue_submit {
    uint32_t queue_index, stream_size;
    uint64_t stream_addr;
    uint32_t latest_flush, pad;
    drm_panthor_obj_array syncs;  // of drm_panthor_sync_op
};
struct drm_panthor_group_submit {
    uint32_t group_handle, pad;
    drm_panthor_obj_array queue_submits;  // of drm_panthor_queue_submit
};
struct drm_panthor_group_get_state {
    uint32_t group_handle, state, fatal_queues, pad;
};
struct drm_panthor_tiler_heap_create {
    uint32_t vm_id, initial_chunk_count, chunk_size, max_chunks, target_in_flight, handle;
    uint64_t tiler_heap_ctx_gpu_va, first_heap_chunk_gpu_va;
};
struct drm_panthor_tiler_heap_destroy {
    uint32_t handle, pad;
};

constexpr unsigned kPanthorIoctlCount = 13;
constexpr unsigned long kPanthorDevQuery = drm_iowr<drm_panthor_dev_query>(kDrmCommandBase + 0);
constexpr unsigned long kPanthorVmCreate = drm_iowr<drm_panthor_vm_create>(kDrmCommandBase + 1);
constexpr unsigned long kPanthorVmDestroy = drm_iowr<drm_panthor_vm_destroy>(kDrmCommandBase + 2);
constexpr unsigned long kPanthorVmBind = drm_iowr<drm_panthor_vm_bind>(kDrmCommandBase + 3);
constexpr unsigned long kPanthorVmGetState = drm_iowr<drm_panthor_vm_get_state>(kDrmCommandBase + 4);
constexpr unsigned long kPanthorBoCreate = drm_iowr<drm_panthor_bo_create>(kDrmCommandBase + 5);
constexpr unsigned long kPanthorBoMmapOffset = drm_iowr<drm_panthor_bo_mmap_offset>(kDrmCommandBase + 6);
constexpr unsigned long kPanthorGroupCreate = drm_iowr<drm_panthor_group_create>(kDrmCommandBase + 7);
constexpr unsigned long kPanthorGroupDestroy = drm_iowr<drm_panthor_group_destroy>(kDrmCommandBase + 8);
constexpr unsigned long kPanthorGroupSubmit = drm_iowr<drm_panthor_group_submit>(kDrmCommandBase + 9);
constexpr unsigned long kPanthorGroupGetState = drm_iowr<drm_panthor_group_get_state>(kDrmCommandBase + 10);
constexpr unsigned long kPanthorTilerHeapCreate =
    drm_iowr<drm_panthor_tiler_heap_create>(kDrmCommandBase + 11);
constexpr unsigned long kPanthorTilerHeapDestroy =
    drm_iowr<drm_panthor_tiler_heap_destroy>(kDrmCommandBase + 12);

constexpr uint32_t kSyncOpTypeMask = 0xff, kSyncOpSyncobj = 0, kSyncOpTimeline = 1;
constexpr uint32_t kSyncOpWait = 0, kSyncOpSignal = 1u << 31;

constexpr uint32_t kDevQueryGpuInfo = 0, kDevQueryCsifInfo = 1, kDevQueryTimestampInfo = 2,
                   kDevQueryGroupPriorities = 3;

constexpr uint32_t kVmBindOpReadOnly = 1, kVmBindOpNoExec = 2, kVmBindOpUncached = 4;
constexpr uint32_t kVmBindOpTypeMask = 0xfu << 28;
constexpr uint32_t kVmBindOpMap = 0, kVmBindOpUnmap = 1u << 28, kVmBindOpSyncOnly = 2u << 28;
constexpr uint32_t kVmBindAsync = 1;
constexpr uint32_t kVmStateUsable = 0, kVmStateUnusable = 1;

constexpr uint32_t kBoNoMmap = 1;

constexpr uint8_t kGroupPriorityLow = 0, kGroupPriorityMedium = 1, kGroupPriorityHigh = 2,
                  kGroupPriorityRealtime = 3;
constexpr uint32_t kGroupStateTimedout = 1, kGroupStateFatalFault = 2, kGroupStateInnocent = 4;

/// Where mmap shows the page with the LATEST_FLUSH register (64-bit processes).
constexpr uint64_t kPanthorFlushIdOffset = 1ull << 56;

}  // namespace terrazzo::uapi
