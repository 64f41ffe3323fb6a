// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/memory/msm_device.h"

#include <poll.h>
#include <unistd.h>

#include "winsys/uapi/msm.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::test {
namespace {

using namespace uapi;

bool undoes(unsigned long request, const void* arg) {
    if (request == kMsmSubmitqueueClose) return true;
    if (request == kMsmVmBind) return static_cast<const drm_msm_vm_bind*>(arg)->op.op == kMsmVmBindOpUnmap;
    const auto* info = static_cast<const drm_msm_gem_info*>(arg);
    return request == kMsmGemInfo && info->info == kMsmInfoSetIova && info->value == 0;
}

}  // namespace

std::unique_ptr<MsmTestKernel> MsmTestKernel::create(std::unique_ptr<winsys::Drm> drm, MsmAddresses addresses,
                                                     uint64_t page_B) {
    memory::KernelLimits limits{.page_B = page_B};
    if (addresses != MsmAddresses::Kernel) limits.data = {kBegin, kEnd};
    std::unique_ptr<MsmTestKernel> kernel(new MsmTestKernel(std::move(drm), addresses, limits));
    if (addresses == MsmAddresses::Bind) {
        drm_msm_param param{kMsmPipe3d0, kMsmParamEnVmBind, 1, 0, 0};
        drm_msm_submitqueue queue{kMsmSubmitqueueVmBind, 0, 0};
        if (kernel->drm().ioctl(kMsmSetParam, &param) || kernel->drm().ioctl(kMsmSubmitqueueNew, &queue))
            return nullptr;
        kernel->bind_queue_ = queue.id;
    }
    return kernel;
}

bool MsmTestKernel::create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) {
    drm_msm_gem_new args{*size_B, kMsmBoWc, 0};
    if (flags & memory::bo_flag::kReadOnly) args.flags |= kMsmBoGpuReadonly;
    if (!(flags & memory::bo_flag::kShareable)) args.flags |= kMsmBoNoShare;
    if (drm().ioctl(kMsmGemNew, &args) != 0) return false;
    *handle = args.handle;
    return true;
}

bool MsmTestKernel::info(uint32_t handle, uint32_t what, uint64_t* value) {
    drm_msm_gem_info args{handle, what, *value, 0, 0};
    if (drm().ioctl(kMsmGemInfo, &args) != 0) return false;
    *value = args.value;
    return true;
}

bool MsmTestKernel::vm_bind(uint32_t op, uint32_t handle, uint64_t size_B, uint64_t va) {
    drm_msm_vm_bind args{};
    args.flags = kMsmVmBindFenceFdOut;
    args.nr_ops = 1;
    args.queue_id = bind_queue_;
    args.op = {op, handle, 0, va, size_B, 0, 0};
    args.op_stride = sizeof args.op;
    if (drm().ioctl(kMsmVmBind, &args) != 0) return false;
    // Submits do not wait for binds by themselves.
    pollfd done{args.fence_fd, POLLIN, 0};
    const bool ok = poll(&done, 1, -1) == 1;
    close(args.fence_fd);
    return ok;
}

bool MsmTestKernel::bind(uint32_t handle, uint64_t size_B, uint32_t, uint64_t* va) {
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

bool MsmTestKernel::unbind(uint32_t handle, uint64_t size_B, uint64_t va) {
    if (addresses_ == MsmAddresses::Bind) return vm_bind(kMsmVmBindOpUnmap, 0, size_B, va);
    uint64_t none = 0;
    return info(handle, kMsmInfoSetIova, &none);
}

bool MsmTestKernel::mmap_offset(uint32_t handle, uint64_t* offset_B) {
    uint64_t value = 0;
    if (!info(handle, kMsmInfoGetOffset, &value)) return false;
    *offset_B = value;
    return true;
}

memory::QueueState MsmTestKernel::queue_state(uint32_t queue) {
    uint32_t faults = 0;
    drm_msm_submitqueue_query args{reinterpret_cast<uintptr_t>(&faults), queue, kMsmSubmitqueueParamFaults,
                                   sizeof faults, 0};
    return drm().ioctl(kMsmSubmitqueueQuery, &args) == 0 && !faults ? memory::QueueState::Usable
                                                                    : memory::QueueState::Guilty;
}

pipe::Ref<MsmTestDevice> MsmTestDevice::create(DrmControl& control, MsmAddresses addresses, uint64_t page_B,
                                               GpuLog* log) {
    control.create_request = kMsmGemNew;
    control.undoes = undoes;
    auto device = winsys::virt::msm::create_device(msm_test_info(), log ? create_msm_test_gpu(log) : nullptr,
                                                   {.report = [](const std::string&) {}});
    REQUIRE(device);
    auto kernel = MsmTestKernel::create(
        std::make_unique<ControlledDrm>(winsys::open_virtual_drm(std::move(device)), control), addresses,
        page_B);
    return kernel ? pipe::Ref<MsmTestDevice>::adopt(new MsmTestDevice(std::move(kernel))) : nullptr;
}

}  // namespace terrazzo::test
