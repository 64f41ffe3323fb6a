// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opening a device. Facts: include/uapi/drm/panthor_drm.h of Linux.
#include "drivers/mali/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "drivers/mali/panthor.h"
#include "winsys/uapi/panthor.h"

namespace terrazzo::mali {
namespace {

using namespace terrazzo::uapi;

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

Device::Device(std::unique_ptr<Panthor> kernel, const hw::Chip& chip, const pipe::Log& log)
    : memory::Device("mali", std::move(kernel), log),
      chip_(chip),
      vm_id_(static_cast<Panthor&>(this->kernel()).vm_id()),
      flush_id_(static_cast<Panthor&>(this->kernel()).flush_id()) {
    drm_panthor_timestamp_info time{};
    if (query(drm(), kDevQueryTimestampInfo, &time) == 0)  // since 1.1
        timestamp_hz_ = time.timestamp_frequency;
}

pipe::Ref<Device> Device::create(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log, std::string* why) {
    hw::Chip chip;
    if (!check_version(*drm, why) || !describe_chip(*drm, &chip, why)) return nullptr;
    try {
        std::unique_ptr<Panthor> kernel = Panthor::create(std::move(drm), chip.va_bits(), why);
        return kernel ? pipe::Ref<Device>::adopt(new Device(std::move(kernel), chip, log)) : nullptr;
    } catch (const std::bad_alloc&) {
        *why = "out of memory";
        return nullptr;
    }
}

uint64_t Device::timestamp_ns() const {
    drm_panthor_timestamp_info time{};
    if (!timestamp_hz_ || query(drm(), kDevQueryTimestampInfo, &time) != 0) return 0;
    return static_cast<uint64_t>(static_cast<unsigned __int128>(time.current_timestamp) * 1'000'000'000u /
                                 timestamp_hz_);
}

}  // namespace terrazzo::mali
