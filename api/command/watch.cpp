// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "api/command/file.h"

namespace terrazzo::command {
namespace {

// Intervals of the checks: programs load GL when they start.
constexpr int kLook_ms = 20, kLongestLook_ms = 1000;

bool is_driver(std::string_view name) {
    return (name.starts_with("libGLX_") || name.starts_with("libEGL_") || name.starts_with("libgallium-") ||
            name.ends_with("_dri.so")) &&
           !name.starts_with("libEGL_terrazzo");
}

bool is_front(std::string_view name) {
    return name.starts_with("libEGL.so") || name.starts_with("libGLESv2.so") ||
           name.starts_with("libGLESv1_CM.so");
}

/// Never returns.
[[noreturn]] void watch(pid_t pid, int pidfd, const std::string& program, const std::string& folder,
                        bool glvnd) {
    const std::string maps_file = "/proc/" + std::to_string(pid) + "/maps";
    pollfd ended{pidfd, POLLIN, 0};
    for (int wait_ms = kLook_ms; poll(&ended, 1, wait_ms) == 0;
         wait_ms = std::min(wait_ms + wait_ms / 8, kLongestLook_ms)) {
        std::string maps, why;
        if (!read_file(maps_file, &maps, &why)) break;
        const std::string_view found = other_gl(maps, folder, glvnd);
        if (found.empty()) continue;
        std::fprintf(
            stderr,
            "terrazzo run: %s has loaded %.*s: what it draws through that is not drawn by Terrazzo%s\n",
            program.c_str(), int(found.size()), found.data(),
            glvnd ? "" : " (programs that use libGL.so.1 want `terrazzo run --glvnd`)");
        break;
    }
    _exit(0);
}

}  // namespace

std::string_view other_gl(std::string_view maps, std::string_view folder, bool glvnd) {
    while (!maps.empty()) {
        const std::string_view line = maps.substr(0, maps.find('\n'));
        maps.remove_prefix(std::min(line.size() + 1, maps.size()));
        const size_t begin = line.find('/');
        if (begin == line.npos) continue;
        const std::string_view file = line.substr(begin);
        const size_t slash = file.rfind('/');
        const std::string_view name = file.substr(slash + 1);
        if (is_driver(name) || (!glvnd && is_front(name) && file.substr(0, slash) != folder)) return file;
    }
    return {};
}

void watch_for_other_gl(const std::string& program, const std::string& folder, bool glvnd) {
    const pid_t pid = getpid();
    const int pidfd = int(syscall(SYS_pidfd_open, pid, 0));
    if (pidfd < 0) return;
    std::fflush(nullptr);
    // Two forks: the program must not have a child that it did not start.
    const pid_t child = fork();
    if (child == 0) {
        if (fork() != 0) _exit(0);
        const int kept = dup2(pidfd, 3);
        const int none = open("/dev/null", O_RDWR);
        // A pipe that waits for the program's end must not wait for this process.
        if (kept < 0 || none < 0 || dup2(none, 0) < 0 || dup2(none, 1) < 0) _exit(1);
        (void)syscall(SYS_close_range, 4u, ~0u, 0u);
        watch(pid, kept, program, folder, glvnd);
    }
    if (child > 0) (void)waitpid(child, nullptr, 0);
    close(pidfd);
}

}  // namespace terrazzo::command
