// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL 1.5, 3.7: contexts (EGL_KHR_create_context and its relatives).
#include <cstdio>

#include "api/egl/entry.h"
#include "api/egl/enum_name.h"
#include "api/gl/entry.h"
#include "pipe/debug.h"
#include "winsys/environment/environment.h"

using namespace terrazzo;
using namespace terrazzo::egl;

namespace {

/// The attributes of eglCreateContext that affect OpenGL ES.
struct ContextAttributes {
    EGLint major = 1, minor = 0;
    EGLint flags = 0;
    EGLint priority = EGL_CONTEXT_PRIORITY_MEDIUM_IMG;
    bool debug = false, robust = false, lose_on_reset = false, no_error = false;
    EGLint release = EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR;
};

bool parse(Call& call, const EGLint* list, ContextAttributes* out) {
    auto bad = [&](EGLint name, const char* why) {
        return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(name) + why);
    };
    for (const EGLint* a = list; a && *a != EGL_NONE; a += 2) {
        const EGLint v = a[1];
        switch (a[0]) {
            case EGL_CONTEXT_MAJOR_VERSION:
                out->major = v;
                break;  // = EGL_CONTEXT_CLIENT_VERSION
            case EGL_CONTEXT_MINOR_VERSION:
                out->minor = v;
                break;
            case EGL_CONTEXT_FLAGS_KHR:
                // Forward compatibility and the robust-access bit belong to OpenGL (EGL_KHR_create_context).
                if (v & ~(EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR | EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR))
                    return bad(a[0], ": only the debug and robust-access flags exist for OpenGL ES");
                out->debug |= (v & EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR) != 0;
                out->robust |= (v & EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR) != 0;
                break;
            case EGL_CONTEXT_OPENGL_DEBUG:
                if (v != EGL_TRUE && v != EGL_FALSE) return bad(a[0], " must be EGL_TRUE or EGL_FALSE");
                out->debug |= v == EGL_TRUE;
                break;
            case EGL_CONTEXT_OPENGL_ROBUST_ACCESS:
            case EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT:
                if (v != EGL_TRUE && v != EGL_FALSE) return bad(a[0], " must be EGL_TRUE or EGL_FALSE");
                out->robust |= v == EGL_TRUE;
                break;
            case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT:
            case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY:
                if (v != EGL_NO_RESET_NOTIFICATION_EXT && v != EGL_LOSE_CONTEXT_ON_RESET_EXT)
                    return bad(a[0], ": not a reset notification strategy");
                out->lose_on_reset = v == EGL_LOSE_CONTEXT_ON_RESET_EXT;
                break;
            case EGL_CONTEXT_OPENGL_NO_ERROR_KHR:
                if (v != EGL_TRUE && v != EGL_FALSE) return bad(a[0], " must be EGL_TRUE or EGL_FALSE");
                out->no_error = v == EGL_TRUE;
                break;
            case EGL_CONTEXT_PRIORITY_LEVEL_IMG:
                if (v != EGL_CONTEXT_PRIORITY_LOW_IMG && v != EGL_CONTEXT_PRIORITY_MEDIUM_IMG &&
                    v != EGL_CONTEXT_PRIORITY_HIGH_IMG)
                    return bad(a[0], ": not a priority");
                out->priority = v;
                break;
            case EGL_CONTEXT_RELEASE_BEHAVIOR_KHR:
                if (v != EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR && v != EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR)
                    return bad(a[0], ": not a release behavior");
                out->release = v;
                break;
            case EGL_CONTEXT_OPENGL_PROFILE_MASK:
                return bad(a[0], ": OpenGL ES contexts have no profiles");
            default:
                return bad(a[0], " is unknown");
        }
    }
    if (out->no_error && (out->debug || out->robust))
        return call.fail(EGL_BAD_MATCH, "a no-error context can be neither debug nor robust");
    return true;
}

/// OpenGL ES 1.0 or 1.1; a context of 1.1 supports both.
bool is_es1(const ContextAttributes& a) {
    return a.major == 1 && (a.minor == 0 || a.minor == 1);
}

/// Whether a context of `version` satisfies the request: the requested version exists and is not later.
/// Contexts of ES 3 support all of ES 2.0.
bool serves(int version, const ContextAttributes& a) {
    if (is_es1(a)) return true;
    const bool exists = (a.major == 2 && a.minor == 0) || (a.major == 3 && a.minor >= 0 && a.minor <= 2);
    return exists && a.major * 10 + a.minor <= version;
}

std::string supported_versions(const pipe::Screen& screen) {
    const int version = st::highest_version(screen);
    return std::string("1.1, ") + (version == 20 ? "" : "2.0 to ") + std::to_string(version / 10) + "." +
           std::to_string(version % 10);
}

int priority_of(EGLint level) {
    return level == EGL_CONTEXT_PRIORITY_LOW_IMG ? 0 : level == EGL_CONTEXT_PRIORITY_HIGH_IMG ? 2 : 1;
}

EGLint level_of(int priority) {
    return priority == 0   ? EGL_CONTEXT_PRIORITY_LOW_IMG
           : priority == 1 ? EGL_CONTEXT_PRIORITY_MEDIUM_IMG
                           : EGL_CONTEXT_PRIORITY_HIGH_IMG;
}

/// Called by st::Context to find the storage of an application's EGLImage.
pipe::Ref<st::Image> lookup_image(void* user, void* handle) {
    auto* display = static_cast<Display*>(user);
    std::lock_guard lock(display->mutex);
    EglImage* image = display->images.find(handle);
    return image ? image->image : nullptr;
}

/// TERRAZZO_DEBUG=gl: GL's errors and messages on stderr.
void write_gl_message(void*, pipe::Severity, std::string_view message) {
    std::fprintf(stderr, "terrazzo: %.*s\n", int(message.size()), message.data());
}

/// Whether `context` may render to `surface` (EGL 1.5, 2.2: same colour and ancillary depths).
bool compatible(const Context& context, const Surface& surface) {
    if (!context.config) return true;
    const Config &a = *context.config, &b = surface.config;
    return a.red == b.red && a.green == b.green && a.blue == b.blue && a.alpha == b.alpha &&
           a.depth == b.depth && a.stencil == b.stencil;
}

/// Whether another thread has it current.
bool busy_elsewhere(const ThreadState& t, const Surface& s) {
    const int mine = (t.draw.get() == &s) + (t.read.get() == &s);
    return s.current_count > mine;
}

}  // namespace

extern "C" {

EGLContext EGLAPIENTRY eglCreateContext(EGLDisplay dpy, EGLConfig config, EGLContext share,
                                        const EGLint* list) {
    return guarded<EGLContext>("eglCreateContext", EGL_NO_CONTEXT, [&]() -> EGLContext {
        Call call("eglCreateContext");
        if (!call.open(dpy)) return EGL_NO_CONTEXT;
        const Config* c = nullptr;
        if (config != EGL_NO_CONFIG_KHR && !(c = call.config(config))) return EGL_NO_CONTEXT;
        ContextAttributes attributes;
        if (!parse(call, list, &attributes)) return EGL_NO_CONTEXT;
        const pipe::Screen& screen = *call.display().screen;
        const int version =
            is_es1(attributes) ? es1::Context::version_below(screen) : st::highest_version(screen);
        if (!serves(version, attributes)) {
            call.fail(EGL_BAD_MATCH, "OpenGL ES " + std::to_string(attributes.major) + "." +
                                         std::to_string(attributes.minor) + " is not supported; there is " +
                                         supported_versions(screen));
            return EGL_NO_CONTEXT;
        }
        Context* shared = nullptr;
        if (share != EGL_NO_CONTEXT && !(shared = call.context(share))) return EGL_NO_CONTEXT;
        if (shared &&
            (shared->lose_on_reset != attributes.lose_on_reset || shared->no_error != attributes.no_error)) {
            call.fail(EGL_BAD_MATCH, "shared contexts must agree in reset notification and no-error");
            return EGL_NO_CONTEXT;
        }
        auto context = pipe::Ref<Context>::adopt(new Context);
        context->screen = call.display().screen;
        context->display = &call.display();
        context->config = c;
        context->major_version = attributes.major;
        context->robust = attributes.robust;
        context->no_error = attributes.no_error;
        context->lose_on_reset = attributes.lose_on_reset;
        st::ContextConfig gl;
        gl.version = version;
        gl.debug = attributes.debug;
        gl.robust = attributes.robust;
        gl.no_error = attributes.no_error;
        gl.lose_context_on_reset = attributes.lose_on_reset;
        gl.flush_on_release = attributes.release == EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR;
        if (pipe::debug(pipe::DebugWord::Gl)) gl.log = pipe::Log{write_gl_message, nullptr};
        gl.priority = priority_of(attributes.priority);
        gl.shader_cache = true;
        if (const char* folder = winsys::environment(winsys::Variable::ShaderDump)) gl.shader_dump = folder;
        gl.lookup_image = lookup_image;
        gl.image_user = &call.display();
        context->gl = st::Context::create(*context->screen, shared ? shared->gl.get() : nullptr, gl);
        if (!context->gl) {
            call.fail(EGL_BAD_ALLOC, "out of memory");
            return EGL_NO_CONTEXT;
        }
        context->priority = level_of(context->gl->pipe->priority());
        if (is_es1(attributes)) context->es1 = std::make_unique<es1::Context>(*context->gl);
        succeed();
        return call.display().contexts.add(std::move(context));
    });
}

EGLBoolean EGLAPIENTRY eglDestroyContext(EGLDisplay dpy, EGLContext handle) try {
    Call call("eglDestroyContext");
    if (!call.open(dpy)) return EGL_FALSE;
    Context* c = call.context(handle);
    if (!c) return EGL_FALSE;
    pipe::Ref<Context> last = call.display().contexts.remove(c);
    call.unlock();  // freeing may wait for rendering
    last->destroyed = true;
    // A thread that waits for work that never ends does not release the context itself.
    if (thread_state().context != last) last->gl->abandon();
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglDestroyContext", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglMakeCurrent(EGLDisplay dpy, EGLSurface draw, EGLSurface read, EGLContext handle) {
    return guarded<EGLBoolean>("eglMakeCurrent", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglMakeCurrent");
        ThreadState& t = thread_state();
        const bool release = draw == EGL_NO_SURFACE && read == EGL_NO_SURFACE && handle == EGL_NO_CONTEXT;
        if (!call.open(dpy, release)) return EGL_FALSE;
        if (release) {
            call.unlock();
            bind_current(t, nullptr, nullptr, nullptr);
            return call.done();
        }
        if (handle == EGL_NO_CONTEXT) return call.fail(EGL_BAD_MATCH, "surfaces without a context");
        Context* c = call.context(handle);
        if (!c) return EGL_FALSE;
        if ((draw == EGL_NO_SURFACE) != (read == EGL_NO_SURFACE))
            return call.fail(EGL_BAD_MATCH, "one surface without the other");
        pipe::Ref<Surface> d, r;
        if (draw != EGL_NO_SURFACE) {
            Surface *ds = call.surface(draw), *rs = ds ? call.surface(read) : nullptr;
            if (!ds || !rs) return EGL_FALSE;
            d = pipe::Ref<Surface>(ds), r = pipe::Ref<Surface>(rs);
            if (!compatible(*c, *ds) || !compatible(*c, *rs))
                return call.fail(EGL_BAD_MATCH, "the surface's config does not fit the context's");
            if (busy_elsewhere(t, *ds) || busy_elsewhere(t, *rs))
                return call.fail(EGL_BAD_ACCESS, "the surface is current on another thread");
            if (ds->lost || rs->lost) return call.fail(EGL_BAD_NATIVE_WINDOW, "the surface's window is gone");
        }
        if (!t.context && gl_entry::any_current())
            return call.fail(EGL_BAD_ACCESS, "a context of terrazzo.h is current on this thread");
        if (c->is_current && t.context.get() != c)
            return call.fail(EGL_BAD_ACCESS, "the context is current on another thread");
        pipe::Ref<Context> keep(c);
        call.unlock();
        // The first surface's size becomes the context's viewport.
        st::Drawable::Buffers first;
        if (d && !keep->had_surface && !d->acquire(&first)) {
            if (d->window && d->window->lost()) return call.fail(EGL_BAD_NATIVE_WINDOW, "the window is gone");
            return call.fail(EGL_BAD_ALLOC, "the surface's buffers could not be had");
        }
        keep->had_surface |= bool(d);
        bind_current(t, std::move(keep), std::move(d), std::move(r));
        return call.done();
    });
}

EGLContext EGLAPIENTRY eglGetCurrentContext(void) {
    return thread_state().context.get();
}

EGLSurface EGLAPIENTRY eglGetCurrentSurface(EGLint which) {
    ThreadState& t = thread_state();
    if (which != EGL_DRAW && which != EGL_READ) {
        set_error(EGL_BAD_PARAMETER, "eglGetCurrentSurface", nullptr, "neither EGL_DRAW nor EGL_READ");
        return EGL_NO_SURFACE;
    }
    succeed();
    return which == EGL_DRAW ? t.draw.get() : t.read.get();
}

EGLDisplay EGLAPIENTRY eglGetCurrentDisplay(void) {
    ThreadState& t = thread_state();
    return t.context ? t.context->display : EGL_NO_DISPLAY;
}

EGLBoolean EGLAPIENTRY eglQueryContext(EGLDisplay dpy, EGLContext handle, EGLint attribute,
                                       EGLint* value) try {
    Call call("eglQueryContext");
    if (!call.open(dpy)) return EGL_FALSE;
    Context* c = call.context(handle);
    if (!c) return EGL_FALSE;
    if (!value) return call.fail(EGL_BAD_PARAMETER, "value is null");
    ThreadState& t = thread_state();
    switch (attribute) {
        case EGL_CONFIG_ID:
            *value = c->config ? c->config->id : 0;
            break;
        case EGL_CONTEXT_CLIENT_TYPE:
            *value = EGL_OPENGL_ES_API;
            break;
        case EGL_CONTEXT_CLIENT_VERSION:
            *value = c->major_version;
            break;
        case EGL_RENDER_BUFFER:
            // EGL 1.5, 3.7.4: pbuffers have a back buffer, like windows.
            *value = t.context.get() == c && t.draw ? EGL_BACK_BUFFER : EGL_NONE;
            break;
        case EGL_CONTEXT_PRIORITY_LEVEL_IMG:
            *value = c->priority;
            break;
        case EGL_CONTEXT_OPENGL_NO_ERROR_KHR:
            *value = c->no_error;
            break;
        case EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT:
            *value = c->robust;
            break;
        case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT:
            *value = c->lose_on_reset ? EGL_LOSE_CONTEXT_ON_RESET_EXT : EGL_NO_RESET_NOTIFICATION_EXT;
            break;
        default:
            return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " is not a context's");
    }
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglQueryContext", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglWaitClient(void) try {
    Call call("eglWaitClient");
    ThreadState& t = thread_state();
    if (t.context) {
        if (t.draw && t.draw->lost)
            return call.fail(EGL_BAD_CURRENT_SURFACE, "the current surface's window is gone");
        if (pipe::Ref<pipe::Fence> f = t.context->gl->flush()) (void)f->wait(pipe::Fence::kForever);
    }
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglWaitClient", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglWaitGL(void) {
    return eglWaitClient();
}

EGLBoolean EGLAPIENTRY eglWaitNative(EGLint engine) try {
    Call call("eglWaitNative");
    if (engine != EGL_CORE_NATIVE_ENGINE) return call.fail(EGL_BAD_PARAMETER, "the engine is unknown");
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglWaitNative", EGL_FALSE);
}

}  // extern "C"
