// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/winsys/wayland_app.h"

#include <doctest/doctest.h>

#include <cstring>

namespace terrazzo::test {

App::App(WaylandServer& server) {
    display = wl_display_connect_to_fd(server.take_client_fd());
    wl_registry* registry = wl_display_get_registry(display);
    static constexpr wl_registry_listener kListener{
        [](void* data, wl_registry* r, uint32_t name, const char* interface, uint32_t version) {
            if (!std::strcmp(interface, "wl_compositor"))
                static_cast<App*>(data)->compositor =
                    static_cast<wl_compositor*>(wl_registry_bind(r, name, &wl_compositor_interface, version));
        },
        [](void*, wl_registry*, uint32_t) {}};
    wl_registry_add_listener(registry, &kListener, this);
    wl_display_roundtrip(display);
    wl_registry_destroy(registry);
    surface = wl_compositor_create_surface(compositor);
    native = wl_egl_window_create(surface, 3, 2);
}

App::~App() {
    if (native) wl_egl_window_destroy(native);
    if (display) {
        wl_surface_destroy(surface);
        wl_compositor_destroy(compositor);
        wl_display_disconnect(display);
    }
}

Pixels::Pixels(uint32_t w, uint32_t h, uint32_t first) : words(w * h), width(w), height(h) {
    for (size_t i = 0; i < words.size(); ++i)
        words[i] = first + uint32_t(i);
}

winsys::Frame Pixels::frame(std::span<const winsys::Rect> damage) const {
    return {reinterpret_cast<const uint8_t*>(words.data()), width * 4, width, height, kAR24, damage};
}

std::unique_ptr<winsys::Platform> platform_of(App& app) {
    auto p = winsys::create_wayland_platform(app.display);
    std::string why;
    REQUIRE_MESSAGE(p->initialize(&why), why);
    return p;
}

std::unique_ptr<winsys::Window> window_of(winsys::Platform& p, App& app) {
    std::string why;
    auto w = p.create_window(app.native, kAR24, &why);
    REQUIRE_MESSAGE(w, why);
    return w;
}

}  // namespace terrazzo::test
