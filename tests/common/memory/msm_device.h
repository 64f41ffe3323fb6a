// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared memory on a virtual kernel's msm, in each of the ways in which addresses come about there.
#pragma once

#include <doctest/doctest.h>

#include "drivers/common/memory/device.h"
#include "tests/common/memory/controlled_drm.h"
#include "tests/winsys/virtual/msm_test_gpu.h"

namespace terrazzo::test {

enum class MsmAddresses : uint8_t {
    Kernel,  // GEM_INFO's GET_IOVA: the kernel chooses
    Set,     // GEM_INFO's SET_IOVA
    Bind,    // VM_BIND
};
constexpr MsmAddresses kMsmAddresses[] = {MsmAddresses::Kernel, MsmAddresses::Set, MsmAddresses::Bind};

class MsmTestKernel final : public memory::Kernel {
  public:
    static constexpr uint64_t kBegin = 5ull << 30, kEnd = 7ull << 30;

    /// Null: a request failed. `page_B`: of sizes and addresses, as a vendor with larger pages has it.
    [[nodiscard]] static std::unique_ptr<MsmTestKernel> create(std::unique_ptr<winsys::Drm> drm,
                                                               MsmAddresses addresses, uint64_t page_B);
    [[nodiscard]] bool create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) override;
    [[nodiscard]] bool bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) override;
    [[nodiscard]] bool unbind(uint32_t handle, uint64_t size_B, uint64_t va) override;
    [[nodiscard]] bool mmap_offset(uint32_t handle, uint64_t* offset_B) override;
    /// `queue`: a submitqueue, lost from its first fault on.
    [[nodiscard]] memory::QueueState queue_state(uint32_t queue) override;

  private:
    MsmTestKernel(std::unique_ptr<winsys::Drm> drm, MsmAddresses addresses,
                  const memory::KernelLimits& limits)
        : Kernel(std::move(drm), limits), addresses_(addresses) {}
    [[nodiscard]] bool info(uint32_t handle, uint32_t what, uint64_t* value);
    [[nodiscard]] bool vm_bind(uint32_t op, uint32_t handle, uint64_t size_B, uint64_t va);

    const MsmAddresses addresses_;
    uint32_t bind_queue_ = 0;
};

class MsmTestDevice final : public memory::Device {
  public:
    /// `runs`: submits run on the test GPU. Null: a request failed.
    [[nodiscard]] static pipe::Ref<MsmTestDevice> create(DrmControl& control, MsmAddresses addresses,
                                                         uint64_t page_B = 4096, GpuLog* log = nullptr);

  private:
    explicit MsmTestDevice(std::unique_ptr<memory::Kernel> kernel) : Device(std::move(kernel), {}) {}
};

/// The same, which must not fail.
[[nodiscard]] inline pipe::Ref<MsmTestDevice> open_msm(DrmControl& control, MsmAddresses addresses,
                                                       uint64_t page_B = 4096, GpuLog* log = nullptr) {
    auto device = MsmTestDevice::create(control, addresses, page_B, log);
    REQUIRE(device);
    return device;
}

}  // namespace terrazzo::test
