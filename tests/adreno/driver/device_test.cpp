// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/adreno/driver/device_fixture.h"

#include <cerrno>

#include "drivers/adreno/submission/recorder.h"
#include "winsys/uapi/msm.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

/// A kernel without VM_BIND, or one whose users may not choose addresses.
class OldDrm final : public winsys::Drm {
  public:
    OldDrm(std::unique_ptr<winsys::Drm> drm, bool chooses) : drm_(std::move(drm)), chooses_(chooses) {}
    int ioctl(unsigned long request, void* arg) override {
        if (request == uapi::kMsmGetParam || request == uapi::kMsmSetParam) {
            const uint32_t param = static_cast<uapi::drm_msm_param*>(arg)->param;
            if (param == uapi::kMsmParamEnVmBind) return -EINVAL;
            if (!chooses_ && (param == uapi::kMsmParamVaStart || param == uapi::kMsmParamVaSize))
                return -EINVAL;
        }
        return drm_->ioctl(request, arg);
    }
    int map(uint64_t offset, size_t size_B, int prot, void** address) override {
        return drm_->map(offset, size_B, prot, address);
    }
    void unmap(void* address, size_t size_B) override { drm_->unmap(address, size_B); }
    int descriptor_ioctl(int fd, unsigned long request, void* arg) override {
        return drm_->descriptor_ioctl(fd, request, arg);
    }

  private:
    const std::unique_ptr<winsys::Drm> drm_;
    const bool chooses_;
};

}  // namespace

TEST_CASE("device: older kernels get a list of buffer objects with each submission") {
    for (const bool chooses : {true, false}) {
        CAPTURE(chooses);
        std::string why;
        auto file = winsys::virt::create_device("noop:adreno-630", adreno::sim::virtual_chips(), &why);
        REQUIRE(file);
        const auto device = adreno::Device::create(
            std::make_unique<OldDrm>(winsys::open_virtual_drm(std::move(file)), chooses), {}, &why);
        REQUIRE_MESSAGE(device, why);
        auto queue = adreno::Queue::create(device, 2);
        REQUIRE(queue);
        adreno::Recorder recorder(device, std::move(queue));
        const auto other = device->create_bo(8192, 0);
        REQUIRE(other);
        for (unsigned i = 1; i <= 2; ++i) {
            recorder.use(other, true);
            recorder.main.wait_for_idle();
            CHECK(recorder.submit());
            CHECK(recorder.last_point() == i);
            CHECK(recorder.finish() == memory::WaitResult::Done);
        }
    }
}

TEST_CASE("device: every chip can be opened, and has its layouts of images") {
    for (const adreno::hw::Chip& chip : adreno::hw::chips()) {
        CAPTURE(chip.name);
        const auto device = open_adreno(("noop:" + std::string(chip.name)).c_str());
        CHECK(device->chip().gpu_id == chip.gpu_id);
        CHECK(device->image_memory().highest_bank_bit == chip.highest_bank_bit);
        CHECK(device->image_memory().ubwc_linear_levels == (chip.gpu_id == 660));
        CHECK(device->priorities() >= 1);
    }
}
