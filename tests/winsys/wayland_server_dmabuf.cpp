// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/winsys/wayland_server_dmabuf.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-server.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "linux-dmabuf-unstable-v1-server-protocol.h"
#include "linux-explicit-synchronization-unstable-v1-server-protocol.h"
#include "winsys/memory/memfd_uses.h"

namespace terrazzo::test {
namespace {

using Surface = WaylandServer::Surface;

/// A zwp_linux_buffer_params_v1, and the wl_buffer that is created from it.
struct Dmabuf {
    WaylandServer* server;
    int fd = -1;
    uint32_t offset_B = 0, stride_B = 0, fourcc = 0;
    uint64_t modifier = 0;
    int width = 0, height = 0;
    ~Dmabuf() {
        if (fd >= 0) close(fd);
    }
};

void destroy_resource(wl_client*, wl_resource* r) {
    wl_resource_destroy(r);
}

constexpr struct wl_buffer_interface kBuffer { destroy_resource };

// --- zwp_linux_buffer_params_v1

Dmabuf& params_of(wl_resource* r) {
    return *static_cast<Dmabuf*>(wl_resource_get_user_data(r));
}

bool advertised(const DmabufOptions& o, uint32_t fourcc, uint64_t modifier) {
    for (const auto* list : {&o.tranches, &o.surface_tranches})
        for (const ServerTranche& t : *list)
            for (const ServerFormat& f : t.formats)
                if (f.fourcc == fourcc && f.modifier == modifier) return true;
    return false;
}

/// The buffer. Null: it was refused, or a protocol error was sent.
wl_resource* make_buffer(wl_client* c, wl_resource* r, uint32_t id, int w, int h, uint32_t fourcc,
                         uint32_t flags, bool* refused) {
    Dmabuf& p = params_of(r);
    const DmabufOptions& o = p.server->options.dmabuf;
    if (flags) ++p.server->dmabuf.with_flags;
    if (!advertised(o, fourcc, p.modifier)) {
        wl_resource_post_error(r, ZWP_LINUX_BUFFER_PARAMS_V1_ERROR_INVALID_FORMAT, "not advertised");
        return nullptr;
    }
    *refused =
        o.refuse || p.modifier == o.refuse_modifier || (o.refuse_wider_than_px && w > o.refuse_wider_than_px);
    if (*refused) {
        ++p.server->dmabuf.refused;
        return nullptr;
    }
    auto* d = new Dmabuf{p.server, std::exchange(p.fd, -1), p.offset_B, p.stride_B, fourcc, p.modifier, w, h};
    wl_resource* buffer = wl_resource_create(c, &wl_buffer_interface, 1, id);
    wl_resource_set_implementation(buffer, &kBuffer, d, [](wl_resource* dead) {
        auto* gone = static_cast<Dmabuf*>(wl_resource_get_user_data(dead));
        gone->server->forget_buffer(dead);
        --gone->server->dmabuf.buffers_alive;
        delete gone;
    });
    ++p.server->dmabuf.buffers_alive;
    return buffer;
}

constexpr struct zwp_linux_buffer_params_v1_interface kParams {
    destroy_resource,
        [](wl_client*, wl_resource* r, int32_t fd, uint32_t plane, uint32_t offset_B, uint32_t stride_B,
           uint32_t high, uint32_t low) {
            Dmabuf& p = params_of(r);
            if (plane != 0 || p.fd >= 0) std::abort();
            p.fd = fd, p.offset_B = offset_B, p.stride_B = stride_B;
            p.modifier = uint64_t(high) << 32 | low;
        },
        [](wl_client* c, wl_resource* r, int32_t w, int32_t h, uint32_t fourcc, uint32_t flags) {
            ++params_of(r).server->dmabuf.asked;
            bool refused = false;
            if (wl_resource* buffer = make_buffer(c, r, 0, w, h, fourcc, flags, &refused))
                zwp_linux_buffer_params_v1_send_created(r, buffer);
            else if (refused)
                zwp_linux_buffer_params_v1_send_failed(r);
        },
        [](wl_client* c, wl_resource* r, uint32_t id, int32_t w, int32_t h, uint32_t fourcc, uint32_t flags) {
            ++params_of(r).server->dmabuf.immediate;
            bool refused = false;
            if (!make_buffer(c, r, id, w, h, fourcc, flags, &refused) && refused)
                wl_resource_post_error(r, ZWP_LINUX_BUFFER_PARAMS_V1_ERROR_INVALID_WL_BUFFER, "refused");
        }
};

// --- zwp_linux_dmabuf_v1

WaylandServer& server_of(wl_resource* r) {
    return *static_cast<WaylandServer*>(wl_resource_get_user_data(r));
}

void create_params(wl_client* c, wl_resource* dmabuf, uint32_t id) {
    wl_resource* r =
        wl_resource_create(c, &zwp_linux_buffer_params_v1_interface, wl_resource_get_version(dmabuf), id);
    wl_resource_set_implementation(r, &kParams, new Dmabuf{&server_of(dmabuf)},
                                   [](wl_resource* dead) { delete &params_of(dead); });
}

constexpr struct zwp_linux_dmabuf_feedback_v1_interface kFeedback { destroy_resource };

void create_feedback(wl_client* c, wl_resource* dmabuf, uint32_t id, bool of_surface) {
    WaylandServer& server = server_of(dmabuf);
    wl_resource* r =
        wl_resource_create(c, &zwp_linux_dmabuf_feedback_v1_interface, wl_resource_get_version(dmabuf), id);
    wl_resource_set_implementation(r, &kFeedback, &server, [](wl_resource* dead) {
        std::erase(server_of(dead).surface_feedbacks, dead);
        --server_of(dead).dmabuf.feedbacks;
    });
    ++server.dmabuf.feedbacks;
    if (of_surface) server.surface_feedbacks.push_back(r);
    send_feedback(server, r, of_surface);
}

constexpr struct zwp_linux_dmabuf_v1_interface kDmabuf {
    destroy_resource, create_params,
        [](wl_client* c, wl_resource* r, uint32_t id) { create_feedback(c, r, id, false); },
        [](wl_client* c, wl_resource* r, uint32_t id, wl_resource*) { create_feedback(c, r, id, true); }
};

void bind_dmabuf(wl_client* c, void* data, uint32_t version, uint32_t id) {
    wl_resource* r = wl_resource_create(c, &zwp_linux_dmabuf_v1_interface, int(version), id);
    wl_resource_set_implementation(r, &kDmabuf, data, nullptr);
    if (version >= 4) return;
    for (const ServerTranche& t : static_cast<WaylandServer*>(data)->options.dmabuf.tranches)
        for (const ServerFormat& f : t.formats) {
            zwp_linux_dmabuf_v1_send_format(r, f.fourcc);
            if (version >= 3)
                zwp_linux_dmabuf_v1_send_modifier(r, f.fourcc, uint32_t(f.modifier >> 32),
                                                  uint32_t(f.modifier));
        }
}

// --- zwp_linux_explicit_synchronization_v1

Surface* surface_of(wl_resource* r) {
    return static_cast<Surface*>(wl_resource_get_user_data(r));
}

constexpr struct zwp_linux_surface_synchronization_v1_interface kSynchronization {
    destroy_resource, [](wl_client*, wl_resource* r, int32_t fd) { surface_of(r)->pending_fence = fd; },
        [](wl_client* c, wl_resource* r, uint32_t id) {
            wl_resource* release = wl_resource_create(c, &zwp_linux_buffer_release_v1_interface, 1, id);
            wl_resource_set_implementation(release, nullptr, nullptr, nullptr);
            surface_of(r)->pending_release = release;
        }
};

constexpr struct zwp_linux_explicit_synchronization_v1_interface kFactory {
    destroy_resource, [](wl_client* c, wl_resource* factory, uint32_t id, wl_resource* surface) {
        Surface* s = surface_of(surface);
        if (s->synchronization)
            return wl_resource_post_error(
                factory, ZWP_LINUX_EXPLICIT_SYNCHRONIZATION_V1_ERROR_SYNCHRONIZATION_EXISTS, "a second one");
        s->synchronization = wl_resource_create(c, &zwp_linux_surface_synchronization_v1_interface, 1, id);
        wl_resource_set_implementation(s->synchronization, &kSynchronization, s, [](wl_resource* dead) {
            if (Surface* of = surface_of(dead)) of->synchronization = nullptr;
        });
    }
};

void bind_factory(wl_client* c, void* data, uint32_t version, uint32_t id) {
    wl_resource* r =
        wl_resource_create(c, &zwp_linux_explicit_synchronization_v1_interface, int(version), id);
    wl_resource_set_implementation(r, &kFactory, data, nullptr);
}

// --- feedback

struct TableRow {
    uint32_t fourcc, unused;
    uint64_t modifier;
};

void send_array(wl_resource* r, void (*send)(wl_resource*, wl_array*), const void* data, size_t size_B) {
    wl_array a;
    wl_array_init(&a);
    if (size_B) std::memcpy(wl_array_add(&a, size_B), data, size_B);
    send(r, &a);
    wl_array_release(&a);
}

}  // namespace

void create_dmabuf_global(WaylandServer& server, wl_display* display) {
    wl_global_create(display, &zwp_linux_dmabuf_v1_interface, server.options.dmabuf.version, &server,
                     bind_dmabuf);
}

void create_synchronization_global(WaylandServer& server, wl_display* display) {
    wl_global_create(display, &zwp_linux_explicit_synchronization_v1_interface, 1, &server, bind_factory);
}

void send_feedback(WaylandServer& server, wl_resource* r, bool of_surface) {
    const DmabufOptions& o = server.options.dmabuf;
    const auto& tranches = of_surface && !o.surface_tranches.empty() ? o.surface_tranches : o.tranches;
    std::vector<TableRow> table{{0x3231564e, 0, 77}};  // NV12, not in any tranche
    for (const ServerTranche& t : tranches)
        for (const ServerFormat& f : t.formats)
            table.push_back({f.fourcc, 0, f.modifier});
    const uint32_t size_B = uint32_t(table.size() * sizeof(TableRow));
    const int fd = memfd_create("table", MFD_CLOEXEC);
    if (write(fd, table.data(), size_B) != ssize_t(size_B)) std::abort();
    zwp_linux_dmabuf_feedback_v1_send_format_table(r, fd, o.short_table ? size_B * 2 : size_B);
    close(fd);
    const dev_t main_device = o.main_device;
    send_array(r, zwp_linux_dmabuf_feedback_v1_send_main_device, &main_device, sizeof main_device);
    uint16_t row = 1;
    for (const ServerTranche& t : tranches) {
        const dev_t target = t.device;
        std::vector<uint16_t> indices;
        for (size_t i = 0; i < t.formats.size(); ++i)
            indices.push_back(row++);
        if (o.bad_index) indices.push_back(uint16_t(table.size()));
        send_array(r, zwp_linux_dmabuf_feedback_v1_send_tranche_target_device, &target, sizeof target);
        zwp_linux_dmabuf_feedback_v1_send_tranche_flags(r, t.scanout);
        send_array(r, zwp_linux_dmabuf_feedback_v1_send_tranche_formats, indices.data(), indices.size() * 2);
        zwp_linux_dmabuf_feedback_v1_send_tranche_done(r);
    }
    zwp_linux_dmabuf_feedback_v1_send_done(r);
}

bool read_dmabuf(wl_resource* buffer, Commit* out) {
    if (!wl_resource_instance_of(buffer, &wl_buffer_interface, &kBuffer)) return false;
    const Dmabuf& d = *static_cast<Dmabuf*>(wl_resource_get_user_data(buffer));
    out->shared = true;
    out->buffer_id = wl_resource_get_id(buffer);
    out->format = d.fourcc;
    out->modifier = d.modifier;
    out->width = d.width, out->height = d.height;
    out->stride_B = int(d.stride_B);
    out->words.resize(size_t(d.stride_B) * size_t(d.height) / 4);
    const size_t size_B = out->words.size() * 4;
    winsys::wait_for_memfd(d.fd, false);  // like a compositor that shows it
    if (pread(d.fd, out->words.data(), size_B, off_t(d.offset_B)) != ssize_t(size_B)) out->words.clear();
    return true;
}

void take_fence(Surface& surface, Commit* out) {
    out->has_release = surface.pending_release;
    const int fd = std::exchange(surface.pending_fence, -1);
    if (fd < 0) return;
    out->has_fence = true;
    pollfd p{fd, POLLIN, 0};
    out->fence_signalled = poll(&p, 1, 0) > 0;
    close(fd);
}

void send_release(WaylandServer& server, wl_resource* release) {
    if (server.options.release_fences) {
        const int fd = eventfd(0, EFD_CLOEXEC);
        zwp_linux_buffer_release_v1_send_fenced_release(release, fd);
        server.unsignalled_fences.push_back(fd);
    } else {
        zwp_linux_buffer_release_v1_send_immediate_release(release);
    }
    wl_resource_destroy(release);
}

}  // namespace terrazzo::test
