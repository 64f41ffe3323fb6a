// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared buffers of a Wayland window: wl_buffers of dma-bufs, and the fences that say when the server has
// read them.
#pragma once

#include <wayland-client.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "linux-explicit-synchronization-unstable-v1-client-protocol.h"
#include "winsys/platform.h"
#include "winsys/wayland/connection.h"
#include "winsys/wayland/feedback.h"

namespace terrazzo::winsys {

/// A wl_buffer. Lives until its user has destroyed it and the server has released it: the server may show a
/// buffer of an old size until the first one of the new size arrives.
class DmabufBuffer {
  public:
    explicit DmabufBuffer(wl_buffer* handle, unsigned* releases);
    ~DmabufBuffer();
    DmabufBuffer(const DmabufBuffer&) = delete;
    DmabufBuffer& operator=(const DmabufBuffer&) = delete;

    [[nodiscard]] wl_buffer* handle() const { return handle_; }
    /// True from set_committed() until the server and its devices have read the buffer.
    [[nodiscard]] bool busy();
    /// The next commit shows the buffer. `release` reports the end of that commit; if null, only the
    /// wl_buffer's release does.
    void set_committed(zwp_linux_buffer_release_v1* release);
    /// If only a fence is missing, waits for it and returns true.
    [[nodiscard]] bool wait_for_fence();
    /// The connection is gone: its objects must not be used any more.
    void forget() { handle_ = nullptr, release_ = nullptr, held_ = false; }

    bool abandoned = false;  // its user has destroyed it
    uint32_t width_px = 0, height_px = 0;

  private:
    static void on_release(void* data, wl_buffer*);
    static void on_fenced_release(void* data, zwp_linux_buffer_release_v1* release, int32_t fence);
    static void on_immediate_release(void* data, zwp_linux_buffer_release_v1* release);

    wl_buffer* handle_;
    unsigned* releases_;  // counts the releases of all buffers
    zwp_linux_buffer_release_v1* release_ = nullptr;
    int fence_ = -1;     // signals the server's last reads
    bool held_ = false;  // the server has not released the wl_buffer
};

/// A window's buffers. Thread: the one that dispatches the window's queue.
class DmabufBuffers {
  public:
    DmabufBuffers(WaylandConnection& connection, uint32_t fourcc)
        : connection_(connection), fourcc_(fourcc) {}
    /// The caller keeps the queue and the surface. False: out of memory.
    [[nodiscard]] bool init(wl_event_queue* queue, wl_surface* surface);
    /// Called before the queue and the surface are destroyed.
    void destroy();
    /// Called instead of destroy() if the connection is gone.
    void forget();

    [[nodiscard]] uint64_t fence_waits() const { return fence_waits_; }
    /// Implements Window::shared_modifiers(), from the server's events so far.
    [[nodiscard]] std::span<const uint64_t> modifiers();
    /// Implements Window::shared_modifier_rank().
    [[nodiscard]] unsigned rank(uint64_t modifier) const {
        return dmabuf_ ? offer().rank(fourcc_, modifier) : 0;
    }
    /// Waits for the server's answer, unless the server is known to accept such buffers.
    [[nodiscard]] std::unique_ptr<WindowBuffer> create(const SharedBuffer& buffer);
    /// Casts a result of create() back to its type.
    [[nodiscard]] static DmabufBuffer& of(WindowBuffer& buffer);
    /// Whether the server itself can wait for the fence.
    [[nodiscard]] bool server_waits_for(int fence_fd);
    /// The next request must be the commit that shows the buffer. `fence_fd`: a fence that the server waits
    /// for; -1: none.
    void prepare_commit(DmabufBuffer& buffer, int fence_fd);
    /// False: the connection broke.
    [[nodiscard]] bool wait_for_release();

  private:
    class Handle;
    friend class Handle;
    /// A layout that the server has accepted for buffers up to this size.
    struct Accepted {
        uint64_t modifier;
        uint32_t width_px, height_px;
    };

    [[nodiscard]] const DmabufOffer& offer() const {
        return feedback_.count() ? feedback_.offer() : *connection_.offer;
    }
    void update_modifiers();
    [[nodiscard]] std::optional<uint64_t> modifier_to_send(uint64_t modifier) const;
    [[nodiscard]] bool is_accepted(const SharedBuffer& buffer) const;
    void remember(const SharedBuffer& buffer, bool accepted);
    [[nodiscard]] wl_buffer* ask_server(zwp_linux_buffer_params_v1* params, const SharedBuffer& buffer,
                                        bool* refused);
    [[nodiscard]] wl_buffer* import(const SharedBuffer& buffer, uint64_t modifier);
    void abandon(DmabufBuffer& buffer);
    void sweep();

    WaylandConnection& connection_;
    const uint32_t fourcc_;
    wl_event_queue* queue_ = nullptr;
    wl_surface* surface_ = nullptr;
    zwp_linux_dmabuf_v1* dmabuf_ =
        nullptr;  // a wrapper, whose new objects have the window's queue; null: not there
    zwp_linux_surface_synchronization_v1* synchronization_ = nullptr;
    DmabufFeedback feedback_;
    bool listened_ = false;
    unsigned offer_count_ = 0;         // the feedback's count when modifiers_ was read
    std::vector<uint64_t> modifiers_;  // without those that were refused
    std::vector<Accepted> accepted_;
    std::vector<std::unique_ptr<DmabufBuffer>> buffers_;
    uint64_t fence_waits_ = 0;
    unsigned releases_ = 0;       // events that made a buffer less busy
    unsigned seen_releases_ = 0;  // releases_ when wait_for_release() returned last
};

}  // namespace terrazzo::winsys
