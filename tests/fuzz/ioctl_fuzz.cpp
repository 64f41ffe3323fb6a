// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: requests of an untrusted program to the virtual kernel's panthor driver (as under
// winsys/shim). The first byte chooses the GPU: usually none, which completes work at once and needs no
// thread.
#include <cstddef>

#include "tests/fuzz/ioctl_program.h"
#include "tests/fuzz/target.h"
#include "tests/winsys/virtual/test_gpu.h"
#include "winsys/uapi/panthor.h"
#include "winsys/virtual/panthor/driver.h"

using namespace terrazzo;
using namespace terrazzo::uapi;
namespace virt = terrazzo::winsys::virt;

namespace {

constexpr unsigned long kRequests[] = {
    kPanthorDevQuery,        kPanthorVmCreate,    kPanthorVmDestroy,     kPanthorVmBind,
    kPanthorVmGetState,      kPanthorBoCreate,    kPanthorBoMmapOffset,  kPanthorGroupCreate,
    kPanthorGroupDestroy,    kPanthorGroupSubmit, kPanthorGroupGetState, kPanthorTilerHeapCreate,
    kPanthorTilerHeapDestroy};
constexpr uint32_t kStrides[8] = {sizeof(drm_panthor_sync_op),
                                  sizeof(drm_panthor_vm_bind_op),
                                  sizeof(drm_panthor_queue_submit),
                                  sizeof(drm_panthor_queue_create),
                                  0,
                                  1,
                                  12,
                                  64};

constexpr fuzz::IoctlVendor kVendor{kRequests, kStrides, kPanthorBoMmapOffset,
                                    offsetof(drm_panthor_bo_mmap_offset, offset)};

std::shared_ptr<virt::Device> create_device(bool gpu, test::GpuLog* log) {
    virt::SchedulerOptions options;
    options.run_timeout_ns = options.blocked_timeout_ns = 5'000'000;
    options.report = [](const std::string&) {};
    return virt::panthor::create_device(test::test_info(), gpu ? test::create_test_gpu(log) : nullptr,
                                        options);
}

class Program final : public fuzz::IoctlProgram {
  public:
    Program(std::shared_ptr<virt::Device> device, fuzz::Bytes in)
        : IoctlProgram(std::move(device), kVendor, in) {}

  private:
    bool open() override;
    void tame(unsigned long request, uint8_t* arguments) override;
};

/// VM 1 with 64 KiB bound, object 1, group 1 with two queues.
bool Program::open() {
    drm_panthor_vm_create vm{};
    drm_panthor_bo_create bo{65536, 0, 0, 0, 0};
    bool good =
        open_file() && file_->ioctl(kPanthorVmCreate, &vm) == 0 && file_->ioctl(kPanthorBoCreate, &bo) == 0;
    drm_panthor_vm_bind_op op{0, bo.handle, 0, 0x1000, 65536, {}};
    drm_panthor_vm_bind bind{vm.id, 0, {sizeof op, 1, reinterpret_cast<uintptr_t>(&op)}};
    good = good && file_->ioctl(kPanthorVmBind, &bind) == 0;
    drm_panthor_queue_create queues[2] = {{0, {}, 4096}, {0, {}, 4096}};
    drm_panthor_group_create group{};
    group.queues = {sizeof queues[0], 2, reinterpret_cast<uintptr_t>(queues)};
    group.max_compute_cores = group.max_fragment_cores = 4;
    group.max_tiler_cores = 1;
    group.compute_core_mask = group.fragment_core_mask = 0x50005;
    group.tiler_core_mask = 1;
    group.priority = kGroupPriorityMedium;
    group.vm_id = vm.id;
    good = good && file_->ioctl(kPanthorGroupCreate, &group) == 0;
    return good;
}

void Program::tame(unsigned long request, uint8_t* a) {
    if (request == kPanthorBoCreate) as<drm_panthor_bo_create>(a)->size %= fuzz::kMaxObject_B;
    if (request != kPanthorTilerHeapCreate) return;
    auto* const h = as<drm_panthor_tiler_heap_create>(a);
    if (h->chunk_size <= 8u << 20) h->initial_chunk_count %= 64;  // otherwise it is refused
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    if (!size) return 0;
    test::GpuLog log;
    Program(create_device(data[0] >= 0xf0, &log), {data + 1, size - 1}).run();
    return 0;
}
