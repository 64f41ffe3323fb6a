// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Too few descriptors for EGL: a window on a Wayland server that accepts dma-bufs, frames, fences, and images
// that are exported and imported. The server is in the parent process, which has enough descriptors. It must
// get all frames, none of them copied, with the right pixels.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <doctest/doctest.h>

#include <sys/mman.h>

#include <cstring>
#include <memory>

#include "tests/api/descriptors/starve.h"
#include "tests/winsys/wayland_app.h"

using namespace terrazzo::test;

namespace {

template <class F>
F proc(const char* name) {
    return reinterpret_cast<F>(eglGetProcAddress(name));
}
#define EXTENSION(type, name) const auto name = proc<type>(#name)
EXTENSION(PFNEGLCREATESYNCKHRPROC, eglCreateSyncKHR);
EXTENSION(PFNEGLDESTROYSYNCKHRPROC, eglDestroySyncKHR);
EXTENSION(PFNEGLWAITSYNCKHRPROC, eglWaitSyncKHR);
EXTENSION(PFNEGLDUPNATIVEFENCEFDANDROIDPROC, eglDupNativeFenceFDANDROID);
EXTENSION(PFNEGLCREATEIMAGEKHRPROC, eglCreateImageKHR);
EXTENSION(PFNEGLDESTROYIMAGEKHRPROC, eglDestroyImageKHR);
EXTENSION(PFNGLEGLIMAGETARGETTEXTURE2DOESPROC, glEGLImageTargetTexture2DOES);

constexpr int kFrames = 4, kImage_px = 64;
constexpr uint8_t kImageByte = 77;
constexpr uint32_t kColors[kFrames] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff};

std::string egl_error() {
    const EGLint e = eglGetError();
    if (e == EGL_SUCCESS) return "";
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", unsigned(e));
    return text;
}

GLuint g_program;

/// A program whose colour is a uniform, drawn as one large triangle. False if glLinkProgram failed.
bool link_program() {
    static constexpr const char* kVertex =
        "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }";
    static constexpr const char* kFragment =
        "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }";
    const GLuint shaders[] = {glCreateShader(GL_VERTEX_SHADER), glCreateShader(GL_FRAGMENT_SHADER)};
    glShaderSource(shaders[0], 1, &kVertex, nullptr);
    glShaderSource(shaders[1], 1, &kFragment, nullptr);
    g_program = glCreateProgram();
    for (const GLuint s : shaders) {
        glCompileShader(s);
        glAttachShader(g_program, s);
        glDeleteShader(s);
    }
    glBindAttribLocation(g_program, 0, "p");
    glLinkProgram(g_program);
    GLint linked = 0;
    glGetProgramiv(g_program, GL_LINK_STATUS, &linked);
    return linked;
}

std::string link_error() {
    char log[200] = "";
    glGetProgramInfoLog(g_program, sizeof log, nullptr, log);
    return log;
}

void draw(uint32_t color) {
    static constexpr float kTriangle[] = {-1, -1, 3, -1, -1, 3};
    glUseProgram(g_program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kTriangle);
    glEnableVertexAttribArray(0);
    glUniform4f(glGetUniformLocation(g_program, "c"), float(color >> 16 & 255) / 255,
                float(color >> 8 & 255) / 255, float(color & 255) / 255, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// A substitute for a dma-buf: a sealed memfd.
int create_memory() {
    const int fd = memfd_create("image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    std::vector<uint8_t> bytes(kImage_px * kImage_px * 4, kImageByte);
    if (write(fd, bytes.data(), bytes.size()) != ssize_t(bytes.size()) ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        std::abort();
    return fd;
}

struct Scene {
    starve::Hunger& hunger;
    App& app;
    int memory;  // the memory of an image to import
    EGLDisplay dpy = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;
    EGLSurface surface = EGL_NO_SURFACE;
    EGLContext context = EGL_NO_CONTEXT;

    void call(const char* what, const std::function<bool()>& run) { hunger.call(what, run, egl_error); }
    void open();
    void frames();
    void fences();
    void images();
    void close_all();
};

void Scene::open() {
    call("eglGetPlatformDisplay", [&] {
        return (dpy = eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, app.display, nullptr)) !=
               EGL_NO_DISPLAY;
    });
    call("eglInitialize", [&] { return eglInitialize(dpy, nullptr, nullptr); });
    const EGLint wanted[] = {EGL_RED_SIZE,       8,       EGL_ALPHA_SIZE, 8, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT, EGL_NONE};
    EGLint n = 0;
    call("eglChooseConfig", [&] { return eglChooseConfig(dpy, wanted, &config, 1, &n) && n == 1; });
    call("eglCreateWindowSurface", [&] {
        return (surface = eglCreatePlatformWindowSurface(dpy, config, app.native, nullptr)) != EGL_NO_SURFACE;
    });
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    call("eglCreateContext", [&] {
        return (context = eglCreateContext(dpy, config, EGL_NO_CONTEXT, version)) != EGL_NO_CONTEXT;
    });
    call("eglMakeCurrent", [&] { return eglMakeCurrent(dpy, surface, surface, context); });
    eglSwapInterval(dpy, 0);
    hunger.call("glLinkProgram", link_program, link_error);
}

void Scene::frames() {
    GLenum gl_error = GL_NO_ERROR;
    for (const uint32_t color : kColors) {
        // A draw needs a buffer of the window. The only GL error for this is GL_OUT_OF_MEMORY.
        hunger.call(
            "a draw",
            [&] {
                draw(color);
                gl_error = glGetError();
                return gl_error == GL_NO_ERROR;
            },
            [&] { return gl_error == GL_OUT_OF_MEMORY ? std::string("GL_OUT_OF_MEMORY") : ""; });
        call("eglSwapBuffers", [&] { return eglSwapBuffers(dpy, surface); });
    }
}

void Scene::fences() {
    if (!std::strstr(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_ANDROID_native_fence_sync")) return;
    EGLSyncKHR sync = EGL_NO_SYNC_KHR;
    call("eglCreateSync(native fence)", [&] {
        return (sync = eglCreateSyncKHR(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, nullptr)) != EGL_NO_SYNC_KHR;
    });
    glFlush();
    int fd = -1;
    call("eglDupNativeFenceFD", [&] { return (fd = eglDupNativeFenceFDANDROID(dpy, sync)) >= 0; });
    eglDestroySyncKHR(dpy, sync);
    const EGLint of_fd[] = {EGL_SYNC_NATIVE_FENCE_FD_ANDROID, fd, EGL_NONE};
    call("eglCreateSync(of a descriptor)", [&] {
        return (sync = eglCreateSyncKHR(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, of_fd)) != EGL_NO_SYNC_KHR;
    });
    call("eglWaitSync", [&] { return eglWaitSyncKHR(dpy, sync, 0) == EGL_TRUE; });
    eglDestroySyncKHR(dpy, sync);  // closes the descriptor
}

void Scene::images() {
    const EGLint list[] = {EGL_WIDTH,
                           kImage_px,
                           EGL_HEIGHT,
                           kImage_px,
                           EGL_LINUX_DRM_FOURCC_EXT,
                           EGLint(kAR24),
                           EGL_DMA_BUF_PLANE0_FD_EXT,
                           memory,
                           EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                           0,
                           EGL_DMA_BUF_PLANE0_PITCH_EXT,
                           kImage_px * 4,
                           EGL_NONE};
    EGLImageKHR image = EGL_NO_IMAGE_KHR;
    call("eglCreateImage(a dma-buf)", [&] {
        image = eglCreateImageKHR(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, list);
        return image != EGL_NO_IMAGE_KHR;
    });
    GLuint texture = 0, frame = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    uint8_t read[4] = {};
    glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, read);
    if (read[0] != kImageByte || glGetError() != GL_NO_ERROR)
        starve::Hunger::fail("the image", "has other pixels");
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &frame);
    glDeleteTextures(1, &texture);
    eglDestroyImageKHR(dpy, image);
}

void Scene::close_all() {
    if (wl_display_get_error(app.display) != 0) starve::Hunger::fail("the connection", "is broken");
    eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(dpy, surface);
    eglDestroyContext(dpy, context);
    if (!eglTerminate(dpy)) starve::Hunger::fail("eglTerminate", egl_error());
    eglReleaseThread();
    wl_display_roundtrip(app.display);
}

bool judge(WaylandServer& server) {
    const std::vector<Commit> commits = server.commits();
    bool well = commits.size() == kFrames;
    for (size_t i = 0; well && i < commits.size(); ++i)
        well = commits[i].shared && commits[i].words.at(0) == kColors[i];
    if (well) return true;
    std::printf("FAILED: %zu frames:", commits.size());
    for (const Commit& c : commits)
        std::printf(" %s %08x", c.shared ? "shared" : "copied", c.words.at(0));
    std::printf("\n");
    return false;
}

}  // namespace

TEST_CASE("few descriptors: EGL on a window of Wayland") {
    std::unique_ptr<WaylandServer> server;
    ServerOptions options;
    options.dmabuf.version = 4;
    options.dmabuf.tranches = {{.formats = {{kAR24, 0}, {kXR24, 0}}}};
    const int status = starve::for_each_limit(
        [&] {
            server.reset();
            server = std::make_unique<WaylandServer>(options);
        },
        [&](starve::Hunger& hunger) {
            App app(*server);
            const int memory = create_memory();
            hunger.begin();
            Scene s{hunger, app, memory};
            s.open();
            s.frames();
            s.fences();
            s.images();
            s.close_all();
            close(memory);
        },
        [&] { return judge(*server); });
    CHECK(status == 0);
}
