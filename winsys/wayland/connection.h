// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the windows of a Wayland platform share: the connection and the globals that are bound on it.
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
    // Version 3 or 4; null: the server has none.
    zwp_linux_dmabuf_v1* dmabuf = nullptr;
    zwp_linux_explicit_synchronization_v1* synchronization = nullptr;  // null: the server has none
    const DmabufOffer* offer = nullptr;  // what the server offers for all surfaces; null if `dmabuf` is null
    bool owned = false;                  // opened by us, not by the application
    int fd = -1;                         // the display's socket; `device` and `inode` identify it
    dev_t device = 0;
    ino_t inode = 0;

    std::mutex mutex;
    // Guarded by the mutex:
    std::set<const void*> natives;           // wl_egl_windows that have a Window
    std::optional<PeerFences> known_fences;  // the result of server_fences()

    /// False once the application has called wl_display_disconnect. Then nothing of the display may be
    /// touched. EGL forbids disconnecting before eglTerminate, but programs do it when they exit.
    [[nodiscard]] bool alive() const {
        struct stat s;
        return fstat(fd, &s) == 0 && s.st_dev == device && s.st_ino == inode;
    }
    /// The fences of virtual GPUs that the server understands. A server that does not know them ends the
    /// connection of a client that sends one as a sync file.
    [[nodiscard]] PeerFences server_fences();
    /// Handles the queue's events that have arrived, without waiting. False: the connection broke.
    [[nodiscard]] bool dispatch_arrived(wl_event_queue* queue) const;
    /// Sends all requests; waits if the server does not read. False: the connection broke.
    [[nodiscard]] bool flush() const;
};

/// A wrapper of `object` whose new objects use `queue`; null: out of memory.
template <class T>
[[nodiscard]] T* wrap(T* object, wl_event_queue* queue) {
    void* w = wl_proxy_create_wrapper(object);
    if (w) wl_proxy_set_queue(static_cast<wl_proxy*>(w), queue);
    return static_cast<T*>(w);
}

}  // namespace terrazzo::winsys
