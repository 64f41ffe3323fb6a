// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A stream of work for a device. Used by one thread at a time. Methods without a body are mandatory. Pointers
// that are passed to bind_* and set_* must stay valid until the state is replaced: a driver only holds
// references to what its unfinished work uses. State may be set inside and outside render passes, and stays
// set until it is changed. Draws and clears happen inside a render pass. Dispatches, copies and blits happen
// outside, as do maps, except those of map() with kUnsynchronized. Commands execute in order: a later one
// sees the results of earlier ones. Stores of shaders are the exception: they are only visible to work after
// memory_barrier().
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

class Context {
  public:
    explicit Context(Screen& s) : screen(s) {}
    virtual ~Context() = default;
    Screen& screen;

    // --- state; a null object resets the state to its default
    virtual void bind_raster(RasterState*) = 0;
    virtual void bind_depth_stencil(DepthStencilState*) = 0;
    virtual void bind_blend(BlendState*) = 0;
    virtual void bind_vertex_layout(VertexLayout*) = 0;
    virtual void bind_program(Program*) = 0;
    virtual void set_viewport(const Viewport&) = 0;
    /// Used if RasterDesc::scissor is true.
    virtual void set_scissor(const Scissor&) = 0;
    /// kMaxViewports of each, for primitives that select one (ir::VaryingSlot::ViewportIndex). The scissors
    /// are used like set_scissor's. A later set_viewport or set_scissor replaces all of them. Optional:
    /// Caps::max_viewports.
    virtual void set_viewport_array(std::span<const Viewport> viewports, std::span<const Scissor> scissors) {
        (void)viewports, (void)scissors;
    }
    virtual void set_blend_color(const float rgba[4]) = 0;
    virtual void set_stencil_ref(uint8_t front, uint8_t back) = 0;
    /// coverage: the value of GL_SAMPLE_COVERAGE in [0,1] and its inversion; 1 and false if disabled. mask:
    /// that of GL_SAMPLE_MASK.
    virtual void set_sample_mask(float coverage, bool invert, uint32_t mask) = 0;
    /// Replaces all vertex buffers.
    virtual void set_vertex_buffers(std::span<const VertexBuffer> buffers) = 0;
    /// The default uniform block; the data is copied before the call returns.
    virtual void set_uniforms(Stage stage, std::span<const uint32_t> dwords) = 0;
    /// Uniform blocks by the stage's slot (ir::MemInfo::binding); replaces [first, first + size). Reads
    /// beyond a range, and from a slot without a resource, return 0. Offsets are multiples of 4. May do
    /// nothing on devices of OpenGL ES 2.0, whose programs have no blocks.
    virtual void set_constant_buffers(Stage stage, uint32_t first, std::span<const BufferRange>) = 0;
    /// By the program's sampler slot; replaces [first, first + size). A null view reads (0,0,0,1).
    virtual void set_textures(Stage stage, uint32_t first, std::span<SamplerView* const> views,
                              std::span<SamplerState* const> samplers) = 0;
    /// Storage blocks and atomic counters by the stage's slot (ir::MemInfo::binding); replaces [first, first
    /// + size). Accesses beyond a range read 0 and write nothing (ir/memory.h). Offsets and sizes are
    /// multiples of 4.
    virtual void set_storage_buffers(Stage stage, uint32_t first, std::span<const BufferRange>) = 0;
    /// Images by the stage's slot; replaces [first, first + size). Mandatory for OpenGL ES 3.1.
    virtual void set_images(Stage stage, uint32_t first, std::span<const ImageView>) {
        (void)stage, (void)first;
    }
    /// Replaces the buffers that draws capture to (ProgramDesc::stream_output), by StreamOutputLayout's
    /// numbers. An empty list: nothing is captured. After this call captures begin at the start of each
    /// range, and each draw appends. A primitive is written to all buffers, or to none if it does not fit.
    /// May do nothing on devices of OpenGL ES 2.0, whose programs capture nothing.
    virtual void set_stream_outputs(std::span<const BufferRange>) = 0;

    // --- render passes
    virtual void begin_render_pass(const RenderPassDesc&) = 0;
    virtual void end_render_pass() = 0;
    /// Inside a pass: the contents of these attachments may be lost at its end.
    virtual void discard_attachments(uint32_t attachments) = 0;
    virtual void clear(const ClearInfo&) = 0;
    virtual void draw(const DrawInfo&, std::span<const DrawRange>) = 0;
    /// Runs the bound program's compute stage. Outside render passes.
    virtual void dispatch(const DispatchInfo&) = 0;
    /// Makes stores of shaders in earlier draws and dispatches visible to all later work. Without a barrier
    /// only the same invocation sees them. Outside render passes. Mandatory for OpenGL ES 3.1.
    virtual void memory_barrier() {}

    // --- transfers (outside render passes)
    /// Waits for the work that uses the range, unless the flags say otherwise. Null Mapping::data: failed.
    /// Maps of buffers with kUnsynchronized (and their unmap) may also happen inside a render pass, and on
    /// any context of the screen.
    [[nodiscard]] virtual Mapping map(Resource&, uint32_t level, const Box&, uint32_t flags) = 0;
    virtual void unmap(Resource&, const Mapping&) = 0;
    /// The formats must have the same block size in bytes; one of them may be compressed. Boxes are in
    /// pixels, and must lie inside the levels.
    virtual void copy_region(Resource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                             Resource& src, uint32_t src_level, const Box& src_box) = 0;
    /// Optional fast path. False: not supported; pipe/blit then uses another engine.
    [[nodiscard]] virtual bool try_blit(const BlitInfo&) { return false; }

    // --- queries
    [[nodiscard]] virtual Ref<Query> create_query(QueryKind) = 0;
    virtual void begin_query(Query&) = 0;
    virtual void end_query(Query&) = 0;
    /// False: the result is not available yet, and `wait` is false.
    [[nodiscard]] virtual bool query_result(Query&, bool wait, uint64_t* out) = 0;

    /// Optional: null if the device has no performance counters. The context owns them.
    [[nodiscard]] virtual PerformanceCounters* counters() { return nullptr; }

    // --- submission
    /// Hands all recorded work to the device. The fence is signalled when the work is complete; null: out of
    /// memory.
    virtual Ref<Fence> flush() = 0;
    /// Later work of this context waits for the fence on the device.
    virtual void wait_fence(Fence&) = 0;
    /// The priority that the context has: ContextDesc::priority or another. Medium if the device has only
    /// one.
    [[nodiscard]] virtual int priority() const { return 1; }
    /// The reset since the last call, if the context is robust.
    [[nodiscard]] virtual ResetStatus reset_status() { return ResetStatus::None; }
    /// Optional; callable from any thread until the context is destroyed. The caller does not need this
    /// context's results any more, so long work may be stopped (time_limit.h, kAbandonedLimit_ns). Destroying
    /// the context has the same effect.
    virtual void abandon() {}
};

}  // namespace terrazzo::pipe
