// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// X11 windows, with a small server (x11_server.h): copies, shared buffers, and errors.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>

#include "tests/winsys/x11_server.h"
#include "winsys/memory/memory_file.h"
#include "winsys/platform.h"

using namespace terrazzo::winsys;
using test::X11Server;
using test::X11ServerOptions;

namespace {

constexpr uint32_t kXrgb8888 = 0x34325258, kArgb8888 = 0x34325241;
constexpr uint64_t kLinear = 0, kInvalid = 0x00ffffffffffffff, kTiled = 0x0500000000000001,
                   kOther = 0x0800000000000041;

/// An application with one window.
struct App {
    explicit App(X11ServerOptions o = {}, uint32_t fourcc = kXrgb8888) : server(std::move(o)) {
        setenv("DISPLAY", server.name().c_str(), 1);
        platform = create_x11_platform(nullptr, false);
        std::string why;
        REQUIRE_MESSAGE(platform->initialize(&why), why);
        window = platform->create_window(native(), fourcc, &why);
        REQUIRE_MESSAGE(window, why);
    }
    static void* native() { return reinterpret_cast<void*>(uintptr_t(X11Server::kWindow)); }

    /// Draws rows of one colour each: the bottom row is `first`, the next one `first` + 1, ...
    PresentStatus copy(uint32_t first, uint32_t width = 8, uint32_t height = 4) {
        std::vector<uint32_t> pixels;
        for (uint32_t y = 0; y < height; ++y)
            pixels.insert(pixels.end(), width, first + y);
        Frame f;
        f.pixels = reinterpret_cast<const uint8_t*>(pixels.data());
        f.stride_B = width * 4, f.width_px = width, f.height_px = height;
        f.fourcc = kXrgb8888;
        return window->present(f, 1);
    }
    /// The colour of the server's row, counted from the top.
    uint32_t row(uint32_t y) {
        std::lock_guard lock(server.mutex);
        uint32_t v = 0;
        const size_t at = size_t(y) * server.options.width * 4;
        if (at + 4 <= server.picture.size()) std::memcpy(&v, server.picture.data() + at, 4);
        return v;
    }
    std::unique_ptr<WindowBuffer> buffer(uint64_t modifier = kLinear, uint32_t width = 8,
                                         uint32_t height = 4) {
        const int fd = create_memory_file(size_t(width) * height * 4);
        auto b = window->create_buffer({fd, modifier, 0, width * 4, width, height, kXrgb8888});
        close(fd);
        return b;
    }
    std::vector<uint64_t> modifiers() {
        const auto m = window->shared_modifiers();
        return {m.begin(), m.end()};
    }
    size_t frames() {
        std::lock_guard lock(server.mutex);
        return server.frames.size();
    }
    bool wait_for_frames(size_t n) {
        return server.wait([&] { return server.frames.size() >= n; });
    }
    test::X11Frame frame(size_t i) {
        REQUIRE(wait_for_frames(i + 1));
        std::lock_guard lock(server.mutex);
        return server.frames[i];
    }

    X11Server server;
    std::unique_ptr<Platform> platform;
    std::unique_ptr<Window> window;
};

X11ServerOptions linear() {
    X11ServerOptions o;
    o.screen_modifiers = {kLinear};
    return o;
}

X11ServerOptions linear_in_steps() {
    X11ServerOptions o = linear();
    o.shows_at_once = false;
    return o;
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

size_t descriptors() {
    return size_t(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

}  // namespace

// --- copies

TEST_CASE("x11: without DRI3 frames are copied into memory that the server maps") {
    App app({.dri3 = false});
    CHECK(app.modifiers().empty());
    REQUIRE(app.copy(10) == PresentStatus::Ok);
    REQUIRE(app.server.wait([&] { return app.server.shm_puts == 1; }));
    CHECK(app.row(0) == 13);  // the top row first
    CHECK(app.row(3) == 10);
    CHECK(app.server.put_requests == 0);
    CHECK(contains(app.window->explain(), "MIT-SHM"));
    CHECK(contains(app.window->explain(), "no DRI3"));
    CHECK(contains(app.platform->explain(), "MIT-SHM"));
    app.server.resize(16, 16);
    REQUIRE(app.copy(20, 16, 16) == PresentStatus::Ok);
    REQUIRE(app.server.wait([&] { return app.server.shm_puts == 2; }));
    CHECK(app.row(0) == 35);
    CHECK(app.row(15) == 20);
}

TEST_CASE("x11: without MIT-SHM frames are sent in pieces that fit a request") {
    App app({.dri3 = false, .shm = false, .width = 64, .height = 200});  // 50 KiB; a request has at most 16
    REQUIRE(app.copy(100, 64, 200) == PresentStatus::Ok);
    REQUIRE(app.server.wait([&] { return app.server.put_requests == 4; }));
    CHECK(app.row(0) == 299);
    CHECK(app.row(100) == 199);
    CHECK(app.row(199) == 100);
    CHECK(contains(app.window->explain(), "PutImage"));
    CHECK(contains(app.window->explain(), "no MIT-SHM"));
    CHECK(contains(app.platform->explain(), "PutImage"));
}

TEST_CASE("x11: a server that refuses memory, or has an old MIT-SHM, gets frames in requests") {
    for (const bool old : {false, true}) {
        X11ServerOptions o{.dri3 = false};
        o.refuses_shm = !old;
        o.shm_minor = old ? 1 : 2;
        App app(o);
        REQUIRE(app.copy(10) == PresentStatus::Ok);
        REQUIRE(app.copy(20) == PresentStatus::Ok);
        REQUIRE(app.server.wait([&] { return app.server.put_requests == 2; }));
        CHECK(app.row(0) == 23);
        CHECK(contains(app.window->explain(), old ? "older than 1.2" : "refused"));
    }
}

// --- shared buffers

TEST_CASE("x11: a window has the server's layouts, its own before its screen's") {
    X11ServerOptions o;
    o.window_modifiers = {kTiled};
    o.screen_modifiers = {kLinear, kTiled};
    App app(o);
    CHECK(app.modifiers() == std::vector<uint64_t>{kTiled, kLinear});
    CHECK(app.window->shared_modifier_rank(kTiled) == 0);
    CHECK(app.window->shared_modifier_rank(kLinear) == 1);
}

TEST_CASE("x11: an RGBA buffer of a window without alpha is linear") {
    X11ServerOptions o;
    o.screen_modifiers = {kTiled, kLinear};
    App app(o, kArgb8888);
    CHECK(app.modifiers() == std::vector<uint64_t>{kLinear});
}

TEST_CASE("x11: the server gets the memory itself, and reports when it no longer needs it") {
    App app(linear_in_steps());
    REQUIRE(app.modifiers() == std::vector<uint64_t>{kLinear});
    const int fd = create_memory_file(32 * 4 + 64);
    auto b = app.window->create_buffer({fd, kLinear, 64, 32, 8, 4, kXrgb8888});
    REQUIRE(b);
    CHECK_FALSE(b->busy());
    REQUIRE(app.server.wait([&] { return app.server.pixmaps.size() == 1; }));
    {
        std::lock_guard lock(app.server.mutex);
        const test::X11Pixmap& p = app.server.pixmaps.begin()->second;
        struct stat ours, theirs;
        REQUIRE(fstat(fd, &ours) == 0);
        REQUIRE(fstat(p.fd, &theirs) == 0);
        CHECK(ours.st_ino == theirs.st_ino);
        CHECK(p.width == 8);
        CHECK(p.height == 4);
        CHECK(p.stride_B == 32);
        CHECK(p.offset_B == 64);
        CHECK(p.modifier == kLinear);
        CHECK_FALSE(p.without_modifier);
    }
    close(fd);
    REQUIRE(app.window->present_shared(*b, {}, 1, {}) == PresentStatus::Ok);
    CHECK(b->busy());
    CHECK(contains(app.window->explain(), "DRI3 1.2"));
    const test::X11Frame f = app.frame(0);
    CHECK(f.everything);
    CHECK(f.options == 8);  // PresentOptionSuboptimal
    app.server.complete(f.serial, 7);
    CHECK(b->busy());
    app.server.idle(f.serial);
    CHECK(app.window->wait_for_buffer());
    CHECK_FALSE(b->busy());
    b.reset();
    app.window.reset();
    CHECK(app.server.wait([&] { return app.server.pixmaps.empty(); }));
}

TEST_CASE("x11: with an interval a frame waits for the previous one, and for its time") {
    for (const int interval : {1, 3}) {
        App app(linear_in_steps());
        (void)app.modifiers();
        auto a = app.buffer(), b = app.buffer();
        REQUIRE(app.window->present_shared(*a, {}, interval, {}) == PresentStatus::Ok);
        const uint32_t serial = app.frame(0).serial;
        auto second =
            std::async(std::launch::async, [&] { return app.window->present_shared(*b, {}, interval, {}); });
        // The number is only known after this wait.
        app.server.complete(serial, 4711);
        REQUIRE(second.get() == PresentStatus::Ok);
        CHECK(app.frame(1).target_msc == 4711u + unsigned(interval));
        CHECK((app.frame(1).options & 1) == 0);
    }
}

TEST_CASE("x11: without an interval there is no wait") {
    App app(linear_in_steps());
    (void)app.modifiers();
    std::vector<std::unique_ptr<WindowBuffer>> buffers;
    for (int i = 0; i < 3; ++i) {
        buffers.push_back(app.buffer());
        REQUIRE(app.window->present_shared(*buffers.back(), {}, 0, {}) == PresentStatus::Ok);
    }
    for (size_t i = 0; i < 3; ++i) {
        CHECK((app.frame(i).options & 1) == 1);  // PresentOptionAsync
        CHECK(app.frame(i).target_msc == 0);
    }
    app.server.idle(app.frame(1).serial);
    REQUIRE(app.window->wait_for_buffer());
    CHECK(buffers[0]->busy());
    CHECK_FALSE(buffers[1]->busy());
}

TEST_CASE(
    "x11: damage counts from the top and is clipped to the window; after a new size everything is damaged") {
    App app(linear());
    (void)app.modifiers();
    auto a = app.buffer(), b = app.buffer();
    const Rect damage[]{{1, 1, 2, 1}, {6, -5, 100, 6}, {50, 50, 1, 1}};
    REQUIRE(app.window->present_shared(*a, damage, 1, {}) == PresentStatus::Ok);
    REQUIRE(app.window->present_shared(*b, damage, 1, {}) == PresentStatus::Ok);
    CHECK(app.frame(0).everything);
    CHECK(app.frame(1).damage == std::vector<std::vector<int>>{{1, 2, 2, 1}, {6, 3, 2, 1}});
    app.server.resize(16, 8);
    uint32_t w = 0, h = 0;
    app.window->size(&w, &h);
    CHECK(w == 16);
    CHECK(h == 8);
    auto large = app.buffer(kLinear, 16, 8);
    a.reset(), b.reset();  // one of them is still shown
    REQUIRE(app.window->present_shared(*large, damage, 1, {}) == PresentStatus::Ok);
    CHECK(app.frame(2).everything);
}

TEST_CASE("x11: a refused layout is not offered again") {
    X11ServerOptions o;
    o.screen_modifiers = {kTiled, kLinear};
    o.refused_modifiers = {kTiled};
    App app(o);
    REQUIRE(app.modifiers() == std::vector<uint64_t>{kTiled, kLinear});
    CHECK_FALSE(app.buffer(kTiled));
    CHECK(app.modifiers() == std::vector<uint64_t>{kLinear});
    CHECK(app.buffer(kLinear));
    CHECK_FALSE(app.buffer(kOther));
    o.refused_modifiers = {kTiled, kLinear};
    App none(o);
    (void)none.modifiers();
    CHECK_FALSE(none.buffer(kTiled));
    CHECK_FALSE(none.buffer(kLinear));
    CHECK(none.modifiers().empty());
    REQUIRE(none.copy(1) == PresentStatus::Ok);
    CHECK(contains(none.window->explain(), "refused a buffer of modifier 0x0"));
}

TEST_CASE("x11: a server without modifiers gets buffers without one") {
    for (const uint32_t minor : {0u, 2u}) {
        X11ServerOptions o;
        o.dri3_minor = minor;
        App app(o);
        REQUIRE(app.modifiers() == std::vector<uint64_t>{kInvalid});
        auto b = app.buffer(kInvalid);
        REQUIRE(b);
        REQUIRE(app.server.wait([&] { return !app.server.pixmaps.empty(); }));
        std::lock_guard lock(app.server.mutex);
        CHECK(app.server.pixmaps.begin()->second.without_modifier);
    }
}

TEST_CASE("x11: layouts are queried again when the server reports that others are better") {
    App app(linear_in_steps());
    (void)app.modifiers();
    auto b = app.buffer();
    REQUIRE(app.window->present_shared(*b, {}, 0, {}) == PresentStatus::Ok);
    const uint32_t serial = app.frame(0).serial;
    {
        std::lock_guard lock(app.server.mutex);
        app.server.options.window_modifiers = {kTiled};
    }
    CHECK(app.modifiers() == std::vector<uint64_t>{kLinear});
    app.server.complete(serial, 9, 3);  // PresentCompleteModeSuboptimalCopy
    app.server.idle(serial);
    REQUIRE(app.window->wait_for_buffer());
    CHECK(app.modifiers() == std::vector<uint64_t>{kTiled, kLinear});
}

TEST_CASE("x11: the GPU of the server is known by its node") {
    X11ServerOptions o;
    CHECK(App(o).platform->main_device() == 0);
    o.node = "/dev/null";
    CHECK(App(o).platform->main_device() == makedev(1, 3));
}

// --- errors

TEST_CASE("x11: frames that the server refuses are copied instead") {
    X11ServerOptions o = linear();
    o.refuses_present = true;
    App app(o);
    (void)app.modifiers();
    auto b = app.buffer();
    REQUIRE(app.window->present_shared(*b, {}, 1, {}) == PresentStatus::Ok);  // the reply has not arrived yet
    REQUIRE(app.window->wait_for_buffer());
    CHECK_FALSE(b->busy());
    CHECK(app.modifiers().empty());
    b.reset();
    REQUIRE(app.copy(1) == PresentStatus::Ok);
    CHECK(contains(app.window->explain(), "refused to present"));
}

TEST_CASE("x11: a copy follows the frames that wait for their time") {
    App app(linear_in_steps());
    (void)app.modifiers();
    auto b = app.buffer();
    REQUIRE(app.window->present_shared(*b, {}, 1, {}) == PresentStatus::Ok);
    const uint32_t serial = app.frame(0).serial;
    auto copy = std::async(std::launch::async, [&] { return app.copy(1); });
    (void)copy.wait_for(std::chrono::milliseconds(50));  // by then it would have arrived
    app.server.complete(serial, 1);
    CHECK(copy.get() == PresentStatus::Ok);
    std::lock_guard lock(app.server.mutex);
    CHECK_FALSE(app.server.drew_before_turn);
}

TEST_CASE("x11: a destroyed window is lost, also for waiting threads") {
    SUBCASE("before a frame") {
        App app(linear());
        (void)app.modifiers();
        auto b = app.buffer();
        app.server.destroy_window();
        CHECK(app.window->present_shared(*b, {}, 1, {}) == PresentStatus::WindowLost);
        CHECK(app.copy(1) == PresentStatus::WindowLost);
    }
    SUBCASE("while a frame waits for its time, or for a buffer") {
        for (const bool for_buffer : {false, true}) {
            App app(linear_in_steps());
            (void)app.modifiers();
            auto a = app.buffer(), b = app.buffer();
            REQUIRE(app.window->present_shared(*a, {}, 1, {}) == PresentStatus::Ok);
            auto waiting = std::async(std::launch::async, [&] {
                return for_buffer ? app.window->wait_for_buffer()
                                  : app.window->present_shared(*b, {}, 1, {}) != PresentStatus::WindowLost;
            });
            REQUIRE(app.wait_for_frames(1));
            app.server.destroy_window();
            CHECK_FALSE(waiting.get());
        }
    }
    SUBCASE("without DRI3") {
        App app({.dri3 = false});
        app.server.destroy_window();
        CHECK(app.copy(1) == PresentStatus::WindowLost);
    }
}

TEST_CASE("x11: a server that dies loses its windows") {
    App app(linear_in_steps());
    (void)app.modifiers();
    auto a = app.buffer(), b = app.buffer();
    REQUIRE(app.window->present_shared(*a, {}, 1, {}) == PresentStatus::Ok);
    auto waiting = std::async(std::launch::async, [&] { return app.window->wait_for_buffer(); });
    REQUIRE(app.wait_for_frames(1));
    app.server.hang_up();
    CHECK_FALSE(waiting.get());
    CHECK(app.window->present_shared(*b, {}, 1, {}) == PresentStatus::WindowLost);
    CHECK(app.copy(1) == PresentStatus::WindowLost);
    CHECK_FALSE(app.buffer());
}

TEST_CASE("x11: a waiting thread gets events that another thread has read") {
    App app(linear_in_steps());
    (void)app.modifiers();
    auto a = app.buffer();
    REQUIRE(app.window->present_shared(*a, {}, 1, {}) == PresentStatus::Ok);
    const uint32_t serial = app.frame(0).serial;
    auto waiting = std::async(std::launch::async, [&] { return app.window->wait_for_buffer(); });
    // Its replies arrive with the event, in one thread or the other.
    std::atomic<bool> done{false};
    auto other = std::async(std::launch::async, [&] {
        while (!done) {
            uint32_t w, h;
            app.window->size(&w, &h);
        }
    });
    app.server.idle(serial);
    CHECK(waiting.get());
    done = true;
    other.get();
    CHECK_FALSE(a->busy());
}

TEST_CASE("x11: windows, buffers and connections leave nothing allocated") {
    const auto use = [] {
        App app(linear());
        (void)app.modifiers();
        for (int i = 0; i < 20; ++i) {
            auto b = app.buffer();
            REQUIRE(app.window->present_shared(*b, {}, 1, {}) == PresentStatus::Ok);
        }
        CHECK(app.platform->window_in_use(App::native()));
        REQUIRE(app.copy(1) == PresentStatus::Ok);
        app.window.reset();
        CHECK_FALSE(app.platform->window_in_use(App::native()));
        CHECK(app.server.wait([&] { return app.server.pixmaps.empty() && !app.server.segment_attached; }));
    };
    use();
    const size_t before = descriptors();
    use();
    CHECK(descriptors() == before);
}
