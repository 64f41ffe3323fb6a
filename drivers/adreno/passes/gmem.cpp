// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes in GMEM: each tile is loaded, drawn by all of the pass' draws, and stored. Nothing is sorted into bins. Source: Mesa 25.0.7, fd6_gmem.cc
// (fd6_emit_tile_init, _tile_prep, _tile, _tile_gmem2mem, _tile_fini).
#include <algorithm>

#include "drivers/adreno/images/blit_event.h"
#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/passes/restore.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;

namespace {

// Below, loading and storing tiles costs more than it saves.
constexpr uint32_t kFewDraws = 5;

constexpr uint32_t kDepthStencil = kDepth | kStencil;

/// A stream of its own, which many tiles call.
template <class F>
std::vector<Segment> record(Pool& pool, F&& write) {
    CsBuilder cs(pool, 256);
    write(cs);
    const auto segments = cs.finish();
    return {segments.begin(), segments.end()};
}

}  // namespace

/// GMEM holds pixels that are written several times, so it pays for several draws. But each tile runs all vertices again: they must not be more than the pass
/// has pixels, and what they store to memory would be stored again.
bool Pass::choose_gmem(TilePlan* plan) const {
    const pipe::DebugWords& debug = recorder_.device().debug;
    if (needs_sysmem_ || debug.has(pipe::DebugWord::Sysmem)) return false;
    if (desc_.layers > 1 || !tiles_can_move(desc_, targets_) ||
        !plan_tiles(recorder_.device().chip(), targets_, desc_.width, desc_.height, plan))
        return false;
    if (debug.has(pipe::DebugWord::Gmem)) return true;
    return draw_count_ >= kFewDraws && vertices_ <= uint64_t(desc_.width) * desc_.height / plan->count();
}

Pass::Traffic Pass::traffic(bool goes_on) const {
    uint32_t cleared = 0, cleared_first = 0;
    for (const Part& part : parts_)
        for (const Clear& c : part.clears)
            cleared |= c.attachments;
    for (const Clear& c : parts_.front().clears)
        if (c.area.x0 == 0 && c.area.y0 == 0 && uint32_t(c.area.x1) == desc_.width &&
            uint32_t(c.area.y1) == desc_.height)
            cleared_first |= c.attachments;
    Traffic t;
    for (uint32_t i = 0; i < targets_.color_count; ++i) {
        const uint32_t bit = kColor0 << i;
        if (targets_.color[i].format == hw::Format::FMT6_NONE || !(draw_count_ || (cleared & bit))) continue;
        if (desc_.color[i].load != pipe::LoadOp::DontCare && !(cleared_first & bit)) t.loads |= bit;
        const bool wanted = goes_on || desc_.color[i].store == pipe::StoreOp::Store;
        if (wanted && !(discarded_ & bit)) t.stores |= bit;
    }
    if (targets_.depth.depth_format == hw::DepthFormat::DEPTH6_NONE) return t;
    // Both move together.
    const bool clears = cleared & kDepthStencil;
    const auto loads = [&](uint32_t bit, pipe::LoadOp op) {
        return op != pipe::LoadOp::DontCare && !(cleared_first & bit);
    };
    const auto stores = [&](uint32_t bit, pipe::StoreOp op) {
        return (goes_on || op == pipe::StoreOp::Store) && !(discarded_ & bit);
    };
    const bool stencil = targets_.has_stencil;
    if ((tests_depth_stencil_ || clears) &&
        (loads(kDepth, desc_.depth_stencil.load) || (stencil && loads(kStencil, desc_.stencil_load))))
        t.loads |= kDepth;
    if ((writes_depth_stencil_ || clears) &&
        (stores(kDepth, desc_.depth_stencil.store) || (stencil && stores(kStencil, desc_.stencil_store))))
        t.stores |= kDepth;
    return t;
}

void Pass::write_tile_clears(CsBuilder& cs, const Part& part, const GmemPlaces& places) const {
    for (const Clear& c : part.clears) {
        for (uint32_t i = 0; i < targets_.color_count; ++i)
            if ((c.attachments & kColor0 << i) && targets_.color[i].format != hw::Format::FMT6_NONE)
                clear_tile(cs, targets_.color[i], places.color_B[i], c.area, ClearPart::Color,
                           {.color = c.values.color[i]});
        if (!(c.attachments & kDepthStencil) || targets_.depth.depth_format == hw::DepthFormat::DEPTH6_NONE)
            continue;
        clear_tile(cs, targets_.depth, places.depth_B, c.area, clear_part(c.attachments),
                   {.depth = c.values.depth, .stencil = c.values.stencil});
    }
}

void Pass::begin_tiles(CsBuilder& cs, const TilePlan& plan) {
    cs.event(hw::EventType::LRZ_FLUSH);
    recorder_.sync_caches(cs, {.invalidate_color = true, .invalidate_depth = true, .invalidate_uche = true});
    cs.packet(hw::CpSkipIb2EnableGlobal{});
    write_gmem_ccu(cs, recorder_.device().chip());
    write_targets(cs, targets_, plan.places);
    write_render_control(cs);
    cs.write(hw::VPC_SO_DISABLE{});
    cs.packet(hw::CpSetVisibilityOverride{.enable = true});
}

void Pass::begin_tile(CsBuilder& cs, const TilePlan& plan, uint32_t tile) const {
    const hw::RegXy first{.x = tile % plan.count_x * plan.tile_w_px,
                          .y = tile / plan.count_x * plan.tile_h_px};
    const hw::RegXy last{.x = std::min(first.x + plan.tile_w_px, desc_.width) - 1,
                         .y = std::min(first.y + plan.tile_h_px, desc_.height) - 1};
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_RENDER_START, .uses_gmem = true});
    cs.packet(hw::CpSkipIb2EnableLocal{.enable = true});
    const bool no_lrz_write = !recorder_.device().chip().generation.has_lrz_feedback;
    const auto where = hw::BuffersLocation::BUFFERS_IN_GMEM;
    cs.write(hw::GRAS_SC_WINDOW_SCISSOR_TL{first}, hw::GRAS_SC_WINDOW_SCISSOR_BR{last},
             hw::GRAS_2D_RESOLVE_CNTL_1{first}, hw::GRAS_2D_RESOLVE_CNTL_2{last}, hw::RB_WINDOW_OFFSET{first},
             hw::RB_WINDOW_OFFSET2{first}, hw::SP_WINDOW_OFFSET{first}, hw::SP_TP_WINDOW_OFFSET{first},
             hw::GRAS_BIN_CONTROL{.binw = plan.tile_w_px,
                                  .binh = plan.tile_h_px,
                                  .force_lrz_write_dis = no_lrz_write,
                                  .buffers_location = where},
             hw::RB_BIN_CONTROL{.binw = plan.tile_w_px,
                                .binh = plan.tile_h_px,
                                .force_lrz_write_dis = no_lrz_write,
                                .buffers_location = where},
             hw::RB_BIN_CONTROL2{.binw = plan.tile_w_px, .binh = plan.tile_h_px});
    cs.packet(hw::CpSetMode{.mode = 0});
}

void Pass::write_gmem(CsBuilder& cs, const TilePlan& plan, bool goes_on) {
    const Traffic t = traffic(goes_on);
    const auto move = [&](uint32_t attachments, auto&& move_color, auto&& move_depth) {
        return record(recorder_.pool, [&](CsBuilder& out) {
            for (uint32_t i = 0; i < targets_.color_count; ++i)
                if (attachments & kColor0 << i) move_color(out, i);
            if (attachments & kDepth)
                move_depth(out, targets_.depth, plan.places.depth_B, desc_.width, desc_.height);
        });
    };
    const auto load_color = [&](CsBuilder& out, uint32_t i) {
        load_tile(out, targets_.color[i], plan.places.color_B[i], desc_.width, desc_.height);
    };
    const auto store_color = [&](CsBuilder& out, uint32_t i) { store_color_tile(out, plan, i); };
    const std::vector<Segment> loads = move(t.loads, load_color, load_tile),
                               stores = move(t.stores, store_color, store_tile);
    std::vector<std::vector<Segment>> clears;
    for (const Part& part : parts_)
        clears.push_back(record(recorder_.pool, [&](CsBuilder& out) {
            // A clear in the middle comes behind the draws before it.
            if (&part != &parts_.front()) out.wait_for_idle();
            write_tile_clears(out, part, plan.places);
        }));
    begin_tiles(cs, plan);
    for (uint32_t tile = 0; tile < plan.count(); ++tile) {
        begin_tile(cs, plan, tile);
        cs.call(loads);
        for (size_t i = 0; i < parts_.size(); ++i) {
            cs.call(clears[i]);
            cs.call(parts_[i].draws);
        }
        disable_groups(cs);
        cs.packet(hw::CpSkipIb2EnableLocal{});
        cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_RESOLVE, .uses_gmem = true});
        cs.call(stores);
        cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_RENDER_END});
    }
    cs.event(hw::EventType::LRZ_FLUSH);
    recorder_.sync_caches(cs, {.resolve = true});
}

}  // namespace terrazzo::adreno
