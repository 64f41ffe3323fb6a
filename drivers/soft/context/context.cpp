// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State and passes. Draws are in context_draw.cpp, transfers in context_transfer.cpp.
#include "drivers/soft/context/context.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace terrazzo::soft {

SoftContext::SoftContext(SoftScreen& screen, const pipe::ContextDesc& desc)
    : Context(screen),
      screen_(screen),
      log_(desc.log.write ? desc.log : screen.log),
      robust_(desc.robust),
      limit_(pipe::draw_limit_ns(desc.robust)),
      foreign_(limit_, pipe::draw_limit_ns(true), log_),
      queue_(screen.pool(), screen.run_tile(), limit_, foreign_, screen.memory(), screen.bounds_depth()),
      pass_(screen.memory(), PassQueue::limit_B(*screen.pool()), screen.bounds_depth()),
      raster_(screen.default_raster.get()),
      depth_stencil_(screen.default_depth_stencil.get()),
      blend_(screen.default_blend.get()),
      layout_(screen.default_vertex_layout.get()) {
    for (Textures& t : textures_)
        for (TextureUnit& u : t.units) {
            u = TextureUnit{};
            u.format = pipe::Format::None;
            prepare_texture_unit(&u);
        }
}

SoftContext::~SoftContext() {
    limit_.abandon();
    try {
        in_pass_ = false;
        submit();
    } catch (const std::bad_alloc&) {
        log_(pipe::Severity::Error, "soft: out of memory: the last draws of a context are lost");
    }
}

void SoftContext::unsupported(const char* what) const {
    log_(pipe::Severity::Error,
         std::string("soft: ") + what + " is not supported by the CPU driver yet; the command has no effect");
}

// --- state -------------------------------------------------------------------------------------------------

void SoftContext::bind_raster(pipe::RasterState* s) {
    raster_ = s ? static_cast<SoftRaster*>(s) : screen_.default_raster.get();
    draw_state_ = nullptr;
}
void SoftContext::bind_depth_stencil(pipe::DepthStencilState* s) {
    depth_stencil_ = s ? static_cast<SoftDepthStencil*>(s) : screen_.default_depth_stencil.get();
    draw_state_ = nullptr;
}
void SoftContext::bind_blend(pipe::BlendState* s) {
    blend_ = s ? static_cast<SoftBlend*>(s) : screen_.default_blend.get();
    draw_state_ = nullptr;
}
void SoftContext::bind_vertex_layout(pipe::VertexLayout* s) {
    layout_ = s ? static_cast<SoftVertexLayout*>(s) : screen_.default_vertex_layout.get();
}
void SoftContext::bind_program(pipe::Program* p) {
    program_ = static_cast<SoftProgram*>(p);
    draw_state_ = nullptr;
    kept_uniforms_ = nullptr;
    kept_textures_ = nullptr;
    kept_storage_ = nullptr;
}
void SoftContext::set_viewport(const pipe::Viewport& v) {
    viewports_.fill(v);
    draw_state_ = nullptr;
}
void SoftContext::set_scissor(const pipe::Scissor& s) {
    scissors_.fill(s);
    draw_state_ = nullptr;
}
void SoftContext::set_viewport_array(std::span<const pipe::Viewport> viewports,
                                     std::span<const pipe::Scissor> scissors) {
    std::copy(viewports.begin(), viewports.end(), viewports_.begin());
    std::copy(scissors.begin(), scissors.end(), scissors_.begin());
    draw_state_ = nullptr;
}
void SoftContext::set_blend_color(const float rgba[4]) {
    std::copy_n(rgba, 4, blend_color_);
    draw_state_ = nullptr;
}
void SoftContext::set_stencil_ref(uint8_t front, uint8_t back) {
    stencil_ref_[0] = back;
    stencil_ref_[1] = front;
    draw_state_ = nullptr;
}

void SoftContext::set_sample_mask(float coverage, bool invert, uint32_t mask) {
    coverage_ = coverage;
    invert_coverage_ = invert;
    sample_mask_ = mask;
    draw_state_ = nullptr;
}

void SoftContext::set_vertex_buffers(std::span<const pipe::VertexBuffer> buffers) {
    vertex_buffers_.assign(buffers.begin(), buffers.end());
}

void SoftContext::set_uniforms(pipe::Stage stage, std::span<const uint32_t> dwords) {
    uniforms_[stage].assign(dwords.begin(), dwords.end());
    if (stage != pipe::Stage::Fragment) return;
    draw_state_ = nullptr;
    kept_uniforms_ = nullptr;
}

void SoftContext::set_constant_buffers(pipe::Stage stage, uint32_t first,
                                       std::span<const pipe::BufferRange> b) {
    auto& to = constant_buffers_[stage];
    for (size_t i = 0; i < b.size() && first + i < pipe::kMaxConstantBuffers; ++i)
        to[first + i] = b[i];
}

void SoftContext::set_stream_outputs(std::span<const pipe::BufferRange> b) {
    stream_out_.set_buffers(b);
}

void SoftContext::set_textures(pipe::Stage stage, uint32_t first, std::span<pipe::SamplerView* const> views,
                               std::span<pipe::SamplerState* const> samplers) {
    Textures& t = textures_[stage];
    bool changed = false;
    for (size_t i = 0; i < views.size() && first + i < pipe::kMaxSamplers; ++i) {
        const size_t at = first + i;
        pipe::SamplerState* const sampler = i < samplers.size() ? samplers[i] : nullptr;
        // Comparing addresses is not enough: a new object may have an old one's address.
        TextureUnit unit{};
        if (views[i]) {
            unit = static_cast<const SoftSamplerView*>(views[i])->unit;
            unit.sampler =
                (sampler ? static_cast<const SoftSampler*>(sampler) : screen_.default_sampler.get())->desc;
        } else {
            unit.format = pipe::Format::None;
        }
        t.views[at] = views[i];
        t.samplers[at] = sampler;
        prepare_texture_unit(&unit);
        t.units[at] = unit;
        changed = true;
    }
    if (changed && stage == pipe::Stage::Fragment) {
        draw_state_ = nullptr;
        kept_textures_ = nullptr;
    }
}

// --- passes ------------------------------------------------------------------------------------------------

void SoftContext::forget_kept() {
    draw_state_ = nullptr;
    kept_uniforms_ = nullptr;
    kept_textures_ = nullptr;
    kept_blocks_ = nullptr;
    kept_storage_ = nullptr;
    kept_program_ = nullptr;
}

void SoftContext::submit_pass(bool continues) {
    shares_ = shares_ || pass_.shares();
    counters_.count(SoftCounter::Tiles, pass_.tile_count());
    queue_.submit(pass_, continues);
}

void SoftContext::submit() {
    if (pass_.pending())
        submit_pass(in_pass_);
    else
        pass_.forget();
    if (!in_pass_) pass_.detach();
    forget_kept();
}

void SoftContext::submit_early(bool must) {
    if (!pass_.pending() || (!must && !queue_.wants(pass_))) return;
    submit_pass(true);
    forget_kept();
}

void SoftContext::relieve() {
    if (!pass_.full()) return;
    if (pass_.pending()) return submit_early(true);
    pass_.forget();  // only state, of draws without primitives
    forget_kept();
}

void SoftContext::finish() {
    submit();
    queue_.wait(queue_.last());
    shares_ = false;
    check_failure();
}

bool SoftContext::before_access(pipe::Resource& r, bool write, bool may_not_wait) {
    const bool recorded = pass_.writes(r) || (write && pass_.reads(r));
    if (recorded) submit();
    const uint64_t seq = queue_.last_use(r, write);
    if (seq && !queue_.done(seq)) {
        if (may_not_wait) return false;
        queue_.wait(seq);
    }
    if (const winsys::SharedMemory* const memory = soft(r).shared_memory()) {
        if (may_not_wait && memory->used_by_others(write)) return false;
        ForeignUses::Wait(foreign_).for_image(soft(r), write);
    }
    if (write) soft(r).forget_bounds();
    check_failure();
    return true;
}

/// Only the interpreter can run out of memory in a tile.
void SoftContext::check_failure() {
    if (queue_.take_failure()) throw std::bad_alloc();
}

void SoftContext::begin_render_pass(const pipe::RenderPassDesc& desc) {
    if (!pass_.continues(desc)) submit();
    counters_.count(SoftCounter::Passes);
    // A lost robust context stays lost until reset_status() has reported it.
    if (!robust_) limit_.forgive();
    auto implicit = ImplicitSamples::make(desc, implicit_.get(), screen_.memory());
    if (implicit) implicit_ = implicit;
    pass_.begin(desc, std::move(implicit));
    in_pass_ = true;
    draw_state_ = nullptr;
}

void SoftContext::end_render_pass() {
    in_pass_ = false;
}

/// The contents are in memory or will be written when the pass runs. The interface permits leaving them
/// there.
void SoftContext::discard_attachments(uint32_t) {}

void SoftContext::clear(const pipe::ClearInfo& info) {
    if (!in_pass_) {
        log_(pipe::Severity::Error, "soft: clear outside a render pass");
        return;
    }
    relieve();
    counters_.count(SoftCounter::Clears);
    pass_.clear(info);
}

/// A shader of this context did not end, or its work exceeded the time limit. From then on its results are
/// undefined; a robust context stops drawing.
pipe::ResetStatus SoftContext::reset_status() {
    if (!limit_.stopped() || told_) return pipe::ResetStatus::None;
    if (robust_)
        told_ = true;
    else
        limit_.forgive();
    return pipe::ResetStatus::Guilty;
}

// --- queries and fences ------------------------------------------------------------------------------------

pipe::Ref<pipe::Query> SoftContext::create_query(pipe::QueryKind kind) {
    return pipe::Ref<pipe::Query>::adopt(new (std::nothrow) SoftQuery(kind));
}

void SoftContext::begin_query(pipe::Query& query) {
    SoftQuery& q = static_cast<SoftQuery&>(query);
    // Passes of the query's earlier use:
    if (pass_.counts_for(q)) submit();
    queue_.wait(q.seq);
    q.value = 0;
    switch (q.kind) {
        case pipe::QueryKind::AnySamples:
        case pipe::QueryKind::AnySamplesConservative:
        case pipe::QueryKind::Samples:
            samples_query_ = &q;
            draw_state_ = nullptr;
            break;
        case pipe::QueryKind::TimeElapsed:
            finish();
            q.begin = screen_.timestamp_ns();
            break;
        case pipe::QueryKind::PrimitivesGenerated:
            q.begin = primitives_;
            break;
        case pipe::QueryKind::Timestamp:
            break;
        case pipe::QueryKind::PrimitivesWritten:
            q.begin = stream_out_.primitives();
            break;
    }
}

void SoftContext::end_query(pipe::Query& query) {
    SoftQuery& q = static_cast<SoftQuery&>(query);
    switch (q.kind) {
        case pipe::QueryKind::AnySamples:
        case pipe::QueryKind::AnySamplesConservative:
        case pipe::QueryKind::Samples:
            samples_query_ = nullptr;
            draw_state_ = nullptr;
            break;
        case pipe::QueryKind::TimeElapsed:
            finish();
            q.value = screen_.timestamp_ns() - q.begin;
            break;
        case pipe::QueryKind::Timestamp:
            finish();
            q.value = screen_.timestamp_ns();
            break;
        case pipe::QueryKind::PrimitivesGenerated:
            q.value = primitives_ - q.begin;
            break;
        case pipe::QueryKind::PrimitivesWritten:
            q.value = stream_out_.primitives() - q.begin;
            break;
    }
}

bool SoftContext::query_result(pipe::Query& query, bool wait, uint64_t* out) {
    SoftQuery& q = static_cast<SoftQuery&>(query);
    if (pass_.counts_for(q)) submit();
    if (!wait && !queue_.poll(q.seq)) return false;
    queue_.wait(q.seq);
    const bool any =
        q.kind == pipe::QueryKind::AnySamples || q.kind == pipe::QueryKind::AnySamplesConservative;
    *out = any ? q.value != 0 : q.value;
    return true;
}

/// The CPU leaves no fences in dma-bufs. Later users of a shared image rely on this flush.
pipe::Ref<pipe::Fence> SoftContext::flush() {
    auto fence =
        pipe::Ref<SoftFence>::adopt(new (std::nothrow) SoftFence(queue_.jobs(), screen_.signalled()));
    if (!fence) {  // the caller gets no fence to wait for
        finish();
        return nullptr;
    }
    submit();
    fence->seq = queue_.last();
    if (shares_) finish();
    queue_.reap();
    check_failure();
    return fence;
}

void SoftContext::wait_fence(pipe::Fence& fence) {
    if (static_cast<AnyFence&>(fence).foreign)
        ForeignUses::Wait(foreign_).for_fence(fence);
    else
        (void)fence.wait(pipe::Fence::kForever);
}

}  // namespace terrazzo::soft
