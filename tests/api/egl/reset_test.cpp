// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An endless shader in a context that requests reset notification (KHR_robustness): it is stopped and
// reported, the context is lost, and a new one draws.
#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>

#include "tests/api/egl/fixture.h"

#include <GLES2/gl2ext.h>

namespace {

constexpr GLenum kLost = 0x0507, kGuilty = 0x8253;  // GL_CONTEXT_LOST, GL_GUILTY_CONTEXT_RESET

/// Never ends.
constexpr char kEndless[] =
    "precision highp float; uniform float step; void main() { float x = 0.0; for (int i = 0; i < 1000000000; "
    "++i) {"
    " for (int k = 0; k < 1000000000; ++k) x += step; if (x > 1.0) break; } gl_FragColor = vec4(x); }";
/// Each fragment ends soon, but a picture of them takes minutes.
constexpr char kSlow[] =
    "precision highp float; uniform float step; void main() { float x = gl_FragCoord.x; for (int i = 0; i < "
    "3000000; ++i)"
    " x = sin(x + step); gl_FragColor = vec4(x); }";
constexpr char kQuick[] = "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }";

GLuint program(const char* fragment) {
    const char* const texts[] = {"attribute vec4 p; void main() { gl_Position = p; }", fragment};
    const GLuint p = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint s = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(s, 1, &texts[i], nullptr);
        glCompileShader(s);
        glAttachShader(p, s);
    }
    glBindAttribLocation(p, 0, "p");
    glLinkProgram(p);
    GLint linked = 0;
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    REQUIRE(linked);
    glUseProgram(p);
    return p;
}

void record(const char* fragment) {
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    program(fragment);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void draw_endless() {
    record(kEndless);
    glFinish();
}

}  // namespace

TEST_CASE("an endless shader loses a robust context, and no other") {
    fixture::Display d;
    const EGLConfig config = d.config({EGL_ALPHA_SIZE, 8});
    const EGLint robust[] = {EGL_CONTEXT_CLIENT_VERSION,
                             2,
                             EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                             EGL_TRUE,
                             EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                             EGL_LOSE_CONTEXT_ON_RESET,
                             EGL_NONE};
    const EGLContext context = eglCreateContext(d.dpy, config, EGL_NO_CONTEXT, robust);
    REQUIRE(context != EGL_NO_CONTEXT);
    const EGLSurface surface = d.pbuffer(config, 64, 64);
    REQUIRE(eglMakeCurrent(d.dpy, surface, surface, context));
    const auto reset_status = fixture::proc<GLenum (*)()>("glGetGraphicsResetStatusKHR");
    CHECK(reset_status() == GL_NO_ERROR);
    draw_endless();
    CHECK(glGetError() == GL_NO_ERROR);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == kLost);
    CHECK(glCreateProgram() == 0);
    CHECK(glGetError() == kLost);
    CHECK(reset_status() == kGuilty);
    CHECK(reset_status() == GL_NO_ERROR);  // the reset is over, but the context stays lost
    glFlush();
    CHECK(glGetError() == kLost);

    const EGLContext next = d.context(config);
    REQUIRE(eglMakeCurrent(d.dpy, surface, surface, next));
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    unsigned char px[4] = {};
    glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(px[1] == 255);

    // Without reset notification the shader ends, too, and the context continues.
    draw_endless();
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(px[1] == 255);
}

TEST_CASE("a reset is reported after other passes, and without robust access") {
    fixture::Display d;
    const EGLConfig config = d.config({EGL_ALPHA_SIZE, 8});
    const EGLint told[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                           EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE};
    const EGLContext context = eglCreateContext(d.dpy, config, EGL_NO_CONTEXT, told);
    REQUIRE(context != EGL_NO_CONTEXT);
    const EGLSurface first = d.pbuffer(config, 16, 16), second = d.pbuffer(config, 16, 16);
    REQUIRE(eglMakeCurrent(d.dpy, first, first, context));
    record(kEndless);
    REQUIRE(eglMakeCurrent(d.dpy, second, second, context));  // submits the pass
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    const auto reset_status = fixture::proc<GLenum (*)()>("glGetGraphicsResetStatusKHR");
    CHECK(reset_status() == kGuilty);
}

TEST_CASE("destroying a context ends its work, in whichever thread waits for it, while others draw") {
    for (const bool terminate : {false, true}) {
        CAPTURE(terminate);
        fixture::Display d;
        const EGLConfig config = d.config({EGL_ALPHA_SIZE, 8});
        const EGLContext hung = d.context(config), next = d.context(config);
        const EGLSurface large = d.pbuffer(config, 512, 512), small = d.pbuffer(config, 16, 16);
        std::atomic<bool> begun{false}, ended{false};
        std::thread t([&] {
            CHECK(eglMakeCurrent(d.dpy, large, large, hung));
            record(kSlow);
            glFlush();
            record(kSlow);
            begun = true;
            glFinish();
            ended = true;
            eglReleaseThread();
        });
        while (!begun)
            std::this_thread::yield();
        REQUIRE(eglMakeCurrent(d.dpy, small, small, next));
        for (int i = 0; i < 20; ++i) {
            record(kQuick);
            unsigned char px[4] = {};
            glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
            CHECK(px[1] == 255);
        }
        CHECK_FALSE(ended);
        if (terminate)
            CHECK(eglTerminate(d.dpy));
        else
            CHECK(eglDestroyContext(d.dpy, hung));
        t.join();
        if (terminate) CHECK(eglInitialize(d.dpy, nullptr, nullptr));
    }
}

TEST_CASE("a thread that destroys its own context does not wait for work without end") {
    fixture::Display d;
    const EGLConfig config = d.config({EGL_ALPHA_SIZE, 8});
    const EGLSurface surface = d.pbuffer(config, 512, 512);
    for (const bool release_first : {false, true}) {
        const EGLContext hung = d.context(config);
        REQUIRE(eglMakeCurrent(d.dpy, surface, surface, hung));
        record(kSlow);
        if (release_first) eglMakeCurrent(d.dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        CHECK(eglDestroyContext(d.dpy, hung));
        eglMakeCurrent(d.dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
}

TEST_CASE("indices in a persistent mapping may change while they are drawn") {
    fixture::Current f;
    const auto storage = fixture::proc<PFNGLBUFFERSTORAGEEXTPROC>("glBufferStorageEXT");
    const auto map = fixture::proc<PFNGLMAPBUFFERRANGEEXTPROC>("glMapBufferRangeEXT");
    constexpr unsigned kIndices = 30000, kVertices = 2000;
    std::minstd_rand random(1);
    std::vector<float> vertices;
    for (unsigned i = 0; i < kVertices * 2; ++i)
        vertices.push_back(float(random() % 1000) / 50000.0f);
    program(kQuick);
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(vertices.size() * sizeof(float)), vertices.data(),
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    storage(GL_ELEMENT_ARRAY_BUFFER, kIndices * 4, nullptr, kFlags);
    auto* const indices = static_cast<uint32_t*>(map(GL_ELEMENT_ARRAY_BUFFER, 0, kIndices * 4, kFlags));
    REQUIRE(indices);
    glEnableVertexAttribArray(0);
    for (const bool client : {false, true}) {
        for (unsigned i = 0; i < kIndices; ++i)
            indices[i] = i % 7;
        glBindBuffer(GL_ARRAY_BUFFER, client ? 0 : buffers[0]);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, client ? vertices.data() : nullptr);
        std::atomic<bool> stop{false};
        std::thread writer([&] {
            std::minstd_rand r(2);
            while (!stop) {
                // the program's array ends at kVertices
                const unsigned i = unsigned(r() % kIndices);
                __atomic_store_n(indices + i, client ? kVertices - 1 : 0xffff0000u + unsigned(r() & 255),
                                 __ATOMIC_RELAXED);
                for (int k = 0; k < 100; ++k)
                    std::atomic_signal_fence(std::memory_order_seq_cst);
                __atomic_store_n(indices + i, i % 7, __ATOMIC_RELAXED);
            }
        });
        for (int i = 0; i < 60; ++i)
            glDrawElements(GL_TRIANGLES, kIndices, GL_UNSIGNED_INT, nullptr);
        glFinish();
        stop = true;
        writer.join();
        CHECK(glGetError() == GL_NO_ERROR);
    }
}
