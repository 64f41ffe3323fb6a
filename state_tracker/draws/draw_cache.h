// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The draw path's memory: what the pipe was told last. Private to draw*.cpp, dispatch.cpp and
// emit.cpp.
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
    const Blending* blending = nullptr;  // of the present state, unless that is dirty
    // Bound. The caches hold the first three.
    pipe::RasterState* raster = nullptr;
    pipe::DepthStencilState* depth_stencil = nullptr;
    pipe::BlendState* blend = nullptr;
    pipe::Ref<pipe::VertexLayout> layout;
    const Executable* executable = nullptr;                 // held by Context::executable, or by the next one
    pipe::Ref<Executable> former;                           // that the pipe may still have
    std::array<uint64_t, pipe::kStageCount> block_stamp{};  // of `executable`, as sent
    /// Default blocks of `executable` with words of this context's own, as sent; and the next one, while it is made.
    std::array<std::vector<uint32_t>, pipe::kStageCount> own_blocks;
    std::vector<uint32_t> next_block;

    pipe::Uploader uploader;
    /// Of `executable`: Executable::views, and how many instances a draw may have so that their product fits
    /// in 32 bits.
    uint32_t view_count = 1, most_instances = UINT32_MAX;
    uint64_t buffer_stamp = 0;  // ShareGroup::buffer_stamp, as seen
    ArrayViews views;
    /// Of the current vertex array and executable, unless either is dirty.
    ArrayView* arrays = nullptr;
    uint64_t bound_arrays = 0;  // ArrayView::serial whose buffers the pipe has; 0: others
    // Held for the pipe: buffers of `bound_arrays`, uploads of the last draw.
    VertexFetch::Uploads array_uploads;
    pipe::UploadSlice index_upload;
    // Held for the pipe, which was told of them: uniform buffers by the stage's slot, captured-to buffers.
    std::array<std::array<pipe::Ref<pipe::Resource>, pipe::kMaxConstantBuffers>, pipe::kStageCount>
        uniform_buffers;
    std::array<std::array<pipe::Ref<pipe::Resource>, kMaxStorageSlots>, pipe::kStageCount> storage_buffers;
    bool stores_seen = false;  // a program that may store was used since the last barrier
    std::array<pipe::Ref<pipe::Resource>, kMaxFeedbackBuffers> stream_outputs;
    /// All that a draw checks was found well; dirty state and buffers' stamp say whether it still is.
    bool ready = false;
};

/// prepare_draw() where something changed, or may have.
[[nodiscard]] bool prepare_changed_draw(Context& ctx, const char* command);

/// Checks what a draw checks beside its arguments and gets a render pass and all changed state to the pipe;
/// buffers are left to the caller where VertexFetch::has_client_arrays. False: nothing is to be drawn; the
/// error, if it is one, is recorded.
[[nodiscard]] inline bool prepare_draw(Context& ctx, const char* command) {
    const Context::DrawCache& c = *ctx.draw_cache;
    // What a pipeline's programs are may have changed behind the context's back.
    const bool like_last = !ctx.dirty && c.ready && ctx.program &&
                           c.buffer_stamp == ctx.share->buffer_stamp.load(std::memory_order_relaxed);
    if (like_last) [[likely]] {
        if (!begin_rendering(ctx, command)) return false;
        if (!ctx.dirty) return true;
    }
    return prepare_changed_draw(ctx, command);
}

/// The same for DispatchCompute: ends the render pass.
[[nodiscard]] bool prepare_dispatch(Context& ctx, const char* command);

// --- draw.cpp, for indirect draws, too
[[nodiscard]] bool valid_mode(Context& ctx, GLenum mode, const char* command);
[[nodiscard]] pipe::IndexType index_type(GLenum type);
/// After prepare_draw: whether there are instances to draw. False: none, or more than the program's views
/// allow, which is an error, recorded.
[[nodiscard]] inline bool has_instances(Context& ctx, uint32_t count, const char* command) {
    // 0 wraps round.
    if (count - 1 < ctx.draw_cache->most_instances) [[likely]]
        return true;
    if (count) ctx.out_of_memory(command);
    return false;
}
struct Indices {
    pipe::IndexType type;
    uint32_t count;
    const void* pointer;  // or offset
    bool restart;         // all ones is none
    int32_t base_vertex = 0;
};
/// glDrawArrays and glDrawElements in all their forms: numbers as they came.
struct InstanceArguments {
    GLsizei count = 1;
    GLuint first = 0;
};
void draw_arrays(Context& ctx, GLenum mode, GLint first, GLsizei count, InstanceArguments instances,
                 const char* command);
void draw_elements(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                   GLint base_vertex, InstanceArguments instances, const char* command);
/// After prepare_draw; counts are not 0. Numbers, not a DrawRange: a register would be loaded from two halves that were just stored.
void draw_vertices(Context& ctx, GLenum mode, uint32_t first, uint32_t count, Instances instances,
                   const char* command);
void draw_indices(Context& ctx, GLenum mode, Indices in, Instances instances, const char* command);
/// After prepare_draw, without client arrays and what is captured: the device reads the rest. Without indices, `type` is None.
void draw_device_parameters(Context& ctx, GLenum mode, pipe::IndexType type,
                            const pipe::BufferRange& parameters, const char* command);

}  // namespace terrazzo::st
