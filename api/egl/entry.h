// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared code at the beginning and end of every egl* function.
#pragma once

#include <new>
#include <string>

#include "api/egl/thread.h"

namespace terrazzo::egl {

/// One call of an EGL function: looks up its display, holds the lock, reports the error.
class Call {
  public:
    explicit Call(const char* command) : command_(command) {}
    /// Finds the display, which must be initialized unless `uninitialised_too`. False: the error is set.
    [[nodiscard]] bool open(EGLDisplay dpy, bool uninitialised_too = false) {
        display_ = find_display(dpy);
        if (!display_)
            return fail(EGL_BAD_DISPLAY,
                        "the display is not one that eglGetDisplay or eglGetPlatformDisplay gave");
        object_ = display_->label;
        lock_ = std::unique_lock(display_->mutex);
        if (!display_->initialized && !uninitialised_too)
            return fail(EGL_NOT_INITIALIZED, "the display is not initialized");
        return true;
    }
    /// Messages are literals where possible: composing one may fail, and that failure is then the error.
    bool fail(EGLint code, const char* message) {
        set_error(code, command_, object_, message);
        return false;
    }
    bool fail(EGLint code, const std::string& message) { return fail(code, message.c_str()); }
    /// Sends a warning about a call that succeeds.
    void warn(const std::string& message) { tell_warning(command_, object_, message.c_str()); }
    /// Clears the error and returns EGL_TRUE.
    EGLBoolean done() {
        succeed();
        return EGL_TRUE;
    }
    [[nodiscard]] Context* context(EGLContext handle) {
        Context* c = display_->contexts.find(handle);
        if (c)
            object_ = c->label;
        else
            fail(EGL_BAD_CONTEXT, "the context is not one of this display's");
        return c;
    }
    [[nodiscard]] Surface* surface(EGLSurface handle) {
        Surface* s = display_->surfaces.find(handle);
        if (s)
            object_ = s->label;
        else
            fail(EGL_BAD_SURFACE, "the surface is not one of this display's");
        return s;
    }
    [[nodiscard]] const Config* config(EGLConfig handle) {
        const Config* c = display_->find_config(handle);
        if (!c) fail(EGL_BAD_CONFIG, "the config is not one of this display's");
        return c;
    }
    void unlock() { lock_.unlock(); }
    Display& display() { return *display_; }

  private:
    const char* command_;
    EGLLabelKHR object_ = nullptr;
    Display* display_ = nullptr;
    std::unique_lock<std::recursive_mutex> lock_;
};

template <class R>
R out_of_memory(const char* command, R failed) {
    set_error(EGL_BAD_ALLOC, command, nullptr, "out of memory");
    return failed;
}

/// Runs an entry point's body. Out of memory becomes EGL_BAD_ALLOC and `failed`. Every entry point that may
/// allocate uses this, or has its own handler around the whole body, so nothing is thrown to the program.
template <class R, class F>
R guarded(const char* command, R failed, F&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return out_of_memory(command, failed);
    }
}

/// Converts a list of EGLint attributes to EGLAttrib.
[[nodiscard]] inline std::vector<EGLAttrib> widen(const EGLint* list) {
    std::vector<EGLAttrib> out;
    for (; list && *list != EGL_NONE; list += 2) {
        out.push_back(list[0]);
        out.push_back(list[1]);
    }
    out.push_back(EGL_NONE);
    return out;
}

}  // namespace terrazzo::egl
