// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Properties of the device, and buffer objects (panthor_drv.c, panthor_gem.c).
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "winsys/clock.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::winsys::virt::panthor::ioctls {
namespace {

PanthorFile& own(File& file) {
    return static_cast<PanthorFile&>(*file.driver_file);
}

/// Copies a struct to a caller whose version of it has `user_size_B`. This must be at least the first
/// version's size; bytes beyond our version are zeroed.
template <typename T>
int put(File& file, const uapi::drm_panthor_dev_query& query, size_t min_B, const T& value) {
    if (query.size < min_B) return -EINVAL;
    if (const int error = file.user.write(query.pointer, &value, std::min<size_t>(query.size, sizeof value)))
        return error;
    static constexpr uint8_t kZeros[256] = {};
    for (uint64_t at_B = sizeof value; at_B < query.size; at_B += sizeof kZeros)
        if (const int error = file.user.write(query.pointer + at_B, kZeros,
                                              std::min<uint64_t>(query.size - at_B, sizeof kZeros)))
            return error;
    return 0;
}

uint8_t allowed_priorities(const File& file, const Driver& driver) {
    return driver.may_raise_priority() || file.master ? 0xf : 0x3;
}

}  // namespace

int dev_query(File& file, void* data) {
    auto* query = static_cast<uapi::drm_panthor_dev_query*>(data);
    Driver& driver = own(file).driver();
    const GpuInfo& info = driver.info();
    uapi::drm_panthor_timestamp_info time{};
    uapi::drm_panthor_group_priorities_info priorities{};
    static constexpr uint32_t kSizes[] = {sizeof info.gpu, sizeof info.csif, sizeof time, sizeof priorities};
    if (query->type >= std::size(kSizes)) return -EINVAL;
    if (!query->pointer) {
        query->size = kSizes[query->type];
        return 0;
    }
    switch (query->type) {
        case uapi::kDevQueryGpuInfo:
            return put(file, *query, offsetof(uapi::drm_panthor_gpu_info, core_features), info.gpu);
        case uapi::kDevQueryCsifInfo:
            return put(file, *query, sizeof info.csif, info.csif);
        case uapi::kDevQueryTimestampInfo:
            time.timestamp_frequency = info.timestamp_hz;
            time.current_timestamp = monotonic_ticks(info.timestamp_hz);
            return put(file, *query, offsetof(uapi::drm_panthor_timestamp_info, timestamp_offset), time);
        default:
            priorities.allowed_mask = allowed_priorities(file, driver);
            return put(file, *query, sizeof priorities, priorities);
    }
}

int bo_create(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_bo_create*>(data);
    if (!args->size || args->pad || (args->flags & ~uapi::kBoNoMmap)) return -EINVAL;
    std::shared_ptr<Vm> vm;
    if (args->exclusive_vm_id) {
        vm = own(file).vms.find(args->exclusive_vm_id);
        if (!vm) return -EINVAL;
    }
    int error = 0;
    auto bo = BufferObject::create(args->size, args->flags, !vm, &error);
    if (!bo) return error;
    bo->exclusive = vm ? vm->space.number : 0;
    const uint64_t size_B = bo->size_B();
    if ((error = file.add_object(std::move(bo), &args->handle))) return error;
    args->size = size_B;
    return 0;
}

int bo_mmap_offset(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_bo_mmap_offset*>(data);
    if (args->pad) return -EINVAL;
    const auto bo = file.objects.find(args->handle);
    if (!bo) return -ENOENT;
    if (bo->flags() & uapi::kBoNoMmap) return -EPERM;
    args->offset = file.device().mmap_offset(bo);
    return 0;
}

}  // namespace terrazzo::winsys::virt::panthor::ioctls
