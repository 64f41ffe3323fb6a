// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A Wayland server of a few lines for tests: wl_compositor and wl_shm, in a thread of the test, over a socket
// pair. It records what is committed; the test says when buffers are released and frames are done.
#pragma once

#include <atomic>
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
};

struct ServerOptions {
    int compositor_version = 5;
    bool rgb565 = false;
    bool shm = true;
    bool release_at_once = true;  // else at the next commit's replacement, as compositors do that read lazily
    bool frames_at_once = true;   // else when send_frames() is called
};

class WaylandServer {
  public:
    explicit WaylandServer(const ServerOptions& options);
    ~WaylandServer();
    /// The file descriptor to connect to; the caller's.
    [[nodiscard]] int take_client_fd();
    [[nodiscard]] std::vector<Commit> commits();
    /// Sends wl_callback.done for all frame callbacks that wait.
    void send_frames();
    /// Drops the client's connection, as a server that dies does.
    void disconnect_client();
    [[nodiscard]] bool saw_client_leave() const { return client_left_; }

    // The server thread's state; requests of the protocol work on it.
    struct Surface;
    void record(Commit commit);
    ServerOptions options;
    std::vector<wl_resource*> waiting_frames;
    std::atomic<bool> client_left_{false};

  private:
    void run();
    void call(char command);
    void obey(char command);

    wl_display* display_ = nullptr;
    wl_client* client_ = nullptr;
    int client_fd_ = -1, command_write_ = -1, command_read_ = -1;
    std::mutex mutex_;
    std::vector<Commit> commits_;
    std::thread thread_;
};

}  // namespace terrazzo::test
