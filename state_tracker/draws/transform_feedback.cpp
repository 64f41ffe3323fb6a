// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See transform_feedback.h.
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/context/limits.h"

#include <algorithm>

#include "state_tracker/context/names.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/programs/later_stages.h"
#include "state_tracker/programs/pipeline.h"

namespace terrazzo::st {
namespace {

const std::array<uint32_t, kMaxFeedbackBuffers>& strides_dw(const TransformFeedback& t) {
    return t.executable->linked->stream_output.stride_dw;
}

uint64_t captured_vertices(GLenum mode, uint32_t count, uint32_t instances) {
    const uint32_t of_primitive = mode == GL_TRIANGLES ? 3 : mode == GL_LINES ? 2 : 1;
    return uint64_t(count / of_primitive) * of_primitive * instances;
}

/// The number of bytes of a binding that exist.
uint64_t bound_B(const IndexedBuffer& at) {
    if (!at.buffer || at.offset_B >= at.buffer->size_B) return 0;
    const uint64_t left_B = at.buffer->size_B - at.offset_B;
    return at.whole ? left_B : std::min(at.size_B, left_B);
}

/// The check of glBindTransformFeedback and similar commands. False: the error is recorded.
bool valid_target(Context& ctx, GLenum target, const char* command) {
    if (target == GL_TRANSFORM_FEEDBACK) return true;
    ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not GL_TRANSFORM_FEEDBACK", target);
    return false;
}

void add_captured(Context& ctx, uint64_t vertices) {
    TransformFeedback& t = *ctx.transform_feedback;
    t.vertices += vertices;
    std::lock_guard lock(ctx.share->mutex);
    for (unsigned i = 0; i < kMaxFeedbackBuffers; ++i)
        if (strides_dw(t)[i] && t.buffers[i].buffer) written_by_device(*t.buffers[i].buffer);
}

}  // namespace

bool allows_draw(Context& ctx, GLenum mode, uint32_t count, uint32_t instances, const char* command) {
    const TransformFeedback& t = *ctx.transform_feedback;
    const Executable& e = *t.executable;
    const bool later = e.last_gives != ir::Shape::None;
    if (later || has_geometry_shaders(ctx) ? captured_mode(e, mode) != t.mode : mode != t.mode)
        return ctx.error(GL_INVALID_OPERATION, command, "mode 0x%04x: transform feedback began with 0x%04x",
                         mode, t.mode),
               false;
    const uint64_t needed = t.vertices + captured_vertices(mode, count, instances);
    std::lock_guard lock(ctx.share->mutex);
    for (unsigned i = 0; i < kMaxFeedbackBuffers; ++i) {
        const uint64_t stride_B = uint64_t(strides_dw(t)[i]) * 4;
        if (!stride_B) continue;
        const IndexedBuffer& at = t.buffers[i];
        if (at.buffer && at.buffer->locked())
            return ctx.error(GL_INVALID_OPERATION, command, "buffer %u of transform feedback is mapped",
                             at.buffer->name),
                   false;
        if (!later && !has_geometry_shaders(ctx) && bound_B(at) / stride_B < needed)
            return ctx.error(
                       GL_INVALID_OPERATION, command,
                       "buffer %u of transform feedback has room for %llu vertices; %llu would be in it", i,
                       static_cast<unsigned long long>(bound_B(at) / stride_B),
                       static_cast<unsigned long long>(needed)),
                   false;
    }
    return true;
}

void count_captured(Context& ctx, GLenum mode, uint32_t count, uint32_t instances) {
    add_captured(ctx, captured_vertices(mode, count, instances));
}

void count_captured_primitives(Context& ctx, uint64_t primitives) {
    const GLenum mode = ctx.transform_feedback->mode;
    add_captured(ctx, primitives * (mode == GL_TRIANGLES ? 3 : mode == GL_LINES ? 2 : 1));
}
std::array<pipe::BufferRange, kMaxFeedbackBuffers> stream_outputs(const Context& ctx) {
    std::array<pipe::BufferRange, kMaxFeedbackBuffers> out{};
    if (!is_capturing(ctx)) return out;
    const TransformFeedback& t = *ctx.transform_feedback;
    for (unsigned i = 0; i < kMaxFeedbackBuffers; ++i) {
        const uint64_t done_B = t.vertices * strides_dw(t)[i] * 4, size_B = bound_B(t.buffers[i]);
        if (!strides_dw(t)[i] || done_B >= size_B) continue;
        out[i] = {t.buffers[i].buffer->resource.get(), t.buffers[i].offset_B + done_B, size_B - done_B};
    }
    return out;
}

// --- objects

void GenTransformFeedbacks(Context& ctx, GLsizei n, GLuint* ids) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenTransformFeedbacks", "n (%d) is negative", n);
    reserve_names(ctx.transform_feedbacks, n, ids);
}

void DeleteTransformFeedbacks(Context& ctx, GLsizei n, const GLuint* ids) {
    const char* const command = "glDeleteTransformFeedbacks";
    if (n < 0) return ctx.error(GL_INVALID_VALUE, command, "n (%d) is negative", n);
    for (GLsizei i = 0; ids && i < n; ++i)
        if (const TransformFeedback* const t = ctx.transform_feedbacks.find(ids[i]); t && t->active)
            return ctx.error(GL_INVALID_OPERATION, command, "transform feedback %u is active", ids[i]);
    for (GLsizei i = 0; ids && i < n; ++i) {
        if (ids[i] == 0) continue;
        const pipe::Ref<TransformFeedback> t = ctx.transform_feedbacks.remove(ids[i]);
        if (t && t == ctx.transform_feedback) BindTransformFeedback(ctx, GL_TRANSFORM_FEEDBACK, 0);
    }
}

GLboolean IsTransformFeedback(Context& ctx, GLuint id) {
    return id && ctx.transform_feedbacks.find(id);
}

void BindTransformFeedback(Context& ctx, GLenum target, GLuint id) {
    const char* const command = "glBindTransformFeedback";
    if (!valid_target(ctx, target, command)) return;
    if (is_capturing(ctx))
        return ctx.error(GL_INVALID_OPERATION, command, "transform feedback is active and not paused");
    pipe::Ref<TransformFeedback> t = ctx.default_transform_feedback;
    if (id) {
        if (!ctx.transform_feedbacks.reserved(id))
            return ctx.error(GL_INVALID_OPERATION, command, "%u is not a name of glGenTransformFeedbacks",
                             id);
        t = pipe::Ref(ctx.transform_feedbacks.find(id));
        if (!t) {
            t = pipe::Ref<TransformFeedback>::adopt(new TransformFeedback(id));
            ctx.transform_feedbacks.set(id, t);
        }
    }
    ctx.transform_feedback = std::move(t);
    ctx.dirty |= dirty::kStreamOutputs;
}

// --- capturing

void BeginTransformFeedback(Context& ctx, GLenum primitiveMode) {
    const char* const command = "glBeginTransformFeedback";
    if (primitiveMode != GL_POINTS && primitiveMode != GL_LINES && primitiveMode != GL_TRIANGLES)
        return ctx.error(GL_INVALID_ENUM, command, "mode 0x%04x is not GL_POINTS, GL_LINES or GL_TRIANGLES",
                         primitiveMode);
    TransformFeedback& t = *ctx.transform_feedback;
    if (t.active) return ctx.error(GL_INVALID_OPERATION, command, "transform feedback is active already");
    if (!ctx.program && ctx.pipeline && !resolve_pipeline(ctx, false, command)) return;
    Program* const program = capturing_program(ctx);
    if (!ctx.executable || !program) return ctx.error(GL_INVALID_OPERATION, command, "no program is current");
    const ir::StreamOutputLayout& layout = ctx.executable->linked->stream_output;
    if (layout.empty())
        return ctx.error(GL_INVALID_OPERATION, command, "program %u captures nothing", program->name);
    for (unsigned i = 0; i < kMaxFeedbackBuffers; ++i)
        if (layout.stride_dw[i] && !t.buffers[i].buffer)
            return ctx.error(GL_INVALID_OPERATION, command, "no buffer is bound to binding point %u", i);
    std::lock_guard lock(ctx.share->mutex);
    t.active = true;
    t.paused = false;
    t.mode = primitiveMode;
    t.program = pipe::Ref(program);
    t.executable = ctx.executable;
    t.vertices = 0;
    ++t.program->capture_count;
    ctx.dirty |= dirty::kStreamOutputs;
}

void end_transform_feedback(Context& ctx, TransformFeedback& t) {
    std::lock_guard lock(ctx.share->mutex);
    --t.program->capture_count;
    t.active = t.paused = false;
    t.program = nullptr;
    t.executable = nullptr;
    ctx.dirty |= dirty::kStreamOutputs;
}

void EndTransformFeedback(Context& ctx) {
    TransformFeedback& t = *ctx.transform_feedback;
    if (!t.active)
        return ctx.error(GL_INVALID_OPERATION, "glEndTransformFeedback", "transform feedback is not active");
    end_transform_feedback(ctx, t);
}

void PauseTransformFeedback(Context& ctx) {
    if (!is_capturing(ctx))
        return ctx.error(GL_INVALID_OPERATION, "glPauseTransformFeedback",
                         "transform feedback is not active, or paused");
    ctx.transform_feedback->paused = true;
    ctx.dirty |= dirty::kStreamOutputs;
}

void ResumeTransformFeedback(Context& ctx) {
    const char* const command = "glResumeTransformFeedback";
    TransformFeedback& t = *ctx.transform_feedback;
    if (!t.active || !t.paused)
        return ctx.error(GL_INVALID_OPERATION, command, "transform feedback is not active, or not paused");
    if (t.program.get() != capturing_program(ctx) || t.executable != ctx.executable)
        return ctx.error(GL_INVALID_OPERATION, command, "transform feedback began with another program: %u",
                         t.program->name);
    t.paused = false;
    ctx.dirty |= dirty::kStreamOutputs;
}

// --- what programs capture

void TransformFeedbackVaryings(Context& ctx, GLuint program, GLsizei count, const GLchar* const* varyings,
                               GLenum bufferMode) {
    const char* const command = "glTransformFeedbackVaryings";
    std::lock_guard lock(ctx.share->mutex);
    Program* const p = find_program(ctx, program, command);
    if (!p) return;
    if (bufferMode != GL_INTERLEAVED_ATTRIBS && bufferMode != GL_SEPARATE_ATTRIBS)
        return ctx.error(GL_INVALID_ENUM, command, "bufferMode 0x%04x is none", bufferMode);
    const bool separate = bufferMode == GL_SEPARATE_ATTRIBS;
    if (count < 0 || (separate && count > GLsizei(kMaxFeedbackBuffers)))
        return ctx.error(GL_INVALID_VALUE, command,
                         "count %d is negative, or above %u of separate attributes", count,
                         kMaxFeedbackBuffers);
    std::vector<std::string> names;
    for (GLsizei i = 0; varyings && i < count; ++i)
        names.emplace_back(varyings[i] ? varyings[i] : "");
    p->captures = std::move(names);
    p->capture_separate = separate;
}

void GetTransformFeedbackVarying(Context& ctx, GLuint program, GLuint index, GLsizei bufSize, GLsizei* length,
                                 GLsizei* size, GLenum* type, GLchar* name) {
    const char* const command = "glGetTransformFeedbackVarying";
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, command);
    if (!p) return;
    if (!p->executable) return ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
    const std::vector<shaders::CaptureInfo>& captures = p->executable->linked->captures;
    if (index >= captures.size())
        return ctx.error(GL_INVALID_VALUE, command, "index %u: program %u captures %zu outputs", index,
                         program, captures.size());
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    copy_string(captures[index].name, bufSize, length, name);
    if (size) *size = GLsizei(captures[index].array_size);
    if (type) *type = gl_type(captures[index].type);
}

}  // namespace terrazzo::st
