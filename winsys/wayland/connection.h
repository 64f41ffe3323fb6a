// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the windows of a Wayland platform share: the connection and the globals bound on it.
#pragma once

#include <sys/stat.h>
#include <wayland-client.h>

#include <mutex>
#include <optional>
#include <set>

#include "winsys/drm/sync_file.h"
#include "winsys/process/descriptors.h"

struct zwp_linux_dmabuf_v1;
struct zwp_linux_explicit_synchronization_v1;

namespace terrazzo::winsys {

struct DmabufOffer;

struct WaylandConnection {
    wl_display* display = nullptr;
    wl_shm* shm = nullptr;
    zwp_linux_dmabuf_v1* dmabuf = nullptr;                             // of version 3 or 4; null: not there
    zwp_linux_explicit_synchronization_v1* synchronization = nullptr;  // null: not there
    const DmabufOffer* offer = nullptr;  // what the server says of all surfaces; null where `dmabuf` is
    bool owned = false;                  // we connected, not the application
    int fd = -1;                         // of the display, with the identity of its socket
    dev_t device = 0;
    ino_t inode = 0;

    std::mutex mutex;
    // Under the mutex:
    std::set<const void*> natives;           // wl_egl_windows with a Window
    std::optional<PeerFences> known_fences;  // what server_fences() found

    /// False once the application has called wl_display_disconnect, after which nothing of the display may be
    /// touched. EGL forbids disconnecting before eglTerminate; programs do it all the same, on their way out.
    [[nodiscard]] bool alive() const {
        struct stat s;
        return fstat(fd, &s) == 0 && s.st_dev == device && s.st_ino == inode;
    }
    /// Which of virtual GPUs' fences the server understands: others end the connection of who sends a sync file that is none.
    [[nodiscard]] PeerFences server_fences();
    /// Handles what has arrived for the queue, without waiting. False: the connection broke.
    [[nodiscard]] bool dispatch_arrived(wl_event_queue* queue) const;
    /// Sends all requests; waits where the server does not read. False: the connection broke.
    [[nodiscard]] bool flush() const;
};

/// A wrapper of `object` that puts new objects on `queue`; null: no memory.
template <class T>
[[nodiscard]] T* wrap(T* object, wl_event_queue* queue) {
    void* w = wl_proxy_create_wrapper(object);
    if (w) wl_proxy_set_queue(static_cast<wl_proxy*>(w), queue);
    return static_cast<T*>(w);
}

}  // namespace terrazzo::winsys
