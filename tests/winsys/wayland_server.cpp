// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/winsys/wayland_server.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wayland-server.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/winsys/wayland_server_dmabuf.h"

namespace terrazzo::test {

namespace {

using Surface = WaylandServer::Surface;

Surface& of(wl_resource* r) {
    return *static_cast<Surface*>(wl_resource_get_user_data(r));
}
void destroy_resource(wl_client*, wl_resource* r) {
    wl_resource_destroy(r);
}
void attach(wl_client*, wl_resource* r, wl_resource* buffer, int32_t x, int32_t y) {
    of(r).pending_buffer = buffer;
    if (wl_resource_get_version(r) < WL_SURFACE_OFFSET_SINCE_VERSION)
        of(r).pending.dx = x, of(r).pending.dy = y;
    else if (x != 0 || y != 0)
        wl_resource_post_error(r, WL_SURFACE_ERROR_INVALID_OFFSET, "attach with an offset");
}
void offset(wl_client*, wl_resource* r, int32_t x, int32_t y) {
    of(r).pending.dx = x, of(r).pending.dy = y;
}
void damage(wl_client*, wl_resource* r, int32_t x, int32_t y, int32_t w, int32_t h) {
    of(r).pending.surface_damage.push_back({x, y, w, h});
}
void damage_buffer(wl_client*, wl_resource* r, int32_t x, int32_t y, int32_t w, int32_t h) {
    of(r).pending.buffer_damage.push_back({x, y, w, h});
}
void frame(wl_client* c, wl_resource* r, uint32_t id) {
    wl_resource* callback = wl_resource_create(c, &wl_callback_interface, 1, id);
    wl_resource_set_implementation(callback, nullptr, nullptr, nullptr);
    of(r).pending_frames.push_back(callback);
    of(r).pending.wants_frame = true;
}
void set_region(wl_client*, wl_resource*, wl_resource*) {}
void set_int(wl_client*, wl_resource*, int32_t) {}

void read_buffer(wl_resource* buffer, Commit* out) {
    if (read_dmabuf(buffer, out)) return;
    wl_shm_buffer* shm = wl_shm_buffer_get(buffer);
    out->buffer_id = wl_resource_get_id(buffer);
    out->format = wl_shm_buffer_get_format(shm);
    out->width = wl_shm_buffer_get_width(shm), out->height = wl_shm_buffer_get_height(shm);
    out->stride_B = wl_shm_buffer_get_stride(shm);
    out->words.resize(size_t(out->stride_B) * size_t(out->height) / 4);
    wl_shm_buffer_begin_access(shm);
    std::memcpy(out->words.data(), wl_shm_buffer_get_data(shm), out->words.size() * 4);
    wl_shm_buffer_end_access(shm);
}

void send_done(std::vector<wl_resource*>& callbacks) {
    for (wl_resource* c : callbacks) {
        wl_callback_send_done(c, 0);
        wl_resource_destroy(c);
    }
    callbacks.clear();
}

void commit(wl_client*, wl_resource* r) {
    Surface& s = of(r);
    WaylandServer& server = *s.server;
    if (wl_resource* buffer = std::exchange(s.pending_buffer, nullptr)) {
        read_buffer(buffer, &s.pending);
        take_fence(s, &s.pending);
        server.record(std::exchange(s.pending, Commit{}));
        const WaylandServer::Shown shown{buffer, std::exchange(s.pending_release, nullptr)};
        if (server.options.hold_buffers)
            server.held.push_back(shown);
        else if (server.options.release_at_once)
            server.release(shown);
        else
            server.release(std::exchange(s.shown, shown));
    }
    server.waiting_frames.insert(server.waiting_frames.end(), s.pending_frames.begin(),
                                 s.pending_frames.end());
    s.pending_frames.clear();
    if (server.options.frames_at_once) send_done(server.waiting_frames);
}

constexpr struct wl_surface_interface kSurface {
    destroy_resource, attach, damage, frame, set_region, set_region, commit, set_int, set_int, damage_buffer,
        offset
};

void create_surface(wl_client* c, wl_resource* compositor, uint32_t id) {
    wl_resource* r = wl_resource_create(c, &wl_surface_interface, wl_resource_get_version(compositor), id);
    auto* s = new Surface{.server = static_cast<WaylandServer*>(wl_resource_get_user_data(compositor))};
    s->server->surfaces.push_back(s);
    wl_resource_set_implementation(r, &kSurface, s, [](wl_resource* dead) {
        Surface& gone = of(dead);
        if (gone.pending_fence >= 0) close(gone.pending_fence);
        if (gone.synchronization) wl_resource_set_user_data(gone.synchronization, nullptr);
        std::erase(gone.server->surfaces, &gone);
        delete &gone;
    });
}
void create_region(wl_client* c, wl_resource*, uint32_t) {
    wl_client_post_implementation_error(c, "no regions here");
}
constexpr struct wl_compositor_interface kCompositor { create_surface, create_region };

void bind_compositor(wl_client* c, void* data, uint32_t version, uint32_t id) {
    wl_resource* r = wl_resource_create(c, &wl_compositor_interface, int(version), id);
    wl_resource_set_implementation(r, &kCompositor, data, nullptr);
}

struct ClientListener {
    wl_listener listener;
    WaylandServer* server;
};

}  // namespace

WaylandServer::WaylandServer(const ServerOptions& o) : options(o) {
    display_ = wl_display_create();
    wl_global_create(display_, &wl_compositor_interface, o.compositor_version, this, bind_compositor);
    if (o.shm) wl_display_init_shm(display_);
    if (o.dmabuf.version) create_dmabuf_global(*this, display_);
    if (o.explicit_sync) create_synchronization_global(*this, display_);
    if (o.rgb565) wl_display_add_shm_format(display_, WL_SHM_FORMAT_RGB565);
    int sockets[2], commands[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || pipe2(commands, O_CLOEXEC) != 0)
        std::abort();
    client_fd_ = sockets[1];
    command_read_ = commands[0], command_write_ = commands[1];
    client_ = wl_client_create(display_, sockets[0]);
    static ClientListener left;
    left.server = this;
    left.listener.notify = [](wl_listener* l, void*) {
        WaylandServer* s = reinterpret_cast<ClientListener*>(l)->server;
        s->client_left_ = true;
        s->client_ = nullptr;
        s->waiting_frames.clear();
        s->held.clear();
    };
    wl_client_add_destroy_listener(client_, &left.listener);
    thread_ = std::thread([this] { run(); });
}

WaylandServer::~WaylandServer() {
    call('q');
    thread_.join();
    wl_display_destroy_clients(display_);
    wl_display_destroy(display_);
    for (int fd : {client_fd_, command_read_, command_write_})
        if (fd >= 0) close(fd);
    for (int fd : unsignalled_fences)
        close(fd);
}

int WaylandServer::take_client_fd() {
    return std::exchange(client_fd_, -1);
}

std::vector<Commit> WaylandServer::commits() {
    std::lock_guard lock(mutex_);
    return commits_;
}

void WaylandServer::record(Commit c) {
    std::lock_guard lock(mutex_);
    commits_.push_back(std::move(c));
}

void WaylandServer::send_frames() {
    call('f');
}

void WaylandServer::disconnect_client() {
    call('d');
}

void WaylandServer::release_buffers() {
    call('r');
}

void WaylandServer::signal_fences() {
    call('s');
}

void WaylandServer::change_feedback(std::vector<ServerTranche> tranches) {
    options.dmabuf.surface_tranches = std::move(tranches);  // call() makes this visible to the thread
    call('t');
}

void WaylandServer::release(Shown shown) {
    if (shown.release) send_release(*this, shown.release);
    if (shown.buffer) wl_buffer_send_release(shown.buffer);
}

void WaylandServer::forget_buffer(wl_resource* buffer) {
    for (Surface* s : surfaces) {
        if (s->shown.buffer == buffer) s->shown.buffer = nullptr;
        if (s->pending_buffer == buffer) s->pending_buffer = nullptr;
    }
    for (Shown& h : held)
        if (h.buffer == buffer) h.buffer = nullptr;
}

/// Returns when the server's thread has executed it.
void WaylandServer::call(char command) {
    std::unique_lock lock(mutex_);
    const unsigned number = ++commands_;
    if (write(command_write_, &command, 1) != 1) std::abort();
    obeyed_.wait(lock, [&] { return int(done_ - number) >= 0; });
}

void WaylandServer::obey(char command) {
    switch (command) {
        case 'q':
            wl_display_terminate(display_);
            break;
        case 'f':
            send_done(waiting_frames);
            break;
        case 'd':
            if (client_) wl_client_destroy(client_);
            break;
        case 'r':
            for (const Shown& shown : std::exchange(held, {}))
                release(shown);
            break;
        case 's':
            for (int fd : std::exchange(unsignalled_fences, {})) {
                const uint64_t one = 1;
                if (write(fd, &one, sizeof one) != sizeof one) std::abort();
                close(fd);
            }
            break;
        case 't':
            for (wl_resource* feedback : surface_feedbacks)
                send_feedback(*this, feedback, true);
            break;
    }
    wl_display_flush_clients(display_);
    std::lock_guard lock(mutex_);
    ++done_;
    obeyed_.notify_all();
}

void WaylandServer::run() {
    wl_event_source* commands = wl_event_loop_add_fd(
        wl_display_get_event_loop(display_), command_read_, WL_EVENT_READABLE,
        [](int fd, uint32_t, void* data) {
            char command = 0;
            if (read(fd, &command, 1) == 1) static_cast<WaylandServer*>(data)->obey(command);
            return 0;
        },
        this);
    wl_display_run(display_);
    wl_event_source_remove(commands);
}

}  // namespace terrazzo::test
