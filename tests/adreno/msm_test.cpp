// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The start of the driver's msm part on kernels of several ages. tests/common/memory tests its memory.
#include "drivers/adreno/msm.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include "tests/winsys/virtual/msm_test_gpu.h"
#include "winsys/drm/drm.h"
#include "winsys/uapi/msm.h"
#include "winsys/virtual/msm/driver.h"

using namespace terrazzo;
using namespace terrazzo::adreno;

namespace {

enum class Age { Iova, SetIova, VmBind };

/// A kernel without the features of newer kernels.
class OldDrm final : public winsys::Drm {
  public:
    OldDrm(std::unique_ptr<winsys::Drm> drm, Age age) : drm_(std::move(drm)), age_(age) {}
    int ioctl(unsigned long request, void* arg) override {
        const uint32_t param = request == uapi::kMsmGetParam || request == uapi::kMsmSetParam
                                   ? static_cast<uapi::drm_msm_param*>(arg)->param
                                   : 0;
        if (age_ < Age::VmBind && param == uapi::kMsmParamEnVmBind) return -EINVAL;
        if (age_ < Age::SetIova && (param == uapi::kMsmParamVaStart || param == uapi::kMsmParamVaSize))
            return -EINVAL;
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
    const Age age_;
};

std::unique_ptr<winsys::Drm> open_msm(Age age) {
    auto device = winsys::virt::msm::create_device(terrazzo::test::msm_test_info(), nullptr, {});
    REQUIRE(device);
    return std::make_unique<OldDrm>(winsys::open_virtual_drm(std::move(device)), age);
}

}  // namespace

TEST_CASE("msm: the newest method for addresses that the kernel supports") {
    for (const auto& [kernel_age, addresses] : {std::pair{Age::Iova, MsmAddresses::Kernel},
                                                {Age::SetIova, MsmAddresses::Set},
                                                {Age::VmBind, MsmAddresses::Bind}}) {
        const Age age = kernel_age;  // a variable that CAPTURE's lambda may use
        CAPTURE(int(age));
        std::string why;
        const auto kernel = Msm::create(open_msm(age), &why);
        REQUIRE(kernel);
        CHECK(kernel->addresses() == addresses);
        CHECK(kernel->limits().data.empty() == (age == Age::Iova));
        if (age != Age::Iova) {
            CHECK(kernel->limits().data.begin == uint64_t(1) << 32);
            CHECK(kernel->limits().data.end == uint64_t(2) << 32);
        }
        uint64_t size_B = 8192, va = uint64_t(1) << 32;
        uint32_t handle = 0;
        REQUIRE(kernel->create_object(0, &size_B, &handle));
        CHECK(kernel->bind(handle, size_B, 0, &va));
        CHECK(va >= uint64_t(1) << 32);
        CHECK(kernel->unbind(handle, size_B, va));
    }
}

TEST_CASE("msm: a kernel without the requested method gives an error") {
    std::string why;
    CHECK(!Msm::create(open_msm(Age::SetIova), {.addresses = MsmAddresses::Bind}, &why));
    CHECK(why == "the kernel has no VM_BIND: Invalid argument");
    CHECK(!Msm::create(open_msm(Age::Iova), {.addresses = MsmAddresses::Set}, &why));
    CHECK(why == "the kernel does not let its user choose these addresses");
    CHECK(!Msm::create(open_msm(Age::VmBind), {.addresses = MsmAddresses::Set, .data = {1 << 21, 1 << 22}},
                       &why));
    CHECK(why == "the kernel does not let its user choose these addresses");
}

TEST_CASE("msm: a missing submitqueue is lost") {
    std::string why;
    const auto kernel = Msm::create(open_msm(Age::SetIova), &why);
    REQUIRE(kernel);
    CHECK(kernel->queue_state(0) == memory::QueueState::Usable);
    CHECK(kernel->queue_state(77) == memory::QueueState::Guilty);
}
