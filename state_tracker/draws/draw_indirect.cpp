// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with parameters in buffers (OpenGL ES 3.1 section 10.5, EXT_base_instance, EXT_multi_draw_indirect).
// The CPU reads them, unless a device other than this CPU wrote them.
#include <bit>

#include "state_tracker/buffers/buffer_storage.h"
#include "state_tracker/draws/draw_cache.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/vertices/index_range.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

/// Checks shared by the two commands. False: the error is recorded.
bool may_draw(Context& ctx, GLenum mode, const char* command) {
    if (!valid_mode(ctx, mode, command)) return false;
    const VertexArray& va = *ctx.vertex_array;
    if (ctx.vertex_array == ctx.default_vertex_array)
        return ctx.error(GL_INVALID_OPERATION, command, "no vertex array object is bound"), false;
    for (uint32_t rest = va.enabled; rest; rest &= rest - 1)
        if (const auto i = size_t(std::countr_zero(rest)); !va.binding_of(va.attribs[i]).buffer)
            return ctx.error(GL_INVALID_OPERATION, command, "the array of attribute %zu has no buffer", i),
                   false;
    // The number of vertices that an indirect draw captures is not known in advance. Geometry shaders allow
    // captured draws whose number the device reports afterwards.
    return !is_capturing(ctx) || allows_draw(ctx, mode, 0, 0, command);
}

/// Whether a draw with these numbers is to be made. Numbers larger than those of the direct commands are
/// undefined; then nothing is drawn.
bool drawable(Context& ctx, uint32_t first, uint32_t count, uint32_t instances, const char* command) {
    if (count == 0 || !has_instances(ctx, instances, command)) return false;
    if (first <= uint32_t(INT32_MAX) && count <= uint32_t(INT32_MAX) && instances <= uint32_t(INT32_MAX))
        return true;
    ctx.message(GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR_KHR, GL_DEBUG_SEVERITY_HIGH_KHR,
                "%s: first %u, count %u or primCount %u is too large", command, first, count, instances);
    return false;
}

struct ArraysParameters {
    uint32_t count, instances, first;
    uint32_t base_instance;  // EXT_base_instance; otherwise 0
};
struct ElementsParameters {
    uint32_t count, instances, first;
    int32_t base_vertex;
    uint32_t base_instance;
};

/// Reads a draw's parameters and calls prepare_draw(). Parameters that the device wrote are not read:
/// `device` says where they are. Programs with several views are an exception, since their instances are
/// multiplied here. False: nothing is to be drawn.
template <class Parameters>
bool prepare_indirect(Context& ctx, GLintptr at, Parameters* p, DeviceParameters* device,
                      const char* command) {
    const auto prepare = [&](DeviceParameters* left) {
        return read_indirect(ctx, GL_DRAW_INDIRECT_BUFFER, at, p, sizeof *p, command, left) &&
               prepare_draw(ctx, command);
    };
    if (!prepare(is_capturing(ctx) ? nullptr : device)) return false;
    if (!device->resource || ctx.draw_cache->view_count == 1) return true;
    *device = {};
    return prepare(nullptr);
}

void arrays_indirect(Context& ctx, GLenum mode, GLintptr at, const char* command) {
    ArraysParameters p;
    DeviceParameters device;
    if (!prepare_indirect(ctx, at, &p, &device, command)) return;
    if (device.resource)
        return draw_device_parameters(ctx, mode, pipe::IndexType::None, device.range(), command);
    if (drawable(ctx, p.first, p.count, p.instances, command))
        draw_vertices(ctx, mode, p.first, p.count, {p.instances, p.base_instance}, command);
}

/// Checks shared by DrawElementsIndirect and its multi variant. False: the error is recorded.
bool may_draw_elements(Context& ctx, GLenum mode, GLenum type, const char* command) {
    if (index_type(type) == pipe::IndexType::None)
        return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x is no index type", type), false;
    if (!may_draw(ctx, mode, command)) return false;
    if (ctx.vertex_array->element_buffer) return true;
    return ctx.error(GL_INVALID_OPERATION, command, "no element array buffer is bound"), false;
}

void elements_indirect(Context& ctx, GLenum mode, GLenum type, GLintptr at, const char* command) {
    ElementsParameters p;
    DeviceParameters device;
    if (!prepare_indirect(ctx, at, &p, &device, command)) return;
    if (ctx.draw_cache->arrays->index_mapped)
        return ctx.error(GL_INVALID_OPERATION, command, "the element array buffer is mapped");
    const pipe::IndexType t = index_type(type);
    if (device.resource) return draw_device_parameters(ctx, mode, t, device.range(), command);
    if (!drawable(ctx, p.first, p.count, p.instances, command)) return;
    const auto offset_B = uintptr_t(p.first) * index_size_B(t);
    draw_indices(ctx, mode,
                 {t, p.count, reinterpret_cast<const void*>(offset_B),
                  ctx.state.primitive_restart_fixed_index, p.base_vertex},
                 {p.instances, p.base_instance}, command);
}

/// Makes `count` draws, whose parameters lie `stride` bytes apart (EXT_multi_draw_indirect). All parameters
/// must lie in the buffer.
template <class Parameters, class Draw>
void multi_indirect(Context& ctx, GLintptr at, GLsizei count, GLsizei stride, const char* command,
                    Draw&& draw) {
    if (count < 0) return ctx.error(GL_INVALID_VALUE, command, "drawcount (%d) is negative", count);
    if (stride < 0 || stride % 4)
        return ctx.error(GL_INVALID_VALUE, command, "stride (%d) is negative or no multiple of 4", stride);
    if (count == 0) return;
    const GLintptr step = stride ? stride : GLintptr(sizeof(Parameters));
    Parameters last;
    if (at > INTPTR_MAX - step * count)
        return ctx.error(GL_INVALID_OPERATION, command, "indirect (%td) is outside every buffer", at);
    if (!read_indirect(ctx, GL_DRAW_INDIRECT_BUFFER, at + step * (count - 1), &last, sizeof last, command))
        return;
    for (GLsizei i = 0; i < count; ++i)
        draw(at + step * i);
}

}  // namespace

void DrawArraysIndirect(Context& ctx, GLenum mode, const void* indirect) {
    const char* const command = "glDrawArraysIndirect";
    if (may_draw(ctx, mode, command)) arrays_indirect(ctx, mode, GLintptr(indirect), command);
}

void DrawElementsIndirect(Context& ctx, GLenum mode, GLenum type, const void* indirect) {
    const char* const command = "glDrawElementsIndirect";
    if (may_draw_elements(ctx, mode, type, command))
        elements_indirect(ctx, mode, type, GLintptr(indirect), command);
}

void MultiDrawArraysIndirect(Context& ctx, GLenum mode, const void* indirect, GLsizei drawcount,
                             GLsizei stride) {
    const char* const command = "glMultiDrawArraysIndirectEXT";
    if (may_draw(ctx, mode, command))
        multi_indirect<ArraysParameters>(ctx, GLintptr(indirect), drawcount, stride, command,
                                         [&](GLintptr at) { arrays_indirect(ctx, mode, at, command); });
}

void MultiDrawElementsIndirect(Context& ctx, GLenum mode, GLenum type, const void* indirect,
                               GLsizei drawcount, GLsizei stride) {
    const char* const command = "glMultiDrawElementsIndirectEXT";
    if (may_draw_elements(ctx, mode, type, command))
        multi_indirect<ElementsParameters>(
            ctx, GLintptr(indirect), drawcount, stride, command,
            [&](GLintptr at) { elements_indirect(ctx, mode, type, at, command); });
}

}  // namespace terrazzo::st
