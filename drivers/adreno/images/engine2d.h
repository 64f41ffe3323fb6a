// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine: rectangles of one colour. Copies: copy2d.h, blit2d.h.
#pragma once

#include "drivers/adreno/images/target.h"

namespace terrazzo::adreno {

struct ClearValue {
    pipe::ClearColor color{};
    float depth = 1;
    uint8_t stencil = 0;
};
/// What of a surface with depth and stencil is filled.
enum class ClearPart : uint8_t { Color, Depth, Stencil, DepthStencil };

/// Whether fill() can: every target can, but those of formats that the engine does not know.
[[nodiscard]] bool can_fill(const Surface& s);
/// Fills pixels [x0, x1) x [y0, y1) of one layer, not empty. In sysmem; caches are the caller's.
void fill(CsBuilder& cs, const hw::Chip& chip, const Surface& s, uint32_t layer, const pipe::Scissor& area,
          ClearPart part, const ClearValue& value);

}  // namespace terrazzo::adreno
