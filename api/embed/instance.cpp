// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/embed/instance.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "api/devices/debug_drivers.h"
#include "drivers/soft/factory.h"
#include "pipe/debug.h"
#include "winsys/environment/environment.h"
#include "winsys/environment/values.h"

using namespace terrazzo;
using namespace terrazzo::embed;

namespace {

void* plain_allocate(void*, size_t size_B, size_t alignment_B) {
    if (size_B > SIZE_MAX / 2) return nullptr;
    return std::aligned_alloc(alignment_B, (size_B + alignment_B - 1) / alignment_B * alignment_B);
}
void plain_deallocate(void*, void* memory, size_t, size_t) {
    std::free(memory);
}

void write_log(void* data, pipe::Severity severity, std::string_view message) {
    terrazzo_severity s = TERRAZZO_INFO;
    switch (severity) {
        case pipe::Severity::Info:
            s = TERRAZZO_INFO;
            break;
        case pipe::Severity::Performance:
            s = TERRAZZO_PERFORMANCE;
            break;
        case pipe::Severity::Warning:
            s = TERRAZZO_WARNING;
            break;
        case pipe::Severity::Error:
            s = TERRAZZO_ERROR;
            break;
    }
    (*static_cast<const Sink*>(data))(s, "%.*s", int(message.size()), message.data());
}

void write_warning(void* sink, const char* message) {
    (*static_cast<const Sink*>(sink))(TERRAZZO_WARNING, "%s", message);
}

/// The caller's description, with zeros for the members that the caller does not know. False: it has no size.
template <class T>
bool known_members(const T* from, T* out) {
    *out = T{};
    if (!from) return true;
    if (from->struct_size_B < sizeof(size_t)) return false;
    std::memcpy(out, from, std::min(from->struct_size_B, sizeof(T)));
    return true;
}

bool depth_stencil_format(const terrazzo_context_desc& d, pipe::Format* out) {
    if (d.stencil_bits != 0 && d.stencil_bits != 8) return false;
    switch (d.depth_bits) {
        case 0:
            *out = d.stencil_bits ? pipe::Format::S8_UINT : pipe::Format::None;
            return true;
        case 16:  // with a stencil plane it has 24 bits
            *out = d.stencil_bits ? pipe::Format::D24_UNORM_S8_UINT : pipe::Format::D16_UNORM;
            return true;
        case 24:
            *out = d.stencil_bits ? pipe::Format::D24_UNORM_S8_UINT : pipe::Format::D24_UNORM_X8;
            return true;
        default:
            return false;
    }
}

}  // namespace

namespace terrazzo::embed {

void* CallerMemory::do_allocate(size_t bytes, size_t alignment) {
    void* p = allocator_.allocate(allocator_.user, bytes, alignment);
    if (!p) throw std::bad_alloc();
    return p;
}
void CallerMemory::do_deallocate(void* p, size_t bytes, size_t alignment) {
    allocator_.deallocate(allocator_.user, p, bytes, alignment);
}

void Sink::operator()(terrazzo_severity severity, const char* format, ...) const {
    if (!write) return;
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    write(user, severity, text);
}

pipe::Log Sink::as_log() const {
    return write ? pipe::Log{write_log, const_cast<Sink*>(this)} : pipe::Log{};
}

}  // namespace terrazzo::embed

void terrazzo_instance::release() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const terrazzo_allocator a = memory.allocator();
    this->~terrazzo_instance();
    a.deallocate(a.user, this, sizeof(terrazzo_instance), alignof(terrazzo_instance));
}

terrazzo_context::~terrazzo_context() {
    gl.reset();  // destroyed before the drawable that it uses
}

void terrazzo_context::release() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    terrazzo_instance& i = instance;
    this->~terrazzo_context();
    i.memory.deallocate(this, sizeof(terrazzo_context), alignof(terrazzo_context));
    i.release();
}

extern "C" {

terrazzo_result terrazzo_create_instance(const terrazzo_instance_desc* from, terrazzo_instance** out) {
    terrazzo_instance_desc d;
    if (!out || !known_members(from, &d)) return TERRAZZO_BAD_PARAMETER;
    const Sink sink{d.log, d.log_user};
    terrazzo_allocator allocator{plain_allocate, plain_deallocate, nullptr};
    if (d.allocator) allocator = *d.allocator;
    if (!allocator.allocate || !allocator.deallocate || d.threads > winsys::kMaxThreads ||
        (d.executor && !d.executor->run)) {
        sink(TERRAZZO_ERROR, "terrazzo_create_instance: %s",
             d.threads > winsys::kMaxThreads ? "more than 256 threads"
                                             : "an allocator or executor lacks a function");
        return TERRAZZO_BAD_PARAMETER;
    }
    void* memory = allocator.allocate(allocator.user, sizeof(terrazzo_instance), alignof(terrazzo_instance));
    if (!memory) {
        sink(TERRAZZO_ERROR, "terrazzo_create_instance: out of memory");
        return TERRAZZO_OUT_OF_MEMORY;
    }
    auto* instance = new (memory) terrazzo_instance(allocator, sink);
    winsys::check_environment(d.log ? winsys::ReportSink{write_warning, const_cast<Sink*>(&instance->sink)}
                                    : winsys::ReportSink{});
    instance->shader_cache = d.shader_cache != 0;
    soft::SoftOptions options;
    options.code_cache = instance->shader_cache;
    options.threads = d.threads;
    options.memory =
        d.allocator ? &instance->memory : nullptr;  // without an allocator, the driver's own mmap is better
    if (d.executor) options.executor = {d.executor->run, d.executor->user};
    try {
        instance->screen = soft::create_screen(options, instance->sink.as_log());
    } catch (const std::bad_alloc&) {  // treated like null
    }
    if (!instance->screen) {
        sink(TERRAZZO_ERROR, "terrazzo_create_instance: out of memory");
        instance->release();
        return TERRAZZO_OUT_OF_MEMORY;
    }
    pipe::report_words_without_effect("soft", {}, api::debug_drivers());
    *out = instance;
    return TERRAZZO_OK;
}

void terrazzo_destroy_instance(terrazzo_instance* instance) {
    if (instance) instance->release();
}

terrazzo_result terrazzo_create_context(terrazzo_instance* instance, const terrazzo_context_desc* from,
                                        terrazzo_context** out) {
    terrazzo_context_desc d;
    if (!instance || !out) return TERRAZZO_BAD_PARAMETER;
    const Sink& sink = instance->sink;
    pipe::Format depth_stencil = pipe::Format::None;
    if (!known_members(from, &d) || !depth_stencil_format(d, &depth_stencil) ||
        (d.share && &d.share->instance != instance)) {
        sink(TERRAZZO_ERROR,
             "terrazzo_create_context: depth is 0, 16 or 24 bits, stencil 0 or 8, and a context to share "
             "with is of "
             "the same instance");
        return TERRAZZO_BAD_PARAMETER;
    }
    terrazzo_context* context = nullptr;
    try {
        context = new (instance->memory.allocate(sizeof(terrazzo_context), alignof(terrazzo_context)))
            terrazzo_context(*instance);
    } catch (const std::bad_alloc&) {
        sink(TERRAZZO_ERROR, "terrazzo_create_context: out of memory");
        return TERRAZZO_OUT_OF_MEMORY;
    }
    context->depth_stencil_format = pipe::choose_depth_format(*instance->screen, depth_stencil, 1);
    context->depth_bits = depth_stencil == pipe::Format::D16_UNORM ? 16 : d.depth_bits ? 24 : 0;
    context->stencil_bits = uint8_t(d.stencil_bits);
    st::ContextConfig config;
    config.version = st::highest_version(*instance->screen);
    config.robust = d.robust != 0;
    config.lose_context_on_reset = d.robust != 0;
    config.debug = d.debug != 0;
    config.shader_cache = instance->shader_cache;
    config.log = sink.as_log();
    context->gl = st::Context::create(*instance->screen, d.share ? d.share->gl.get() : nullptr, config);
    if (!context->gl) {
        sink(TERRAZZO_ERROR, "terrazzo_create_context: out of memory");
        context->release();
        return TERRAZZO_OUT_OF_MEMORY;
    }
    *out = context;
    return TERRAZZO_OK;
}

}  // extern "C"
