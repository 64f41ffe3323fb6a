// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL from its initialization to its end, repeatedly, in every order, and with fork.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>

#include "tests/api/egl/fixture.h"
#include "tests/common/sanitizers.h"

namespace {

/// A frame that is large enough for threads. True if its pixels are right.
bool draw(EGLDisplay dpy, EGLSurface s, EGLContext c) {
    if (!eglMakeCurrent(dpy, s, s, c)) return false;
    const char* text[] = {"attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
                          "precision mediump float; void main() { gl_FragColor = vec4(0, 1, 0, 1); }"};
    const float corners[] = {-1, -1, 3, -1, -1, 3};
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &text[i], nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDeleteProgram(program);
    unsigned char p[4] = {};
    glReadPixels(200, 200, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    return glGetError() == GL_NO_ERROR && p[0] == 0 && p[1] == 255 && p[3] == 255;
}

/// The end of a child that runs `body`: its exit code, or minus the signal. It is killed after 30 s.
template <class F>
int in_child(F&& body) {
    const pid_t pid = fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
        alarm(30);
        body();
        _exit(99);
    }
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

struct Drawn : fixture::Display {
    EGLConfig cfg = config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8});
    EGLContext ctx = context(cfg);
    EGLSurface surface = pbuffer(cfg, 256, 256);
    Drawn() { REQUIRE(draw(dpy, surface, ctx)); }
};

}  // namespace

TEST_CASE("initialise, draw, terminate: two hundred times") {
    for (int i = 0; i < 200; ++i) {
        fixture::Display d;
        EGLConfig c = d.config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8});
        EGLContext x = d.context(c);
        EGLSurface s = d.pbuffer(c, 32, 32);
        REQUIRE(eglMakeCurrent(d.dpy, s, s, x));
        glClearColor(0, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        unsigned char p[4] = {};
        glReadPixels(31, 31, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        CHECK(int(p[2]) == 255);
        if (i % 2) {  // terminated while current: the context lives until its release
            CHECK(eglTerminate(d.dpy));
            glClear(GL_COLOR_BUFFER_BIT);
            CHECK(glGetError() == GL_NO_ERROR);
            CHECK(eglInitialize(d.dpy, nullptr, nullptr));
        }
    }
}

TEST_CASE("destruction in every order") {
    std::array<int, 5> order{0, 1, 2, 3, 4};
    do {
        EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        REQUIRE(eglInitialize(dpy, nullptr, nullptr));
        const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE},
                     size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
        EGLConfig c = nullptr;
        EGLint n = 0;
        const EGLint pbuffer[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                                  EGL_NONE};
        REQUIRE(eglChooseConfig(dpy, pbuffer, &c, 1, &n));
        EGLContext x = eglCreateContext(dpy, c, EGL_NO_CONTEXT, attributes);
        EGLSurface s = eglCreatePbufferSurface(dpy, c, size);
        REQUIRE(eglMakeCurrent(dpy, s, s, x));
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        EGLImage image = eglCreateImage(dpy, x, EGL_GL_TEXTURE_2D,
                                        reinterpret_cast<EGLClientBuffer>(uintptr_t(texture)), nullptr);
        CHECK(image != EGL_NO_IMAGE);
        EGLSync sync = eglCreateSync(dpy, EGL_SYNC_FENCE, nullptr);
        CHECK(sync != EGL_NO_SYNC);
        bool terminated = false;
        for (int step : order) {
            switch (step) {
                case 0:
                    CHECK(eglDestroyContext(dpy, x) == !terminated);
                    break;
                case 1:
                    CHECK(eglDestroySurface(dpy, s) == !terminated);
                    break;
                case 2:
                    CHECK(eglTerminate(dpy));
                    terminated = true;
                    break;
                case 3:
                    CHECK(eglReleaseThread());
                    break;
                case 4:
                    CHECK(eglDestroyImage(dpy, image) == !terminated);
                    CHECK(eglDestroySync(dpy, sync) == !terminated);
                    break;
            }
            glClear(GL_COLOR_BUFFER_BIT);  // to the context, or ignored without one
        }
        CHECK(eglGetCurrentContext() == EGL_NO_CONTEXT);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a thread that ends with a context current, after the display was terminated") {
    EGLDisplay dpy = EGL_NO_DISPLAY;
    std::thread([&] {
        dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        REQUIRE(eglInitialize(dpy, nullptr, nullptr));
        const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        EGLContext c = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
        REQUIRE(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, c));
        CHECK(eglTerminate(dpy));
        CHECK(eglGetCurrentContext() == c);
    }).join();
    CHECK(eglInitialize(dpy, nullptr, nullptr));
    CHECK(eglTerminate(dpy));
}

TEST_CASE_FIXTURE(Drawn, "fork: the child may exit, with and without its destructors") {
    CHECK(in_child([] { _exit(7); }) == 7);
    CHECK(in_child([] { std::exit(8); }) == 8);
    CHECK(draw(dpy, surface, ctx));
}

TEST_CASE_FIXTURE(Drawn, "fork: the child may continue with the inherited objects" *
                             doctest::skip(terrazzo::test::kThreadSanitizer)) {
    CHECK(in_child([&] { _exit(draw(dpy, surface, ctx) ? 7 : 1); }) == 7);
    CHECK(in_child([&] {
              const bool ok = draw(dpy, surface, ctx) && eglMakeCurrent(dpy, nullptr, nullptr, nullptr) &&
                              eglDestroyContext(dpy, ctx) && eglDestroySurface(dpy, surface) &&
                              eglTerminate(dpy);
              std::exit(ok ? 7 : 1);
          }) == 7);
    CHECK(draw(dpy, surface, ctx));  // the parent's objects are unchanged
}

TEST_CASE_FIXTURE(Drawn,
                  "fork: the child may start again" * doctest::skip(terrazzo::test::kThreadSanitizer)) {
    CHECK(in_child([&] {
              eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
              bool ok = eglTerminate(dpy) && eglInitialize(dpy, nullptr, nullptr);
              EGLContext x = context(config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8}));
              EGLSurface s = pbuffer(config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8}), 256, 256);
              ok = ok && draw(dpy, s, x) && eglTerminate(dpy);
              _exit(ok ? 7 : 1);
          }) == 7);
    CHECK(draw(dpy, surface, ctx));
}
