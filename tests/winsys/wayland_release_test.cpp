// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared buffers of Wayland windows over time: fences, releases, ends of windows, descriptors.
#include <dirent.h>
#include <fcntl.h>
#include <sys/eventfd.h>

#include <thread>
#include <utility>

#include "tests/winsys/wayland_scene.h"
#include "winsys/drm/sync_file.h"
#include "winsys/process/descriptors.h"
#include "winsys/process/untrusted.h"

using namespace terrazzo;
using namespace terrazzo::winsys;
using namespace terrazzo::test;

namespace {

int open_descriptors() {
    int count = 0;
    DIR* dir = opendir("/proc/self/fd");
    while (readdir(dir))
        ++count;
    closedir(dir);
    return count;
}

bool is_eventfd(int fd) {
    return fd >= 0;
}
/// While it lives, eventfds are accepted as sync files.
struct FakeSyncFiles {
    FakeSyncFiles() { set_sync_file_test(is_eventfd); }
    ~FakeSyncFiles() { set_sync_file_test(nullptr); }
};
void signal(int fd) {
    const uint64_t one = 1;
    CHECK(write(fd, &one, sizeof one) == sizeof one);
}

}  // namespace

TEST_CASE("wayland dma-bufs: a buffer is busy from its commit to its release") {
    ServerOptions o = linear_server();
    o.hold_buffers = true;
    Scene s(o);
    auto a = buffer_of(*s.window), b = buffer_of(*s.window);
    REQUIRE(a);
    REQUIRE(b);
    CHECK(s.window->wait_for_buffer());  // there is nothing to wait for
    CHECK(s.window->present_shared(*a, {}, 0, {}) == PresentStatus::Ok);
    CHECK(a->busy());
    CHECK_FALSE(b->busy());
    CHECK(s.window->present_shared(*b, {}, 0, {}) == PresentStatus::Ok);
    s.sync();
    CHECK(a->busy());
    std::atomic<bool> released{false};
    std::thread waiter([&] {
        CHECK(s.window->wait_for_buffer());
        released = true;
    });
    usleep(30'000);
    CHECK_FALSE(released);
    s.server.release_buffers();
    waiter.join();
    (void)s.window->shared_modifiers();  // reads all events that have arrived
    CHECK_FALSE(a->busy());
    CHECK_FALSE(b->busy());
}

TEST_CASE("wayland dma-bufs: a release that another call received ends the wait") {
    ServerOptions o = linear_server();
    o.hold_buffers = true;
    Scene s(o);
    auto a = buffer_of(*s.window), b = buffer_of(*s.window);
    CHECK(s.window->present_shared(*a, {}, 0, {}) == PresentStatus::Ok);
    s.sync();
    s.server.release_buffers();
    CHECK(s.window->present_shared(*b, {}, 0, {}) == PresentStatus::Ok);
    (void)s.window->shared_modifiers();
    CHECK(s.window->wait_for_buffer());
    CHECK_FALSE(a->busy());
    CHECK(b->busy());
}

TEST_CASE("wayland dma-bufs: an interval of 1 waits for the frame callback, with any kind of last frame") {
    ServerOptions o = linear_server();
    o.frames_at_once = false;
    Scene s(o);
    auto b = buffer_of(*s.window);
    CHECK(s.window->present(Pixels(3, 2, 0).frame(), 1) == PresentStatus::Ok);
    std::thread presenter([&] { CHECK(s.window->present_shared(*b, {}, 1, {}) == PresentStatus::Ok); });
    usleep(30'000);
    CHECK(s.server.commits().size() == 1);
    s.server.send_frames();
    presenter.join();
    s.sync();
    CHECK(s.server.commits().size() == 2);
}

TEST_CASE("wayland dma-bufs: the window waits for a fence before the commit") {
    ServerOptions o = linear_server();
    SUBCASE("the server does not support fences") {}
    SUBCASE("the fence is not the kernel's") {
        o.explicit_sync = true;
    }
    bool is_virtual = false;
    SUBCASE("the fence is a virtual kernel's, and the server does not run under the shim") {
        o.explicit_sync = is_virtual = true;
    }
    Scene s(o);
    auto b = buffer_of(*s.window);
    int ends[2] = {-1, -1};
    if (is_virtual) {
        REQUIRE(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
        CHECK_FALSE(is_virtual_sync_file(ends[0]));
        REQUIRE(fcntl(ends[0], F_SETFL, O_NONBLOCK | O_APPEND) == 0);
        CHECK(is_virtual_sync_file(ends[0]));
        CHECK_FALSE(is_virtual_sync_file(ends[1]));
    }
    const int fence = is_virtual ? ends[0] : eventfd(0, EFD_CLOEXEC);
    std::thread presenter([&] { CHECK(s.window->present_shared(*b, {}, 0, {fence}) == PresentStatus::Ok); });
    usleep(30'000);
    CHECK(s.server.commits().empty());
    if (is_virtual)
        CHECK(write(ends[1], "", 1) == 1);
    else
        signal(fence);
    presenter.join();
    s.sync();
    REQUIRE(s.server.commits().size() == 1);
    CHECK_FALSE(s.server.commits()[0].has_fence);
    close(fence);
    if (is_virtual) close(ends[1]);
}

TEST_CASE(
    "wayland dma-bufs: a server with explicit synchronization waits itself, and reports when its reads are"
    "done") {
    const FakeSyncFiles fake;
    ServerOptions o = linear_server();
    o.explicit_sync = true;
    o.hold_buffers = true;
    SUBCASE("by a fence") {
        o.release_fences = true;
    }
    SUBCASE("by an event") {}
    const bool fences = o.release_fences;
    Scene s(o);
    auto b = buffer_of(*s.window);
    const int fence = eventfd(0, EFD_CLOEXEC);
    CHECK(s.window->present_shared(*b, {}, 0, {fence}) == PresentStatus::Ok);
    s.sync();
    auto c = s.server.commits();
    REQUIRE(c.size() == 1);
    CHECK(c[0].has_fence);
    CHECK_FALSE(c[0].fence_signalled);
    CHECK(c[0].has_release);
    CHECK(b->busy());
    s.server.release_buffers();
    (void)s.window->shared_modifiers();
    CHECK(b->busy() == fences);
    if (fences) {
        std::atomic<bool> done{false};
        std::thread waiter([&] {
            while (b->busy())
                CHECK(s.window->wait_for_buffer());
            done = true;
        });
        usleep(30'000);
        CHECK_FALSE(done);
        s.server.signal_fences();
        waiter.join();
    }
    CHECK_FALSE(b->busy());
    CHECK(s.window->fence_waits() == unsigned(fences));
    // A frame without a fence, then a new window on the same surface.
    CHECK(s.window->present_shared(*b, {}, 0, {}) == PresentStatus::Ok);
    s.sync();
    CHECK_FALSE(s.server.commits().at(1).has_fence);
    b.reset();
    s.window.reset();
    s.window = window_of(*s.platform, s.app);
    b = buffer_of(*s.window);
    CHECK(s.window->present_shared(*b, {}, 0, {fence}) == PresentStatus::Ok);
    s.sync();
    CHECK(s.server.commits().at(2).has_fence);
    close(fence);
}

TEST_CASE("wayland dma-bufs: a buffer that is destroyed while busy lives until its release") {
    ServerOptions o = linear_server();
    o.release_at_once = false;  // shown until the next one is committed
    Scene s(o);
    auto a = buffer_of(*s.window, 7);
    CHECK(s.window->present_shared(*a, {}, 0, {}) == PresentStatus::Ok);
    a.reset();
    s.sync();
    CHECK(s.server.dmabuf.buffers_alive == 1);
    wl_egl_window_resize(s.app.native, 5, 4, 0, 0);
    (void)s.window->shared_modifiers();
    auto b = s.window->create_buffer(Image(5, 4).buffer);
    CHECK(s.server.dmabuf.buffers_alive == 2);
    CHECK(s.window->present_shared(*b, {}, 0, {}) == PresentStatus::Ok);
    s.sync();
    (void)s.window->shared_modifiers();
    s.sync();
    CHECK(s.server.dmabuf.buffers_alive == 1);
    b.reset();
    s.window.reset();
    s.sync();
    CHECK(s.server.dmabuf.buffers_alive == 0);
}

TEST_CASE("wayland dma-bufs: a server that never releases does not accumulate buffers") {
    ServerOptions o = linear_server();
    o.hold_buffers = true;
    Scene s(o);
    for (int i = 0; i < 40; ++i) {
        auto b = buffer_of(*s.window);
        REQUIRE(b);
        CHECK(s.window->present_shared(*b, {}, 0, {}) == PresentStatus::Ok);
    }
    s.sync();
    CHECK(s.server.dmabuf.buffers_alive <= 8);
}

TEST_CASE("wayland dma-bufs: windows, buffers and connections end in any order") {
    ServerOptions o = linear_server();
    o.hold_buffers = true;
    Scene s(o);
    auto b = buffer_of(*s.window), free = buffer_of(*s.window);
    CHECK(s.window->present_shared(*b, {}, 1, {}) == PresentStatus::Ok);
    CHECK_FALSE(s.window->lost());
    SUBCASE("the native window first") {
        wl_egl_window_destroy(std::exchange(s.app.native, nullptr));
        CHECK(s.window->present_shared(*free, {}, 1, {}) == PresentStatus::WindowLost);
        CHECK_FALSE(s.window->wait_for_buffer());
        CHECK(modifiers_of(*s.window).empty());
        CHECK_FALSE(s.window->create_buffer(Image(3, 2).buffer));
    }
    SUBCASE("the connection first") {
        wl_display_disconnect(std::exchange(s.app.display, nullptr));
        CHECK(s.window->present_shared(*free, {}, 1, {}) == PresentStatus::WindowLost);
        CHECK_FALSE(s.window->wait_for_buffer());
        CHECK(modifiers_of(*s.window).empty());
        CHECK_FALSE(s.window->create_buffer(Image(3, 2).buffer));
    }
    SUBCASE("the server first") {
        s.server.disconnect_client();
        CHECK_FALSE(s.window->wait_for_buffer());
        CHECK_FALSE(s.window->create_buffer(Image(9, 9).buffer));
        CHECK(modifiers_of(*s.window).empty());
        PresentStatus status = PresentStatus::Ok;
        for (int i = 0; i < 100 && status == PresentStatus::Ok; ++i)
            status = s.window->present_shared(*free, {}, 1, {});
        CHECK(status == PresentStatus::WindowLost);
    }
    SUBCASE("the server while a thread waits for it") {
        std::thread waiter([&] { CHECK_FALSE(s.window->wait_for_buffer()); });
        usleep(30'000);
        s.server.disconnect_client();
        waiter.join();
    }
    CHECK(s.window->lost());
    b.reset();
    free.reset();
    s.window.reset();
    s.platform.reset();
}

TEST_CASE("wayland dma-bufs: 100 windows leave no descriptor open") {
    const FakeSyncFiles fake;
    ServerOptions o = linear_server();
    o.explicit_sync = o.release_fences = true;
    o.release_at_once = false;
    Scene s(o);
    const int fence = eventfd(1, EFD_CLOEXEC);
    int before = 0;
    for (int i = 0; i < 100; ++i) {
        s.window.reset();
        s.window = window_of(*s.platform, s.app);
        auto a = buffer_of(*s.window), b = buffer_of(*s.window);
        REQUIRE(b);
        CHECK(s.window->present_shared(*a, {}, 0, {fence}) == PresentStatus::Ok);
        CHECK(s.window->present_shared(*b, {}, 0, {i % 2 ? -1 : fence}) == PresentStatus::Ok);
        if (i % 3 == 0) a.reset();
        s.sync();
        if (i % 5 == 0) (void)s.window->shared_modifiers();  // receives a fence that is never waited for
        a.reset(), b.reset();
        s.window.reset();
        s.sync();
        s.server.signal_fences();
        s.sync();
        if (i == 0) before = open_descriptors();
    }
    CHECK(open_descriptors() == before);
    CHECK(s.server.dmabuf.buffers_alive == 0);
    close(fence);
}

TEST_CASE("wayland dma-bufs: without descriptors a buffer is refused, and the connection still works") {
    Scene s(linear_server());
    (void)s.window->shared_modifiers();
    const Image image(3, 2);
    s.sync();
    std::vector<int> all;
    for (int fd; (fd = fcntl(image.buffer.fd, F_DUPFD_CLOEXEC, 0)) >= 0;)
        all.push_back(fd);
    CHECK_FALSE(s.window->create_buffer(image.buffer));
    CHECK(s.window->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::OutOfMemory);
    // Native handles are still checked.
    char copy[20] = {};
    CHECK(read_untrusted("a text of nineteen.", copy, sizeof copy));
    CHECK(std::string(copy) == "a text of nineteen.");
    CHECK_FALSE(read_untrusted(reinterpret_cast<const void*>(uintptr_t(64)), copy, sizeof copy));
    CHECK_FALSE(descriptors_left());
    close(all.back());  // one descriptor is left: wl_shm would need two at a time
    all.pop_back();
    CHECK(s.window->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::OutOfMemory);
    CHECK(descriptors_left());
    CHECK_FALSE(descriptors_left(2));
    for (int fd : all)
        close(fd);
    CHECK(s.window->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::Ok);
    CHECK(s.window->create_buffer(image.buffer));
    s.sync();
    CHECK(wl_display_get_error(s.app.display) == 0);
}
