// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The version of a context. TERRAZZO_GLES_VERSION is read when a display is initialized and when a context is
// created.
#include <cstdlib>
#include <string>

#include "tests/api/egl/fixture.h"

namespace {

struct Version {
    explicit Version(const char* v) { setenv("TERRAZZO_GLES_VERSION", v, 1); }
    ~Version() { unsetenv("TERRAZZO_GLES_VERSION"); }
};

EGLint config_bits(EGLDisplay dpy, EGLConfig c, EGLint attribute) {
    EGLint bits = 0;
    CHECK(eglGetConfigAttrib(dpy, c, attribute, &bits));
    return bits;
}

EGLContext create(EGLDisplay dpy, EGLConfig c, EGLint major, EGLint minor) {
    const EGLint a[] = {EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor, EGL_NONE};
    return eglCreateContext(dpy, c, EGL_NO_CONTEXT, a);
}

std::string gl_version(EGLDisplay dpy, EGLContext x) {
    REQUIRE(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, x));
    const std::string s = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    CHECK(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    return s.substr(0, 13);
}

}  // namespace

TEST_CASE("a device of OpenGL ES 2.0 has no later contexts") {
    Version version("2.0");
    fixture::Display d;
    EGLConfig c = d.config({});
    CHECK(config_bits(d.dpy, c, EGL_RENDERABLE_TYPE) == (EGL_OPENGL_ES_BIT | EGL_OPENGL_ES2_BIT));
    CHECK(config_bits(d.dpy, c, EGL_CONFORMANT) == (EGL_OPENGL_ES_BIT | EGL_OPENGL_ES2_BIT));
    CHECK_EGL_ERROR(create(d.dpy, c, 3, 0), EGL_NO_CONTEXT, EGL_BAD_MATCH);
    EGLContext x = create(d.dpy, c, 2, 0);
    CHECK(gl_version(d.dpy, x) == "OpenGL ES 2.0");
}

TEST_CASE("a device of OpenGL ES 3.0 returns its version to requests for that version or less") {
    Version version("3.0");
    fixture::Display d;
    EGLConfig c = d.config({EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_CONFORMANT, EGL_OPENGL_ES3_BIT});
    CHECK(config_bits(d.dpy, c, EGL_RENDERABLE_TYPE) ==
          (EGL_OPENGL_ES_BIT | EGL_OPENGL_ES2_BIT | EGL_OPENGL_ES3_BIT));
    for (const EGLint major : {2, 3}) {
        EGLContext x = create(d.dpy, c, major, 0);
        REQUIRE(x != EGL_NO_CONTEXT);
        CHECK(gl_version(d.dpy, x) == "OpenGL ES 3.0");
        EGLint asked = 0;
        CHECK(eglQueryContext(d.dpy, x, EGL_CONTEXT_CLIENT_VERSION, &asked));
        CHECK(asked == major);
    }
    CHECK(create(d.dpy, EGL_NO_CONFIG_KHR, 3, 0) != EGL_NO_CONTEXT);
    // Versions that do not exist, and one that is too high.
    CHECK_EGL_ERROR(create(d.dpy, c, 1, 2), EGL_NO_CONTEXT, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(create(d.dpy, c, 2, 1), EGL_NO_CONTEXT, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(create(d.dpy, c, 3, -1), EGL_NO_CONTEXT, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(create(d.dpy, c, 3, 1), EGL_NO_CONTEXT, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(create(d.dpy, c, 0x7fffffff, 0), EGL_NO_CONTEXT, EGL_BAD_MATCH);
}

TEST_CASE("a value that is no version changes nothing") {
    Version version("4.2");
    fixture::Display d;
    CHECK(create(d.dpy, d.config({}), 2, 0) != EGL_NO_CONTEXT);
    CHECK_EGL_ERROR(create(d.dpy, d.config({}), 4, 2), EGL_NO_CONTEXT, EGL_BAD_MATCH);
}
