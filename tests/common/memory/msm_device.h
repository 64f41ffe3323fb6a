// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared memory on a virtual kernel's msm, in each of the ways in which addresses come about there.
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

/// Where the tests' objects lie, where the kernel does not choose.
constexpr memory::AddressRange kMsmTestRange = {5ull << 30, 7ull << 30};

class MsmTestDevice final : public memory::Device {
  public:
    /// `runs`: submits run on the test GPU. Null: a request failed.
    [[nodiscard]] static pipe::Ref<MsmTestDevice> create(DrmControl& control, MsmAddresses addresses,
                                                         uint64_t page_B = 4096, GpuLog* log = nullptr);

  private:
    explicit MsmTestDevice(std::unique_ptr<memory::Kernel> kernel) : Device("msm", std::move(kernel), {}) {}
};

/// The same, which must not fail.
[[nodiscard]] inline pipe::Ref<MsmTestDevice> open_msm(DrmControl& control, MsmAddresses addresses,
                                                       uint64_t page_B = 4096, GpuLog* log = nullptr) {
    auto device = MsmTestDevice::create(control, addresses, page_B, log);
    REQUIRE(device);
    return device;
}

}  // namespace terrazzo::test
