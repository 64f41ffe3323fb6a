// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// DrawArrays, DrawElements and their variants (OpenGL ES 3.0 section 2.9.3). The parts of client arrays and
// indices that a draw reads are uploaded. A draw that repeats the state of the last one costs one pipe call.
#include "state_tracker/draws/draw.h"

#include <algorithm>
#include <cstring>

#include "state_tracker/context/limits.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/draws/draw_cache.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/programs/later_stages.h"
#include "state_tracker/vertices/index_range.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

/// GL's primitives up to GL_TRIANGLE_FAN have the pipe's numbers.
static_assert(GL_POINTS == unsigned(pipe::Primitive::Points) &&
              GL_LINE_LOOP == unsigned(pipe::Primitive::LineLoop) &&
              GL_TRIANGLE_FAN == unsigned(pipe::Primitive::TriangleFan));

/// Uploads client arrays for vertices [first, first + count). In the uploaded arrays that range begins at
/// index 0, and the first instance is 0. False: out of memory.
bool upload_arrays(Context& ctx, uint32_t first, uint64_t count, Instances instances, const char* command) {
    Context::DrawCache& c = *ctx.draw_cache;
    std::span<const pipe::VertexBuffer> buffers;
    if (count <= UINT32_MAX)
        buffers = c.arrays->fetch.upload(c.uploader, first, uint32_t(count), instances, &c.array_uploads);
    if (buffers.empty()) return ctx.out_of_memory(command), false;
    c.bound_arrays = 0;
    ctx.pipe->set_vertex_buffers(buffers);
    return true;
}

/// Moves the arrays in buffers, so that instance 0 of the draw reads instance `first`. Uploads nothing.
void move_instances(Context& ctx, uint32_t first) {
    Context::DrawCache& c = *ctx.draw_cache;
    ctx.pipe->set_vertex_buffers(c.arrays->fetch.upload(c.uploader, 0, 1, {1, first}, &c.array_uploads));
}

/// Calls `use` with a range of an index buffer. `wait`: a device may write the buffer, so waits for it.
template <class F>
bool with_indices(Context& ctx, pipe::Resource& r, uint64_t offset_B, uint64_t size_B, bool wait, F&& use) {
    pipe::Box box;
    box.x = int32_t(offset_B);
    box.width = int32_t(size_B);
    if (wait) end_rendering(ctx);
    pipe::Mapping m =
        ctx.pipe->map(r, 0, box, pipe::map_flag::kRead | (wait ? 0 : pipe::map_flag::kUnsynchronized));
    if (!m.data) return false;
    use(m.data);
    ctx.pipe->unmap(r, m);
    return true;
}

/// The range of the indices of a draw in the bound buffer, cached where possible. False: cannot read.
bool buffer_range(Context& ctx, const Indices& in, IndexRange* out) {
    std::lock_guard lock(ctx.share->mutex);
    Buffer& b = *ctx.vertex_array->element_buffer;
    const uint64_t offset_B = reinterpret_cast<uintptr_t>(in.pointer);
    for (const Buffer::CachedRange& r : b.ranges)
        if (r.stamp == b.content_stamp && !b.written_at_any_time() && !b.shader_writes &&
            r.offset_B == offset_B && r.count == in.count && r.type == in.type && r.restart == in.restart) {
            *out = r.range;
            return true;
        }
    if (!with_indices(ctx, *ctx.draw_cache->arrays->index_resource, offset_B,
                      uint64_t(in.count) * index_size_B(in.type), b.device_writes,
                      [&](const void* data) { *out = scan_indices(data, in.count, in.type, in.restart); }))
        return false;
    b.ranges[b.next_range++ % b.ranges.size()] = {b.content_stamp, offset_B,   in.count,
                                                  in.type,         in.restart, *out};
    return true;
}

/// Copies indices to memory that the device can read, if they are in client memory, unaligned in a buffer, or
/// in memory that the program may write meanwhile. `range`: the range of the copied indices; may be null.
bool upload_indices(Context& ctx, const Indices& in, bool wait, pipe::DrawInfo* info, IndexRange* range) {
    Context::DrawCache& c = *ctx.draw_cache;
    const uint64_t size_B = uint64_t(in.count) * index_size_B(in.type);
    pipe::UploadSlice slice = c.uploader.allocate(size_B, 4);
    if (!slice) return false;
    const auto copy = [&](const void* from) {
        if (range)
            *range = copy_indices(slice.data, from, in.count, in.type, in.restart);
        else
            std::memcpy(slice.data, from, size_B);
    };
    if (!c.arrays->index_resource)
        copy(in.pointer);
    else if (!with_indices(ctx, *c.arrays->index_resource, reinterpret_cast<uintptr_t>(in.pointer), size_B,
                           wait, copy))
        return false;
    info->index_buffer = slice.buffer.get();
    info->index_offset_B = slice.offset_B;
    c.index_upload = std::move(slice);
    return true;
}

/// The other writers of the bound indices.
struct IndexWriters {
    bool program = false;  // by a persistent mapping, or in another process: at any time
    bool device = false;
};
IndexWriters index_writers(Context& ctx) {
    std::lock_guard lock(ctx.share->mutex);
    const Buffer& b = *ctx.vertex_array->element_buffer;
    return {b.written_at_any_time(), b.device_writes};
}

/// prepare_draw(). For a program that cannot draw, since it lacks a stage, records the errors of the mode as
/// well.
bool is_ready(Context& ctx, GLenum mode, const char* command) {
    if (prepare_draw(ctx, command)) return true;
    if (!ctx.executable || ctx.executable->draws) return false;
    const auto& stages = ctx.executable->linked->stages;
    if (bool(stages[size_t(pipe::Stage::TessControl)]) != bool(stages[size_t(pipe::Stage::TessEval)]))
        ctx.error(GL_INVALID_OPERATION, command, "the program has one of the two tessellation stages");
    else
        (void)stages_take(ctx, mode, command);
    return false;
}

/// Draws, and counts the captured vertices. If their number is not known in advance, asks the device.
void submit(Context& ctx, const pipe::DrawInfo& info, const pipe::DrawRange& range, GLenum mode) {
    if (!is_capturing(ctx)) return ctx.pipe->draw(info, {&range, 1});
    const bool is_known = info.index_type == pipe::IndexType::None &&
                          ctx.executable->last_gives == ir::Shape::None && is_list(mode);
    if (is_known) {
        ctx.pipe->draw(info, {&range, 1});
        return count_captured(ctx, mode, range.count, info.instance_count);
    }
    const pipe::Ref<pipe::Query> query = ctx.pipe->create_query(pipe::QueryKind::PrimitivesWritten);
    uint64_t written = 0;
    if (query) ctx.pipe->begin_query(*query);
    ctx.pipe->draw(info, {&range, 1});
    if (query) {
        ctx.pipe->end_query(*query);
        (void)ctx.pipe->query_result(*query, true, &written);
    }
    count_captured_primitives(ctx, written);
}

}  // namespace

bool valid_mode(Context& ctx, GLenum mode, const char* command) {
    if (mode <= GL_TRIANGLE_FAN) return true;
    if (mode >= GL_LINES_ADJACENCY && mode <= GL_PATCHES && ctx.config.version >= 31) return true;
    ctx.error(GL_INVALID_ENUM, command, "mode 0x%04x is no primitive", mode);
    return false;
}

pipe::IndexType index_type(GLenum type) {
    switch (type) {
        case GL_UNSIGNED_BYTE:
            return pipe::IndexType::U8;
        case GL_UNSIGNED_SHORT:
            return pipe::IndexType::U16;
        case GL_UNSIGNED_INT:
            return pipe::IndexType::U32;
        default:
            return pipe::IndexType::None;
    }
}

void draw_arrays(Context& ctx, GLenum mode, GLint first, GLsizei count, InstanceArguments instances,
                 const char* command) {
    if (!valid_mode(ctx, mode, command)) return;
    if (first < 0 || count < 0 || instances.count < 0)
        return ctx.error(GL_INVALID_VALUE, command, "first (%d), count (%d) or primcount (%d) is negative",
                         first, count, instances.count);
    if (is_capturing(ctx) && !allows_draw(ctx, mode, uint32_t(count), uint32_t(instances.count), command))
        return;
    if (!is_ready(ctx, mode, command) || count == 0 ||
        !has_instances(ctx, uint32_t(instances.count), command))
        return;
    draw_vertices(ctx, mode, uint32_t(first), uint32_t(count), {uint32_t(instances.count), instances.first},
                  command);
}

void draw_elements(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                   GLint base_vertex, InstanceArguments instances, const char* command) {
    if (!valid_mode(ctx, mode, command)) return;
    if (count < 0 || instances.count < 0)
        return ctx.error(GL_INVALID_VALUE, command, "count (%d) or primcount (%d) is negative", count,
                         instances.count);
    const pipe::IndexType t = index_type(type);
    if (t == pipe::IndexType::None)
        return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x is no index type", type);
    if (is_capturing(ctx) && !has_geometry_shaders(ctx))
        return ctx.error(GL_INVALID_OPERATION, command, "transform feedback is active and not paused");
    if (is_capturing(ctx) && !allows_draw(ctx, mode, 0, 0, command)) return;
    if (!is_ready(ctx, mode, command)) return;
    if (ctx.draw_cache->arrays->index_mapped)
        return ctx.error(GL_INVALID_OPERATION, command, "the element array buffer is mapped");
    if (count && has_instances(ctx, uint32_t(instances.count), command))
        draw_indices(ctx, mode,
                     {t, uint32_t(count), indices, ctx.state.primitive_restart_fixed_index, base_vertex},
                     {uint32_t(instances.count), instances.first}, command);
}

void draw_indices(Context& ctx, GLenum mode, Indices in, Instances instances, const char* command) {
    if (!stages_take(ctx, mode, command)) return;
    Context::DrawCache& c = *ctx.draw_cache;
    const uint32_t size_B = index_size_B(in.type);
    const uint64_t offset_B = reinterpret_cast<uintptr_t>(in.pointer);
    const bool bound = bool(ctx.vertex_array->element_buffer);
    // Indices after the buffer's end are not drawn. If none are left, there is nothing to read.
    if (bound)
        in.count = offset_B < c.arrays->index_size_B
                       ? uint32_t(std::min<uint64_t>(in.count, (c.arrays->index_size_B - offset_B) / size_B))
                       : 0;
    if (in.count == 0 || (!bound && !in.pointer)) return;

    pipe::DrawInfo info;
    info.mode = primitive_of(mode);
    info.patch_vertices = uint32_t(ctx.patch_vertices);
    info.index_type = in.type;
    info.primitive_restart = in.restart;
    info.instance_count = instances.count * c.view_count;
    pipe::DrawRange range{0, in.count, in.base_vertex};
    const bool client_arrays = c.arrays->fetch.has_client_arrays(), unaligned = offset_B % size_B != 0;
    // The range of the arrays to upload must be computed from the same index values that are drawn, so
    // indices that may change meanwhile are copied.
    const IndexWriters writers = bound && (client_arrays || unaligned) ? index_writers(ctx) : IndexWriters{};
    const bool copied = !bound || unaligned || (client_arrays && writers.program);
    IndexRange r;
    if (copied ? !upload_indices(ctx, in, writers.device, &info, client_arrays ? &r : nullptr)
               : client_arrays && !buffer_range(ctx, in, &r))
        return ctx.out_of_memory(command);
    if (writers.device && !prepare_draw(ctx, command)) return;  // reading the indices ended the pass
    if (client_arrays) {
        if (r.min > r.max) return;  // all indices are restarts
        const int64_t last = int64_t(r.max) + in.base_vertex;
        int64_t first = int64_t(r.min) + in.base_vertex;
        if (first < 0)  // memory before an array is undefined
            return ctx.message(GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR_KHR, GL_DEBUG_SEVERITY_HIGH_KHR,
                               "%s: index %u and basevertex %d name a vertex below 0", command, r.min,
                               in.base_vertex);
        if (last > INT32_MAX) return ctx.out_of_memory(command);
        if (ctx.executable->reads_vertex_id) first = 0;  // gl_VertexID counts from 0
        if (!upload_arrays(ctx, uint32_t(first), uint64_t(last - first) + 1, instances, command)) return;
        range.index_bias =
            // modulo 2^32, like the addition to the indices
            int32_t(uint32_t(in.base_vertex) - uint32_t(first));
        info.index_bounds_valid = true;
        info.min_index = r.min;
        info.max_index = r.max;
    } else if (instances.first) {
        move_instances(ctx, instances.first);
    }
    if (!copied) {
        info.index_buffer = c.arrays->index_resource.get();
        info.index_offset_B = offset_B;
    }
    submit(ctx, info, range, mode);
    // Restores the arrays: a later draw that repeats this one's state does not bind them again.
    if (!client_arrays && instances.first) move_instances(ctx, 0);
    after_submission(ctx, command);
}

void draw_vertices(Context& ctx, GLenum mode, uint32_t first, uint32_t count, Instances instances,
                   const char* command) {
    if (!stages_take(ctx, mode, command)) return;
    pipe::DrawInfo info;
    info.mode = primitive_of(mode);
    info.patch_vertices = uint32_t(ctx.patch_vertices);
    info.instance_count = instances.count * ctx.draw_cache->view_count;
    const bool client_arrays = ctx.draw_cache->arrays->fetch.has_client_arrays();
    if (client_arrays) {
        const bool from_zero = ctx.executable->reads_vertex_id;  // gl_VertexID counts from 0
        const uint32_t skipped = from_zero ? 0 : first;
        if (!upload_arrays(ctx, skipped, uint64_t(first) - skipped + count, instances, command)) return;
        first -= skipped;
    } else if (instances.first) {
        move_instances(ctx, instances.first);
    }
    submit(ctx, info, {first, count, 0}, mode);
    // Restores the arrays: a later draw that repeats this one's state does not bind them again.
    if (!client_arrays && instances.first) move_instances(ctx, 0);
    after_submission(ctx, command);
}

void draw_device_parameters(Context& ctx, GLenum mode, pipe::IndexType type,
                            const pipe::BufferRange& parameters, const char* command) {
    if (!stages_take(ctx, mode, command)) return;
    pipe::DrawInfo info;
    info.mode = primitive_of(mode);
    info.patch_vertices = uint32_t(ctx.patch_vertices);
    info.index_type = type;
    if (type != pipe::IndexType::None) {
        info.index_buffer = ctx.draw_cache->arrays->index_resource.get();
        info.primitive_restart = ctx.state.primitive_restart_fixed_index;
        if (!info.index_buffer) return;  // the buffer has size 0
    }
    info.indirect = parameters;
    ctx.pipe->draw(info, {});
    after_submission(ctx, command);
}

void DrawArrays(Context& ctx, GLenum mode, GLint first, GLsizei count) {
    draw_arrays(ctx, mode, first, count, {}, "glDrawArrays");
}

void DrawElements(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices) {
    draw_elements(ctx, mode, count, type, indices, 0, {}, "glDrawElements");
}

void DrawArraysInstanced(Context& ctx, GLenum mode, GLint first, GLsizei count, GLsizei primcount) {
    draw_arrays(ctx, mode, first, count, {primcount, 0}, "glDrawArraysInstanced");
}

void DrawElementsInstanced(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                           GLsizei primcount) {
    draw_elements(ctx, mode, count, type, indices, 0, {primcount, 0}, "glDrawElementsInstanced");
}

}  // namespace terrazzo::st
