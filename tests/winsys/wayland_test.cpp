// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The Wayland platform, with a server in this process.
#include <doctest/doctest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/winsys/wayland_app.h"

using namespace terrazzo;
using namespace terrazzo::winsys;
using namespace terrazzo::test;

TEST_CASE("a frame reaches the server flipped") {
    WaylandServer server({});
    App app(server);
    auto p = platform_of(app);
    CHECK(p->has_windows());
    CHECK(p->can_present(kAR24));
    CHECK(p->can_present(kXR24));
    CHECK_FALSE(p->can_present(kRG16));
    auto w = window_of(*p, app);
    uint32_t width = 0, height = 0;
    w->size(&width, &height);
    CHECK(width == 3);
    CHECK(height == 2);
    CHECK(w->present(Pixels(3, 2, 10).frame(), 1) == PresentStatus::Ok);
    wl_display_roundtrip(app.display);
    auto commits = server.commits();
    REQUIRE(commits.size() == 1);
    CHECK(commits[0].format == WL_SHM_FORMAT_ARGB8888);
    CHECK(commits[0].words == std::vector<uint32_t>{13, 14, 15, 10, 11, 12});
    CHECK(commits[0].wants_frame);
    CHECK(commits[0].buffer_damage == std::vector<DamageRect>{{0, 0, 3, 2}});
    CHECK(wl_display_get_error(app.display) == 0);
    int aw = 0, ah = 0;
    wl_egl_window_get_attached_size(app.native, &aw, &ah);
    CHECK(aw == 3);
    CHECK(ah == 2);
}

TEST_CASE("RGB565 is shown if the server announces it, with rows of whole words") {
    WaylandServer server({.rgb565 = true});
    App app(server);
    auto p = platform_of(app);
    REQUIRE(p->can_present(kRG16));
    std::string why;
    auto w = p->create_window(app.native, kRG16, &why);
    REQUIRE_MESSAGE(w, why);
    const uint16_t pixels[] = {1, 2, 3, 4, 5, 6};
    Frame f{reinterpret_cast<const uint8_t*>(pixels), 6, 3, 2, kRG16, {}};
    CHECK(w->present(f, 0) == PresentStatus::Ok);
    wl_display_roundtrip(app.display);
    auto commits = server.commits();
    REQUIRE(commits.size() == 1);
    CHECK(commits[0].format == WL_SHM_FORMAT_RGB565);
    CHECK(commits[0].stride_B == 8);
    CHECK(commits[0].words == std::vector<uint32_t>{0x00050004, 6, 0x00020001, 3});
    CHECK_FALSE(commits[0].wants_frame);
}

TEST_CASE("damage is flipped and clipped") {
    WaylandServer server({});
    App app(server);
    auto p = platform_of(app);
    auto w = window_of(*p, app);
    const Rect damage[] = {{0, 0, 1, 1}, {2, 1, 100, 100}, {-5, 0, 2, 2}, {1, INT32_MAX, 1, 1}};
    CHECK(w->present(Pixels(3, 2, 0).frame(damage), 0) == PresentStatus::Ok);
    wl_display_roundtrip(app.display);
    CHECK(server.commits().at(0).buffer_damage == std::vector<DamageRect>{{0, 1, 1, 1}, {2, 0, 1, 1}});
}

TEST_CASE("an old server gets surface damage, and offsets in attach") {
    WaylandServer server({.compositor_version = 3});
    App app(server);
    auto p = platform_of(app);
    auto w = window_of(*p, app);
    wl_egl_window_resize(app.native, 4, 2, -1, 7);
    uint32_t width = 0, height = 0;
    w->size(&width, &height);
    CHECK(width == 4);
    // The frame of the old size does not have the offset; the new one has it, once.
    for (uint32_t frame_width : {3u, 4u, 4u})
        CHECK(w->present(Pixels(frame_width, 2, 0).frame(), 0) == PresentStatus::Ok);
    wl_display_roundtrip(app.display);
    auto c = server.commits();
    REQUIRE(c.size() == 3);
    CHECK(c[0].dx == 0);
    CHECK(c[1].dx == -1);
    CHECK(c[1].dy == 7);
    CHECK(c[2].dx == 0);
    CHECK(c[2].dy == 0);
    CHECK(c[0].buffer_damage.empty());
    CHECK(c[0].surface_damage == std::vector<DamageRect>{{0, 0, INT32_MAX, INT32_MAX}});
}

TEST_CASE("a new server gets wl_surface.offset") {
    WaylandServer server({});
    App app(server);
    auto p = platform_of(app);
    auto w = window_of(*p, app);
    wl_egl_window_resize(app.native, 4, 2, -1, 7);
    CHECK(w->present(Pixels(4, 2, 0).frame(), 0) == PresentStatus::Ok);
    wl_display_roundtrip(app.display);
    CHECK(wl_display_get_error(app.display) == 0);
    CHECK(server.commits().at(0).dx == -1);
    CHECK(server.commits().at(0).dy == 7);
}

TEST_CASE("buffers are reused when the server releases them") {
    SUBCASE("at once") {
        WaylandServer server({.release_at_once = true});
        App app(server);
        auto p = platform_of(app);
        auto w = window_of(*p, app);
        for (uint32_t i = 0; i < 20; ++i) {
            CHECK(w->present(Pixels(3, 2, i * 6).frame(), 0) == PresentStatus::Ok);
            wl_display_roundtrip(app.display);
        }
        auto c = server.commits();
        REQUIRE(c.size() == 20);
        for (uint32_t i = 0; i < 20; ++i)
            CHECK(c[i].words[3] == i * 6);
        CHECK(c[19].buffer_id == c[9].buffer_id);
    }
    SUBCASE("late") {
        WaylandServer server({.release_at_once = false});
        App app(server);
        auto p = platform_of(app);
        auto w = window_of(*p, app);
        for (uint32_t i = 0; i < 50; ++i)  // without a pause: present() itself waits for releases
            CHECK(w->present(Pixels(3, 2, i * 6).frame(), 0) == PresentStatus::Ok);
        wl_display_roundtrip(app.display);
        auto c = server.commits();
        REQUIRE(c.size() == 50);
        std::vector<uint32_t> ids;
        for (uint32_t i = 0; i < 50; ++i) {
            CHECK(c[i].words[3] == i * 6);
            if (std::find(ids.begin(), ids.end(), c[i].buffer_id) == ids.end()) ids.push_back(c[i].buffer_id);
        }
        CHECK(ids.size() <= 4);
    }
}

TEST_CASE("an interval of 1 waits for the frame callback, 0 does not") {
    WaylandServer server({.frames_at_once = false});
    App app(server);
    auto p = platform_of(app);
    auto w = window_of(*p, app);
    CHECK(w->present(Pixels(3, 2, 0).frame(), 1) == PresentStatus::Ok);
    CHECK(w->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::Ok);
    std::atomic<bool> shown{false};
    std::thread presenter([&] {
        CHECK(w->present(Pixels(3, 2, 0).frame(), 1) == PresentStatus::Ok);
        shown = true;
    });
    usleep(50'000);
    CHECK_FALSE(shown);
    CHECK(server.commits().size() == 2);
    // Another thread of the application dispatches events at the same time.
    wl_display_roundtrip(app.display);
    server.send_frames();
    presenter.join();
    wl_display_roundtrip(app.display);
    CHECK(server.commits().size() == 3);
}

TEST_CASE("presenting works while another thread dispatches the default queue all the time") {
    WaylandServer server({.release_at_once = false});
    App app(server);
    auto p = platform_of(app);
    auto w = window_of(*p, app);
    std::atomic<bool> stop{false};
    std::thread dispatcher([&] {
        pollfd fd{wl_display_get_fd(app.display), POLLIN, 0};
        while (!stop) {
            while (wl_display_prepare_read(app.display) != 0)
                wl_display_dispatch_pending(app.display);
            wl_display_flush(app.display);
            if (poll(&fd, 1, 5) > 0)
                wl_display_read_events(app.display);
            else
                wl_display_cancel_read(app.display);
            wl_display_dispatch_pending(app.display);
        }
    });
    for (uint32_t i = 0; i < 200; ++i)
        REQUIRE(w->present(Pixels(3, 2, i).frame(), int(i & 1)) == PresentStatus::Ok);
    stop = true;
    dispatcher.join();
    wl_display_roundtrip(app.display);
    CHECK(server.commits().size() == 200);
}

TEST_CASE("windows, platform and native objects are destroyed in any order") {
    WaylandServer server({});
    App app(server);
    auto p = platform_of(app);
    SUBCASE("the native window first") {
        auto w = window_of(*p, app);
        void* native = app.native;
        CHECK(p->window_in_use(native));
        CHECK(w->present(Pixels(3, 2, 0).frame(), 1) == PresentStatus::Ok);
        wl_egl_window_destroy(std::exchange(app.native, nullptr));
        CHECK_FALSE(p->window_in_use(native));
        CHECK(w->present(Pixels(3, 2, 0).frame(), 1) == PresentStatus::WindowLost);
        uint32_t width = 0, height = 0;
        w->size(&width, &height);
        CHECK(width == 3);
    }
    SUBCASE("the window first, then another on the same native one") {
        auto w = window_of(*p, app);
        w.reset();
        CHECK_FALSE(p->window_in_use(app.native));
        w = window_of(*p, app);
        CHECK(w->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::Ok);
    }
    SUBCASE("the connection first") {
        auto w = window_of(*p, app);
        CHECK(w->present(Pixels(3, 2, 0).frame(), 1) == PresentStatus::Ok);
        wl_display_disconnect(std::exchange(app.display, nullptr));
        CHECK(w->present(Pixels(3, 2, 0).frame(), 1) == PresentStatus::WindowLost);
        w.reset();
        p.reset();
    }
    SUBCASE("the server first") {
        auto w = window_of(*p, app);
        server.disconnect_client();
        PresentStatus s = PresentStatus::Ok;
        for (int i = 0; i < 100 && s == PresentStatus::Ok; ++i)
            s = w->present(Pixels(3, 2, 0).frame(), 1);
        CHECK(s == PresentStatus::WindowLost);
    }
}

TEST_CASE("connections and windows that fail have a reason") {
    std::string why;
    SUBCASE("no server") {
        setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
        setenv("WAYLAND_DISPLAY", "none-here", 1);
        CHECK_FALSE(wayland_available());
        auto p = create_wayland_platform(nullptr);
        CHECK_FALSE(p->initialize(&why));
        CHECK(why == "no Wayland server answers (WAYLAND_DISPLAY=none-here): No such file or directory");
    }
    SUBCASE("a bad $WAYLAND_SOCKET") {
        setenv("WAYLAND_SOCKET", "9999", 1);
        CHECK_FALSE(wayland_available());
        unsetenv("WAYLAND_SOCKET");
    }
    SUBCASE("a server without wl_shm") {
        WaylandServer server({.shm = false});
        App app(server);
        auto p = create_wayland_platform(app.display);
        CHECK_FALSE(p->initialize(&why));
        CHECK(why == "the Wayland server has no wl_shm");
    }
    SUBCASE("invalid wl_display or wl_egl_window") {
        WaylandServer server({});
        App app(server);
        uint64_t zeros[16] = {};
        CHECK(is_wayland_display(app.display));
        CHECK_FALSE(is_wayland_display(app.surface));
        CHECK_FALSE(is_wayland_display(zeros));
        CHECK_FALSE(is_wayland_display(nullptr));
        CHECK_FALSE(is_wayland_display(reinterpret_cast<void*>(0x1238)));
        CHECK_FALSE(create_wayland_platform(zeros)->initialize(&why));
        CHECK(why == "the native display is not a wl_display");
        auto p = platform_of(app);
        CHECK(p->create_window(zeros, kAR24, &why) == nullptr);
        CHECK(why.find("not a wl_egl_window") != std::string::npos);
        CHECK(p->create_window(reinterpret_cast<void*>(0x1000), kAR24, &why) == nullptr);
        CHECK(p->create_window(app.surface, kAR24, &why) == nullptr);
        CHECK(p->create_window(app.native, kRG16, &why) == nullptr);
        CHECK(why == "the Wayland server does not show the config's format");
    }
}

TEST_CASE("a frame too large for wl_shm is out of memory, not a crash") {
    WaylandServer server({});
    App app(server);
    auto p = platform_of(app);
    auto w = window_of(*p, app);
    const uint32_t pixel = 0;
    Frame f{reinterpret_cast<const uint8_t*>(&pixel), 0, 1u << 16, 1u << 16, kAR24, {}};
    CHECK(w->present(f, 0) == PresentStatus::OutOfMemory);
    CHECK(w->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::Ok);
}
