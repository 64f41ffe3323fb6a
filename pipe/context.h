// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A stream of work for a device. One thread at a time. Raw pointers given to set_* need to live only until
// the state is replaced *and* the caller has made no draw with it; a driver takes references for whatever its
// unfinished work uses. State may be set inside and outside render passes and stays until changed. Draws and
// clears happen inside a render pass; maps, copies, blits and dispatches outside (the state tracker ends its
// pass first). Work is in order: a later command sees the results of earlier ones. What shaders store is the
// exception: memory_barrier() says which later work sees it.
#pragma once

#include <span>

#include "pipe/screen.h"

namespace terrazzo::pipe {

enum class ResetStatus : uint8_t { None, Guilty, Innocent, Unknown };

class PerformanceCounters;  // counters.h

class Query : public RefCounted {
  public:
    explicit Query(QueryKind k) : kind(k) {}
    const QueryKind kind;
};

namespace flush_flag {
inline constexpr uint32_t kEndOfFrame = 1;
}

class Context {
  public:
    explicit Context(Screen& s) : screen(s) {}
    virtual ~Context() = default;
    Screen& screen;

    // --- state; null resets to the default
    virtual void bind_raster(RasterState*) = 0;
    virtual void bind_depth_stencil(DepthStencilState*) = 0;
    virtual void bind_blend(BlendState*) = 0;
    virtual void bind_vertex_layout(VertexLayout*) = 0;
    virtual void bind_program(Program*) = 0;
    virtual void set_viewport(const Viewport&) = 0;
    /// Applies where RasterDesc::scissor is on.
    virtual void set_scissor(const Scissor&) = 0;
    /// kMaxViewports of each, for primitives that name theirs (ir::VaryingSlot::ViewportIndex); scissors apply as
    /// set_scissor's does. The next set_viewport or set_scissor is all of them again. Optional: Caps::max_viewports.
    virtual void set_viewport_array(std::span<const Viewport> viewports, std::span<const Scissor> scissors) {
        (void)viewports, (void)scissors;
    }
    virtual void set_blend_color(const float rgba[4]) = 0;
    virtual void set_stencil_ref(uint8_t front, uint8_t back) = 0;
    /// coverage: GL_SAMPLE_COVERAGE value in [0,1] with inversion; 1,false where disabled. mask:
    /// GL_SAMPLE_MASK.
    virtual void set_sample_mask(float coverage, bool invert, uint32_t mask) = 0;
    /// Replaces all vertex buffers.
    virtual void set_vertex_buffers(std::span<const VertexBuffer> buffers) = 0;
    /// The default uniform block; the data is copied before the call returns.
    virtual void set_uniforms(Stage stage, std::span<const uint32_t> dwords) = 0;
    /// Uniform blocks by the stage's slot (ir::MemInfo::binding); replaces [first, first + size). What lies beyond a range,
    /// and in a slot without a resource, reads 0. Offsets are multiples of 4. Optional for devices
    /// of OpenGL ES 2.0, whose programs have no blocks.
    virtual void set_constant_buffers(Stage stage, uint32_t first, std::span<const BufferRange>) = 0;
    /// By sampler slot of the program; replaces [first, first + size). A null view reads (0,0,0,1).
    virtual void set_textures(Stage stage, uint32_t first, std::span<SamplerView* const> views,
                              std::span<SamplerState* const> samplers) = 0;
    /// Storage blocks and atomic counters by the stage's slot (ir::MemInfo::binding); replaces [first, first + size).
    /// Nothing beyond a range is read or written (ir/memory.h). Offsets and sizes are multiples of 4.
    virtual void set_storage_buffers(Stage stage, uint32_t first, std::span<const BufferRange>) = 0;
    /// Images by the stage's slot; replaces [first, first + size). Mandatory for OpenGL ES 3.1.
    virtual void set_images(Stage stage, uint32_t first, std::span<const ImageView>) {
        (void)stage, (void)first;
    }
    /// Replaces the buffers that draws capture to (ProgramDesc::stream_output), by StreamOutputLayout's numbers; none: nothing
    /// is captured. Each draw appends records to what earlier ones wrote since this call; the first goes to the start of each
    /// range. A primitive is written whole to all buffers, or to none where it does not fit. Optional for devices of OpenGL
    /// ES 2.0, whose programs capture nothing.
    virtual void set_stream_outputs(std::span<const BufferRange>) = 0;

    // --- render passes
    virtual void begin_render_pass(const RenderPassDesc&) = 0;
    virtual void end_render_pass() = 0;
    /// Inside a pass: contents of these attachments need not survive its end.
    virtual void discard_attachments(uint32_t attachments) = 0;
    virtual void clear(const ClearInfo&) = 0;
    virtual void draw(const DrawInfo&, std::span<const DrawRange>) = 0;
    /// Runs the bound program's compute stage. Outside render passes.
    virtual void dispatch(const DispatchInfo&) = 0;
    /// What shaders of earlier draws and dispatches stored is seen by all later work; without it only by what the
    /// same invocation does. Outside render passes. Mandatory for OpenGL ES 3.1.
    virtual void memory_barrier() {}

    // --- transfers (outside render passes)
    /// Waits for the work that uses the range as the flags demand. Fails with a null Mapping::data. Maps of
    /// buffers with kUnsynchronized (and their unmap) may also stand inside a render pass, and on any context
    /// of the screen.
    [[nodiscard]] virtual Mapping map(Resource&, uint32_t level, const Box&, uint32_t flags) = 0;
    virtual void unmap(Resource&, const Mapping&) = 0;
    /// Formats of one block size (bytes), of which one may be compressed; boxes in px, inside the levels.
    virtual void copy_region(Resource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                             Resource& src, uint32_t src_level, const Box& src_box) = 0;
    /// Optional fast path: false where pipe/blit must do it by other means.
    [[nodiscard]] virtual bool try_blit(const BlitInfo&) { return false; }

    // --- queries
    [[nodiscard]] virtual Ref<Query> create_query(QueryKind) = 0;
    virtual void begin_query(Query&) = 0;
    virtual void end_query(Query&) = 0;
    /// False where not yet available and !wait.
    [[nodiscard]] virtual bool query_result(Query&, bool wait, uint64_t* out) = 0;

    /// Optional: null where the device has no performance counters. The context's, as long as it lives.
    [[nodiscard]] virtual PerformanceCounters* counters() { return nullptr; }

    // --- submission
    /// Hands all work so far to the device. The fence signals when it is done; null only out of memory.
    virtual Ref<Fence> flush(uint32_t flags) = 0;
    /// Later work of this context waits for the fence on the device.
    virtual void wait_fence(Fence&) = 0;
    /// The one that the device has given: ContextDesc::priority, or another. Where it has one priority alone, medium.
    [[nodiscard]] virtual int priority() const { return 1; }
    /// The reset since the last call, of a robust context.
    [[nodiscard]] virtual ResetStatus reset_status() { return ResetStatus::None; }
    /// Optional; from any thread, until the context is destroyed: nobody waits for this context's results any
    /// more, so that what takes long may be ended (time_limit.h, kAbandonedLimit_ns). Destroying it does the
    /// same.
    virtual void abandon() {}
};

}  // namespace terrazzo::pipe
