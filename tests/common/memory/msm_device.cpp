// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/memory/msm_device.h"

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

pipe::Ref<MsmTestDevice> MsmTestDevice::create(DrmControl& control, MsmAddresses addresses, uint64_t page_B,
                                               GpuLog* log) {
    control.create_request = kMsmGemNew;
    control.undoes = undoes;
    auto device = winsys::virt::msm::create_device(msm_test_info(), log ? create_msm_test_gpu(log) : nullptr,
                                                   {.report = [](const std::string&) {}});
    REQUIRE(device);
    std::string why;
    auto kernel =
        Msm::create(std::make_unique<ControlledDrm>(winsys::open_virtual_drm(std::move(device)), control),
                    {.addresses = addresses, .data = kMsmTestRange, .page_B = page_B}, &why);
    return kernel ? pipe::Ref<MsmTestDevice>::adopt(new MsmTestDevice(std::move(kernel))) : nullptr;
}

}  // namespace terrazzo::test
