// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The draw path's state: what the pipe has bound. Private to draw*.cpp, dispatch.cpp and emit.cpp.
#pragma once

#include "pipe/upload/upload.h"
#include "state_tracker/context.h"
#include "state_tracker/programs/program.h"
#include "state_tracker/state/blend_states.h"
#include "state_tracker/state/state_cache.h"
#include "state_tracker/vertices/array_views.h"

namespace terrazzo::st {

struct Context::DrawCache {
    explicit DrawCache(pipe::Context& pipe) : uploader(pipe) {}

    StateCache<pipe::RasterDesc, pipe::RasterState> rasters;
    StateCache<pipe::DepthStencilDesc, pipe::DepthStencilState> depth_stencils;
    BlendStates blends;
    StateCache<pipe::VertexLayoutDesc, pipe::VertexLayout> layouts;
    const Blending* blending = nullptr;  // of the current state, unless that is dirty
    // The bound state. The caches hold the first three.
    pipe::RasterState* raster = nullptr;
    pipe::DepthStencilState* depth_stencil = nullptr;
    pipe::BlendState* blend = nullptr;
    pipe::Ref<pipe::VertexLayout> layout;
    const Executable* executable = nullptr;  // held by Context::executable, or by `former`
    // the previous executable, which the pipe may still use
    pipe::Ref<Executable> former;
    std::array<uint64_t, pipe::kStageCount> block_stamp{};  // of `executable`, as last sent
    /// Default blocks of `executable` that contain words of this context, as last sent; and the next one,
    /// while it is built.
    std::array<std::vector<uint32_t>, pipe::kStageCount> own_blocks;
    std::vector<uint32_t> next_block;
    std::array<pipe::BufferRange, pipe::kMaxConstantBuffers> next_ranges;  // being put together

    pipe::Uploader uploader;
    /// Of `executable`: Executable::views, and the largest number of instances of a draw for which the
    /// product of both fits in 32 bits.
    uint32_t view_count = 1, most_instances = UINT32_MAX;
    uint64_t buffer_stamp = 0;  // the last value of ShareGroup::buffer_stamp
    ArrayViews views;
    /// For the current vertex array and executable, unless either is dirty.
    ArrayView* arrays = nullptr;
    uint64_t bound_arrays = 0;  // ArrayView::serial of the bound buffers; 0: other buffers are bound
    // Held for the pipe: buffers of `bound_arrays`, uploads of the last draw.
    VertexFetch::Uploads array_uploads;
    pipe::UploadSlice index_upload;
    // Held for the pipe, which has them bound: uniform buffers by stage and slot, storage buffers, capture
    // buffers.
    std::array<std::array<pipe::Ref<pipe::Resource>, pipe::kMaxConstantBuffers>, pipe::kStageCount>
        uniform_buffers;
    std::array<std::array<pipe::Ref<pipe::Resource>, kMaxStorageSlots>, pipe::kStageCount> storage_buffers;
    bool stores_seen = false;  // a program that may store was used since the last barrier
    std::array<pipe::Ref<pipe::Resource>, kMaxFeedbackBuffers> stream_outputs;
    /// All checks of a draw that do not depend on its arguments succeeded. Dirty bits and the buffers' stamp
    /// tell whether that still holds.
    bool ready = false;
};

/// prepare_draw() for draws after a change, or a possible change.
[[nodiscard]] bool prepare_changed_draw(Context& ctx, const char* command);

/// Does the checks of a draw that do not depend on its arguments, opens a render pass and sends all changed
/// state to the pipe. If VertexFetch::has_client_arrays, the caller binds the vertex buffers. False: nothing
/// is to be drawn; if that is an error, it is recorded.
[[nodiscard]] inline bool prepare_draw(Context& ctx, const char* command) {
    const Context::DrawCache& c = *ctx.draw_cache;
    // The programs of a pipeline may have changed without a dirty bit.
    const bool like_last = !ctx.dirty && c.ready && ctx.program &&
                           c.buffer_stamp == ctx.share->buffer_stamp.load(std::memory_order_relaxed);
    if (like_last) [[likely]] {
        if (!begin_rendering(ctx, command)) return false;
        if (!ctx.dirty) return true;
    }
    return prepare_changed_draw(ctx, command);
}

/// prepare_draw() for DispatchCompute. Ends the render pass.
[[nodiscard]] bool prepare_dispatch(Context& ctx, const char* command);

// --- draw.cpp, also for indirect draws
[[nodiscard]] bool valid_mode(Context& ctx, GLenum mode, const char* command);
[[nodiscard]] pipe::IndexType index_type(GLenum type);
/// Call after prepare_draw. Whether there are instances to draw. False: there are none, or more than the
/// program's views allow, which is an error and is recorded.
[[nodiscard]] inline bool has_instances(Context& ctx, uint32_t count, const char* command) {
    // 0 wraps around to the largest number.
    if (count - 1 < ctx.draw_cache->most_instances) [[likely]]
        return true;
    if (count) ctx.out_of_memory(command);
    return false;
}
struct Indices {
    pipe::IndexType type;
    uint32_t count;
    const void* pointer;  // or an offset in the buffer
    bool restart;         // the index with all bits set restarts the primitive
    int32_t base_vertex = 0;
};
/// Arguments of all variants of glDrawArrays and glDrawElements, not checked yet.
struct InstanceArguments {
    GLsizei count = 1;
    GLuint first = 0;
};
void draw_arrays(Context& ctx, GLenum mode, GLint first, GLsizei count, InstanceArguments instances,
                 const char* command);
void draw_elements(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                   GLint base_vertex, InstanceArguments instances, const char* command);
/// Call after prepare_draw, with counts that are not 0. The numbers are not passed as a DrawRange: storing
/// two halves and then loading them as one register would stall.
void draw_vertices(Context& ctx, GLenum mode, uint32_t first, uint32_t count, Instances instances,
                   const char* command);
void draw_indices(Context& ctx, GLenum mode, Indices in, Instances instances, const char* command);
/// Call after prepare_draw, without client arrays and captures: the device reads the other parameters. `type`
/// is None without indices.
void draw_device_parameters(Context& ctx, GLenum mode, pipe::IndexType type,
                            const pipe::BufferRange& parameters, const char* command);

}  // namespace terrazzo::st
