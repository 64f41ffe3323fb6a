// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Draws: dirty state is packed into pool memory and registers, then RUN_IDVS is emitted. Facts: Mesa 25.0.7,
// pan_csf.c; hw/cs.rows (IdvsRegisters).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/common/context/vertex_list.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/passes/draw_context.h"
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/stream/put.h"
#include "pipe/primitives.h"
#include "pipe/state_facts.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali {

namespace {

using R = hw::IdvsRegisters;

// The most that a vertex uses of the tiler's heap in addition to its varyings. The hardware's number is
// unknown: comparisons with the heap's size leave a margin of a factor of four.
constexpr uint64_t kHeapPerVertex_B = 128;

constexpr pipe::Primitive kLastMode = pipe::Primitive::TriangleFan;

/// The fields of RUN_IDVS that depend on each draw, at their bit positions.
constexpr uint64_t run_bits(hw::DrawMode mode, hw::IndexType index) {
    hw::PrimitiveFlags flags;
    flags.low_depth_cull = flags.high_depth_cull = false;  // these bits are only ORed in
    flags.draw_mode = mode;
    flags.index_type = index;
    hw::CsRunIdvs run, none;
    hw::pack(flags, &run.flags_override);
    return hw::pack64(run) & ~hw::pack64(none);
}
constexpr uint64_t kModeBits[] = {run_bits(hw::DrawMode::Points, hw::IndexType::None),
                                  run_bits(hw::DrawMode::Lines, hw::IndexType::None),
                                  run_bits(hw::DrawMode::LineLoop, hw::IndexType::None),
                                  run_bits(hw::DrawMode::LineStrip, hw::IndexType::None),
                                  run_bits(hw::DrawMode::Triangles, hw::IndexType::None),
                                  run_bits(hw::DrawMode::TriangleStrip, hw::IndexType::None),
                                  run_bits(hw::DrawMode::TriangleFan, hw::IndexType::None)};
static_assert(std::size(kModeBits) == unsigned(kLastMode) + 1 && unsigned(pipe::Primitive::Points) == 0 &&
              unsigned(pipe::Primitive::Lines) == 1 && unsigned(pipe::Primitive::LineLoop) == 2 &&
              unsigned(pipe::Primitive::LineStrip) == 3 && unsigned(pipe::Primitive::Triangles) == 4 &&
              unsigned(pipe::Primitive::TriangleStrip) == 5);
constexpr uint64_t kIndexBits[] = {run_bits({}, hw::IndexType::None), run_bits({}, hw::IndexType::Uint8),
                                   run_bits({}, hw::IndexType::Uint16), run_bits({}, hw::IndexType::Uint32)};
static_assert(unsigned(pipe::IndexType::None) == 0 && unsigned(pipe::IndexType::U8) == 1 &&
              unsigned(pipe::IndexType::U16) == 2 && unsigned(pipe::IndexType::U32) == 3 &&
              hw::DrawMode{} == hw::DrawMode::None);

}  // namespace

/// Converted and captured vertices, and primitives that a query counts, are found by the CPU. Attributes of
/// instances begin with the first instance, which is in their descriptors (write_attributes): the command
/// stream cannot multiply it by their strides, and gl_InstanceID would include Mali's instance_offset.
bool DrawContext::needs_parameters() {
    if (state_.dirty & kVertexTables) choose_converted();
    return state_.program->drawn || tables_.converted.any() ||
           (stream_output_.is_set() && state_.program->capture.present) || queries_.open.generated ||
           (state_.layout->instanced & state_.program->attributes);
}

void DrawContext::begin_instances(uint32_t first) {
    tables_.first_instance = first;
    if (state_.layout->instanced) state_.dirty |= kVertexTables;
}

inline bool DrawContext::is_usual(const pipe::DrawInfo& info) const {
    return in_pass_ && !info.indirect.resource && info.mode <= kLastMode && state_.program &&
           state_.program->position.present &&
           (info.index_type == pipe::IndexType::None || info.index_buffer);
}

void DrawContext::draw_unusual(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    if (!in_pass_) return log_(pipe::Severity::Error, "mali: draw outside a render pass");
    if (!state_.program || (info.index_type != pipe::IndexType::None && !info.index_buffer)) return;
    const bool kernels = bool(state_.program->drawn);
    const bool adjacent = info.mode > kLastMode && !kernels;
    if (adjacent && info.mode == pipe::Primitive::Patches) return unsupported("a patch without tessellation");
    // Without a written position the result is undefined: nothing is drawn.
    if (!state_.program->position.present && !kernels) return;
    if (info.indirect.resource && (adjacent || needs_parameters())) return draw_directly(info);
    if (kernels) return draw_kernels(info, ranges);
    if (adjacent) {
        contexts::ListedDraw d;
        if (contexts::list_without_adjacent(*this, info, ranges, &d)) draw_now(d.info, {&d.range, 1});
        return;
    }
    draw_now(info, ranges);
}

void DrawContext::find_clip() {
    if (state_.dirty & kViewport) viewport_px_ = pass_.viewport_px(state_.viewport);
    clip_ = viewport_px_;
    if (state_.raster->desc.scissor)
        clip_ =
            intersect(clip_, {state_.scissor.x0, state_.scissor.y0, state_.scissor.x1, state_.scissor.y1});
}

uint64_t DrawContext::upload_fau(const ShaderPart& part, Stage stage) {
    const uint32_t count = part.fau_count();
    if (!count) return 0;
    PackedUniforms& e = packed_fau_.at(part.spd_va() / 64);
    if (part.keeps_uniforms() && e.part == part.spd_va()) return e.value;
    if (part.reads_slots) find_slots(stage);
    const Pool::Piece p = recorder_.pool.allocate(count * 8, 8);
    write_fau(part, state_.stages[stage].uniforms, sysvals_, reinterpret_cast<uint32_t*>(p.cpu));
    const uint64_t value = p.va | uint64_t(count) << 56;
    if (part.keeps_uniforms()) e = {part.spd_va(), value};
    return value;
}

void DrawContext::pack_program() {
    CsBuilder& b = recorder_.vertex;
    recorder_.hold(*state_.program);
    if (state_.program->varying.present) {
        b.set64(R::varying_spd, state_.program->varying.spd_va());
        b.set32(R::varying_size, state_.program->varying_B);
    }
    const uint32_t variant_B = state_.sample_variant ? fragment_part(state_).info.tls_B : 0;
    b.set64(R::vertex_tsd, recorder_.local_storage(std::max(state_.program->tls_B, variant_B)));
}

void DrawContext::pack_vertex_fau() {
    CsBuilder& b = recorder_.vertex;
    b.set64(R::vertex_fau, upload_fau(state_.program->position_part(writes_sizes()), Stage::Vertex));
    if (state_.program->varying.present)
        b.set64(R::varying_fau, upload_fau(state_.program->varying, Stage::Vertex));
}

void DrawContext::pack_fragment_fau() {
    const ShaderPart& part = fragment_part(state_);
    if (!blend_summary_.shader_takes_color)
        return recorder_.vertex.set64(R::fragment_fau, upload_fau(part, Stage::Fragment));
    const uint32_t at_dw = blend_color_at_dw(part.info), count_dw = at_dw + 4;
    if (part.reads_slots) find_slots(Stage::Fragment);
    const Pool::Piece p = recorder_.pool.allocate(count_dw * 4, 8);
    auto* const out = reinterpret_cast<uint32_t*>(p.cpu);
    write_fau(part, state_.stages[Stage::Fragment].uniforms, sysvals_, out);
    for (uint32_t at = part.fau_count() * 2; at < at_dw; ++at)
        out[at] = 0;
    for (unsigned c = 0; c < 4; ++c)
        out[at_dw + c] =
            std::isnan(state_.blend_color[c]) ? 0 : std::bit_cast<uint32_t>(state_.blend_color[c]);
    recorder_.vertex.set64(R::fragment_fau, p.va | uint64_t(count_dw / 2) << 56);
}

void DrawContext::pack_viewport() {
    packed_fau_.clear();  // they contain system values
    std::copy_n(state_.viewport.scale, 3, sysvals_.viewport_scale);
    std::copy_n(state_.viewport.translate, 3, sysvals_.viewport_offset);
    sysvals_.framebuffer_height_px = float(pass_.desc().height);
    sysvals_.samples = pass_.samples();
    const std::span<const pipe::Format> formats = pass_.color_formats(1);
    for (size_t i = 0; i < formats.size(); ++i) {
        if (formats[i] == pipe::Format::None) continue;
        sysvals_.target_conversion[i] = word_of(blend_conversion(formats[i], false, false));
        for (unsigned c = 0; c < 4; ++c)
            sysvals_.target_channel[i][c] = blend::stored_channels(formats[i]) >> c & 1;
    }
    CsBuilder& b = recorder_.vertex;
    b.set32(R::low_depth_clamp, std::bit_cast<uint32_t>(state_.viewport.depth[0]));
    b.set32(R::high_depth_clamp, std::bit_cast<uint32_t>(state_.viewport.depth[1]));
}

/// Pieces that were packed in an earlier submission must not be used.
void DrawContext::forget_packed() {
    if (packed_in_ == recorder_.serial()) return;
    packed_in_ = recorder_.serial();
    packed_blends_.clear();
    tables_.forget_packed();
    packed_fau_.clear();
}

void DrawContext::pack_depth_stencil() {
    const Pool::Piece p = recorder_.pool.allocate(hw::DepthStencil::kSize_B, hw::DepthStencil::kAlign_B);
    write_depth_stencil(*state_.depth_stencil, *state_.raster, state_.stencil_ref_front,
                        state_.stencil_ref_back, pass_.depth_stencil_format(),
                        fragment_part(state_).info.writes_depth, fragment_part(state_).info.writes_stencil,
                        reinterpret_cast<uint32_t*>(p.cpu));
    recorder_.vertex.set64(R::depth_stencil, p.va);
    const pipe::DepthStencilDesc& d = state_.depth_stencil->desc;
    if (d.depth_test || d.stencil_test) pass_.use_depth_stencil();
}

void DrawContext::pack_blend() {
    if (state_.dirty & kBlendInputs) packed_blends_.clear();
    const uint32_t count = pass_.target_count();
    PackedBlend& e = packed_blends_.at(state_.blend->id);
    const uint32_t color_at_dw = blend_color_at_dw(fragment_part(state_).info);
    if (e.id != state_.blend->id || !e.suits(color_at_dw)) {
        const Pool::Piece p = recorder_.pool.allocate(count * hw::Blend::kSize_B, hw::Blend::kAlign_B);
        e.id = 0;  // not valid until it is complete
        e.summary =
            write_blend(screen_.blend_shaders(), *state_.blend, pass_.color_formats(1), pass_.samples(),
                        state_.blend_color, fragment_part(state_).info, reinterpret_cast<uint32_t*>(p.cpu));
        e.va = p.va | count;
        e.color_at_dw = color_at_dw;
        e.id = state_.blend->id;
    }
    recorder_.vertex.set64(R::blend, e.va);
    if (e.summary == blend_summary_) return;
    if (e.summary.shader_takes_color != blend_summary_.shader_takes_color) state_.dirty |= kFragmentFau;
    blend_summary_ = e.summary;
    state_.dirty |= kFlags;
}

/// RUN_IDVS without the fields from DrawInfo. `varyings`: the varying shader runs.
constexpr uint64_t run_with(bool varyings) {
    hw::PrimitiveFlags o;
    o.low_depth_cull = o.high_depth_cull = false;  // these bits are only ORed in
    o.secondary_shader = varyings;
    hw::CsRunIdvs run;
    run.flags_override = word_of(o);
    run.malloc_enable = true;
    run.varying_fau_select = run.fragment_srt_select = true;
    return hw::pack64(run);
}

void DrawContext::pack_flags(PrimitiveClass primitive) {
    CsBuilder& b = recorder_.vertex;
    const ShaderPart& fragment = fragment_part(state_);
    const uint32_t samples = pass_.samples();
    const bool alpha_to_coverage =
        samples > 1 && state_.blend->desc.alpha_to_coverage && !(fragment.info.integer_colors & 1);
    needs_fragment_shader_ =
        fragment.present && (alpha_to_coverage || needs_fragment_shader(fragment.info, blend_summary_));
    const bool has_zs = pass_.depth_stencil_format() != pipe::Format::None;
    uint32_t flags_0 =
        primitive == PrimitiveClass::Triangles ? state_.raster->flags_0 : state_.raster->flags_0_unculled;
    if (needs_fragment_shader_) {
        flags_0 |= fragment_flags_0(fragment.info, *state_.depth_stencil, blend_summary_, has_zs,
                                    queries_.open.samples, alpha_to_coverage);
        if (screen_.device().debug.has(pipe::DebugWord::NoEarlyZ)) flags_0 = without_early_tests(flags_0);
    } else {
        flags_0 |= flags_0_without_fragment_shader(pass_.has_color());
    }
    flags_0 |= SampleQueries::flags_0(queries_.open);
    flags_0 |=
        sample_flags_0(state_.raster->desc, samples, state_.sample_variant || fragment.info.per_sample);
    b.set32(R::dcd_flags_0, flags_0);
    hw::DcdFlags1 flags_1;
    flags_1.sample_mask = samples == 1 ? 0xffff
                                       : pipe::enabled_samples(samples, state_.coverage,
                                                               state_.invert_coverage, state_.sample_mask);
    if (needs_fragment_shader_) flags_1.render_target_mask = blend_summary_.targets_written;
    b.set32(R::dcd_flags_1, word_of(flags_1));
    b.set64(R::fragment_spd, needs_fragment_shader_ ? fragment.spd_va() : 0);

    run_ = run_with(state_.program->varying.present && needs_fragment_shader_);
}

void DrawContext::pack_primitive(PrimitiveClass primitive, bool restart) {
    CsBuilder& b = recorder_.vertex;
    const bool sizes = writes_sizes();
    const ShaderPart& position = state_.program->position_part(sizes);
    const bool layers = position.info.writes_layer;
    hw::PrimitiveFlags p;
    p.primitive_restart = restart;
    p.low_depth_cull = p.high_depth_cull = !state_.raster->desc.depth_clamp;
    p.layer_index_enable = layers && pass_.layers() > 1;
    if (sizes) p.point_size_array_format = hw::PointSizeArrayFormat::Fp16;
    p.position_fifo_format = sizes || layers ? hw::FifoFormat::Extended : hw::FifoFormat::Basic;
    b.set32(R::primitive_flags, word_of(p));
    b.set64(R::position_spd, position.spd_va());
    const float size_px = primitive == PrimitiveClass::Lines ? state_.raster->desc.line_width_px
                                                             : state_.raster->desc.point_size_px;
    b.set32(R::primitive_size, std::bit_cast<uint32_t>(size_px));
    b.set32(R::primitive_size + 1, 0);
}

/// GL_SAMPLE_SHADING with more than one sample.
bool DrawContext::shades_samples() const {
    return float(pass_.samples()) * state_.raster->desc.sample_shading > 1;
}

/// Colours of multisampled targets that the shader or a blend shader reads are those of a sample.
bool DrawContext::runs_per_sample() const {
    return pass_.samples() > 1 && (shades_samples() || state_.program->fragment.info.colors_read ||
                                   needs_blend_shader(*state_.blend, pass_.color_formats(1),
                                                      state_.blend_color, state_.program->fragment.info));
}

/// False: the fragment stage cannot be compiled to run for each sample (logged).
bool DrawContext::choose_fragment() {
    const SampleVariant* chosen = nullptr;
    if (runs_per_sample()) [[unlikely]] {
        chosen = &state_.program->sample_variant(screen_.device(), screen_.program_parts(), shades_samples());
        if (!chosen->error.empty()) {
            log_(pipe::Severity::Error, "mali: draws have no effect: " + chosen->error);
            return false;
        }
    }
    if (chosen == state_.sample_variant) [[likely]]
        return true;
    state_.sample_variant = chosen;
    state_.dirty |= kProgram | kFragmentFau | kFragmentTables | kBlend | kBlendInputs | kFlags;
    return true;
}

bool DrawContext::prepare(PrimitiveClass primitive, bool restart) {
    if (primitive != primitive_ || restart != restart_) {
        // The two variants of the position part have different uniforms.
        const bool points = primitive == PrimitiveClass::Points || primitive_ == PrimitiveClass::Points;
        if (primitive != primitive_ && points && state_.program->position_no_point_size.present)
            state_.dirty |= kVertexFau;
        primitive_ = primitive;
        restart_ = restart;
        state_.dirty |= kFlags | kPrimitive;
    }
    if (state_.dirty & kScissor) find_clip();
    if (clip_.empty() || state_.raster->desc.discard) return false;
    if (!state_.dirty) return true;
    recorder_.open_vertex();
    CsBuilder& b = recorder_.vertex;
    // The registers of a new stream are undefined.
    if (state_.dirty == contexts::kAllDirty) {
        b.set32(R::global_attribute_offset, 0);
        b.set32(R::instance_offset, 0);  // tables_ have the first instance
        b.set32(R::dcd_flags_2, 0);
        b.set64(R::occlusion, 0);
    }
    forget_packed();
    if (state_.dirty & kViewport) pack_viewport();
    if (state_.dirty & kScissor) b.set64(R::scissor, words_of(scissor_of(clip_)));
    if (state_.dirty & (kScissor | kPass)) pass_.touch(clip_);
    if (state_.dirty & kPass) {
        recorder_.await_buffers();
        b.set64(R::tiler_context, pass_.tiler_context());
    }
    if ((state_.dirty & (kProgram | kPass | kFlags | kBlend)) && !choose_fragment()) return false;
    if (state_.dirty & kProgram) pack_program();
    touch_slots();
    if (state_.dirty & kVertexFau) pack_vertex_fau();
    if (state_.dirty & kBlend) pack_blend();  // may make kFragmentFau dirty
    if (state_.dirty & kFragmentFau) pack_fragment_fau();
    if (state_.dirty & kVertexTables)
        b.set64(R::vertex_srt, tables_.vertex(system_values(Stage::Vertex)));
    else if (state_.dirty & kVertexReads)
        tables_.order(Stage::Vertex);
    if (state_.dirty & kFragmentTables)
        b.set64(R::fragment_srt, tables_.fragment(system_values(Stage::Fragment)));
    else if (state_.dirty & kFragmentReads)
        tables_.order(Stage::Fragment);
    if (state_.dirty & kDepthStencil) pack_depth_stencil();
    if (state_.dirty & kQuery) SampleQueries::pack(queries_.open, recorder_);
    if (state_.dirty & kFlags) pack_flags(primitive);
    if (state_.dirty & kPrimitive) pack_primitive(primitive, restart);
    state_.dirty = stream_output_.is_set() ? contexts::DirtyBits(kCapture) : 0;
    return true;
}

/// Sizes of textures are among the system values.
inline void DrawContext::touch_slots() {
    if (!state_.program->reads_slots && !(state_.sample_variant && fragment_part(state_).reads_slots))
        [[likely]]
        return;
    if (state_.dirty & kVertexTables) state_.dirty |= kVertexFau;
    if (state_.dirty & kFragmentTables) state_.dirty |= kFragmentFau;
    // System values in memory are part of the tables.
    for (const Stage s : {Stage::Vertex, Stage::Fragment})
        if (stage_tables(state_, s).system_block) state_.touch(s, Group::Textures);
}

/// Those for tables of the stage. Sizes of textures and images are among them only if the shader reads system
/// values from memory. Both stages' sizes are in the same place.
inline const SysvalValues& DrawContext::system_values(Stage stage) {
    const StageTables& s = stage_tables(state_, stage);
    if (s.system_block)
        find_slots(stage);
    else if (s.storage_buffers)
        find_storage_buffers(stage);
    return sysvals_;
}

void DrawContext::choose_converted() {
    tables_.converted.choose(attributes_to_convert(*state_.layout, state_.vertex_buffers) &
                             state_.program->attributes);
}

bool DrawContext::prepare_vertices(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    if (state_.dirty & kVertexTables) choose_converted();
    if (tables_.converted.any()) {
        if (!tables_.converted.find({state_.layout->desc, state_.vertex_buffers}, info, ranges)) return false;
        state_.dirty |= kVertexTables;
    }
    if (stream_output_.is_set() && state_.program->capture.present) capture(info, ranges);
    return true;
}

void DrawContext::draw(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    if (!is_usual(info)) [[unlikely]]
        return draw_unusual(info, ranges);
    draw_now(info, ranges);
}

inline void DrawContext::draw_now(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    begin_draw(info, ranges);
    const PrimitiveClass primitive = info.mode == pipe::Primitive::Points      ? PrimitiveClass::Points
                                     : info.mode <= pipe::Primitive::LineStrip ? PrimitiveClass::Lines
                                                                               : PrimitiveClass::Triangles;
    if (info.first_instance != tables_.first_instance) [[unlikely]]
        begin_instances(info.first_instance);
    if (state_.dirty & kFragmentTables) make_views_plain();
    if ((state_.dirty & (kVertexTables | kCapture)) || tables_.converted.any())
        if (!prepare_vertices(info, ranges)) return;
    if (!prepare(primitive, info.primitive_restart)) return;
    emit_draws(info, ranges);
    end_draw();
}

/// The command stream loads the registers that a direct draw sets. The size of the index array limits what is
/// read of the indices, and descriptors limit what is read of vertices.
void DrawContext::emit_indirect_draw(const pipe::DrawInfo& info, uint64_t run) {
    const pipe::BufferRange& parameters = info.indirect;
    MaliResource& r = mali(*parameters.resource);
    if (parameters.offset_B + contexts::parameters_B(info) > r.desc.width) return;
    constexpr unsigned kFrom = kScratchRegister + 12;
    static_assert(R::instance_count == R::index_count + 1 && R::index_offset == R::index_count + 2 &&
                  R::vertex_offset == R::index_count + 3);
    CsBuilder& b = recorder_.vertex;
    uint64_t va = 0;
    recorder_.read_as_packed(r, [&] { va = r.va() + parameters.offset_B; });
    b.set64(kFrom, va);
    if (info.index_type != pipe::IndexType::None) {
        b.load(R::index_count, 4, kFrom, 0);
    } else {
        b.load(R::index_count, 2, kFrom, 0);
        b.load(R::vertex_offset, 1, kFrom, 8);
        b.set32(R::index_offset, 0);
    }
    b.wait(1u << kSlotLoadStore);
    b.emit_word(run);
    pass_.count_draw(recorder_.queue().heap_limit_B());  // unknown: as if it may exhaust the heap
}

void DrawContext::emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    CsBuilder& b = recorder_.vertex;
    const uint64_t run = run_ | kModeBits[unsigned(info.mode)] | kIndexBits[unsigned(info.index_type)];
    const bool indexed = info.index_type != pipe::IndexType::None;
    if (indexed) {
        MaliResource& r = mali(*info.index_buffer);
        if (info.index_offset_B >= r.layout.size_B) return;
        uint64_t va = 0;
        recorder_.read_as_packed(r, [&] { va = r.va() + info.index_offset_B; });
        b.set64(R::indices, va);
        b.set32(R::index_array_size,
                uint32_t(std::min<uint64_t>(r.layout.size_B - info.index_offset_B, UINT32_MAX)));
    } else {
        b.set32(R::index_array_size, 0);
    }
    if (info.indirect.resource) [[unlikely]]
        return emit_indirect_draw(info, run);
    b.set32(R::instance_count, info.instance_count);
    for (const pipe::DrawRange& range : ranges) {
        if (!range.count || !info.instance_count) continue;
        b.set32(R::index_count, range.count);
        b.set32(R::index_offset, indexed ? range.first : 0);
        b.set32(R::vertex_offset, indexed ? uint32_t(range.index_bias) : range.first);
        b.emit_word(run);
        pass_.count_draw((state_.program->varying_B + kHeapPerVertex_B) * uint64_t{range.count} *
                         info.instance_count);
    }
}

}  // namespace terrazzo::mali
