// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glGet*i_v: state by index (OpenGL ES 3.2 section 2.2.2 and its state tables).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/images/texture.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

/// The part of an indexed buffer binding that a name asks for.
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

/// Up to four values of one index: integers in `v`, or floats in `f` if `real`.
struct IndexedValues {
    unsigned count = 1;
    std::array<uint64_t, 4> v{};
    bool real = false;
    std::array<GLfloat, 4> f{};
};

/// Other state by index: the number of indices, and the values of one.
struct IndexedRow {
    GLenum name;
    bool (*has)(const Context&);
    GLuint (*count)(const Context&);
    void (*values)(const Context&, GLuint index, IndexedValues&);
};
bool es31(const Context& c) {
    return c.config.version >= 31;
}
bool indexed_draw_buffers(const Context& c) {
    return has_extension(c, extension_row("GL_EXT_draw_buffers_indexed"));
}
bool viewport_array(const Context& c) {
    return has_extension(c, extension_row("GL_OES_viewport_array"));
}
GLuint viewports(const Context& c) {
    return GLuint(c.limits.max_viewports);
}
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
GLuint draw_buffers(const Context& c) {
    return GLuint(c.limits.max_draw_buffers);
}
const VertexBinding& vertex_binding(const Context& c, GLuint i) {
    return c.vertex_array->bindings[i];
}

// A row is "name, has, count, expression of Context& c and GLuint i".
#define TERRAZZO_ROW(name, has, count, ...)                                  \
    {                                                                        \
        name, has, count, [](const Context& c, GLuint i, IndexedValues& o) { \
            (void)c, (void)i;                                                \
            o.v[0] = uint64_t(__VA_ARGS__);                                  \
        }                                                                    \
    }
constexpr IndexedRow kRows[] = {
    TERRAZZO_ROW(GL_MAX_COMPUTE_WORK_GROUP_COUNT, es31, three, kMaxDispatchGroups),
    TERRAZZO_ROW(GL_MAX_COMPUTE_WORK_GROUP_SIZE, es31, three, c.limits.shader.compute_group_size[i]),
    TERRAZZO_ROW(GL_SAMPLE_MASK_VALUE, es31, one, int64_t(int32_t(c.state.sample_mask_value))),
    TERRAZZO_ROW(GL_VERTEX_BINDING_BUFFER, es31, vertex_bindings,
                 vertex_binding(c, i).buffer ? vertex_binding(c, i).buffer->name : 0),
    TERRAZZO_ROW(GL_VERTEX_BINDING_OFFSET, es31, vertex_bindings, vertex_binding(c, i).offset_B),
    TERRAZZO_ROW(GL_VERTEX_BINDING_STRIDE, es31, vertex_bindings, vertex_binding(c, i).stride_B),
    TERRAZZO_ROW(GL_VERTEX_BINDING_DIVISOR, es31, vertex_bindings, vertex_binding(c, i).divisor),
    TERRAZZO_ROW(GL_IMAGE_BINDING_NAME, es31, image_units,
                 c.images[i].texture ? c.images[i].texture->name : 0),
    TERRAZZO_ROW(GL_IMAGE_BINDING_LEVEL, es31, image_units, c.images[i].level),
    TERRAZZO_ROW(GL_IMAGE_BINDING_LAYERED, es31, image_units, c.images[i].layered),
    TERRAZZO_ROW(GL_IMAGE_BINDING_LAYER, es31, image_units, c.images[i].layer),
    TERRAZZO_ROW(GL_IMAGE_BINDING_ACCESS, es31, image_units, c.images[i].access),
    TERRAZZO_ROW(GL_IMAGE_BINDING_FORMAT, es31, image_units, c.images[i].format),
    TERRAZZO_ROW(GL_BLEND_EQUATION_RGB, indexed_draw_buffers, draw_buffers, c.state.blend[i].eq_rgb),
    TERRAZZO_ROW(GL_BLEND_EQUATION_ALPHA, indexed_draw_buffers, draw_buffers, c.state.blend[i].eq_alpha),
    TERRAZZO_ROW(GL_BLEND_SRC_RGB, indexed_draw_buffers, draw_buffers, c.state.blend[i].src_rgb),
    TERRAZZO_ROW(GL_BLEND_SRC_ALPHA, indexed_draw_buffers, draw_buffers, c.state.blend[i].src_alpha),
    TERRAZZO_ROW(GL_BLEND_DST_RGB, indexed_draw_buffers, draw_buffers, c.state.blend[i].dst_rgb),
    TERRAZZO_ROW(GL_BLEND_DST_ALPHA, indexed_draw_buffers, draw_buffers, c.state.blend[i].dst_alpha),
    {GL_COLOR_WRITEMASK, indexed_draw_buffers, draw_buffers,
     [](const Context& c, GLuint i, IndexedValues& o) {
         o.count = 4;
         std::copy_n(c.state.blend[i].color_mask.begin(), 4, o.v.begin());
     }},
    {GL_SCISSOR_BOX, viewport_array, viewports,
     [](const Context& c, GLuint i, IndexedValues& o) {
         o.count = 4;
         for (unsigned n = 0; n < 4; ++n)
             o.v[n] = uint64_t(int64_t(c.state.viewports[i].scissor[n]));
     }},
    {GL_VIEWPORT, viewport_array, viewports,
     [](const Context& c, GLuint i, IndexedValues& o) {
         o.count = 4;
         o.real = true;
         std::copy_n(c.state.viewports[i].box, 4, o.f.begin());
     }},
    {GL_DEPTH_RANGE, viewport_array, viewports,
     [](const Context& c, GLuint i, IndexedValues& o) {
         o.count = 2;
         o.real = true;
         std::copy_n(c.state.viewports[i].depth_range, 2, o.f.begin());
     }},
};
#undef TERRAZZO_ROW

/// The values of one index. False: the error is recorded.
bool indexed_values(Context& ctx, GLenum target, GLuint index, const char* command, IndexedValues* out) {
    const auto inside = [&](size_t count) {
        if (index >= count)
            ctx.error(GL_INVALID_VALUE, command, "index %u: target 0x%04x has %zu", index, target, count);
        return index < count;
    };
    IndexedTarget of;
    for (const BufferRow& r : kBufferRows)
        if (r.name == target && indexed_target(ctx, r.target, &of)) {
            if (!inside(of.points.size())) return false;
            out->v[0] = value_of(of.points[index], r.asked);
            return true;
        }
    for (const IndexedRow& r : kRows)
        if (r.name == target && r.has(ctx)) {
            if (!inside(r.count(ctx))) return false;
            r.values(ctx, index, *out);
            return true;
        }
    return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x names no indexed state", target), false;
}

/// `integer` and `real` convert values to T.
template <class T, class Integer, class Real>
void get_indexed(Context& ctx, GLenum target, GLuint index, T* data, const char* command, Integer&& integer,
                 Real&& real) {
    IndexedValues values;
    if (!indexed_values(ctx, target, index, command, &values) || !data) return;
    for (unsigned n = 0; n < values.count; ++n)
        data[n] = values.real ? real(values.f[n]) : integer(values.v[n]);
}

}  // namespace

void GetIntegeri_v(Context& ctx, GLenum target, GLuint index, GLint* data) {
    // A mask keeps its bits, a scissor may be negative, an offset is clamped to the largest number.
    const auto integer = [&](uint64_t v) {
        const bool bits = target == GL_SAMPLE_MASK_VALUE || target == GL_SCISSOR_BOX;
        return GLint(bits ? uint32_t(v) : uint32_t(std::min<uint64_t>(v, std::numeric_limits<GLint>::max())));
    };
    // Depths are rounded as well. glGetIntegerv maps them to the range of GLint, but other implementations
    // round here, and piglit expects that.
    const auto real = [](GLfloat f) { return GLint(std::lround(f)); };
    get_indexed(ctx, target, index, data, "glGetIntegeri_v", integer, real);
}
void GetInteger64i_v(Context& ctx, GLenum target, GLuint index, GLint64* data) {
    get_indexed(
        ctx, target, index, data, "glGetInteger64i_v", [](uint64_t v) { return GLint64(v); },
        [](GLfloat f) { return GLint64(std::lround(f)); });
}
void GetBooleani_v(Context& ctx, GLenum target, GLuint index, GLboolean* data) {
    get_indexed(
        ctx, target, index, data, "glGetBooleani_v", [](uint64_t v) { return GLboolean(v != 0); },
        [](GLfloat f) { return GLboolean(f != 0); });
}
void GetFloati_v(Context& ctx, GLenum target, GLuint index, GLfloat* data) {
    get_indexed(
        ctx, target, index, data, "glGetFloati_vOES", [](uint64_t v) { return GLfloat(int64_t(v)); },
        [](GLfloat f) { return f; });
}

}  // namespace terrazzo::st
