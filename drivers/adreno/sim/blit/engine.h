// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine, which CP_BLIT starts: fills, copies, conversions, scaling.
#pragma once

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Fills or writes the rectangle GRAS_2D_DST of an image, where GRAS_2D_RESOLVE_CNTL clips it if the blit wants so.
/// - A fill takes RB_2D_SRC_SOLID_C0 to C3 as the engine's format (IFMT) has numbers: bytes, half floats, floats, integers. sRGB is not encoded.
/// - A copy between equal formats moves bits. Others go through numbers, which must be both integers or both not.
/// - Scaling takes the nearest pixel, or with FILTER four, at the places that pipe/blit computes for the CPU. The weights' precision is ours.
/// - Samples become their mean (SAMPLES_AVERAGE) or the first. What is written has one sample; drivers see samples as more columns (surface.h).
/// - A source that is TILE6_2 is GMEM. Its coordinates are the frame buffer's: SP_WINDOW_OFFSET is the bin's.
/// - RB_2D_UNKNOWN_8C01 keeps depth or stencil of a pixel that has both.
[[nodiscard]] bool blit_2d(Machine& machine, Fault* fault);

}  // namespace terrazzo::adreno::sim
