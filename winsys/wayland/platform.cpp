// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The Wayland platform (EGL_KHR_platform_wayland): the connection, its globals, its windows.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

#include "linux-dmabuf-unstable-v1-client-protocol.h"
#include "linux-explicit-synchronization-unstable-v1-client-protocol.h"
#include "winsys/environment/environment.h"
#include "winsys/wayland/feedback.h"
#include "winsys/wayland/window.h"

namespace terrazzo::winsys {
namespace {

class Wayland final : public Platform {
  public:
    explicit Wayland(void* display) { c_.display = static_cast<wl_display*>(display); }
    ~Wayland() override;
    bool initialize(std::string* why) override;
    bool has_windows() const override { return true; }
    bool can_present(uint32_t fourcc) const override;
    std::unique_ptr<Window> create_window(void* native, uint32_t fourcc, std::string* why) override;
    bool window_in_use(void* native) const override;
    uint64_t main_device() const override { return c_.offer ? c_.offer->main_device : 0; }

  private:
    [[nodiscard]] bool bind_globals(std::string* why);
    void bind_dmabuf(wl_registry* registry, uint32_t name, uint32_t version);
    static void on_global(void* data, wl_registry* registry, uint32_t name, const char* interface,
                          uint32_t version);
    static void on_global_remove(void*, wl_registry*, uint32_t) {}
    static void on_format(void* data, wl_shm*, uint32_t format);
    static void on_modifier(void* data, zwp_linux_dmabuf_v1*, uint32_t fourcc, uint32_t high, uint32_t low);

    mutable WaylandConnection c_;
    DmabufOffer offer_;        // of version 3
    DmabufFeedback feedback_;  // of version 4
    wl_event_queue* queue_ = nullptr;
    wl_registry* registry_ = nullptr;
    std::vector<uint32_t> fourccs_;  // formats that the server and Terrazzo can show
    bool starved_ = false;           // no descriptor was left for the server's feedback
};

std::string errno_text() {
    return std::generic_category().message(errno);
}

void Wayland::on_global(void* data, wl_registry* registry, uint32_t name, const char* interface,
                        uint32_t version) {
    static constexpr wl_shm_listener kListener{on_format};
    Wayland& p = *static_cast<Wayland*>(data);
    const auto is = [interface](const wl_interface& i) { return !std::strcmp(interface, i.name); };
    if (is(wl_shm_interface) && !p.c_.shm) {
        p.c_.shm = static_cast<wl_shm*>(wl_registry_bind(registry, name, &wl_shm_interface, 1));
        if (p.c_.shm) wl_shm_add_listener(p.c_.shm, &kListener, &p);
    } else if (is(zwp_linux_dmabuf_v1_interface) && !p.c_.dmabuf) {
        p.bind_dmabuf(registry, name, version);
    } else if (is(zwp_linux_explicit_synchronization_v1_interface) && !p.c_.synchronization) {
        p.c_.synchronization = static_cast<zwp_linux_explicit_synchronization_v1*>(
            wl_registry_bind(registry, name, &zwp_linux_explicit_synchronization_v1_interface, 1));
    }
}

/// Version 3 has modifiers, version 4 sorted lists of them. Without modifiers, a buffer's layout would be a
/// guess.
void Wayland::bind_dmabuf(wl_registry* registry, uint32_t name, uint32_t version) {
    static constexpr zwp_linux_dmabuf_v1_listener kListener{[](void*, zwp_linux_dmabuf_v1*, uint32_t) {},
                                                            on_modifier};
    if (version < ZWP_LINUX_DMABUF_V1_MODIFIER_SINCE_VERSION) return;
    const bool has_feedback = version >= ZWP_LINUX_DMABUF_V1_GET_DEFAULT_FEEDBACK_SINCE_VERSION;
    c_.dmabuf = static_cast<zwp_linux_dmabuf_v1*>(
        wl_registry_bind(registry, name, &zwp_linux_dmabuf_v1_interface,
                         has_feedback ? ZWP_LINUX_DMABUF_V1_GET_DEFAULT_FEEDBACK_SINCE_VERSION
                                      : ZWP_LINUX_DMABUF_V1_MODIFIER_SINCE_VERSION));
    if (!c_.dmabuf) return;
    zwp_linux_dmabuf_v1_add_listener(c_.dmabuf, &kListener, this);
    if (has_feedback && !descriptors_left()) {
        starved_ = true;
        return;
    }
    if (has_feedback) feedback_.listen(zwp_linux_dmabuf_v1_get_default_feedback(c_.dmabuf));
    c_.offer = has_feedback ? &feedback_.offer() : &offer_;
}

/// Formats that no window can have are not stored.
void Wayland::on_modifier(void* data, zwp_linux_dmabuf_v1*, uint32_t fourcc, uint32_t high, uint32_t low) {
    Wayland& p = *static_cast<Wayland*>(data);
    if (pixel_size_B(fourcc) == 0) return;
    try {
        if (p.offer_.tranches.empty()) p.offer_.tranches.emplace_back();
        p.offer_.tranches[0].formats.push_back({fourcc, uint64_t(high) << 32 | low});
    } catch (const std::bad_alloc&) {  // this modifier is left out
    }
}

void Wayland::on_format(void* data, wl_shm*, uint32_t format) {
    Wayland& p = *static_cast<Wayland*>(data);
    const uint32_t fourcc = shm_fourcc(format);
    if (pixel_size_B(fourcc) != 0 && !p.can_present(fourcc) && p.fourccs_.size() < p.fourccs_.capacity())
        p.fourccs_.push_back(fourcc);
}

bool Wayland::initialize(std::string* why) {
    fourccs_.reserve(8);  // on_format must not throw through libwayland
    if (!c_.display) {
        if (has_elevated_rights()) {  // libwayland itself reads the environment
            *why = kNoServerOfEnvironment;
            return false;
        }
        c_.display = wl_display_connect(nullptr);
        c_.owned = c_.display != nullptr;
        if (!c_.display) {
            const char* name = environment(Variable::WaylandDisplay);
            *why = std::string("no Wayland server answers (WAYLAND_DISPLAY=") + (name ? name : "") +
                   "): " + errno_text();
            return false;
        }
    } else if (!is_wayland_display(c_.display)) {
        *why = "the native display is not a wl_display";
        return false;
    }
    c_.fd = wl_display_get_fd(c_.display);
    struct stat s;
    if (fstat(c_.fd, &s) != 0) {
        *why = "the wl_display has no socket: " + errno_text();
        return false;
    }
    c_.device = s.st_dev, c_.inode = s.st_ino;
    return bind_globals(why);
}

bool Wayland::bind_globals(std::string* why) {
    static constexpr wl_registry_listener kListener{on_global, on_global_remove};
    queue_ = wl_display_create_queue(c_.display);
    auto* wrapper = queue_ ? static_cast<wl_display*>(wl_proxy_create_wrapper(c_.display)) : nullptr;
    if (wrapper) {
        wl_proxy_set_queue(reinterpret_cast<wl_proxy*>(wrapper), queue_);
        registry_ = wl_display_get_registry(wrapper);
        wl_proxy_wrapper_destroy(wrapper);
    }
    if (!registry_) {
        *why = "out of memory, or the connection to the Wayland server is broken";
        return false;
    }
    wl_registry_add_listener(registry_, &kListener, this);
    // The first round trip brings the globals, the second one the formats of wl_shm and dma-bufs.
    if (wl_display_roundtrip_queue(c_.display, queue_) < 0 ||
        (c_.shm && wl_display_roundtrip_queue(c_.display, queue_) < 0)) {
        *why = "the connection to the Wayland server broke: " + errno_text();
        return false;
    }
    feedback_.destroy();  // this queue is not dispatched any more; windows listen to feedback of their own
    if (!c_.shm) *why = "the Wayland server has no wl_shm";
    if (starved_) *why = "too many open files: none is left for what the Wayland server says of dma-bufs";
    return c_.shm && !starved_;
}

Wayland::~Wayland() {
    if (c_.fd >= 0 && c_.alive()) {
        if (c_.dmabuf) zwp_linux_dmabuf_v1_destroy(c_.dmabuf);
        if (c_.synchronization) zwp_linux_explicit_synchronization_v1_destroy(c_.synchronization);
        if (c_.shm) wl_shm_destroy(c_.shm);
        if (registry_) wl_registry_destroy(registry_);
        feedback_.destroy();  // if initialize() failed
        if (queue_) wl_event_queue_destroy(queue_);
        if (!c_.owned) wl_display_flush(c_.display);
    }
    feedback_.forget();
    if (c_.owned) wl_display_disconnect(c_.display);
}

bool Wayland::can_present(uint32_t fourcc) const {
    for (uint32_t f : fourccs_)
        if (f == fourcc) return true;
    return false;
}

std::unique_ptr<Window> Wayland::create_window(void* native, uint32_t fourcc, std::string* why) {
    if (!can_present(fourcc)) {
        *why = "the Wayland server does not show the config's format";
        return nullptr;
    }
    return WaylandWindow::create(c_, native, fourcc, why);
}

bool Wayland::window_in_use(void* native) const {
    std::lock_guard lock(c_.mutex);
    return c_.natives.count(native) != 0;
}

}  // namespace

std::unique_ptr<Platform> create_wayland_platform(void* display) {
    return std::make_unique<Wayland>(display);
}

}  // namespace terrazzo::winsys
