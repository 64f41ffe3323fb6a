// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/texture/layout.h"

#include <algorithm>

#include "pipe/layout/ubwc.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr uint32_t kPage_B = 4096, kMinTiledWidth_px = 16;
constexpr uint32_t kFlagPitchAlign_B = 64, kFlagRowsAlign = 64;

uint64_t align_up(uint64_t value, uint64_t align) {
    return (value + align - 1) / align * align;
}
uint32_t minify(uint32_t value, uint32_t level) {
    return std::max(1u, value >> level);
}

// The slice of a 3D texture: a quarter of the previous level's, but at least MIN_LAYERSZ. (The layouts of the
// vendor's driver and of Mesa follow this rule: fd6_layout_test.c of Mesa 25.0.7. What happens to a quarter
// that is not a multiple of a page is not known; no driver sets that.)
uint64_t slice_of_3d_B(const hw::TexConst& d, unsigned level) {
    const uint64_t quarter_B = d.array_pitch >> 2 * level;
    return level && (quarter_B < d.min_layersz || quarter_B % kPage_B) ? d.min_layersz : quarter_B;
}

}  // namespace

void place_levels(const hw::TexConst& d, const units::FormatReader& format,
                  std::array<LevelPlace, kMaxTextureLevels>* out) {
    const uint32_t samples = 1u << unsigned(d.samples);
    const uint32_t element_B = format.size_B * samples;
    // R8G8 is tiled as two images of bytes.
    const bool split = element_B == 2 && pipe::format_info(format.format).channel_count == 2;
    const uint32_t rows_align = element_B == 1 || split ? 32 : 16;
    const bool is_3d = d.type == hw::TexType::A6XX_TEX_3D;
    const bool tiled = d.tile_mode != hw::TileMode::TILE6_LINEAR;
    const uint64_t pitch_align_B = 64ull << d.pitchalign;
    uint64_t at_B = 0, flags_at_B = 0;
    for (unsigned l = 0; l <= d.miplvls; ++l) {
        LevelPlace& p = (*out)[l];
        p = {};
        p.width_px = minify(d.width, l);
        p.height_px = minify(d.height, l);
        p.depth_px = is_3d ? minify(d.depth, l) : 1;
        p.width_el = (p.width_px + format.block_w_px - 1) / format.block_w_px;
        p.height_el = (p.height_px + format.block_h_px - 1) / format.block_h_px;
        const bool level_tiled = tiled && (d.tile_all || p.width_px >= kMinTiledWidth_px);
        p.tile_mode = level_tiled ? d.tile_mode : hw::TileMode::TILE6_LINEAR;
        p.pitch_B = l == 0 ? d.pitch : uint32_t(align_up(minify(d.pitch, l), pitch_align_B));
        p.offset_B = at_B;
        const uint64_t slice_B = uint64_t(p.pitch_B) * align_up(p.height_el, level_tiled ? rows_align : 1);
        p.z_stride_B = d.array_pitch;
        if (is_3d) p.z_stride_B = slice_of_3d_B(d, l);
        at_B += is_3d ? p.z_stride_B * p.depth_px : slice_B;
        if (!d.flag || !level_tiled) continue;
        at_B = align_up(at_B, kPage_B);
        p.has_flags = true;
        p.flags_offset_B = flags_at_B;
        p.flags_z_stride_B = uint64_t(d.flag_buffer_array_pitch) * 4;  // the field counts words
        p.flags_pitch_B = uint32_t(align_up(minify(d.flag_buffer_pitch, l), kFlagPitchAlign_B));
        const uint64_t rows = align_up(minify(1u << d.flag_buffer_logh, l), kFlagRowsAlign);
        flags_at_B += align_up(p.flags_pitch_B * rows, kPage_B);
    }
}

}  // namespace terrazzo::adreno::sim
