// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the limits: Mesa 25.0.7, freedreno_gmem.c (layout_gmem), tu_clear_blit.cc (which stores must be
// aligned).
#include "drivers/adreno/passes/tiles.h"

#include <algorithm>

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kPlaceAlign_B = 4096;  // RB_MRT_BASE_GMEM, RB_BLIT_BASE_GMEM

uint64_t round_up(uint64_t n, uint64_t to) {
    return (n + to - 1) / to * to;
}

uint32_t pixel_B(const Surface& s) {
    return pipe::format_info(s.pipe_format).block_B * s.samples;
}

/// Places all targets in sequence. False: they do not fit.
bool place(const hw::Chip& chip, const Targets& targets, uint32_t pixels, GmemPlaces* out) {
    uint64_t at_B = 0;
    const auto take = [&](const Surface& s) {
        const uint64_t from_B = at_B;
        const uint64_t size_B = uint64_t(pixels) * pipe::format_info(s.pipe_format).block_B * s.pass_samples;
        at_B = round_up(at_B + size_B, kPlaceAlign_B);
        return uint32_t(from_B);
    };
    for (uint32_t i = 0; i < targets.color_count; ++i)
        if (targets.color[i].format != hw::Format::FMT6_NONE) out->color_B[i] = take(targets.color[i]);
    if (targets.depth.depth_format != hw::DepthFormat::DEPTH6_NONE) out->depth_B = take(targets.depth);
    if (targets.has_stencil_plane()) out->stencil_B = take(targets.stencil);
    return at_B != 0 && at_B <= chip.gmem_ccu_color_offset_B();
}

/// Whether the attachment is as large as the pass, and pieces past its last row or column are its own
/// padding.
bool can_move(const pipe::Attachment& a, const Surface& s, uint32_t w_px, uint32_t h_px) {
    if (s.layers != 1 || s.width_px != w_px || s.height_px != h_px) return false;
    // In tiled memory all pieces are complete.
    if (s.tile_mode != hw::TileMode::TILE6_LINEAR) return true;
    const uint64_t row_B = round_up(w_px, hw::Chip::kGmemAlignW_px) * pixel_B(s);
    if (row_B > s.pitch_B) return false;
    const uint64_t rows = round_up(h_px, hw::Chip::kGmemAlignH_px);
    if (rows == h_px) return true;
    const pipe::SurfaceLayout& l = adreno(*a.resource).layout;
    const uint64_t end_B = l.image_offset_B(a.level, a.first_layer) + (rows - 1) * s.pitch_B + row_B;
    return l.levels == 1 && l.z_count(0) == 1 && end_B <= l.size_B;
}

}  // namespace

bool plan_tiles(const hw::Chip& chip, const Targets& targets, uint32_t w_px, uint32_t h_px, TilePlan* out) {
    if (!w_px || !h_px) return false;
    const auto cut = [](uint32_t size_px, uint32_t count, uint32_t align_px) {
        return uint32_t(round_up((size_px + count - 1) / count, align_px));
    };
    const uint32_t align_w = chip.tile_align_w_px, align_h = chip.tile_align_h_px;
    for (uint32_t nx = 1, ny = 1;;) {
        const uint32_t w = cut(w_px, nx, align_w), h = cut(h_px, ny, align_h);
        const bool too_wide = w > hw::Chip::kMaxTileW_px, too_high = h > hw::Chip::kMaxTileH_px;
        GmemPlaces places;
        if (!too_wide && !too_high && place(chip, targets, w * h, &places)) {
            *out = {w, h, (w_px + w - 1) / w, (h_px + h - 1) / h, places};
            return true;
        }
        if (w == align_w && h == align_h) return false;
        const bool narrower = too_wide || (!too_high && w > align_w && (w >= h || h == align_h));
        ++(narrower ? nx : ny);
    }
}

bool tiles_can_move(const pipe::RenderPassDesc& desc, const Targets& targets) {
    for (uint32_t i = 0; i < targets.color_count; ++i)
        if (targets.color[i].format != hw::Format::FMT6_NONE &&
            !can_move(desc.color[i], targets.color[i], desc.width, desc.height))
            return false;
    return targets.depth.depth_format == hw::DepthFormat::DEPTH6_NONE ||
           can_move(desc.depth_stencil, targets.depth, desc.width, desc.height);
}

}  // namespace terrazzo::adreno
