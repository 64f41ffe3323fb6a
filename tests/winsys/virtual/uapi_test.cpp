// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Our structs and request numbers, compared with libdrm's header if it is installed; panthor's with the
// numbers of Linux 6.12, msm's with those of 6.17, asahi's with those of 6.16 and of Mesa 25.0.7's header.
#include <doctest/doctest.h>

#include <cstddef>

#include "winsys/uapi/asahi.h"
#include "winsys/uapi/asahi_downstream.h"
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

TEST_CASE("asahi's requests have the kernel's numbers") {
    CHECK(uapi::kAsahiGetParams == 0x40186440);
    CHECK(uapi::kAsahiGetTime == 0xc0106441);
    CHECK(uapi::kAsahiVmCreate == 0xc0186442);
    CHECK(uapi::kAsahiVmDestroy == 0x40086443);
    CHECK(uapi::kAsahiVmBind == 0x40186444);
    CHECK(uapi::kAsahiGemCreate == 0xc0186445);
    CHECK(uapi::kAsahiGemMmapOffset == 0xc0106446);
    CHECK(uapi::kAsahiGemBindObject == 0xc0286447);
    CHECK(uapi::kAsahiQueueCreate == 0xc0186448);
    CHECK(uapi::kAsahiQueueDestroy == 0x40086449);
    CHECK(uapi::kAsahiSubmit == 0x4028644a);
    static_assert(sizeof(uapi::drm_asahi_params_global) == 592 &&
                  offsetof(uapi::drm_asahi_params_global, vm_start) == 552);
    static_assert(sizeof(uapi::drm_asahi_gem_bind_op) == 32 && sizeof(uapi::drm_asahi_sync) == 16);
    static_assert(sizeof(uapi::drm_asahi_cmd_header) == 8 && sizeof(uapi::drm_asahi_attachment) == 24);
    static_assert(sizeof(uapi::drm_asahi_cmd_compute) == 64 &&
                  offsetof(uapi::drm_asahi_cmd_compute, helper) == 32);
    static_assert(sizeof(uapi::drm_asahi_cmd_render) == 240 &&
                  offsetof(uapi::drm_asahi_cmd_render, isp_scissor_base) == 48 &&
                  offsetof(uapi::drm_asahi_cmd_render, zls_ctrl) == 120 &&
                  offsetof(uapi::drm_asahi_cmd_render, isp_merge_upper_x) == 160 &&
                  offsetof(uapi::drm_asahi_cmd_render, ts_vtx) == 208);
}

TEST_CASE("asahi's older requests have Mesa's numbers") {
    namespace old = uapi::asahi_downstream;
    CHECK(old::kGetParams == 0xc0206440);
    CHECK(old::kVmCreate == 0xc0206441);
    CHECK(old::kVmDestroy == 0x40106442);
    CHECK(old::kGemCreate == 0xc0206443);
    CHECK(old::kGemMmapOffset == 0xc0186444);
    CHECK(old::kGemBind == 0x40306445);
    CHECK(old::kQueueCreate == 0xc0206446);
    CHECK(old::kQueueDestroy == 0x40106447);
    CHECK(old::kSubmit == 0x40386448);
    CHECK(old::kGetTime == 0xc0186449);
    CHECK(old::kGemBindObject == 0xc030644a);
    static_assert(sizeof(old::drm_asahi_params_global) == 432 && sizeof(old::drm_asahi_sync) == 24);
    static_assert(sizeof(old::drm_asahi_command) == 56 && sizeof(old::drm_asahi_cmd_compute) == 104);
    static_assert(sizeof(old::drm_asahi_cmd_render) == 464 &&
                  offsetof(old::drm_asahi_cmd_render, scissor_array) == 288);
    static_assert(sizeof(old::drm_asahi_result_render) == 96 && sizeof(old::drm_asahi_result_compute) == 56);
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
