// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <thread>

#include "tests/api/egl/fixture.h"

using Bytes = std::vector<unsigned char>;

TEST_CASE_FIXTURE(fixture::Display, "context errors") {
    EGLConfig c = config({});
    auto create = [&](std::initializer_list<EGLint> list, EGLContext share = EGL_NO_CONTEXT) {
        std::vector<EGLint> a(list);
        a.push_back(EGL_NONE);
        return eglCreateContext(dpy, c, share, a.data());
    };
    CHECK_EGL_ERROR(create({EGL_CONTEXT_CLIENT_VERSION, 9}), EGL_NO_CONTEXT, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(create({EGL_WIDTH, 2}), EGL_NO_CONTEXT, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK, 1}),
                    EGL_NO_CONTEXT, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(create({EGL_CONTEXT_CLIENT_VERSION, 2}, &c), EGL_NO_CONTEXT, EGL_BAD_CONTEXT);
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    CHECK_EGL_ERROR(eglCreateContext(dpy, &c, EGL_NO_CONTEXT, es2), EGL_NO_CONTEXT, EGL_BAD_CONFIG);
    EGLContext ok =
        create({EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_MINOR_VERSION, 0, EGL_CONTEXT_FLAGS_KHR, 0});
    CHECK(ok != EGL_NO_CONTEXT);
    EGLint v = 0;
    CHECK(eglQueryContext(dpy, ok, EGL_CONTEXT_CLIENT_VERSION, &v));
    CHECK(v == 2);
    CHECK_EGL_ERROR(eglQueryContext(dpy, ok, 0x7777, &v), EGL_FALSE, EGL_BAD_ATTRIBUTE);
    CHECK(eglDestroyContext(dpy, ok));
    CHECK_EGL_ERROR(eglDestroyContext(dpy, ok), EGL_FALSE, EGL_BAD_CONTEXT);
}

TEST_CASE_FIXTURE(fixture::Display, "surface errors") {
    EGLConfig c = config({});
    const EGLint negative[] = {EGL_WIDTH, -1, EGL_NONE}, unknown[] = {0x7777, 0, EGL_NONE};
    const EGLint half_texture[] = {EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGB, EGL_NONE},
                 huge[] = {EGL_WIDTH, 1 << 30, EGL_HEIGHT, 1 << 30, EGL_NONE};
    CHECK_EGL_ERROR(eglCreatePbufferSurface(dpy, c, negative), EGL_NO_SURFACE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(eglCreatePbufferSurface(dpy, c, unknown), EGL_NO_SURFACE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(eglCreatePbufferSurface(dpy, c, half_texture), EGL_NO_SURFACE, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(eglCreatePbufferSurface(dpy, c, huge), EGL_NO_SURFACE, EGL_BAD_ALLOC);
    const EGLint largest[] = {EGL_WIDTH, 16, EGL_HEIGHT, 1 << 14, EGL_LARGEST_PBUFFER, EGL_TRUE, EGL_NONE};
    EGLSurface s = eglCreatePbufferSurface(dpy, c, largest);
    REQUIRE(s != EGL_NO_SURFACE);
    EGLint v = 0;
    CHECK(eglQuerySurface(dpy, s, EGL_HEIGHT, &v));
    CHECK(v == 8192);
    CHECK_EGL_ERROR(eglQuerySurface(dpy, s, 0x7777, &v), EGL_FALSE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(eglSurfaceAttrib(dpy, s, EGL_WIDTH, 3), EGL_FALSE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(eglBindTexImage(dpy, s, 7), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK(eglDestroySurface(dpy, s));
    CHECK_EGL_ERROR(eglDestroySurface(dpy, s), EGL_FALSE, EGL_BAD_SURFACE);
    CHECK_EGL_ERROR(eglSwapBuffers(dpy, s), EGL_FALSE, EGL_BAD_SURFACE);
    int window = 0;
    CHECK_EGL_ERROR(eglCreatePlatformWindowSurface(dpy, c, &window, nullptr), EGL_NO_SURFACE, EGL_BAD_MATCH);
}

TEST_CASE_FIXTURE(fixture::Display, "make current: mismatches") {
    EGLConfig a = config({EGL_DEPTH_SIZE, 24}), b = config({EGL_DEPTH_SIZE, 16, EGL_RED_SIZE, 8});
    EGLContext x = context(a);
    EGLSurface s = pbuffer(a, 4, 4), odd = pbuffer(config({EGL_BUFFER_SIZE, 16, EGL_CONFIG_ID, 3}), 4, 4);
    (void)b;
    CHECK_EGL_ERROR(eglMakeCurrent(dpy, s, EGL_NO_SURFACE, x), EGL_FALSE, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(eglMakeCurrent(dpy, s, s, EGL_NO_CONTEXT), EGL_FALSE, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(eglMakeCurrent(dpy, odd, odd, x), EGL_FALSE, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(eglMakeCurrent(dpy, s, s, &x), EGL_FALSE, EGL_BAD_CONTEXT);
    CHECK_EGL_ERROR(eglMakeCurrent(dpy, &x, &x, x), EGL_FALSE, EGL_BAD_SURFACE);
    REQUIRE(eglMakeCurrent(dpy, s, s, x));
    CHECK(eglGetCurrentContext() == x);
    CHECK(eglGetCurrentSurface(EGL_DRAW) == s);
    CHECK(eglGetCurrentDisplay() == dpy);
    EGLContext y = context(a);
    std::thread([&] {
        CHECK(eglGetCurrentContext() == EGL_NO_CONTEXT);
        CHECK_EGL_ERROR(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, x), EGL_FALSE, EGL_BAD_ACCESS);
        CHECK_EGL_ERROR(eglMakeCurrent(dpy, s, s, y), EGL_FALSE, EGL_BAD_ACCESS);
        CHECK(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, y));
        CHECK(glGetError() == GL_NO_ERROR);
    }).join();  // the thread's end releases y
    CHECK(eglMakeCurrent(dpy, s, s, y));
}

TEST_CASE_FIXTURE(fixture::Current, "clear and read back; every size of pbuffer") {
    glClearColor(1, 0.5f, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(pixel(0, 0) == Bytes{255, 128, 0, 255});
    CHECK(pixel(15, 15) == Bytes{255, 128, 0, 255});
    CHECK(eglSwapBuffers(dpy, surface));
    CHECK(pixel(7, 7) == Bytes{255, 128, 0, 255});  // a swap of a pbuffer has no effect
    EGLSurface empty = pbuffer(cfg, 0, 0);
    CHECK(eglMakeCurrent(dpy, empty, empty, ctx));
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(fixture::Current, "current objects outlive their handles") {
    CHECK(eglDestroyContext(dpy, ctx));
    CHECK(eglDestroySurface(dpy, surface));
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(pixel(3, 3) == Bytes{0, 255, 0, 255});
    CHECK(eglTerminate(dpy));
    CHECK(pixel(3, 3) == Bytes{0, 255, 0, 255});
    CHECK(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    CHECK(eglGetCurrentContext() == EGL_NO_CONTEXT);
}

TEST_CASE_FIXTURE(fixture::Display, "a context without a surface and without a config") {
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLContext x = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, es2);
    REQUIRE(x != EGL_NO_CONTEXT);
    REQUIRE(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, x));
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == 0x8219);  // GL_FRAMEBUFFER_UNDEFINED_OES
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
}

TEST_CASE_FIXTURE(fixture::Current, "GL commands without a context are ignored") {
    REQUIRE(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(glGetString(GL_VERSION) == nullptr);
}

TEST_CASE("a command of a later version is an error") {
    setenv("TERRAZZO_GLES_VERSION", "2.0", 1);
    const fixture::Current current;
    unsetenv("TERRAZZO_GLES_VERSION");
    auto draw = fixture::proc<void (*)(GLenum, GLint, GLsizei, GLsizei)>("glDrawArraysInstanced");
    draw(GL_TRIANGLES, 0, 3, 1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}
