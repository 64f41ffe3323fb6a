// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws: converts the state to the pipeline's form and calls the front half.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/soft/binning/pipeline_limits.h"
#include "drivers/soft/context/context.h"
#include "pipe/state_facts.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::soft {

namespace {

float clamp_constant(ColorClamp clamp, float v) {
    switch (clamp) {
        case ColorClamp::Unorm:
            return v > 0 ? std::min(v, 1.0f) : 0.0f;
        case ColorClamp::Snorm:
            return v > -1 ? std::min(v, 1.0f) : v <= -1 ? -1.0f : 0.0f;
        case ColorClamp::None:
            return v;
    }
    return v;
}

/// The nearest integer, clamped to the range of render targets.
int32_t to_px(float v) {
    const float limit = 2.0f * kMaxTarget_px;
    return v > -limit ? int32_t(std::floor(std::min(v, limit) + 0.5f)) : int32_t(-limit);
}

constexpr uint64_t output_bit(uint32_t color) {
    return uint64_t(1) << (unsigned(ir::FragSlot::Color0) + color);
}

/// Runs a shader with constant outputs once. The result is indexed by target.
const float (*constant_outputs(const DrawState& d, FragmentArgs& args, const ShaderMemory& memory,
                               Arena& arena))[4] {
    const PrimitiveSetup nowhere = {};
    args.work = memory.work();
    args.arrays = memory.arrays();
    args.shader = d.shader;
    args.watch = d.watch;
    args.uniforms = d.uniforms;
    args.textures = d.textures;
    args.blocks = d.blocks;
    args.buffers = nullptr;  // a shader with storage buffers has no constant outputs
    args.images = nullptr;
    args.count = 1;
    args.setup[0] = &nowhere;
    args.x[0] = args.y[0] = 0;
    args.mask[0] = 0xff;
    auto* const out = static_cast<float(*)[4]>(arena.allocate(sizeof(float[pipe::kMaxColorTargets][4])));
    d.fragment(&args);
    for (uint32_t t = 0; t < d.color_count; ++t)
        for (unsigned c = 0; c < 4; ++c)
            out[t][c] = args.color[t][c][0];
    return out;
}

}  // namespace

Rect SoftContext::clip_rect(uint32_t viewport) const {
    const pipe::Viewport& v = viewports_[viewport];
    const float hw = std::abs(v.scale[0]), hh = std::abs(v.scale[1]);
    Rect r = {to_px(v.translate[0] - hw), to_px(v.translate[1] - hh), to_px(v.translate[0] + hw),
              to_px(v.translate[1] + hh)};
    const Rect all = pass_.extent();
    r = {std::max(r.x0, all.x0), std::max(r.y0, all.y0), std::min(r.x1, all.x1), std::min(r.y1, all.y1)};
    const pipe::Scissor& s = scissors_[viewport];
    if (raster_->desc.scissor)
        r = {std::max(r.x0, s.x0), std::max(r.y0, s.y0), std::min(r.x1, s.x1), std::min(r.y1, s.y1)};
    return r;
}

void SoftContext::fill_viewport(DrawState* d, uint32_t viewport) const {
    d->clip = clip_rect(viewport);
    const float *const range = viewports_[viewport].depth, low = range[0], high = range[1];
    d->clamps_depth = depth_stencil_->desc.depth_clamp && (low > 0 || high < 1);
    d->depth_range[0] = low;
    d->depth_range[1] = high;
}

void SoftContext::fill_depth_stencil(DrawState* d) const {
    const pipe::DepthStencilDesc& ds = depth_stencil_->desc;
    const DepthTarget& target = pass_.job().depth;
    d->depth_test = ds.depth_test && target.has_depth;
    d->depth_write = d->depth_test && ds.depth_write;
    d->depth_compare = ds.depth_compare;
    if (ds.depth_compare == pipe::Compare::Always && !d->depth_write) d->depth_test = false;
    d->stencil_test = ds.stencil_test && target.has_stencil;
    d->stencil[0].face = ds.back;
    d->stencil[1].face = ds.front;
    for (int i = 0; i < 2; ++i) {
        d->stencil[i].ref = stencil_ref_[i];
        if (!pipe::writes_stencil(d->stencil[i].face)) d->stencil[i].face.write_mask = 0;
    }
    const CompiledShader& fs = *program_->fragment;
    d->shader_depth = fs.writes_depth;
    d->discards = fs.uses_discard;
    // Tests without writes may run before a discard, too.
    const bool writes = d->depth_write ||
                        (d->stencil_test && (d->stencil[0].face.write_mask || d->stencil[1].face.write_mask));
    const bool masks = fs.writes_sample_mask && pass_.job().samples > 1;
    d->early_tests = !fs.writes_depth && !((fs.uses_discard || masks) && writes) && !fs.writes_memory;
    d->always_runs = fs.writes_memory && !fs.early_tests;
    if (!fs.early_tests) return;
    // ES 3.1 section 13.8.2 "Early fragment tests": tests run first in any case, and the shader's depth is
    // ignored.
    d->early_tests = true;
    d->shader_depth = false;
}

void SoftContext::fill_blend(DrawState* d) const {
    const TileJob& job = pass_.job();
    const uint64_t written = program_->fragment->outputs_written;
    bool any = false;
    d->color_count = 0;
    for (uint32_t i = 0; i < job.color_count; ++i) {
        const ColorTarget& t = job.color[i];
        BlendDigest& b = d->blend[i];
        b.desc = blend_->desc.targets[i];
        b.kind = blend_->kind[i];
        b.write_mask = b.desc.write_mask;
        b.full_mask = (b.write_mask | (t.has_alpha ? 0 : 8)) == 15;
        const bool is_int = t.cls == ColorClass::Uint || t.cls == ColorClass::Sint;
        if (is_int && b.kind != BlendDigest::Kind::Skip) b.kind = BlendDigest::Kind::Replace;
        if (t.cls == ColorClass::None || !(written & output_bit(i))) b.kind = BlendDigest::Kind::Skip;
        for (int c = 0; c < 4; ++c)
            b.color[c] = clamp_constant(t.clamp, blend_color_[c]);
        if (b.kind == BlendDigest::Kind::Skip) continue;
        any = true;
        d->color_count = i + 1;
    }
    const CompiledShader& fs = program_->fragment->current();
    d->shader = fs.self;
    d->colors_read = fs.colors_read;
    d->reads_coverage = fs.reads_coverage;
    if (any || fs.uses_discard || fs.writes_depth || fs.writes_memory) d->fragment = fs.fragment;
}

/// How often the shader runs for a pixel (ES 3.2 section 13.8.3). All samples of an invocation get the same
/// values.
void SoftContext::fill_invocations(DrawState* d) const {
    const CompiledShader& fs = *program_->fragment;
    const uint32_t samples = pass_.job().samples;
    const float share = std::clamp(raster_->desc.sample_shading, 0.0f, 1.0f);
    const auto least = uint32_t(std::ceil(share * float(samples)));
    d->invocations = uint8_t(std::bit_ceil(std::clamp(least, 1u, samples)));
    if (fs.per_sample || fs.colors_read) d->invocations = uint8_t(samples);
    d->at_samples = fs.per_sample || (d->invocations > 1 && least > 1);
    if (fs.constant) d->invocations = 1;
}

/// Multisample state (ES 3.0 section 4.1.3).
void SoftContext::fill_samples(DrawState* d) const {
    d->sample_mask = pipe::enabled_samples(pass_.job().samples, coverage_, invert_coverage_, sample_mask_);
    const ColorClass cls = pass_.job().color_count ? pass_.job().color[0].cls : ColorClass::None;
    const bool has_alpha = cls != ColorClass::None && cls != ColorClass::Uint && cls != ColorClass::Sint &&
                           (program_->fragment->outputs_written & output_bit(0));
    d->alpha_to_coverage = blend_->desc.alpha_to_coverage && has_alpha;
    d->writes_sample_mask = program_->fragment->writes_sample_mask;
    // The shader decides coverage then, so it runs even if no colour is written.
    if (d->alpha_to_coverage || d->writes_sample_mask) d->fragment = program_->fragment->current().fragment;
    fill_invocations(d);
}

const uint32_t* SoftContext::uniforms_of(pipe::Stage stage, uint32_t dwords) {
    if (uniforms_[stage].size() < dwords) uniforms_[stage].resize(dwords);
    return uniforms_[stage].data();
}

const DrawState* SoftContext::current_draw_state() {
    if (program_->fragment->blocks) keep_fragment_blocks();
    if (draw_state_) return draw_state_;
    if (program_->fragment->storage_buffers || program_->fragment->images) keep_fragment_storage();
    Arena& arena = pass_.arena();
    DrawState* const d = arena.make<DrawState>();
    if (kept_program_ != program_) {
        pass_.keep(program_);
        kept_program_ = program_;
    }
    if (!kept_uniforms_) {
        const uint32_t n = program_->uniform_dw[pipe::Stage::Fragment];
        uint32_t* const copy = static_cast<uint32_t*>(arena.allocate(std::max<size_t>(n, 1) * 4));
        std::copy_n(uniforms_of(pipe::Stage::Fragment, n), n, copy);
        kept_uniforms_ = copy;
    }
    if (!kept_textures_) {
        const uint32_t n = program_->sampler_count[pipe::Stage::Fragment];
        TextureUnit* const copy =
            static_cast<TextureUnit*>(arena.allocate(std::max<size_t>(n, 1) * sizeof(TextureUnit)));
        std::copy_n(textures_[pipe::Stage::Fragment].units, n, copy);
        for (uint32_t i = 0; i < n; ++i)
            if (textures_[pipe::Stage::Fragment].views[i])
                pass_.keep_sampled(textures_[pipe::Stage::Fragment].views[i]);
        kept_textures_ = copy;
    }
    d->watch = &limit_.watch();
    d->uniforms = kept_uniforms_;
    d->textures = kept_textures_;
    d->blocks = kept_blocks_;
    if (kept_storage_) {
        d->buffers = kept_storage_->buffers;
        d->images = kept_storage_->images;
    }
    fill_depth_stencil(d);
    fill_blend(d);
    if (pass_.job().samples > 1) fill_samples(d);
    if (d->fragment && program_->fragment->constant) {
        if (!constant_args_) constant_args_ = std::make_unique<FragmentArgs>();
        d->constant = constant_outputs(*d, *constant_args_, vertices_.memory(), arena);
    }
    const CompiledShader& first = *program_->fragment;
    counters_.count(d->shader != first.self ? SoftCounter::SecondTierDraws
                    : first.interpreted     ? SoftCounter::InterpretedDraws
                                            : SoftCounter::FirstTierDraws);
    SoftQuery* const samples = samples_query_ ? samples_query_ : counters_.fragments();
    d->query_slot = samples ? pass_.query_slot(samples) : 0;
    fill_viewport(d, 0);
    draw_state_ = d;
    return d;
}

void SoftContext::fill_fetch() {
    const pipe::VertexLayoutDesc& layout = layout_->desc;
    for (uint64_t rest = program_->vertex->inputs_read; rest; rest &= rest - 1) {
        const uint32_t i = uint32_t(std::countr_zero(rest));
        if (i >= pipe::kMaxVertexAttribs) break;
        VertexFetch& f = fetch_[i];
        f = VertexFetch{};
        const pipe::VertexElement& e = layout.elements[i];
        f.format = e.format;
        f.divisor = e.divisor;
        if (i >= layout.count || e.format == pipe::Format::None || e.buffer >= vertex_buffers_.size())
            continue;
        const pipe::VertexBuffer& b = vertex_buffers_[e.buffer];
        if (!b.resource) continue;
        const SoftResource& r = soft(*b.resource);
        const uint64_t offset = b.offset_B + e.offset_B, size = layout_->element_B[i];
        if (offset > r.size_B() || r.size_B() - offset < size) continue;
        f.base = r.data() + offset;
        f.stride_B = b.stride_B;
        f.max_index =
            b.stride_B ? uint32_t(std::min<uint64_t>((r.size_B() - offset - size) / b.stride_B, UINT32_MAX))
                       : UINT32_MAX;
    }
}

bool SoftContext::drawable(const pipe::DrawInfo& info) const {
    if (!in_pass_) {
        log_(pipe::Severity::Error, "soft: draw outside a render pass");
        return false;
    }
    if (info.indirect.resource) {
        unsupported("an indirect draw");
        return false;
    }
    if (program_ && info.mode == pipe::Primitive::Patches && !program_->has_kernels()) {
        unsupported("a patch with no stage that takes it");
        return false;
    }
    return program_ && program_->vertex && (info.index_type == pipe::IndexType::None || info.index_buffer);
}

/// For all threads that may run this context's shaders.
void SoftContext::reserve_arrays() {
    vertices_.memory().reserve_arrays();
    queue_.reserve_arrays();
    has_arrays_ = true;
}

void SoftContext::draw_range(DrawCall& call, const pipe::DrawInfo& info, const pipe::DrawRange& range) {
    counters_.count(SoftCounter::Vertices, uint64_t(range.count) * info.instance_count);
    if (call.restart) {
        for (uint32_t i = 0; i < info.instance_count && !call.ended; ++i) {
            const uint64_t assembled = draw_restarting(call, vertices_, range, info.first_instance + i);
            if (!call.kernels) primitives_ += assembled;
        }
        return;
    }
    const Batches all = batches_of(call, range, info.first_instance, info.instance_count);
    if (!call.kernels) primitives_ += uint64_t(all.prims) * info.instance_count;
    uint64_t done = 0;
    if (!call.kernels && screen_.pool()->threads() > 1 && !call.capture && !program_->vertex->writes_memory &&
        WideDraw::is_worth(all, info.instance_count)) {
        if (!wide_) wide_ = std::make_unique<WideDraw>(screen_.pool(), screen_.memory());
        done = wide_->draw(call, pass_, all, program_->has_arrays);
    }
    if (!call.ended) draw_batches(call, vertices_, all, done, all.total);
}

/// Serves a draw's requests while its primitives are recorded.
struct SoftContext::LiveDraw {
    SoftContext& context;
    uint32_t viewport;  // the current viewport
    // Those created so far; the first viewport's is not stored here.
    std::array<const DrawState*, pipe::kMaxViewports> states;

    const DrawState* state() {
        const DrawState* const first = context.current_draw_state();
        if (viewport == 0) return first;
        if (states[viewport]) return states[viewport];
        DrawState* const own = context.pass_.arena().make<DrawState>();
        *own = *first;
        context.fill_viewport(own, viewport);
        return states[viewport] = own;
    }
    void attend(DrawCall* call) {
        call->relieve_data = this;
        call->relieve = [](void* data, SetupState* setup) {
            LiveDraw& live = *static_cast<LiveDraw*>(data);
            Bins& bins = live.context.pass_.bins();
            const uint32_t layer = bins.layer();
            live.context.submit_early(true);
            bins.set_layer(layer);
            live.states = {};
            setup->draw = live.state();
        };
        call->select_viewport = [](DrawCall* c, uint32_t index) {
            LiveDraw& live = *static_cast<LiveDraw*>(c->relieve_data);
            live.viewport = index;
            const pipe::RasterDesc& raster = live.context.raster_->desc;
            c->space = ClipSpace(live.context.viewports_[index], raster.clip_z_zero, raster.clip_planes,
                                 raster.depth_clamp);
            c->setup.draw = live.state();
        };
    }
};

void SoftContext::draw(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    if (!drawable(info)) return;
    counters_.count(SoftCounter::Draws);
    if (program_->has_arrays && !has_arrays_) reserve_arrays();
    // Vertices are shaded during this call.
    for (const pipe::Stage s :
         {pipe::Stage::Vertex, pipe::Stage::TessControl, pipe::Stage::TessEval, pipe::Stage::Geometry})
        for (uint32_t i = 0; i < program_->sampler_count[s]; ++i)
            if (const pipe::SamplerView* v = textures_[s].views[i]) {
                queue_.wait(queue_.last_use(*v->resource, false));
                if (soft(*v->resource).shared())
                    ForeignUses::Wait(foreign_).for_image(soft(*v->resource), false);
            }
    const struct Piece {
        explicit Piece(TimeLimit& l) : limit(l) { limit.begin_draw(); }
        ~Piece() { limit.end_draw(); }
        TimeLimit& limit;
    } piece(limit_);
    if (stream_out_.active())
        for (const pipe::BufferRange& r : stream_out_.buffers())
            if (r.resource) before_access(*r.resource, true);
    submit_early(false);
    relieve();
    const DrawState* const state = current_draw_state();
    // Without a position, nothing is drawn, but outputs are captured.
    const bool chooses_viewport = program_->viewport_index != kNoOutput;
    const bool nothing_visible = (state->clip.empty() && !chooses_viewport) || raster_->desc.discard ||
                                 program_->position == kNoOutput;
    const bool captures = stream_out_.active() && !program_->captured.links.empty();
    const bool stores = program_->vertex->writes_memory;
    fill_fetch();
    fill_storage(pipe::Stage::Vertex, *program_->vertex, &vertex_storage_);
    DrawCall call{
        .setup = {&pass_, &pass_.bins(), state, program_, &raster_->desc},
        .inputs = {program_, uniforms_of(pipe::Stage::Vertex, program_->uniform_dw[pipe::Stage::Vertex]),
                   textures_[pipe::Stage::Vertex].units,
                   padded_blocks(pipe::Stage::Vertex, *program_->vertex), vertex_storage_.buffers,
                   vertex_storage_.images, fetch_, &limit_.watch(), info.first_instance},
        .space = ClipSpace(viewports_[0], raster_->desc.clip_z_zero, raster_->desc.clip_planes,
                           raster_->desc.depth_clamp),
        .mode = info.mode,
        .capture = captures ? &stream_out_ : nullptr,
        .rasterize = !nothing_visible,
        .kernels = program_->has_kernels() ? prepare_kernels() : nullptr,
        .patch_vertices = info.patch_vertices};
    if (info.index_type != pipe::IndexType::None) {
        const SoftResource& r = soft(*info.index_buffer);
        if (info.index_offset_B > r.size_B()) return;
        call.index_B = info.index_type == pipe::IndexType::U8    ? 1
                       : info.index_type == pipe::IndexType::U16 ? 2
                                                                 : 4;
        call.indices = r.data() + info.index_offset_B;
        call.index_count =
            uint32_t(std::min<uint64_t>((r.size_B() - info.index_offset_B) / call.index_B, UINT32_MAX));
        call.restart = info.primitive_restart;
    }
    LiveDraw live{*this, 0, {}};
    live.attend(&call);
    for (const pipe::DrawRange& range : ranges) {
        if (nothing_visible && !captures && !stores && !call.kernels) {
            primitives_ += count_primitives(call, range) * info.instance_count;
            continue;
        }
        draw_range(call, info, range);
    }
    primitives_ += call.generated;
}

/// The stages between the vertex shader and the rasterizer, with their resources for this draw.
KernelStages* SoftContext::prepare_kernels() {
    if (!kernels_) kernels_ = std::make_unique<KernelStages>(screen_.pool());
    kernels_->begin(*program_);
    for (const pipe::Stage s : {pipe::Stage::TessControl, pipe::Stage::TessEval, pipe::Stage::Geometry}) {
        const CompiledShader* const shader = program_->stage(s);
        if (!shader) continue;
        if (!kernel_storage_[s]) kernel_storage_[s] = std::make_unique<Storage>();
        Storage& storage = *kernel_storage_[s];
        fill_storage(s, *shader, &storage);
        ComputeArgs args = {};
        args.watch = &limit_.watch();
        args.uniforms = uniforms_of(s, program_->uniform_dw[s]);
        args.textures = textures_[s].units;
        args.blocks = padded_blocks(s, *shader);
        args.buffers = storage.buffers;
        args.images = storage.images;
        kernels_->set_stage(s, args, storage.buffers + ir::stage_buffer::kInput);
    }
    return kernels_.get();
}

}  // namespace terrazzo::soft
