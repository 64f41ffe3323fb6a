// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The part of Linux' DRM interface that every driver has: structures as they lie in memory, and request
// numbers. Facts from the kernel's include/uapi/drm/drm.h, linux/sync_file.h and linux/dma-buf.h (6.12);
// tests/winsys compares them with libdrm's header. In a namespace and without macros, so that a file may
// include the system's header as well.
#pragma once

#include <sys/ioctl.h>

#include <cstddef>
#include <cstdint>

namespace terrazzo::uapi {

/// A request number of the DRM kind: read-write, write-only or read-only as the kernel declares it.
template <typename T>
constexpr unsigned long drm_iowr(unsigned nr) {
    return _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, sizeof(T));
}
template <typename T>
constexpr unsigned long drm_iow(unsigned nr) {
    return _IOC(_IOC_WRITE, 'd', nr, sizeof(T));
}
template <typename T>
constexpr unsigned long drm_ior(unsigned nr) {
    return _IOC(_IOC_READ, 'd', nr, sizeof(T));
}

struct drm_version {
    int32_t version_major, version_minor, version_patchlevel;
    size_t name_len;
    char* name;
    size_t date_len;
    char* date;
    size_t desc_len;
    char* desc;
};
struct drm_unique {
    size_t unique_len;
    char* unique;
};
struct drm_auth {
    uint32_t magic;
};
struct drm_set_version {
    int32_t drm_di_major, drm_di_minor, drm_dd_major, drm_dd_minor;
};
struct drm_gem_close {
    uint32_t handle, pad;
};
struct drm_gem_flink {
    uint32_t handle, name;
};
struct drm_gem_open {
    uint32_t name, handle;
    uint64_t size;
};
struct drm_get_cap {
    uint64_t capability, value;
};
struct drm_set_client_cap {
    uint64_t capability, value;
};
struct drm_prime_handle {
    uint32_t handle, flags;
    int32_t fd;
};
struct drm_mode_card_res {
    uint64_t fb_id_ptr, crtc_id_ptr, connector_id_ptr, encoder_id_ptr;
    uint32_t count_fbs, count_crtcs, count_connectors, count_encoders, min_width, max_width, min_height,
        max_height;
};
struct drm_mode_create_dumb {
    uint32_t height, width, bpp, flags, handle, pitch;
    uint64_t size;
};

struct drm_syncobj_create {
    uint32_t handle, flags;
};
struct drm_syncobj_destroy {
    uint32_t handle, pad;
};
struct drm_syncobj_handle {
    uint32_t handle, flags;
    int32_t fd;
    uint32_t pad;
};
struct drm_syncobj_transfer {
    uint32_t src_handle, dst_handle;
    uint64_t src_point, dst_point;
    uint32_t flags, pad;
};
struct drm_syncobj_wait {
    uint64_t handles;
    int64_t timeout_nsec;
    uint32_t count_handles, flags, first_signaled, pad;
    uint64_t deadline_nsec;  // since Linux 6.6; older callers pass a shorter struct
};
struct drm_syncobj_timeline_wait {
    uint64_t handles, points;
    int64_t timeout_nsec;
    uint32_t count_handles, flags, first_signaled, pad;
    uint64_t deadline_nsec;
};
struct drm_syncobj_eventfd {
    uint32_t handle, flags;
    uint64_t point;
    int32_t fd;
    uint32_t pad;
};
struct drm_syncobj_array {
    uint64_t handles;
    uint32_t count_handles, pad;
};
struct drm_syncobj_timeline_array {
    uint64_t handles, points;
    uint32_t count_handles, flags;
};

constexpr unsigned kDrmCommandBase = 0x40, kDrmCommandEnd = 0xa0;  // a driver's own requests

constexpr unsigned long kIoctlVersion = drm_iowr<drm_version>(0x00);
constexpr unsigned long kIoctlGetUnique = drm_iowr<drm_unique>(0x01);
constexpr unsigned long kIoctlGetMagic = drm_ior<drm_auth>(0x02);
constexpr unsigned long kIoctlSetVersion = drm_iowr<drm_set_version>(0x07);
constexpr unsigned long kIoctlGemClose = drm_iow<drm_gem_close>(0x09);
constexpr unsigned long kIoctlGemFlink = drm_iowr<drm_gem_flink>(0x0a);
constexpr unsigned long kIoctlGemOpen = drm_iowr<drm_gem_open>(0x0b);
constexpr unsigned long kIoctlGetCap = drm_iowr<drm_get_cap>(0x0c);
constexpr unsigned long kIoctlSetClientCap = drm_iow<drm_set_client_cap>(0x0d);
constexpr unsigned long kIoctlAuthMagic = drm_iow<drm_auth>(0x11);
constexpr unsigned long kIoctlSetMaster = _IOC(_IOC_NONE, 'd', 0x1e, 0);
constexpr unsigned long kIoctlDropMaster = _IOC(_IOC_NONE, 'd', 0x1f, 0);
constexpr unsigned long kIoctlPrimeHandleToFd = drm_iowr<drm_prime_handle>(0x2d);
constexpr unsigned long kIoctlPrimeFdToHandle = drm_iowr<drm_prime_handle>(0x2e);
constexpr unsigned long kIoctlModeGetResources = drm_iowr<drm_mode_card_res>(0xa0);
constexpr unsigned long kIoctlModeCreateDumb = drm_iowr<drm_mode_create_dumb>(0xb2);
constexpr unsigned long kIoctlSyncobjCreate = drm_iowr<drm_syncobj_create>(0xbf);
constexpr unsigned long kIoctlSyncobjDestroy = drm_iowr<drm_syncobj_destroy>(0xc0);
constexpr unsigned long kIoctlSyncobjHandleToFd = drm_iowr<drm_syncobj_handle>(0xc1);
constexpr unsigned long kIoctlSyncobjFdToHandle = drm_iowr<drm_syncobj_handle>(0xc2);
constexpr unsigned long kIoctlSyncobjWait = drm_iowr<drm_syncobj_wait>(0xc3);
constexpr unsigned long kIoctlSyncobjReset = drm_iowr<drm_syncobj_array>(0xc4);
constexpr unsigned long kIoctlSyncobjSignal = drm_iowr<drm_syncobj_array>(0xc5);
constexpr unsigned long kIoctlSyncobjTimelineWait = drm_iowr<drm_syncobj_timeline_wait>(0xca);
constexpr unsigned long kIoctlSyncobjQuery = drm_iowr<drm_syncobj_timeline_array>(0xcb);
constexpr unsigned long kIoctlSyncobjTransfer = drm_iowr<drm_syncobj_transfer>(0xcc);
constexpr unsigned long kIoctlSyncobjTimelineSignal = drm_iowr<drm_syncobj_timeline_array>(0xcd);
constexpr unsigned long kIoctlSyncobjEventfd = drm_iowr<drm_syncobj_eventfd>(0xcf);

constexpr uint64_t kCapDumbBuffer = 0x1, kCapPrime = 0x5, kCapTimestampMonotonic = 0x6, kCapSyncobj = 0x13,
                   kCapSyncobjTimeline = 0x14;
constexpr uint64_t kPrimeCapImport = 1, kPrimeCapExport = 2;

constexpr uint32_t kSyncobjCreateSignaled = 1;
constexpr uint32_t kSyncobjFdSyncFile = 1;  // HANDLE_TO_FD: export, FD_TO_HANDLE: import a sync file
constexpr uint32_t kSyncobjWaitAll = 1, kSyncobjWaitForSubmit = 2, kSyncobjWaitAvailable = 4,
                   kSyncobjWaitDeadline = 8;
constexpr uint32_t kSyncobjQueryLastSubmitted = 1;

// Sync files and dma-bufs: requests to their own descriptors.
struct sync_merge_data {
    char name[32];
    int32_t fd2, fence;
    uint32_t flags, pad;
};
struct sync_fence_info {
    char obj_name[32], driver_name[32];
    int32_t status;
    uint32_t flags;
    uint64_t timestamp_ns;
};
struct sync_file_info {
    char name[32];
    int32_t status;
    uint32_t flags, num_fences, pad;
    uint64_t sync_fence_info;
};
struct dma_buf_sync {
    uint64_t flags;
};
struct dma_buf_sync_file {
    uint32_t flags;
    int32_t fd;
};
constexpr unsigned long kIoctlSyncMerge = _IOC(_IOC_READ | _IOC_WRITE, '>', 3, sizeof(sync_merge_data));
constexpr unsigned long kIoctlSyncFileInfo = _IOC(_IOC_READ | _IOC_WRITE, '>', 4, sizeof(sync_file_info));
constexpr unsigned long kIoctlDmaBufSync = _IOC(_IOC_WRITE, 'b', 0, sizeof(dma_buf_sync));
constexpr unsigned long kIoctlDmaBufExportSyncFile =
    _IOC(_IOC_READ | _IOC_WRITE, 'b', 2, sizeof(dma_buf_sync_file));
constexpr unsigned long kIoctlDmaBufImportSyncFile = _IOC(_IOC_WRITE, 'b', 3, sizeof(dma_buf_sync_file));
constexpr uint32_t kDmaBufRead = 1, kDmaBufWrite = 2, kDmaBufEnd = 4;

}  // namespace terrazzo::uapi
