// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glGet*i_v: state by index (OpenGL ES 3.0 section 6.1.1, ES 3.1 section 2.2.2 and its state tables).
#include <algorithm>
#include <limits>

#include "state_tracker/core/buffer.h"
#include "state_tracker/core/limits.h"
#include "state_tracker/core/vertex_array.h"
#include "state_tracker/images/texture.h"

namespace terrazzo::st {
namespace {

/// What a name asks of an indexed buffer binding.
enum class Asked : uint8_t { Buffer, Start, Size };
struct BufferRow {
    GLenum name, target;
    Asked asked;
};
constexpr BufferRow kBufferRows[] = {
    {GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER, Asked::Buffer},
    {GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER, Asked::Start},
    {GL_UNIFORM_BUFFER_SIZE, GL_UNIFORM_BUFFER, Asked::Size},
    {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER, Asked::Buffer},
    {GL_TRANSFORM_FEEDBACK_BUFFER_START, GL_TRANSFORM_FEEDBACK_BUFFER, Asked::Start},
    {GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, GL_TRANSFORM_FEEDBACK_BUFFER, Asked::Size},
    {GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER, Asked::Buffer},
    {GL_SHADER_STORAGE_BUFFER_START, GL_SHADER_STORAGE_BUFFER, Asked::Start},
    {GL_SHADER_STORAGE_BUFFER_SIZE, GL_SHADER_STORAGE_BUFFER, Asked::Size},
    {GL_ATOMIC_COUNTER_BUFFER_BINDING, GL_ATOMIC_COUNTER_BUFFER, Asked::Buffer},
    {GL_ATOMIC_COUNTER_BUFFER_START, GL_ATOMIC_COUNTER_BUFFER, Asked::Start},
    {GL_ATOMIC_COUNTER_BUFFER_SIZE, GL_ATOMIC_COUNTER_BUFFER, Asked::Size},
};

uint64_t value_of(const IndexedBuffer& at, Asked asked) {
    switch (asked) {
        case Asked::Buffer:
            return at.buffer ? at.buffer->name : 0;
        case Asked::Start:
            return at.offset_B;
        case Asked::Size:
            break;
    }
    return at.size_B;
}

/// Other state by index: how many there are, and the value of one.
struct IndexedRow {
    GLenum name;
    GLuint (*count)(const Context&);
    uint64_t (*value)(const Context&, GLuint index);
};
GLuint three(const Context&) {
    return 3;
}
GLuint one(const Context&) {
    return 1;
}
GLuint image_units(const Context& c) {
    return GLuint(c.limits.max_image_units);
}
GLuint vertex_bindings(const Context&) {
    return GLuint(kMaxVertexBindings);
}
const VertexBinding& vertex_binding(const Context& c, GLuint i) {
    return c.vertex_array->bindings[i];
}
constexpr IndexedRow kRows31[] = {
    {GL_MAX_COMPUTE_WORK_GROUP_COUNT, three,
     [](const Context&, GLuint) { return uint64_t(kMaxDispatchGroups); }},
    {GL_MAX_COMPUTE_WORK_GROUP_SIZE, three,
     [](const Context& c, GLuint i) { return uint64_t(c.limits.shader.compute_group_size[i]); }},
    {GL_SAMPLE_MASK_VALUE, one,
     [](const Context& c, GLuint) { return uint64_t(int64_t(int32_t(c.state.sample_mask_value))); }},
    {GL_VERTEX_BINDING_BUFFER, vertex_bindings,
     [](const Context& c, GLuint i) {
         const pipe::Ref<Buffer>& b = vertex_binding(c, i).buffer;
         return uint64_t(b ? b->name : 0);
     }},
    {GL_VERTEX_BINDING_OFFSET, vertex_bindings,
     [](const Context& c, GLuint i) { return uint64_t(vertex_binding(c, i).offset_B); }},
    {GL_VERTEX_BINDING_STRIDE, vertex_bindings,
     [](const Context& c, GLuint i) { return uint64_t(vertex_binding(c, i).stride_B); }},
    {GL_VERTEX_BINDING_DIVISOR, vertex_bindings,
     [](const Context& c, GLuint i) { return uint64_t(vertex_binding(c, i).divisor); }},
    {GL_IMAGE_BINDING_NAME, image_units,
     [](const Context& c, GLuint i) {
         return uint64_t(c.images[i].texture ? c.images[i].texture->name : 0);
     }},
    {GL_IMAGE_BINDING_LEVEL, image_units,
     [](const Context& c, GLuint i) { return uint64_t(c.images[i].level); }},
    {GL_IMAGE_BINDING_LAYERED, image_units,
     [](const Context& c, GLuint i) { return uint64_t(c.images[i].layered); }},
    {GL_IMAGE_BINDING_LAYER, image_units,
     [](const Context& c, GLuint i) { return uint64_t(c.images[i].layer); }},
    {GL_IMAGE_BINDING_ACCESS, image_units,
     [](const Context& c, GLuint i) { return uint64_t(c.images[i].access); }},
    {GL_IMAGE_BINDING_FORMAT, image_units,
     [](const Context& c, GLuint i) { return uint64_t(c.images[i].format); }},
};

/// False: the error is recorded.
bool indexed_value(Context& ctx, GLenum target, GLuint index, const char* command, uint64_t* value) {
    const auto inside = [&](size_t count) {
        if (index >= count)
            ctx.error(GL_INVALID_VALUE, command, "index %u: target 0x%04x has %zu", index, target, count);
        return index < count;
    };
    IndexedTarget of;
    for (const BufferRow& r : kBufferRows)
        if (r.name == target && indexed_target(ctx, r.target, &of)) {
            if (!inside(of.points.size())) return false;
            *value = value_of(of.points[index], r.asked);
            return true;
        }
    for (const IndexedRow& r : kRows31)
        if (r.name == target && ctx.config.version >= 31) {
            if (!inside(r.count(ctx))) return false;
            *value = r.value(ctx, index);
            return true;
        }
    return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x names no indexed state", target), false;
}

template <class T, class F>
void get_indexed(Context& ctx, GLenum target, GLuint index, T* data, const char* command, F&& convert) {
    uint64_t value;
    if (indexed_value(ctx, target, index, command, &value) && data) *data = convert(value);
}

}  // namespace

void GetIntegeri_v(Context& ctx, GLenum target, GLuint index, GLint* data) {
    // A mask is its bits, an offset at most the largest number.
    const bool bits = target == GL_SAMPLE_MASK_VALUE;
    get_indexed(ctx, target, index, data, "glGetIntegeri_v", [&](uint64_t v) {
        return GLint(bits ? uint32_t(v) : uint32_t(std::min<uint64_t>(v, std::numeric_limits<GLint>::max())));
    });
}
void GetInteger64i_v(Context& ctx, GLenum target, GLuint index, GLint64* data) {
    get_indexed(ctx, target, index, data, "glGetInteger64i_v", [](uint64_t v) { return GLint64(v); });
}
void GetBooleani_v(Context& ctx, GLenum target, GLuint index, GLboolean* data) {
    get_indexed(ctx, target, index, data, "glGetBooleani_v", [](uint64_t v) { return GLboolean(v != 0); });
}

}  // namespace terrazzo::st
