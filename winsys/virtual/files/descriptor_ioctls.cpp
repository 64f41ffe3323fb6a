// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Requests to sync files (drivers/dma-buf/sync_file.c) and dma-bufs (dma-buf.c).
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "winsys/uapi/drm.h"
#include "winsys/virtual/device/device.h"
#include "winsys/virtual/fences/sync_wait.h"
#include "winsys/virtual/memory/user_memory.h"

namespace terrazzo::winsys::virt {
namespace {

void wait_signaled(SyncDomain& domain, const Fence& fence) {
    std::unique_lock lock(domain.mutex, std::adopt_lock);
    domain.changed.wait(lock, [&] { return fence.signaled(); });
    lock.release();
}

int status_of(const Fence& fence) {
    return !fence.signaled() ? 0 : fence.error() ? fence.error() : 1;
}

uapi::sync_fence_info fence_info(int status, const char* driver, uint64_t timestamp_ns) {
    uapi::sync_fence_info info{};
    strcpy(info.obj_name, "terrazzo");
    strncpy(info.driver_name, driver, sizeof info.driver_name - 1);
    info.status = status;
    info.timestamp_ns = timestamp_ns;
    return info;
}

/// Answers SYNC_IOC_FILE_INFO for a file of these fences. `status`: of the file as a whole, which is the
/// answer to a request without room for fences.
int answer_sync_file_info(void* arg, int status, std::span<const uapi::sync_fence_info> fences) {
    uapi::sync_file_info info;
    if (const int error = copy_from_user(&info, reinterpret_cast<uintptr_t>(arg), sizeof info)) return error;
    if (info.flags || info.pad) return -EINVAL;
    if (info.num_fences) {
        if (info.num_fences < fences.size()) return -EINVAL;
        status = 1;
        for (const auto& fence : fences)
            if (status > 0) status = fence.status;
        if (const int error = copy_to_user(info.sync_fence_info, fences.data(), fences.size_bytes()))
            return error;
    }
    memset(info.name, 0, sizeof info.name);
    strcpy(info.name, "terrazzo");
    info.status = status;
    info.num_fences = static_cast<uint32_t>(fences.size());
    return copy_to_user(reinterpret_cast<uintptr_t>(arg), &info, sizeof info);
}

}  // namespace

int Device::sync_merge(int fd, void* arg) {
    uapi::sync_merge_data data;
    if (const int error = copy_from_user(&data, reinterpret_cast<uintptr_t>(arg), sizeof data)) return error;
    if (data.flags || data.pad) return -EINVAL;
    const auto a = pollables.fence_of(fd), b = pollables.fence_of(data.fd2);
    if (!a || !b) return -ENOENT;
    data.fence = pollables.create(Fence::all_of(domain, {a, b}));
    if (data.fence < 0) return data.fence;
    if (const int error = copy_to_user(reinterpret_cast<uintptr_t>(arg), &data, sizeof data)) {
        close(data.fence);
        return error;
    }
    return 0;
}

int foreign_sync_file_info(int fd, void* arg) {
    pollfd p{fd, POLLIN, 0};
    const auto one = fence_info(poll(&p, 1, 0) > 0, "", 0);
    return answer_sync_file_info(arg, one.status, {&one, 1});
}

int Device::sync_file_info(int fd, void* arg) {
    const auto fence = pollables.fence_now(fd);
    std::vector<uapi::sync_fence_info> parts;
    for (const auto& part : parts_of(fence))
        parts.push_back(fence_info(status_of(*part), driver_->version().name, part->timestamp_ns()));
    return answer_sync_file_info(arg, status_of(*fence), parts);
}

/// Before a CPU access, waits for devices. Its end needs no work: the caches are the host's.
int Device::dma_buf_sync(int fd, void* arg) {
    uapi::dma_buf_sync sync;
    if (const int error = copy_from_user(&sync, reinterpret_cast<uintptr_t>(arg), sizeof sync)) return error;
    const uint64_t direction = sync.flags & (uapi::kDmaBufRead | uapi::kDmaBufWrite);
    if (sync.flags & ~uint64_t{7} || !direction) return -EINVAL;
    if (sync.flags & uapi::kDmaBufEnd) return 0;
    int error = 0;
    const auto bo = object_of(fd, &error);
    if (!bo) return error;
    std::vector<std::shared_ptr<Fence>> users;
    bo->reservation.collect(direction & uapi::kDmaBufWrite, &foreign, &users);
    return wait_fences(domain, users, INT64_MAX);
}

int Device::dma_buf_ioctl(int fd, unsigned long request, void* arg) {
    if (request == uapi::kIoctlDmaBufSync) return dma_buf_sync(fd, arg);
    uapi::dma_buf_sync_file data;
    if (const int error = copy_from_user(&data, reinterpret_cast<uintptr_t>(arg), sizeof data)) return error;
    if (data.flags & ~(uapi::kDmaBufRead | uapi::kDmaBufWrite) ||
        !(data.flags & (uapi::kDmaBufRead | uapi::kDmaBufWrite)))
        return -EINVAL;
    int error = 0;
    const auto bo = object_of(fd, &error);
    if (!bo) return error;
    if (request == uapi::kIoctlDmaBufImportSyncFile) {
        const auto fence = pollables.fence_of(data.fd);
        if (!fence) return -EINVAL;
        // If other processes cannot be shown the fence, wait here, so that they find the work complete.
        if (!bo->reservation.add(fence, data.flags & uapi::kDmaBufWrite)) wait_signaled(domain, *fence);
        return 0;
    }
    std::vector<std::shared_ptr<Fence>> users;
    bo->reservation.collect(data.flags & uapi::kDmaBufWrite, &foreign, &users);
    data.fd = pollables.create(Fence::all_of(domain, {users.begin(), users.end()}));
    if (data.fd < 0) return data.fd;
    if ((error = copy_to_user(reinterpret_cast<uintptr_t>(arg), &data, sizeof data))) close(data.fd);
    return error;
}

int Device::descriptor_ioctl(int fd, unsigned long request, void* arg, bool* ours) {
    *ours = false;
    if (!alive()) return -ENODEV;
    const std::lock_guard lock(domain.mutex);
    try {
        if (request == uapi::kIoctlSyncMerge || request == uapi::kIoctlSyncFileInfo) {
            if (!pollables.fence_now(fd)) return -ENOTTY;
            *ours = true;
            return request == uapi::kIoctlSyncMerge ? sync_merge(fd, arg) : sync_file_info(fd, arg);
        }
        if (request == uapi::kIoctlDmaBufSync || request == uapi::kIoctlDmaBufExportSyncFile ||
            request == uapi::kIoctlDmaBufImportSyncFile) {
            int error = 0;
            if (!object_of(fd, &error)) return -ENOTTY;
            *ours = true;
            return dma_buf_ioctl(fd, request, arg);
        }
        return -ENOTTY;
    } catch (const std::bad_alloc&) {
        return -ENOMEM;
    }
}

}  // namespace terrazzo::winsys::virt
