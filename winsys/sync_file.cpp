// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Linux include/uapi/linux/sync_file.h, Documentation/driver-api/sync_file.rst.
#include "winsys/sync_file.h"

#include <linux/sync_file.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace terrazzo::winsys {

namespace {
std::atomic<bool (*)(int)> replaced_test{nullptr};
}

bool is_sync_file(int fd) {
    if (bool (*test)(int) = replaced_test) return test(fd);
    sync_file_info info{};                                          // of no fences: asks how many there are
    return syscall(SYS_ioctl, fd, SYNC_IOC_FILE_INFO, &info) == 0;  // not ioctl(), which the shim replaces
}

void set_sync_file_test(bool (*is_one)(int fd)) {
    replaced_test = is_one;
}

bool sync_file_signalled(int fd) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, 0) > 0;
}

void wait_for_sync_file(int fd) {
    pollfd p{fd, POLLIN, 0};
    while (poll(&p, 1, -1) < 0 && (errno == EINTR || errno == EAGAIN)) {
    }
}

}  // namespace terrazzo::winsys
