// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Creation and destruction of contexts and share groups, errors and messages, and the commands that hand work
// to the device.
#include "state_tracker/context.h"

#include <bit>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <utility>

#include "pipe/debug.h"
#include "shaders/cache/cache.h"
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/debug/counter_log.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/debug/enum_name.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/sampler.h"
#include "state_tracker/programs/pipeline.h"
#include "state_tracker/queries/perf_monitor.h"
#include "state_tracker/queries/query.h"
#include "state_tracker/sync/external.h"
#include "state_tracker/sync/sync.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

const char* error_name(GLenum code) {
    switch (code) {
        case GL_INVALID_ENUM:
            return "GL_INVALID_ENUM";
        case GL_INVALID_VALUE:
            return "GL_INVALID_VALUE";
        case GL_INVALID_OPERATION:
            return "GL_INVALID_OPERATION";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "GL_INVALID_FRAMEBUFFER_OPERATION";
        case GL_OUT_OF_MEMORY:
            return "GL_OUT_OF_MEMORY";
        case GL_STACK_OVERFLOW_KHR:
            return "GL_STACK_OVERFLOW";
        case GL_STACK_UNDERFLOW_KHR:
            return "GL_STACK_UNDERFLOW";
        case GL_CONTEXT_LOST_KHR:
            return "GL_CONTEXT_LOST";
        default:
            return "GL error";
    }
}

}  // namespace

ShareGroup::ShareGroup(pipe::Screen& s, bool with_cache) : screen(s) {
    if (with_cache) cache = std::make_unique<shaders::ShaderCache>(shaders::cache_options_from_environment());
}
ShareGroup::~ShareGroup() = default;

Context::Context(pipe::Screen& s, const ContextConfig& c) : config(c), screen(s) {
    state.attribs.fill({0, 0, 0, std::bit_cast<uint32_t>(1.0f)});
}

std::unique_ptr<Context> Context::create(pipe::Screen& screen, Context* share, const ContextConfig& config) {
    try {
        std::unique_ptr<Context> ctx(new Context(screen, config));
        pipe::ContextDesc desc;
        // A program that wants reset notifications must get one for every reset, with or without robust
        // access.
        desc.robust = config.robust || config.lose_context_on_reset;
        desc.priority = config.priority;
        desc.log = config.log;
        ctx->pipe = screen.create_context(desc);
        if (!ctx->pipe) return nullptr;
        ctx->share =
            share ? share->share : pipe::Ref<ShareGroup>::adopt(new ShareGroup(screen, config.shader_cache));
        ctx->debug = std::make_unique<DebugState>();
        ctx->debug->output = config.debug;
        ctx->debug->sync = pipe::debug(pipe::DebugWord::Sync);
        init_limits(*ctx);
        ctx->default_vertex_array = pipe::Ref<VertexArray>::adopt(new VertexArray(0));
        ctx->vertex_array = ctx->default_vertex_array;
        ctx->default_transform_feedback = pipe::Ref<TransformFeedback>::adopt(new TransformFeedback(0));
        ctx->transform_feedback = ctx->default_transform_feedback;
        init_draw(*ctx);
        init_textures(*ctx);
        init_framebuffers(*ctx);
        begin_counter_log(*ctx);
        return ctx;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

Context::~Context() {
    // Ends what this context keeps in use and others share: programs of transform feedback and pipelines.
    const auto end_feedback = [&](TransformFeedback& t) {
        if (t.active) end_transform_feedback(*this, t);
    };
    transform_feedbacks.for_each(end_feedback);
    if (default_transform_feedback) end_feedback(*default_transform_feedback);
    if (share) {
        set_current_program(*this, nullptr);
        std::lock_guard lock(share->mutex);
        pipelines.for_each([&](Pipeline& p) { release_pipeline(*this, p); });
    }
    // The context is going away, so an out-of-memory error can only be logged.
    try {
        if (render_pass) end_rendering(*this);
        log_counters(*this, false);
    } catch (const std::bad_alloc&) {
        config.log(pipe::Severity::Error, "out of memory: the last commands of a context are lost");
    }
}

void Context::make_current(pipe::Ref<Drawable> draw, pipe::Ref<Drawable> read) {
    if (draw_drawable == draw && read_drawable == read) return;
    try {
        end_rendering(*this);
    } catch (const std::bad_alloc&) {
        // Releasing a context never fails.
        if (draw || read) throw;
        drop_rendering(*this);
        out_of_memory("the release of the context");
    }
    draw_drawable = std::move(draw);
    read_drawable = std::move(read);
    drawables_changed(*this);
    dirty |= dirty::kFramebuffer | dirty::kViewport | dirty::kScissor;
    if (had_surface_ || !draw_drawable) return;
    Drawable::Buffers buffers;
    if (!draw_drawable->acquire(&buffers)) return;
    had_surface_ = true;
    for (ViewportState& v : state.viewports) {
        v.box[2] = GLfloat(v.scissor[2] = GLint(buffers.width_px));
        v.box[3] = GLfloat(v.scissor[3] = GLint(buffers.height_px));
    }
}

pipe::Ref<pipe::Fence> Context::flush() {
    end_rendering(*this);
    log_counters(*this, false);
    release_deleted_textures(*this);
    return pipe->flush();
}

pipe::Ref<pipe::Fence> Context::flush_frame() {
    end_frame(*this);
    log_counters(*this, true);
    release_deleted_textures(*this);
    pipe::Ref<pipe::Fence> fence = pipe->flush();
    after_submission(*this, "the end of a frame");
    return fence;
}

void Context::error(GLenum code, const char* command, const char* format, ...) {
    if (error_ == GL_NO_ERROR && (!config.no_error || code == GL_OUT_OF_MEMORY)) error_ = code;
    if (!debug->output && !config.log.write) return;
    char detail[1024], text[1024];
    va_list args;
    va_start(args, format);
    print_with_names(detail, format, args);
    va_end(args);
    std::snprintf(text, sizeof text, "%s in %s: %.800s", error_name(code), command, detail);
    if (debug->output)
        debug_message(*this, GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_ERROR_KHR, code,
                      GL_DEBUG_SEVERITY_HIGH_KHR, text);
    if (!debug->callback) config.log(pipe::Severity::Error, text);
}

void Context::message(GLenum type, GLenum severity, const char* format, ...) {
    if (!debug->output && !config.log.write) return;
    char text[1024];
    va_list args;
    va_start(args, format);
    const std::string_view view = print_with_names(text, format, args);
    va_end(args);
    if (debug->output) debug_message(*this, GL_DEBUG_SOURCE_API_KHR, type, 0, severity, view);
    if (!debug->callback)
        config.log(type == GL_DEBUG_TYPE_PERFORMANCE_KHR ? pipe::Severity::Performance : pipe::Severity::Info,
                   view);
}

GLenum Context::take_error() {
    GLenum e = error_;
    error_ = GL_NO_ERROR;
    return e;
}

GLenum GetError(Context& ctx) {
    return ctx.take_error();
}

void Context::check_reset() {
    if (!config.lose_context_on_reset) return;  // the application did not ask for notifications
    const pipe::ResetStatus now = pipe->reset_status();
    if (now == pipe::ResetStatus::None) return;
    reset = now;
    lost = true;
}

void Flush(Context& ctx) {
    ctx.flush();
    after_submission(ctx, "glFlush");
    ctx.check_reset();
}

void Finish(Context& ctx) {
    // A lost device ends the wait as well; the loss is reported below.
    if (pipe::Ref<pipe::Fence> f = ctx.flush()) (void)f->wait(pipe::Fence::kForever);
    after_submission(ctx, "glFinish");
    ctx.check_reset();
}

GLenum GetGraphicsResetStatus(Context& ctx) {
    ctx.check_reset();
    switch (std::exchange(ctx.reset, pipe::ResetStatus::None)) {
        case pipe::ResetStatus::None:
            return GL_NO_ERROR;
        case pipe::ResetStatus::Guilty:
            return GL_GUILTY_CONTEXT_RESET_KHR;
        case pipe::ResetStatus::Innocent:
            return GL_INNOCENT_CONTEXT_RESET_KHR;
        case pipe::ResetStatus::Unknown:
            return GL_UNKNOWN_CONTEXT_RESET_KHR;
    }
    return GL_NO_ERROR;
}

}  // namespace terrazzo::st
