// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An initialized surfaceless display, and a context with a pbuffer on it. Uses only the public libraries.
#pragma once

#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

namespace fixture {

template <class F>
F proc(const char* name) {
    F f = reinterpret_cast<F>(eglGetProcAddress(name));
    REQUIRE_MESSAGE((f != nullptr), name);
    return f;
}

struct Display {
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    Display() { REQUIRE(eglInitialize(dpy, nullptr, nullptr)); }
    ~Display() {
        eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(dpy);
        eglReleaseThread();
    }
    /// The first config that matches.
    EGLConfig config(std::initializer_list<EGLint> wanted) {
        std::vector<EGLint> a{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT};
        a.insert(a.end(), wanted);
        a.push_back(EGL_NONE);
        EGLConfig c = nullptr;
        EGLint n = 0;
        REQUIRE(eglChooseConfig(dpy, a.data(), &c, 1, &n));
        REQUIRE(n == 1);
        return c;
    }
    EGLContext context(EGLConfig c, EGLContext share = EGL_NO_CONTEXT) {
        const EGLint a[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        EGLContext x = eglCreateContext(dpy, c, share, a);
        REQUIRE(x != EGL_NO_CONTEXT);
        return x;
    }
    EGLSurface pbuffer(EGLConfig c, EGLint w, EGLint h) {
        const EGLint a[] = {EGL_WIDTH, w, EGL_HEIGHT, h, EGL_NONE};
        EGLSurface s = eglCreatePbufferSurface(dpy, c, a);
        REQUIRE(s != EGL_NO_SURFACE);
        return s;
    }
};

struct Current : Display {
    EGLConfig cfg =
        config({EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_DEPTH_SIZE, 24});
    EGLContext ctx = context(cfg);
    EGLSurface surface = pbuffer(cfg, 16, 16);
    Current() { REQUIRE(eglMakeCurrent(dpy, surface, surface, ctx)); }
    std::vector<unsigned char> pixel(int x, int y) {
        std::vector<unsigned char> p(4);
        glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p.data());
        return p;
    }
};

}  // namespace fixture

/// An EGL call that must fail with `code` and no other error.
#define CHECK_EGL_ERROR(call, failed, code)  \
    do {                                     \
        CHECK((call) == (failed));           \
        CHECK(eglGetError() == (code));      \
        CHECK(eglGetError() == EGL_SUCCESS); \
    } while (0)
