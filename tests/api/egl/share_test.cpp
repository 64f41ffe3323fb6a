// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Several GL threads in one share group: uploads in one context, draws in another, fences between them,
// programs from a third; and destruction in any order. Also useful with ThreadSanitizer.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "tests/api/egl/fixture.h"

namespace {

constexpr int kUploads = 60, kSize_px = 96;  // large enough for worker threads

struct Upload {
    GLuint texture;
    EGLSync ready;
    unsigned char value;
};

/// What the uploader passes to the drawer.
class Channel {
  public:
    void put(const Upload& u) {
        const std::lock_guard lock(mutex_);
        queue_.push_back(u);
        wake_.notify_one();
    }
    Upload take() {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return !queue_.empty(); });
        const Upload u = queue_.front();
        queue_.pop_front();
        return u;
    }

  private:
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Upload> queue_;
};

GLuint shader(GLenum type, const char* text) {
    const GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &text, nullptr);
    glCompileShader(s);
    return s;
}

GLuint program(const std::string& factor) {
    const GLuint p = glCreateProgram();
    const std::string fragment =
        "precision mediump float; uniform sampler2D t; varying vec2 uv; void main() { gl_FragColor = "
        "texture2D(t, uv) * " +
        factor + "; }";
    const GLuint
        v = shader(
            GL_VERTEX_SHADER,
            "attribute vec2 a; varying vec2 uv; void main() { gl_Position = vec4(a, 0.0, 1.0); uv = a; }"),
        f = shader(GL_FRAGMENT_SHADER, fragment.c_str());
    glAttachShader(p, v);
    glAttachShader(p, f);
    glBindAttribLocation(p, 0, "a");
    glLinkProgram(p);
    glDeleteShader(v);
    glDeleteShader(f);
    return p;
}

void upload_all(EGLDisplay dpy, EGLContext context, Channel* out) {
    eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
    std::vector<unsigned char> pixels(size_t(kSize_px) * kSize_px * 4);
    for (int i = 0; i < kUploads; ++i) {
        Upload u{0, nullptr, static_cast<unsigned char>(3 * i + 5)};
        std::fill(pixels.begin(), pixels.end(), u.value);
        glGenTextures(1, &u.texture);
        glBindTexture(GL_TEXTURE_2D, u.texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSize_px, kSize_px, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels.data());
        u.ready = eglCreateSync(dpy, EGL_SYNC_FENCE, nullptr);
        glFlush();
        out->put(u);
    }
    eglReleaseThread();
}

/// The number of pictures that equal the uploaded ones.
int draw_all(EGLDisplay dpy, EGLContext context, EGLSurface surface, Channel* in) {
    eglMakeCurrent(dpy, surface, surface, context);
    const GLuint p = program("1.0");
    glUseProgram(p);
    static const float kTriangle[] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kTriangle);
    glEnableVertexAttribArray(0);
    int right = 0;
    for (int i = 0; i < kUploads; ++i) {
        const Upload u = in->take();
        if (i % 2)
            eglWaitSync(dpy, u.ready, 0);
        else
            eglClientWaitSync(dpy, u.ready, 0, EGL_FOREVER);
        eglDestroySync(dpy, u.ready);
        glBindTexture(GL_TEXTURE_2D, u.texture);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glDeleteTextures(1, &u.texture);  // the draw keeps it alive
        unsigned char out[4] = {};
        glReadPixels(i % kSize_px, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, out);
        right += out[0] == u.value && out[3] == u.value;
    }
    right += glGetError() == GL_NO_ERROR;
    eglReleaseThread();
    return right;
}

}  // namespace

TEST_CASE_FIXTURE(fixture::Display, "share group: uploads, draws and links each in its own thread") {
    const EGLConfig c = config({EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8});
    const EGLContext uploader = context(c), drawer = context(c, uploader), linker = context(c, drawer);
    const EGLSurface surface = pbuffer(c, kSize_px, kSize_px);
    Channel channel;
    int right = 0, linked = 0;
    std::thread upload([&] { upload_all(dpy, uploader, &channel); });
    std::thread draw([&] { right = draw_all(dpy, drawer, surface, &channel); });
    std::thread link([&] {
        eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, linker);
        for (int i = 0; i < 8; ++i) {
            const GLuint p = program(std::to_string(i) + ".5");
            GLint ok = 0;
            glGetProgramiv(p, GL_LINK_STATUS, &ok);
            linked += ok;
            glDeleteProgram(p);
        }
        eglReleaseThread();
    });
    upload.join();
    // The group's first context may be destroyed before the others have finished with its objects.
    CHECK(eglDestroyContext(dpy, uploader));
    link.join();
    draw.join();
    CHECK(right == kUploads + 1);
    CHECK(linked == 8);
    CHECK(eglDestroySurface(dpy, surface));
    CHECK(eglDestroyContext(dpy, drawer));
    CHECK(eglDestroyContext(dpy, linker));
}

TEST_CASE("share group: contexts, surfaces and the display end while threads draw") {
    for (int order = 0; order < 6; ++order) {
        fixture::Display display;
        const EGLDisplay dpy = display.dpy;
        const EGLConfig c = display.config({EGL_RED_SIZE, 8});
        const EGLContext first = display.context(c), second = display.context(c, first);
        const EGLSurface surface[2] = {display.pbuffer(c, kSize_px, kSize_px),
                                       display.pbuffer(c, kSize_px, kSize_px)};
        std::atomic<int> drawing{0};
        std::atomic<bool> stop{false};
        const auto work = [&](EGLContext context, EGLSurface s) {
            eglMakeCurrent(dpy, s, s, context);
            const GLuint p = program("0.5");
            glUseProgram(p);
            static const float kTriangle[] = {-1, -1, 3, -1, -1, 3};
            glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kTriangle);
            glEnableVertexAttribArray(0);
            ++drawing;
            while (!stop) {
                glClear(GL_COLOR_BUFFER_BIT);
                glDrawArrays(GL_TRIANGLES, 0, 3);
                glFlush();
            }
            glFinish();
            if (order % 2) eglReleaseThread();  // otherwise the thread's end does it
        };
        std::thread a(work, first, surface[0]), b(work, second, surface[1]);
        while (drawing < 2)
            std::this_thread::yield();
        // All of them are in use: they end when the threads release them.
        if (order / 2 == 0) CHECK(eglDestroyContext(dpy, first));
        if (order / 2 <= 1) {
            CHECK(eglDestroySurface(dpy, surface[0]));
            CHECK(eglDestroyContext(dpy, second));
        }
        if (order / 2 == 2) CHECK(eglTerminate(dpy));
        stop = true;
        a.join();
        b.join();
        if (order / 2 == 2) CHECK(eglInitialize(dpy, nullptr, nullptr));
    }
}
