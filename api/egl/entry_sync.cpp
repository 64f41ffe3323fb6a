// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL 1.5, 3.8: syncs (EGL_KHR_fence_sync, EGL_KHR_reusable_sync, EGL_KHR_wait_sync,
// EGL_ANDROID_native_fence_sync).
#include <unistd.h>

#include <chrono>

#include "api/egl/entry.h"
#include "api/egl/enum_name.h"

using namespace terrazzo;
using namespace terrazzo::egl;

namespace {

/// `unknown_type`: EGL 1.5 (section 3.8.1) and EGL_KHR_reusable_sync have different errors.
EGLSync create_sync(const char* command, EGLDisplay dpy, EGLenum type, const EGLAttrib* list,
                    EGLint unknown_type = EGL_BAD_ATTRIBUTE) {
    return guarded<EGLSync>(command, EGL_NO_SYNC, [&]() -> EGLSync {
        Call call(command);
        auto fail = [&](EGLint code, const char* why) {
            call.fail(code, why);
            return EGL_NO_SYNC;
        };
        if (!call.open(dpy)) return EGL_NO_SYNC;
        const bool native =
            type == EGL_SYNC_NATIVE_FENCE_ANDROID && call.display().screen->caps().native_fences;
        if (type != EGL_SYNC_FENCE && type != EGL_SYNC_REUSABLE_KHR && !native)
            return fail(unknown_type, "the sync type is not supported");
        int fd = EGL_NO_NATIVE_FENCE_FD_ANDROID;
        for (const EGLAttrib* a = list; a && *a != EGL_NONE; a += 2) {
            if (!native || a[0] != EGL_SYNC_NATIVE_FENCE_FD_ANDROID)
                return fail(EGL_BAD_ATTRIBUTE, native ? "the attribute is not a native fence's"
                                                      : "this sync type has no attributes");
            fd = int(a[1]);
        }
        auto s = pipe::Ref<Sync>::adopt(new Sync);
        s->type = type;
        if (fd != EGL_NO_NATIVE_FENCE_FD_ANDROID) {
            s->fence = call.display().screen->import_fence(fd);
            s->condition = EGL_SYNC_NATIVE_FENCE_SIGNALED_ANDROID;
            if (!s->fence) return fail(EGL_BAD_ATTRIBUTE, "the descriptor is no sync file");
            close(fd);  // EGL owns it now (EGL_ANDROID_native_fence_sync)
        } else if (type != EGL_SYNC_REUSABLE_KHR) {
            ThreadState& t = thread_state();
            if (!t.context || t.context->display != &call.display())
                return fail(EGL_BAD_MATCH, "a fence needs a current context of this display");
            s->fence = t.context->gl->flush();
            if (!s->fence) return fail(EGL_BAD_ALLOC, "out of memory");
        }
        succeed();
        return call.display().syncs.add(std::move(s));
    });
}

bool signaled(Sync& s) {
    if (s.fence) return s.fence->wait(0);
    std::lock_guard lock(s.mutex);
    return s.signaled;
}

/// Waits for a reusable sync. True: it is signaled, or destroyed, which also ends every wait.
bool wait_reusable(Sync& s, EGLTime timeout) {
    std::unique_lock lock(s.mutex);
    auto ready = [&] { return s.signaled || s.destroyed; };
    if (timeout == EGL_FOREVER) {
        s.changed.wait(lock, ready);
        return true;
    }
    const auto limit = std::chrono::nanoseconds(std::min<uint64_t>(timeout, uint64_t(INT64_MAX) / 4));
    return s.changed.wait_for(lock, limit, ready);
}

/// The sync; null: EGL_BAD_PARAMETER is set.
pipe::Ref<Sync> find_sync(Call& call, EGLDisplay dpy, EGLSync handle) {
    if (!call.open(dpy)) return nullptr;
    Sync* s = call.display().syncs.find(handle);
    if (!s) call.fail(EGL_BAD_PARAMETER, "the sync is not one of this display's");
    return pipe::Ref<Sync>(s);
}

bool sync_attribute(Call& call, EGLDisplay dpy, EGLSync handle, EGLint attribute, EGLAttrib* value) {
    pipe::Ref<Sync> s = find_sync(call, dpy, handle);
    if (!s) return false;
    if (!value) return call.fail(EGL_BAD_PARAMETER, "value is null");
    switch (attribute) {
        case EGL_SYNC_TYPE:
            *value = s->type;
            return true;
        case EGL_SYNC_STATUS:
            *value = signaled(*s) ? EGL_SIGNALED : EGL_UNSIGNALED;
            return true;
        case EGL_SYNC_CONDITION:
            if (s->fence) {
                *value = s->condition;
                return true;
            }
            break;
        default:
            break;
    }
    return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " is not this sync's");
}

}  // namespace

extern "C" {

EGLSync EGLAPIENTRY eglCreateSync(EGLDisplay dpy, EGLenum type, const EGLAttrib* list) {
    return create_sync("eglCreateSync", dpy, type, list, EGL_BAD_PARAMETER);
}

EGLSyncKHR EGLAPIENTRY eglCreateSyncKHR(EGLDisplay dpy, EGLenum type, const EGLint* list) {
    return guarded<EGLSync>("eglCreateSyncKHR", EGL_NO_SYNC, [&]() -> EGLSync {
        return create_sync("eglCreateSyncKHR", dpy, type, widen(list).data());
    });
}

EGLSyncKHR EGLAPIENTRY eglCreateSync64KHR(EGLDisplay dpy, EGLenum type, const EGLAttribKHR* list) {
    return create_sync("eglCreateSync64KHR", dpy, type, list);
}

EGLBoolean EGLAPIENTRY eglDestroySync(EGLDisplay dpy, EGLSync handle) try {
    Call call("eglDestroySync");
    pipe::Ref<Sync> s = find_sync(call, dpy, handle);
    if (!s) return EGL_FALSE;
    {
        std::lock_guard lock(s->mutex);
        s->destroyed = true;
        s->changed.notify_all();
    }
    pipe::Ref<Sync> last = call.display().syncs.remove(s.get());
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglDestroySync", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglDestroySyncKHR(EGLDisplay dpy, EGLSyncKHR sync) {
    return eglDestroySync(dpy, sync);
}

EGLint EGLAPIENTRY eglClientWaitSync(EGLDisplay dpy, EGLSync handle, EGLint flags, EGLTime timeout) try {
    Call call("eglClientWaitSync");
    pipe::Ref<Sync> s = find_sync(call, dpy, handle);
    if (!s) return EGL_FALSE;
    if (flags & ~EGL_SYNC_FLUSH_COMMANDS_BIT) return call.fail(EGL_BAD_PARAMETER, "a flag is unknown");
    call.unlock();
    ThreadState& t = thread_state();
    if ((flags & EGL_SYNC_FLUSH_COMMANDS_BIT) && t.context && !signaled(*s)) (void)t.context->gl->flush();
    const bool ready = s->fence ? s->fence->wait(timeout) : wait_reusable(*s, timeout);
    succeed();
    return ready ? EGL_CONDITION_SATISFIED : EGL_TIMEOUT_EXPIRED;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLint>("eglClientWaitSync", EGL_FALSE);
}

EGLint EGLAPIENTRY eglClientWaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags, EGLTimeKHR timeout) {
    return eglClientWaitSync(dpy, sync, flags, timeout);
}

EGLBoolean EGLAPIENTRY eglWaitSync(EGLDisplay dpy, EGLSync handle, EGLint flags) try {
    Call call("eglWaitSync");
    pipe::Ref<Sync> s = find_sync(call, dpy, handle);
    if (!s) return EGL_FALSE;
    ThreadState& t = thread_state();
    if (!t.context) return call.fail(EGL_BAD_MATCH, "no context is current");
    if (flags) return call.fail(EGL_BAD_PARAMETER, "flags must be 0");
    if (!s->fence) return call.fail(EGL_BAD_MATCH, "only fences can be waited for on the device");
    t.context->gl->pipe->wait_fence(*s->fence);
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglWaitSync", EGL_FALSE);
}

EGLint EGLAPIENTRY eglWaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags) {
    return EGLint(eglWaitSync(dpy, sync, flags));
}

EGLint EGLAPIENTRY eglDupNativeFenceFDANDROID(EGLDisplay dpy, EGLSyncKHR handle) try {
    Call call("eglDupNativeFenceFDANDROID");
    pipe::Ref<Sync> s = find_sync(call, dpy, handle);
    if (!s) return EGL_NO_NATIVE_FENCE_FD_ANDROID;
    if (s->type != EGL_SYNC_NATIVE_FENCE_ANDROID) {
        call.fail(EGL_BAD_PARAMETER, "the sync is no native fence");
        return EGL_NO_NATIVE_FENCE_FD_ANDROID;
    }
    const int fd = s->fence->export_fd();
    if (fd < 0) {
        call.fail(EGL_BAD_ALLOC, "no descriptor is left, or out of memory");
        return EGL_NO_NATIVE_FENCE_FD_ANDROID;
    }
    succeed();
    return fd;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLint>("eglDupNativeFenceFDANDROID", EGL_NO_NATIVE_FENCE_FD_ANDROID);
}

EGLBoolean EGLAPIENTRY eglSignalSyncKHR(EGLDisplay dpy, EGLSyncKHR handle, EGLenum mode) try {
    Call call("eglSignalSyncKHR");
    pipe::Ref<Sync> s = find_sync(call, dpy, handle);
    if (!s) return EGL_FALSE;
    if (s->type != EGL_SYNC_REUSABLE_KHR)
        return call.fail(EGL_BAD_MATCH, "only reusable syncs can be signaled");
    if (mode != EGL_SIGNALED && mode != EGL_UNSIGNALED)
        return call.fail(EGL_BAD_PARAMETER, "the mode is neither signaled nor unsignaled");
    std::lock_guard lock(s->mutex);
    s->signaled = mode == EGL_SIGNALED;
    s->changed.notify_all();
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglSignalSyncKHR", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglGetSyncAttrib(EGLDisplay dpy, EGLSync sync, EGLint attribute,
                                        EGLAttrib* value) try {
    Call call("eglGetSyncAttrib");
    return sync_attribute(call, dpy, sync, attribute, value) ? call.done() : EGL_FALSE;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglGetSyncAttrib", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglGetSyncAttribKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint attribute,
                                           EGLint* value) try {
    Call call("eglGetSyncAttribKHR");
    EGLAttrib v = 0;
    if (!sync_attribute(call, dpy, sync, attribute, value ? &v : nullptr)) return EGL_FALSE;
    *value = EGLint(v);
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglGetSyncAttribKHR", EGL_FALSE);
}

}  // extern "C"
