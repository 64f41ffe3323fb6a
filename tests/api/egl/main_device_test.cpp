// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The GPU of a display of a Wayland server. The shim has a node of a GPU; the server is in this process.
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "tests/api/egl/fixture.h"
#include "tests/winsys/wayland_app.h"

using namespace terrazzo::test;

namespace {

constexpr char kNode[] = "/dev/dri/renderD128";

/// The name of the device that draws for windows of a server with that GPU.
std::string device_of_server(uint64_t main_device, int version = 4) {
    WaylandServer server(
        {.dmabuf = {
             .version = version, .main_device = main_device, .tranches = {{.formats = {{kAR24, 0}}}}}});
    App app(server);
    EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, app.display, nullptr);
    REQUIRE(eglInitialize(d, nullptr, nullptr));
    EGLAttrib device = 0;
    CHECK(fixture::proc<PFNEGLQUERYDISPLAYATTRIBEXTPROC>("eglQueryDisplayAttribEXT")(d, EGL_DEVICE_EXT,
                                                                                     &device));
    auto text = fixture::proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    auto* const handle = reinterpret_cast<EGLDeviceEXT>(device);
    const char* node = text(handle, EGL_DRM_RENDER_NODE_FILE_EXT);
    const std::string extensions = text(handle, EGL_EXTENSIONS);
    eglTerminate(d);
    if (extensions.find("EGL_MESA_device_software") != std::string::npos) return "the CPU";
    return node ? node : "";
}

uint64_t number_of(const char* node) {
    struct stat s {};
    REQUIRE(stat(node, &s) == 0);
    return s.st_rdev;
}

}  // namespace

TEST_CASE("main device: the server's GPU draws, if it has a driver and no device was chosen") {
    REQUIRE(!getenv("TERRAZZO_DEVICE"));
    CHECK(device_of_server(number_of(kNode)) == kNode);
    CHECK(device_of_server(number_of("/dev/dri/card0")) == kNode);
    CHECK(device_of_server(number_of(kNode) + 1) == "the CPU");
    CHECK(device_of_server(0) == "the CPU");
    CHECK(device_of_server(number_of(kNode), 3) == "the CPU");  // version 3 does not name a device
    setenv("TERRAZZO_DEVICE", "soft", 1);
    CHECK(device_of_server(number_of(kNode)) == "the CPU");
}
