// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Properties of the device, and buffer objects (file.rs, gem.rs).
#include <algorithm>
#include <cerrno>

#include "winsys/clock.h"
#include "winsys/virtual/asahi/driver.h"
#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::virt::asahi {

int create_object(File& file, uint64_t size_B, uint32_t flags, uint32_t vm_id, uint32_t* handle) {
    const bool is_private = flags & uapi::kAsahiGemVmPrivate;
    if ((flags & ~(uapi::kAsahiGemWriteback | uapi::kAsahiGemVmPrivate)) || (!is_private && vm_id))
        return -EINVAL;
    const auto vm = is_private ? own(file).vms.find(vm_id) : nullptr;
    if (is_private && !vm) return -ENOENT;
    const uint64_t rounded_B = (size_B + kGpuPage_B - 1) & ~(kGpuPage_B - 1);
    if (rounded_B < size_B) return -EINVAL;
    int error = 0;
    auto bo = BufferObject::create(rounded_B, flags, !is_private, &error);
    if (!bo) return error;
    bo->exclusive = vm ? vm->space.number : 0;
    return file.add_object(std::move(bo), handle);
}

int find_mmap_offset(File& file, uint32_t handle, uint64_t* offset) {
    const auto bo = file.objects.find(handle);
    if (!bo) return -ENOENT;
    *offset = file.device().mmap_offset(bo);
    return 0;
}

int bind_object(File& file, uapi::drm_asahi_gem_bind_object* args) {
    AsahiFile& asahi = own(file);
    if (args->pad || args->vm_id) return -EINVAL;
    if (args->op == uapi::kAsahiBindObjectOpUnbind) {
        if (args->range || args->offset || args->flags || args->handle) return -EINVAL;
        return asahi.timestamps.remove(args->object_handle) ? 0 : -ENOENT;
    }
    if (args->op != uapi::kAsahiBindObjectOpBind || (args->range | args->offset) % kGpuPage_B ||
        args->flags != uapi::kAsahiBindObjectUsageTimestamps)
        return -EINVAL;
    if (args->offset + args->range < args->offset) return -EINVAL;
    auto bo = file.objects.find(args->handle);
    if (!bo) return -ENOENT;
    // The kernel maps it into its own VM, to which no object is private.
    if (args->offset + args->range > bo->size_B() || bo->exclusive) return -EINVAL;
    if (args->range == 0) return -ENOSPC;
    uint32_t handle;
    if (!asahi.timestamps.reserve(&handle)) return -EBUSY;
    asahi.timestamps.add(
        handle, std::make_shared<TimestampBuffer>(TimestampBuffer{std::move(bo), args->offset, args->range}));
    args->object_handle = handle;
    return 0;
}

int find_timestamp(File& file, const uapi::drm_asahi_timestamp& timestamp, TimestampWrite* out) {
    if (!timestamp.handle) return 0;
    auto buffer = own(file).timestamps.find(timestamp.handle);
    if (!buffer) return -ENOENT;
    if (timestamp.offset > UINT32_MAX - sizeof(uint64_t)) return -EINVAL;
    if (timestamp.offset + sizeof(uint64_t) > buffer->size_B) return -ERANGE;
    *out = {std::move(buffer), timestamp.offset};
    return 0;
}

namespace ioctls {

int get_params(File& file, void* data) {
    const auto* args = static_cast<uapi::drm_asahi_get_params*>(data);
    const Driver& driver = own(file).driver();
    if (args->param_group || args->pad) return -EINVAL;
    if (driver.crashed()) return -ENODEV;
    const GpuInfo& info = driver.info();
    uapi::drm_asahi_params_global p{};
    p.features = info.soft_faults ? uapi::kAsahiFeatureSoftFaults : 0;
    p.gpu_generation = info.generation;
    p.gpu_variant = info.variant;
    p.gpu_revision = info.revision;
    p.chip_id = info.chip_id;
    p.num_dies = info.dies;
    p.num_clusters_total = info.clusters;
    p.num_cores_per_cluster = info.cores_per_cluster;
    p.max_frequency_khz = info.max_frequency_khz;
    std::fill_n(p.core_masks, info.clusters, info.core_mask);
    p.vm_start = kVmStart;
    p.vm_end = kVmEnd;
    p.vm_kernel_min_size = kVmKernelMinSize_B;
    p.max_commands_per_submission = kMaxCommands;
    p.max_attachments = kMaxAttachments;
    p.command_timestamp_frequency_hz = kNsPerSecond;
    return file.user.write(args->pointer, &p, std::min<uint64_t>(args->size, sizeof p));
}

int get_time(File& file, void* data) {
    auto* args = static_cast<uapi::drm_asahi_get_time*>(data);
    if (args->flags) return -EINVAL;
    (void)file;
    args->gpu_timestamp = monotonic_ns();
    return 0;
}

int gem_create(File& file, void* data) {
    auto* args = static_cast<uapi::drm_asahi_gem_create*>(data);
    return create_object(file, args->size, args->flags, args->vm_id, &args->handle);
}

int gem_mmap_offset(File& file, void* data) {
    auto* args = static_cast<uapi::drm_asahi_gem_mmap_offset*>(data);
    return args->flags ? -EINVAL : find_mmap_offset(file, args->handle, &args->offset);
}

int gem_bind_object(File& file, void* data) {
    return bind_object(file, static_cast<uapi::drm_asahi_gem_bind_object*>(data));
}

}  // namespace ioctls
}  // namespace terrazzo::winsys::virt::asahi
