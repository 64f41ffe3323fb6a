// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A small Wayland server for tests: wl_compositor, wl_shm, zwp_linux_dmabuf_v1 and
// zwp_linux_explicit_synchronization_v1, in a thread of the test, over a socket pair. It records commits. The
// test decides when buffers are released, when frames are done, and which dma-bufs the server accepts.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct wl_display;
struct wl_resource;
struct wl_client;

namespace terrazzo::test {

struct DamageRect {
    int x, y, width, height;
    bool operator==(const DamageRect&) const = default;
};

/// One wl_surface.commit with a new buffer.
struct Commit {
    uint32_t format = 0;
    int width = 0, height = 0, dx = 0, dy = 0;
    std::vector<uint32_t> words;  // the buffer, 32-bit words, top row first, rows of `stride_B`
    int stride_B = 0;
    std::vector<DamageRect> surface_damage, buffer_damage;
    bool wants_frame = false;
    uint32_t buffer_id = 0;
    bool shared = false;  // a dma-buf; otherwise wl_shm
    uint64_t modifier = 0;
    bool has_fence = false;        // set_acquire_fence
    bool fence_signalled = false;  // at the time of the commit
    bool has_release = false;      // get_release
};

struct ServerFormat {
    uint32_t fourcc;
    uint64_t modifier;
};
struct ServerTranche {
    uint64_t device = 0;
    bool scanout = false;
    std::vector<ServerFormat> formats;
};

struct DmabufOptions {
    int version = 0;  // 0: the server has no zwp_linux_dmabuf_v1
    uint64_t main_device = 0;
    std::vector<ServerTranche> tranches;          // version 3: the formats of all tranches
    std::vector<ServerTranche> surface_tranches;  // empty: the same as `tranches`
    bool refuse = false;
    uint64_t refuse_modifier = ~uint64_t(0);
    int refuse_wider_than_px = 0;                 // 0: any width is accepted
    bool short_table = false, bad_index = false;  // invalid feedback
};

/// The requests to zwp_linux_dmabuf_v1.
struct DmabufCounts {
    std::atomic<int> asked{0}, immediate{0}, refused{0}, with_flags{0}, buffers_alive{0}, feedbacks{0};
};

struct ServerOptions {
    int compositor_version = 5;
    bool rgb565 = false;
    bool shm = true;
    bool release_at_once =
        true;  // otherwise when the next commit replaces the buffer, like compositors that read late
    bool frames_at_once = true;  // otherwise in send_frames()
    bool hold_buffers = false;   // buffers are released in release_buffers()
    DmabufOptions dmabuf;
    bool explicit_sync = false;
    bool release_fences = false;  // fences are signalled in signal_fences()
};

class WaylandServer {
  public:
    explicit WaylandServer(const ServerOptions& options);
    ~WaylandServer();
    /// The file descriptor to connect to; the caller owns it.
    [[nodiscard]] int take_client_fd();
    [[nodiscard]] std::vector<Commit> commits();
    /// Sends wl_callback.done for all waiting frame callbacks.
    void send_frames();
    /// Closes the client's connection, like a server that dies.
    void disconnect_client();
    [[nodiscard]] bool saw_client_leave() const { return client_left_; }
    /// Releases all committed buffers.
    void release_buffers();
    void signal_fences();
    /// Sends new feedback for all surfaces. Version 4.
    void change_feedback(std::vector<ServerTranche> tranches);
    DmabufCounts dmabuf;

    // The state of the server's thread; requests of the protocol use it.
    /// A committed buffer, and what waits for its release (null: nothing).
    struct Shown {
        wl_resource* buffer = nullptr;
        wl_resource* release = nullptr;
    };
    struct Surface {
        WaylandServer* server;
        Commit pending;
        wl_resource* pending_buffer = nullptr;
        Shown shown;
        std::vector<wl_resource*> pending_frames;
        int pending_fence = -1;
        wl_resource* pending_release = nullptr;
        wl_resource* synchronization = nullptr;
    };
    void record(Commit commit);
    void release(Shown shown);
    /// The client has destroyed it.
    void forget_buffer(wl_resource* buffer);
    ServerOptions options;
    std::vector<wl_resource*> waiting_frames;
    std::vector<Surface*> surfaces;
    std::vector<Shown> held;
    std::vector<wl_resource*> surface_feedbacks;
    std::vector<int> unsignalled_fences;  // eventfds in place of sync files
    std::atomic<bool> client_left_{false};

  private:
    void run();
    void call(char command);
    void obey(char command);

    wl_display* display_ = nullptr;
    wl_client* client_ = nullptr;
    int client_fd_ = -1, command_write_ = -1, command_read_ = -1;
    std::mutex mutex_;
    std::condition_variable obeyed_;
    unsigned commands_ = 0, done_ = 0;
    std::vector<Commit> commits_;
    std::thread thread_;
};

}  // namespace terrazzo::test
