// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared memory code on a virtual kernel's msm, with each method of assigning addresses.
#pragma once

#include <doctest/doctest.h>

#include "drivers/adreno/msm.h"
#include "drivers/common/memory/device.h"
#include "tests/common/memory/controlled_drm.h"
#include "tests/winsys/virtual/msm_test_gpu.h"

namespace terrazzo::test {

using adreno::Msm;
using adreno::MsmAddresses;
constexpr MsmAddresses kMsmAddresses[] = {MsmAddresses::Kernel, MsmAddresses::Set, MsmAddresses::Bind};

/// The addresses of the tests' objects if the kernel does not choose them.
constexpr memory::AddressRange kMsmTestRange = {5ull << 30, 7ull << 30};

class MsmTestDevice final : public memory::Device {
  public:
    /// `runs`: the test GPU executes submits. Null: a request failed.
    [[nodiscard]] static pipe::Ref<MsmTestDevice> create(DrmControl& control, MsmAddresses addresses,
                                                         uint64_t page_B = 4096, GpuLog* log = nullptr);

  private:
    explicit MsmTestDevice(std::unique_ptr<memory::Kernel> kernel) : Device("msm", std::move(kernel), {}) {}
};

/// Likewise; a failure fails the test.
[[nodiscard]] inline pipe::Ref<MsmTestDevice> open_msm(DrmControl& control, MsmAddresses addresses,
                                                       uint64_t page_B = 4096, GpuLog* log = nullptr) {
    auto device = MsmTestDevice::create(control, addresses, page_B, log);
    REQUIRE(device);
    return device;
}

}  // namespace terrazzo::test
