// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A window that shows shared buffers. Their memory is memfds.
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/winsys/wayland_app.h"

namespace terrazzo::test {

inline constexpr uint64_t kLinear = 0, kInvalid = 0x00ffffffffffffff, kTiled = 0x0800000000000041,
                          kOther = 0x0500000000000001;
inline constexpr uint32_t kNV12 = 0x3231564e;
using Modifiers = std::vector<uint64_t>;

/// A server of version 4 that accepts linear buffers.
inline ServerOptions linear_server() {
    return {.dmabuf = {.version = 4, .tranches = {{.formats = {{kAR24, kLinear}}}}}};
}

/// Memory that can be shown.
struct Image {
    winsys::SharedBuffer buffer;
    explicit Image(uint32_t width, uint32_t height, uint32_t first_word = 0, uint64_t modifier = kLinear) {
        const int fd = memfd_create("image", MFD_CLOEXEC);
        buffer = {fd, modifier, 0, width * 4, width, height, kAR24};
        const Pixels p(width, height, first_word);
        REQUIRE(write(fd, p.words.data(), p.words.size() * 4) == ssize_t(p.words.size() * 4));
    }
    ~Image() { close(buffer.fd); }
    Image(const Image&) = delete;
};

inline Modifiers modifiers_of(winsys::Window& w) {
    const std::span<const uint64_t> m = w.shared_modifiers();
    return {m.begin(), m.end()};
}

/// A buffer of 3x2 pixels in separate memory.
inline std::unique_ptr<winsys::WindowBuffer> buffer_of(winsys::Window& w, uint32_t first_word = 0) {
    (void)w.shared_modifiers();
    return w.create_buffer(Image(3, 2, first_word).buffer);
}

/// Server, application, platform and window.
struct Scene {
    WaylandServer server;
    App app;
    std::unique_ptr<winsys::Platform> platform;
    std::unique_ptr<winsys::Window> window;
    explicit Scene(const ServerOptions& o)
        : server(o), app(server), platform(platform_of(app)), window(window_of(*platform, app)) {}
    /// Returns when the server has received all requests.
    void sync() { CHECK(wl_display_roundtrip(app.display) >= 0); }
};

}  // namespace terrazzo::test
