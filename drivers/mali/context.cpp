// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State, passes, transfers, queries, submission. Draws are in draw.cpp, clears of a pass that has begun in
// clear.cpp.
#include "drivers/mali/context.h"

#include <algorithm>
#include <exception>
#include <new>

#include "drivers/mali/copy.h"
#include "drivers/mali/target.h"
#include "drivers/mali/transfer.h"

namespace terrazzo::mali {

namespace {

/// Vertex streams are handed over when they have grown to this, at the next end of a pass.
constexpr uint64_t kMuchRecorded_B = 1 << 20;
/// Idle images of less are copied by the CPU: that costs less than a submission. (It reads slowly what the
/// GPU has written.)
constexpr uint64_t kGpuCopy_B = 16 << 10;
/// An AFBC image that the CPU reads more often becomes plain.
constexpr uint32_t kCompressedReads = 2;

}  // namespace

std::unique_ptr<MaliContext> MaliContext::create(MaliScreen& screen, const pipe::ContextDesc& desc) {
    std::unique_ptr<Queues> queues = Queues::create(pipe::Ref<Device>(&screen.device()), desc.priority);
    if (!queues) return nullptr;
    return std::unique_ptr<MaliContext>(new MaliContext(screen, desc, std::move(queues)));
}

MaliContext::MaliContext(MaliScreen& screen, const pipe::ContextDesc& desc, std::unique_ptr<Queues> queues)
    : Context(screen),
      screen_(screen),
      log_(desc.log.write ? desc.log : screen.device().log()),
      robust_(desc.robust),
      recorder_(pipe::Ref<Device>(&screen.device()), std::move(queues)),
      pass_(screen.device().chip()),
      raster_(screen.default_raster.get()),
      depth_stencil_(screen.default_depth_stencil.get()),
      blend_(screen.default_blend.get()),
      layout_(screen.default_vertex_layout.get()) {}

MaliContext::~MaliContext() {
    try {
        in_pass_ = false;
        (void)submit();
    } catch (const std::bad_alloc&) {
        log_(pipe::Severity::Error, "mali: out of memory: the last draws of a context are lost");
    }
}

void MaliContext::unsupported(const char* what) const {
    log_(pipe::Severity::Error,
         std::string("mali: ") + what + " is not supported by this driver yet; the command has no effect");
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
    if (shape_.writes_depth != old.writes_depth) dirty_ |= kDepthStencil;
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

/// A pass that is open goes on in another recording, loading what it has drawn.
class MaliContext::OpenPass {
  public:
    explicit OpenPass(MaliContext& c) : context_(c), open_(c.in_pass_) {
        if (!open_) return;
        desc_ = c.pass_.desc();
        // Objects that the pass alone holds live until it begins again.
        for (uint32_t i = 0; i < desc_.color_count; ++i) {
            held_[i] = pipe::Ref<pipe::Resource>(desc_.color[i].resource);
            desc_.color[i].load = pipe::LoadOp::Load;
        }
        held_.back() = pipe::Ref<pipe::Resource>(desc_.depth_stencil.resource);
        desc_.depth_stencil.load = desc_.stencil_load = pipe::LoadOp::Load;
    }
    OpenPass(const OpenPass&) = delete;
    OpenPass& operator=(const OpenPass&) = delete;
    ~OpenPass() noexcept(false) {
        context_.dirty_ = kAll;
        if (open_ && std::uncaught_exceptions() == exceptions_)
            context_.pass_.begin(context_.recorder_, desc_);
    }

  private:
    MaliContext& context_;
    const bool open_;
    const int exceptions_ = std::uncaught_exceptions();
    pipe::RenderPassDesc desc_;
    std::array<pipe::Ref<pipe::Resource>, pipe::kMaxColorTargets + 1> held_;
};

// --- passes ------------------------------------------------------------------------------------------------

void MaliContext::end_pass() {
    if (!pass_.active()) return;
    pass_.end(recorder_, screen_.internal_shaders());
    dirty_ |= kPass;
}

bool MaliContext::submit() {
    const bool done = submit_recorded();
    if (!screen_.device().debug.has(pipe::DebugWord::Sync)) return done;
    if (recorder_.finish() == WaitResult::Lost) look_for_loss();
    return done;
}

bool MaliContext::submit_recorded() {
    const OpenPass open(*this);
    if (in_pass_ && pass_.active() && screen_.device().tells_slow())
        screen_.device().slow(
            "a pass of %ux%u pixels is stored and loaded again: work was wanted in its middle",
            pass_.desc().width, pass_.desc().height);
    end_pass();
    recorder_.retire();
    const bool done = recorder_.submit();
    if (!done) {
        screen_.device().losses.fetch_add(1, std::memory_order_relaxed);
        note_loss(recorder_.lost());
    }
    return done;
}

void MaliContext::finish() {
    (void)submit();
    if (recorder_.finish() == WaitResult::Lost) look_for_loss();
}

void MaliContext::note_image_changes() {
    const uint32_t now = screen_.device().image_changes.load(std::memory_order_relaxed);
    if (image_changes_ == now) return;
    image_changes_ = now;
    dirty_ |= kVertexTables | kFragmentTables;
}

void MaliContext::legalize(const pipe::RenderPassDesc& desc) {
    const auto check = [&](const pipe::Attachment& a) {
        if (!a.resource || !mali(*a.resource).afbc()) return;
        MaliResource& r = mali(*a.resource);
        const pipe::LevelLayout& l = r.layout.level[a.level];
        // Superblocks are written whole.
        const bool whole = desc.width == l.width && desc.height == l.height &&
                           choose_tile_px(screen_.device().chip(), desc) >= kLeastAfbcTile_px;
        if ((!whole || !afbc_compatible(r.desc.format, a.format)) && !make_plain(r, true))
            throw std::bad_alloc();
    };
    for (uint32_t i = 0; i < desc.color_count; ++i)
        check(desc.color[i]);
    check(desc.depth_stencil);
}

void MaliContext::begin_render_pass(const pipe::RenderPassDesc& desc) {
    if (pass_.continues(desc)) {
        in_pass_ = true;
        note_image_changes();
        return pass_.go_on(desc);
    }
    end_pass();
    legalize(desc);
    in_pass_ = true;
    if (recorder_.vertex.emitted_B() > kMuchRecorded_B) {
        in_pass_ = false;
        (void)submit();
        in_pass_ = true;
    }
    pass_.begin(recorder_, desc);
    note_image_changes();
    dirty_ |= kPass | kViewport | kScissor | kDepthStencil | kBlend | kBlendInputs | kFlags;
    // Passes before may have drawn what this one's textures are.
    dirty_ |= kVertexTables | kFragmentTables;
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

void MaliContext::note_loss(GroupState state) {
    if (state == GroupState::Guilty) reset_ = pipe::ResetStatus::Guilty;
    if (state == GroupState::Innocent) reset_ = pipe::ResetStatus::Innocent;
}

/// A lost group takes what is recorded for it along.
void MaliContext::look_for_loss() {
    const GroupState state = recorder_.queues().take_state();
    if (state == GroupState::Usable) return;
    screen_.device().losses.fetch_add(1, std::memory_order_relaxed);
    note_loss(state);
    const OpenPass open(*this);
    pass_.drop();
    recorder_.discard();
}

/// Of the group: a shader that does not end, or a fault.
pipe::ResetStatus MaliContext::reset_status() {
    look_for_loss();
    return std::exchange(reset_, pipe::ResetStatus::None);
}

// --- transfers ---------------------------------------------------------------------------------------------

void MaliContext::before_access(MaliResource& r, bool write) {
    if (!recorder_.uses(*r.bo(), write)) return;
    screen_.device().slow("recorded work is submitted and waited for: the CPU wants to %s %s",
                          write ? "write" : "read",
                          r.desc.kind == pipe::ResourceKind::Buffer ? "a buffer" : "an image");
    (void)submit();
}

bool MaliContext::make_plain(MaliResource& r, bool keeps) {
    if (!r.afbc()) return true;
    screen_.device().slow("an AFBC image becomes plain%s", keeps ? ": the GPU copies it" : "");
    pipe::Ref<Bo> memory = r.create_plain();
    if (!memory) {
        log_(pipe::Severity::Error, "mali: cannot decompress an image: out of memory");
        return false;
    }
    if (keeps) {
        const OpenPass open(*this);
        end_pass();
        record_plain_copy(recorder_, screen_.internal_shaders(), r, *memory);
    }
    r.become_plain(std::move(memory));
    if (keeps) recorder_.write(r);
    note_image_changes();
    return true;
}

pipe::Mapping MaliContext::map_compressed(MaliResource& r, uint32_t level, const pipe::Box& box) {
    screen_.device().slow(
        "recorded work is submitted and waited for: the CPU wants to read an image (compressed: "
        "the GPU copies it first)");
    pipe::Ref<Bo> rows = screen_.device().create_bo(tile_rows(r, level, box).size_B, bo_flag::kUndefined);
    if (!rows) {
        log_(pipe::Severity::Error, "mali: cannot map an image: out of memory");
        return {};
    }
    {
        const OpenPass open(*this);
        end_pass();
        record_rows_copy(recorder_, screen_.internal_shaders(), r, level, box, *rows);
        recorder_.use(rows, true);
    }
    (void)submit();
    (void)rows->uses.wait(false, ~uint64_t(0));  // a lost device leaves the contents undefined
    return map_copied_rows(r, level, box, tile_rows(r, level, box), *rows);
}

pipe::Mapping MaliContext::map(pipe::Resource& resource, uint32_t level, const pipe::Box& box,
                               uint32_t flags) {
    using namespace pipe::map_flag;
    MaliResource& r = mali(resource);
    if (r.afbc()) {
        const bool reads_once = !(flags & (kWrite | kDontBlock | kPersistent)) &&
                                r.compressed_reads.fetch_add(1, std::memory_order_relaxed) < kCompressedReads;
        if (reads_once && pipe::layout_box_valid(r.layout, level, box)) return map_compressed(r, level, box);
        if (!make_plain(r, (flags & kRead) || !(flags & kDiscardWhole))) return {};
        flags &= ~kUnsynchronized;
    }
    if (!(flags & kUnsynchronized)) {
        const bool write = flags & kWrite;
        const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
        // New memory for a buffer whose contents nobody wants costs less than waiting.
        if (is_buffer && (flags & kDiscardWhole) && !(flags & kRead) &&
            !(r.bo()->flags & bo_flag::kShareable) &&
            (recorder_.uses(*r.bo(), true) || r.bo()->uses.busy(true)) && r.rename()) {
            dirty_ |= kVertexTables | kVertexFau | kFragmentTables;
            flags |= kUnsynchronized;
        } else {
            before_access(r, write);
        }
    }
    return map_resource(r, level, box, flags);
}

void MaliContext::unmap(pipe::Resource& resource, const pipe::Mapping& mapping) {
    unmap_resource(mali(resource), mapping);
}

bool MaliContext::copies_by_gpu(MaliResource& dst, MaliResource& src, uint64_t size_B) {
    return size_B >= kGpuCopy_B || recorder_.uses(*src.bo(), false) || recorder_.uses(*dst.bo(), true) ||
           src.bo()->uses.busy(false) || dst.bo()->uses.busy(true);
}

void MaliContext::after_gpu_copy() {
    if (recorder_.compute.emitted_B() > kMuchRecorded_B) (void)submit();
}

void MaliContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                              int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                              const pipe::Box& box) {
    MaliResource &dst = mali(dst_resource), &src = mali(src_resource);
    pipe::Box to;
    const bool valid = copy_boxes_valid(dst, dst_level, x, y, z, src, src_level, box, &to);
    if (valid && (!make_plain(dst) || !make_plain(src))) return;
    if (valid && gpu_can_copy(dst, dst_level, to, src, src_level, box) &&
        copies_by_gpu(dst, src,
                      uint64_t(box.depth) * pipe::format_row_B(src.desc.format, uint32_t(box.width)) *
                          pipe::format_block_rows(src.desc.format, uint32_t(box.height)))) {
        end_pass();
        copy_image_to_image(recorder_, screen_.internal_shaders(), dst, dst_level, to, src, src_level, box);
        return after_gpu_copy();
    }
    before_access(src, false);
    before_access(dst, true);
    copy_region_cpu(dst, dst_level, x, y, z, src, src_level, box);
}

/// What changes formats, and mipmaps whose levels are half of those before; copies as they are and what the
/// CPU must do are pipe/blit's to find out.
bool MaliContext::try_blit(const pipe::BlitInfo& info) {
    if (!info.src.resource || !info.dst.resource || !info.color || info.scissored) return false;
    MaliResource &src = mali(*info.src.resource), &dst = mali(*info.dst.resource);
    const pipe::Box &from = info.src.box, &to = info.dst.box;
    const auto halves = [](int32_t a, int32_t b) { return a == 2 * b || (a == 1 && b == 1); };
    const bool same_size = from.width == to.width && from.height == to.height;
    const bool halved = !same_size && info.filter == pipe::Filter::Linear && halves(from.width, to.width) &&
                        halves(from.height, to.height);
    if (from.depth != to.depth || from.width <= 0 || from.height <= 0 || from.depth <= 0 ||
        !(halved || (same_size && info.src.format != info.dst.format)))
        return false;
    if ((&dst == &src && info.dst.level == info.src.level) || src.desc.kind == pipe::ResourceKind::Buffer ||
        dst.desc.kind == pipe::ResourceKind::Buffer ||
        !pipe::layout_box_valid(src.layout, info.src.level, from) ||
        !pipe::layout_box_valid(dst.layout, info.dst.level, to))
        return false;
    if (!make_plain(dst) || !make_plain(src)) return false;
    if (!gpu_can_convert(dst, info.dst.format, src, info.src.format, halved) ||
        !copies_by_gpu(dst, src,
                       uint64_t(from.depth) * uint64_t(from.height) *
                           pipe::format_row_B(src.desc.format, uint32_t(from.width))))
        return false;
    end_pass();
    convert_image(recorder_, screen_.internal_shaders(), dst, info.dst.level, to, info.dst.format, src,
                  info.src.level, from, info.src.format);
    after_gpu_copy();
    return true;
}

// --- queries and fences ------------------------------------------------------------------------------------

pipe::Ref<pipe::Query> MaliContext::create_query(pipe::QueryKind kind) {
    return pipe::Ref<pipe::Query>::adopt(new (std::nothrow) MaliQuery(kind));
}

void MaliContext::begin_query(pipe::Query& query) {
    MaliQuery& q = static_cast<MaliQuery&>(query);
    if (q.counts_samples()) {
        // New memory: older counts may still go on.
        auto m = pipe::Ref<QueryMemory>::adopt(new QueryMemory);
        const uint32_t size_B = screen_.device().chip().core_id_range() * 8;
        m->block = screen_.device().create_block(size_B, 64);
        if (!m->block) throw std::bad_alloc();
        std::fill_n(m->block.cpu, size_B, uint8_t(0));
        q.memory = std::move(m);
        q.point = ~uint64_t(0);
        samples_query_ = &q;
        dirty_ |= kQuery | kFlags;
        return;
    }
    switch (q.kind) {
        case pipe::QueryKind::TimeElapsed:
            finish();
            q.begin = screen_.timestamp_ns();
            break;
        case pipe::QueryKind::PrimitivesGenerated:
            q.begin = primitives_;
            break;
        case pipe::QueryKind::PrimitivesWritten:
            unsupported("transform feedback");
            break;
        default:
            break;
    }
}

void MaliContext::end_query(pipe::Query& query) {
    MaliQuery& q = static_cast<MaliQuery&>(query);
    if (q.counts_samples()) {
        if (samples_query_ == &q) samples_query_ = nullptr;
        dirty_ |= kQuery | kFlags;
        return;
    }
    switch (q.kind) {
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
        default:
            break;
    }
}

bool MaliContext::query_result(pipe::Query& query, bool wait, uint64_t* out) {
    MaliQuery& q = static_cast<MaliQuery&>(query);
    if (!q.counts_samples()) return *out = q.value, true;
    if (!q.memory) return *out = 0, true;
    // Counted by work that is recorded, or open: this submission's end is late enough.
    if (q.point == ~uint64_t(0)) {
        (void)submit();
        q.point = recorder_.last_point();
    }
    if (q.point) {
        const WaitResult r = recorder_.queues().timeline()->wait(q.point, wait ? ~uint64_t(0) : 0);
        if (r == WaitResult::Timeout) return false;
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < screen_.device().chip().core_id_range(); ++i)
        sum += reinterpret_cast<const volatile uint64_t*>(q.memory->block.cpu)[i];
    *out = q.kind == pipe::QueryKind::Samples ? sum : sum != 0;
    return true;
}

pipe::Ref<pipe::Fence> MaliContext::flush(uint32_t) {
    (void)submit();
    return pipe::Ref<pipe::Fence>::adopt(
        new (std::nothrow) MaliFence({recorder_.queues().timeline(), recorder_.last_point()}));
}

void MaliContext::wait_fence(pipe::Fence& fence) {
    const MaliFence& f = static_cast<MaliFence&>(fence);
    if (!f.point.value || f.point.timeline.get() == recorder_.queues().timeline().get()) return;
    (void)submit();
    recorder_.wait_for(f.point);
}

}  // namespace terrazzo::mali
