// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL on a gbm_device, and one of its windows with a context.
#pragma once

#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include <algorithm>

#include "tests/api/gbm/fixture.h"

namespace gbm_test {

constexpr uint32_t kRed = 0xffff0000, kGreen = 0xff00ff00, kBlue = 0xff0000ff;

template <class F>
F proc(const char* name) {
    F f = reinterpret_cast<F>(eglGetProcAddress(name));
    REQUIRE_MESSAGE((f != nullptr), name);
    return f;
}

struct Display : Device {
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, nullptr);
    Display() { REQUIRE(eglInitialize(dpy, nullptr, nullptr)); }
    ~Display() {
        eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(dpy);
        eglReleaseThread();
    }
    /// The first config with that format, as compositors choose it.
    EGLConfig config(uint32_t format) {
        EGLConfig all[256];
        EGLint n = 0;
        const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                                 EGL_NONE};
        REQUIRE(eglChooseConfig(dpy, wanted, all, 256, &n));
        const auto found = std::find_if(all, all + n, [&](EGLConfig c) {
            EGLint id = 0;
            return eglGetConfigAttrib(dpy, c, EGL_NATIVE_VISUAL_ID, &id) && uint32_t(id) == format;
        });
        REQUIRE(found != all + n);
        return *found;
    }
};

struct Window : Display {
    gbm_surface* surface;
    EGLConfig cfg = config(GBM_FORMAT_ARGB8888);
    EGLContext ctx = EGL_NO_CONTEXT;
    EGLSurface egl = EGL_NO_SURFACE;
    explicit Window(uint32_t width = kWidth, uint32_t height = kHeight,
                    uint32_t usage = GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING)
        : surface(gbm_surface_create(gbm, width, height, GBM_FORMAT_ARGB8888, usage)) {
        REQUIRE(surface);
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        ctx = eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, version);
        egl = eglCreatePlatformWindowSurface(dpy, cfg, surface, nullptr);
        REQUIRE(egl != EGL_NO_SURFACE);
        REQUIRE(eglMakeCurrent(dpy, egl, egl, ctx));
    }
    ~Window() {
        eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (egl != EGL_NO_SURFACE) eglDestroySurface(dpy, egl);
        gbm_surface_destroy(surface);
    }
};

inline void clear(uint32_t color) {
    glClearColor(float(color >> 16 & 0xff) / 255, float(color >> 8 & 0xff) / 255, float(color & 0xff) / 255,
                 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

/// Blue on top, red in the lowest `rows` rows, green in the lower left pixel.
inline void draw(int rows) {
    clear(kBlue);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 10000, rows);
    clear(kRed);
    glScissor(0, 0, 1, 1);
    clear(kGreen);
    glDisable(GL_SCISSOR_TEST);
}

/// Checks the picture of draw(): the first row is the top one.
inline void check_drawn(gbm_bo* bo, uint32_t rows) {
    const uint32_t width = gbm_bo_get_width(bo), height = gbm_bo_get_height(bo);
    const std::vector<uint32_t> pixels = read(bo, 0, 0, width, height);
    bool good = true;
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x) {
            const uint32_t want = y == height - 1 && x == 0 ? kGreen : y >= height - rows ? kRed : kBlue;
            good = good && pixels[y * width + x] == want;
        }
    CHECK(good);
}

}  // namespace gbm_test
