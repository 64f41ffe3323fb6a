// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/msm/syncs.h"

#include <cerrno>
#include <utility>

namespace terrazzo::winsys::virt::msm {
namespace {

constexpr uint64_t kWait_B = 8, kSignal_B = 24;  // the size of each in the kernel's memory

/// Reads the next element of an array. With a short stride, the other fields keep the previous element's
/// values.
int read_next(const UserMemory& user, uint64_t address, uint32_t i, uint32_t stride_B,
              uapi::drm_msm_syncobj* one) {
    return user.read(one, address + uint64_t{i} * stride_B, std::min<size_t>(stride_B, sizeof *one));
}

}  // namespace

int Syncs::wait_for(int fence_fd) {
    auto fence = file_.device().pollables.fence_of(fence_fd);
    if (!fence) return -EINVAL;
    waits.push_back(std::move(fence));
    return 0;
}

int Syncs::read_waits(uint64_t address, uint32_t count, uint32_t stride_B) {
    if (count > kMaxKernelAllocation_B / kWait_B) return -ENOMEM;
    uapi::drm_msm_syncobj one{};
    for (uint32_t i = 0; i < count; i++) {
        if (const int error = read_next(file_.user, address, i, stride_B, &one)) return error;
        if (one.flags & ~uapi::kMsmSyncobjReset) return -EINVAL;
        std::shared_ptr<Syncobj> syncobj;
        if (const int error = wait(one.handle, one.point, &syncobj)) return error;
        if (one.flags & uapi::kMsmSyncobjReset) resets_.push_back(syncobj);
    }
    return 0;
}

int Syncs::read_signals(uint64_t address, uint32_t count, uint32_t stride_B) {
    if (count > kMaxKernelAllocation_B / kSignal_B) return -ENOMEM;
    uapi::drm_msm_syncobj one{};
    for (uint32_t i = 0; i < count; i++) {
        if (const int error = read_next(file_.user, address, i, stride_B, &one)) return error;
        if (one.flags || !signal(one.handle, one.point)) return -EINVAL;
    }
    return 0;
}

void Syncs::commit(const std::shared_ptr<Fence>& done) {
    for (const auto& syncobj : resets_)
        syncobj->replace(nullptr);
    SyncList::commit(done);
}

}  // namespace terrazzo::winsys::virt::msm
