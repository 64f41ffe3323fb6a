// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's state of a thread, and the reporting of errors: eglGetError and EGL_KHR_debug.
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
/// Never fails or allocates. The current context and surfaces are released when the thread ends.
[[nodiscard]] ThreadState& thread_state();

/// Makes this the thread's current context and surfaces (all null: none), and flushes the old context. Throws
/// std::bad_alloc, after nothing but the flush; with nulls it never throws.
void bind_current(ThreadState& t, pipe::Ref<Context> context, pipe::Ref<Surface> draw,
                  pipe::Ref<Surface> read);

/// Sets the thread's error and sends it to EGL_KHR_debug, or with TERRAZZO_DEBUG=egl to stderr. Does not
/// allocate, since it reports exhausted memory as well.
void set_error(EGLint code, const char* command, EGLLabelKHR object, const char* message);
/// Reports a warning about a call that succeeds in the same way (EGL_DEBUG_MSG_WARN_KHR).
void tell_warning(const char* command, EGLLabelKHR object, const char* message);
inline void succeed() {
    thread_state().error = EGL_SUCCESS;
}

/// EGL_KHR_debug's callback state, which is global by the extension.
EGLint debug_control(EGLDEBUGPROCKHR callback, const EGLAttrib* attributes);
[[nodiscard]] bool debug_query(EGLint attribute, EGLAttrib* value);

}  // namespace terrazzo::egl
