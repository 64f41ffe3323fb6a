// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Requests on syncobjs. They follow drivers/gpu/drm/drm_syncobj.c rule by rule, in the order in which the
// kernel finds errors.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "winsys/uapi/drm.h"
#include "winsys/virtual/fences/sync_wait.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/memory/user_memory.h"

namespace terrazzo::winsys::virt {
namespace {

using namespace terrazzo::uapi;
using Syncobjs = std::vector<std::shared_ptr<Syncobj>>;

int add_syncobj(File& file, std::shared_ptr<Syncobj> syncobj, uint32_t* handle) {
    uint32_t free_handle;
    if (!file.syncobjs.reserve(&free_handle)) return -ENOSPC;
    file.syncobjs.add(free_handle, std::move(syncobj));
    *handle = free_handle;
    return 0;
}

int create(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_create*>(data);
    if (args->flags & ~kSyncobjCreateSignaled) return -EINVAL;
    SyncDomain& domain = file.device().domain;
    auto syncobj = std::make_shared<Syncobj>(domain);
    if (args->flags & kSyncobjCreateSignaled) syncobj->replace(Fence::done(domain));
    return add_syncobj(file, std::move(syncobj), &args->handle);
}

int destroy(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_destroy*>(data);
    if (args->pad) return -EINVAL;
    return file.syncobjs.remove(args->handle) ? 0 : -EINVAL;
}

int handle_to_fd(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_handle*>(data);
    if (args->pad || (args->flags & ~kSyncobjFdSyncFile)) return -EINVAL;
    const auto syncobj = file.syncobjs.find(args->handle);
    int fd;
    if (args->flags & kSyncobjFdSyncFile) {
        std::shared_ptr<Fence> fence;
        if (!syncobj) return -ENOENT;
        if (const int error = syncobj->find(0, &fence)) return error;
        fd = file.device().pollables.create(std::move(fence));
    } else {
        if (!syncobj) return -EINVAL;
        fd = file.device().pollables.create(syncobj);
    }
    if (fd < 0) return fd;
    args->fd = fd;
    return 0;
}

int fd_to_handle(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_handle*>(data);
    if (args->pad || (args->flags & ~kSyncobjFdSyncFile)) return -EINVAL;
    if (args->flags & kSyncobjFdSyncFile) {
        auto fence = file.device().pollables.fence_of(args->fd);
        if (!fence) return -EINVAL;
        const auto syncobj = file.syncobjs.find(args->handle);
        if (!syncobj) return -ENOENT;
        syncobj->replace(std::move(fence));
        return 0;
    }
    auto syncobj = file.device().pollables.syncobj_of(args->fd);
    return syncobj ? add_syncobj(file, std::move(syncobj), &args->handle) : -EINVAL;
}

int transfer(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_transfer*>(data);
    if (args->pad) return -EINVAL;
    const auto to = file.syncobjs.find(args->dst_handle), from = file.syncobjs.find(args->src_handle);
    if (!to || !from) return -ENOENT;
    std::shared_ptr<Fence> fence;
    if (args->flags & ~kSyncobjWaitForSubmit) return -EINVAL;
    int error = from->find(args->src_point, &fence);
    if (error && (args->flags & kSyncobjWaitForSubmit))
        error = wait_for_fence(file.device().domain, *from, args->src_point, &fence);
    if (error) return error;
    if (args->dst_point)
        to->add_point(std::move(fence), args->dst_point);
    else
        to->replace(std::move(fence));
    return 0;
}

/// Looks up an array of handles.
int find_all(File& file, uint64_t handles, uint32_t count, Syncobjs* out) {
    if (count == 0) return -EINVAL;
    if (count > INT32_MAX / sizeof(uint64_t)) return -ENOMEM;
    uint32_t last;
    if (const int error = file.user.read(&last, handles + (count - 1) * uint64_t{4}, sizeof last))
        return error;  // before an allocation as large as the array
    std::vector<uint32_t> numbers(count);
    if (const int error = file.user.read(numbers.data(), handles, count * sizeof(uint32_t))) return error;
    out->reserve(count);
    for (const uint32_t number : numbers) {
        auto syncobj = file.syncobjs.find(number);
        if (!syncobj) return -ENOENT;
        out->push_back(std::move(syncobj));
    }
    return 0;
}

int wait_all(File& file, const Syncobjs& syncobjs, const std::vector<uint64_t>& points, uint32_t flags,
             int64_t timeout_ns, uint32_t* first) {
    std::vector<WaitEntry> entries;
    entries.reserve(syncobjs.size());
    for (size_t i = 0; i < syncobjs.size(); i++)
        entries.push_back({syncobjs[i].get(), points.empty() ? 0 : points[i], nullptr});
    return wait_syncobjs(file.device().domain, entries, flags, timeout_ns, first);
}

int wait(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_wait*>(data);
    if (args->flags & ~(kSyncobjWaitAll | kSyncobjWaitForSubmit | kSyncobjWaitDeadline)) return -EINVAL;
    Syncobjs syncobjs;
    if (const int error = find_all(file, args->handles, args->count_handles, &syncobjs)) return error;
    return wait_all(file, syncobjs, {}, args->flags, args->timeout_nsec, &args->first_signaled);
}

int timeline_wait(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_timeline_wait*>(data);
    if (args->flags &
        ~(kSyncobjWaitAll | kSyncobjWaitForSubmit | kSyncobjWaitAvailable | kSyncobjWaitDeadline))
        return -EINVAL;
    Syncobjs syncobjs;
    if (const int error = find_all(file, args->handles, args->count_handles, &syncobjs)) return error;
    std::vector<uint64_t> points;
    if (args->points) {
        points.resize(args->count_handles);
        if (const int error = file.user.read(points.data(), args->points, points.size() * sizeof(uint64_t)))
            return error;
    }
    return wait_all(file, syncobjs, points, args->flags, args->timeout_nsec, &args->first_signaled);
}

int eventfd(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_eventfd*>(data);
    if ((args->flags & ~kSyncobjWaitAvailable) || args->pad) return -EINVAL;
    const auto syncobj = file.syncobjs.find(args->handle);
    if (!syncobj) return -ENOENT;
    char path[48], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", args->fd);
    const int fd = fcntl(args->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return -errno;
    if (readlink(path, name, sizeof name - 1) > 0 && strcmp(name, "anon_inode:[eventfd]") != 0) {
        close(fd);
        return -EINVAL;
    }
    syncobj->notify(fd, args->point, args->flags & kSyncobjWaitAvailable);
    return 0;
}

int reset(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_array*>(data);
    Syncobjs syncobjs;
    if (args->pad) return -EINVAL;
    if (const int error = find_all(file, args->handles, args->count_handles, &syncobjs)) return error;
    for (const auto& syncobj : syncobjs)
        syncobj->replace(nullptr);
    return 0;
}

int signal(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_array*>(data);
    Syncobjs syncobjs;
    if (args->pad) return -EINVAL;
    if (const int error = find_all(file, args->handles, args->count_handles, &syncobjs)) return error;
    for (const auto& syncobj : syncobjs)
        syncobj->replace(Fence::done(file.device().domain));
    return 0;
}

int timeline_signal(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_timeline_array*>(data);
    Syncobjs syncobjs;
    if (args->flags) return -EINVAL;
    if (const int error = find_all(file, args->handles, args->count_handles, &syncobjs)) return error;
    std::vector<uint64_t> points(args->count_handles);
    if (args->points)
        if (const int error = file.user.read(points.data(), args->points, points.size() * sizeof(uint64_t)))
            return error;
    for (size_t i = 0; i < syncobjs.size(); i++)
        syncobjs[i]->add_point(Fence::done(file.device().domain), points[i]);
    return 0;
}

int query(File& file, void* data) {
    auto* args = static_cast<drm_syncobj_timeline_array*>(data);
    Syncobjs syncobjs;
    if (args->flags & ~kSyncobjQueryLastSubmitted) return -EINVAL;
    if (const int error = find_all(file, args->handles, args->count_handles, &syncobjs)) return error;
    for (size_t i = 0; i < syncobjs.size(); i++) {
        const uint64_t point = syncobjs[i]->query(args->flags & kSyncobjQueryLastSubmitted);
        if (const int error = file.user.write(args->points + i * sizeof point, &point, sizeof point))
            return error;
    }
    return 0;
}

constexpr IoctlDesc kSyncobj[] = {
    {kIoctlSyncobjCreate, kRenderAllow, create},
    {kIoctlSyncobjDestroy, kRenderAllow, destroy},
    {kIoctlSyncobjHandleToFd, kRenderAllow, handle_to_fd},
    {kIoctlSyncobjFdToHandle, kRenderAllow, fd_to_handle},
    {kIoctlSyncobjTransfer, kRenderAllow, transfer},
    {kIoctlSyncobjWait, kRenderAllow, wait},
    {kIoctlSyncobjTimelineWait, kRenderAllow, timeline_wait},
    {kIoctlSyncobjEventfd, kRenderAllow, eventfd},
    {kIoctlSyncobjReset, kRenderAllow, reset},
    {kIoctlSyncobjSignal, kRenderAllow, signal},
    {kIoctlSyncobjTimelineSignal, kRenderAllow, timeline_signal},
    {kIoctlSyncobjQuery, kRenderAllow, query},
};

}  // namespace

const IoctlDesc* find_syncobj_ioctl(unsigned nr) {
    for (const IoctlDesc& desc : kSyncobj)
        if (_IOC_NR(desc.request) == nr) return &desc;
    return nullptr;
}

}  // namespace terrazzo::winsys::virt
