// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/msm_drm.h and drivers/gpu/drm/msm of Linux 6.17.
#include "drivers/adreno/msm.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "drivers/common/memory/bo.h"
#include "winsys/uapi/msm.h"

namespace terrazzo::adreno {
namespace {

using namespace terrazzo::uapi;
namespace bo_flag = memory::bo_flag;

/// The addresses that the user of the kernel may choose from. Empty: none.
memory::AddressRange user_range(winsys::Drm& drm, uint64_t large_page_B) {
    uint64_t start = 0, size_B = 0;
    if (get_param(drm, kMsmParamVaStart, &start) || get_param(drm, kMsmParamVaSize, &size_B)) return {};
    const uint64_t begin = (start + large_page_B - 1) & ~(large_page_B - 1);
    const uint64_t end = (start + size_B) & ~(large_page_B - 1);
    return begin < end && begin ? memory::AddressRange{begin, end} : memory::AddressRange{};
}

/// Before the file has an address space. 0 or an errno, negative.
int enable_vm_bind(winsys::Drm& drm) {
    drm_msm_param param{kMsmPipe3d0, kMsmParamEnVmBind, 1, 0, 0};
    return drm.ioctl(kMsmSetParam, &param);
}

}  // namespace

int get_param(winsys::Drm& drm, uint32_t param, uint64_t* value) {
    drm_msm_param args{kMsmPipe3d0, param, 0, 0, 0};
    const int error = drm.ioctl(kMsmGetParam, &args);
    if (!error) *value = args.value;
    return error;
}

std::unique_ptr<Msm> Msm::create(std::unique_ptr<winsys::Drm> drm, std::string* why) {
    // VM_BIND is tried first: a query of the address space's parameters creates one, and then it is too late.
    // It may be enabled twice.
    MsmOptions options{.addresses = MsmAddresses::Bind};
    if (enable_vm_bind(*drm))
        options.addresses = user_range(*drm, memory::KernelLimits{}.large_page_B).empty()
                                ? MsmAddresses::Kernel
                                : MsmAddresses::Set;
    return create(std::move(drm), options, why);
}

std::unique_ptr<Msm> Msm::create(std::unique_ptr<winsys::Drm> drm, const MsmOptions& options,
                                 std::string* why) {
    memory::KernelLimits limits{.page_B = options.page_B};
    if (options.addresses == MsmAddresses::Bind)
        if (const int error = enable_vm_bind(*drm)) {
            *why = memory::reason("the kernel has no VM_BIND", error);
            return nullptr;
        }
    if (options.addresses != MsmAddresses::Kernel) {
        const memory::AddressRange offered = user_range(*drm, limits.large_page_B);
        limits.data = options.data.empty() ? offered : options.data;
        if (offered.empty() || limits.data.begin < offered.begin || limits.data.end > offered.end) {
            *why = "the kernel does not let its user choose these addresses";
            return nullptr;
        }
    }
    std::unique_ptr<Msm> kernel(new Msm(std::move(drm), options.addresses, limits));
    if (options.addresses != MsmAddresses::Bind) return kernel;
    drm_msm_submitqueue queue{kMsmSubmitqueueVmBind, 0, 0};
    if (const int error = kernel->drm().ioctl(kMsmSubmitqueueNew, &queue)) {
        *why = memory::reason("the kernel cannot create a queue for binds", error);
        return nullptr;
    }
    kernel->bind_queue_ = queue.id;
    return kernel;
}

bool Msm::create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) {
    drm_msm_gem_new args{*size_B, kMsmBoWc, 0};
    if (flags & bo_flag::kReadOnly) args.flags |= kMsmBoGpuReadonly;
    // Only files with VM_BIND may submit such objects, and only kernels with VM_BIND know the flag.
    if (addresses_ == MsmAddresses::Bind && !(flags & bo_flag::kShareable)) args.flags |= kMsmBoNoShare;
    if (drm().ioctl(kMsmGemNew, &args) != 0) return false;
    *handle = args.handle;
    return true;
}

bool Msm::info(uint32_t handle, uint32_t what, uint64_t* value) {
    drm_msm_gem_info args{handle, what, *value, 0, 0};
    if (drm().ioctl(kMsmGemInfo, &args) != 0) return false;
    *value = args.value;
    return true;
}

bool Msm::vm_bind(uint32_t op, uint32_t handle, uint64_t size_B, uint64_t va) {
    drm_msm_vm_bind args{};
    args.flags = kMsmVmBindFenceFdOut;
    args.nr_ops = 1;
    args.queue_id = bind_queue_;
    args.op = {op, handle, 0, va, size_B, 0, 0};
    args.op_stride = sizeof args.op;
    if (drm().ioctl(kMsmVmBind, &args) != 0) return false;
    // Submits do not wait for binds.
    pollfd done{args.fence_fd, POLLIN, 0};
    int ready = 0;
    do
        ready = poll(&done, 1, -1);
    while (ready < 0 && errno == EINTR);
    close(args.fence_fd);
    return ready == 1;
}

bool Msm::bind(uint32_t handle, uint64_t size_B, uint32_t, uint64_t* va) {
    switch (addresses_) {
        case MsmAddresses::Kernel:
            return info(handle, kMsmInfoGetIova, va);
        case MsmAddresses::Set:
            return info(handle, kMsmInfoSetIova, va);
        case MsmAddresses::Bind:
            return vm_bind(kMsmVmBindOpMap, handle, size_B, *va);
    }
    return false;
}

bool Msm::unbind(uint32_t handle, uint64_t size_B, uint64_t va) {
    if (addresses_ == MsmAddresses::Bind) return vm_bind(kMsmVmBindOpUnmap, 0, size_B, va);
    uint64_t none = 0;
    return info(handle, kMsmInfoSetIova, &none);
}

bool Msm::mmap_offset(uint32_t handle, uint64_t* offset_B) {
    uint64_t at_B = 0;  // the kernel requires 0
    return info(handle, kMsmInfoGetOffset, &at_B) && (*offset_B = at_B, true);
}

memory::QueueState Msm::queue_state(uint32_t queue) {
    uint32_t faults = 0;
    drm_msm_submitqueue_query args{reinterpret_cast<uintptr_t>(&faults), queue, kMsmSubmitqueueParamFaults,
                                   sizeof faults, 0};
    return drm().ioctl(kMsmSubmitqueueQuery, &args) == 0 && !faults ? memory::QueueState::Usable
                                                                    : memory::QueueState::Guilty;
}

}  // namespace terrazzo::adreno
