// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes in GMEM: each tile is loaded, drawn by the pass' draws, and stored. Source: Mesa 25.0.7, fd6_gmem.cc
// (fd6_emit_tile_init, _tile_prep, _tile, _tile_gmem2mem, _tile_fini, emit_binning_pass).
#include <algorithm>

#include "drivers/adreno/images/blit_event.h"
#include "drivers/adreno/images/texture.h"
#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/submission/restore.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;

namespace {

// With fewer draws, loading and storing tiles costs more than it saves.
constexpr uint32_t kFewDraws = 5;

// The cost of binning (a wait until the GPU is idle, streams that the CP reads) as a number of vertices that
// run without effect.
constexpr uint64_t kFewVertices = 1024;

constexpr uint32_t kDepthStencil = kDepth | kStencil;

/// Records a stream that many tiles call.
template <class F>
std::vector<Segment> record(Pool& pool, F&& write) {
    CsBuilder cs(pool, 256);
    write(cs);
    const auto segments = cs.finish();
    return {segments.begin(), segments.end()};
}

}  // namespace

void Pass::plan_gmem() {
    const pipe::DebugWords& debug = recorder_.device().debug;
    can_tile_ = desc_.layers <= 1 && tiles_can_move(desc_, targets_) &&
                plan_tiles(recorder_.device().chip(), targets_, desc_.width, desc_.height, &plan_);
    may_tile_ = can_tile_ && !debug.has(pipe::DebugWord::Sysmem);
    may_bin_ =
        may_tile_ && plan_.count() >= 2 && !debug.has(pipe::DebugWord::NoBin) && plan_pipes(plan_, &pipes_);
}

/// GMEM pays if pixels are written several times, so for several draws. But each tile runs vertices again:
/// there must not be more of them than pixels. Generated primitives are counted in a binning pass, since each
/// tile would count them again.
Pass::RenderPath Pass::choose_path() const {
    const bool must_bin = counts.counts_generated();
    const bool bins = may_bin_ && (must_bin || binning_pays());
    const RenderPath path = bins ? RenderPath::BinnedTiles : RenderPath::Tiles;
    if (must_tile()) return path;
    if (!may_tile_ || needs_sysmem_ || (must_bin && !may_bin_)) return RenderPath::Sysmem;
    if (recorder_.device().debug.has(pipe::DebugWord::Gmem)) return path;
    // With binning most vertices run in the binning pass and in one tile.
    const uint64_t times = bins ? 2 : plan_.count();
    const bool pays =
        draws_.count >= kFewDraws && draws_.vertices * times <= uint64_t(desc_.width) * desc_.height;
    return pays ? path : RenderPath::Sysmem;
}

Pass::Traffic Pass::traffic(bool goes_on) const {
    Traffic t;
    uint32_t cleared_first = 0;
    for (const Part& part : parts_)
        for (const Clear& c : part.clears)
            t.cleared |= c.attachments;
    for (const Clear& c : parts_.front().clears)
        if (c.area.x0 == 0 && c.area.y0 == 0 && uint32_t(c.area.x1) == desc_.width &&
            uint32_t(c.area.y1) == desc_.height)
            cleared_first |= c.attachments;
    for (uint32_t i = 0; i < targets_.color_count; ++i) {
        const uint32_t bit = kColor0 << i;
        if (targets_.color[i].format == hw::Format::FMT6_NONE || !(draws_.count || (t.cleared & bit)))
            continue;
        if (desc_.color[i].load != pipe::LoadOp::DontCare && !(cleared_first & bit)) t.loads |= bit;
        const bool wanted = goes_on || desc_.color[i].store == pipe::StoreOp::Store;
        if (wanted && !(discarded_ & bit)) t.stores |= bit;
    }
    if (targets_.depth.depth_format == hw::DepthFormat::DEPTH6_NONE) return t;
    // Depth and stencil move together.
    const bool clears = t.cleared & kDepthStencil;
    const auto loads = [&](uint32_t bit, pipe::LoadOp op) {
        return op != pipe::LoadOp::DontCare && !(cleared_first & bit);
    };
    const auto stores = [&](uint32_t bit, pipe::StoreOp op) {
        return (goes_on || op == pipe::StoreOp::Store) && !(discarded_ & bit);
    };
    const bool stencil = targets_.has_stencil;
    if ((draws_.tests_depth_stencil || clears) &&
        (loads(kDepth, desc_.depth_stencil.load) || (stencil && loads(kStencil, desc_.stencil_load))))
        t.loads |= kDepth;
    if ((draws_.writes_depth_stencil || clears) &&
        (stores(kDepth, desc_.depth_stencil.store) || (stencil && stores(kStencil, desc_.stencil_store))))
        t.stores |= kDepth;
    if (clears) t.cleared |= kDepth;
    return t;
}

void Pass::write_tile_clears(CsBuilder& cs, const Part& part) const {
    const GmemPlaces& places = plan_.places;
    for (const Clear& c : part.clears) {
        for (uint32_t i = 0; i < targets_.color_count; ++i)
            if ((c.attachments & kColor0 << i) && targets_.color[i].format != hw::Format::FMT6_NONE)
                clear_tile(cs, targets_.color[i], places.color_B[i], c.area, ClearPart::Color,
                           {.color = c.values.color[i]});
        if (!(c.attachments & kDepthStencil) || targets_.depth.depth_format == hw::DepthFormat::DEPTH6_NONE)
            continue;
        clear_depth_stencil(c, [&](const Surface& s, ClearPart part, const ClearValue& value) {
            clear_tile(cs, s, s.is_stencil ? places.stencil_B : places.depth_B, c.area, part, value);
        });
    }
}

Pass::TileStreams Pass::record_tile_streams(const Traffic& t) {
    const auto move = [&](uint32_t attachments, auto&& move_color, auto&& move_depth) {
        return record(recorder_.pool, [&](CsBuilder& out) {
            for (uint32_t i = 0; i < targets_.color_count; ++i)
                if (attachments & kColor0 << i) move_color(out, i);
            if (attachments & kDepth)
                move_depth(out, targets_.depth, plan_.places.depth_B, desc_.width, desc_.height);
            if ((attachments & kDepth) && targets_.has_stencil_plane())
                move_depth(out, targets_.stencil, plan_.places.stencil_B, desc_.width, desc_.height);
        });
    };
    const auto load_color = [&](CsBuilder& out, uint32_t i) {
        load_tile(out, targets_.color[i], plan_.places.color_B[i], desc_.width, desc_.height);
    };
    const auto store_color = [&](CsBuilder& out, uint32_t i) { store_color_tile(out, i); };
    TileStreams s;
    s.loads = move(t.loads & t.cleared, load_color, load_tile);
    s.visible_loads = move(t.loads & ~t.cleared, load_color, load_tile);
    s.stores = move(t.stores & t.cleared, store_color, store_tile);
    s.visible_stores = move(t.stores & ~t.cleared, store_color, store_tile);
    for (const Part& part : parts_)
        s.clears.push_back(record(recorder_.pool, [&](CsBuilder& out) {
            // A clear between draws must wait for the earlier ones.
            if (&part != &parts_.front()) out.wait_for_idle();
            write_tile_clears(out, part);
        }));
    s.sums = record(recorder_.pool, [&](CsBuilder& out) { counts.write_sums(out); });
    return s;
}

void Pass::write_bins(CsBuilder& cs, hw::RenderMode mode) const {
    const uint32_t w = plan_.tile_w_px, h = plan_.tile_h_px;
    const bool no_lrz_write =
        mode == hw::RenderMode::RENDERING_PASS && !recorder_.device().chip().generation.has_lrz_feedback;
    const auto where = hw::BuffersLocation::BUFFERS_IN_GMEM;
    cs.write(hw::GRAS_BIN_CONTROL{.binw = w,
                                  .binh = h,
                                  .render_mode = mode,
                                  .force_lrz_write_dis = no_lrz_write,
                                  .buffers_location = where},
             hw::RB_BIN_CONTROL{.binw = w,
                                .binh = h,
                                .render_mode = mode,
                                .force_lrz_write_dis = no_lrz_write,
                                .buffers_location = where},
             hw::RB_BIN_CONTROL2{.binw = w, .binh = h});
}

void Pass::write_tile_textures() const {
    for (const ColorTexture& c : color_textures_)
        if (c.target < targets_.color_count && targets_.color[c.target].format != hw::Format::FMT6_NONE)
            write_tile_texture(targets_.color[c.target], desc_.width, desc_.height, plan_.tile_w_px,
                               recorder_.device().gmem_va() + plan_.places.color_B[c.target], c.words);
}

void Pass::begin_tiles(CsBuilder& cs, const Traffic& traffic, bool binned) {
    use_targets(traffic.loads | traffic.stores, CachePath::Resolve, CachePath::Resolve);
    // The 2D engine may resolve tiles.
    recorder_.sync_for_tiles(draws_.count != 0, resolves());
    cs.packet(hw::CpSkipIb2EnableGlobal{});
    write_targets(cs, targets_, plan_.places);
    cs.write(hw::VPC_SO_DISABLE{});
    if (binned)
        write_binning(cs);
    else
        cs.packet(hw::CpSetVisibilityOverride{.enable = true});
    write_bins(cs, hw::RenderMode::RENDERING_PASS);
    write_render_control(cs);
    write_lrz(cs, 0);
}

bool Pass::is_drawn(uint32_t tile) const {
    const pipe::Scissor& area = desc_.area;
    const int32_t w = int32_t(plan_.tile_w_px), h = int32_t(plan_.tile_h_px);
    const int32_t x = int32_t(tile % plan_.count_x) * w, y = int32_t(tile / plan_.count_x) * h;
    return x < area.x1 && y < area.y1 && x + w > area.x0 && y + h > area.y0;
}

void Pass::begin_tile(CsBuilder& cs, uint32_t tile, bool binned) const {
    const hw::RegXy first{.x = tile % plan_.count_x * plan_.tile_w_px,
                          .y = tile / plan_.count_x * plan_.tile_h_px};
    const hw::RegXy last{.x = std::min(first.x + plan_.tile_w_px, desc_.width) - 1,
                         .y = std::min(first.y + plan_.tile_h_px, desc_.height) - 1};
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_RENDER_START, .uses_gmem = true});
    cs.packet(hw::CpSkipIb2EnableLocal{.enable = true});
    if (binned) visibility_.select_tile(cs, tile);
    cs.write(hw::GRAS_SC_WINDOW_SCISSOR_TL{first}, hw::GRAS_SC_WINDOW_SCISSOR_BR{last},
             hw::GRAS_2D_RESOLVE_CNTL_1{first}, hw::GRAS_2D_RESOLVE_CNTL_2{last}, hw::RB_WINDOW_OFFSET{first},
             hw::RB_WINDOW_OFFSET2{first}, hw::SP_WINDOW_OFFSET{first}, hw::SP_TP_WINDOW_OFFSET{first});
    cs.packet(hw::CpSetMode{.mode = 0});
}

void Pass::write_tile(CsBuilder& cs, uint32_t tile, const TileStreams& streams, bool binned) const {
    const auto call_if_visible = [&](std::span<const Segment> stream) {
        if (binned)
            visibility_.call_if_visible(cs, tile, stream);
        else
            cs.call(stream);
    };
    const bool several_lrz = std::any_of(parts_.begin(), parts_.end(),
                                         [&](const Part& p) { return p.lrz_va != parts_.front().lrz_va; });
    counts.write_before(cs);
    cs.call(streams.loads);
    call_if_visible(streams.visible_loads);
    for (size_t i = 0; i < parts_.size(); ++i) {
        cs.call(streams.clears[i]);
        if (several_lrz) write_lrz(cs, i);
        // The texture cache may have GMEM's pixels of the last tile.
        if (!color_textures_.empty()) {
            cs.event(hw::EventType::CACHE_INVALIDATE);
            cs.wait_for_idle();
        }
        call_if_visible(parts_[i].draws);
    }
    call_if_visible(streams.sums);
    if (binned) cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_END_OF_DRAWS, .uses_gmem = true});
    disable_groups(cs);
    cs.packet(hw::CpSkipIb2EnableLocal{});
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_RESOLVE, .uses_gmem = true});
    cs.call(streams.stores);
    call_if_visible(streams.visible_stores);
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_RENDER_END});
}

void Pass::write_gmem(CsBuilder& cs, bool binned, bool goes_on) {
    write_tile_textures();
    const Traffic moved = traffic(goes_on);
    const TileStreams streams = record_tile_streams(moved);
    if (binned)
        visibility_.begin(
            recorder_, plan_, pipes_,
            {.draws = draws_.count, .instances = draws_.instances, .primitives = draws_.primitives});
    begin_tiles(cs, moved, binned);
    for (uint32_t tile = 0; tile < plan_.count(); ++tile) {
        if (!is_drawn(tile)) continue;
        begin_tile(cs, tile, binned);
        write_tile(cs, tile, streams, binned);
    }
    counts.write_sums_of_pass(cs);
    recorder_.note_called();
    if (moved.stores) recorder_.note_resolves();
    const CachePath by = resolves() ? CachePath::Several : CachePath::Resolve;
    note_written(moved.stores, by, by);
}

/// Without binning each tile runs all vertices, and LRZ hides nothing.
bool Pass::binning_pays() const {
    return writes_lrz_ || draws_.vertices * (plan_.count() - 1) >= kFewVertices;
}

void Pass::write_binning(CsBuilder& cs) {
    const hw::Chip& chip = recorder_.device().chip();
    const hw::RegXy last{.x = desc_.width - 1, .y = desc_.height - 1};
    write_bins(cs, hw::RenderMode::BINNING_PASS);
    write_render_control(cs, true);
    cs.write(hw::GRAS_SC_WINDOW_SCISSOR_TL{}, hw::GRAS_SC_WINDOW_SCISSOR_BR{last},
             hw::GRAS_2D_RESOLVE_CNTL_1{}, hw::GRAS_2D_RESOLVE_CNTL_2{last});
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_VISIBILITY});
    cs.packet(hw::CpSetVisibilityOverride{.enable = true});
    cs.packet(hw::CpSetMode{.mode = 1});
    cs.wait_for_idle();
    cs.write(hw::VFD_MODE_CNTL{.render_mode = hw::RenderMode::BINNING_PASS});
    visibility_.write_setup(cs);
    const auto write_power = [&] {
        cs.write(hw::PC_POWER_CNTL{chip.magic.pc_power_cntl}, hw::VFD_POWER_CNTL{chip.magic.pc_power_cntl});
    };
    write_power();
    cs.event(hw::EventType::UNK_2C);
    cs.write(hw::RB_WINDOW_OFFSET{}, hw::SP_TP_WINDOW_OFFSET{});
    for (size_t i = 0; i < parts_.size(); ++i) {
        write_lrz(cs, i);
        cs.call(parts_[i].draws);
    }
    disable_groups(cs);
    cs.event(hw::EventType::UNK_2D);
    // The streams are written through the UCHE; the CP reads them without it.
    recorder_.sync_caches(cs, {.flush_uche = true, .wait_for_idle = true});
    cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_ME);
    visibility_.write_end(cs);
    cs.packet(hw::CpSetMode{.mode = 0});
    // Stream output was written in the binning pass.
    cs.write(hw::VPC_SO_DISABLE{.disable = true},
             hw::VFD_MODE_CNTL{.render_mode = hw::RenderMode::RENDERING_PASS});
    write_power();
    cs.packet(hw::CpSkipIb2EnableGlobal{.enable = true});
}

}  // namespace terrazzo::adreno
