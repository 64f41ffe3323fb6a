// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of Linux' asahi driver (Apple AGX), Linux 6.16 and later: structures as they lie in memory,
// request numbers and flags. Facts from the kernel's include/uapi/drm/asahi_drm.h. Padding must be zero. GPU
// memory is in pages of 16 KiB. asahi_downstream.h has the older interface of Asahi Linux' own kernels.
#pragma once

#include "winsys/uapi/drm.h"

namespace terrazzo::uapi {

constexpr unsigned kAsahiMaxClusters = 64;

struct drm_asahi_params_global {
    uint64_t features;  // kAsahiFeature*
    uint32_t gpu_generation, gpu_variant, gpu_revision, chip_id;
    uint32_t num_dies, num_clusters_total, num_cores_per_cluster, max_frequency_khz;
    uint64_t core_masks[kAsahiMaxClusters];
    uint64_t vm_start, vm_end, vm_kernel_min_size;
    uint32_t max_commands_per_submission, max_attachments;
    uint64_t command_timestamp_frequency_hz;
};
struct drm_asahi_get_params {
    uint32_t param_group, pad;
    uint64_t pointer, size;
};
struct drm_asahi_get_time {
    uint64_t flags, gpu_timestamp;  // nanoseconds
};
struct drm_asahi_vm_create {
    uint64_t kernel_start, kernel_end;  // the user reserves these addresses for the kernel
    uint32_t vm_id, pad;
};
struct drm_asahi_vm_destroy {
    uint32_t vm_id, pad;
};
struct drm_asahi_gem_create {
    uint64_t size;
    uint32_t flags, vm_id, handle, pad;  // kAsahiGem*; vm_id: of a private object
};
struct drm_asahi_gem_mmap_offset {
    uint32_t handle, flags;
    uint64_t offset;
};
struct drm_asahi_gem_bind_op {
    uint32_t flags, handle;  // kAsahiBind*
    uint64_t offset, range, addr;
};
struct drm_asahi_vm_bind {
    uint32_t vm_id, num_binds, stride, pad;
    uint64_t userptr;  // of drm_asahi_gem_bind_op, one each `stride` bytes
};
struct drm_asahi_gem_bind_object {
    uint32_t op, flags, handle, vm_id;  // kAsahiBindObject*
    uint64_t offset, range;
    uint32_t object_handle, pad;
};
struct drm_asahi_queue_create {
    uint32_t flags, vm_id, priority, queue_id;  // kAsahiPriority*
    uint64_t usc_exec_base;                     // the address that those of shaders are relative to
};
struct drm_asahi_queue_destroy {
    uint32_t queue_id, pad;
};
struct drm_asahi_sync {
    uint32_t sync_type, handle;  // kAsahiSync*
    uint64_t timeline_value;
};
/// Before each command of a submit.
struct drm_asahi_cmd_header {
    uint16_t cmd_type, size;            // kAsahiCmd*; the size of what follows
    uint16_t vdm_barrier, cdm_barrier;  // kAsahiBarrierNone, 0: all work of earlier submits, or N: this
                                        // submit's first N renders or dispatches
};
struct drm_asahi_submit {
    uint64_t syncs, cmdbuf;  // of drm_asahi_sync: first those to wait for; of commands
    uint32_t flags, queue_id, in_sync_count, out_sync_count, cmdbuf_size, pad;
};
struct drm_asahi_attachment {
    uint64_t pointer, size;
    uint32_t pad, flags;
};
struct drm_asahi_zls_buffer {
    uint64_t base, comp_base;
    uint32_t stride, comp_stride;
};
struct drm_asahi_timestamp {
    uint32_t handle, offset;  // handle 0: none; of GEM_BIND_OBJECT
};
struct drm_asahi_timestamps {
    drm_asahi_timestamp start, end;
};
struct drm_asahi_helper_program {
    uint32_t binary, cfg;
    uint64_t data;
};
struct drm_asahi_bg_eot {
    uint32_t usc, rsrc_spec;
};
struct drm_asahi_cmd_render {
    uint32_t flags, isp_zls_pixels;  // kAsahiRender*
    uint64_t vdm_ctrl_stream_base;
    drm_asahi_helper_program vertex_helper, fragment_helper;
    uint64_t isp_scissor_base, isp_dbias_base, isp_oclqry_base;
    drm_asahi_zls_buffer depth, stencil;
    uint64_t zls_ctrl, ppp_multisamplectl, sampler_heap;
    uint32_t ppp_ctrl;
    uint16_t width_px, height_px, layers, sampler_count;
    uint8_t utile_width_px, utile_height_px, samples, sample_size_B;
    uint32_t isp_merge_upper_x, isp_merge_upper_y;
    drm_asahi_bg_eot bg, eot, partial_bg, partial_eot;
    uint32_t isp_bgobjdepth, isp_bgobjvals;
    drm_asahi_timestamps ts_vtx, ts_frag;
};
struct drm_asahi_cmd_compute {
    uint32_t flags, sampler_count;
    uint64_t cdm_ctrl_stream_base, cdm_ctrl_stream_end, sampler_heap;
    drm_asahi_helper_program helper;
    drm_asahi_timestamps ts;
};

constexpr unsigned kAsahiIoctlCount = 11;
constexpr unsigned long kAsahiGetParams = drm_iow<drm_asahi_get_params>(kDrmCommandBase + 0);
constexpr unsigned long kAsahiGetTime = drm_iowr<drm_asahi_get_time>(kDrmCommandBase + 1);
constexpr unsigned long kAsahiVmCreate = drm_iowr<drm_asahi_vm_create>(kDrmCommandBase + 2);
constexpr unsigned long kAsahiVmDestroy = drm_iow<drm_asahi_vm_destroy>(kDrmCommandBase + 3);
constexpr unsigned long kAsahiVmBind = drm_iow<drm_asahi_vm_bind>(kDrmCommandBase + 4);
constexpr unsigned long kAsahiGemCreate = drm_iowr<drm_asahi_gem_create>(kDrmCommandBase + 5);
constexpr unsigned long kAsahiGemMmapOffset = drm_iowr<drm_asahi_gem_mmap_offset>(kDrmCommandBase + 6);
constexpr unsigned long kAsahiGemBindObject = drm_iowr<drm_asahi_gem_bind_object>(kDrmCommandBase + 7);
constexpr unsigned long kAsahiQueueCreate = drm_iowr<drm_asahi_queue_create>(kDrmCommandBase + 8);
constexpr unsigned long kAsahiQueueDestroy = drm_iow<drm_asahi_queue_destroy>(kDrmCommandBase + 9);
constexpr unsigned long kAsahiSubmit = drm_iow<drm_asahi_submit>(kDrmCommandBase + 10);

constexpr uint64_t kAsahiFeatureSoftFaults = 1;
constexpr uint32_t kAsahiGemWriteback = 1, kAsahiGemVmPrivate = 2;
constexpr uint32_t kAsahiBindUnbind = 1, kAsahiBindRead = 2, kAsahiBindWrite = 4, kAsahiBindSinglePage = 8;
constexpr uint32_t kAsahiBindObjectOpBind = 0, kAsahiBindObjectOpUnbind = 1;
constexpr uint32_t kAsahiBindObjectUsageTimestamps = 1;
constexpr uint32_t kAsahiPriorityLow = 0, kAsahiPriorityMedium = 1, kAsahiPriorityHigh = 2,
                   kAsahiPriorityRealtime = 3;
constexpr uint32_t kAsahiSyncSyncobj = 0, kAsahiSyncTimelineSyncobj = 1;
constexpr uint16_t kAsahiCmdRender = 0, kAsahiCmdCompute = 1, kAsahiSetVertexAttachments = 2,
                   kAsahiSetFragmentAttachments = 3, kAsahiSetComputeAttachments = 4;
constexpr uint16_t kAsahiBarrierNone = 0xffff;
constexpr uint32_t kAsahiRenderVertexScratch = 1, kAsahiRenderProcessEmptyTiles = 2,
                   kAsahiRenderNoVertexClustering = 4, kAsahiRenderDbiasIsInt = 1u << 18;
constexpr uint32_t kAsahiRenderFlags = kAsahiRenderVertexScratch | kAsahiRenderProcessEmptyTiles |
                                       kAsahiRenderNoVertexClustering | kAsahiRenderDbiasIsInt;

}  // namespace terrazzo::uapi
