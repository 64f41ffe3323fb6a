// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/egl/thread.h"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <type_traits>

#include "api/gl/entry.h"
#include "api/gl/thread_end.h"
#include "pipe/debug.h"

namespace terrazzo::egl {
namespace {

struct Debug {
    std::mutex mutex;
    EGLDEBUGPROCKHR callback = nullptr;
    // Initial values of EGL_KHR_debug: critical and error messages are enabled.
    bool critical = true, error = true, warn = false, info = false;
};
/// Initialized statically and never destroyed: error reports need it without memory, and while the process
/// exits.
static_assert(std::is_trivially_destructible_v<Debug>);
constinit Debug g_debug;
Debug& debug() {
    return g_debug;
}

const char* error_name(EGLint code) {
    switch (code) {
        case EGL_SUCCESS:
            return "EGL_SUCCESS";
        case EGL_NOT_INITIALIZED:
            return "EGL_NOT_INITIALIZED";
        case EGL_BAD_ACCESS:
            return "EGL_BAD_ACCESS";
        case EGL_BAD_ALLOC:
            return "EGL_BAD_ALLOC";
        case EGL_BAD_ATTRIBUTE:
            return "EGL_BAD_ATTRIBUTE";
        case EGL_BAD_CONFIG:
            return "EGL_BAD_CONFIG";
        case EGL_BAD_CONTEXT:
            return "EGL_BAD_CONTEXT";
        case EGL_BAD_CURRENT_SURFACE:
            return "EGL_BAD_CURRENT_SURFACE";
        case EGL_BAD_DISPLAY:
            return "EGL_BAD_DISPLAY";
        case EGL_BAD_MATCH:
            return "EGL_BAD_MATCH";
        case EGL_BAD_NATIVE_PIXMAP:
            return "EGL_BAD_NATIVE_PIXMAP";
        case EGL_BAD_NATIVE_WINDOW:
            return "EGL_BAD_NATIVE_WINDOW";
        case EGL_BAD_PARAMETER:
            return "EGL_BAD_PARAMETER";
        case EGL_BAD_SURFACE:
            return "EGL_BAD_SURFACE";
        case EGL_BAD_DEVICE_EXT:
            return "EGL_BAD_DEVICE_EXT";
        default:
            return "EGL error";
    }
}

}  // namespace

namespace {

/// Storage instead of an object with a destructor: a thread's first call allocates nothing (gl/thread_end.h).
alignas(ThreadState) thread_local constinit std::byte t_state[sizeof(ThreadState)]
    __attribute__((tls_model("initial-exec"))) = {};
thread_local constinit bool t_made __attribute__((tls_model("initial-exec"))) = false;

void end_thread() {
    ThreadState& t = thread_state();
    // The end of the main thread is that of the process: work that never ends must not delay it.
    if (t.context && getpid() == gettid()) t.context->gl->abandon();
    bind_current(t, nullptr, nullptr, nullptr);
}

/// Flushes a context that stops being current. Without memory, the work stays recorded, and the context gets
/// an error.
void flush_released(Context& c) {
    // Nothing can wait for its work any more.
    if (c.destroyed) c.gl->abandon();
    if (!c.destroyed && !c.gl->config.flush_on_release) return;
    try {
        c.gl->flush();
    } catch (const std::bad_alloc&) {
        c.gl->out_of_memory("eglMakeCurrent");
    }
}

}  // namespace

ThreadState& thread_state() {
    if (!t_made) [[unlikely]] {
        new (t_state) ThreadState;
        t_made = true;
    }
    return *std::launder(reinterpret_cast<ThreadState*>(t_state));
}

void bind_current(ThreadState& t, pipe::Ref<Context> context, pipe::Ref<Surface> draw,
                  pipe::Ref<Surface> read) {
    const bool changes = t.context && t.context != context;
    if (context) gl_entry::call_at_thread_end(end_thread);
    if (changes) flush_released(*t.context);
    // Nothing is thrown after this point.
    if (context) context->gl->make_current(draw, read);
    if (changes) {
        t.context->gl->make_current(nullptr, nullptr);
        t.context->is_current = false;
        gl_entry::set_current(nullptr);
    }
    for (Surface* s : {t.draw.get(), t.read.get()})
        if (s) --s->current_count;
    for (Surface* s : {draw.get(), read.get()})
        if (s) ++s->current_count;
    if (context) {
        context->is_current = true;
        gl_entry::set_current(context->gl.get(), context->es1.get());
    }
    t.draw = std::move(draw);
    t.read = std::move(read);
    t.context = std::move(context);
}

void set_error(EGLint code, const char* command, EGLLabelKHR object, const char* message) {
    ThreadState& t = thread_state();
    t.error = code;
    const bool critical = code == EGL_BAD_ALLOC || code == EGL_NOT_INITIALIZED;
    EGLDEBUGPROCKHR callback = nullptr;
    {
        Debug& d = debug();
        std::lock_guard lock(d.mutex);
        if (critical ? d.critical : d.error) callback = d.callback;
    }
    if (callback)
        callback(EGLenum(code), command, critical ? EGL_DEBUG_MSG_CRITICAL_KHR : EGL_DEBUG_MSG_ERROR_KHR,
                 t.label, object, message);
    else if (pipe::debug(pipe::DebugWord::Egl) ||
             (code == EGL_NOT_INITIALIZED && !std::strcmp(command, "eglInitialize")))
        std::fprintf(stderr, "terrazzo: %s: %s: %s\n", command, error_name(code), message);
}

void tell_warning(const char* command, EGLLabelKHR object, const char* message) {
    EGLDEBUGPROCKHR callback = nullptr;
    {
        Debug& d = debug();
        std::lock_guard lock(d.mutex);
        if (d.warn) callback = d.callback;
    }
    if (callback)
        callback(EGL_SUCCESS, command, EGL_DEBUG_MSG_WARN_KHR, thread_state().label, object, message);
    else if (pipe::debug(pipe::DebugWord::Egl))
        std::fprintf(stderr, "terrazzo: %s: %s\n", command, message);
}

EGLint debug_control(EGLDEBUGPROCKHR callback, const EGLAttrib* attributes) {
    Debug& d = debug();
    std::lock_guard lock(d.mutex);
    bool critical = d.critical, error = d.error, warn = d.warn, info = d.info;
    for (const EGLAttrib* a = attributes; a && *a != EGL_NONE; a += 2) {
        const bool on = a[1];
        switch (a[0]) {
            case EGL_DEBUG_MSG_CRITICAL_KHR:
                critical = on;
                break;
            case EGL_DEBUG_MSG_ERROR_KHR:
                error = on;
                break;
            case EGL_DEBUG_MSG_WARN_KHR:
                warn = on;
                break;
            case EGL_DEBUG_MSG_INFO_KHR:
                info = on;
                break;
            default:
                return EGL_BAD_ATTRIBUTE;
        }
    }
    d.callback = callback;
    d.critical = critical, d.error = error, d.warn = warn, d.info = info;
    return EGL_SUCCESS;
}

bool debug_query(EGLint attribute, EGLAttrib* value) {
    Debug& d = debug();
    std::lock_guard lock(d.mutex);
    switch (attribute) {
        case EGL_DEBUG_MSG_CRITICAL_KHR:
            *value = d.critical;
            return true;
        case EGL_DEBUG_MSG_ERROR_KHR:
            *value = d.error;
            return true;
        case EGL_DEBUG_MSG_WARN_KHR:
            *value = d.warn;
            return true;
        case EGL_DEBUG_MSG_INFO_KHR:
            *value = d.info;
            return true;
        case EGL_DEBUG_CALLBACK_KHR:
            *value = reinterpret_cast<EGLAttrib>(d.callback);
            return true;
        default:
            return false;
    }
}

}  // namespace terrazzo::egl
