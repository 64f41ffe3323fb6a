// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How a pass is cut into tiles that GMEM holds.
#pragma once

#include "drivers/adreno/images/target.h"

namespace terrazzo::adreno {

struct TilePlan {
    uint32_t tile_w_px = 0, tile_h_px = 0;
    uint32_t count_x = 0, count_y = 0;
    GmemPlaces places;
    [[nodiscard]] uint32_t count() const { return count_x * count_y; }
};
/// The fewest tiles that hold all targets of w_px x h_px pixels, about square. False: there are no targets, or not even small tiles fit.
[[nodiscard]] bool plan_tiles(const hw::Chip& chip, const Targets& targets, uint32_t w_px, uint32_t h_px,
                              TilePlan* out);
/// Whether BLIT events can move the attachments, which is in pieces of 16x4 pixels: none beyond the pass' pixels may be somebody else's.
[[nodiscard]] bool tiles_can_move(const pipe::RenderPassDesc& desc, const Targets& targets);

}  // namespace terrazzo::adreno
