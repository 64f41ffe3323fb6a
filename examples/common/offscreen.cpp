// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL without a window.
#include "examples/common/offscreen.h"

#include <EGL/eglext.h>

#include <cstdio>
#include <cstdlib>

namespace example {
namespace {

[[noreturn]] void fail(const char* call) {
    std::fprintf(stderr, "%s failed: EGL error 0x%04x\n", call, unsigned(eglGetError()));
    std::exit(1);
}

/// Null: no config has this version.
EGLConfig choose_config(EGLDisplay display, int version) {
    const EGLint config_wanted[] = {EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT,
                                    EGL_RENDERABLE_TYPE,
                                    version < 20   ? EGL_OPENGL_ES_BIT
                                    : version < 30 ? EGL_OPENGL_ES2_BIT
                                                   : EGL_OPENGL_ES3_BIT,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_GREEN_SIZE,
                                    8,
                                    EGL_BLUE_SIZE,
                                    8,
                                    EGL_ALPHA_SIZE,
                                    8,
                                    EGL_DEPTH_SIZE,
                                    24,
                                    EGL_STENCIL_SIZE,
                                    8,
                                    EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, config_wanted, &config, 1, &count)) fail("eglChooseConfig");
    return config;
}

EGLContext create_context(EGLDisplay display, EGLConfig config, int version) {
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, version / 10, EGL_CONTEXT_MINOR_VERSION, version % 10,
                             EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, wanted);
}

}  // namespace

OffscreenDisplay::OffscreenDisplay() {
    // EGL 1.5's method to use no window system at all. eglGetDisplay(EGL_DEFAULT_DISPLAY) would use a Wayland
    // server if one runs.
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display_ == EGL_NO_DISPLAY) fail("eglGetPlatformDisplay");
    if (!eglInitialize(display_, nullptr, nullptr)) fail("eglInitialize");
}

OffscreenDisplay::~OffscreenDisplay() {
    eglTerminate(display_);
    eglReleaseThread();
}

bool OffscreenDisplay::has_version(int version) const {
    const EGLConfig config = choose_config(display_, version);
    const EGLContext context = config ? create_context(display_, config, version) : EGL_NO_CONTEXT;
    if (context == EGL_NO_CONTEXT) return (void)eglGetError(), false;
    eglDestroyContext(display_, context);
    return true;
}

OffscreenContext::OffscreenContext(const OffscreenDisplay& display, int width, int height, int version)
    : display_(display.handle()) {
    const EGLConfig config = choose_config(display_, version);
    if (!config) fail("eglChooseConfig");
    context_ = create_context(display_, config, version);
    if (context_ == EGL_NO_CONTEXT) fail("eglCreateContext");
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display_, config, size);
    if (surface_ == EGL_NO_SURFACE) fail("eglCreatePbufferSurface");
    if (!eglMakeCurrent(display_, surface_, surface_, context_)) fail("eglMakeCurrent");
}

OffscreenContext::~OffscreenContext() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(display_, surface_);
    eglDestroyContext(display_, context_);
}

}  // namespace example
