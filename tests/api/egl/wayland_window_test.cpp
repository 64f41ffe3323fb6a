// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL windows on a Wayland server in this process: the buffers that they are shown in, and their pixels.
#include <cstdlib>
#include <string>

#include "tests/api/egl/fixture.h"
#include "tests/winsys/wayland_app.h"

using namespace terrazzo::test;

namespace {

// Modifiers of drm_fourcc.h: linear; Arm's 16x16 blocks, which the Mali driver prefers; one that no device
// supports.
constexpr uint64_t kLinear = 0, kBlocks = 0x0810000000000001, kOther = 0x00fe000000000001;

ServerOptions server_of(std::vector<ServerTranche> tranches) {
    return {.dmabuf = {.version = 4, .tranches = std::move(tranches)}};
}

/// A window of 3x2 pixels with a context on a device.
struct Drawn {
    WaylandServer server;
    App app;
    EGLDisplay dpy;
    EGLSurface surface;
    EGLContext context;

    Drawn(const char* device, const ServerOptions& o) : server(o), app(server) {
        setenv("TERRAZZO_DEVICE", device, 1);
        dpy = eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, app.display, nullptr);
        REQUIRE(eglInitialize(dpy, nullptr, nullptr));
        const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                 EGL_WINDOW_BIT,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_GREEN_SIZE,
                                 8,
                                 EGL_BLUE_SIZE,
                                 8,
                                 EGL_ALPHA_SIZE,
                                 8,
                                 EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_ES2_BIT,
                                 EGL_NONE};
        EGLConfig config = nullptr;
        EGLint n = 0;
        REQUIRE(eglChooseConfig(dpy, wanted, &config, 1, &n));
        REQUIRE(n == 1);
        surface = eglCreatePlatformWindowSurface(dpy, config, app.native, nullptr);
        REQUIRE(surface != EGL_NO_SURFACE);
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        context = eglCreateContext(dpy, config, EGL_NO_CONTEXT, version);
        REQUIRE(eglMakeCurrent(dpy, surface, surface, context));
        eglSwapInterval(dpy, 0);
    }
    ~Drawn() {
        eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(dpy);
        unsetenv("TERRAZZO_DEVICE");
    }
    /// Draws everything blue, except the bottom row, which is red.
    void frame() {
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, 100, 1);
        glClearColor(1, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(eglSwapBuffers(dpy, surface));
        wl_display_roundtrip(app.display);
    }
};

/// Whether the top row is blue and the bottom row is red.
void check_pixels(const Commit& c) {
    REQUIRE(c.words.size() >= size_t(c.stride_B) / 4 * size_t(c.height));
    CHECK(c.words[0] == 0xff0000ff);
    CHECK(c.words[size_t(c.width) - 1] == 0xff0000ff);
    CHECK(c.words[size_t(c.stride_B) / 4 * size_t(c.height - 1)] == 0xffff0000);
}

}  // namespace

TEST_CASE("wayland windows: frames are drawn into dma-bufs, top row first") {
    for (const char* device : {"soft", "sim:mali-g610", "sim:adreno-630"}) {
        CAPTURE(device);
        Drawn d(device, server_of({{.formats = {{kAR24, kLinear}}}}));
        for (int i = 0; i < 6; ++i)
            d.frame();
        const auto commits = d.server.commits();
        REQUIRE(commits.size() == 6);
        for (const Commit& c : commits) {
            CHECK(c.shared);
            CHECK(c.modifier == kLinear);
            check_pixels(c);
        }
        CHECK(d.server.dmabuf.buffers_alive <= 4);
    }
}

TEST_CASE("wayland windows: the server's preferred layout overrides the device's") {
    const ServerTranche linear{.formats = {{kAR24, kLinear}}},
        blocks{.formats = {{kAR24, kOther}, {kAR24, kBlocks}}};
    SUBCASE("linear is best") {
        Drawn d("sim:mali-g610", server_of({linear, blocks}));
        d.frame();
        CHECK(d.server.commits().at(0).modifier == kLinear);
    }
    SUBCASE("blocks are best, then no longer") {
        Drawn d("sim:mali-g610", server_of({blocks, linear}));
        d.frame();
        CHECK(d.server.commits().at(0).modifier == kBlocks);
        d.server.change_feedback({linear});
        d.frame();
        d.frame();
        CHECK(d.server.commits().at(2).modifier == kLinear);
        check_pixels(d.server.commits().at(2));
    }
    SUBCASE("the device does not support the server's preferred layout") {
        Drawn d("soft", server_of({blocks, linear}));
        d.frame();
        CHECK(d.server.commits().at(0).modifier == kLinear);
    }
    SUBCASE("they have nothing in common") {
        Drawn d("soft", server_of({blocks}));
        d.frame();
        CHECK_FALSE(d.server.commits().at(0).shared);
        check_pixels(d.server.commits().at(0));
        CHECK(d.server.dmabuf.asked == 0);
    }
}

TEST_CASE("wayland windows: a server that refuses is asked once, and gets copies") {
    ServerOptions o = server_of({{.formats = {{kAR24, kLinear}}}});
    o.dmabuf.refuse = true;
    Drawn d("soft", o);
    for (int i = 0; i < 4; ++i)
        d.frame();
    const auto commits = d.server.commits();
    REQUIRE(commits.size() == 4);
    for (const Commit& c : commits) {
        CHECK_FALSE(c.shared);
        check_pixels(c);
    }
    CHECK(d.server.dmabuf.asked == 1);
    CHECK(wl_display_get_error(d.app.display) == 0);
}

TEST_CASE("wayland windows: if a layout is refused, the next one is tried") {
    ServerOptions o = server_of({{.formats = {{kAR24, kBlocks}, {kAR24, kLinear}}}});
    o.dmabuf.refuse_modifier = kBlocks;
    Drawn d("sim:mali-g610", o);
    for (int i = 0; i < 3; ++i)
        d.frame();
    const auto commits = d.server.commits();
    REQUIRE(commits.size() == 3);
    for (const Commit& c : commits) {
        CHECK(c.shared);
        CHECK(c.modifier == kLinear);
        check_pixels(c);
    }
    CHECK(d.server.dmabuf.refused == 1);
}

TEST_CASE("wayland windows: buffers follow the window's size") {
    ServerOptions o = server_of({{.formats = {{kAR24, kLinear}}}});
    o.release_at_once = false;
    Drawn d("soft", o);
    for (int i = 0; i < 12; ++i) {
        wl_egl_window_resize(d.app.native, 3 + i, 2 + i % 5, 0, 0);
        d.frame();
        d.frame();
    }
    const auto commits = d.server.commits();
    REQUIRE(commits.size() == 24);
    for (const Commit& c : commits) {
        CHECK(c.shared);
        check_pixels(c);
    }
    CHECK(commits.back().width == 14);
    CHECK(commits.back().height == 3);
    CHECK(d.server.dmabuf.buffers_alive <= 4);
}
