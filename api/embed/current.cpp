// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Contexts of terrazzo.h that are current on threads, and the end of frames.
#include <cstring>
#include <new>
#include <utility>

#include "api/embed/instance.h"
#include "api/gl/entry.h"
#include "api/gl/thread_end.h"

using namespace terrazzo;
using namespace terrazzo::embed;

namespace {

/// Has no destructor, which would need an allocation (gl/thread_end.h).
struct Thread {
    terrazzo_context* current = nullptr;  // holds a reference
    /// Throws nothing: work that cannot be flushed for lack of memory stays recorded.
    void release() {
        terrazzo_context* c = std::exchange(current, nullptr);
        if (!c) return;
        try {
            (void)c->gl->flush();
        } catch (const std::bad_alloc&) {
            c->gl->out_of_memory("terrazzo_make_current");
        }
        c->gl->make_current(nullptr, nullptr);
        gl_entry::set_current(nullptr);
        c->owner.store(nullptr, std::memory_order_release);
        c->release();
    }
};
thread_local constinit Thread t_thread __attribute__((tls_model("initial-exec")));
Thread& this_thread() {
    return t_thread;
}

/// False: another thread has it current.
bool usable(terrazzo_context& c, const char* command) {
    const void* owner = c.owner.load(std::memory_order_acquire);
    if (!owner || owner == &this_thread()) return true;
    c.instance.sink(TERRAZZO_ERROR, "%s: the context is current on another thread", command);
    return false;
}

pipe::Format color_format(terrazzo_format f) {
    return f == TERRAZZO_RGBA8 ? pipe::Format::R8G8B8A8_UNORM : pipe::Format::B8G8R8A8_UNORM;
}

/// The number that a caller stored in an enumeration, which may not be one of its values.
template <class E>
int value_of(const E& e) {
    static_assert(sizeof(E) == sizeof(int));
    int v;
    std::memcpy(&v, &e, sizeof(v));
    return v;
}

/// The rule that the target breaks; null: none.
const char* broken_rule(const terrazzo_context& c, const terrazzo_target& t) {
    const uint32_t limit = c.instance.screen->caps().max_viewport_px;
    if (!t.pixels) return "pixels is null";
    const int format = value_of(t.format), origin = value_of(t.origin);
    if (format != TERRAZZO_RGBA8 && format != TERRAZZO_BGRA8) return "format is unknown";
    if (origin != TERRAZZO_TOP_DOWN && origin != TERRAZZO_BOTTOM_UP) return "origin is unknown";
    if (!t.width_px || !t.height_px || t.width_px > limit || t.height_px > limit)
        return "width and height must be at least 1 and at most GL_MAX_VIEWPORT_DIMS";
    if (t.stride_B < size_t(t.width_px) * 4) return "stride_B is less than a row";
    return nullptr;
}

terrazzo_result out_of_memory(const terrazzo_context& c, const char* command) {
    c.instance.sink(TERRAZZO_ERROR, "%s: out of memory", command);
    return TERRAZZO_OUT_OF_MEMORY;
}

/// Catches exceptions: the rooms of GL throw std::bad_alloc.
template <class F>
terrazzo_result guarded(terrazzo_context& c, const char* command, F&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return out_of_memory(c, command);
    }
}

}  // namespace

extern "C" {

void terrazzo_destroy_context(terrazzo_context* context) {
    if (!context) return;
    if (Thread& t = this_thread(); t.current == context) t.release();
    context->release();
}

terrazzo_result terrazzo_make_current(terrazzo_context* context) {
    Thread& t = this_thread();
    if (!context) {
        t.release();
        return TERRAZZO_OK;
    }
    if (t.current == context) return TERRAZZO_OK;
    if (!t.current && gl_entry::any_current()) {
        context->instance.sink(TERRAZZO_ERROR,
                               "terrazzo_make_current: an EGL context is current on this thread");
        return TERRAZZO_BUSY;
    }
    return guarded(*context, "terrazzo_make_current", [&] {
        gl_entry::call_at_thread_end([] { this_thread().release(); });
        const void* none = nullptr;
        if (!context->owner.compare_exchange_strong(none, &t, std::memory_order_acq_rel)) {
            (void)usable(*context, "terrazzo_make_current");
            return TERRAZZO_BUSY;
        }
        try {
            context->gl->make_current(context->drawable, context->drawable);
        } catch (const std::bad_alloc&) {
            context->owner.store(nullptr, std::memory_order_release);
            throw;
        }
        t.release();
        context->add_ref();
        t.current = context;
        gl_entry::set_current(context->gl.get());
        return TERRAZZO_OK;
    });
}

terrazzo_result terrazzo_set_target(terrazzo_context* context, const terrazzo_target* target) {
    if (!context) return TERRAZZO_BAD_PARAMETER;
    const char* command = "terrazzo_set_target";
    if (!usable(*context, command)) return TERRAZZO_BUSY;
    if (const char* rule = target ? broken_rule(*context, *target) : nullptr) {
        context->instance.sink(TERRAZZO_ERROR, "%s: %s", command, rule);
        return TERRAZZO_BAD_PARAMETER;
    }
    return guarded(*context, command, [&] {
        pipe::Ref<TargetDrawable> drawable;
        if (target) {
            const pipe::Format color = color_format(target->format);
            if (context->drawable && context->drawable->fits(color, target->width_px, target->height_px)) {
                context->target = *target;
                return TERRAZZO_OK;
            }
            drawable = TargetDrawable::create(*context->instance.screen, color, context->depth_stencil_format,
                                              target->width_px, target->height_px);
            if (!drawable) return out_of_memory(*context, command);
            drawable->depth_bits = context->depth_bits;
            drawable->stencil_bits = context->stencil_bits;
        }
        if (context->owner.load(std::memory_order_relaxed)) context->gl->make_current(drawable, drawable);
        context->drawable = std::move(drawable);
        context->target = target ? *target : terrazzo_target{};
        return TERRAZZO_OK;
    });
}

terrazzo_result terrazzo_finish(terrazzo_context* context) {
    if (!context) return TERRAZZO_BAD_PARAMETER;
    if (!usable(*context, "terrazzo_finish")) return TERRAZZO_BUSY;
    return guarded(*context, "terrazzo_finish", [&] {
        if (pipe::Ref<pipe::Fence> fence = context->gl->flush()) (void)fence->wait(pipe::Fence::kForever);
        if (context->drawable && !context->drawable->copy_to(*context->gl->pipe, context->target))
            return out_of_memory(*context, "terrazzo_finish");
        return TERRAZZO_OK;
    });
}

}  // extern "C"
