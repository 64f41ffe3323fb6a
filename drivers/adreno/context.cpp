// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State and passes. Draws are in passes/draw.cpp, clears in passes/clear.cpp, maps and copies in images/access.cpp, what queries count in
// submission/query.cpp.
#include "drivers/adreno/context.h"

#include <algorithm>
#include <new>
#include <utility>

namespace terrazzo::adreno {
namespace {

void set_bit(uint32_t* bits, unsigned n, bool on) {
    *bits = (*bits & ~(1u << n)) | uint32_t(on) << n;
}

/// StageState::Dirty: what of a stage must be packed anew.
uint32_t changed(const StatePacking::Stage& a, const StatePacking::Stage& b) {
    uint32_t dirty = StageState::kUniforms;
    if (a.has_blocks | b.has_blocks) dirty |= StageState::kBlocks;
    if (a.has_storage | b.has_storage) dirty |= StageState::kStorage;
    if ((a.textures ^ b.textures) | (a.fetched ^ b.fetched) | (a.fetched_apart ^ b.fetched_apart) |
        (a.cube_textures ^ b.cube_textures) | (a.volume_textures ^ b.volume_textures) |
        (a.colors_read ^ b.colors_read))
        dirty |= StageState::kTextures;
    return dirty;
}

}  // namespace

std::unique_ptr<AdrenoContext> AdrenoContext::create(AdrenoScreen& screen, const pipe::ContextDesc& desc) {
    std::unique_ptr<Queue> queue = Queue::create(pipe::Ref<Device>(&screen.device()), desc.priority);
    if (!queue) return nullptr;
    return std::unique_ptr<AdrenoContext>(new AdrenoContext(screen, desc, std::move(queue)));
}

AdrenoContext::AdrenoContext(AdrenoScreen& screen, const pipe::ContextDesc& desc,
                             std::unique_ptr<Queue> queue)
    : ImageAccess(screen, screen.device(), desc),
      screen_(screen),
      recorder_(pipe::Ref<Device>(&screen.device()), std::move(queue)),
      pass_(recorder_),
      raster_(screen.default_raster.get()),
      depth_stencil_(screen.default_depth_stencil.get()),
      blend_(screen.default_blend.get()),
      layout_(screen.default_vertex_layout.get()) {}

AdrenoContext::~AdrenoContext() {
    submit_last();
}

StageState* AdrenoContext::stage_state(pipe::Stage stage) {
    return &stages_[size_t(shader_stage(stage))];
}

void AdrenoContext::touch_all() {
    dirty_ = kAll;
    for (StageState& s : stages_)
        s.dirty = StageState::kAll;
    groups_.forget();
    depth_plane_ = ~0u;
}

void AdrenoContext::touch_memory(images::StoredResource& r) {
    const auto in = [&](const auto& bound) {
        return std::any_of(bound.begin(), bound.end(), [&](const auto& b) { return b.resource == &r; });
    };
    dirty_ |= kStages;
    if (in(vertex_buffers_)) dirty_ |= kVertexBuffers;
    const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
    for (StageState& s : stages_) {
        if (in(s.blocks)) s.dirty |= StageState::kBlocks;
        if (in(s.storage_buffers) || in(s.images)) s.dirty |= StageState::kStorage;
        // Views may be gone that nobody draws with.
        if (!is_buffer || s.buffer_views) s.dirty |= StageState::kTextures;
    }
}

// --- state -------------------------------------------------------------------------------------------------

void AdrenoContext::bind_raster(pipe::RasterState* s) {
    auto* const r = s ? static_cast<AdrenoRaster*>(s) : screen_.default_raster.get();
    if (raster_->desc.scissor != r->desc.scissor) dirty_ |= kScissor;
    if (raster_->desc.discard != r->desc.discard) dirty_ |= kDiscard | kDepthPlane | kProgram;
    if (raster_->desc.sample_shading != r->desc.sample_shading) dirty_ |= kProgram;
    raster_ = r;
    dirty_ |= kRaster;
}
void AdrenoContext::bind_depth_stencil(pipe::DepthStencilState* s) {
    depth_stencil_ = s ? static_cast<AdrenoDepthStencil*>(s) : screen_.default_depth_stencil.get();
    dirty_ |= kDepthStencil | kDepthPlane;
}
void AdrenoContext::bind_blend(pipe::BlendState* s) {
    auto* const b = s ? static_cast<AdrenoBlend*>(s) : screen_.default_blend.get();
    if (blend_->dual_source != b->dual_source) dirty_ |= kOutputs;
    constexpr auto kNone = pipe::AdvancedBlend::None;
    if (blend_->advanced != kNone || b->advanced != kNone) dirty_ |= kProgram;
    blend_ = b;
    dirty_ |= kBlend | kDepthPlane;
}
void AdrenoContext::bind_vertex_layout(pipe::VertexLayout* s) {
    layout_ = s ? static_cast<AdrenoVertexLayout*>(s) : screen_.default_vertex_layout.get();
    dirty_ |= kVertexLayout;
}
void AdrenoContext::bind_program(pipe::Program* p) {
    program_ = static_cast<AdrenoProgram*>(p);
    variant_ = nullptr;  // choose_fragment() says which
    dirty_ |= kProgram | kDepthPlane | kStages;
    if (stream_outputs_.any || stream_outputs_.enabled) dirty_ |= kStreamOutput;
    if (!program_ || program_->is_compute()) return;  // a dispatch packs all, and no group
    const StatePacking& now = program_->packing;
    if (packing_.attributes != now.attributes) dirty_ |= kVertexLayout;
    constexpr auto kFragment = size_t(ShaderStage::Fragment);
    if (packing_.outputs != now.outputs) dirty_ |= kOutputs;
    // What becomes of the fragment stage choose_fragment() finds.
    const StatePacking::Stage fragment = packing_.stages[kFragment];
    for (size_t s = 0; s < now.stages.size(); ++s)
        if (s != kFragment) stages_[s].dirty |= changed(packing_.stages[s], now.stages[s]);
    packing_ = now;
    packing_.stages[kFragment] = fragment;
}
FragmentKey AdrenoContext::fragment_key() const {
    const Targets& t = pass_.targets();
    FragmentKey key;
    // The hardware shades a pixel once, or each of its samples.
    key.sample_shading = float(t.samples) * raster_->desc.sample_shading > 1;
    const Surface& target = t.color[0];
    if (blend_->advanced == pipe::AdvancedBlend::None || raster_->desc.discard || !t.color_count ||
        target.format == hw::Format::FMT6_NONE || pipe::format_info(target.pipe_format).is_pure_int())
        return key;
    using pipe::raster::ColorRange;
    const ColorRange range = pipe::raster::color_range(target.pipe_format);
    key.blend = {
        .equation = blend_->advanced,
        .range = range == ColorRange::Unorm8 ? ColorRange::Unorm : range,
        .coverage_samples = uint8_t(blend_->desc.alpha_to_coverage && t.samples > 1 ? t.samples : 0)};
    return key;
}
bool AdrenoContext::choose_fragment() {
    const FragmentKey key = fragment_key();
    variant_ = nullptr;
    if (key != FragmentKey{}) {
        const FragmentVariant& v =
            program_->fragment_variant(screen_.device(), screen_.shared_by_programs(), key);
        if (!v.error.empty()) {
            log_(pipe::Severity::Error, "adreno: draws have no effect: " + v.error);
            return false;
        }
        variant_ = &v;
    }
    constexpr auto kFragment = size_t(ShaderStage::Fragment);
    const StatePacking::Stage& now = variant_ ? variant_->packing : program_->packing.stages[kFragment];
    StatePacking::Stage& packed = packing_.stages[kFragment];
    if (packed.colors_read != now.colors_read) dirty_ |= kOutputs;
    stages_[kFragment].dirty |= changed(packed, now);
    packed = now;
    dirty_ |= kDepthPlane | kStages;
    return true;
}
void AdrenoContext::set_viewport(const pipe::Viewport& v) {
    viewport_ = v;
    dirty_ |= kViewport;
}
void AdrenoContext::set_scissor(const pipe::Scissor& s) {
    scissor_ = s;
    if (raster_->desc.scissor) dirty_ |= kScissor;
}
void AdrenoContext::set_blend_color(const float rgba[4]) {
    std::copy_n(rgba, 4, blend_color_);
    dirty_ |= kBlendColor;
}
void AdrenoContext::set_stencil_ref(uint8_t front, uint8_t back) {
    stencil_ref_front_ = front;
    stencil_ref_back_ = back;
    dirty_ |= kStencilRef;
}
void AdrenoContext::set_sample_mask(float coverage, bool invert, uint32_t mask) {
    coverage_ = coverage;
    invert_coverage_ = invert;
    sample_mask_ = mask;
    dirty_ |= kBlend | kDepthPlane;
}
void AdrenoContext::set_vertex_buffers(std::span<const pipe::VertexBuffer> buffers) {
    vertex_buffers_.assign(buffers.begin(), buffers.end());
    dirty_ |= kVertexBuffers | kVertexLayout;
}
void AdrenoContext::set_uniforms(pipe::Stage stage, std::span<const uint32_t> dwords) {
    StageState* const s = stage_state(stage);
    if (!s) return;
    s->uniforms.assign(dwords.begin(), dwords.end());
    s->dirty |= StageState::kUniforms;
    dirty_ |= kStages;
}
void AdrenoContext::set_constant_buffers(pipe::Stage stage, uint32_t first,
                                         std::span<const pipe::BufferRange> ranges) {
    StageState* const s = stage_state(stage);
    if (!s) return;
    for (size_t i = 0; i < ranges.size() && first + i < s->blocks.size(); ++i)
        s->blocks[first + i] = ranges[i];
    s->dirty |= StageState::kBlocks;
    dirty_ |= kStages;
}
void AdrenoContext::set_storage_buffers(pipe::Stage stage, uint32_t first,
                                        std::span<const pipe::BufferRange> b) {
    StageState* const s = stage_state(stage);
    if (!s) return;
    for (size_t i = 0; i < b.size() && first + i < s->storage_buffers.size(); ++i)
        s->storage_buffers[first + i] = b[i];
    s->dirty |= StageState::kStorage;
    dirty_ |= kStages;
}
void AdrenoContext::set_images(pipe::Stage stage, uint32_t first, std::span<const pipe::ImageView> views) {
    StageState* const s = stage_state(stage);
    if (!s) return;
    for (size_t i = 0; i < views.size() && first + i < s->images.size(); ++i) {
        s->images[first + i] = views[i];
        // Shaders do not write compressed images.
        set_bit(&s->odd_images, unsigned(first + i), views[i].resource != nullptr);
        if (views[i].resource) adreno(*views[i].resource).keep_plain();
    }
    s->dirty |= StageState::kStorage;
    dirty_ |= kStages;
}
void AdrenoContext::set_stream_outputs(std::span<const pipe::BufferRange> ranges) {
    end_capture();
    StreamOutputs& s = stream_outputs_;
    s.ranges = {};
    std::copy_n(ranges.begin(), std::min(ranges.size(), s.ranges.size()), s.ranges.begin());
    s.any = !ranges.empty();
    s.begun = false;
    s.offsets = {};
    dirty_ |= kStreamOutput;
}
void AdrenoContext::set_textures(pipe::Stage stage, uint32_t first, std::span<pipe::SamplerView* const> views,
                                 std::span<pipe::SamplerState* const> samplers) {
    StageState* const s = stage_state(stage);
    if (!s) return;
    StageState::Textures& t = s->textures;
    for (size_t i = 0; i < views.size() && first + i < pipe::kMaxSamplers; ++i) {
        t.views[first + i] = views[i];
        t.samplers[first + i] = i < samplers.size() ? samplers[i] : nullptr;
        const auto* const view = static_cast<const AdrenoSamplerView*>(views[i]);
        set_bit(&s->buffer_views, unsigned(first + i), view && view->desc.kind == pipe::ResourceKind::Buffer);
        set_bit(&s->odd_views, unsigned(first + i), view && !view->reads_ubwc);
    }
    s->dirty |= StageState::kTextures;
    dirty_ |= kStages;
}

void AdrenoContext::leave_tiles() {
    if (!needs_sysmem()) return;
    if (pass_.must_tile()) restart_pass();
    pass_.need_sysmem();
}

// --- passes ------------------------------------------------------------------------------------------------

void AdrenoContext::begin_pass(const pipe::RenderPassDesc& desc) {
    for (uint32_t i = 0; i < desc.color_count; ++i)
        begin_drawing(desc.color[i]);
    begin_drawing(desc.depth_stencil);
    const char* why = "";
    if (!pass_.begin(desc, &why))
        log_(pipe::Severity::Error, std::string("adreno: a render pass has no effect: ") + why);
    touch_all();
    registers_.known = false;
    has_patch_memory_ = false;
    stream_outputs_.captured.clear();
}

void AdrenoContext::end_pass(bool goes_on) {
    if (pass_.active()) {
        count_none();
        end_capture();
        if (stream_outputs_.enabled) pass_.draws.write(hw::VPC_SO_CNTL{}, hw::VPC_SO_STREAM_CNTL{});
    }
    forget_stream();
    pass_.end(screen_.restore(), goes_on);
    dirty_ |= kPass;
}

void AdrenoContext::forget_stream() {
    counting_.clear();
    stream_outputs_.in_stream = 0;
    stream_outputs_.enabled = false;
}

void AdrenoContext::begin_render_pass(const pipe::RenderPassDesc& desc) {
    end_pass();
    in_pass_ = false;
    if (is_much_recorded()) (void)submit();
    ++passes_;
    in_pass_ = true;
    begin_pass(desc);
}

void AdrenoContext::end_render_pass() {
    end_pass();
    in_pass_ = false;
}

void AdrenoContext::discard_attachments(uint32_t attachments) {
    if (in_pass_) pass_.discard(attachments);
}

void AdrenoContext::resume_pass(const pipe::RenderPassDesc* desc) {
    if (desc) begin_pass(*desc);
}

void AdrenoContext::drop_pass() {
    pass_.drop();
    pass_.forget_kept_lrz();
    forget_stream();
}

bool AdrenoContext::hand_over() {
    counters_.before_submit();
    const bool done = recorder_.submit();
    counters_.after_submit();
    return done;
}

}  // namespace terrazzo::adreno
