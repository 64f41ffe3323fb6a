// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Submitqueues and their fences (msm_submitqueue.c, msm_drv.c).
#include <algorithm>
#include <cerrno>

#include "winsys/virtual/fences/sync_wait.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::winsys::virt::msm::ioctls {

int64_t timeout_ns(const uapi::drm_msm_timespec& time) {
    const __int128 ns = static_cast<__int128>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
    return static_cast<int64_t>(std::clamp<__int128>(ns, 0, INT64_MAX));
}

int submitqueue_new(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_submitqueue*>(data);
    MsmFile& context = own(file);
    if (args->flags & ~uapi::kMsmSubmitqueueFlags) return -EINVAL;
    const uint32_t rings = context.driver().info().rings;
    if (args->flags & uapi::kMsmSubmitqueueVmBind) {
        if (context.vm().managed || args->prio) return -EINVAL;
    } else {
        // A GPU with a single ring uses another kind of preemption.
        if ((args->flags & uapi::kMsmSubmitqueueAllowPreempt) && rings == 1) return -EINVAL;
        if (args->prio / kPrioritiesPerRing >= rings) return -EINVAL;
    }
    args->id = context.add_queue(args->flags, args->prio);
    return 0;
}

int submitqueue_close(File& file, void* data) {
    const uint32_t id = *static_cast<uint32_t*>(data);
    return id && own(file).queues.erase(id) ? 0 : -ENOENT;
}

int submitqueue_query(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_submitqueue_query*>(data);
    if (args->pad) return -EINVAL;
    const auto queue = own(file).find_queue(args->id);
    if (!queue) return -ENOENT;
    if (args->param != uapi::kMsmSubmitqueueParamFaults) return -EINVAL;
    // The request's number has no write direction: the length is not copied back.
    return file.user.write(args->data, &queue->faults, std::min<size_t>(args->len, sizeof queue->faults));
}

int wait_fence(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_wait_fence*>(data);
    if (args->flags & ~uapi::kMsmWaitFenceBoost) return -EINVAL;
    const auto queue = own(file).find_queue(args->queueid);
    if (!queue) return -ENOENT;
    if (static_cast<int32_t>(args->fence - queue->last_fence) > 0) return -EINVAL;
    const auto fence = queue->fences.find(args->fence);
    if (fence == queue->fences.end()) return 0;  // it has ended before
    return wait_fences(file.device().domain, {fence->second}, timeout_ns(args->timeout)) ? -ETIMEDOUT : 0;
}

}  // namespace terrazzo::winsys::virt::msm::ioctls
