// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sends the state to the pipe that changed since the last draw. Dirty bits say what to compare; descriptors
// and stamps say whether it differs.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "state_tracker/draws/draw.h"
#include "state_tracker/draws/draw_cache.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/programs/pipeline.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

/// Binds the state object of a descriptor, unless it is bound already. False: out of memory.
template <class Desc, class State, class Make, class Bind>
bool bind_state(StateCache<Desc, State>& cache, State*& bound, const Desc& desc, Make&& make, Bind&& bind) {
    State* const s = cache.get(desc, make);
    if (!s) return false;
    if (s == bound) return true;
    bind(s);
    bound = s;
    return true;
}

bool emit_fixed_objects(Context& ctx, uint64_t d) {
    Context::DrawCache& c = *ctx.draw_cache;
    pipe::Context& p = *ctx.pipe;
    pipe::Screen& s = ctx.screen;
    if ((d & dirty::kRaster) &&
        !bind_state(
            c.rasters, c.raster, raster_desc(ctx), [&](const auto& desc) { return s.create_raster(desc); },
            [&](pipe::RasterState* state) { p.bind_raster(state); }))
        return false;
    if ((d & (dirty::kDepthStencil | dirty::kFramebuffer)) &&
        !bind_state(
            c.depth_stencils, c.depth_stencil, depth_stencil_desc(ctx, rendering_info(ctx)),
            [&](const auto& desc) { return s.create_depth_stencil(desc); },
            [&](pipe::DepthStencilState* state) { p.bind_depth_stencil(state); }))
        return false;
    if (c.blending->state != c.blend) p.bind_blend(c.blend = c.blending->state);
    return true;
}

/// If one viewport has the scissor test, the pipe's test is on for all of them. Viewports without the test
/// get a scissor that covers everything.
void emit_viewport_array(Context& ctx) {
    std::array<pipe::Viewport, kMaxViewports> viewports;
    std::array<pipe::Scissor, kMaxViewports> scissors;
    for (unsigned i = 0; i < kMaxViewports; ++i) {
        viewports[i] = viewport(ctx, i);
        scissors[i] = ctx.state.viewports[i].scissor_test
                          ? scissor(ctx, i)
                          : pipe::Scissor{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX};
    }
    ctx.pipe->set_viewport_array(viewports, scissors);
}

void emit_fixed_values(Context& ctx, uint64_t d) {
    pipe::Context& p = *ctx.pipe;
    const State& s = ctx.state;
    if (d & dirty::kViewport) p.set_viewport(viewport(ctx));
    // A scissor is sent when its test is enabled.
    if ((d & dirty::kScissor) && s.viewports[0].scissor_test) p.set_scissor(scissor(ctx));
    if ((d & (dirty::kViewport | dirty::kScissor)) && s.viewport_arrays) emit_viewport_array(ctx);
    if (d & dirty::kBlendColor) p.set_blend_color(s.blend_color);
    if (d & (dirty::kStencilRef | dirty::kFramebuffer)) {
        const unsigned bits = rendering_info(ctx).stencil_bits;
        p.set_stencil_ref(stencil_ref(s.stencil[0].ref, bits), stencil_ref(s.stencil[1].ref, bits));
    }
    if (d & dirty::kSampleMask)
        p.set_sample_mask(s.sample_coverage ? s.sample_coverage_value : 1,
                          s.sample_coverage && s.sample_coverage_invert,
                          s.sample_mask ? s.sample_mask_value : ~0u);
}

void update_depth_range(Context& ctx, Executable& e) {
    const float n = ctx.state.viewports[0].depth_range[0], f = ctx.state.viewports[0].depth_range[1];
    const float values[3] = {n, f, f - n};
    for (int i = 0; i < 3; ++i) {
        if (e.depth_range[i] < 0) continue;
        const shaders::UniformInfo& u = e.linked->uniforms[size_t(e.depth_range[i])];
        const uint32_t bits = std::bit_cast<uint32_t>(values[i]);
        if (e.values[u.storage_dw] == bits) continue;
        e.values[u.storage_dw] = bits;
        e.update_blocks(u, 0, 1);
    }
}

/// Writes the parameters with which shaders compute window coordinates (shaders/passes/window_origin.h).
void write_window_origin(const Context& ctx, uint32_t* words) {
    const FramebufferInfo& fb = rendering_info(ctx);
    const float values[2] = {fb.top_down ? -2.0f : 0.0f, fb.top_down ? float(fb.height_px) : 0.0f};
    std::memcpy(words, values, sizeof values);
}

/// Sends a default block with words that depend on this context: the framebuffer, the sampled textures. The
/// program's own block is shared with contexts of other threads, and does not contain them.
void emit_own_block(Context& ctx, const Executable& e, unsigned stage, bool fresh) {
    Context::DrawCache& c = *ctx.draw_cache;
    std::vector<uint32_t>&now = c.next_block, &sent = c.own_blocks[stage];
    now.assign(e.blocks[stage].begin(), e.blocks[stage].end());
    if (stage == unsigned(pipe::Stage::Fragment) && e.linked->window_origin_dw >= 0)
        write_window_origin(ctx, now.data() + e.linked->window_origin_dw);
    if (e.external_stages >> stage & 1) write_conversions(ctx, e, stage, now);
    if (!fresh && now == sent) return;
    ctx.pipe->set_uniforms(pipe::Stage(stage), now);
    sent.swap(now);
}

void emit_program(Context& ctx, uint64_t d) {
    Context::DrawCache& c = *ctx.draw_cache;
    Executable& e = *ctx.executable;
    const bool fresh = c.executable != &e;
    if (fresh) {
        ctx.pipe->bind_program(e.pipe_program.get());
        c.executable = &e;
        c.former = nullptr;
        c.view_count = e.views;
        c.most_instances = UINT32_MAX / e.views;
    }
    if (!fresh && !(d & (dirty::kUniforms | dirty::kViewport))) return;
    if (e.reads_depth_range) update_depth_range(ctx, e);
    const uint32_t turned = e.linked->window_origin_dw >= 0 ? 1u << unsigned(pipe::Stage::Fragment) : 0;
    for (uint32_t rest = e.block_stages; rest; rest &= rest - 1) {
        const auto s = unsigned(std::countr_zero(rest));
        if ((turned | e.external_stages) >> s & 1) {
            emit_own_block(ctx, e, s, fresh);
            continue;
        }
        if (!fresh && c.block_stamp[s] == e.block_stamp[s]) continue;
        ctx.pipe->set_uniforms(pipe::Stage(s), e.blocks[s]);
        c.block_stamp[s] = e.block_stamp[s];
    }
}

void emit_uniform_buffers(Context& ctx) {
    Context::DrawCache& c = *ctx.draw_cache;
    const Executable& e = *ctx.executable;
    const std::vector<shaders::UniformBlockInfo>& blocks = e.linked->blocks;
    std::lock_guard lock(ctx.share->mutex);
    for (uint32_t rest = e.uniform_buffer_stages; rest; rest &= rest - 1) {
        const auto s = unsigned(std::countr_zero(rest));
        const uint32_t count = std::min<uint32_t>(e.linked->block_slots[s], pipe::kMaxConstantBuffers);
        const std::span<pipe::BufferRange> ranges(c.next_ranges.data(), count);
        std::ranges::fill(ranges, pipe::BufferRange{});
        for (size_t b = 0; b < blocks.size(); ++b)
            if (const int32_t slot = blocks[b].slot[s]; slot >= 0 && slot < int32_t(count))
                ranges[size_t(slot)] = bound_range(ctx.uniform_buffers[e.block_bindings[b]]);
        ctx.pipe->set_constant_buffers(pipe::Stage(s), 0, ranges);
        // Released only now: the pipe needed the old ones until here.
        for (uint32_t i = 0; i < count; ++i)
            if (c.uniform_buffers[s][i].get() != ranges[i].resource)
                c.uniform_buffers[s][i] = pipe::Ref(ranges[i].resource);
    }
}

/// The whole words of a binding point. Shaders may write them, so the buffer is marked as written by the
/// device.
pipe::BufferRange storage_range(const IndexedBuffer& at) {
    pipe::BufferRange r = bound_range(at);
    r.size_B &= ~uint64_t(3);
    if (!r.resource) return r;
    at.buffer->shader_writes = true;
    written_by_device(*at.buffer);
    return r;
}

void emit_storage_buffers(Context& ctx) {
    Context::DrawCache& c = *ctx.draw_cache;
    const shaders::LinkedProgram& p = *ctx.executable->linked;
    std::lock_guard lock(ctx.share->mutex);
    for (uint32_t rest = ctx.executable->storage_stages; rest; rest &= rest - 1) {
        const auto s = unsigned(std::countr_zero(rest));
        const uint32_t count = std::min<uint32_t>(p.storage_slots[s], kMaxStorageSlots);
        std::array<pipe::BufferRange, kMaxStorageSlots> ranges{};
        const auto place = [&](int32_t slot, auto& points, int binding) {
            const size_t at = binding < 0 ? 0 : size_t(binding);
            if (slot >= 0 && slot < int32_t(count) && at < points.size())
                ranges[size_t(slot)] = storage_range(points[at]);
        };
        for (const shaders::UniformBlockInfo& b : p.storage_blocks)
            place(b.slot[s], ctx.storage_buffers, b.binding);
        for (const shaders::AtomicBufferInfo& b : p.atomic_buffers)
            place(b.slot[s], ctx.atomic_buffers, b.binding);
        ctx.pipe->set_storage_buffers(pipe::Stage(s), 0, {ranges.data(), count});
        // Released only now: the pipe needed the old ones until here.
        for (uint32_t i = 0; i < count; ++i)
            if (c.storage_buffers[s][i].get() != ranges[i].resource)
                c.storage_buffers[s][i] = pipe::Ref(ranges[i].resource);
    }
}

/// Sends uniform blocks, storage blocks and images.
inline void emit_memory(Context& ctx, uint64_t d) {
    const Executable& e = *ctx.executable;
    if (!(e.uniform_buffer_stages | e.stores())) [[likely]]
        return;
    const auto concerned = [&](uint64_t bits) { return (d & (bits | dirty::kProgram)) != 0; };
    if (e.uniform_buffer_stages && concerned(dirty::kUniformBuffers)) emit_uniform_buffers(ctx);
    if (!e.stores()) return;
    ctx.draw_cache->stores_seen = true;
    if (e.storage_stages && concerned(dirty::kStorageBuffers)) emit_storage_buffers(ctx);
    if (e.image_stages && concerned(dirty::kImages)) emit_images(ctx);
}

void emit_stream_outputs(Context& ctx) {
    Context::DrawCache& c = *ctx.draw_cache;
    std::lock_guard lock(ctx.share->mutex);
    const std::array<pipe::BufferRange, kMaxFeedbackBuffers> ranges = stream_outputs(ctx);
    const bool captures = is_capturing(ctx);
    ctx.pipe->set_stream_outputs({ranges.data(), captures ? ranges.size() : 0});
    for (size_t i = 0; i < ranges.size(); ++i)
        c.stream_outputs[i] = pipe::Ref(ranges[i].resource);
}

bool emit_arrays(Context& ctx) {
    Context::DrawCache& c = *ctx.draw_cache;
    ArrayView& v = *c.arrays;
    if (!v.layout) {
        v.layout = pipe::Ref(c.layouts.get(
            v.fetch.layout(), [&](const auto& desc) { return ctx.screen.create_vertex_layout(desc); }));
        if (!v.layout) return false;
    }
    if (v.layout != c.layout) {
        ctx.pipe->bind_vertex_layout(v.layout.get());
        c.layout = v.layout;
    }
    if (v.fetch.has_client_arrays() || c.bound_arrays == v.serial) return true;
    const std::span<const pipe::VertexBuffer> buffers = v.fetch.buffers();
    ctx.pipe->set_vertex_buffers(buffers);
    c.bound_arrays = v.serial;
    // Released only now: the pipe needed the old ones until here.
    for (size_t i = 0; i < buffers.size(); ++i)
        if (c.array_uploads[i].get() != buffers[i].resource)
            c.array_uploads[i] = pipe::Ref(buffers[i].resource);
    return true;
}

constexpr uint64_t kArrays = dirty::kVertexArray | dirty::kCurrentAttribs | dirty::kProgram;
constexpr uint64_t kMemory = dirty::kUniformBuffers | dirty::kStorageBuffers | dirty::kImages;
constexpr uint64_t kNotFixed =
    kArrays | dirty::kUniforms | dirty::kTextures | kMemory | dirty::kStreamOutputs;

/// Dirty bits of the bindings that show a buffer's storage as texels.
uint64_t texture_buffer_bits(const Context& ctx) {
    return ctx.executable->texture_buffers ? dirty::kTextures | dirty::kImages : 0;
}

bool samplers_agree(Context& ctx, const char* command) {
    if (ctx.executable->samplers_agree()) return true;
    ctx.error(GL_INVALID_OPERATION, command, "program %u: samplers of different types use one texture unit",
              ctx.program ? ctx.program->name : 0);
    return false;
}

/// Checks a draw by the rules of OVR_multiview. False: the error is recorded.
bool allows_views(Context& ctx, const char* command) {
    const unsigned views = rendering_info(ctx).views;
    const unsigned of_program = ctx.executable->linked->views;
    if (of_program != std::max(views, 1u))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "the program is for %u views (layout(num_views = n)), the draw framebuffer has %u",
                         of_program, std::max(views, 1u)),
               false;
    if (!views) return true;
    const auto& stages = ctx.executable->linked->stages;
    for (const pipe::Stage s : {pipe::Stage::TessControl, pipe::Stage::TessEval, pipe::Stage::Geometry})
        if (stages[size_t(s)])
            return ctx.error(
                       GL_INVALID_OPERATION, command,
                       "the draw framebuffer has views, and the program geometry or tessellation stages"),
                   false;
    if (is_capturing(ctx))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "the draw framebuffer has views, and transform feedback is active and not paused"),
               false;
    return true;
}

/// Checks a draw by OpenGL ES 3.2 section 15.1.5.2 and EXT_blend_func_extended. False: the error is recorded.
bool allows_blending(Context& ctx, const Blending& blending, const char* command) {
    const uint32_t equations = blending.advanced;
    if (!equations && !blending.two_sources) return true;
    const bool several = ctx.framebuffer && ctx.framebuffer->draw_buffers >> 1;
    if (blending.two_sources && several)
        return ctx.error(GL_INVALID_OPERATION, command,
                         "a blend factor is the second source colour's, and there are draw buffers beyond "
                         "the first"),
               false;
    if (!equations) return true;
    if (several)
        return ctx.error(GL_INVALID_OPERATION, command,
                         "a blend equation is an advanced one, and there are draw buffers beyond the first"),
               false;
    const shaders::LinkedStage& fs = ctx.executable->linked->stages[unsigned(pipe::Stage::Fragment)];
    if (fs && !(equations & ~fs.stored()->info().blend_equations)) return true;
    ctx.error(GL_INVALID_OPERATION, command,
              "the fragment shader does not declare support of the blend equation");
    return false;
}

}  // namespace

bool prepare_changed_draw(Context& ctx, const char* command) {
    Context::DrawCache& c = *ctx.draw_cache;
    if (!ctx.program && ctx.pipeline && !resolve_pipeline(ctx, false, command)) return false;
    if (!ctx.executable || !ctx.executable->draws) {
        // The specification leaves such draws undefined, but the framebuffer is still checked.
        (void)begin_rendering(ctx, command);
        return false;
    }
    const uint64_t buffers = ctx.share->buffer_stamp.load(std::memory_order_relaxed);
    if (c.buffer_stamp != buffers)
        ctx.dirty |= dirty::kVertexArray | dirty::kUniformBuffers | dirty::kStorageBuffers |
                     (is_capturing(ctx) ? dirty::kStreamOutputs : 0) | texture_buffer_bits(ctx);
    if (!ctx.dirty && c.ready) {
        if (!begin_rendering(ctx, command)) return false;
        if (!ctx.dirty) return true;
    }
    c.ready = false;
    const bool arrays = ctx.dirty & kArrays;
    if (arrays) {
        c.arrays = c.views.get(ctx, c.uploader);
        if (!c.arrays) {
            ctx.dirty |= dirty::kVertexArray;
            return ctx.out_of_memory(command), false;
        }
        c.buffer_stamp = buffers;
    }
    if (c.arrays->fetch.mapped())
        return ctx.error(GL_INVALID_OPERATION, command,
                         "an enabled vertex attribute array lies in a mapped buffer"),
               false;
    if (!samplers_agree(ctx, command)) return false;
    if (ctx.dirty & (dirty::kTextures | dirty::kProgram)) {
        emit_textures(ctx);
        ctx.dirty &= ~dirty::kTextures;
    }
    if (!begin_rendering(ctx, command)) return false;
    if ((ctx.dirty & (dirty::kFramebuffer | dirty::kProgram | dirty::kStreamOutputs)) &&
        !allows_views(ctx, command))
        return false;
    if (ctx.dirty & (dirty::kBlend | dirty::kFramebuffer)) {
        c.blending = c.blends.get(ctx, rendering_info(ctx));
        if (!c.blending) return ctx.out_of_memory(command), false;
    }
    if ((ctx.dirty & (dirty::kBlend | dirty::kFramebuffer | dirty::kProgram)) &&
        !allows_blending(ctx, *c.blending, command))
        return false;
    const uint64_t d = ctx.dirty;
    if (d & ~kNotFixed) {
        if (!emit_fixed_objects(ctx, d)) return ctx.out_of_memory(command), false;
        emit_fixed_values(ctx, d);
    }
    emit_program(ctx, d);
    emit_memory(ctx, d);
    if ((d & dirty::kStreamOutputs) && ctx.config.version >= 30) emit_stream_outputs(ctx);
    if (arrays && !emit_arrays(ctx)) return ctx.out_of_memory(command), false;
    ctx.dirty = 0;
    c.ready = true;
    return true;
}

bool prepare_dispatch(Context& ctx, const char* command) {
    // Without a pipeline that computes, the current executable has no compute stage either, which is checked
    // below.
    if (!ctx.program && ctx.pipeline) (void)resolve_pipeline(ctx, true, command);
    if (!ctx.executable || !ctx.executable->linked->stages[size_t(pipe::Stage::Compute)])
        return ctx.error(GL_INVALID_OPERATION, command, "no program with a compute shader is current"), false;
    if (!samplers_agree(ctx, command)) return false;
    end_rendering(ctx);
    // Draws compare the stamp and the program as well, so the dirty bits that they need stay set.
    if (ctx.draw_cache->buffer_stamp != ctx.share->buffer_stamp.load(std::memory_order_relaxed))
        ctx.dirty |= dirty::kUniformBuffers | dirty::kStorageBuffers | texture_buffer_bits(ctx);
    if (ctx.dirty & (dirty::kTextures | dirty::kProgram)) emit_textures(ctx);
    emit_program(ctx, ctx.dirty);
    emit_memory(ctx, ctx.dirty);
    ctx.dirty &= ~(dirty::kTextures | kMemory);
    return true;
}

void forget_buffer_resource(Context& ctx, pipe::Resource& r) {
    Context::DrawCache& c = *ctx.draw_cache;
    c.views.forget(r);
    if (c.arrays && !c.arrays->serial) ctx.dirty |= dirty::kVertexArray;
    for (pipe::Ref<pipe::Resource>& held : c.array_uploads)
        if (held.get() == &r) {
            held = nullptr;
            c.bound_arrays = 0;
        }
    const auto forget = [&](auto& stages, uint64_t bits) {
        for (auto& stage : stages)
            for (pipe::Ref<pipe::Resource>& held : stage)
                if (held.get() == &r) {
                    held = nullptr;
                    ctx.dirty |= bits;
                }
    };
    forget(c.uniform_buffers, dirty::kUniformBuffers);
    forget(c.storage_buffers, dirty::kStorageBuffers);
}

void install_executable(Context& ctx, pipe::Ref<Executable> e) {
    if (ctx.draw_cache && ctx.executable && ctx.draw_cache->executable == ctx.executable.get())
        ctx.draw_cache->former = std::move(ctx.executable);
    ctx.executable = std::move(e);
}

void init_draw(Context& ctx) {
    ctx.draw_cache = {new Context::DrawCache(*ctx.pipe), [](Context::DrawCache* c) { delete c; }};
}

}  // namespace terrazzo::st
