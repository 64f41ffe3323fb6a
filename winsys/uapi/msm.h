// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of Linux' msm driver (Qualcomm Adreno), version 1.13: structures as they lie in memory,
// request numbers and flags. Facts from the kernel's include/uapi/drm/msm_drm.h. Times are CLOCK_MONOTONIC,
// absolute.
#pragma once

#include "winsys/uapi/drm.h"

namespace terrazzo::uapi {

struct drm_msm_timespec {
    int64_t tv_sec, tv_nsec;
};
struct drm_msm_param {
    uint32_t pipe, param;  // kMsmPipe*, kMsmParam*
    uint64_t value;
    uint32_t len, pad;  // len: 0 where the value is no pointer
};
struct drm_msm_gem_new {
    uint64_t size;
    uint32_t flags, handle;  // kMsmBo*
};
struct drm_msm_gem_info {
    uint32_t handle, info;  // kMsmInfo*
    uint64_t value;         // or a user pointer to len bytes
    uint32_t len, pad;
};
struct drm_msm_gem_cpu_prep {
    uint32_t handle, op;  // kMsmPrep*
    drm_msm_timespec timeout;
};
struct drm_msm_gem_cpu_fini {
    uint32_t handle;
};
/// A word of a command buffer becomes ((iova of the object + reloc_offset) << shift) | or_value.
struct drm_msm_gem_submit_reloc {
    uint32_t submit_offset;  // in bytes, in the object of the command buffer; these grow
    uint32_t or_value;
    int32_t shift;
    uint32_t reloc_idx;  // in the list of objects
    uint64_t reloc_offset;
};
struct drm_msm_gem_submit_cmd {
    uint32_t type, submit_idx, submit_offset, size;  // kMsmSubmitCmd*; bytes
    uint32_t pad, nr_relocs;
    uint64_t relocs_or_iova;  // user pointer; where the user manages the addresses: where the commands are
};
struct drm_msm_gem_submit_bo {
    uint32_t flags, handle;  // kMsmSubmitBo*
    uint64_t presumed;       // no longer read
};
struct drm_msm_syncobj {
    uint32_t handle, flags;  // kMsmSyncobj*
    uint64_t point;
};
struct drm_msm_gem_submit {
    uint32_t flags;  // kMsmPipe* | kMsmSubmit*
    uint32_t fence;  // out; in with kMsmSubmitFenceSnIn
    uint32_t nr_bos, nr_cmds;
    uint64_t bos, cmds;
    int32_t fence_fd;
    uint32_t queueid;
    uint64_t in_syncobjs, out_syncobjs;  // of drm_msm_syncobj
    uint32_t nr_in_syncobjs, nr_out_syncobjs, syncobj_stride, pad;
};
struct drm_msm_vm_bind_op {
    uint32_t op, handle;  // kMsmVmBindOp*
    uint64_t obj_offset, iova, range;
    uint32_t flags, pad;
};
struct drm_msm_vm_bind {
    uint32_t flags, nr_ops;  // kMsmVmBind*
    int32_t fence_fd;
    uint32_t queue_id;
    uint64_t in_syncobjs, out_syncobjs;  // of drm_msm_syncobj; 0: none
    uint32_t nr_in_syncobjs, nr_out_syncobjs, syncobj_stride, op_stride;
    union {
        drm_msm_vm_bind_op op;  // where nr_ops is 1
        uint64_t ops;
    };
};
struct drm_msm_wait_fence {
    uint32_t fence, flags;
    drm_msm_timespec timeout;
    uint32_t queueid;
};
struct drm_msm_gem_madvise {
    uint32_t handle, madv, retained;
};
struct drm_msm_submitqueue {
    uint32_t flags, prio, id;  // prio: 0 is the highest
};
struct drm_msm_submitqueue_query {
    uint64_t data;
    uint32_t id, param, len, pad;
};

constexpr unsigned kMsmIoctlCount = 14;
constexpr unsigned long kMsmGetParam = drm_iowr<drm_msm_param>(kDrmCommandBase + 0);
constexpr unsigned long kMsmSetParam = drm_iow<drm_msm_param>(kDrmCommandBase + 1);
constexpr unsigned long kMsmGemNew = drm_iowr<drm_msm_gem_new>(kDrmCommandBase + 2);
constexpr unsigned long kMsmGemInfo = drm_iowr<drm_msm_gem_info>(kDrmCommandBase + 3);
constexpr unsigned long kMsmGemCpuPrep = drm_iow<drm_msm_gem_cpu_prep>(kDrmCommandBase + 4);
constexpr unsigned long kMsmGemCpuFini = drm_iow<drm_msm_gem_cpu_fini>(kDrmCommandBase + 5);
constexpr unsigned long kMsmGemSubmit = drm_iowr<drm_msm_gem_submit>(kDrmCommandBase + 6);
constexpr unsigned long kMsmWaitFence = drm_iow<drm_msm_wait_fence>(kDrmCommandBase + 7);
constexpr unsigned long kMsmGemMadvise = drm_iowr<drm_msm_gem_madvise>(kDrmCommandBase + 8);
// 9 was given away and never used.
constexpr unsigned long kMsmSubmitqueueNew = drm_iowr<drm_msm_submitqueue>(kDrmCommandBase + 10);
constexpr unsigned long kMsmSubmitqueueClose = drm_iow<uint32_t>(kDrmCommandBase + 11);
constexpr unsigned long kMsmSubmitqueueQuery = drm_iow<drm_msm_submitqueue_query>(kDrmCommandBase + 12);
constexpr unsigned long kMsmVmBind = drm_iowr<drm_msm_vm_bind>(kDrmCommandBase + 13);

constexpr uint32_t kMsmPipe3d0 = 0x10, kMsmPipeIdMask = 0xffff;

constexpr uint32_t kMsmParamGpuId = 1, kMsmParamGmemSize = 2, kMsmParamChipId = 3, kMsmParamMaxFreq = 4,
                   kMsmParamTimestamp = 5, kMsmParamGmemBase = 6, kMsmParamPriorities = 7,
                   kMsmParamPpPgtable = 8, kMsmParamFaults = 9, kMsmParamSuspends = 10, kMsmParamSysprof = 11,
                   kMsmParamComm = 12, kMsmParamCmdline = 13, kMsmParamVaStart = 14, kMsmParamVaSize = 15,
                   kMsmParamHighestBankBit = 16, kMsmParamRaytracing = 17, kMsmParamUbwcSwizzle = 18,
                   kMsmParamMacrotileMode = 19, kMsmParamUcheTrapBase = 20, kMsmParamHasPrr = 21,
                   kMsmParamEnVmBind = 22;

constexpr uint32_t kMsmBoScanout = 1, kMsmBoGpuReadonly = 2, kMsmBoNoShare = 4, kMsmBoCacheMask = 0xf0000,
                   kMsmBoCached = 0x10000, kMsmBoWc = 0x20000, kMsmBoUncached = 0x40000,
                   kMsmBoCachedCoherent = 0x80000,
                   kMsmBoFlags = kMsmBoScanout | kMsmBoGpuReadonly | kMsmBoNoShare | kMsmBoCacheMask;

constexpr uint32_t kMsmInfoGetOffset = 0, kMsmInfoGetIova = 1, kMsmInfoSetName = 2, kMsmInfoGetName = 3,
                   kMsmInfoSetIova = 4, kMsmInfoGetFlags = 5, kMsmInfoSetMetadata = 6,
                   kMsmInfoGetMetadata = 7;
constexpr uint32_t kMsmNameSize_B = 32, kMsmMaxMetadata_B = 128;

constexpr uint32_t kMsmPrepRead = 1, kMsmPrepWrite = 2, kMsmPrepNosync = 4, kMsmPrepBoost = 8,
                   kMsmPrepFlags = 15;

constexpr uint32_t kMsmSubmitCmdBuf = 1, kMsmSubmitCmdIbTargetBuf = 2, kMsmSubmitCmdCtxRestoreBuf = 3;
constexpr uint32_t kMsmSubmitBoRead = 1, kMsmSubmitBoWrite = 2, kMsmSubmitBoDump = 4,
                   kMsmSubmitBoNoImplicit = 8, kMsmSubmitBoFlags = 15;
constexpr uint32_t kMsmSubmitNoImplicit = 1u << 31, kMsmSubmitFenceFdIn = 1u << 30,
                   kMsmSubmitFenceFdOut = 1u << 29, kMsmSubmitSudo = 1u << 28, kMsmSubmitSyncobjIn = 1u << 27,
                   kMsmSubmitSyncobjOut = 1u << 26, kMsmSubmitFenceSnIn = 1u << 25,
                   kMsmSubmitFlags = 0xfe000000;
constexpr uint32_t kMsmSyncobjReset = 1;

constexpr uint32_t kMsmVmBindOpUnmap = 0, kMsmVmBindOpMap = 1, kMsmVmBindOpMapNull = 2;
constexpr uint32_t kMsmVmBindOpDump = 1;
constexpr uint32_t kMsmVmBindFenceFdIn = 1, kMsmVmBindFenceFdOut = 2, kMsmVmBindFlags = 3;

constexpr uint32_t kMsmWaitFenceBoost = 1;
constexpr uint32_t kMsmMadvWillneed = 0, kMsmMadvDontneed = 1;
constexpr uint32_t kMsmSubmitqueueAllowPreempt = 1, kMsmSubmitqueueVmBind = 2, kMsmSubmitqueueFlags = 3;
constexpr uint32_t kMsmSubmitqueueParamFaults = 0;

}  // namespace terrazzo::uapi
