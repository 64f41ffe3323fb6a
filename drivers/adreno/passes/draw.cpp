// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws: packs the state that changed into groups, then writes one packet for each range. Source: Mesa
// 25.0.7, fd6_draw.cc, fd6_emit.cc.
#include <algorithm>
#include <new>

#include "drivers/adreno/passes/draw_context.h"
#include "drivers/adreno/state/viewport.h"
#include "pipe/primitives.h"
#include "pipe/state_facts.h"

namespace terrazzo::adreno {
namespace {

// The number of vertices assumed for an indirect draw.
constexpr uint64_t kUnknownVertices = 1000;

}  // namespace

void DrawContext::refuse_draw(const pipe::DrawInfo& info) const {
    if (!in_pass_) return log_(pipe::Severity::Error, "adreno: draw outside a render pass");
    if (can_draw() && reads_colors() && !pass_.may_read_colors())
        return unsupported(
            "reading what a pass with several layers draws, or an advanced blend equation there,");
    if (pass_.active() && state_.program && !state_.program->is_compute() && info.instance_count)
        log_(pipe::Severity::Error,
             "adreno: patches are drawn by programs with tessellation, and nothing else is");
}

void DrawContext::pack_program() {
    recorder_.hold(*state_.program);
    if (needs_sysmem()) pass_.need_sysmem();
    groups_.set(Group::ProgramConfig,
                (state_.variant ? state_.variant->config : state_.program->config).segment());
    groups_.set(Group::Program, (state_.variant ? state_.variant->state : state_.program->state).segment());
    if (pass_.may_bin()) groups_.set(Group::ProgramBinning, state_.program->binning.segment());
    groups_.set(Group::Interpolation, state_.program->interpolation.segment());
}

void DrawContext::pack_depth_stencil() {
    const bool has_depth = pass_.targets().depth.depth_format != hw::DepthFormat::DEPTH6_NONE;
    const bool has_stencil = pass_.targets().has_stencil;
    pass_.note_tests(state_.depth_stencil->tests_depth(has_depth) ||
                         (has_stencil && state_.depth_stencil->desc.stencil_test),
                     state_.depth_stencil->writes(has_depth, has_stencil));
    recorder_.hold(*state_.depth_stencil);
    groups_.set(Group::DepthStencil, state_.depth_stencil->state(has_depth, has_stencil).segment());
}

/// LRZ's view of the next draw's state.
LrzDraw DrawContext::lrz_draw() const {
    const Targets& t = pass_.targets();
    const compiler::Info& fs = stage_code(state_, pipe::Stage::Fragment).info;
    const pipe::DepthStencilDesc& d = state_.depth_stencil->desc;
    LrzDraw out{.depth_test = d.depth_test,
                .depth_write = d.depth_write,
                .compare = d.depth_compare,
                .covers_colors = !fs.colors_read && !state_.blend->desc.alpha_to_coverage,
                .writes_colors = false};
    for (uint32_t i = 0; i < t.color_count; ++i) {
        const uint32_t stored = t.components >> (4 * i) & 0xf;
        const uint32_t written = stored & state_.blend->desc.targets[i].write_mask &
                                 state_.program->packing.outputs.components >> (4 * i);
        out.writes_colors |= written != 0;
        out.covers_colors &= written == stored && !(state_.blend->reads_destination >> i & 1);
    }
    const bool stencil = t.has_stencil && d.stencil_test;
    const auto may_fail = [](const pipe::StencilFaceDesc& f) { return f.compare != pipe::Compare::Always; };
    const bool masked = t.samples > 1 && sample_mask(t.samples, state_.coverage, state_.invert_coverage,
                                                     state_.sample_mask) != kAllSamples;
    out.may_leave_out = fs.discards || fs.writes_sample_mask || state_.blend->desc.alpha_to_coverage ||
                        masked || (stencil && (may_fail(d.front) || may_fail(d.back)));
    out.covers_colors &= !(fs.early_tests && out.may_leave_out);
    out.own_depth = fs.writes_depth || fs.writes_stencil;
    out.has_effects =
        queries_.open.samples || fs.writes_memory || (stencil && state_.depth_stencil->writes_stencil());
    return out;
}

void DrawContext::pack_depth_plane() {
    const bool has_depth = pass_.targets().depth.depth_format != hw::DepthFormat::DEPTH6_NONE;
    const bool has_stencil = pass_.targets().has_stencil;
    const compiler::Info& fs = stage_code(state_, pipe::Stage::Fragment).info;
    const bool late = !state_.depth_stencil->tests_depth(has_depth) || fs.writes_depth || fs.writes_stencil ||
                      // Fragments that fail the tests store to memory, too.
                      fs.writes_memory ||
                      // Discarded fragments must not update depth and stencil, or count.
                      ((fs.discards || fs.writes_sample_mask) &&
                       (state_.depth_stencil->writes(has_depth, has_stencil) || queries_.open.samples));
    const LrzUse lrz = pass_.has_lrz() && !state_.raster->desc.discard ? pass_.use_lrz(lrz_draw()) : LrzUse{};
    const hw::ZtestMode mode = !late || fs.early_tests ? hw::ZtestMode::A6XX_EARLY_Z
                               : lrz.test              ? hw::ZtestMode::A6XX_EARLY_LRZ_LATE_Z
                                                       : hw::ZtestMode::A6XX_LATE_Z;
    const uint32_t which = DepthPlanes::index(mode, lrz);
    if (which == depth_plane_) return;
    depth_plane_ = which;
    groups_.set(Group::DepthPlane, screen_.depth_planes().segment(which));
}

void DrawContext::pack_blend() {
    const Targets& t = pass_.targets();
    const BlendTargets targets{
        .count = std::max(1u, t.color_count),
        .without_alpha = t.without_alpha,
        .sample_mask = t.samples > 1 ? sample_mask(t.samples, state_.coverage, state_.invert_coverage,
                                                   state_.sample_mask)
                                     : kAllSamples,
        .no_second = state_.blend->dual_source && !state_.program->packing.outputs.second_color};
    if (targets == BlendTargets{}) {
        recorder_.hold(*state_.blend);
        return groups_.set(Group::Blend, state_.blend->common.segment());
    }
    set_group(Group::Blend, kMostBlendWords,
              [&](uint32_t* out) { return write_blend(*state_.blend, targets, out); });
}

void DrawContext::pack_outputs() {
    const Targets& t = pass_.targets();
    const bool second = state_.blend->dual_source && state_.program->packing.outputs.second_color;
    const uint32_t count = (discards() ? 0 : t.color_count) + second;
    uint32_t components = second ? 0xf0 : 0;
    for (uint32_t i = 0; i < t.color_count; ++i)
        if (t.color[i].format != hw::Format::FMT6_NONE) components |= 0xfu << (4 * i);
    components &= state_.program->packing.outputs.components;
    constexpr uint32_t kMost_dw = 12;
    // A fragment reads the color that earlier primitives wrote to its pixel. Source: Mesa 25.0.7, fd6_emit.cc
    // (build_prim_mode).
    const hw::SinglePrimMode order = !reads_colors() ? hw::SinglePrimMode::NO_FLUSH
                                     : pass_.reads_in_memory()
                                         ? hw::SinglePrimMode::FLUSH_PER_OVERLAP_AND_OVERWRITE
                                         : hw::SinglePrimMode::FLUSH_PER_OVERLAP;
    set_group(Group::FragmentOutputs, kMost_dw, [&](uint32_t* out) {
        return put_registers(
            out,
            hw::RB_FS_OUTPUT_CNTL0{
                .dual_color_in_enable = second,
                .frag_writes_z = state_.program->packing.outputs.writes_depth,
                .frag_writes_sampmask = state_.program->packing.outputs.writes_sample_mask && t.samples > 1,
                .frag_writes_stencilref = state_.program->packing.outputs.writes_stencil},
            hw::RB_FS_OUTPUT_CNTL1{.mrt = count},
            NumberedRegister{hw::RB_RENDER_COMPONENTS::kRegister, components},
            NumberedRegister{hw::SP_FS_RENDER_COMPONENTS::kRegister, components},
            hw::SP_FS_OUTPUT_CNTL1{.mrt = count},
            hw::GRAS_SC_CNTL{.ccusinglecachelinesize = 2, .single_prim_mode = order});
    });
}

/// A program without clip distances sets the registers by its own state.
void DrawContext::pack_clip_planes() {
    if (!(state_.program->clip_mask | state_.program->cull_mask)) return groups_.set(Group::ClipPlanes, {});
    const uint32_t on = state_.program->clip_mask & state_.raster->desc.clip_planes;
    constexpr uint32_t kMost_dw = 2;
    set_group(Group::ClipPlanes, kMost_dw, [&](uint32_t* out) {
        const hw::GrasXsClCntl masks{.clip_mask = on, .cull_mask = state_.program->cull_mask};
        const pipe::Stage last = state_.program->last_stage();
        return last == pipe::Stage::Geometry   ? put_registers(out, hw::GRAS_GS_CL_CNTL{masks})
               : last == pipe::Stage::TessEval ? put_registers(out, hw::GRAS_DS_CL_CNTL{masks})
                                               : put_registers(out, hw::GRAS_VS_CL_CNTL{masks});
    });
}

namespace {

/// The group of a stage that not every program has.
Group resources_group(pipe::Stage s) {
    return s == pipe::Stage::TessControl ? Group::HullResources
           : s == pipe::Stage::TessEval  ? Group::DomainResources
                                         : Group::GeometryResources;
}

}  // namespace

void DrawContext::pack_stages() {
    constexpr uint32_t kUniforms = group_bit(StageGroup::Uniforms), kBlocks = group_bit(StageGroup::Blocks),
                       kTextures = group_bit(StageGroup::Textures), kStorage = group_bit(StageGroup::Storage);
    uint32_t storage = 0;
    for (const pipe::Stage stage : kDrawStages) {
        const uint32_t dirty = state_.dirty_groups(stage);
        if (!dirty) continue;
        if (stage != pipe::Stage::Vertex && stage != pipe::Stage::Fragment) {
            // A program without the stage does not use the group, which may stay set. The next program with
            // the stage differs from this one in its packing, which makes the stage dirty.
            if (!state_.program->has(stage)) continue;
            if (dirty & (kUniforms | kBlocks | kTextures))
                groups_.set(resources_group(stage), tables_.resources(stage));
        } else {
            const StageGroups& groups = stage == pipe::Stage::Vertex ? kVertexGroups : kFragmentGroups;
            if (dirty & kUniforms) groups_.set(groups.constants, tables_.uniforms(stage));
            if (dirty & kBlocks) groups_.set(groups.blocks, tables_.blocks(stage));
            if (dirty & kTextures) groups_.set(groups.textures, tables_.textures(stage));
        }
        storage |= dirty & kStorage;
    }
    if (storage) groups_.set(Group::Images, tables_.storage(kDrawStages));
}

void DrawContext::pack_patches() {
    if (!state_.program->tessellates()) return groups_.set(Group::Patches, {});
    patches_.pack(*state_.program, groups_);
    for (const pipe::Stage stage : {pipe::Stage::TessControl, pipe::Stage::TessEval})
        state_.touch(stage, StageGroup::Uniforms);
}

void DrawContext::prepare(bool restart) {
    if (state_.dirty & kStages) make_views_plain();
    if (groups_.has_unwritten()) [[unlikely]]
        touch_all();
    if (restart != restart_) state_.dirty |= kRaster;
    restart_ = restart;
    if (state_.dirty & kProgram) pack_program();
    if (state_.dirty & kDepthStencil) pack_depth_stencil();
    if (state_.dirty & kDepthPlane) pack_depth_plane();
    if (state_.dirty & kRaster) {
        recorder_.hold(*state_.raster);
        groups_.set(Group::Raster,
                    state_.raster->state(restart, pass_.targets().samples > 1, discards()).segment());
    }
    if (state_.dirty & (kProgram | kRaster)) pack_clip_planes();
    if (state_.dirty & (kProgram | kPatches)) pack_patches();
    if (state_.dirty & kBlend) pack_blend();
    if (state_.dirty & kOutputs) pack_outputs();
    if (state_.dirty & kBlendColor)
        set_group(Group::BlendColor, kMostBlendColorWords,
                  [&](uint32_t* out) { return write_blend_color(state_.blend_color, out); });
    if (state_.dirty & kViewport)
        set_group(Group::Viewport, kMostViewportWords,
                  [&](uint32_t* out) { return write_viewport(state_.viewport, out); });
    if (state_.dirty & kScissor) {
        const pipe::Scissor all{0, 0, int32_t(pass_.desc().width), int32_t(pass_.desc().height)};
        const pipe::Scissor& s = state_.raster->desc.scissor ? state_.scissor : all;
        set_group(Group::Scissor, kMostScissorWords, [&](uint32_t* out) {
            return write_scissor(state_.raster->desc.discard ? pipe::Scissor{} : s, out);
        });
    }
    if (state_.dirty & kVertexLayout) groups_.set(Group::VertexLayout, tables_.vertex_layout());
    if (state_.dirty & kVertexBuffers) groups_.set(Group::VertexBuffers, tables_.vertex_buffers());
    if (state_.dirty & kStages) pack_stages();
    if (state_.dirty & kSampleLocations)
        set_group(Group::SampleLocations, kMostSampleLocationWords,
                  [](uint32_t* out) { return write_sample_locations(out); });
    if (state_.dirty & kStreamOutput)
        stream_output_.pack(*state_.program, screen_.no_stream_output(), groups_);
    if (state_.dirty & kStencilRef)
        pass_.draws.write(
            hw::RB_STENCILREF{.ref = state_.stencil_ref_front, .bfref = state_.stencil_ref_back});
    // Parameters change with each range; only their absence is packed here.
    if ((state_.dirty & kProgram) && !params_size_dw(state_.program->vertex()))
        groups_.set(Group::DriverParameters, {});
    groups_.emit(pass_.draws);
    if (state_.dirty & kQueries) counts_.update(queries_.open);
    samples_targets_ = tables_.samples_targets();
    syncs_colors_read_ = samples_targets_ || (reads_colors() && pass_.reads_in_memory());
    state_.dirty &= contexts::kComputeDirty;
}

namespace {

uint32_t initiator_word(const hw::DrawInitiator& d) {
    hw::CpDrawIndxOffset packet{.initiator = d};
    uint32_t words[hw::CpDrawIndxOffset::kSize_dw];
    pack(packet, words);
    return words[0];
}

/// CP_DRAW_INDX_OFFSET's first word for each kind of primitive and index, in the order of pipe's enumerators.
using Initiators = std::array<std::array<uint32_t, 4>, unsigned(pipe::Primitive::Patches) + 1>;
Initiators make_initiators() {
    Initiators out;
    for (unsigned mode = 0; mode < out.size(); ++mode)
        for (unsigned type = 0; type < 4; ++type)
            out[mode][type] = initiator_word(plain_initiator(pipe::Primitive(mode), pipe::IndexType(type)));
    return out;
}
const Initiators kInitiators = make_initiators();
static_assert(unsigned(pipe::IndexType::U32) < 4 && unsigned(pipe::IndexType::None) < 4);

}  // namespace

void DrawContext::pack_params(uint32_t base_vertex, uint32_t base_instance, uint32_t draw_id) {
    const StageCode& code = state_.program->vertex();
    const ParamValues values{.base_vertex = base_vertex,
                             .base_instance = base_instance,
                             .draw_id = draw_id,
                             .patch_vertices = patches_.vertices()};
    set_group(Group::DriverParameters, params_size_dw(code),
              [&](uint32_t* out) { return put_params(out, pipe::Stage::Vertex, code, values); });
    groups_.emit(pass_.draws);
}

template <bool kIndexed>
void DrawContext::emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                             const IndexMemory& indices) {
    CsBuilder& cs = pass_.draws;
    const uint32_t initiator = !state_.program->has_later_stages
                                   ? kInitiators[unsigned(info.mode)][unsigned(info.index_type)]
                                   : initiator_word(draw_initiator(*state_.program, info));
    const bool params = state_.program->has_params;
    uint64_t vertices = 0, primitives = 0;
    uint32_t draw_id = 0;
    for (const pipe::DrawRange& range : ranges) {
        const uint32_t id = draw_id++;
        if (!range.count) continue;
        vertices += range.count;
        primitives += pipe::primitive_count(info.mode, range.count, info.patch_vertices);
        const uint32_t offset = kIndexed ? uint32_t(range.index_bias) : range.first;
        const DrawRegisters now{DrawRegisters::pack(offset, info.first_instance), indices.restart};
        if (now != registers_) write_draw_registers(now);
        if (params) [[unlikely]]
            pack_params(offset, info.first_instance, id);
        if (syncs_colors_read_) [[unlikely]]
            sync_colors_read();
        // The words of CpDrawIndxOffset, faster than by its pack().
        constexpr uint32_t kPlain_dw = 3;
        constexpr uint32_t kPacket_dw = kIndexed ? uint32_t(hw::CpDrawIndxOffset::kSize_dw) : kPlain_dw;
        uint32_t* const out = cs.begin(1 + kPacket_dw);
        out[0] = hw::pack_type7(hw::Pm4Opcode::CP_DRAW_INDX_OFFSET, kPacket_dw);
        out[1] = initiator;
        out[2] = info.instance_count;
        out[3] = range.count;
        if constexpr (kIndexed) {
            out[4] = range.first;
            out[5] = uint32_t(indices.va);
            out[6] = uint32_t(indices.va >> 32);
            out[7] = indices.most;
        }
        cs.end(out + 1 + kPacket_dw);
    }
    primitives *= info.instance_count;
    pass_.note_draws(draw_id, info.instance_count, vertices * info.instance_count, primitives);
}

DrawContext::IndexMemory DrawContext::index_memory(const pipe::DrawInfo& info) {
    AdrenoResource& r = adreno(*info.index_buffer);
    IndexMemory out{.restart = restart_ ? pipe::restart_index(info.index_type) : kNoRestart};
    if (info.index_offset_B >= r.layout.size_B) return out;
    recorder_.read_as_packed(r, [&] { out.va = r.va() + info.index_offset_B; });
    const uint64_t most = (r.layout.size_B - info.index_offset_B) / pipe::index_size_B(info.index_type);
    out.most = uint32_t(std::min<uint64_t>(most, UINT32_MAX));
    return out;
}

void DrawContext::write_draw_registers(const DrawRegisters& now) {
    CsBuilder& cs = pass_.draws;
    const bool unknown = registers_.restart == DrawRegisters::kUnknown;
    if (unknown || registers_.offsets != now.offsets)
        cs.write(hw::VFD_INDEX_OFFSET{uint32_t(now.offsets)},
                 hw::VFD_INSTANCE_START_OFFSET{uint32_t(now.offsets >> 32)});
    if (unknown || registers_.restart != now.restart) cs.write(hw::PC_RESTART_INDEX{uint32_t(now.restart)});
    registers_ = now;
}

bool DrawContext::begin_patches(uint32_t vertices) {
    if (!can_draw() || !state_.program->tessellates()) return false;
    if (patches_.begin(*state_.program, vertices)) state_.dirty |= kPatches;
    return true;
}

void DrawContext::draw(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    const bool patches = info.mode == pipe::Primitive::Patches;
    if (!info.instance_count || (patches && !begin_patches(info.patch_vertices))) [[unlikely]]
        return refuse_draw(info);
    if (info.indirect.resource) [[unlikely]]
        flush_captured(*info.indirect.resource);
    const bool restart = info.primitive_restart && info.index_type != pipe::IndexType::None;
    if (state_.dirty & ~contexts::kComputeDirty || restart != restart_) {
        // If no state is dirty, an earlier draw of the pass was prepared with the program.
        if (!can_draw() || state_.program->tessellates() != patches) [[unlikely]]
            return refuse_draw(info);
        if (state_.dirty & (kProgram | kStreamOutput)) leave_tiles();
        if (state_.dirty & kProgram && !choose_fragment()) [[unlikely]]
            return;
        if (reads_colors() && !pass_.may_read_colors()) [[unlikely]]
            return refuse_draw(info);
        prepare(restart);
    } else if (state_.program->tessellates() != patches) [[unlikely]] {
        return refuse_draw(info);
    }
    tables_.note_stores(state_.program->stores);
    if (info.indirect.resource) [[unlikely]] {
        pass_.note_draws(1, info.instance_count, kUnknownVertices, kUnknownVertices);
        emit_indirect_draw(info);
    } else if (info.index_type == pipe::IndexType::None) {
        emit_draws<false>(info, ranges, {});
    } else if (const IndexMemory indices = index_memory(info); indices.most) {
        emit_draws<true>(info, ranges, indices);
    }
    if (screen_.device().debug.has(pipe::DebugWord::Flush)) [[unlikely]]
        (void)submit();
}

}  // namespace terrazzo::adreno
