// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names, bindings and queries of buffer objects (OpenGL ES 3.0 sections 2.10, 2.10.1, 2.10.6 and 6.1.9).
#include "state_tracker/core/buffer_storage.h"
#include "state_tracker/core/limits.h"
#include "state_tracker/core/names.h"
#include "state_tracker/core/transform_feedback.h"
#include "state_tracker/core/vertex_array.h"

namespace terrazzo::st {
namespace {

/// An indexed binding point, as glBindBufferBase and glBindBufferRange name it. Null: the error is recorded.
IndexedBuffer* indexed_binding(Context& ctx, GLenum target, GLuint index, const char* command) {
    switch (target) {
        case GL_UNIFORM_BUFFER:
            if (index < GLuint(ctx.limits.max_uniform_buffer_bindings)) return &ctx.uniform_buffers[index];
            ctx.error(GL_INVALID_VALUE, command, "index %u is not below GL_MAX_UNIFORM_BUFFER_BINDINGS (%d)",
                      index, ctx.limits.max_uniform_buffer_bindings);
            return nullptr;
        case GL_TRANSFORM_FEEDBACK_BUFFER:
            if (index < kMaxFeedbackBuffers) return &ctx.transform_feedback->buffers[index];
            ctx.error(GL_INVALID_VALUE, command,
                      "index %u is not below GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS (%u)", index,
                      kMaxFeedbackBuffers);
            return nullptr;
        default:
            ctx.error(GL_INVALID_ENUM, command, "target 0x%04x has no indexed binding points", target);
            return nullptr;
    }
}

/// The buffer of a name, made at its first use. Lock the share group.
pipe::Ref<Buffer> buffer_of(Context& ctx, GLuint name) {
    if (!name) return nullptr;
    pipe::Ref<Buffer> b(ctx.share->buffers.find(name));
    if (!b) {
        b = pipe::Ref<Buffer>::adopt(new Buffer(name));
        ctx.share->buffers.set(name, b);
    }
    return b;
}

void bind_indexed(Context& ctx, GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size,
                  bool whole, const char* command) {
    IndexedBuffer* const at = indexed_binding(ctx, target, index, command);
    if (!at) return;
    if (target == GL_TRANSFORM_FEEDBACK_BUFFER && ctx.transform_feedback->active)
        return ctx.error(GL_INVALID_OPERATION, command, "transform feedback is active");
    std::lock_guard lock(ctx.share->mutex);
    pipe::Ref<Buffer> b = buffer_of(ctx, buffer);
    *buffer_binding(ctx, target) = b;
    *at = b ? IndexedBuffer{std::move(b), uint64_t(offset), uint64_t(size), whole} : IndexedBuffer{};
    ctx.dirty |= target == GL_UNIFORM_BUFFER ? dirty::kUniformBuffers : dirty::kStreamOutputs;
}

/// A value of glGetBufferParameter*. False: the error is recorded.
bool parameter(Context& ctx, GLenum target, GLenum pname, const char* command, GLint64* out) {
    if (!buffer_binding(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target), false;
    const Buffer* const b = buffer_binding(ctx, target)->get();
    switch (pname) {
        case GL_BUFFER_SIZE:
            *out = b ? GLint64(b->size_B) : 0;
            break;
        case GL_BUFFER_USAGE:
            *out = b ? b->usage : 0;
            break;
        case GL_BUFFER_ACCESS_OES:
            *out = GL_WRITE_ONLY_OES;
            break;
        case GL_BUFFER_MAPPED_OES:
            *out = b && b->map_pointer;
            break;
        case GL_BUFFER_ACCESS_FLAGS:
            *out = b ? b->map_access : 0;
            break;
        case GL_BUFFER_MAP_LENGTH:
            *out = b ? GLint64(b->map_length_B) : 0;
            break;
        case GL_BUFFER_IMMUTABLE_STORAGE_EXT:
            *out = b && b->immutable;
            break;
        case GL_BUFFER_STORAGE_FLAGS_EXT:
            *out = b ? b->storage_flags : 0;
            break;
        case GL_BUFFER_MAP_OFFSET:
            *out = b ? GLint64(b->map_offset_B) : 0;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a buffer", pname), false;
    }
    return bound_buffer(ctx, target, command) != nullptr;
}

}  // namespace

pipe::Ref<Buffer>* buffer_binding(Context& ctx, GLenum target) {
    if (target == GL_ARRAY_BUFFER) return &ctx.array_buffer;
    if (target == GL_ELEMENT_ARRAY_BUFFER) return &ctx.vertex_array->element_buffer;
    if (ctx.config.version < 30) return nullptr;
    switch (target) {
        case GL_PIXEL_PACK_BUFFER:
            return &ctx.pixel_pack_buffer;
        case GL_PIXEL_UNPACK_BUFFER:
            return &ctx.pixel_unpack_buffer;
        case GL_COPY_READ_BUFFER:
            return &ctx.copy_read_buffer;
        case GL_COPY_WRITE_BUFFER:
            return &ctx.copy_write_buffer;
        case GL_UNIFORM_BUFFER:
            return &ctx.uniform_buffer;
        case GL_TRANSFORM_FEEDBACK_BUFFER:
            return &ctx.transform_feedback_buffer;
        default:
            return nullptr;
    }
}

void unbind_buffer(Context& ctx, const Buffer& b) {
    for (pipe::Ref<Buffer>* bound :
         {&ctx.array_buffer, &ctx.pixel_pack_buffer, &ctx.pixel_unpack_buffer, &ctx.copy_read_buffer,
          &ctx.copy_write_buffer, &ctx.uniform_buffer, &ctx.transform_feedback_buffer})
        if (bound->get() == &b) *bound = nullptr;
    for (IndexedBuffer& at : ctx.uniform_buffers)
        if (at.buffer.get() == &b) {
            at = {};
            ctx.dirty |= dirty::kUniformBuffers;
        }
    for (IndexedBuffer& at : ctx.transform_feedback->buffers)
        if (at.buffer.get() == &b) {
            at = {};
            ctx.dirty |= dirty::kStreamOutputs;
        }
    unbind_array_buffer(ctx, b);
}

Buffer* bound_buffer(Context& ctx, GLenum target, const char* command) {
    pipe::Ref<Buffer>* b = buffer_binding(ctx, target);
    if (!b)
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    else if (!*b)
        ctx.error(GL_INVALID_OPERATION, command, "no buffer is bound to target 0x%04x", target);
    else
        return b->get();
    return nullptr;
}

void GenBuffers(Context& ctx, GLsizei n, GLuint* buffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenBuffers", "n (%d) is negative", n);
    std::lock_guard lock(ctx.share->mutex);
    reserve_names(ctx.share->buffers, n, buffers);
}

void DeleteBuffers(Context& ctx, GLsizei n, const GLuint* buffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteBuffers", "n (%d) is negative", n);
    if (!buffers) return;
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; i < n; ++i) {
        pipe::Ref<Buffer> b = ctx.share->buffers.remove(buffers[i]);
        if (!b) continue;
        b->name_deleted = true;
        end_map(ctx, *b);
        unbind_buffer(ctx, *b);
    }
}

void BindBuffer(Context& ctx, GLenum target, GLuint buffer) {
    pipe::Ref<Buffer>* slot = buffer_binding(ctx, target);
    if (!slot)
        return ctx.error(GL_INVALID_ENUM, "glBindBuffer", "target 0x%04x is not a buffer target", target);
    GLuint bound = *slot && !(*slot)->name_deleted ? (*slot)->name : 0;
    if (buffer == bound && (buffer != 0 || !*slot)) return;
    std::unique_lock lock(ctx.share->mutex);
    pipe::Ref<Buffer> b = buffer_of(ctx, buffer);
    lock.unlock();
    *slot = std::move(b);
    if (target == GL_ELEMENT_ARRAY_BUFFER) vertex_array_changed(ctx);
}

GLboolean IsBuffer(Context& ctx, GLuint buffer) {
    std::lock_guard lock(ctx.share->mutex);
    return buffer && ctx.share->buffers.find(buffer);
}

void BindBufferBase(Context& ctx, GLenum target, GLuint index, GLuint buffer) {
    bind_indexed(ctx, target, index, buffer, 0, 0, true, "glBindBufferBase");
}

void BindBufferRange(Context& ctx, GLenum target, GLuint index, GLuint buffer, GLintptr offset,
                     GLsizeiptr size) {
    const char* const command = "glBindBufferRange";
    if (!indexed_binding(ctx, target, index, command)) return;
    if (buffer && size <= 0) return ctx.error(GL_INVALID_VALUE, command, "size (%td) is not above 0", size);
    if (offset < 0) return ctx.error(GL_INVALID_VALUE, command, "offset (%td) is negative", offset);
    const bool uniform = target == GL_UNIFORM_BUFFER;
    const GLint align_B = uniform ? ctx.limits.uniform_alignment_B : 4;
    if (offset % align_B || (!uniform && size % align_B))
        return ctx.error(GL_INVALID_VALUE, command, "offset (%td)%s is no multiple of %d", offset,
                         uniform ? "" : " or size", align_B);
    bind_indexed(ctx, target, index, buffer, offset, size, false, command);
}

void GetBufferParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    GLint64 value;
    if (parameter(ctx, target, pname, "glGetBufferParameteriv", &value) && params) *params = GLint(value);
}
void GetBufferParameteri64v(Context& ctx, GLenum target, GLenum pname, GLint64* params) {
    GLint64 value;
    if (parameter(ctx, target, pname, "glGetBufferParameteri64v", &value) && params) *params = value;
}

void GetBufferPointerv(Context& ctx, GLenum target, GLenum pname, void** params) {
    const char* const command = "glGetBufferPointerv";
    if (!buffer_binding(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    if (pname != GL_BUFFER_MAP_POINTER_OES)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is not GL_BUFFER_MAP_POINTER_OES", pname);
    if (Buffer* b = bound_buffer(ctx, target, command); b && params) *params = b->map_pointer;
}

}  // namespace terrazzo::st
