// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The platform uses a window on its own connection only after the server has executed the application's
// earlier requests.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <xcb/xcb.h>

#include <cstdlib>

#include "tests/winsys/x11_server.h"
#include "winsys/platform.h"

using namespace terrazzo::winsys;
using test::X11Server;

namespace {

constexpr uint32_t kXrgb8888 = 0x34325258;

void create_a_window(const X11Server& server, void* display, bool xcb) {
    setenv("DISPLAY", server.name().c_str(), 1);
    const auto platform = create_x11_platform(display, xcb);
    std::string why;
    REQUIRE_MESSAGE(platform->initialize(&why), why);
    void* const native = reinterpret_cast<void*>(uintptr_t(X11Server::kWindow));
    CHECK_MESSAGE(platform->create_window(native, kXrgb8888, &why), why);
}

}  // namespace

TEST_CASE("x11: requests of the application's XCB connection are executed before its window is used") {
    // A separate server for each. Otherwise one connection would order the requests anyway.
    X11Server server, of_application;
    xcb_connection_t* const c = xcb_connect(of_application.name().c_str(), nullptr);
    REQUIRE_FALSE(xcb_connection_has_error(c));
    const uint8_t pixel[4] = {};
    xcb_put_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, X11Server::kWindow, 1, 1, 1, 0, 0, 0, 24, 4, pixel);
    create_a_window(server, c, true);
    {
        std::lock_guard lock(of_application.mutex);
        CHECK(of_application.put_requests == 1);
    }
    xcb_disconnect(c);
}

TEST_CASE("x11: a Display is synced also if a plugin has loaded Xlib for itself") {
    REQUIRE(dlsym(RTLD_DEFAULT, "XSync") == nullptr);
    void* const xlib = dlopen(TERRAZZO_XLIB_DOUBLE, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(xlib);
    const int* const syncs = static_cast<int*>(dlsym(xlib, "xlib_double_syncs"));
    REQUIRE(syncs);
    X11Server server;
    int display = 0;
    create_a_window(server, &display, false);
    CHECK(*syncs == 1);
    dlclose(xlib);
    create_a_window(server, &display, false);  // there is no Xlib, nothing to sync
}
