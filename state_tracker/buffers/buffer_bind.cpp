// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names, bindings and queries of buffer objects (OpenGL ES 3.0 sections 2.10, 2.10.1, 2.10.6 and 6.1.9; ES
// 3.1 section 6.1).
#include <algorithm>

#include "state_tracker/buffers/buffer_storage.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/context/names.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

/// An indexed binding point, by the arguments of glBindBufferBase and glBindBufferRange. Null: the error is
/// recorded.
IndexedBuffer* indexed_binding(Context& ctx, GLenum target, GLuint index, const char* command,
                               IndexedTarget* of) {
    if (!indexed_target(ctx, target, of)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x has no indexed binding points", target);
        return nullptr;
    }
    if (index < of->points.size()) return &of->points[index];
    ctx.error(GL_INVALID_VALUE, command, "index %u is not below %s (%zu)", index, of->limit,
              of->points.size());
    return nullptr;
}

pipe::Ref<Buffer>* es31_binding(Context& ctx, GLenum target) {
    switch (target) {
        case GL_SHADER_STORAGE_BUFFER:
            return &ctx.storage_buffer;
        case GL_ATOMIC_COUNTER_BUFFER:
            return &ctx.atomic_buffer;
        case GL_DRAW_INDIRECT_BUFFER:
            return &ctx.draw_indirect_buffer;
        case GL_DISPATCH_INDIRECT_BUFFER:
            return &ctx.dispatch_indirect_buffer;
        case GL_TEXTURE_BUFFER:
            return &ctx.texture_buffer;
        default:
            return nullptr;
    }
}

constexpr GLenum kIndexedTargets[] = {GL_UNIFORM_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER,
                                      GL_SHADER_STORAGE_BUFFER, GL_ATOMIC_COUNTER_BUFFER};
/// The targets of all bindings except the element array buffer, which belongs to the vertex array.
constexpr GLenum kContextTargets[] = {
    GL_ARRAY_BUFFER,          GL_PIXEL_PACK_BUFFER,    GL_PIXEL_UNPACK_BUFFER,       GL_COPY_READ_BUFFER,
    GL_COPY_WRITE_BUFFER,     GL_UNIFORM_BUFFER,       GL_TRANSFORM_FEEDBACK_BUFFER, GL_SHADER_STORAGE_BUFFER,
    GL_ATOMIC_COUNTER_BUFFER, GL_DRAW_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER,  GL_TEXTURE_BUFFER};

/// Binds a buffer to an indexed point of `of` and to the target itself.
void bind_indexed(Context& ctx, GLenum target, const IndexedTarget& of, IndexedBuffer& at, GLuint buffer,
                  GLintptr offset, GLsizeiptr size, bool whole, const char* command) {
    if (target == GL_TRANSFORM_FEEDBACK_BUFFER && ctx.transform_feedback->active)
        return ctx.error(GL_INVALID_OPERATION, command, "transform feedback is active");
    std::lock_guard lock(ctx.share->mutex);
    pipe::Ref<Buffer>& generic = *buffer_binding(ctx, target);
    ctx.dirty |= of.dirty;
    // Programs often move one buffer's range between draws: that changes no reference count.
    const bool same = generic && generic == at.buffer && ctx.share->buffers.find(buffer) == generic.get();
    if (!same) at.buffer = generic = buffer_of(ctx, buffer);
    at.offset_B = at.buffer ? uint64_t(offset) : 0;
    at.size_B = at.buffer ? uint64_t(size) : 0;
    at.whole = at.buffer && whole;
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

pipe::Ref<Buffer> buffer_of(Context& ctx, GLuint name) {
    if (!name) return nullptr;
    pipe::Ref<Buffer> b(ctx.share->buffers.find(name));
    if (!b) {
        b = pipe::Ref<Buffer>::adopt(new Buffer(name));
        ctx.share->buffers.set(name, b);
    }
    return b;
}

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
            return ctx.config.version >= 31 ? es31_binding(ctx, target) : nullptr;
    }
}

bool indexed_target(Context& ctx, GLenum target, IndexedTarget* out) {
    const ContextLimits& l = ctx.limits;
    const auto first = [](auto& points, GLint count) { return std::span(points).first(size_t(count)); };
    switch (target) {
        case GL_UNIFORM_BUFFER:
            *out = {first(ctx.uniform_buffers, l.max_uniform_buffer_bindings), l.uniform_alignment_B,
                    dirty::kUniformBuffers, "GL_MAX_UNIFORM_BUFFER_BINDINGS"};
            return true;
        case GL_TRANSFORM_FEEDBACK_BUFFER:
            *out = {ctx.transform_feedback->buffers, 4, dirty::kStreamOutputs,
                    "GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS"};
            return true;
        case GL_SHADER_STORAGE_BUFFER:
            *out = {first(ctx.storage_buffers, l.max_storage_bindings), l.storage_alignment_B,
                    dirty::kStorageBuffers, "GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS"};
            return ctx.config.version >= 31;
        case GL_ATOMIC_COUNTER_BUFFER:
            *out = {first(ctx.atomic_buffers, l.max_atomic_bindings), 4, dirty::kStorageBuffers,
                    "GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS"};
            return ctx.config.version >= 31;
        default:
            return false;
    }
}

pipe::BufferRange bound_range(const IndexedBuffer& at) {
    if (!at.buffer || !at.buffer->resource || at.offset_B >= at.buffer->size_B) return {};
    const uint64_t left_B = at.buffer->size_B - at.offset_B;
    return {at.buffer->resource.get(), at.offset_B, at.whole ? left_B : std::min(at.size_B, left_B)};
}

void unbind_buffer(Context& ctx, const Buffer& b) {
    for (const GLenum target : kContextTargets)
        if (pipe::Ref<Buffer>* const bound = buffer_binding(ctx, target); bound && bound->get() == &b)
            *bound = nullptr;
    for (const GLenum target : kIndexedTargets) {
        IndexedTarget of;
        if (!indexed_target(ctx, target, &of)) continue;
        for (IndexedBuffer& at : of.points)
            if (at.buffer.get() == &b) {
                at = {};
                ctx.dirty |= of.dirty;
            }
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
    const char* const command = "glBindBufferBase";
    IndexedTarget of;
    if (IndexedBuffer* const at = indexed_binding(ctx, target, index, command, &of))
        bind_indexed(ctx, target, of, *at, buffer, 0, 0, true, command);
}

void BindBufferRange(Context& ctx, GLenum target, GLuint index, GLuint buffer, GLintptr offset,
                     GLsizeiptr size) {
    const char* const command = "glBindBufferRange";
    IndexedTarget of;
    IndexedBuffer* const at = indexed_binding(ctx, target, index, command, &of);
    if (!at) return;
    if (buffer && size <= 0) return ctx.error(GL_INVALID_VALUE, command, "size (%td) is not above 0", size);
    if (offset < 0) return ctx.error(GL_INVALID_VALUE, command, "offset (%td) is negative", offset);
    const bool sizes_too = target == GL_TRANSFORM_FEEDBACK_BUFFER;
    if (offset % of.align_B || (sizes_too && size % of.align_B))
        return ctx.error(GL_INVALID_VALUE, command, "offset (%td)%s is no multiple of %d", offset,
                         sizes_too ? " or size" : "", of.align_B);
    bind_indexed(ctx, target, of, *at, buffer, offset, size, false, command);
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
