// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tests the Wayland compositor: whether there is one, its features, and how frames reach it. libwayland is
// opened at run time: without it this command must start, and report that.
#include "api/command/explain/probes.h"
#include "winsys/environment/environment.h"

#if TERRAZZO_WAYLAND
#include <sys/stat.h>
#include <unistd.h>
#include <wayland-client.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "api/command/explain/displays.h"
#include "api/command/explain/run_time_library.h"
#include "winsys/memory/shared_memory.h"
#include "winsys/wayland/probe.h"
#endif

namespace terrazzo::command {
namespace {

constexpr char kWayland[] = "Wayland";

#if TERRAZZO_WAYLAND
using winsys::Variable;

constexpr char kDmabuf[] = "zwp_linux_dmabuf_v1", kShm[] = "wl_shm";
constexpr uint32_t kModifiersSince = 3;  // of linux-dmabuf; EGL uses no earlier version
constexpr int kWindow_px = 64;

struct Client {
    decltype(&wl_display_connect) connect;
    decltype(&wl_display_disconnect) disconnect;
    decltype(&wl_display_roundtrip) roundtrip;
    decltype(&wl_proxy_marshal_constructor) construct;
    decltype(&wl_proxy_marshal_constructor_versioned) bind;
    decltype(&wl_proxy_add_listener) listen;
    const wl_interface *registry, *compositor, *surface;
    // libwayland-egl
    void* (*create_window)(wl_proxy* surface, int width, int height);

    [[nodiscard]] bool load(std::string* why);
};

bool Client::load(std::string* why) {
    void* const client = open_library("libwayland-client.so.0", why);
    void* const egl = client ? open_library("libwayland-egl.so.1", why) : nullptr;
    if (!egl) return false;
    *why = "libwayland has not its functions";
    return find(client, "wl_display_connect", &connect) &&
           find(client, "wl_display_disconnect", &disconnect) &&
           find(client, "wl_display_roundtrip", &roundtrip) &&
           find(client, "wl_proxy_marshal_constructor", &construct) &&
           find(client, "wl_proxy_marshal_constructor_versioned", &bind) &&
           find(client, "wl_proxy_add_listener", &listen) &&
           find(client, "wl_registry_interface", &registry) &&
           find(client, "wl_compositor_interface", &compositor) &&
           find(client, "wl_surface_interface", &surface) &&
           find(egl, "wl_egl_window_create", &create_window);
}

/// The compositor's globals, by interface.
struct Global {
    uint32_t name = 0, version = 0;
};
using Globals = std::map<std::string, Global>;

void on_global(void* data, wl_registry*, uint32_t name, const char* interface, uint32_t version) {
    (*static_cast<Globals*>(data))[interface] = {name, version};
}
void on_global_remove(void*, wl_registry*, uint32_t) {}
constexpr wl_registry_listener kListener{on_global, on_global_remove};

/// Null: the connection broke. The registry's version is 1.
wl_proxy* read_globals(const Client& c, wl_display* display, Globals* globals) {
    wl_proxy* const registry =
        c.construct(reinterpret_cast<wl_proxy*>(display), WL_DISPLAY_GET_REGISTRY, c.registry, nullptr);
    // libwayland's listeners are arrays of functions with any arguments.
    auto* const functions = reinterpret_cast<void (**)()>(const_cast<wl_registry_listener*>(&kListener));
    if (!registry || c.listen(registry, functions, globals) != 0 || c.roundtrip(display) < 0) return nullptr;
    return registry;
}

/// False: there is no compositor to connect to; the reason was reported.
bool explain_socket(const Findings& out) {
    const char* const name = winsys::environment(Variable::WaylandDisplay);
    const bool asked = name && *name;
    const std::string advice = asked ? "start the compositor, or unset WAYLAND_DISPLAY" : "";
    const auto no = [&](const std::string& why, const std::string& remedy) {
        out.add({asked ? Level::Wrong : Level::Unused, kWayland, why, {}, remedy});
        return false;
    };
    if (winsys::has_elevated_rights())
        return no("is used where the program itself has connected: this process has elevated rights", "");
    if (winsys::inherited_wayland_socket() >= 0)
        return no("WAYLAND_SOCKET can be used once, and is left to the program", "");
    const std::string path = winsys::wayland_socket_path();
    if (path.empty())
        return no(asked ? "XDG_RUNTIME_DIR does not say in which folder " + std::string(name) + " is"
                        : "neither WAYLAND_DISPLAY nor XDG_RUNTIME_DIR is set",
                  asked ? "XDG_RUNTIME_DIR=/run/user/" + std::to_string(geteuid()) : "");
    const int error = winsys::connect_and_close(path);
    if (!error) return true;
    struct stat st {};
    if (error == ENOENT) return no("there is no socket " + path, advice);
    if (error == ECONNREFUSED && stat(path.c_str(), &st) == 0 && !S_ISSOCK(st.st_mode))
        return no(path + " is no socket", advice);
    if (error == ECONNREFUSED)
        return no("no process listens at " + path + ": its compositor has ended", advice);
    if (error == EACCES)
        return no(path + " may not be opened by user " + std::to_string(geteuid()),
                  "run as the user of the compositor");
    return no(path + ": " + std::strerror(error), advice);
}

std::string describe(const Globals& globals) {
    std::string out;
    const auto add = [&](const char* label, const char* interface) {
        const auto it = globals.find(interface);
        out.append(out.empty() ? "" : ", ");
        out.append(it == globals.end() ? std::string("no ") + label
                                       : std::string(label) + " " + std::to_string(it->second.version));
    };
    add("linux-dmabuf", kDmabuf);
    add("explicit synchronization", "zwp_linux_explicit_synchronization_v1");
    add("wl_shm", kShm);
    add("presentation time", "wp_presentation");
    return out;
}

/// Why frames are copied to the compositor, as far as both sides report it.
std::string copy_reason(const Globals& globals) {
    const auto it = globals.find(kDmabuf);
    if (it == globals.end() || it->second.version < kModifiersSince)
        return "the compositor has no linux-dmabuf of version 3 or later";
    const auto memory = winsys::SharedMemory::create(4096);
    std::string why = "the compositor and this device agree on no dma-buf";
    if (memory && !memory->is_dmabuf()) why += " (that of `soft` is a memfd here: see /dev/udmabuf)";
    return why;
}

void explain_windows(const Findings& out, const Client& c, wl_display* display, wl_proxy* registry,
                     const Globals& globals) {
    Egl egl;
    std::string why;
    if (!load_quietly(&egl, &why)) return out.wrong(kWayland, why, "install Terrazzo again");
    EGLDisplay d = egl.GetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, display, nullptr);
    const Tried t = try_display(egl, d, false);
    if (!t.works) return out.wrong("Wayland displays", t.why, "");
    const auto it = globals.find(c.compositor->name);
    if (it == globals.end()) return out.wrong("Wayland windows", "the compositor has no wl_compositor", "");
    auto* const compositor =
        c.bind(registry, WL_REGISTRY_BIND, c.compositor, 1, it->second.name, c.compositor->name, 1u, nullptr);
    wl_proxy* const surface =
        compositor ? c.construct(compositor, WL_COMPOSITOR_CREATE_SURFACE, c.surface, nullptr) : nullptr;
    void* const native = surface ? c.create_window(surface, kWindow_px, kWindow_px) : nullptr;
    if (!native) return out.wrong("Wayland windows", "out of memory", "");
    const Window w = try_window(egl, d, EGLNativeWindowType(native), 0);
    const std::string begin = t.device + " draws; ";
    if (!w.works)
        out.wrong("Wayland windows", begin + "a frame could not be shown: " + w.why, "");
    else
        out.works("Wayland windows",
                  begin + (w.shared ? "frames are shown without a copy (linux-dmabuf)"
                                    : "frames are copied (wl_shm): " + copy_reason(globals)));
    egl.Terminate(d);
}

#endif

}  // namespace

void probe_wayland(const Findings& out) {
#if TERRAZZO_WAYLAND
    if (!explain_socket(out)) return;
    const std::string path = winsys::wayland_socket_path();
    Client c{};
    std::string why;
    if (!c.load(&why)) return out.wrong(kWayland, why, "install libwayland");
    wl_display* const display = c.connect(nullptr);
    if (!display) return out.wrong(kWayland, path + ": " + std::strerror(errno), "");
    Globals globals;
    wl_proxy* const registry = read_globals(c, display, &globals);
    if (!registry) return out.wrong(kWayland, "the compositor at " + path + " broke the connection", "");
    out.works(kWayland, "a compositor answers at " + path + ": " + describe(globals));
    explain_windows(out, c, display, registry, globals);
    c.disconnect(display);
#else
    out.unused(kWayland, "Terrazzo was built without it");
#endif
}

}  // namespace terrazzo::command
