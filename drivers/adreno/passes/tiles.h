// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The division of a pass into tiles that fit into GMEM.
#pragma once

#include "drivers/adreno/images/target.h"

namespace terrazzo::adreno {

struct TilePlan {
    uint32_t tile_w_px = 0, tile_h_px = 0;
    uint32_t count_x = 0, count_y = 0;
    GmemPlaces places;
    [[nodiscard]] uint32_t count() const { return count_x * count_y; }
};
/// The fewest tiles, about square, with which all targets of w_px x h_px pixels fit. False: there are no
/// targets, or not even the smallest tiles fit.
[[nodiscard]] bool plan_tiles(const hw::Chip& chip, const Targets& targets, uint32_t w_px, uint32_t h_px,
                              TilePlan* out);
/// Whether BLIT events, which move pieces of 16x4 pixels, can load and store the attachments: pieces that
/// reach past the pass' pixels must not contain other data.
[[nodiscard]] bool tiles_can_move(const pipe::RenderPassDesc& desc, const Targets& targets);

}  // namespace terrazzo::adreno
