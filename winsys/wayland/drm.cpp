// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa's wayland-drm.xml, the only copy of the protocol. A program that has a wl_display has loaded
// libwayland-server. So this file is not linked with it, and clients need not install it.
#include "winsys/wayland/drm.h"

#include <dlfcn.h>
#include <unistd.h>
#include <wayland-client-protocol.h>
#include <wayland-server-core.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <type_traits>
#include <utility>

namespace terrazzo::winsys {
namespace {

// --- the protocol

enum DrmError : uint32_t { kAuthenticateFail = 0, kInvalidFormat = 1, kInvalidName = 2 };
enum DrmEvent : uint32_t {
    kDeviceEvent = 0,
    kFormatEvent = 1,
    kAuthenticatedEvent = 2,
    kCapabilitiesEvent = 3
};
constexpr uint32_t kCapabilityPrime = 1;
constexpr uint32_t kVersion = 2, kCapabilitiesSince = 2;

/// One entry for each argument of the longest request. The requests with a wl_buffer have it first.
const wl_interface* const kTypes[] = {&wl_buffer_interface,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr};
constexpr const wl_interface* const* kNoTypes = kTypes + 1;
const wl_message kRequests[] = {
    {"authenticate", "u", const_cast<const wl_interface**>(kNoTypes)},
    {"create_buffer", "nuiiuu", const_cast<const wl_interface**>(kTypes)},
    {"create_planar_buffer", "nuiiuiiiiii", const_cast<const wl_interface**>(kTypes)},
    {"create_prime_buffer", "2nhiiuiiiiii", const_cast<const wl_interface**>(kTypes)},
};
const wl_message kEvents[] = {
    {"device", "s", const_cast<const wl_interface**>(kNoTypes)},
    {"format", "u", const_cast<const wl_interface**>(kNoTypes)},
    {"authenticated", "", const_cast<const wl_interface**>(kNoTypes)},
    {"capabilities", "2u", const_cast<const wl_interface**>(kNoTypes)},
};
const wl_interface kDrmInterface = {"wl_drm",  kVersion,           std::size(kRequests),
                                    kRequests, std::size(kEvents), kEvents};

struct DrmRequests {
    void (*authenticate)(wl_client*, wl_resource*, uint32_t id);
    void (*create_buffer)(wl_client*, wl_resource*, uint32_t id, uint32_t name, int32_t width, int32_t height,
                          uint32_t stride, uint32_t format);
    void (*create_planar_buffer)(wl_client*, wl_resource*, uint32_t id, uint32_t name, int32_t width,
                                 int32_t height, uint32_t format, int32_t offset0, int32_t stride0,
                                 int32_t offset1, int32_t stride1, int32_t offset2, int32_t stride2);
    void (*create_prime_buffer)(wl_client*, wl_resource*, uint32_t id, int32_t fd, int32_t width,
                                int32_t height, uint32_t format, int32_t offset0, int32_t stride0,
                                int32_t offset1, int32_t stride1, int32_t offset2, int32_t stride2);
};
struct BufferRequests {
    void (*destroy)(wl_client*, wl_resource*);
};

// --- libwayland-server

struct Server {
#define TZ_FUNCTION(name) decltype(&::name) name = nullptr
    TZ_FUNCTION(wl_global_create);
    TZ_FUNCTION(wl_global_destroy);
    TZ_FUNCTION(wl_resource_create);
    TZ_FUNCTION(wl_resource_destroy);
    TZ_FUNCTION(wl_resource_set_implementation);
    TZ_FUNCTION(wl_resource_get_user_data);
    TZ_FUNCTION(wl_resource_get_version);
    TZ_FUNCTION(wl_resource_instance_of);
    TZ_FUNCTION(wl_resource_post_event);
    TZ_FUNCTION(wl_resource_post_error);
    TZ_FUNCTION(wl_resource_post_no_memory);
    TZ_FUNCTION(wl_client_post_no_memory);
    TZ_FUNCTION(wl_display_add_destroy_listener);
#undef TZ_FUNCTION
    bool complete = true;
    Server() {
        // The program has loaded it, perhaps in the name space of one of its libraries.
        void* library = dlopen("libwayland-server.so.0", RTLD_NOW | RTLD_NOLOAD);
        if (!library) library = RTLD_DEFAULT;
        const auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            complete = complete && function;
        };
#define TZ_FIND(name) find(name, #name)
        TZ_FIND(wl_global_create);
        TZ_FIND(wl_global_destroy);
        TZ_FIND(wl_resource_create);
        TZ_FIND(wl_resource_destroy);
        TZ_FIND(wl_resource_set_implementation);
        TZ_FIND(wl_resource_get_user_data);
        TZ_FIND(wl_resource_get_version);
        TZ_FIND(wl_resource_instance_of);
        TZ_FIND(wl_resource_post_event);
        TZ_FIND(wl_resource_post_error);
        TZ_FIND(wl_resource_post_no_memory);
        TZ_FIND(wl_client_post_no_memory);
        TZ_FIND(wl_display_add_destroy_listener);
#undef TZ_FIND
    }
};
/// A program without the library has no wl_display; it may load the library later.
const Server* server() {
    static std::atomic<const Server*> found{nullptr};
    const Server* server = found.load();
    if (server) return server;
    auto now = std::make_unique<const Server>();
    if (!now->complete) return nullptr;
    // The first thread's result is kept; all results are equal.
    return found.compare_exchange_strong(server, now.get()) ? now.release() : server;
}

// --- the global

/// The data that clients' objects need; it may outlive the global.
struct Shared {
    std::string node;
    std::vector<uint32_t> fourccs;
    WaylandDrm::Import import;  // empty: the global is gone
};
using SharedRef = std::shared_ptr<Shared>;

void buffer_destroy(wl_client*, wl_resource* buffer) {
    server()->wl_resource_destroy(buffer);
}
constexpr BufferRequests kBufferRequests = {buffer_destroy};

struct Buffer {
    std::shared_ptr<void> imported;
};

/// The second half of create_prime_buffer. Owns the descriptor.
void create_buffer(wl_client* client, wl_resource* drm, uint32_t id, const DrmBufferOffer& offer) try {
    const Server& s = *server();
    const SharedRef shared = *static_cast<SharedRef*>(s.wl_resource_get_user_data(drm));
    bool known = false;
    for (const uint32_t f : shared->fourccs)
        known = known || f == offer.fourcc;
    if (!known)
        return s.wl_resource_post_error(drm, kInvalidFormat, "format 0x%08x is not offered", offer.fourcc);
    std::string why = "the compositor has ended its wl_drm";
    std::shared_ptr<void> imported = shared->import ? shared->import(offer, &why) : nullptr;
    if (!imported)
        return s.wl_resource_post_error(drm, kInvalidName, "the buffer is not taken: %s", why.c_str());
    auto buffer = std::make_unique<Buffer>(Buffer{std::move(imported)});
    wl_resource* const r = s.wl_resource_create(client, &wl_buffer_interface, 1, id);
    if (!r) return s.wl_resource_post_no_memory(drm);
    s.wl_resource_set_implementation(r, &kBufferRequests, buffer.release(), [](wl_resource* dead) {
        delete static_cast<Buffer*>(server()->wl_resource_get_user_data(dead));
    });
} catch (const std::bad_alloc&) {
    server()->wl_resource_post_no_memory(drm);
}

void create_prime_buffer(wl_client* client, wl_resource* drm, uint32_t id, int32_t fd, int32_t width,
                         int32_t height, uint32_t format, int32_t offset0, int32_t stride0, int32_t offset1,
                         int32_t stride1, int32_t offset2, int32_t stride2) {
    create_buffer(client, drm, id,
                  {fd, width, height, format, {offset0, offset1, offset2}, {stride0, stride1, stride2}});
    close(fd);
}

/// Names of GEM objects (flink) are refused, since any client can guess them. Our nodes have no such names,
/// and the global does not advertise them.
void refuse_name(wl_resource* drm, uint32_t name) {
    server()->wl_resource_post_error(drm, kInvalidName, "name %u: only file descriptors are taken", name);
}
void create_named(wl_client*, wl_resource* drm, uint32_t, uint32_t name, int32_t, int32_t, uint32_t,
                  uint32_t) {
    refuse_name(drm, name);
}
void create_planar(wl_client*, wl_resource* drm, uint32_t, uint32_t name, int32_t, int32_t, uint32_t, int32_t,
                   int32_t, int32_t, int32_t, int32_t, int32_t) {
    refuse_name(drm, name);
}

/// Clients are only told of render nodes, which need no authentication.
void authenticate(wl_client*, wl_resource* drm, uint32_t) {
    server()->wl_resource_post_event(drm, kAuthenticatedEvent);
}

constexpr DrmRequests kDrmRequests = {authenticate, create_named, create_planar, create_prime_buffer};

void bind(wl_client* client, void* data, uint32_t version, uint32_t id) try {
    const Server& s = *server();
    const SharedRef& shared = *static_cast<SharedRef*>(data);
    auto mine = std::make_unique<SharedRef>(shared);
    wl_resource* const drm =
        s.wl_resource_create(client, &kDrmInterface, int(std::min(version, kVersion)), id);
    if (!drm) return s.wl_client_post_no_memory(client);
    s.wl_resource_set_implementation(drm, &kDrmRequests, mine.release(), [](wl_resource* dead) {
        delete static_cast<SharedRef*>(server()->wl_resource_get_user_data(dead));
    });
    s.wl_resource_post_event(drm, kDeviceEvent, shared->node.c_str());
    for (const uint32_t f : shared->fourccs)
        s.wl_resource_post_event(drm, kFormatEvent, f);
    if (version >= kCapabilitiesSince) s.wl_resource_post_event(drm, kCapabilitiesEvent, kCapabilityPrime);
} catch (const std::bad_alloc&) {
    server()->wl_client_post_no_memory(client);
}

class Drm final : public WaylandDrm {
  public:
    Drm(wl_display* display, SharedRef shared) : display_(display), shared_(std::move(shared)) {
        listener_.self = this;
        listener_.base.notify = [](wl_listener* l, void*) {
            // The display destroys its globals.
            Drm& self = *reinterpret_cast<Listener*>(l)->self;
            self.global_ = nullptr;
            self.display_ = nullptr;
        };
        global_ = server()->wl_global_create(display, &kDrmInterface, int(kVersion), &shared_, bind);
        if (global_) server()->wl_display_add_destroy_listener(display, &listener_.base);
    }
    ~Drm() override {
        shared_->import = nullptr;
        if (!global_) return;
        server()->wl_global_destroy(global_);
        wl_list_remove_link(&listener_.base.link);
    }
    [[nodiscard]] bool is_there() const { return global_; }
    [[nodiscard]] void* display() const override { return display_; }

  private:
    struct Listener {
        wl_listener base{};  // must be first: libwayland knows only its address
        Drm* self = nullptr;
    };
    static void wl_list_remove_link(wl_list* link) {
        link->prev->next = link->next;
        link->next->prev = link->prev;
    }
    wl_display* display_;
    SharedRef shared_;
    wl_global* global_ = nullptr;
    Listener listener_;
};

}  // namespace

std::unique_ptr<WaylandDrm> WaylandDrm::create(void* display, const std::string& node,
                                               std::vector<uint32_t> fourccs, Import import,
                                               std::string* why) {
    if (!server()) {
        *why = "this program has no libwayland-server";
        return nullptr;
    }
    auto shared = std::make_shared<Shared>(Shared{node, std::move(fourccs), std::move(import)});
    auto drm = std::make_unique<Drm>(static_cast<wl_display*>(display), std::move(shared));
    if (drm->is_there()) return drm;
    *why = "libwayland-server creates no global";
    return nullptr;
}

std::shared_ptr<void> WaylandDrm::find(void* buffer_resource) {
    auto* const r = static_cast<wl_resource*>(buffer_resource);
    const Server* const s = server();
    if (!r || !s || !s->wl_resource_instance_of(r, &wl_buffer_interface, &kBufferRequests)) return nullptr;
    return static_cast<Buffer*>(s->wl_resource_get_user_data(r))->imported;
}

bool has_wayland_drm() {
    return true;
}

}  // namespace terrazzo::winsys
