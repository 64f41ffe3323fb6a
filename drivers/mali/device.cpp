// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opens a device. Facts: include/uapi/drm/panthor_drm.h of Linux.
#include "drivers/mali/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "winsys/uapi/panthor.h"

namespace terrazzo::mali {
namespace {

using namespace terrazzo::uapi;

template <typename T>
int query(winsys::Drm& drm, uint32_t type, T* out) {
    drm_panthor_dev_query args{type, sizeof *out, reinterpret_cast<uintptr_t>(out)};
    return drm.ioctl(kPanthorDevQuery, &args);
}

}  // namespace

std::optional<hw::Chip> Device::describe_chip(winsys::Drm& drm, std::string* why) {
    drm_panthor_gpu_info gpu{};
    if (const int error = query(drm, kDevQueryGpuInfo, &gpu)) {
        *why = std::string("the kernel does not describe its GPU: ") + strerror(-error);
        return std::nullopt;
    }
    const hw::Chip* row = hw::find_chip(gpu.gpu_id, gpu.core_features);
    if (!row || !gpu.shader_present || (gpu.mmu_features & 0xff) < 36) {
        char text[120];
        snprintf(text, sizeof text,
                 "unknown GPU 0x%08x variant %u (architecture %u.%u), not one of Mali v10's", gpu.gpu_id,
                 gpu.core_features & 0xff, gpu.gpu_id >> 28, gpu.gpu_id >> 24 & 0xf);
        *why = text;
        return std::nullopt;
    }
    hw::Chip chip = *row;
    chip.gpu_id = gpu.gpu_id;
    chip.tiler_features = gpu.tiler_features;
    chip.mmu_features = gpu.mmu_features;
    chip.max_threads = gpu.max_threads;
    std::copy_n(gpu.texture_features, 4, chip.texture_features);
    chip.shader_present = gpu.shader_present;
    chip.tiler_present = gpu.tiler_present;
    chip.core_features = gpu.core_features;
    return chip;
}

Device::Device(std::unique_ptr<Panthor> panthor, const hw::Chip& chip, const pipe::Log& log)
    : ChipDevice("mali", std::move(panthor), chip, log),
      vm_id_(driver().vm_id()),
      flush_id_(driver().flush_id()) {
    drm_panthor_timestamp_info time{};
    if (query(drm(), kDevQueryTimestampInfo, &time) == 0)  // since 1.1
        timestamp_hz_ = time.timestamp_frequency;
}

memory::DeviceClock Device::clock() const {
    drm_panthor_timestamp_info time{};
    if (timestamp_hz_ && query(drm(), kDevQueryTimestampInfo, &time)) return {};
    return {time.current_timestamp, timestamp_hz_};
}

}  // namespace terrazzo::mali
