// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's state of a thread, and how errors leave EGL: eglGetError plus EGL_KHR_debug.
#pragma once

#include <string>

#include "api/egl/display.h"

namespace terrazzo::egl {

struct ThreadState {
    EGLint error = EGL_SUCCESS;
    EGLenum api = EGL_OPENGL_ES_API;
    pipe::Ref<Context> context;
    pipe::Ref<Surface> draw, read;
    EGLLabelKHR label = nullptr;
};
/// Never fails, and allocates nothing. What is current is released when the thread ends.
[[nodiscard]] ThreadState& thread_state();

/// Makes this the thread's current context and surfaces (all null: none), flushing the old one. Throws std::bad_alloc, and then nothing
/// but the flush was done; with nulls it throws nothing.
void bind_current(ThreadState& t, pipe::Ref<Context> context, pipe::Ref<Surface> draw,
                  pipe::Ref<Surface> read);

/// Sets the thread's error and tells EGL_KHR_debug (else, with TERRAZZO_DEBUG=egl, stderr). Allocates nothing: an error may come for want
/// of memory.
void set_error(EGLint code, const char* command, EGLLabelKHR object, const char* message);
/// A warning about a call that succeeds, to the same (EGL_DEBUG_MSG_WARN_KHR).
void tell_warning(const char* command, EGLLabelKHR object, const char* message);
inline void succeed() {
    thread_state().error = EGL_SUCCESS;
}

/// EGL_KHR_debug's callback state (global, as the extension says).
EGLint debug_control(EGLDEBUGPROCKHR callback, const EGLAttrib* attributes);
[[nodiscard]] bool debug_query(EGLint attribute, EGLAttrib* value);

}  // namespace terrazzo::egl
