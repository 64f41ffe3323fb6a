// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared buffers of Wayland windows, with a server in this process: offers, requests, refusals, and what is
// shown.
#include "tests/winsys/wayland_scene.h"

using namespace terrazzo;
using namespace terrazzo::winsys;
using namespace terrazzo::test;

TEST_CASE("wayland dma-bufs: a shared buffer is shown unchanged, top row first") {
    Scene s(linear_server());
    CHECK(modifiers_of(*s.window) == Modifiers{kLinear});
    auto b = buffer_of(*s.window, 10);
    REQUIRE(b);
    CHECK_FALSE(b->busy());
    CHECK(s.window->present_shared(*b, {}, 1, {}) == PresentStatus::Ok);
    s.sync();
    auto c = s.server.commits();
    REQUIRE(c.size() == 1);
    CHECK(c[0].shared);
    CHECK(c[0].format == kAR24);
    CHECK(c[0].modifier == kLinear);
    CHECK(c[0].words == std::vector<uint32_t>{10, 11, 12, 13, 14, 15});
    CHECK(c[0].buffer_damage == std::vector<DamageRect>{{0, 0, 3, 2}});
    CHECK(c[0].wants_frame);
    CHECK_FALSE(c[0].has_fence);
    CHECK_FALSE(c[0].has_release);
    CHECK(s.server.dmabuf.with_flags == 0);
    int w = 0, h = 0;
    wl_egl_window_get_attached_size(s.app.native, &w, &h);
    CHECK(w == 3);
    CHECK(h == 2);
}

TEST_CASE("wayland dma-bufs: damage is flipped and clipped, an interval of 0 requests no frame callback") {
    Scene s(linear_server());
    auto b = buffer_of(*s.window);
    REQUIRE(b);
    const Rect damage[] = {{0, 0, 1, 1}, {2, 1, 100, 100}};
    CHECK(s.window->present_shared(*b, damage, 0, {}) == PresentStatus::Ok);
    s.sync();
    auto c = s.server.commits();
    REQUIRE(c.size() == 1);
    CHECK(c[0].buffer_damage == std::vector<DamageRect>{{0, 1, 1, 1}, {2, 0, 1, 1}});
    CHECK_FALSE(c[0].wants_frame);
}

TEST_CASE(
    "wayland dma-bufs: the modifiers of the best tranche come first, each once, of the window's format "
    "alone") {
    ServerOptions o = linear_server();
    o.dmabuf.main_device = 0xe280;
    o.dmabuf.surface_tranches = {
        {.device = 0xe201, .scanout = true, .formats = {{kNV12, kOther}, {kAR24, kTiled}, {kXR24, kLinear}}},
        {.device = 0xe280, .formats = {{kAR24, kLinear}, {kAR24, kTiled}, {kAR24, kOther}}}};
    Scene s(o);
    CHECK(modifiers_of(*s.window) == Modifiers{kTiled, kLinear, kOther});
    CHECK(s.window->shared_modifier_rank(kTiled) == 0);
    CHECK(s.window->shared_modifier_rank(kLinear) == 1);
    CHECK(s.window->shared_modifier_rank(kOther) == 1);
    CHECK(s.platform->main_device() == 0xe280);
}

TEST_CASE("wayland dma-bufs: version 3 has modifiers, version 2 none, and a server may not support it") {
    ServerOptions o = linear_server();
    o.dmabuf.tranches = {{.formats = {{kAR24, kTiled}, {kXR24, kOther}, {kAR24, kInvalid}}}};
    Modifiers expected;
    SUBCASE("3") {
        o.dmabuf.version = 3;
        expected = {kTiled, kInvalid};
    }
    SUBCASE("2") {
        o.dmabuf.version = 2;
    }
    SUBCASE("none") {
        o.dmabuf.version = 0;
    }
    Scene s(o);
    CHECK(modifiers_of(*s.window) == expected);
    CHECK(s.platform->main_device() == 0);
    CHECK(bool(buffer_of(*s.window)) == !expected.empty());  // linear is sent as "invalid"
    if (expected.empty()) return;
    auto b = buffer_of(*s.window);
    CHECK(s.window->present_shared(*b, {}, 0, {}) == PresentStatus::Ok);
    s.sync();
    CHECK(s.server.commits().at(0).modifier == kInvalid);
}

TEST_CASE("wayland dma-bufs: invalid feedback is ignored") {
    ServerOptions o = linear_server();
    SUBCASE("a table longer than its file") {
        o.dmabuf.short_table = true;
    }
    SUBCASE("an index beyond the table") {
        o.dmabuf.bad_index = true;
    }
    Scene s(o);
    CHECK(modifiers_of(*s.window).empty());
    CHECK(s.window->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::Ok);
}

TEST_CASE("wayland dma-bufs: feedback may change") {
    Scene s(linear_server());
    CHECK(modifiers_of(*s.window) == Modifiers{kLinear});
    s.server.change_feedback({{.formats = {{kAR24, kTiled}, {kAR24, kLinear}}}});
    CHECK(modifiers_of(*s.window) == Modifiers{kTiled, kLinear});
    CHECK(s.window->create_buffer(Image(3, 2, 0, kTiled).buffer));
    s.server.change_feedback({{.formats = {{kXR24, kTiled}}}});
    CHECK(modifiers_of(*s.window).empty());
    CHECK_FALSE(s.window->create_buffer(Image(3, 2, 0, kTiled).buffer));
    s.sync();
    CHECK(s.server.dmabuf.feedbacks == 1);  // only the window's; the platform needs none
    s.window.reset();
    s.sync();
    CHECK(s.server.dmabuf.feedbacks == 0);
}

TEST_CASE(
    "wayland dma-bufs: the server is asked once, then such buffers up to that size are known to be "
    "accepted") {
    ServerOptions o = linear_server();
    o.dmabuf.refuse_wider_than_px = 5;
    Scene s(o);
    (void)s.window->shared_modifiers();
    CHECK(s.window->create_buffer(Image(4, 4).buffer));
    CHECK(s.server.dmabuf.asked == 1);
    CHECK(s.window->create_buffer(Image(4, 3).buffer));
    s.sync();
    CHECK(s.server.dmabuf.asked == 1);
    CHECK(s.server.dmabuf.immediate == 1);
    CHECK(s.window->create_buffer(Image(5, 4).buffer));
    CHECK(s.server.dmabuf.asked == 2);
    CHECK_FALSE(s.window->create_buffer(Image(6, 4).buffer));
    CHECK(s.server.dmabuf.asked == 3);
    s.sync();
    CHECK(s.server.dmabuf.buffers_alive == 0);
}

TEST_CASE("wayland dma-bufs: after a refusal the connection still works, and wl_shm shows the frames") {
    ServerOptions o = linear_server();
    o.dmabuf.tranches = {{.formats = {{kAR24, kLinear}, {kAR24, kInvalid}}}};
    o.dmabuf.refuse = true;
    Scene s(o);
    CHECK(modifiers_of(*s.window) == Modifiers{kLinear, kInvalid});
    for (int frame = 0; frame < 5; ++frame) {
        if (!modifiers_of(*s.window).empty()) CHECK_FALSE(buffer_of(*s.window));
        CHECK(s.window->present(Pixels(3, 2, 0).frame(), 0) == PresentStatus::Ok);
    }
    s.sync();
    CHECK(s.server.dmabuf.refused == 1);
    CHECK(s.server.dmabuf.immediate == 0);
    CHECK(s.server.commits().size() == 5);
    CHECK(wl_display_get_error(s.app.display) == 0);
    // After new feedback the server is asked again.
    s.server.options.dmabuf.refuse = false;
    s.server.change_feedback({{.formats = {{kAR24, kLinear}}}});
    CHECK(buffer_of(*s.window));
}

TEST_CASE("wayland dma-bufs: modifiers that were not offered are not sent") {
    Scene s(linear_server());
    CHECK_FALSE(s.window->create_buffer(Image(3, 2).buffer));  // before modifiers were requested
    (void)s.window->shared_modifiers();
    CHECK_FALSE(s.window->create_buffer(Image(3, 2, 0, kTiled).buffer));
    SharedBuffer none = Image(3, 2).buffer;
    none.width_px = 0;
    CHECK_FALSE(s.window->create_buffer(none));
    SharedBuffer xrgb = Image(3, 2).buffer;
    xrgb.fourcc = kXR24;
    CHECK_FALSE(s.window->create_buffer(xrgb));
    s.sync();
    CHECK(s.server.dmabuf.asked == 0);
}
