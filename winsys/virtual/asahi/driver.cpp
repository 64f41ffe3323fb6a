// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/asahi/driver.h"

#include <cerrno>
#include <new>

#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::virt::asahi {
namespace {

constexpr uint8_t kAllow = kAuth | kRenderAllow;
constexpr IoctlDesc kIoctls[] = {
    {uapi::kAsahiGetParams, kRenderAllow, ioctls::get_params},
    {uapi::kAsahiGetTime, kAllow, ioctls::get_time},
    {uapi::kAsahiVmCreate, kAllow, ioctls::vm_create},
    {uapi::kAsahiVmDestroy, kAllow, ioctls::vm_destroy},
    {uapi::kAsahiVmBind, kAllow, ioctls::vm_bind},
    {uapi::kAsahiGemCreate, kAllow, ioctls::gem_create},
    {uapi::kAsahiGemMmapOffset, kAllow, ioctls::gem_mmap_offset},
    {uapi::kAsahiGemBindObject, kAllow, ioctls::gem_bind_object},
    {uapi::kAsahiQueueCreate, kAllow, ioctls::queue_create},
    {uapi::kAsahiQueueDestroy, kAllow, ioctls::queue_destroy},
    {uapi::kAsahiSubmit, kAllow, ioctls::submit},
};
static_assert(sizeof kIoctls / sizeof kIoctls[0] == uapi::kAsahiIoctlCount);

}  // namespace

Driver::Driver(Device& device, const GpuInfo& info, std::unique_ptr<Gpu> gpu, SchedulerOptions options)
    : info_(info), gpu_(std::move(gpu)), scheduler_(device.domain, gpu_ != nullptr, std::move(options)) {}

Driver::~Driver() = default;

const KernelDriver::Version& Driver::version() const {
    static constexpr Version kVersion = {"asahi", "Apple AGX Graphics", "0", 0, 2, 0};
    return kVersion;
}

std::unique_ptr<DriverFile> Driver::open(File&) {
    return std::make_unique<AsahiFile>(*this);
}

const IoctlDesc* Driver::find_ioctl(unsigned nr) const {
    if (downstream_) return find_downstream_ioctl(nr);
    return nr < uapi::kAsahiIoctlCount ? &kIoctls[nr] : nullptr;
}

void Driver::crash() {
    crashed_ = true;
    for (const auto& group : std::vector(groups_))
        group->lose();
}

int Driver::add_group(const void* file, std::shared_ptr<Vm> vm, const QueueTraits& traits,
                      std::shared_ptr<Group>* out) {
    auto group = std::make_shared<Group>(*this, file, std::move(vm), traits, ++created_);
    if (const int error = group->create(gpu_.get())) return error;
    groups_.reserve(groups_.size() + 1);
    if (const int error = scheduler_.add(group)) return error;
    groups_.push_back(group);
    *out = std::move(group);
    return 0;
}

void Driver::remove_group(const Group* group) {
    scheduler_.remove(group);
    std::erase_if(groups_, [&](const auto& g) { return g.get() == group; });
}

void Driver::remove_groups_of(const void* file) {
    for (const auto& group : std::vector(groups_)) {
        if (group->file() != file) continue;
        group->destroy();
        remove_group(group.get());
    }
}

void AsahiFile::object_closed(const std::shared_ptr<BufferObject>& bo) {
    vms.for_each([&](const std::shared_ptr<Vm>& vm) { vm->space.unmap_object(*bo); });
}

AsahiFile& own(File& file) {
    return static_cast<AsahiFile&>(*file.driver_file);
}

std::shared_ptr<Device> create_device(const GpuInfo& info, std::unique_ptr<Gpu> gpu,
                                      SchedulerOptions options) {
    try {
        auto device = Device::create();
        if (!device) return nullptr;
        device->set_driver(std::make_unique<Driver>(*device, info, std::move(gpu), std::move(options)));
        return device;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace terrazzo::winsys::virt::asahi
