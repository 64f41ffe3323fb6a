// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// BLIT events: a target's pixels between GMEM and memory, and clears in GMEM. They act on the bin (RB_BIN_CONTROL2 at RB_WINDOW_OFFSET2), as far as their
// scissor reaches, so the same words serve all tiles.
#pragma once

#include "drivers/adreno/images/engine2d.h"

namespace terrazzo::adreno {

/// Between GMEM at `gmem_B` and the surface's first layer: whole pieces of 16x4 pixels that cover w_px x h_px from its corner.
void load_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, uint32_t w_px, uint32_t h_px);
void store_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, uint32_t w_px, uint32_t h_px);
/// Exactly the pixels of [x0, x1) x [y0, y1), not empty.
void clear_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, const pipe::Scissor& area, ClearPart part,
                const ClearValue& value);
/// A pixel as GMEM has it: the components of colours stand in the order R, G, B, A there.
void gmem_pixel(const Surface& s, ClearPart part, const ClearValue& value, uint32_t out[4]);

}  // namespace terrazzo::adreno
