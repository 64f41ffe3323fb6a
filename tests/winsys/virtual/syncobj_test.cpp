// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Requests for syncobjs, sync files and eventfds. Expected errors: drm_syncobj.c, sync_file.c of Linux 6.12.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <thread>

#include "tests/winsys/virtual/kernel.h"
#include "winsys/clock.h"

using namespace terrazzo::test;

namespace {

int timeline_wait(Kernel& k, std::vector<uint32_t> handles, std::vector<uint64_t> points, uint32_t flags,
                  uint64_t timeout_ms, uint32_t* first = nullptr) {
    drm_syncobj_timeline_wait args{};
    args.handles = reinterpret_cast<uintptr_t>(handles.data());
    args.points = reinterpret_cast<uintptr_t>(points.data());
    args.count_handles = static_cast<uint32_t>(handles.size());
    args.flags = flags;
    if (timeout_ms)
        args.timeout_nsec =
            static_cast<int64_t>(terrazzo::winsys::monotonic_ns() + timeout_ms * uint64_t{1'000'000});
    const int error = k.ioctl(kIoctlSyncobjTimelineWait, &args);
    if (first) *first = args.first_signaled;
    return error;
}
int signal(Kernel& k, uint32_t handle, uint64_t point) {
    drm_syncobj_timeline_array args{reinterpret_cast<uintptr_t>(&handle), reinterpret_cast<uintptr_t>(&point),
                                    1, 0};
    return k.ioctl(kIoctlSyncobjTimelineSignal, &args);
}
uint64_t query(Kernel& k, uint32_t handle, uint32_t flags = 0) {
    uint64_t point = 12345;
    drm_syncobj_timeline_array args{reinterpret_cast<uintptr_t>(&handle), reinterpret_cast<uintptr_t>(&point),
                                    1, flags};
    REQUIRE(k.ioctl(kIoctlSyncobjQuery, &args) == 0);
    return point;
}
int array_request(Kernel& k, unsigned long request, std::vector<uint32_t> handles, uint32_t pad = 0) {
    drm_syncobj_array args{reinterpret_cast<uintptr_t>(handles.data()), static_cast<uint32_t>(handles.size()),
                           pad};
    return k.ioctl(request, &args);
}
bool readable(int fd) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, 0) == 1 && (p.revents & POLLIN);
}

}  // namespace

TEST_CASE("CREATE and DESTROY") {
    Kernel k(false);
    drm_syncobj_create create{0, 2};
    CHECK(k.ioctl(kIoctlSyncobjCreate, &create) == -EINVAL);
    CHECK(k.syncobj() == 1);
    CHECK(k.syncobj(kSyncobjCreateSignaled) == 2);
    drm_syncobj_destroy destroy{1, 1};
    CHECK(k.ioctl(kIoctlSyncobjDestroy, &destroy) == -EINVAL);
    destroy.pad = 0;
    CHECK(k.ioctl(kIoctlSyncobjDestroy, &destroy) == 0);
    CHECK(k.ioctl(kIoctlSyncobjDestroy, &destroy) == -EINVAL);
    CHECK(k.syncobj() == 1);
}

TEST_CASE("WAIT: missing fences, finished fences, timeouts") {
    Kernel k(false);
    const uint32_t done = k.syncobj(kSyncobjCreateSignaled), empty = k.syncobj();
    CHECK(k.wait(done) == 0);
    CHECK(k.wait(empty) == -EINVAL);
    CHECK(k.wait(empty, 0, kSyncobjWaitForSubmit) == -ETIME);
    CHECK(k.wait(empty, 5, kSyncobjWaitForSubmit) == -ETIME);
    CHECK(k.wait(done, 0, kSyncobjWaitAvailable) == -EINVAL);  // only for timelines
    CHECK(k.wait(77) == -ENOENT);
    drm_syncobj_wait none{};
    CHECK(k.ioctl(kIoctlSyncobjWait, &none) == -EINVAL);
    none.count_handles = 1;
    CHECK(k.ioctl(kIoctlSyncobjWait, &none) == -EFAULT);
    none.count_handles = UINT32_MAX;
    CHECK(k.ioctl(kIoctlSyncobjWait, &none) == -ENOMEM);
}

TEST_CASE("WAIT for one of several, and for all") {
    Kernel k(false);
    const uint32_t a = k.syncobj(), b = k.syncobj(kSyncobjCreateSignaled), c = k.syncobj();
    uint32_t handles[] = {a, b, c};
    drm_syncobj_wait args{reinterpret_cast<uintptr_t>(handles), 0, 3, kSyncobjWaitForSubmit, 0, 0, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjWait, &args) == 0);
    CHECK(args.first_signaled == 1);
    args.flags |= kSyncobjWaitAll;
    CHECK(k.ioctl(kIoctlSyncobjWait, &args) == -ETIME);
    REQUIRE(array_request(k, kIoctlSyncobjSignal, {a, c}) == 0);
    CHECK(k.ioctl(kIoctlSyncobjWait, &args) == 0);
}

TEST_CASE("a waiter wakes when another thread signals") {
    Kernel k(false);
    const uint32_t syncobj = k.syncobj();
    std::thread other([&] {
        const timespec t{0, 20'000'000};
        nanosleep(&t, nullptr);
        CHECK(array_request(k, kIoctlSyncobjSignal, {syncobj}) == 0);
    });
    CHECK(k.wait(syncobj, 10000, kSyncobjWaitForSubmit) == 0);
    other.join();
    CHECK(array_request(k, kIoctlSyncobjReset, {syncobj}) == 0);
    CHECK(k.wait(syncobj) == -EINVAL);
}

TEST_CASE("RESET, SIGNAL, TIMELINE_SIGNAL and QUERY check their arguments") {
    Kernel k(false);
    const uint32_t s = k.syncobj();
    for (const unsigned long request : {kIoctlSyncobjReset, kIoctlSyncobjSignal}) {
        CHECK(array_request(k, request, {}) == -EINVAL);
        CHECK(array_request(k, request, {s}, 1) == -EINVAL);
        CHECK(array_request(k, request, {s, 55}) == -ENOENT);
        CHECK(array_request(k, request, {s}) == 0);
    }
    uint64_t point = 1;
    drm_syncobj_timeline_array args{reinterpret_cast<uintptr_t>(&s), reinterpret_cast<uintptr_t>(&point), 1,
                                    1};
    CHECK(k.ioctl(kIoctlSyncobjTimelineSignal, &args) == -EINVAL);
    args.flags = 2;
    CHECK(k.ioctl(kIoctlSyncobjQuery, &args) == -EINVAL);
    args.flags = 0;
    args.points = 16;
    CHECK(k.ioctl(kIoctlSyncobjQuery, &args) == -EFAULT);
    CHECK(k.ioctl(kIoctlSyncobjTimelineSignal, &args) == -EFAULT);
    args.count_handles = 0;
    CHECK(k.ioctl(kIoctlSyncobjTimelineSignal, &args) == -EINVAL);
    CHECK(k.ioctl(kIoctlSyncobjQuery, &args) == -EINVAL);
}

TEST_CASE("TIMELINE_WAIT waits for points, or until they exist") {
    Kernel k(false);
    const uint32_t t = k.syncobj();
    CHECK(timeline_wait(k, {t}, {1}, 0, 0) == -EINVAL);
    CHECK(timeline_wait(k, {t}, {1}, kSyncobjWaitAvailable, 0) == -ETIME);
    REQUIRE(signal(k, t, 3) == 0);
    CHECK(query(k, t) == 3);
    CHECK(timeline_wait(k, {t}, {2}, 0, 0) == 0);
    CHECK(timeline_wait(k, {t}, {3}, kSyncobjWaitAvailable, 0) == 0);
    CHECK(timeline_wait(k, {t}, {4}, 0, 0) == -EINVAL);
    CHECK(timeline_wait(k, {t}, {4}, kSyncobjWaitForSubmit, 3) == -ETIME);
    CHECK(timeline_wait(k, {t}, {4}, 16, 3) == -EINVAL);
    const uint32_t u = k.syncobj();
    uint32_t first = 9;
    CHECK(timeline_wait(k, {u, t}, {1, 3}, kSyncobjWaitForSubmit, 0, &first) == 0);
    CHECK(first == 1);
    CHECK(timeline_wait(k, {u, t}, {1, 3}, kSyncobjWaitForSubmit | kSyncobjWaitAll, 3) == -ETIME);
    REQUIRE(signal(k, t, 9) == 0);
    CHECK(query(k, t, kSyncobjQueryLastSubmitted) == 9);
}

TEST_CASE("TRANSFER between binary syncobjs and timelines") {
    Kernel k(false);
    const uint32_t binary = k.syncobj(kSyncobjCreateSignaled), timeline = k.syncobj();
    drm_syncobj_transfer args{binary, timeline, 0, 5, 0, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjTransfer, &args) == 0);
    CHECK(query(k, timeline) == 5);
    const uint32_t other = k.syncobj();
    args = {timeline, other, 5, 0, 0, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjTransfer, &args) == 0);
    CHECK(k.wait(other) == 0);
    args.src_point = 6;
    CHECK(k.ioctl(kIoctlSyncobjTransfer, &args) == -EINVAL);
    args.pad = 1;
    CHECK(k.ioctl(kIoctlSyncobjTransfer, &args) == -EINVAL);
    args = {99, other, 0, 0, 0, 0};
    CHECK(k.ioctl(kIoctlSyncobjTransfer, &args) == -ENOENT);
    args = {timeline, 99, 0, 0, 0, 0};
    CHECK(k.ioctl(kIoctlSyncobjTransfer, &args) == -ENOENT);
    args = {binary, other, 0, 0, 4, 0};
    CHECK(k.ioctl(kIoctlSyncobjTransfer, &args) == -EINVAL);
}

TEST_CASE("syncobj files refer to the syncobj itself") {
    Kernel k(false);
    const uint32_t s = k.syncobj();
    drm_syncobj_handle args{s, 0, -1, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
    const int fd = dup(args.fd);
    close(args.fd);
    args = {0, 0, fd, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjFdToHandle, &args) == 0);
    const uint32_t again = args.handle;
    CHECK(again != s);  // a new handle each time
    REQUIRE(array_request(k, kIoctlSyncobjSignal, {again}) == 0);
    CHECK(k.wait(s) == 0);
    args = {88, 0, -1, 0};
    CHECK(k.ioctl(kIoctlSyncobjHandleToFd, &args) == -EINVAL);
    args = {s, 2, -1, 0};
    CHECK(k.ioctl(kIoctlSyncobjHandleToFd, &args) == -EINVAL);
    args = {s, 0, -1, 1};
    CHECK(k.ioctl(kIoctlSyncobjHandleToFd, &args) == -EINVAL);
    args = {0, 0, 0, 0};
    CHECK(k.ioctl(kIoctlSyncobjFdToHandle, &args) == -EINVAL);
    close(fd);
    CHECK(k.device->pollables.size() == 0);
}

TEST_CASE("sync files hold a fence, can be polled, and do not depend on the syncobj") {
    Kernel k(true);
    const uint32_t vm = k.vm(), group = k.group(vm), done = k.syncobj(), stream = k.bo(4096),
                   memory = k.bo(4096);
    auto* code = k.map<Instr>(stream, 4096);
    auto* data = k.map<uint64_t>(memory, 4096);
    k.bind(vm, stream, 0x10000, 4096);
    k.bind(vm, memory, 0x20000, 4096);
    code[0] = {Op::WaitGe, 0x20000, 1};
    REQUIRE(k.submit_error(group, 0, 0x10000, sizeof(Instr), {{kSyncOpSignal, done, 0}}) == 0);

    drm_syncobj_handle args{done, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
    const int file = args.fd;
    CHECK_FALSE(readable(file));
    CHECK(k.status(done) == 0);
    const uint32_t copy = k.syncobj();
    args = {copy, kSyncobjFdSyncFile, file, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjFdToHandle, &args) == 0);
    REQUIRE(array_request(k, kIoctlSyncobjReset, {done}) == 0);
    CHECK(k.wait(copy, 2) == -ETIME);

    // Merged with a finished one it is still not done.
    const uint32_t signaled = k.syncobj(kSyncobjCreateSignaled);
    drm_syncobj_handle second{signaled, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjHandleToFd, &second) == 0);
    CHECK(readable(second.fd));
    sync_merge_data merge{};
    merge.fd2 = second.fd;
    bool ours = false;
    REQUIRE(k.device->descriptor_ioctl(file, kIoctlSyncMerge, &merge, &ours) == 0);
    CHECK(ours);
    CHECK_FALSE(readable(merge.fence));

    __atomic_store_n(&data[0], 1, __ATOMIC_RELEASE);
    CHECK(k.wait(copy) == 0);
    CHECK(readable(file));
    CHECK(readable(merge.fence));
    CHECK(k.status(copy) == 1);
    for (const int fd : {file, second.fd, merge.fence})
        close(fd);
    CHECK(k.device->pollables.size() == 0);
    munmap(code, 4096);
    munmap(data, 4096);
}

TEST_CASE("errors of sync files") {
    Kernel k(false);
    const uint32_t empty = k.syncobj();
    drm_syncobj_handle args{empty, kSyncobjFdSyncFile, -1, 0};
    CHECK(k.ioctl(kIoctlSyncobjHandleToFd, &args) == -EINVAL);  // the syncobj has no fence
    args.handle = 77;
    CHECK(k.ioctl(kIoctlSyncobjHandleToFd, &args) == -ENOENT);
    args = {empty, kSyncobjFdSyncFile, -1, 0};
    CHECK(k.ioctl(kIoctlSyncobjFdToHandle, &args) == -EINVAL);
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    args.fd = pipes[0];
    CHECK(k.ioctl(kIoctlSyncobjFdToHandle, &args) == -EINVAL);
    bool ours = true;
    sync_merge_data merge{};
    CHECK(k.device->descriptor_ioctl(pipes[0], kIoctlSyncMerge, &merge, &ours) == -ENOTTY);
    CHECK_FALSE(ours);
    close(pipes[0]);
    close(pipes[1]);

    const uint32_t s = k.syncobj(kSyncobjCreateSignaled);
    args = {s, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
    merge.flags = 1;
    CHECK(k.device->descriptor_ioctl(args.fd, kIoctlSyncMerge, &merge, &ours) == -EINVAL);
    merge = {};
    merge.fd2 = -1;
    CHECK(k.device->descriptor_ioctl(args.fd, kIoctlSyncMerge, &merge, &ours) == -ENOENT);
    // Another kernel (another process) accepts it, too.
    Kernel other(false);
    const uint32_t there = other.syncobj();
    drm_syncobj_handle import{there, kSyncobjFdSyncFile, args.fd, 0};
    CHECK(other.ioctl(kIoctlSyncobjFdToHandle, &import) == 0);
    CHECK(other.wait(there) == 0);
    close(args.fd);
}

TEST_CASE("a sync file of another kernel reports whether it has signalled, and can be merged") {
    Kernel here(false), other(false);
    const std::shared_ptr<terrazzo::winsys::virt::Fence> work = [&] {
        const std::lock_guard lock(here.device->domain.mutex);
        return std::make_shared<terrazzo::winsys::virt::Fence>(here.device->domain);
    }();
    const auto file = [&] {
        const std::lock_guard lock(here.device->domain.mutex);
        return here.device->pollables.create(work);
    }();
    REQUIRE(file >= 0);
    const auto status = [&] {
        sync_file_info info{};
        bool ours = false;
        REQUIRE(other.device->descriptor_ioctl(file, kIoctlSyncFileInfo, &info, &ours) == 0);
        CHECK(ours);
        CHECK(info.num_fences == 1);
        return info.status;
    };
    CHECK(status() == 0);
    {
        const std::lock_guard lock(here.device->domain.mutex);
        work->signal(0);
    }
    CHECK(status() == 1);
    bool ours = false;
    sync_merge_data merge{};
    merge.fd2 = file;
    REQUIRE(other.device->descriptor_ioctl(file, kIoctlSyncMerge, &merge, &ours) == 0);
    close(merge.fence);
    close(file);
    // A syncobj's file is no sync file, in any kernel.
    drm_syncobj_handle args{here.syncobj(), 0, -1, 0};
    REQUIRE(here.ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
    sync_file_info info{};
    CHECK(other.device->descriptor_ioctl(args.fd, kIoctlSyncFileInfo, &info, &ours) == -ENOTTY);
    CHECK_FALSE(ours);
    close(args.fd);
}

TEST_CASE("EVENTFD counts when a point signals, or exists") {
    Kernel k(false);
    const uint32_t t = k.syncobj();
    const int event = eventfd(0, EFD_NONBLOCK);
    drm_syncobj_eventfd args{t, 0, 4, event, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjEventfd, &args) == 0);
    args.flags = kSyncobjWaitAvailable;
    args.point = 2;
    REQUIRE(k.ioctl(kIoctlSyncobjEventfd, &args) == 0);
    uint64_t count = 0;
    CHECK(read(event, &count, 8) == -1);
    REQUIRE(signal(k, t, 2) == 0);
    REQUIRE(read(event, &count, 8) == 8);
    CHECK(count == 1);
    REQUIRE(signal(k, t, 4) == 0);
    REQUIRE(read(event, &count, 8) == 8);
    REQUIRE(k.ioctl(kIoctlSyncobjEventfd, &args) == 0);  // signalled at once
    CHECK(read(event, &count, 8) == 8);
    args = {t, 1, 0, event, 0};
    CHECK(k.ioctl(kIoctlSyncobjEventfd, &args) == -EINVAL);
    args = {t, 0, 0, event, 1};
    CHECK(k.ioctl(kIoctlSyncobjEventfd, &args) == -EINVAL);
    args = {99, 0, 0, event, 0};
    CHECK(k.ioctl(kIoctlSyncobjEventfd, &args) == -ENOENT);
    args = {t, 0, 0, -1, 0};
    CHECK(k.ioctl(kIoctlSyncobjEventfd, &args) == -EBADF);
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    args = {t, 0, 0, pipes[1], 0};
    CHECK(k.ioctl(kIoctlSyncobjEventfd, &args) == -EINVAL);
    close(pipes[0]);
    close(pipes[1]);
    close(event);
}
