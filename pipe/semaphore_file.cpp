// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/semaphore_file.h"

#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include "winsys/clock.h"

namespace terrazzo::pipe {
namespace {

/// The result of poll() within the time; 0: timeout.
short poll_until(int fd, short events, uint64_t end_ns) {
    for (;;) {
        const uint64_t now = winsys::monotonic_ns();
        const uint64_t left_ns = end_ns > now ? end_ns - now : 0;
        constexpr uint64_t kSlice_ms = 1'000'000;  // times that do not fit into poll's int are split
        const auto wait_ms = int(std::min(kSlice_ms, (left_ns + 999'999) / 1'000'000));
        pollfd p{fd, events, 0};
        const int n = poll(&p, 1, wait_ms);
        if (n > 0) return p.revents;
        if (n < 0 && errno != EINTR) return POLLERR;
        if (n == 0 && left_ns <= uint64_t(wait_ms) * 1'000'000) return 0;
    }
}

}  // namespace

bool is_semaphore_file(int fd) {
    // Other ways to recognize an eventfd change it: reading would consume a signal.
    char path[40], target[64];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const ssize_t n = fd < 0 ? -1 : readlink(path, target, sizeof target);
    return n > 0 && std::string_view(target, size_t(n)) == "anon_inode:[eventfd]";
}

bool signal_semaphore_file(int fd) {
    // A write to a blocking file with a full count would not return.
    pollfd p{fd, POLLOUT, 0};
    const uint64_t one = 1;
    return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) && write(fd, &one, sizeof one) == sizeof one;
}

bool wait_semaphore_file(int fd, uint64_t timeout_ns) {
    const uint64_t now = winsys::monotonic_ns();
    const uint64_t end_ns = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
    for (;;) {
        if (!(poll_until(fd, POLLIN, end_ns) & POLLIN)) return false;
        // Another waiter may have consumed the signal, so the read must not block. The file's own flags are
        // shared with other processes, so they are not changed.
        uint64_t count;
        const iovec to{&count, sizeof count};
        ssize_t n = preadv2(fd, &to, 1, -1, RWF_NOWAIT);
        if (n < 0 && errno == EOPNOTSUPP) n = read(fd, &count, sizeof count);
        if (n == sizeof count) return true;
        if (errno != EAGAIN && errno != EINTR) return false;
    }
}

}  // namespace terrazzo::pipe
