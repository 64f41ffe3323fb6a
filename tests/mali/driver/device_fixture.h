// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's device on a virtual kernel.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "drivers/mali/device.h"
#include "drivers/mali/sim/chips.h"
#include "winsys/drm.h"
#include "winsys/virtual/chips.h"

namespace terrazzo::test {

/// "sim:mali-g610" runs streams, "noop:mali-g610" only completes them.
inline pipe::Ref<mali::Device> open_device(const char* name, const pipe::Log& log = {}) {
    std::string why;
    auto device = winsys::virt::create_device(name, mali::sim::virtual_chips(), &why);
    REQUIRE_MESSAGE(device, why);
    auto result = mali::Device::create(winsys::open_virtual_drm(std::move(device)), log, &why);
    REQUIRE_MESSAGE(result, why);
    return result;
}

/// What requests were made, and which are to fail.
struct DrmControl {
    std::atomic<unsigned> calls{0};
    std::atomic<unsigned> fail_at{0};  // the how manieth from now fails; 0: none
    std::atomic<int> open_handles{0}, maps{0};
    bool gone = false;  // as in a child after fork
};

/// Counts requests and lets them fail.
class ControlledDrm final : public winsys::Drm {
  public:
    ControlledDrm(std::unique_ptr<winsys::Drm> drm, DrmControl& control)
        : drm_(std::move(drm)), control_(control) {}
    int ioctl(unsigned long request, void* arg) override;
    int map(uint64_t offset, size_t size_B, int prot, void** address) override;
    int descriptor_ioctl(int fd, unsigned long request, void* arg) override {
        return drm_->descriptor_ioctl(fd, request, arg);
    }

  private:
    bool fails();
    const std::unique_ptr<winsys::Drm> drm_;
    DrmControl& control_;
};

}  // namespace terrazzo::test
