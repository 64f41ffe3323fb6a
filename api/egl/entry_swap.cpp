// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL 1.5, 3.10: frames are shown. EGL_KHR_swap_buffers_with_damage, EGL_KHR_partial_update.
#include <algorithm>

#include "api/egl/entry.h"
#include "api/egl/frame_file.h"
#include "pipe/debug.h"

using namespace terrazzo;
using namespace terrazzo::egl;

namespace {

bool are_rects(const EGLint* rects, EGLint n) {
    return n >= 0 && (n == 0 || rects);
}

std::vector<winsys::Rect> to_rects(const EGLint* rects, EGLint n) {
    std::vector<winsys::Rect> out;
    for (EGLint i = 0; i < n; ++i, rects += 4)
        out.push_back({rects[0], rects[1], rects[2], rects[3]});
    return out;
}

EGLBoolean swap(const char* command, EGLDisplay dpy, EGLSurface handle, const EGLint* rects, EGLint n_rects) {
    return guarded<EGLBoolean>(command, EGL_FALSE, [&]() -> EGLBoolean {
        Call call(command);
        if (!call.open(dpy)) return EGL_FALSE;
        Surface* found = call.surface(handle);
        if (!found) return EGL_FALSE;
        ThreadState& t = thread_state();
        if (!t.context) return call.fail(EGL_BAD_CONTEXT, "no context is current");
        if (t.draw.get() != found)
            return call.fail(EGL_BAD_SURFACE, "the surface is not the current draw surface");
        if (!are_rects(rects, n_rects)) return call.fail(EGL_BAD_PARAMETER, "the damage rectangles are bad");
        if (found->lost) return call.fail(EGL_BAD_NATIVE_WINDOW, "the window is gone");
        pipe::Ref<Surface> s(found);
        pipe::Ref<Context> c = t.context;
        call.unlock();
        if (s->kind == SurfaceKind::Pbuffer) {
            // No effect (EGL 1.5, 3.10.1). But a program that repeats this, as weston does without a screen,
            // must not record commands for ever.
            (void)c->gl->flush();
            return call.done();
        }
        const std::vector<winsys::Rect> damage = to_rects(rects, n_rects);
        pipe::Ref<pipe::Fence> drawn = c->gl->flush_frame();
        std::string file;
        if (pipe::debug(pipe::DebugWord::Frames))
            file = frame_file_name(pipe::debug_options().frames_folder, c->display->frame_files++);
        const EGLint error =
            s->present(*c->gl, std::move(drawn), damage, file.empty() ? nullptr : file.c_str());
        if (error != EGL_SUCCESS)
            return call.fail(error, error == EGL_BAD_ALLOC ? "out of memory"
                                    : error == EGL_BAD_SURFACE
                                        ? "the window holds all buffers, and releases none"
                                        : "the window is gone");
        return call.done();
    });
}

}  // namespace

extern "C" {

EGLBoolean EGLAPIENTRY eglSwapInterval(EGLDisplay dpy, EGLint interval) try {
    Call call("eglSwapInterval");
    if (!call.open(dpy)) return EGL_FALSE;
    ThreadState& t = thread_state();
    if (!t.context) return call.fail(EGL_BAD_CONTEXT, "no context is current");
    if (!t.draw) return call.fail(EGL_BAD_SURFACE, "the current context has no surface");
    t.draw->swap_interval = std::clamp(interval, 0, 1);
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglSwapInterval", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglSwapBuffers(EGLDisplay dpy, EGLSurface surface) {
    return swap("eglSwapBuffers", dpy, surface, nullptr, 0);
}

EGLBoolean EGLAPIENTRY eglSwapBuffersWithDamageKHR(EGLDisplay dpy, EGLSurface surface, const EGLint* rects,
                                                   EGLint n) {
    return swap("eglSwapBuffersWithDamageKHR", dpy, surface, rects, n);
}

EGLBoolean EGLAPIENTRY eglSwapBuffersWithDamageEXT(EGLDisplay dpy, EGLSurface surface, const EGLint* rects,
                                                   EGLint n) {
    return swap("eglSwapBuffersWithDamageEXT", dpy, surface, rects, n);
}

EGLBoolean EGLAPIENTRY eglSetDamageRegionKHR(EGLDisplay dpy, EGLSurface handle, EGLint* rects, EGLint n) {
    return guarded<EGLBoolean>("eglSetDamageRegionKHR", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglSetDamageRegionKHR");
        if (!call.open(dpy)) return EGL_FALSE;
        Surface* s = call.surface(handle);
        if (!s) return EGL_FALSE;
        if (thread_state().draw.get() != s)
            return call.fail(EGL_BAD_MATCH, "the surface is not the current draw surface");
        if (!are_rects(rects, n)) return call.fail(EGL_BAD_PARAMETER, "the damage rectangles are bad");
        const char* why = "";
        const EGLint error = s->set_damage(to_rects(rects, n), &why);
        return error == EGL_SUCCESS ? call.done() : call.fail(error, why);
    });
}

EGLBoolean EGLAPIENTRY eglCopyBuffers(EGLDisplay dpy, EGLSurface handle, EGLNativePixmapType) try {
    Call call("eglCopyBuffers");
    if (!call.open(dpy) || !call.surface(handle)) return EGL_FALSE;
    return call.fail(EGL_BAD_NATIVE_PIXMAP, "no platform of Terrazzo has native pixmaps");
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglCopyBuffers", EGL_FALSE);
}

}  // extern "C"
