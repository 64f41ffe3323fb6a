// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Linux include/uapi/linux/sync_file.h, Documentation/driver-api/sync_file.rst,
// drivers/dma-buf/dma-buf.c (DMA_BUF_IOCTL_EXPORT_SYNC_FILE).
#include "winsys/drm/sync_file.h"

#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

#include "winsys/clock.h"
#include "winsys/memory/shared_memory.h"
#include "winsys/uapi/drm.h"

namespace terrazzo::winsys {

namespace {
std::atomic<bool (*)(int)> replaced_test{nullptr};

/// Waits for `events` on a descriptor. False: the time is over.
bool wait_for(int fd, short events, uint64_t timeout_ns) {
    const bool forever = timeout_ns > uint64_t(INT64_MAX);
    const uint64_t end_ns = forever ? 0 : monotonic_ns() + timeout_ns;
    for (;;) {
        const uint64_t now = forever ? 0 : monotonic_ns(), left_ns = now < end_ns ? end_ns - now : 0;
        const timespec left{time_t(left_ns / 1'000'000'000), long(left_ns % 1'000'000'000)};
        pollfd p{fd, events, 0};
        const int ready = ppoll(&p, 1, forever ? nullptr : &left, nullptr);
        if (ready > 0 || (ready == 0 && !left_ns)) return ready > 0;
        if (ready < 0 && errno != EINTR && errno != EAGAIN) return false;
    }
}

}  // namespace

bool is_sync_file(int fd) {
    if (bool (*test)(int) = replaced_test) return test(fd);
    sync_file_info info{};  // of 0 fences: asks for their number
    // The shim replaces ioctl(), so this is the system call.
    return syscall(SYS_ioctl, fd, SYNC_IOC_FILE_INFO, &info) == 0;
}

void set_sync_file_test(bool (*is_one)(int fd)) {
    replaced_test = is_one;
}

PeerFences peer_fences(int socket_fd) {
    ucred peer{};
    socklen_t size_B = sizeof peer;
    if (getsockopt(socket_fd, SOL_SOCKET, SO_PEERCRED, &peer, &size_B) != 0 || peer.pid <= 0) return {};
    const std::string name = "/proc/" + std::to_string(peer.pid) + "/maps";
    const std::unique_ptr<FILE, int (*)(FILE*)> maps(std::fopen(name.c_str(), "re"), std::fclose);
    PeerFences known;
    char line[512];
    while (maps && !known.sync_files && std::fgets(line, sizeof line, maps.get())) {
        known.of_memory |= std::strstr(line, "libterrazzo") != nullptr;
        known.sync_files |= std::strstr(line, "libterrazzo-shim") != nullptr;
    }
    return known;
}

bool sync_file_signalled(int fd) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, 0) > 0;
}

void wait_for_sync_file(int fd) {
    (void)wait_for(fd, POLLIN, UINT64_MAX);
}

bool wait_for_sync_file(int fd, uint64_t timeout_ns) {
    return wait_for(fd, POLLIN, timeout_ns);
}

bool wait_for_dmabuf(int fd, bool write, uint64_t timeout_ns) {
    return wait_for(fd, write ? POLLOUT : POLLIN, timeout_ns);
}

int create_signalled_sync_file(int idle_dmabuf) {
    std::unique_ptr<SharedMemory> memory;
    if (idle_dmabuf < 0) memory = SharedMemory::create(1);
    const int own = memory ? memory->export_fd() : -1;
    uapi::dma_buf_sync_file request{uapi::kDmaBufRead | uapi::kDmaBufWrite, -1};
    const int dmabuf = idle_dmabuf < 0 ? own : idle_dmabuf;
    const bool exported = dmabuf >= 0 && ioctl(dmabuf, uapi::kIoctlDmaBufExportSyncFile, &request) == 0;
    if (own >= 0) close(own);
    return exported ? request.fd : -1;
}

}  // namespace terrazzo::winsys
