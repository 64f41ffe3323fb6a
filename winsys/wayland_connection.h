// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the windows of a Wayland platform share: the connection and the globals bound on it.
#pragma once

#include <sys/stat.h>
#include <wayland-client.h>

#include <mutex>
#include <set>

namespace terrazzo::winsys {

struct WaylandConnection {
    wl_display* display = nullptr;
    wl_shm* shm = nullptr;
    bool owned = false;  // we connected, not the application
    int fd = -1;         // of the display, with the identity of its socket
    dev_t device = 0;
    ino_t inode = 0;

    std::mutex mutex;
    std::set<const void*> natives;  // wl_egl_windows with a Window; under the mutex

    /// False once the application has called wl_display_disconnect, after which nothing of the display may be
    /// touched. EGL forbids disconnecting before eglTerminate; programs do it all the same, on their way out.
    [[nodiscard]] bool alive() const {
        struct stat s;
        return fstat(fd, &s) == 0 && s.st_dev == device && s.st_ino == inode;
    }
};

}  // namespace terrazzo::winsys
