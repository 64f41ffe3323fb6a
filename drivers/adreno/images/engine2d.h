// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fills rectangles with the 2D engine. Copies: copy2d.h, blit2d.h.
#pragma once

#include "drivers/adreno/images/target.h"

namespace terrazzo::adreno {

struct ClearValue {
    pipe::ClearColor color{};
    float depth = 1;
    uint8_t stencil = 0;
};
/// What is cleared: colour, or parts of a surface with depth and stencil.
enum class ClearPart : uint8_t { Color, Depth, Stencil, DepthStencil };

/// Whether fill() supports the surface: the engine knows its format.
[[nodiscard]] bool can_fill(const Surface& s);
/// Fills the pixels of `area`, not empty, of one layer. For sysmem. The caller syncs the caches.
void fill(CsBuilder& cs, const hw::Chip& chip, const Surface& s, uint32_t layer, const pipe::Scissor& area,
          ClearPart part, const ClearValue& value);

}  // namespace terrazzo::adreno
