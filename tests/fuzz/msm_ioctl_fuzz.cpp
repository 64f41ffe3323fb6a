// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: requests of an untrusted program to the virtual kernel's msm driver. The first byte chooses
// the GPU, usually none, and whether the program manages its addresses itself (VM_BIND).
#include <cstddef>
#include <cstring>

#include "tests/fuzz/ioctl_program.h"
#include "tests/fuzz/target.h"
#include "tests/winsys/virtual/msm_test_gpu.h"
#include "winsys/uapi/msm.h"
#include "winsys/virtual/msm/driver.h"

using namespace terrazzo;
using namespace terrazzo::uapi;
namespace virt = terrazzo::winsys::virt;

namespace {

constexpr unsigned long kRequests[] = {
    kMsmGetParam,   kMsmSetParam,        kMsmGemNew,         kMsmGemInfo,          kMsmGemInfo,
    kMsmGemCpuPrep, kMsmGemCpuFini,      kMsmGemSubmit,      kMsmGemSubmit,        kMsmGemSubmit,
    kMsmWaitFence,  kMsmGemMadvise,      kMsmSubmitqueueNew, kMsmSubmitqueueClose, kMsmVmBind,
    kMsmVmBind,     kMsmSubmitqueueQuery};
constexpr uint32_t kStrides[8] = {sizeof(drm_msm_syncobj), sizeof(drm_msm_vm_bind_op), 4, 8, 0, 1, 12, 64};
// GEM_INFO returns offsets if it is asked for one.
constexpr fuzz::IoctlVendor kVendor{kRequests, kStrides, kMsmGemInfo, offsetof(drm_msm_gem_info, value)};

std::shared_ptr<virt::Device> create_device(bool gpu, test::GpuLog* log) {
    virt::SchedulerOptions options;
    options.run_timeout_ns = options.blocked_timeout_ns = 5'000'000;
    options.report = [](const std::string&) {};
    return virt::msm::create_device(test::msm_test_info(), gpu ? test::create_msm_test_gpu(log) : nullptr,
                                    options);
}

class Program final : public fuzz::IoctlProgram {
  public:
    Program(std::shared_ptr<virt::Device> device, bool binds, fuzz::Bytes in)
        : IoctlProgram(std::move(device), kVendor, in), binds_(binds) {}

  private:
    bool open() override;
    void tame(unsigned long request, uint8_t* arguments) override;
    const uint8_t* given_descriptor(unsigned long request, const uint8_t* arguments) override;

    const bool binds_;
};

/// Objects 1 and 2 of 64 KiB; submitqueue 1, and submitqueue 2 for binds.
bool Program::open() {
    bool good = open_file();
    drm_msm_param param{kMsmPipe3d0, kMsmParamEnVmBind, 1, 0, 0};
    if (binds_) good = good && file_->ioctl(kMsmSetParam, &param) == 0;
    for (unsigned i = 0; i < 2; ++i) {
        drm_msm_gem_new bo{65536, kMsmBoWc, 0};
        good = good && file_->ioctl(kMsmGemNew, &bo) == 0;
    }
    drm_msm_submitqueue queue{0, 1, 0}, bind_queue{kMsmSubmitqueueVmBind, 0, 0};
    good = good && file_->ioctl(kMsmSubmitqueueNew, &queue) == 0;
    if (binds_) good = good && file_->ioctl(kMsmSubmitqueueNew, &bind_queue) == 0;
    return good;
}

void Program::tame(unsigned long request, uint8_t* a) {
    switch (request) {
        case kMsmGemNew:
            as<drm_msm_gem_new>(a)->size %= fuzz::kMaxObject_B;
            break;
        case kMsmGemCpuPrep:
            as<drm_msm_gem_cpu_prep>(a)->timeout = {};
            break;
        case kMsmWaitFence:
            as<drm_msm_wait_fence>(a)->timeout = {};
            break;
        case kMsmGemSubmit:
            as<drm_msm_gem_submit>(a)->fence_fd = descriptor();
            break;
        case kMsmVmBind:
            as<drm_msm_vm_bind>(a)->fence_fd = descriptor();
            break;
    }
}

const uint8_t* Program::given_descriptor(unsigned long request, const uint8_t* a) {
    uint32_t flags = 0;
    if (request == kMsmGemSubmit) {
        std::memcpy(&flags, a + offsetof(drm_msm_gem_submit, flags), sizeof flags);
        return flags & kMsmSubmitFenceFdOut ? a + offsetof(drm_msm_gem_submit, fence_fd) : nullptr;
    }
    if (request != kMsmVmBind) return nullptr;
    std::memcpy(&flags, a + offsetof(drm_msm_vm_bind, flags), sizeof flags);
    return flags & kMsmVmBindFenceFdOut ? a + offsetof(drm_msm_vm_bind, fence_fd) : nullptr;
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    if (!size) return 0;
    test::GpuLog log;
    Program(create_device(data[0] >= 0xf0, &log), data[0] & 1, {data + 1, size - 1}).run();
    return 0;
}
