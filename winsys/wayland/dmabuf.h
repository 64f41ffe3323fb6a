// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared buffers of a Wayland window: wl_buffers made of dma-bufs, when the server reads them, and the fences that say so.
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

/// A wl_buffer. Lives until its user has destroyed it and the server has released it: the server may go on to show the picture
/// of an old size until the first one of the new size is there.
class DmabufBuffer {
  public:
    explicit DmabufBuffer(wl_buffer* handle, unsigned* releases);
    ~DmabufBuffer();
    DmabufBuffer(const DmabufBuffer&) = delete;
    DmabufBuffer& operator=(const DmabufBuffer&) = delete;

    [[nodiscard]] wl_buffer* handle() const { return handle_; }
    /// True from set_committed() on until the server and its devices have read it.
    [[nodiscard]] bool busy();
    /// The next commit shows it. `release`: tells of that commit's end; null: only the wl_buffer does.
    void set_committed(zwp_linux_buffer_release_v1* release);
    /// True where only a fence is missing; waits for that.
    [[nodiscard]] bool wait_for_fence();
    /// The connection is gone: its memory must not be touched any more.
    void forget() { handle_ = nullptr, release_ = nullptr, held_ = false; }

    bool abandoned = false;  // its user has destroyed it
    uint32_t width_px = 0, height_px = 0;

  private:
    static void on_release(void* data, wl_buffer*);
    static void on_fenced_release(void* data, zwp_linux_buffer_release_v1* release, int32_t fence);
    static void on_immediate_release(void* data, zwp_linux_buffer_release_v1* release);

    wl_buffer* handle_;
    unsigned* releases_;  // counts all buffers' releases
    zwp_linux_buffer_release_v1* release_ = nullptr;
    int fence_ = -1;     // of the server's last reads
    bool held_ = false;  // the server has not released the wl_buffer
};

/// A window's buffers. Thread: the one that dispatches the window's queue.
class DmabufBuffers {
  public:
    DmabufBuffers(WaylandConnection& connection, uint32_t fourcc)
        : connection_(connection), fourcc_(fourcc) {}
    /// The queue and the surface stay the caller's. False: out of memory.
    [[nodiscard]] bool init(wl_event_queue* queue, wl_surface* surface);
    /// Before the queue and the surface are destroyed.
    void destroy();
    /// In place of destroy() where the connection is gone.
    void forget();

    [[nodiscard]] uint64_t fence_waits() const { return fence_waits_; }
    /// What Window::shared_modifiers() returns: takes in what the server said until now.
    [[nodiscard]] std::span<const uint64_t> modifiers();
    /// What Window::shared_modifier_rank() returns.
    [[nodiscard]] unsigned rank(uint64_t modifier) const {
        return dmabuf_ ? offer().rank(fourcc_, modifier) : 0;
    }
    /// Where the server is not known to take such a buffer, this waits for its answer.
    [[nodiscard]] std::unique_ptr<WindowBuffer> create(const SharedBuffer& buffer);
    /// One of create()'s.
    [[nodiscard]] static DmabufBuffer& of(WindowBuffer& buffer);
    /// True where the server itself can wait for the fence.
    [[nodiscard]] bool server_waits_for(int fence_fd);
    /// The next request is the commit that shows the buffer. `fence_fd`: one that the server waits for; -1: none.
    void prepare_commit(DmabufBuffer& buffer, int fence_fd);
    /// False: the connection broke.
    [[nodiscard]] bool wait_for_release();

  private:
    class Handle;
    friend class Handle;
    /// A layout that the server has taken, in buffers of up to that size.
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
    unsigned offer_count_ = 0;         // of the feedback that modifiers_ comes from
    std::vector<uint64_t> modifiers_;  // without those that were refused
    std::vector<Accepted> accepted_;
    std::vector<std::unique_ptr<DmabufBuffer>> buffers_;
    uint64_t fence_waits_ = 0;
    unsigned releases_ = 0;       // events that made a buffer less busy
    unsigned seen_releases_ = 0;  // of those, when wait_for_release() returned last
};

}  // namespace terrazzo::winsys
