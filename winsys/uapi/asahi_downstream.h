// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of the asahi driver in Asahi Linux' kernels before the one of Linux 6.16, as Mesa 25.0
// expects it: structures as they lie in memory, request numbers and flags. Facts from Mesa 25.0.7's
// src/asahi/lib/unstable_asahi_drm.h. Many structs are those of uapi/asahi.h with a pointer before them.
#pragma once

#include "winsys/uapi/asahi.h"

namespace terrazzo::uapi::asahi_downstream {

/// Mesa refuses a kernel with another number.
constexpr uint32_t kVersion = 0xdeadbeef;
constexpr unsigned kMaxClusters = 32;

struct drm_asahi_params_global {
    uint32_t unstable_uabi_version, pad0;
    uint64_t feat_compat, feat_incompat;  // kFeat*
    uint32_t gpu_generation, gpu_variant, gpu_revision, chip_id;
    uint32_t num_dies, num_clusters_total, num_cores_per_cluster, num_frags_per_cluster;
    uint32_t num_gps_per_cluster, num_cores_total_active;
    uint64_t core_masks[kMaxClusters];
    uint32_t vm_page_size, pad1;
    uint64_t vm_user_start, vm_user_end, vm_usc_start, vm_usc_end, vm_kernel_min_size;
    uint32_t max_syncs_per_submission, max_commands_per_submission, max_commands_in_flight, max_attachments;
    uint32_t timer_frequency_hz, min_frequency_khz, max_frequency_khz, max_power_mw;
    uint32_t result_render_size, result_compute_size;
    uint32_t firmware_version[4];
    uint64_t user_timestamp_frequency_hz;
};
struct Extensions {
    uint64_t extensions;  // 0, or where a list of further structs begins
};
struct drm_asahi_get_params : Extensions, uapi::drm_asahi_get_params {};
struct drm_asahi_get_time : Extensions, uapi::drm_asahi_get_time {};  // in ticks
struct drm_asahi_vm_create : Extensions, uapi::drm_asahi_vm_create {};
struct drm_asahi_vm_destroy : Extensions, uapi::drm_asahi_vm_destroy {};
struct drm_asahi_gem_create : Extensions, uapi::drm_asahi_gem_create {};
struct drm_asahi_gem_mmap_offset : Extensions, uapi::drm_asahi_gem_mmap_offset {};
struct drm_asahi_gem_bind_object : Extensions, uapi::drm_asahi_gem_bind_object {};
struct drm_asahi_queue_destroy : Extensions, uapi::drm_asahi_queue_destroy {};
struct drm_asahi_sync : Extensions, uapi::drm_asahi_sync {};
struct drm_asahi_gem_bind {
    uint64_t extensions;
    uint32_t op, flags, handle, vm_id;  // kBindOp*, kBind*
    uint64_t offset, range, addr;
};
struct drm_asahi_queue_create {
    uint64_t extensions;
    uint32_t flags, vm_id, queue_caps, priority, queue_id, pad;  // kQueueCap*; priority 0 is the highest
};
struct drm_asahi_command {
    uint64_t extensions;
    uint32_t cmd_type, flags;              // kCmd*
    uint64_t cmd_buffer, cmd_buffer_size;  // a drm_asahi_cmd_*
    uint64_t result_offset, result_size;   // in the object for results; a drm_asahi_result_*
    uint32_t barriers[2];                  // on renders and on dispatches, as in drm_asahi_cmd_header
};
struct drm_asahi_submit {
    uint64_t extensions, in_syncs, out_syncs, commands;
    uint32_t flags, queue_id, result_handle, in_sync_count, out_sync_count, command_count;
};
struct drm_asahi_attachment {
    uint64_t pointer, size;
    uint32_t order, flags;
};
/// A depth or stencil buffer: three registers each.
struct zls_addresses {
    uint64_t load, load_stride, store, store_stride, partial, partial_stride;
};
struct drm_asahi_cmd_render {
    uint64_t extensions, flags;  // kRender*
    uint64_t encoder_ptr, vertex_usc_base, fragment_usc_base;
    uint64_t vertex_attachments, fragment_attachments;
    uint32_t vertex_attachment_count, fragment_attachment_count;
    uint32_t vertex_helper_program, fragment_helper_program, vertex_helper_cfg, fragment_helper_cfg;
    uint64_t vertex_helper_arg, fragment_helper_arg;
    zls_addresses depth_buffer, depth_meta_buffer, stencil_buffer, stencil_meta_buffer;
    uint64_t scissor_array, depth_bias_array, visibility_result_buffer;
    uint64_t vertex_sampler_array;
    uint32_t vertex_sampler_count, vertex_sampler_max;
    uint64_t fragment_sampler_array;
    uint32_t fragment_sampler_count, fragment_sampler_max;
    uint64_t zls_ctrl, ppp_multisamplectl;
    uint32_t ppp_ctrl, fb_width, fb_height, utile_width, utile_height, samples, layers;
    uint32_t encoder_id, cmd_ta_id, cmd_3d_id;
    uint32_t sample_size, tib_blocks, iogpu_unk_214, merge_upper_x, merge_upper_y;
    uint32_t load_pipeline, load_pipeline_bind, store_pipeline, store_pipeline_bind;
    uint32_t partial_reload_pipeline, partial_reload_pipeline_bind, partial_store_pipeline,
        partial_store_pipeline_bind;
    uint32_t depth_dimensions, isp_bgobjdepth, isp_bgobjvals;
};
/// The extension kExtTimestamps of a render.
struct drm_asahi_cmd_render_user_timestamps {
    uint32_t type, pad;
    uint64_t next;
    uint32_t vtx_start_handle, vtx_start_offset, vtx_end_handle, vtx_end_offset;
    uint32_t frg_start_handle, frg_start_offset, frg_end_handle, frg_end_offset;
};
struct drm_asahi_cmd_compute {
    uint64_t extensions, flags;
    uint64_t encoder_ptr, encoder_end, usc_base, attachments;
    uint32_t attachment_count, pad, helper_program, helper_cfg;
    uint64_t helper_arg;
    uint32_t encoder_id, cmd_id;
    uint64_t sampler_array;
    uint32_t sampler_count, sampler_max, iogpu_unk_40, unk_mask;
};
/// The extension kExtTimestamps of a dispatch.
struct drm_asahi_cmd_compute_user_timestamps {
    uint32_t type, pad;
    uint64_t next;
    uint32_t start_handle, start_offset, end_handle, end_offset;
};
struct drm_asahi_result_info {
    uint32_t status, fault_type, unit, sideband;  // kStatus*, kFault*
    uint8_t level, is_read;
    uint16_t pad;
    uint32_t extra;
    uint64_t address;
};
struct drm_asahi_result_render {
    drm_asahi_result_info info;
    uint64_t flags, vertex_ts_start, vertex_ts_end, fragment_ts_start, fragment_ts_end;  // ticks
    uint64_t tvb_size_bytes, tvb_usage_bytes;
    uint32_t num_tvb_overflows, pad;
};
struct drm_asahi_result_compute {
    drm_asahi_result_info info;
    uint64_t flags, ts_start, ts_end;
};

constexpr unsigned kIoctlCount = 11;
constexpr unsigned long kGetParams = drm_iowr<drm_asahi_get_params>(kDrmCommandBase + 0);
constexpr unsigned long kVmCreate = drm_iowr<drm_asahi_vm_create>(kDrmCommandBase + 1);
constexpr unsigned long kVmDestroy = drm_iow<drm_asahi_vm_destroy>(kDrmCommandBase + 2);
constexpr unsigned long kGemCreate = drm_iowr<drm_asahi_gem_create>(kDrmCommandBase + 3);
constexpr unsigned long kGemMmapOffset = drm_iowr<drm_asahi_gem_mmap_offset>(kDrmCommandBase + 4);
constexpr unsigned long kGemBind = drm_iow<drm_asahi_gem_bind>(kDrmCommandBase + 5);
constexpr unsigned long kQueueCreate = drm_iowr<drm_asahi_queue_create>(kDrmCommandBase + 6);
constexpr unsigned long kQueueDestroy = drm_iow<drm_asahi_queue_destroy>(kDrmCommandBase + 7);
constexpr unsigned long kSubmit = drm_iow<drm_asahi_submit>(kDrmCommandBase + 8);
constexpr unsigned long kGetTime = drm_iowr<drm_asahi_get_time>(kDrmCommandBase + 9);
constexpr unsigned long kGemBindObject = drm_iowr<drm_asahi_gem_bind_object>(kDrmCommandBase + 10);

constexpr uint64_t kFeatSoftFaults = 1, kFeatGettime = 2, kFeatUserTimestamps = 4;
constexpr uint32_t kBindOpBind = 0, kBindOpUnbind = 1, kBindOpUnbindAll = 2;
constexpr uint32_t kBindRead = 1, kBindWrite = 2;
constexpr uint32_t kCmdRender = 0, kCmdBlit = 1, kCmdCompute = 2;
constexpr uint32_t kQueueCapRender = 1, kQueueCapBlit = 2, kQueueCapCompute = 4, kQueueCaps = 7;
constexpr uint32_t kBarrierNone = UINT32_MAX;
constexpr uint64_t kRenderNoClearPipelineTextures = 1, kRenderSetWhenReloadingZOrS = 2,
                   kRenderVertexSpills = 4, kRenderProcessEmptyTiles = 8, kRenderNoVertexClustering = 16,
                   kRenderMsaaZs = 32, kRenderNoPreemption = 64, kRenderFlags = 127;
constexpr uint64_t kComputeNoPreemption = 1;
constexpr uint32_t kExtTimestamps = 1;
constexpr uint32_t kStatusPending = 0, kStatusComplete = 1, kStatusUnknownError = 2, kStatusTimeout = 3,
                   kStatusFault = 4, kStatusKilled = 5, kStatusNoDevice = 6;
constexpr uint32_t kFaultNone = 0, kFaultUnknown = 1, kFaultUnmapped = 2, kFaultWriteOnly = 4,
                   kFaultReadOnly = 5;

}  // namespace terrazzo::uapi::asahi_downstream
