// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The application's side of the tests of the Wayland platform.
#pragma once

#include <wayland-client.h>
#include <wayland-egl.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tests/winsys/wayland_server.h"
#include "winsys/platform.h"

namespace terrazzo::test {

inline constexpr uint32_t kAR24 = 0x34325241, kXR24 = 0x34325258, kRG16 = 0x36314752;

/// Its connection, with one wl_surface and a wl_egl_window of 3x2 pixels.
struct App {
    wl_display* display = nullptr;
    wl_compositor* compositor = nullptr;
    wl_surface* surface = nullptr;
    wl_egl_window* native = nullptr;

    explicit App(WaylandServer& server);
    ~App();
};

struct Pixels {
    std::vector<uint32_t> words;
    uint32_t width, height;
    Pixels(uint32_t w, uint32_t h, uint32_t first);
    [[nodiscard]] winsys::Frame frame(std::span<const winsys::Rect> damage = {}) const;
};

/// An initialized platform.
[[nodiscard]] std::unique_ptr<winsys::Platform> platform_of(App& app);
/// A window for the app's native window, ARGB8888.
[[nodiscard]] std::unique_ptr<winsys::Window> window_of(winsys::Platform& p, App& app);

}  // namespace terrazzo::test
