// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glGet*i_v: state by index (OpenGL ES 3.0 section 6.1.1).
#include <algorithm>
#include <limits>

#include "state_tracker/core/buffer.h"
#include "state_tracker/core/transform_feedback.h"

namespace terrazzo::st {
namespace {

/// The binding that an indexed query is about, and what it asks of it. False: the error is recorded.
enum class Asked : uint8_t { Buffer, Start, Size };
bool indexed_row(Context& ctx, GLenum target, GLuint index, const char* command, const IndexedBuffer** at,
                 Asked* asked) {
    bool uniform = true;
    switch (target) {
        case GL_UNIFORM_BUFFER_BINDING:
        case GL_TRANSFORM_FEEDBACK_BUFFER_BINDING:
            uniform = target == GL_UNIFORM_BUFFER_BINDING;
            *asked = Asked::Buffer;
            break;
        case GL_UNIFORM_BUFFER_START:
        case GL_TRANSFORM_FEEDBACK_BUFFER_START:
            uniform = target == GL_UNIFORM_BUFFER_START;
            *asked = Asked::Start;
            break;
        case GL_UNIFORM_BUFFER_SIZE:
        case GL_TRANSFORM_FEEDBACK_BUFFER_SIZE:
            uniform = target == GL_UNIFORM_BUFFER_SIZE;
            *asked = Asked::Size;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x names no indexed state", target), false;
    }
    const GLuint count = uniform ? GLuint(ctx.limits.max_uniform_buffer_bindings) : kMaxFeedbackBuffers;
    if (index >= count)
        return ctx.error(GL_INVALID_VALUE, command, "index %u: target 0x%04x has %u", index, target, count),
               false;
    *at = uniform ? &ctx.uniform_buffers[index] : &ctx.transform_feedback->buffers[index];
    return true;
}

template <class T>
void get_indexed(Context& ctx, GLenum target, GLuint index, T* data, const char* command) {
    const IndexedBuffer* at;
    Asked asked;
    if (!indexed_row(ctx, target, index, command, &at, &asked) || !data) return;
    const uint64_t value = asked == Asked::Buffer  ? (at->buffer ? at->buffer->name : 0)
                           : asked == Asked::Start ? at->offset_B
                                                   : at->size_B;
    *data = T(std::min<uint64_t>(value, uint64_t(std::numeric_limits<T>::max())));
}

}  // namespace

void GetIntegeri_v(Context& ctx, GLenum target, GLuint index, GLint* data) {
    get_indexed(ctx, target, index, data, "glGetIntegeri_v");
}
void GetInteger64i_v(Context& ctx, GLenum target, GLuint index, GLint64* data) {
    get_indexed(ctx, target, index, data, "glGetInteger64i_v");
}

}  // namespace terrazzo::st
