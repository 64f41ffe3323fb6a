// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The test server's dma-bufs: zwp_linux_dmabuf_v1 and zwp_linux_explicit_synchronization_v1. Only the
// server's thread uses this.
#pragma once

#include "tests/winsys/wayland_server.h"

namespace terrazzo::test {

void create_dmabuf_global(WaylandServer& server, wl_display* display);
void create_synchronization_global(WaylandServer& server, wl_display* display);
/// False if the buffer is no dma-buf.
[[nodiscard]] bool read_dmabuf(wl_resource* buffer, Commit* out);
/// Moves the fence that was set since the last commit to the commit.
void take_fence(WaylandServer::Surface& surface, Commit* out);
void send_feedback(WaylandServer& server, wl_resource* feedback, bool of_surface);
/// Creates a zwp_linux_buffer_release_v1.
void send_release(WaylandServer& server, wl_resource* release);

}  // namespace terrazzo::test
