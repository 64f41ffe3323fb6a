// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opening and closing. Facts: include/uapi/drm/panthor_drm.h of Linux; which addresses are the user's: half
// of them, as Mesa 25.0.7 (src/panfrost/lib/kmod/panthor_kmod.c) has it.
#include "drivers/mali/device.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

#include "drivers/mali/device_impl.h"
#include "winsys/uapi/panthor.h"

namespace terrazzo::mali {
namespace {

using namespace terrazzo::uapi;

// Nothing lies below, so that a null pointer with any 32-bit offset faults. The first bytes are nobody's: a
// blend shader is named by the low half of its address, and 0 says that there is none.
constexpr uint64_t kExecutableBegin = (4ull << 30) + (2ull << 20), kExecutableEnd = 8ull << 30;

template <typename T>
int query(winsys::Drm& drm, uint32_t type, T* out) {
    drm_panthor_dev_query args{type, sizeof *out, reinterpret_cast<uintptr_t>(out)};
    return drm.ioctl(kPanthorDevQuery, &args);
}

/// False: not a panthor file that we understand.
bool check_version(winsys::Drm& drm, std::string* why) {
    char name[32] = {};
    drm_version version{};
    version.name = name;
    version.name_len = sizeof name - 1;
    if (const int error = drm.ioctl(kIoctlVersion, &version)) {
        *why = std::string("not a DRM device: ") + strerror(-error);
        return false;
    }
    if (strcmp(name, "panthor") == 0 && version.version_major == 1) return true;
    *why = std::string("the kernel driver is ") + name + " " + std::to_string(version.version_major) + "." +
           std::to_string(version.version_minor) + ", not panthor 1";
    return false;
}

/// The table's row with what this chip's kernel says of it. False: the table has none.
bool describe_chip(winsys::Drm& drm, hw::Chip* chip, std::string* why) {
    drm_panthor_gpu_info gpu{};
    drm_panthor_csif_info csif{};
    int error = query(drm, kDevQueryGpuInfo, &gpu);
    if (!error) error = query(drm, kDevQueryCsifInfo, &csif);
    if (error) {
        *why = std::string("the kernel does not describe its GPU: ") + strerror(-error);
        return false;
    }
    const hw::Chip* row = hw::find_chip(gpu.gpu_id, gpu.core_features);
    if (!row || !gpu.shader_present || (gpu.mmu_features & 0xff) < 36) {
        char text[120];
        snprintf(text, sizeof text,
                 "unknown GPU 0x%08x variant %u (architecture %u.%u), not one of Mali v10's", gpu.gpu_id,
                 gpu.core_features & 0xff, gpu.gpu_id >> 28, gpu.gpu_id >> 24 & 0xf);
        *why = text;
        return false;
    }
    *chip = *row;
    chip->gpu_id = gpu.gpu_id;
    chip->gpu_rev = gpu.gpu_rev;
    chip->csf_id = gpu.csf_id;
    chip->l2_features = gpu.l2_features;
    chip->tiler_features = gpu.tiler_features;
    chip->mem_features = gpu.mem_features;
    chip->mmu_features = gpu.mmu_features;
    chip->thread_features = gpu.thread_features;
    chip->max_threads = gpu.max_threads;
    chip->thread_max_workgroup_size = gpu.thread_max_workgroup_size;
    chip->thread_max_barrier_size = gpu.thread_max_barrier_size;
    chip->coherency_features = gpu.coherency_features;
    std::copy_n(gpu.texture_features, 4, chip->texture_features);
    chip->as_present = gpu.as_present;
    chip->shader_present = gpu.shader_present;
    chip->l2_present = gpu.l2_present;
    chip->tiler_present = gpu.tiler_present;
    chip->core_features = gpu.core_features;
    chip->csg_slot_count = csif.csg_slot_count;
    chip->cs_slot_count = csif.cs_slot_count;
    chip->cs_reg_count = csif.cs_reg_count;
    chip->scoreboard_slot_count = csif.scoreboard_slot_count;
    chip->unpreserved_cs_reg_count = csif.unpreserved_cs_reg_count;
    return true;
}

}  // namespace

Device::Impl::Impl(uint64_t va_end)
    : space(kExecutableEnd, va_end & ~((2ull << 20) - 1)),
      executable_space(kExecutableBegin, kExecutableEnd) {}

Device::Device(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log) : drm_(std::move(drm)), log_(log) {}

pipe::Ref<Device> Device::create(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log, std::string* why) {
    hw::Chip chip;
    if (!check_version(*drm, why) || !describe_chip(*drm, &chip, why)) return nullptr;
    auto device = pipe::Ref<Device>::adopt(new (std::nothrow) Device(std::move(drm), log));
    if (!device) {
        *why = "out of memory";
        return nullptr;
    }
    drm_panthor_vm_create vm{0, 0, 1ull << (chip.va_bits() - 1)};
    if (const int error = device->drm_->ioctl(kPanthorVmCreate, &vm)) {
        *why = std::string("the kernel gives no address space: ") + strerror(-error);
        return nullptr;
    }
    device->vm_id_ = vm.id;
    try {
        device->impl_ = std::make_unique<Impl>(vm.user_va_range);
    } catch (const std::bad_alloc&) {
        *why = "out of memory";
        return nullptr;
    }
    Impl& impl = *device->impl_;
    impl.chip = chip;
    device->chip_ = &impl.chip;
    if (const int error =
            device->drm_->map(kPanthorFlushIdOffset, kPageSize_B, PROT_READ, &impl.flush_id_page)) {
        impl.flush_id_page = nullptr;
        *why = std::string("the kernel does not show its flush-id page: ") + strerror(-error);
        return nullptr;
    }
    device->flush_id_ = static_cast<const volatile uint32_t*>(impl.flush_id_page);
    drm_panthor_timestamp_info time{};
    if (query(*device->drm_, kDevQueryTimestampInfo, &time) == 0)  // since 1.1
        impl.timestamp_hz = time.timestamp_frequency;
    return device;
}

Device::~Device() {
    if (impl_) {
        impl_->shrink_cache(*this, 0);
        if (impl_->flush_id_page) drm_->unmap(impl_->flush_id_page, kPageSize_B);
    }
    drm_panthor_vm_destroy args{vm_id_, 0};
    if (vm_id_) (void)drm_->ioctl(kPanthorVmDestroy, &args);
}

void Device::slow(const char* format, ...) const {
    if (!tells_slow()) return;
    char text[256];
    va_list args;
    va_start(args, format);
    const int length = std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0) log_(pipe::Severity::Performance, {text, std::min(size_t(length), sizeof text - 1)});
}

uint64_t Device::timestamp_ns() const {
    drm_panthor_timestamp_info time{};
    if (!impl_->timestamp_hz || query(*drm_, kDevQueryTimestampInfo, &time) != 0) return 0;
    return static_cast<uint64_t>(static_cast<unsigned __int128>(time.current_timestamp) * 1'000'000'000u /
                                 impl_->timestamp_hz);
}

}  // namespace terrazzo::mali
