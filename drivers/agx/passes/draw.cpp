// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws: PPP state, and the blocks of the stream. Source: Mesa 25.0.7, gallium agx_state.c
// (agx_encode_state, agx_upload_viewport_scissor, agx_draw_vbo).
#include <algorithm>

#include "drivers/agx/passes/draw_context.h"
#include "drivers/common/context/vertex_list.h"
#include "pipe/state_facts.h"

namespace terrazzo::agx {

using pipe::raster::intersect;

namespace {

// By pipe::Primitive.
constexpr hw::Primitive kPrimitives[] = {hw::Primitive::Points,     hw::Primitive::Lines,
                                         hw::Primitive::LineLoop,   hw::Primitive::LineStrip,
                                         hw::Primitive::Triangles,  hw::Primitive::TriangleStrip,
                                         hw::Primitive::TriangleFan};
constexpr auto kLastMode = pipe::Primitive::TriangleFan;
static_assert(std::size(kPrimitives) == size_t(kLastMode) + 1);

bool is_points(pipe::Primitive p) {
    return p == pipe::Primitive::Points;
}
bool is_lines(pipe::Primitive p) {
    return p > pipe::Primitive::Points && p < pipe::Primitive::Triangles;
}
hw::ObjectType object_type(pipe::Primitive p) {
    return is_points(p)  ? hw::ObjectType::PointSpriteUv10
           : is_lines(p) ? hw::ObjectType::Line
                         : hw::ObjectType::Triangle;
}

}  // namespace

/// The pixels that draws may change.
PixelRect DrawContext::clip() const {
    PixelRect r = pass_.viewport_px(state_.viewport);
    if (state_.raster->desc.scissor)
        r = intersect(r, {state_.scissor.x0, state_.scissor.y0, state_.scissor.x1, state_.scissor.y1});
    return r;
}

void DrawContext::pack_area() {
    constexpr int32_t kTile_px = 32;
    const PixelRect r = clip();
    const pipe::Viewport& v = state_.viewport;
    const pipe::RasterDesc& raster = state_.raster->desc;
    ppp_.header.depth_bias_scissor = ppp_.header.region_clip = ppp_.header.viewport = true;
    ppp_.header.viewport_count = 1;
    ppp_.depth_bias_scissor.scissor = pass_.add_scissor({.max_x = uint32_t(r.x1),
                                                         .min_x = uint32_t(r.x0),
                                                         .max_y = uint32_t(r.y1),
                                                         .min_y = uint32_t(r.y0),
                                                         .min_z = v.depth[0],
                                                         .max_z = v.depth[1]});
    ppp_.depth_bias_scissor.depth_bias = 0;
    if (raster.depth_bias)
        ppp_.depth_bias_scissor.depth_bias = pass_.add_depth_bias({.constant = raster.depth_bias_units * 2,
                                                                   .slope = raster.depth_bias_factor,
                                                                   .clamp = raster.depth_bias_clamp});
    const auto tiles = [](int32_t px) { return uint32_t((px + kTile_px - 1) / kTile_px); };
    ppp_.region_clip[0] = {.max_x = tiles(r.x1),
                           .min_x = uint32_t(r.x0 / kTile_px),
                           .enable = true,
                           .max_y = tiles(r.y1),
                           .min_y = uint32_t(r.y0 / kTile_px)};
    // Vertex programs output 0 <= z <= w.
    const bool lowers = !raster.clip_z_zero;
    ppp_.viewport[0] = {.translate_x = v.translate[0],
                        .scale_x = v.scale[0],
                        .translate_y = v.translate[1],
                        .scale_y = v.scale[1],
                        .translate_z = v.translate[2] - (lowers ? v.scale[2] : 0),
                        .scale_z = v.scale[2] * (lowers ? 2.0f : 1.0f)};
}

void DrawContext::pack_raster() {
    ppp_.header.cull = ppp_.header.cull_2 = true;
    ppp_.cull = state_.raster->cull;
    ppp_.cull_2.clamp_w = true;
}

/// A test of depth or stencil without an attachment passes.
void DrawContext::pack_depth_stencil() {
    const AgxDepthStencil& zs = *state_.depth_stencil;
    const pipe::FormatInfo& f = pipe::format_info(pass_.depth_stencil_format());
    const bool stencil = f.has_stencil && zs.desc.stencil_test, depth = f.has_depth && zs.desc.depth_test;
    const compiler::Info& fragment = state_.program->fragment.info;
    hw::PppHeader& h = ppp_.header;
    h.fragment_control = h.fragment_control_2 = true;
    h.front_face = h.front_face_2 = h.back_face = h.back_face_2 = true;
    h.front_stencil = h.back_stencil = true;
    const contexts::Query* const query = queries_.open.samples;
    h.occlusion_query = true;
    ppp_.occlusion_query.index = 0;
    pass_.count_samples(query);
    using enum hw::VisibilityMode;
    ppp_.fragment_control = {
        .visibility_mode = !query                                    ? None
                           : query->kind == pipe::QueryKind::Samples ? Counting
                                                                     : Boolean,
        .scissor_enable = true,
        .depth_bias_enable = state_.raster->desc.depth_bias && !is_points(mode_) && !is_lines(mode_),
        .stencil_test_enable = stencil,
        .two_sided_stencil = stencil,
        .disable_tri_merging = is_points(mode_) || is_lines(mode_)};
    const bool tests = fragment.runs_tests;
    ppp_.fragment_control_2 = {
        .tag_write_disable = state_.raster->desc.discard,
        .pass_type = blend_plan_.reads_tiles
                         ? (tests ? hw::PassType::TranslucentPunchThrough : hw::PassType::Translucent)
                         : (tests ? hw::PassType::PunchThrough : hw::PassType::Opaque)};
    ppp_.front_face = zs.face;
    if (!depth) {
        ppp_.front_face.depth_func = hw::ZsFunc::Always;
        ppp_.front_face.disable_depth_write = true;
    }
    ppp_.front_face.line_width = state_.raster->line_width;
    ppp_.back_face = ppp_.front_face;
    ppp_.front_face.stencil_reference = state_.stencil_ref_front;
    ppp_.back_face.stencil_reference = state_.stencil_ref_back;
    ppp_.front_face_2 = {.disable_depth_write = true,
                         .conservative_depth = fragment.writes_depth ? hw::ConservativeDepth::Any
                                                                     : hw::ConservativeDepth::Unchanged,
                         .depth_func = hw::ZsFunc::Always,
                         .object_type = object_type(mode_)};
    ppp_.back_face_2 = ppp_.front_face_2;
    ppp_.front_stencil = stencil ? zs.front : AgxDepthStencil({}).front;
    ppp_.back_stencil = stencil ? zs.back : ppp_.front_stencil;
    if (stencil || depth) pass_.use_depth_stencil();
}

void DrawContext::pack_outputs() {
    const AgxProgram& p = *state_.program;
    hw::PppHeader& h = ppp_.header;
    h.output_select = h.varying_counts_32 = h.varying_counts_16 = h.output_size = true;
    ppp_.output_select = {.varyings = p.coefficient_count != 0,
                          .point_size = p.vertex.info.writes_point_size,
                          .frag_coord_z = p.reads_depth};
    ppp_.varying_counts_32 = p.varying_counts;
    ppp_.output_size.count = p.vertex.info.output_words;
}

void DrawContext::write_ppp() {
    uint32_t words[hw::PppState::kMost_dw];
    const unsigned count = hw::pack(ppp_, words);
    const Recorder::Words to = recorder_.allocate(count, 64);
    std::copy_n(words, count, to.cpu);
    recorder_.vdm.add(hw::VdmPppState{
        .pointer_high = uint32_t(to.va >> 32), .size_dw = count, .pointer_low = uint32_t(to.va)});
    ppp_.header = {};
}

bool DrawContext::prepare(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    if (mode_ != info.mode) {
        if (object_type(mode_) != object_type(info.mode)) state_.dirty |= kPrimitive;
        mode_ = info.mode;
    }
    if (state_.raster->desc.discard || clip().empty()) return false;
    const contexts::DirtyBits dirty = state_.dirty;
    if ((dirty & (kProgram | kVertices)) && !choose_vertex_code()) return false;
    if (converted_.any()) {
        if (!converted_.find({state_.layout->desc, state_.vertex_buffers}, info, ranges)) return false;
        state_.dirty |= kVertices;
    }
    if (!state_.dirty) return true;
    if (state_.dirty & (kProgram | kBlend | kPass) && !choose_fragment_code()) return false;
    sysvals_.framebuffer_height_px = std::bit_cast<uint32_t>(float(pass_.desc().height));
    sysvals_.samples = pass_.tiles().samples;
    sysvals_.clip_z = state_.raster->desc.clip_z_zero ? 1.0f : 0.5f;
    sysvals_.clip_w = state_.raster->desc.clip_z_zero ? 0.0f : 0.5f;
    hw::VdmState vdm;
    if (state_.dirty & kVertexPipeline) write_vertex_pipeline(&vdm);
    ppp_.header = {};
    if (state_.dirty & kFragmentPipeline) write_fragment_pipeline();
    if (state_.dirty & (kScissor | kPass)) pack_area();
    if (state_.dirty & (kRaster | kPass)) pack_raster();
    if (state_.dirty & (kDepthStencil | kRaster | kBlend | kProgram | kPrimitive | kPass | kQuery))
        pack_depth_stencil();
    if (state_.dirty & (kProgram | kPass)) pack_outputs();
    if (state_.dirty & kPass) {
        vdm.header.restart_index = true;
        vdm.restart_index.value = 0xffffffff;
    }
    if (state_.dirty & (kVertexPipeline | kPass)) recorder_.vdm.add_record(vdm, 2);
    write_ppp();
    state_.dirty = 0;
    return true;
}

void DrawContext::emit(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    hw::IndexList list;
    list.header.primitive = kPrimitives[unsigned(info.mode)];
    list.header.count = list.header.instances = list.header.start = true;
    list.instances.count = info.instance_count;
    uint64_t va = 0, size_B = 0;
    unsigned index_B = 0;
    if (info.index_type != pipe::IndexType::None) {
        AgxResource& r = agx(*info.index_buffer);
        if (info.index_offset_B >= r.desc.width) return;
        recorder_.read_as_packed(r, [&] { va = r.va() + info.index_offset_B; });
        size_B = r.desc.width - info.index_offset_B;
        index_B = 1u << (unsigned(info.index_type) - 1);
        list.header.index_buffer = list.header.index_buffer_size = true;
        list.header.restart_enable = info.primitive_restart;
        list.header.index_size = hw::IndexSize(unsigned(info.index_type) - 1);
    }
    for (const pipe::DrawRange& range : ranges) {
        if (!range.count || !info.instance_count) continue;
        list.count.count = range.count;
        if (index_B) {
            const uint64_t at_B = uint64_t{range.first} * index_B;
            if (at_B >= size_B) continue;
            const uint64_t from = va + at_B;
            list.header.index_buffer_high = uint32_t(from >> 32);
            list.index_buffer.address_low = uint32_t(from);
            // Indices beyond the buffer are 0. The size counts words.
            list.index_buffer_size.size =
                uint32_t(std::min<uint64_t>(size_B - at_B, uint64_t{range.count} * index_B) + 3) & ~3u;
            list.start.start = range.index_bias;
        } else {
            list.start.start = int32_t(range.first);
        }
        recorder_.vdm.add_record(list);
        pass_.count_draw();
    }
}

void DrawContext::draw_now(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    begin_draw(info, ranges);
    if (info.first_instance != first_instance_) {
        first_instance_ = info.first_instance;
        state_.dirty |= kVertices;
    }
    if (pass_.is_full() || !pass_.takes(queries_.open.samples)) restart_pass();
    if (!prepare(info, ranges)) return;
    emit(info, ranges);
    end_draw();
}

void DrawContext::draw(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    if (!in_pass_) return log_(pipe::Severity::Error, "agx: draw outside a render pass");
    if (!state_.program || !state_.program->vertex.present) return;
    if (info.index_type != pipe::IndexType::None && !info.index_buffer) return;
    if (info.mode == pipe::Primitive::Patches) return unsupported("a patch without tessellation");
    if (info.indirect.resource) return draw_directly(info);
    if (info.mode > kLastMode) {
        contexts::ListedDraw d;
        if (contexts::list_without_adjacent(*this, info, ranges, &d)) draw_now(d.info, {&d.range, 1});
        return;
    }
    draw_now(info, ranges);
}

}  // namespace terrazzo::agx
