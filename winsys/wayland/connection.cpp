// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/wayland/connection.h"

#include <poll.h>

#include <cerrno>

namespace terrazzo::winsys {

PeerFences WaylandConnection::server_fences() {
    std::lock_guard lock(mutex);
    if (!known_fences) known_fences = peer_fences(fd);
    return *known_fences;
}

bool WaylandConnection::dispatch_arrived(wl_event_queue* queue) const {
    while (wl_display_prepare_read_queue(display, queue) != 0)
        if (wl_display_dispatch_queue_pending(display, queue) < 0) return false;
    pollfd p{fd, POLLIN, 0};
    if (poll(&p, 1, 0) > 0) {
        if (wl_display_read_events(display) < 0) return false;
    } else {
        wl_display_cancel_read(display);
    }
    return wl_display_dispatch_queue_pending(display, queue) >= 0;
}

bool WaylandConnection::flush() const {
    while (wl_display_flush(display) < 0) {
        if (errno != EAGAIN) return false;
        pollfd p{fd, POLLOUT, 0};
        if (poll(&p, 1, -1) < 0 && errno != EINTR) return false;
    }
    return true;
}

}  // namespace terrazzo::winsys
