// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffer objects (msm_gem.c, msm_drv.c).
#include <cctype>
#include <cerrno>
#include <cstring>

#include "winsys/clock.h"
#include "winsys/virtual/fences/sync_wait.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::winsys::virt::msm::ioctls {
namespace {

constexpr int kTooSmall = 525;  // ETOOSMALL, which only the kernel's own headers define

bool has_cache_mode(uint32_t flags, const GpuInfo& info) {
    switch (flags & uapi::kMsmBoCacheMask) {
        case uapi::kMsmBoCached:
        case uapi::kMsmBoWc:
            return true;
        case uapi::kMsmBoCachedCoherent:
            return info.cached_coherent;
        default:
            return false;
    }
}

int set_name(const File& file, const uapi::drm_msm_gem_info& args, BufferObject& bo) {
    if (args.len >= uapi::kMsmNameSize_B) return -EINVAL;
    std::string& name = object_of(bo).name;
    char text[uapi::kMsmNameSize_B] = {};
    if (const int error = file.user.read(text, args.value, args.len)) {
        name.clear();
        return error;
    }
    size_t length = 0;
    while (length < args.len && isprint(static_cast<unsigned char>(text[length])))
        length++;
    name.assign(text, length);
    return 0;
}

int get_name(const File& file, uapi::drm_msm_gem_info* args, BufferObject& bo) {
    const std::string& name = object_of(bo).name;
    if (args->value && args->len < name.size()) return -EINVAL;
    args->len = static_cast<uint32_t>(name.size());
    return args->value ? file.user.write(args->value, name.data(), name.size()) : 0;
}

int set_metadata(const File& file, const uapi::drm_msm_gem_info& args, BufferObject& bo) {
    if (args.len > uapi::kMsmMaxMetadata_B) return -EOVERFLOW;
    std::vector<uint8_t> bytes(args.len);
    if (const int error = file.user.read(bytes.data(), args.value, args.len)) return error;
    object_of(bo).metadata = std::move(bytes);
    return 0;
}

int get_metadata(const File& file, uapi::drm_msm_gem_info* args, BufferObject& bo) {
    const std::vector<uint8_t>& bytes = object_of(bo).metadata;
    if (args->value && args->len < bytes.size()) return -kTooSmall;
    if (args->value)
        if (const int error = file.user.write(args->value, bytes.data(), bytes.size())) return error;
    args->len = static_cast<uint32_t>(bytes.size());
    return 0;
}

}  // namespace

int gem_new(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_gem_new*>(data);
    if (args->flags & ~uapi::kMsmBoFlags) return -EINVAL;
    if (!args->size || !has_cache_mode(args->flags, own(file).driver().info())) return -EINVAL;
    const bool shared = !(args->flags & uapi::kMsmBoNoShare);
    if (!shared) (void)own(file).vm();  // the VM that it belongs to
    int error = 0;
    auto bo = BufferObject::create(args->size, args->flags, shared, &error);
    return bo ? file.add_object(std::move(bo), &args->handle) : error;
}

int gem_info(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_gem_info*>(data);
    MsmFile& context = own(file);
    if (args->pad || args->info > uapi::kMsmInfoGetMetadata) return -EINVAL;
    const bool is_pointer = args->info == uapi::kMsmInfoSetName || args->info == uapi::kMsmInfoGetName ||
                            args->info == uapi::kMsmInfoSetMetadata ||
                            args->info == uapi::kMsmInfoGetMetadata;
    if (!is_pointer && args->len) return -EINVAL;
    const auto bo = file.objects.find(args->handle);
    if (!bo) return -ENOENT;
    switch (args->info) {
        case uapi::kMsmInfoGetOffset:
            args->value = file.device().mmap_offset(bo);
            return 0;
        case uapi::kMsmInfoGetIova:
            return context.user_manages_vm ? -EINVAL : context.vm().get_iova(bo, &args->value);
        case uapi::kMsmInfoSetIova:
            if (context.user_manages_vm) return -EINVAL;
            if (args->value) return context.vm().set_iova(bo, args->value);
            context.vm().clear_iova(bo.get());
            return 0;
        case uapi::kMsmInfoGetFlags:
            if (bo->flags() == 0) return -EINVAL;  // it was imported
            args->value = bo->flags();
            return 0;
        case uapi::kMsmInfoSetName:
            return set_name(file, *args, *bo);
        case uapi::kMsmInfoGetName:
            return get_name(file, args, *bo);
        case uapi::kMsmInfoSetMetadata:
            return set_metadata(file, *args, *bo);
        default:
            return get_metadata(file, args, *bo);
    }
}

int gem_cpu_prep(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_gem_cpu_prep*>(data);
    if (args->op & ~uapi::kMsmPrepFlags) return -EINVAL;
    const auto bo = file.objects.find(args->handle);
    if (!bo) return -ENOENT;
    std::vector<std::shared_ptr<Fence>> users;
    bo->reservation.collect(args->op & uapi::kMsmPrepWrite, &file.device().foreign, &users);
    const int64_t timeout = args->op & uapi::kMsmPrepNosync ? 0 : timeout_ns(args->timeout);
    const bool only_looks = timeout <= static_cast<int64_t>(monotonic_ns());
    if (wait_fences(file.device().domain, users, timeout) == 0) return 0;
    return only_looks ? -EBUSY : -ETIMEDOUT;
}

int gem_cpu_fini(File& file, void* data) {
    // The caches are the host's.
    return file.objects.find(static_cast<uapi::drm_msm_gem_cpu_fini*>(data)->handle) ? 0 : -ENOENT;
}

int gem_madvise(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_gem_madvise*>(data);
    if (args->madv != uapi::kMsmMadvWillneed && args->madv != uapi::kMsmMadvDontneed) return -EINVAL;
    const auto bo = file.objects.find(args->handle);
    if (!bo) return -ENOENT;
    object_of(*bo).madv = args->madv;
    args->retained = 1;  // the host never discards the memory
    return 0;
}

}  // namespace terrazzo::winsys::virt::msm::ioctls
