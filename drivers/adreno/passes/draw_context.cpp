// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The dirty bits of state changes, and passes.
#include "drivers/adreno/passes/draw_context.h"

#include <algorithm>
#include <new>
#include <utility>

namespace terrazzo::adreno {
namespace {

/// The groups of a stage that must be packed again.
contexts::DirtyBits changed(pipe::Stage s, const StatePacking::Stage& a, const StatePacking::Stage& b) {
    using contexts::Group;
    contexts::DirtyBits dirty = dirty_bit(s, Group::Uniforms);
    if (a.has_blocks | b.has_blocks) dirty |= dirty_bit(s, Group::Blocks);
    if (a.has_storage | b.has_storage) dirty |= dirty_bit(s, Group::Storage);
    if ((a.textures ^ b.textures) | (a.fetched ^ b.fetched) | (a.fetched_apart ^ b.fetched_apart) |
        (a.kinds.cubes ^ b.kinds.cubes) | (a.kinds.volumes ^ b.kinds.volumes) |
        (a.colors_read ^ b.colors_read))
        dirty |= dirty_bit(s, Group::Textures);
    return dirty;
}

}  // namespace

void DrawContext::forget_groups() {
    groups_.forget();
    depth_plane_ = ~0u;
}

// --- state -------------------------------------------------------------------------------------------------

contexts::DirtyBits DrawContext::raster_changes(const AdrenoRaster& now) const {
    const pipe::RasterDesc &a = state_.raster->desc, &b = now.desc;
    contexts::DirtyBits dirty = kRaster;
    if (a.scissor != b.scissor) dirty |= kScissor;
    if (a.discard != b.discard) dirty |= kDiscard | kDepthPlane | kProgram;
    if (a.sample_shading != b.sample_shading) dirty |= kProgram;
    return dirty;
}

contexts::DirtyBits DrawContext::blend_changes(const AdrenoBlend& now) const {
    contexts::DirtyBits dirty = kBlend | kDepthPlane;
    if (state_.blend->dual_source != now.dual_source) dirty |= kOutputs;
    constexpr auto kNone = pipe::AdvancedBlend::None;
    if (state_.blend->advanced != kNone || now.advanced != kNone) dirty |= kProgram;
    return dirty;
}

void DrawContext::bind_program(pipe::Program* p) {
    state_.program = static_cast<AdrenoProgram*>(p);
    state_.variant = nullptr;  // choose_fragment() sets it
    state_.dirty |= kProgram | kDepthPlane;
    if (stream_output_.depends_on_program()) state_.dirty |= kStreamOutput;
    if (!state_.program) return;
    // A dispatch packs all groups of its stage. It uses no groups of draw state.
    if (state_.program->is_compute()) return void(state_.dirty |= contexts::kComputeDirty);
    const StatePacking& now = state_.program->packing;
    if (state_.packing.attributes != now.attributes) state_.dirty |= kVertexLayout;
    constexpr auto kFragment = size_t(pipe::Stage::Fragment);
    if (state_.packing.outputs != now.outputs) {
        state_.dirty |= kOutputs;
        if (state_.blend->dual_source) state_.dirty |= kBlend;  // the second colour may come or go
    }
    // choose_fragment() handles the fragment stage.
    const StatePacking::Stage fragment = state_.packing.stages[kFragment];
    for (size_t s = 0; s < now.stages.size(); ++s)
        if (s != kFragment) state_.dirty |= changed(pipe::Stage(s), state_.packing.stages[s], now.stages[s]);
    state_.packing = now;
    state_.packing.stages[kFragment] = fragment;
}

FragmentKey DrawContext::fragment_key() const {
    const Targets& t = pass_.targets();
    FragmentKey key;
    // The hardware shades a pixel once, or each of its samples.
    key.sample_shading = float(t.samples) * state_.raster->desc.sample_shading > 1;
    const Surface& target = t.color[0];
    if (state_.blend->advanced == pipe::AdvancedBlend::None || state_.raster->desc.discard ||
        !t.color_count || target.format == hw::Format::FMT6_NONE ||
        pipe::format_info(target.pipe_format).is_pure_int())
        return key;
    using pipe::raster::ColorRange;
    const ColorRange range = pipe::raster::color_range(target.pipe_format);
    key.blend = {
        .equation = state_.blend->advanced,
        .range = range == ColorRange::Unorm8 ? ColorRange::Unorm : range,
        .coverage_samples = uint8_t(state_.blend->desc.alpha_to_coverage && t.samples > 1 ? t.samples : 0)};
    return key;
}

bool DrawContext::choose_variant() {
    const FragmentKey key = fragment_key();
    if (key == FragmentKey{}) return true;
    const FragmentVariant& v =
        state_.program->fragment_variant(screen_.device(), screen_.program_parts(), key);
    if (v.error.empty()) return state_.variant = &v, true;
    log_(pipe::Severity::Error, "adreno: draws have no effect: " + v.error);
    return false;
}

bool DrawContext::choose_fragment() {
    state_.variant = nullptr;
    const bool may_vary =
        state_.raster->desc.sample_shading > 0 || state_.blend->advanced != pipe::AdvancedBlend::None;
    if (may_vary && !choose_variant()) [[unlikely]]
        return false;
    constexpr auto kFragment = size_t(pipe::Stage::Fragment);
    const StatePacking::Stage& now =
        state_.variant ? state_.variant->packing : state_.program->packing.stages[kFragment];
    StatePacking::Stage& packed = state_.packing.stages[kFragment];
    if (packed.colors_read != now.colors_read) state_.dirty |= kOutputs;
    state_.dirty |= changed(pipe::Stage::Fragment, packed, now);
    packed = now;
    state_.dirty |= kDepthPlane;
    return true;
}

void DrawContext::leave_tiles() {
    if (!needs_sysmem()) return;
    if (pass_.must_tile()) restart_pass();
    pass_.need_sysmem();
}

// --- passes ------------------------------------------------------------------------------------------------

void DrawContext::begin_pass(const pipe::RenderPassDesc& desc) {
    const char* why = "";
    if (!pass_.begin(desc, &why))
        log_(pipe::Severity::Error, std::string("adreno: a render pass has no effect: ") + why);
    touch_all();
    registers_ = {};
    patches_.begin_pass();
    stream_output_.begin_pass();
}

void DrawContext::finish_pass(bool goes_on) {
    counts_.end_all();
    stream_output_.end_pass();
    stream_output_.forget_stream();
    pass_.end(screen_.restore(), goes_on);
}

/// The 2D engine clears. It writes all channels, of formats that it knows.
uint32_t DrawContext::clear_in_pass(const pipe::ClearInfo& info, clears::Plan plan) {
    using pipe::attachment_bit::kColor0;
    const pipe::RenderPassDesc& desc = pass_.desc();
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if ((plan.whole & kColor0 << i) && !can_fill(pass_.targets().color[i])) {
            plan.whole &= ~(kColor0 << i);
            plan.masked |= kColor0 << i;
        }
    const pipe::Scissor all{0, 0, int32_t(desc.width), int32_t(desc.height)};
    if (plan.whole) pass_.clear(plan.whole, info.scissored ? info.scissor : all, info);
    state_.dirty |= kDepthPlane;  // LRZ
    return plan.masked;
}

bool DrawContext::hand_over() {
    counters_.before_submit();
    const bool done = recorder_.submit();
    counters_.after_submit();
    return done;
}

/// The count ends in the stream before the next draw, or with the pass.
void DrawContext::counting_changes(const contexts::Query& q) {
    state_.dirty |= kQueries;
    if (q.counts_samples()) state_.dirty |= kDepthPlane;
    if (q.kind == pipe::QueryKind::PrimitivesGenerated && state_.raster->desc.discard)
        state_.dirty |= kDiscard;
}

void DrawContext::drop_pass() {
    pass_.drop();
    pass_.forget_kept_lrz();
    counts_.forget_stream();
    stream_output_.forget_stream();
}

}  // namespace terrazzo::adreno
