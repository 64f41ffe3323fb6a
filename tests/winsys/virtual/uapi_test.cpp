// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Our structs and request numbers, compared with libdrm's header if it is installed; panthor's with the
// numbers of Linux 6.12, msm's with those of 6.17.
#include <doctest/doctest.h>

#include <cstddef>

#include "winsys/uapi/msm.h"
#include "winsys/uapi/panthor.h"
#if __has_include(<libdrm/drm.h>)
#include <libdrm/drm.h>
#endif

namespace uapi = terrazzo::uapi;

TEST_CASE("panthor's requests have the kernel's numbers") {
    CHECK(uapi::kPanthorDevQuery == 0xc0106440);
    CHECK(uapi::kPanthorVmCreate == 0xc0106441);
    CHECK(uapi::kPanthorVmDestroy == 0xc0086442);
    CHECK(uapi::kPanthorVmBind == 0xc0186443);
    CHECK(uapi::kPanthorVmGetState == 0xc0086444);
    CHECK(uapi::kPanthorBoCreate == 0xc0186445);
    CHECK(uapi::kPanthorBoMmapOffset == 0xc0106446);
    CHECK(uapi::kPanthorGroupCreate == 0xc0386447);
    CHECK(uapi::kPanthorGroupDestroy == 0xc0086448);
    CHECK(uapi::kPanthorGroupSubmit == 0xc0186449);
    CHECK(uapi::kPanthorGroupGetState == 0xc010644a);
    CHECK(uapi::kPanthorTilerHeapCreate == 0xc028644b);
    CHECK(uapi::kPanthorTilerHeapDestroy == 0xc008644c);
    static_assert(sizeof(uapi::drm_panthor_gpu_info) == 104 &&
                  offsetof(uapi::drm_panthor_gpu_info, shader_present) == 72);
    static_assert(sizeof(uapi::drm_panthor_vm_bind_op) == 48 && sizeof(uapi::drm_panthor_queue_submit) == 40);
    static_assert(sizeof(uapi::drm_panthor_sync_op) == 16 && sizeof(uapi::drm_panthor_queue_create) == 8);
}

TEST_CASE("msm's requests have the kernel's numbers") {
    CHECK(uapi::kMsmGetParam == 0xc0186440);
    CHECK(uapi::kMsmSetParam == 0x40186441);
    CHECK(uapi::kMsmGemNew == 0xc0106442);
    CHECK(uapi::kMsmGemInfo == 0xc0186443);
    CHECK(uapi::kMsmGemCpuPrep == 0x40186444);
    CHECK(uapi::kMsmGemCpuFini == 0x40046445);
    CHECK(uapi::kMsmGemSubmit == 0xc0486446);
    CHECK(uapi::kMsmWaitFence == 0x40206447);
    CHECK(uapi::kMsmGemMadvise == 0xc00c6448);
    CHECK(uapi::kMsmSubmitqueueNew == 0xc00c644a);
    CHECK(uapi::kMsmSubmitqueueClose == 0x4004644b);
    CHECK(uapi::kMsmSubmitqueueQuery == 0x4018644c);
    CHECK(uapi::kMsmVmBind == 0xc058644d);
    static_assert(sizeof(uapi::drm_msm_gem_submit_cmd) == 32 && sizeof(uapi::drm_msm_gem_submit_bo) == 16);
    static_assert(sizeof(uapi::drm_msm_gem_submit_reloc) == 24 && sizeof(uapi::drm_msm_syncobj) == 16);
    static_assert(sizeof(uapi::drm_msm_vm_bind_op) == 40 && offsetof(uapi::drm_msm_vm_bind, op) == 48);
    static_assert(offsetof(uapi::drm_msm_gem_submit, in_syncobjs) == 40 &&
                  offsetof(uapi::drm_msm_wait_fence, queueid) == 24);
}

#if __has_include(<libdrm/drm.h>)
TEST_CASE("the core's requests equal libdrm's") {
    CHECK(uapi::kIoctlVersion == DRM_IOCTL_VERSION);
    CHECK(uapi::kIoctlGetUnique == DRM_IOCTL_GET_UNIQUE);
    CHECK(uapi::kIoctlGetMagic == DRM_IOCTL_GET_MAGIC);
    CHECK(uapi::kIoctlSetVersion == DRM_IOCTL_SET_VERSION);
    CHECK(uapi::kIoctlGemClose == DRM_IOCTL_GEM_CLOSE);
    CHECK(uapi::kIoctlGemFlink == DRM_IOCTL_GEM_FLINK);
    CHECK(uapi::kIoctlGemOpen == DRM_IOCTL_GEM_OPEN);
    CHECK(uapi::kIoctlGetCap == DRM_IOCTL_GET_CAP);
    CHECK(uapi::kIoctlSetClientCap == DRM_IOCTL_SET_CLIENT_CAP);
    CHECK(uapi::kIoctlAuthMagic == DRM_IOCTL_AUTH_MAGIC);
    CHECK(uapi::kIoctlSetMaster == DRM_IOCTL_SET_MASTER);
    CHECK(uapi::kIoctlDropMaster == DRM_IOCTL_DROP_MASTER);
    CHECK(uapi::kIoctlPrimeHandleToFd == DRM_IOCTL_PRIME_HANDLE_TO_FD);
    CHECK(uapi::kIoctlPrimeFdToHandle == DRM_IOCTL_PRIME_FD_TO_HANDLE);
    CHECK(uapi::kIoctlModeGetResources == DRM_IOCTL_MODE_GETRESOURCES);
    CHECK(uapi::kIoctlModeCreateDumb == DRM_IOCTL_MODE_CREATE_DUMB);
    CHECK(uapi::kIoctlSyncobjCreate == DRM_IOCTL_SYNCOBJ_CREATE);
    CHECK(uapi::kIoctlSyncobjDestroy == DRM_IOCTL_SYNCOBJ_DESTROY);
    CHECK(uapi::kIoctlSyncobjHandleToFd == DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD);
    CHECK(uapi::kIoctlSyncobjFdToHandle == DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE);
    CHECK(uapi::kIoctlSyncobjReset == DRM_IOCTL_SYNCOBJ_RESET);
    CHECK(uapi::kIoctlSyncobjSignal == DRM_IOCTL_SYNCOBJ_SIGNAL);
    CHECK(uapi::kIoctlSyncobjQuery == DRM_IOCTL_SYNCOBJ_QUERY);
    CHECK(uapi::kIoctlSyncobjTransfer == DRM_IOCTL_SYNCOBJ_TRANSFER);
    CHECK(uapi::kIoctlSyncobjTimelineSignal == DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL);
    // The structs of waits have grown since then. A request is found by its number and kind.
    CHECK((uapi::kIoctlSyncobjWait & ~0x3fff0000ul) == (DRM_IOCTL_SYNCOBJ_WAIT & ~0x3fff0000ul));
    CHECK((uapi::kIoctlSyncobjTimelineWait & ~0x3fff0000ul) ==
          (DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT & ~0x3fff0000ul));
    static_assert(offsetof(uapi::drm_syncobj_wait, first_signaled) ==
                  offsetof(drm_syncobj_wait, first_signaled));
    static_assert(offsetof(uapi::drm_syncobj_timeline_wait, flags) ==
                  offsetof(drm_syncobj_timeline_wait, flags));
    static_assert(offsetof(uapi::drm_syncobj_transfer, dst_point) ==
                  offsetof(drm_syncobj_transfer, dst_point));
}
#endif
