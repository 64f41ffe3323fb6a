// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State and passes. Draws are in passes/draw.cpp, clears of a pass that has begun in
// passes/clear.cpp, maps and copies in images/access.cpp.
#include "drivers/mali/context.h"

#include <algorithm>
#include <new>

namespace terrazzo::mali {

namespace {

/// Vertex streams are handed over when they have grown to this, at the next end of a pass.
constexpr uint64_t kMuchRecorded_B = 1 << 20;

}  // namespace

std::unique_ptr<MaliContext> MaliContext::create(MaliScreen& screen, const pipe::ContextDesc& desc) {
    std::unique_ptr<Queues> queues = Queues::create(pipe::Ref<Device>(&screen.device()), desc.priority);
    if (!queues) return nullptr;
    return std::unique_ptr<MaliContext>(new MaliContext(screen, desc, std::move(queues)));
}

MaliContext::MaliContext(MaliScreen& screen, const pipe::ContextDesc& desc, std::unique_ptr<Queues> queues)
    : ImageAccess(screen, screen.device(), desc),
      screen_(screen),
      recorder_(pipe::Ref<Device>(&screen.device()), std::move(queues)),
      pass_(screen.device().chip()),
      raster_(screen.default_raster.get()),
      depth_stencil_(screen.default_depth_stencil.get()),
      blend_(screen.default_blend.get()),
      layout_(screen.default_vertex_layout.get()) {}

MaliContext::~MaliContext() {
    submit_last();
}

// --- state -------------------------------------------------------------------------------------------------

void MaliContext::bind_raster(pipe::RasterState* s) {
    MaliRaster* const r = s ? static_cast<MaliRaster*>(s) : screen_.default_raster.get();
    if (raster_->desc.scissor != r->desc.scissor) dirty_ |= kScissor;
    raster_ = r;
    dirty_ |= kFlags | kDepthStencil;
}
void MaliContext::bind_depth_stencil(pipe::DepthStencilState* s) {
    depth_stencil_ = s ? static_cast<MaliDepthStencil*>(s) : screen_.default_depth_stencil.get();
    dirty_ |= kDepthStencil | kFlags;
}
void MaliContext::bind_blend(pipe::BlendState* s) {
    MaliBlend* const b = s ? static_cast<MaliBlend*>(s) : screen_.default_blend.get();
    if (blend_->desc.alpha_to_coverage != b->desc.alpha_to_coverage) dirty_ |= kFlags;
    blend_ = b;
    dirty_ |= kBlend;
}
void MaliContext::bind_vertex_layout(pipe::VertexLayout* s) {
    layout_ = s ? static_cast<MaliVertexLayout*>(s) : screen_.default_vertex_layout.get();
    dirty_ |= kVertexTables;
}
void MaliContext::bind_program(pipe::Program* p) {
    program_ = static_cast<MaliProgram*>(p);
    dirty_ |= kProgram | kVertexFau | kFragmentFau | kFlags;
    if (!program_) return;
    const MaliProgram& n = *program_;
    const ProgramShape old = shape_;
    shape_ = {.attributes = n.attributes,
              .colors = n.fragment.info.colors,
              .colors_read = n.fragment.info.colors_read,
              .half_colors = n.fragment.info.half_colors,
              .textures = {n.textures[0], n.textures[1]},
              .cube_textures = {n.cube_textures[0], n.cube_textures[1]},
              .volume_textures = {n.volume_textures[0], n.volume_textures[1]},
              .uniform_buffer = {n.reads_uniform_buffer[0], n.reads_uniform_buffer[1]},
              .writes_depth = n.fragment.info.writes_depth,
              .writes_stencil = n.fragment.info.writes_stencil,
              .second_color = n.fragment.info.second_color};
    const auto tables_change = [&](unsigned stage) {
        return shape_.uniform_buffer[stage] || old.uniform_buffer[stage] ||
               shape_.textures[stage] != old.textures[stage] ||
               shape_.cube_textures[stage] != old.cube_textures[stage] ||
               shape_.volume_textures[stage] != old.volume_textures[stage];
    };
    if (shape_.attributes != old.attributes || tables_change(0)) dirty_ |= kVertexTables;
    if (tables_change(1)) dirty_ |= kFragmentTables;
    if (shape_.colors != old.colors || shape_.colors_read != old.colors_read ||
        shape_.half_colors != old.half_colors || shape_.second_color != old.second_color)
        dirty_ |= kBlend | kBlendInputs;
    if (blend_summary_.shader_takes_color) dirty_ |= kBlend;  // the shader looks for it behind the uniforms
    if (shape_.writes_depth != old.writes_depth || shape_.writes_stencil != old.writes_stencil)
        dirty_ |= kDepthStencil;
}
void MaliContext::set_viewport(const pipe::Viewport& v) {
    viewport_ = v;
    dirty_ |= kViewport | kScissor;
    if (program_ && (program_->position.reads_sysvals || program_->varying.reads_sysvals))
        dirty_ |= kVertexFau;
    if (program_ && program_->fragment.reads_sysvals) dirty_ |= kFragmentFau;
}
void MaliContext::set_scissor(const pipe::Scissor& s) {
    scissor_ = s;
    if (raster_->desc.scissor) dirty_ |= kScissor;
}
void MaliContext::set_blend_color(const float rgba[4]) {
    std::copy_n(rgba, 4, blend_color_);
    dirty_ |= kBlend | kBlendInputs;
    if (blend_summary_.shader_takes_color) dirty_ |= kFragmentFau;
}
void MaliContext::set_stencil_ref(uint8_t front, uint8_t back) {
    stencil_ref_front_ = front;
    stencil_ref_back_ = back;
    dirty_ |= kDepthStencil;
}

/// Targets have one sample: GL_SAMPLE_COVERAGE and GL_SAMPLE_MASK have no effect (ES 2.0 section 4.1.3).
void MaliContext::set_sample_mask(float, bool, uint32_t) {}

void MaliContext::set_vertex_buffers(std::span<const pipe::VertexBuffer> buffers) {
    vertex_buffers_.assign(buffers.begin(), buffers.end());
    dirty_ |= kVertexTables;
}

void MaliContext::set_uniforms(pipe::Stage stage, std::span<const uint32_t> dwords) {
    if (stage != pipe::Stage::Vertex && stage != pipe::Stage::Fragment)
        return unsupported("a stage other than vertex and fragment");
    const bool fragment = stage == pipe::Stage::Fragment;
    std::vector<uint32_t>& u = uniforms_[fragment];
    u.resize(dwords.size());
    std::copy(dwords.begin(), dwords.end(), u.begin());
    dirty_ |= fragment ? kFragmentFau : kVertexFau;
    if (program_ && program_->reads_uniform_buffer[fragment])
        dirty_ |= fragment ? kFragmentTables : kVertexTables;
}

void MaliContext::set_constant_buffers(pipe::Stage, uint32_t, std::span<const pipe::BufferRange> b) {
    if (std::any_of(b.begin(), b.end(), [](const pipe::BufferRange& r) { return r.resource; }))
        unsupported("a uniform block");
}
void MaliContext::set_storage_buffers(pipe::Stage, uint32_t, std::span<const pipe::BufferRange> b) {
    if (std::any_of(b.begin(), b.end(), [](const pipe::BufferRange& r) { return r.resource; }))
        unsupported("a storage buffer");
}
void MaliContext::set_stream_outputs(std::span<const pipe::BufferRange> b) {
    if (std::any_of(b.begin(), b.end(), [](const pipe::BufferRange& r) { return r.resource; }))
        unsupported("transform feedback");
}

void MaliContext::set_textures(pipe::Stage stage, uint32_t first, std::span<pipe::SamplerView* const> views,
                               std::span<pipe::SamplerState* const> samplers) {
    if (stage != pipe::Stage::Vertex && stage != pipe::Stage::Fragment)
        return unsupported("a stage other than vertex and fragment");
    const bool fragment = stage == pipe::Stage::Fragment;
    Textures& t = textures_[fragment];
    for (size_t i = 0; i < views.size() && first + i < pipe::kMaxSamplers; ++i) {
        t.views[first + i] = views[i];
        t.samplers[first + i] = i < samplers.size() ? samplers[i] : nullptr;
    }
    dirty_ |= fragment ? kFragmentTables : kVertexTables;
}

// --- passes ------------------------------------------------------------------------------------------------

void MaliContext::end_pass(bool) {
    if (!pass_.active()) return;
    pass_.end(recorder_, screen_.internal_shaders());
    dirty_ |= kPass;
}

/// What is recorded now begins with registers that hold nothing.
void MaliContext::resume_pass(const pipe::RenderPassDesc* desc) {
    dirty_ = kAll;
    if (desc) pass_.begin(recorder_, *desc);
}

void MaliContext::note_loss() {
    screen_.device().losses.fetch_add(1, std::memory_order_relaxed);
}

/// Each core has a count of samples.
contexts::CountLayout MaliContext::count_layout(pipe::QueryKind kind) const {
    const uint32_t cores = screen_.device().chip().core_id_range();
    return submission::counts_samples(kind) ? contexts::CountLayout{cores * 8, cores}
                                            : contexts::CountLayout{};
}

void MaliContext::counting_changes(const contexts::Query&) {
    dirty_ |= kQuery | kFlags;
}

void MaliContext::note_image_changes() {
    const uint32_t now = screen_.device().image_changes.load(std::memory_order_relaxed);
    if (image_changes_ == now) return;
    image_changes_ = now;
    dirty_ |= kVertexTables | kFragmentTables;
}

void MaliContext::begin_render_pass(const pipe::RenderPassDesc& desc) {
    if (pass_.continues(desc)) {
        in_pass_ = true;
        note_image_changes();
        return pass_.go_on(desc);
    }
    end_pass();
    legalize(desc);
    ++passes_;
    in_pass_ = true;
    if (recorder_.vertex.emitted_B() > kMuchRecorded_B || recorder_.is_awaited()) {
        in_pass_ = false;
        (void)submit();
        in_pass_ = true;
    }
    pass_.begin(recorder_, desc);
    note_image_changes();
    dirty_ |= kPass | kViewport | kScissor | kDepthStencil | kBlend | kBlendInputs | kFlags;
    // Passes before may have drawn what this one's textures are.
    dirty_ |= kVertexReads | kFragmentReads;
    if (program_ && (program_->position.reads_sysvals || program_->varying.reads_sysvals))
        dirty_ |= kVertexFau;
    if (program_ && program_->fragment.reads_sysvals) dirty_ |= kFragmentFau;
}

void MaliContext::end_render_pass() {
    in_pass_ = false;
}

void MaliContext::discard_attachments(uint32_t attachments) {
    pass_.discard(attachments);
}

void MaliContext::dispatch(const pipe::DispatchInfo&) {
    unsupported("compute");
}

}  // namespace terrazzo::mali
