// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_EXT_device_enumeration if /dev/dri has many nodes: the shim's, which works, and those of
// fake_nodes.cpp, which do not.
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/api/egl/fake_nodes.h"
#include "tests/api/egl/fixture.h"

namespace {

struct Listed {
    std::string name, render_node, primary_node;
    bool software;
};

std::vector<Listed> list() {
    auto query = fixture::proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    auto text = fixture::proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    EGLint n = 0;
    REQUIRE(query(0, nullptr, &n));
    std::vector<EGLDeviceEXT> handles(size_t(n), nullptr);
    REQUIRE(query(n, handles.data(), &n));
    std::vector<Listed> out;
    for (EGLDeviceEXT d : handles) {
        const std::string extensions = text(d, EGL_EXTENSIONS);
        const auto path = [&](const char* extension, EGLint name) {
            return extensions.find(extension) == std::string::npos ? "" : text(d, name);
        };
        out.push_back({text(d, EGL_RENDERER_EXT),
                       path("EGL_EXT_device_drm_render_node", EGL_DRM_RENDER_NODE_FILE_EXT),
                       path("EGL_EXT_device_drm ", EGL_DRM_DEVICE_FILE_EXT),
                       extensions.find("EGL_MESA_device_software") != std::string::npos});
    }
    return out;
}

}  // namespace

TEST_CASE("enumeration: the CPU and each usable node, once, by number") {
    REQUIRE(!has_real_nodes());
    const char* const chosen = getenv("TERRAZZO_DEVICE");
    std::vector<Listed> devices = list();
    REQUIRE(devices.size() > 2);
    // The chosen one is first: here it is a card, or a link to the node.
    const size_t node = chosen ? 0 : 1, cpu = chosen ? 1 : 0;
    CHECK(devices[node].name == "/dev/dri/renderD128");
    CHECK(devices[node].render_node == "/dev/dri/renderD128");
    CHECK(devices[node].primary_node == "/dev/dri/card0");
    CHECK(!devices[node].software);
    // Without a GPU the first node is the CPU's.
    CHECK(devices[cpu].name == "soft");
    CHECK(devices[cpu].render_node == "/dev/dri/renderD131");
    CHECK(devices[cpu].software);
    for (size_t i = 2; i < devices.size(); ++i)
        CHECK(devices[i].name.starts_with("sim:"));
    const std::vector<Listed> again = list();
    REQUIRE(again.size() == devices.size());
    for (size_t i = 0; i < again.size(); ++i)
        CHECK(again[i].name == devices[i].name);
}

TEST_CASE("enumeration: each listed device can be initialized") {
    auto query = fixture::proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLDeviceEXT handles[64];
    EGLint n = 0;
    REQUIRE(query(64, handles, &n));
    for (EGLint i = 0; i < n; ++i) {
        EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, handles[i], nullptr);
        CAPTURE(i);
        CHECK(eglInitialize(d, nullptr, nullptr));
        eglTerminate(d);
    }
}
