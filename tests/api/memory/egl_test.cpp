// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL if malloc fails permanently from its k-th call on: errors, no abort, no leak.
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "tests/api/memory/failing_malloc.h"

namespace {

EGLDisplay display() {
    return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
}

template <class F>
F proc(const char* name) {
    return reinterpret_cast<F>(eglGetProcAddress(name));
}

/// A whole lifetime, in which any call may fail. True if all calls succeeded.
bool live() {
    const EGLDisplay d = display();
    bool good = d && eglInitialize(d, nullptr, nullptr);
    const EGLint want[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_DEPTH_SIZE, 24,
        EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE},
                 size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint n = 0;
    good = eglChooseConfig(d, want, &config, 1, &n) && n && good;
    const EGLContext context = eglCreateContext(d, config, EGL_NO_CONTEXT, version);
    const EGLContext shared = eglCreateContext(d, config, context, version);
    const EGLSurface surface = eglCreatePbufferSurface(d, config, size);
    good = context && shared && surface && good;
    good = eglMakeCurrent(d, surface, surface, context) && good;
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    good = eglMakeCurrent(d, surface, surface, shared) && good;
    glClear(GL_DEPTH_BUFFER_BIT);
    good = eglMakeCurrent(d, surface, surface, context) && good;
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const EGLAttrib none[] = {EGL_NONE};
    const EGLImage image =
        eglCreateImage(d, context, EGL_GL_TEXTURE_2D, EGLClientBuffer(uintptr_t(texture)), none);
    const EGLSync sync = eglCreateSync(d, EGL_SYNC_FENCE, none);
    good = image && sync && good;
    good = eglClientWaitSync(d, sync, EGL_SYNC_FLUSH_COMMANDS_BIT, EGL_FOREVER) == EGL_CONDITION_SATISFIED &&
           good;
    good = eglWaitSync(d, sync, 0) && good;
    good = eglSwapBuffers(d, surface) && good;
    good = eglWaitClient() && good;
    GLubyte pixel[4] = {};
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    good = pixel[1] == 255 && glGetError() == GL_NO_ERROR && good;
    good = eglDestroySync(d, sync) && good;
    good = eglDestroyImage(d, image) && good;
    good = eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) && good;
    good = eglDestroySurface(d, surface) && good;
    good = eglDestroyContext(d, shared) && good;
    good = eglDestroyContext(d, context) && good;
    good = eglTerminate(d) && good;
    return eglReleaseThread() && good;
}

void sweep(const no_memory::Scene& s, long all, long step, long at_least) {
    long refused = 0;
    const std::string wrong = no_memory::sweep(s, all, step, &refused);
    CHECK_MESSAGE(wrong.empty(), wrong);
    CHECK(refused >= at_least);
}

}  // namespace

TEST_CASE("no memory: any EGL call may be the first one to fail") {
    const EGLDisplay bad = EGLDisplay(uintptr_t(0x1234));
    const EGLContext c = EGLContext(uintptr_t(0x1234));
    const EGLSurface s = EGLSurface(uintptr_t(0x1234));
    EGLint n = 0;
    EGLAttrib a = 0;
    const std::vector<std::function<void()>> calls = {
        [&] { (void)eglGetError(); },
        [&] { (void)eglGetDisplay(EGL_DEFAULT_DISPLAY); },
        [&] { (void)eglGetPlatformDisplay(0x7777, nullptr, nullptr); },
        [&] { (void)display(); },
        [&] { (void)eglInitialize(bad, nullptr, nullptr); },
        [&] { (void)eglTerminate(bad); },
        [&] { (void)eglQueryString(bad, EGL_VENDOR); },
        [&] { (void)eglQueryString(bad, 0x7777); },
        [&] { (void)eglGetConfigs(bad, nullptr, 0, &n); },
        [&] { (void)eglChooseConfig(bad, nullptr, nullptr, 0, &n); },
        [&] { (void)eglGetConfigAttrib(bad, nullptr, EGL_RED_SIZE, &n); },
        [&] { (void)eglBindAPI(0x7777); },
        [&] { (void)eglQueryAPI(); },
        [&] { (void)eglReleaseThread(); },
        [&] { (void)eglCreateContext(bad, nullptr, EGL_NO_CONTEXT, nullptr); },
        [&] { (void)eglDestroyContext(bad, c); },
        [&] { (void)eglMakeCurrent(bad, s, s, c); },
        [&] { (void)eglQueryContext(bad, c, EGL_CONFIG_ID, &n); },
        [&] { (void)eglGetCurrentContext(); },
        [&] { (void)eglGetCurrentDisplay(); },
        [&] { (void)eglGetCurrentSurface(0x7777); },
        [&] { (void)eglWaitClient(); },
        [&] { (void)eglWaitGL(); },
        [&] { (void)eglWaitNative(0x7777); },
        [&] { (void)eglCreatePbufferSurface(bad, nullptr, nullptr); },
        [&] { (void)eglCreatePixmapSurface(bad, nullptr, EGLNativePixmapType(0), nullptr); },
        [&] { (void)eglCreateWindowSurface(bad, nullptr, EGLNativeWindowType(0), nullptr); },
        [&] { (void)eglCreatePbufferFromClientBuffer(bad, 0x7777, nullptr, nullptr, nullptr); },
        [&] { (void)eglDestroySurface(bad, s); },
        [&] { (void)eglSurfaceAttrib(bad, s, 0x7777, 1); },
        [&] { (void)eglQuerySurface(bad, s, EGL_WIDTH, &n); },
        [&] { (void)eglBindTexImage(bad, s, EGL_BACK_BUFFER); },
        [&] { (void)eglReleaseTexImage(bad, s, EGL_BACK_BUFFER); },
        [&] { (void)eglCopyBuffers(bad, s, EGLNativePixmapType(0)); },
        [&] { (void)eglSwapInterval(bad, 1); },
        [&] { (void)eglSwapBuffers(bad, s); },
        [&] { (void)eglCreateSync(bad, EGL_SYNC_FENCE, nullptr); },
        [&] { (void)eglDestroySync(bad, nullptr); },
        [&] { (void)eglClientWaitSync(bad, nullptr, 0, 0); },
        [&] { (void)eglWaitSync(bad, nullptr, 0); },
        [&] { (void)eglGetSyncAttrib(bad, nullptr, EGL_SYNC_TYPE, &a); },
        [&] { (void)eglCreateImage(bad, c, EGL_GL_TEXTURE_2D, nullptr, nullptr); },
        [&] { (void)eglDestroyImage(bad, nullptr); },
        [&] { (void)eglGetProcAddress("eglNothing"); },
        [&] { glClear(GL_COLOR_BUFFER_BIT); },
        [&] { (void)glGetError(); },
    };
    // The pointers were looked up while there was memory, by libEGL's trampolines.
    const auto devices = proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    const auto device_text = proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    const auto control = proc<PFNEGLDEBUGMESSAGECONTROLKHRPROC>("eglDebugMessageControlKHR");
    const auto label = proc<PFNEGLLABELOBJECTKHRPROC>("eglLabelObjectKHR");
    std::vector<std::function<void()>> all = calls;
    all.push_back([&] { (void)devices(0, nullptr, &n); });
    all.push_back([&] { (void)device_text(bad, EGL_EXTENSIONS); });
    all.push_back([&] { (void)control(nullptr, nullptr); });
    all.push_back([&] { (void)label(bad, 0x7777, nullptr, nullptr); });
    for (size_t i = 0; i < all.size(); ++i) {
        CAPTURE(i);
        no_memory::Scene scene{
            "a first call", {}, [&] { all[i](); }, [] { return eglReleaseThread() == EGL_TRUE; }};
        long refused = 0;
        const std::string wrong = no_memory::sweep(scene, 0, 1'000'000, &refused);
        CHECK_MESSAGE((wrong.empty() || wrong == "there is no end"), wrong);
    }
}

TEST_CASE("no memory: EGL, from each allocation of its life on") {
    sweep({"EGL's life", {}, [] { (void)live(); }, [] { return live(); }}, 150, 5, 100);
}

TEST_CASE("no memory: a thread that ends with a context current, and its first call without memory") {
    const auto run = [] {
        // The thread is created while there is memory.
        const bool armed = no_memory::disarm();
        std::thread([] {
            const EGLDisplay d = display();
            const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
            if (!eglInitialize(d, nullptr, nullptr)) return;
            const EGLContext c = eglCreateContext(d, nullptr, EGL_NO_CONTEXT, version);
            no_memory::arm(0);
            if (eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c)) glClear(GL_COLOR_BUFFER_BIT);
            (void)eglDestroyContext(d, c);
        }).join();
        (void)armed;
    };
    sweep({"a thread's end", {}, run, [] { return live(); }}, 0, 1'000'000, 0);
}
