// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/driver.h"

#include <linux/capability.h>
#include <sys/mman.h>

#include <cerrno>
#include <new>

#include "winsys/virtual/device/capability.h"
#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::virt::panthor {
namespace {

constexpr IoctlDesc kIoctls[] = {
    {uapi::kPanthorDevQuery, kRenderAllow, ioctls::dev_query},
    {uapi::kPanthorVmCreate, kRenderAllow, ioctls::vm_create},
    {uapi::kPanthorVmDestroy, kRenderAllow, ioctls::vm_destroy},
    {uapi::kPanthorVmBind, kRenderAllow, ioctls::vm_bind},
    {uapi::kPanthorVmGetState, kRenderAllow, ioctls::vm_get_state},
    {uapi::kPanthorBoCreate, kRenderAllow, ioctls::bo_create},
    {uapi::kPanthorBoMmapOffset, kRenderAllow, ioctls::bo_mmap_offset},
    {uapi::kPanthorGroupCreate, kRenderAllow, ioctls::group_create},
    {uapi::kPanthorGroupDestroy, kRenderAllow, ioctls::group_destroy},
    {uapi::kPanthorGroupSubmit, kRenderAllow, ioctls::group_submit},
    {uapi::kPanthorGroupGetState, kRenderAllow, ioctls::group_get_state},
    {uapi::kPanthorTilerHeapCreate, kRenderAllow, ioctls::tiler_heap_create},
    {uapi::kPanthorTilerHeapDestroy, kRenderAllow, ioctls::tiler_heap_destroy},
};
static_assert(sizeof kIoctls / sizeof kIoctls[0] == uapi::kPanthorIoctlCount);

}  // namespace

Driver::Driver(Device& device, const GpuInfo& info, std::unique_ptr<Gpu> gpu, SchedulerOptions options)
    : info_(info), gpu_(std::move(gpu)), scheduler_(device.domain, gpu_ != nullptr, std::move(options)) {}

Driver::~Driver() = default;

int Driver::initialize() {
    int error = 0;
    flush_page_ = BufferObject::create(kPageSize_B, 0, false, &error);
    if (!flush_page_) return error;
    auto* id = reinterpret_cast<uint32_t*>(flush_page_->host());
    *id = 1;
    // The ring wrapper flushes the caches before each stream. Users read the number of flushes so far. The
    // register has 24 bits and skips 0, which means that no flush may be left out.
    scheduler_.on_start = [id] {
        const uint32_t next = (*id + 1) & 0xffffff;
        __atomic_store_n(id, next ? next : 1, __ATOMIC_RELAXED);
    };
    may_raise_priority_ = has_capability(CAP_SYS_NICE);
    return 0;
}

const KernelDriver::Version& Driver::version() const {
    static constexpr Version kVersion = {"panthor", "Panthor DRM driver", "0", 1, 3, 0};
    return kVersion;
}

std::unique_ptr<DriverFile> Driver::open(File&) {
    return std::make_unique<PanthorFile>(*this);
}

const IoctlDesc* Driver::find_ioctl(unsigned nr) const {
    return nr < uapi::kPanthorIoctlCount ? &kIoctls[nr] : nullptr;
}

std::shared_ptr<BufferObject> Driver::mmap_object(uint64_t offset, uint64_t size_B, int prot) {
    return offset == uapi::kPanthorFlushIdOffset && size_B <= kPageSize_B &&
                   !(prot & (PROT_WRITE | PROT_EXEC))
               ? flush_page_
               : nullptr;
}

PanthorFile::~PanthorFile() {
    groups.for_each([&](const std::shared_ptr<Group>& group) {
        group->destroy();
        driver_.scheduler().remove(group.get());
    });
    vms.for_each([](const std::shared_ptr<Vm>& vm) { vm->destroy(); });
}

std::shared_ptr<Device> create_device(const GpuInfo& info, std::unique_ptr<Gpu> gpu,
                                      SchedulerOptions options) {
    try {
        auto device = Device::create();
        if (!device) return nullptr;
        auto driver = std::make_unique<Driver>(*device, info, std::move(gpu), std::move(options));
        if (driver->initialize() != 0) return nullptr;
        device->set_driver(std::move(driver));
        return device;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace terrazzo::winsys::virt::panthor
