// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/try_context.h"

#include <cstdio>

namespace terrazzo::command {
namespace {

/// Null: the display has none.
EGLConfig pbuffer_config(const Egl& egl, EGLDisplay display) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_NONE};
    const auto choose = find_function<decltype(&eglChooseConfig)>(egl, "eglChooseConfig");
    EGLConfig config = nullptr;
    EGLint count = 0;
    return choose && choose(display, wanted, &config, 1, &count) && count == 1 ? config : nullptr;
}

}  // namespace

EGLAttrib display_attribute(const Egl& egl, EGLDisplay display, EGLint attribute) {
    const auto query = find_function<PFNEGLQUERYDISPLAYATTRIBEXTPROC>(egl, "eglQueryDisplayAttribEXT");
    EGLAttrib value = 0;
    return query && query(display, attribute, &value) ? value : 0;
}

TryContext::~TryContext() {
    if (!context_) return;
    egl_.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl_.DestroyContext(display_, context_);
    const auto destroy = find_function<decltype(&eglDestroySurface)>(egl_, "eglDestroySurface");
    if (pbuffer_ && destroy) destroy(display_, pbuffer_);
}

bool TryContext::create_for(EGLConfig config, EGLSurface surface, std::string* why) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    context_ = egl_.CreateContext(display_, config, EGL_NO_CONTEXT, attributes);
    if (context_ && egl_.MakeCurrent(display_, surface, surface, context_)) return true;
    *why = "an OpenGL ES 2 context cannot be made current";
    return false;
}

bool TryContext::create(std::string* why) {
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    const EGLConfig config = pbuffer_config(egl_, display_);
    const auto create_pbuffer =
        find_function<decltype(&eglCreatePbufferSurface)>(egl_, "eglCreatePbufferSurface");
    if (config && create_pbuffer) pbuffer_ = create_pbuffer(display_, config, size);
    return create_for(pbuffer_ ? config : EGL_NO_CONFIG_KHR, pbuffer_, why);
}

bool TryContext::draws(std::string* why) const {
    if (!pbuffer_) return true;
    const auto clear_color = find_function<decltype(&glClearColor)>(egl_, "glClearColor");
    const auto clear = find_function<decltype(&glClear)>(egl_, "glClear");
    const auto read_pixels = find_function<decltype(&glReadPixels)>(egl_, "glReadPixels");
    if (!clear_color || !clear || !read_pixels) {
        *why = "OpenGL ES has not its functions";
        return false;
    }
    unsigned char p[4] = {};
    clear_color(0.2f, 0.4f, 0.6f, 1);
    clear(GL_COLOR_BUFFER_BIT);
    read_pixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    if (p[0] == 51 && p[1] == 102 && p[2] == 153) return true;
    char text[96];
    std::snprintf(text, sizeof text, "a pixel that was cleared to 51 102 153 reads as %d %d %d", p[0], p[1],
                  p[2]);
    *why = text;
    return false;
}

std::string TryContext::text(GLenum name) const {
    const auto get = find_function<decltype(&glGetString)>(egl_, "glGetString");
    const GLubyte* const s = get ? get(name) : nullptr;
    return s ? reinterpret_cast<const char*>(s) : "";
}

}  // namespace terrazzo::command
