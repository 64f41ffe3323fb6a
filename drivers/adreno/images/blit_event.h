// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// BLIT events move a target's pixels between GMEM and memory, and clear in GMEM. They act on the bin
// (RB_BIN_CONTROL2 at RB_WINDOW_OFFSET2) inside of their scissor, so the same words serve all tiles.
#pragma once

#include "drivers/adreno/images/engine2d.h"

namespace terrazzo::adreno {

/// Moves pixels between GMEM at `gmem_B` and the surface's first layer: all pieces of 16x4 pixels that w_px x
/// h_px pixels touch, from the bin's corner on.
void load_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, uint32_t w_px, uint32_t h_px);
void store_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, uint32_t w_px, uint32_t h_px);
/// Clears exactly the pixels of `area`, which must not be empty.
void clear_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, const pipe::Scissor& area, ClearPart part,
                const ClearValue& value);
/// Encodes a pixel for GMEM, where colours have the order R, G, B, A.
void gmem_pixel(const Surface& s, ClearPart part, const ClearValue& value, uint32_t out[4]);

}  // namespace terrazzo::adreno
