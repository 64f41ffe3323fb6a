// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: requests of an untrusted program to the virtual kernel's asahi driver. The first byte chooses
// the GPU, usually none, and which of the two interfaces the driver has.
#include <algorithm>
#include <cstddef>

#include "tests/fuzz/ioctl_program.h"
#include "tests/fuzz/target.h"
#include "tests/winsys/virtual/asahi_test_gpu.h"
#include "winsys/uapi/asahi.h"
#include "winsys/uapi/asahi_downstream.h"
#include "winsys/virtual/asahi/driver.h"

using namespace terrazzo;
using namespace terrazzo::uapi;
namespace virt = terrazzo::winsys::virt;
namespace old = terrazzo::uapi::asahi_downstream;

namespace {

constexpr unsigned long kRequests[] = {
    kAsahiGetParams, kAsahiGetTime,       kAsahiVmCreate,      kAsahiVmDestroy,   kAsahiVmBind,
    kAsahiVmBind,    kAsahiGemCreate,     kAsahiGemMmapOffset, kAsahiSubmit,      kAsahiSubmit,
    kAsahiSubmit,    kAsahiGemBindObject, kAsahiQueueCreate,   kAsahiQueueDestroy};
constexpr unsigned long kOlderRequests[] = {
    old::kGetParams, old::kGetTime,       old::kVmCreate,      old::kVmDestroy,   old::kGemBind,
    old::kGemBind,   old::kGemCreate,     old::kGemMmapOffset, old::kSubmit,      old::kSubmit,
    old::kSubmit,    old::kGemBindObject, old::kQueueCreate,   old::kQueueDestroy};
constexpr uint32_t kStrides[8] = {
    sizeof(drm_asahi_gem_bind_op), sizeof(drm_asahi_gem_bind_op), 24, 8, 0, 1, 40, 64};
constexpr fuzz::IoctlVendor kVendor{kRequests, kStrides, kAsahiGemMmapOffset,
                                    offsetof(drm_asahi_gem_mmap_offset, offset)};
constexpr fuzz::IoctlVendor kOlderVendor{
    kOlderRequests, kStrides, old::kGemMmapOffset,
    sizeof(old::Extensions) + offsetof(drm_asahi_gem_mmap_offset, offset)};
constexpr uint64_t kKernelStart = uint64_t(1) << 36, kKernelEnd = kKernelStart + (uint64_t(1) << 30);

std::shared_ptr<virt::Device> create_device(bool gpu, bool older, test::AsahiLog* log) {
    virt::SchedulerOptions options;
    options.run_timeout_ns = options.blocked_timeout_ns = 5'000'000;
    options.report = [](const std::string&) {};
    auto device = virt::asahi::create_device(test::agx_info(),
                                             gpu ? test::create_asahi_test_gpu(log) : nullptr, options);
    if (older) (void)device->driver().show_older_interface();
    return device;
}

class Program final : public fuzz::IoctlProgram {
  public:
    Program(std::shared_ptr<virt::Device> device, bool older, fuzz::Bytes in)
        : IoctlProgram(std::move(device), older ? kOlderVendor : kVendor, in), older_(older) {}

  private:
    bool open() override;
    void tame(unsigned long request, uint8_t* arguments) override;

    const bool older_;
};

/// VM 1, queue 1 in it, and objects 1 and 2 of 64 KiB.
bool Program::open() {
    bool good = open_file();
    const auto call = [&](unsigned long request, auto args) {
        good = good && file_->ioctl(request, &args) == 0;
    };
    if (older_) {
        call(old::kVmCreate, old::drm_asahi_vm_create{0, kKernelStart, kKernelEnd, 0, 0});
        call(old::kQueueCreate, old::drm_asahi_queue_create{0, 0, 1, old::kQueueCaps, 1, 0, 0});
    } else {
        call(kAsahiVmCreate, drm_asahi_vm_create{kKernelStart, kKernelEnd, 0, 0});
        call(kAsahiQueueCreate, drm_asahi_queue_create{0, 1, 0, 0, 0});
    }
    for (unsigned i = 0; i < 2; ++i) {
        if (older_)
            call(old::kGemCreate, old::drm_asahi_gem_create{0, 65536, 0, 0, 0, 0});
        else
            call(kAsahiGemCreate, drm_asahi_gem_create{65536, 0, 0, 0, 0});
    }
    return good;
}

void Program::tame(unsigned long request, uint8_t* a) {
    if (older_) {
        // All of these begin with the pointer to extensions.
        if (std::ranges::count(kOlderRequests, request) && in_.u8() < 0xe0) *as<uint64_t>(a) = 0;
        if (request == old::kGemCreate) as<old::drm_asahi_gem_create>(a)->size %= fuzz::kMaxObject_B;
    } else if (request == kAsahiGemCreate) {
        as<drm_asahi_gem_create>(a)->size %= fuzz::kMaxObject_B;
    }
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    if (!size) return 0;
    test::AsahiLog log;
    const bool older = data[0] & 1;
    Program(create_device(data[0] >= 0xf0, older, &log), older, {data + 1, size - 1}).run();
    return 0;
}
