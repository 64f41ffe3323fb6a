// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_EXT_device_enumeration and related extensions, and drawing on a device that was chosen from the list.
#include <cstring>
#include <string>

#include "tests/api/egl/fixture.h"

namespace {

std::vector<EGLDeviceEXT> all_devices() {
    auto query = fixture::proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLint n = 0;
    REQUIRE(query(0, nullptr, &n));
    REQUIRE(n >= 1);
    std::vector<EGLDeviceEXT> list(size_t(n), nullptr);
    REQUIRE(query(n, list.data(), &n));
    return list;
}

std::string text(EGLDeviceEXT d, EGLint name) {
    auto query = fixture::proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    const char* s = query(d, name);
    return s ? s : "";
}

bool has_word(const std::string& words, const std::string& word) {
    return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

EGLDeviceEXT device_of(EGLDisplay dpy) {
    auto attribute = fixture::proc<PFNEGLQUERYDISPLAYATTRIBEXTPROC>("eglQueryDisplayAttribEXT");
    EGLAttrib got = 0;
    CHECK(attribute(dpy, EGL_DEVICE_EXT, &got));
    return reinterpret_cast<EGLDeviceEXT>(got);
}

EGLDeviceEXT find(const std::string& name) {
    for (EGLDeviceEXT d : all_devices())
        if (text(d, EGL_RENDERER_EXT) == name) return d;
    return EGL_NO_DEVICE_EXT;
}

/// Clears a pbuffer on the display and checks a pixel; also returns GL_RENDERER.
std::string draw(EGLDisplay dpy) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE,    EGL_PBUFFER_BIT,    EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8,
                             EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint n = 0;
    REQUIRE(eglChooseConfig(dpy, wanted, &config, 1, &n));
    REQUIRE(n == 1);
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 20, EGL_HEIGHT, 12, EGL_NONE};
    EGLContext context = eglCreateContext(dpy, config, EGL_NO_CONTEXT, version);
    EGLSurface surface = eglCreatePbufferSurface(dpy, config, size);
    REQUIRE(eglMakeCurrent(dpy, surface, surface, context));
    glClearColor(0.2f, 0.4f, 0.6f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    std::vector<unsigned char> p(4);
    glReadPixels(19, 11, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p.data());
    CHECK(p == std::vector<unsigned char>{51, 102, 153, 255});
    const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    CHECK(glGetError() == GL_NO_ERROR);
    eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    return renderer;
}

}  // namespace

TEST_CASE("devices: the CPU is the first device, and the only software device") {
    const auto list = all_devices();
    CHECK(list == all_devices());
    CHECK(text(list[0], EGL_RENDERER_EXT) == "soft");
    for (EGLDeviceEXT d : list) {
        const std::string extensions = text(d, EGL_EXTENSIONS), name = text(d, EGL_RENDERER_EXT);
        CAPTURE(name);
        CHECK(has_word(extensions, "EGL_EXT_device_query_name"));
        CHECK(text(d, EGL_VENDOR) == "Terrazzo");
        CHECK(has_word(extensions, "EGL_MESA_device_software") == (d == list[0]));
        const bool node = name.starts_with("/dev/dri/renderD");
        CHECK(has_word(extensions, "EGL_EXT_device_drm_render_node") == node);
        CHECK((node || name == "soft" || name.starts_with("sim:")));
        if (node)
            CHECK(text(d, EGL_DRM_RENDER_NODE_FILE_EXT) == name);
        else
            CHECK_EGL_ERROR(text(d, EGL_DRM_RENDER_NODE_FILE_EXT), "", EGL_BAD_PARAMETER);
        if (!has_word(extensions, "EGL_EXT_device_drm"))
            CHECK_EGL_ERROR(text(d, EGL_DRM_DEVICE_FILE_EXT), "", EGL_BAD_PARAMETER);
    }
}

TEST_CASE("devices: as many are returned as fit") {
    auto query = fixture::proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLDeviceEXT d = nullptr;
    EGLint n = 0;
    CHECK(query(1, &d, &n));
    CHECK(n == 1);
    CHECK(d == all_devices()[0]);
    CHECK_EGL_ERROR(query(0, &d, &n), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(query(1, &d, nullptr), EGL_FALSE, EGL_BAD_PARAMETER);
    auto strings = fixture::proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    CHECK_EGL_ERROR(strings(nullptr, EGL_EXTENSIONS), nullptr, EGL_BAD_DEVICE_EXT);
    CHECK_EGL_ERROR(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, &d, nullptr), EGL_NO_DISPLAY,
                    EGL_BAD_PARAMETER);
}

TEST_CASE("devices: each has its own display, and they draw at the same time") {
    const EGLDeviceEXT soft = find("soft"), sim = find("sim:mali-g610");
    REQUIRE(sim != EGL_NO_DEVICE_EXT);
    EGLDisplay a = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, soft, nullptr);
    EGLDisplay b = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, sim, nullptr);
    CHECK(a != b);
    CHECK(a == eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, soft, nullptr));
    REQUIRE(eglInitialize(a, nullptr, nullptr));
    REQUIRE(eglInitialize(b, nullptr, nullptr));
    CHECK(device_of(a) == soft);
    CHECK(device_of(b) == sim);
    CHECK(draw(a).find("Software Rasterizer") != std::string::npos);
    CHECK(draw(b).find("Mali-G610") != std::string::npos);
    CHECK(draw(a).find("Software Rasterizer") != std::string::npos);
    eglTerminate(b);
    eglTerminate(a);
}

TEST_CASE("devices: a display without a device uses TERRAZZO_DEVICE's, the CPU by default") {
    fixture::Display d;
    CHECK(device_of(d.dpy) == all_devices()[0]);
}
