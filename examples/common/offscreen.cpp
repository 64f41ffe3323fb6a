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

}  // namespace

OffscreenDisplay::OffscreenDisplay() {
    // EGL 1.5's way to say "no window system at all". eglGetDisplay(EGL_DEFAULT_DISPLAY) would take a Wayland
    // server if one is there.
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display_ == EGL_NO_DISPLAY) fail("eglGetPlatformDisplay");
    if (!eglInitialize(display_, nullptr, nullptr)) fail("eglInitialize");
}

OffscreenDisplay::~OffscreenDisplay() {
    eglTerminate(display_);
    eglReleaseThread();
}

OffscreenContext::OffscreenContext(const OffscreenDisplay& display, int width, int height)
    : display_(display.handle()) {
    const EGLint config_wanted[] = {EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT,
                                    EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_ES2_BIT,
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
    if (!eglChooseConfig(display_, config_wanted, &config, 1, &count) || count == 0) fail("eglChooseConfig");

    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
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
