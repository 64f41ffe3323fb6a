// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Requests to dma-bufs, and fences across kernels. Each kernel has its own mapping of shared memory, like
// another process. Expected errors: dma-buf.c of Linux 6.12.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "tests/winsys/virtual/kernel.h"

using namespace terrazzo::test;

namespace {

bool readable(int fd) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, 0) == 1;
}

/// A dma-buf of kernel `k`, and a fence of `k` that signal() signals.
struct SharedBuffer {
    explicit SharedBuffer(Kernel& kernel) : k(kernel), syncobj(k.syncobj()) {
        drm_prime_handle prime{k.bo(4096), O_CLOEXEC | O_RDWR, -1};
        REQUIRE(k.ioctl(kIoctlPrimeHandleToFd, &prime) == 0);
        fd = prime.fd;
        const std::lock_guard lock(k.device->domain.mutex);
        fence = std::make_shared<terrazzo::winsys::virt::Fence>(k.device->domain);
        sync_file = k.device->pollables.create(fence);
        REQUIRE(sync_file >= 0);
    }
    ~SharedBuffer() {
        close(fd);
        close(sync_file);
    }
    void signal() {
        const std::lock_guard lock(k.device->domain.mutex);
        fence->signal(0);
    }
    int attach(Kernel& to, uint32_t flags) const {
        bool ours;
        dma_buf_sync_file args{flags, sync_file};
        return to.device->descriptor_ioctl(fd, kIoctlDmaBufImportSyncFile, &args, &ours);
    }
    /// What an access by that kernel must wait for.
    int users(Kernel& of, uint32_t flags) const {
        bool ours;
        dma_buf_sync_file args{flags, -1};
        REQUIRE(of.device->descriptor_ioctl(fd, kIoctlDmaBufExportSyncFile, &args, &ours) == 0);
        return args.fd;
    }
    Kernel& k;
    uint32_t syncobj;
    int fd = -1, sync_file = -1;
    std::shared_ptr<terrazzo::winsys::virt::Fence> fence;
};

bool readable_soon(int fd) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, 10'000) == 1;
}

}  // namespace

TEST_CASE("requests to dma-bufs: signalled fences, bad flags, the CPU's access") {
    Kernel k(false);
    const uint32_t bo = k.bo(4096), s = k.syncobj(kSyncobjCreateSignaled);
    drm_prime_handle prime{bo, 0, -1};
    REQUIRE(k.ioctl(kIoctlPrimeHandleToFd, &prime) == 0);
    drm_syncobj_handle args{s, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
    bool ours;
    dma_buf_sync_file sync{kDmaBufWrite, args.fd};
    CHECK(k.device->descriptor_ioctl(prime.fd, kIoctlDmaBufImportSyncFile, &sync, &ours) == 0);
    sync = {kDmaBufRead, -1};
    REQUIRE(k.device->descriptor_ioctl(prime.fd, kIoctlDmaBufExportSyncFile, &sync, &ours) == 0);
    CHECK(readable(sync.fd));
    close(sync.fd);
    sync = {0, args.fd};
    CHECK(k.device->descriptor_ioctl(prime.fd, kIoctlDmaBufImportSyncFile, &sync, &ours) == -EINVAL);
    sync = {8, args.fd};
    CHECK(k.device->descriptor_ioctl(prime.fd, kIoctlDmaBufExportSyncFile, &sync, &ours) == -EINVAL);
    dma_buf_sync cpu{kDmaBufRead | kDmaBufEnd};
    CHECK(k.device->descriptor_ioctl(prime.fd, kIoctlDmaBufSync, &cpu, &ours) == 0);
    cpu.flags = 0;
    CHECK(k.device->descriptor_ioctl(prime.fd, kIoctlDmaBufSync, &cpu, &ours) == -EINVAL);
    close(args.fd);
    close(prime.fd);
}

TEST_CASE("fences of a dma-buf reach other kernels, which represent other processes") {
    Kernel owner(false), other(false);
    SharedBuffer shared(owner);
    SUBCASE("a writer") {
        REQUIRE(shared.attach(owner, kDmaBufWrite) == 0);
        const int reader = shared.users(other, kDmaBufRead), writer = shared.users(other, kDmaBufWrite);
        CHECK(!readable(reader));
        CHECK(!readable(writer));
        shared.signal();
        CHECK(readable_soon(reader));
        CHECK(readable_soon(writer));
        close(reader);
        close(writer);
    }
    SUBCASE("a reader") {
        REQUIRE(shared.attach(owner, kDmaBufRead) == 0);
        const int reader = shared.users(other, kDmaBufRead), writer = shared.users(other, kDmaBufWrite);
        CHECK(readable(reader));
        CHECK(!readable(writer));
        shared.signal();
        CHECK(readable_soon(writer));
        close(reader);
        close(writer);
    }
    SUBCASE("a fence of one kernel, attached by another") {
        REQUIRE(shared.attach(other, kDmaBufWrite) == 0);
        const int reader = shared.users(owner, kDmaBufRead);
        CHECK(!readable(reader));
        shared.signal();
        CHECK(readable_soon(reader));
        close(reader);
    }
    SUBCASE("work that began before the memory was exported") {
        int error = 0;
        auto bo = terrazzo::winsys::virt::BufferObject::create(4096, 0, true, &error);
        REQUIRE(bo);
        {
            const std::lock_guard lock(owner.device->domain.mutex);
            CHECK(bo->reservation.add(shared.fence, true));
        }
        close(std::exchange(shared.fd, bo->export_fd(true)));
        const int reader = shared.users(other, kDmaBufRead);
        CHECK(!readable(reader));
        shared.signal();
        CHECK(readable_soon(reader));
        close(reader);
    }
    SUBCASE("the CPU waits, too") {
        REQUIRE(shared.attach(owner, kDmaBufWrite) == 0);
        std::atomic<bool> signalled{false};
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            signalled = true;
            shared.signal();
        });
        bool ours;
        dma_buf_sync cpu{kDmaBufRead};
        CHECK(other.device->descriptor_ioctl(shared.fd, kIoctlDmaBufSync, &cpu, &ours) == 0);
        CHECK(signalled);
        later.join();
    }
}

TEST_CASE("another kernel's sync file becomes a syncobj's fence without a wait") {
    Kernel owner(false), other(false);
    SharedBuffer shared(owner);
    drm_syncobj_handle args{other.syncobj(), kSyncobjFdSyncFile, shared.sync_file, 0};
    REQUIRE(other.ioctl(kIoctlSyncobjFdToHandle, &args) == 0);
    drm_syncobj_handle back{args.handle, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(other.ioctl(kIoctlSyncobjHandleToFd, &back) == 0);
    CHECK(!readable(back.fd));
    shared.signal();
    CHECK(readable_soon(back.fd));
    close(back.fd);
}
