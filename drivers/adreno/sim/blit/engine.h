// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine, which CP_BLIT starts: fills, copies, conversions, scaling.
#pragma once

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Fills or writes the rectangle GRAS_2D_DST of an image, clipped by GRAS_2D_RESOLVE_CNTL if the blit enables
/// it.
/// - A fill takes RB_2D_SRC_SOLID_C0 to C3 in the engine's format (IFMT): bytes, half floats, floats,
///   integers. sRGB is not encoded.
/// - A copy between equal formats moves bits. Others convert to numbers, which must be both integers or both
///   not.
/// - Scaling takes the nearest pixel, or with FILTER four, at the places that pipe/blit computes for the CPU.
///   The weights' precision is our choice.
/// - Samples become their mean (SAMPLES_AVERAGE) or the first. The target has one sample; drivers treat
///   samples as more columns (surface.h).
/// - A TILE6_2 source is GMEM. Its coordinates are the frame buffer's: SP_WINDOW_OFFSET is the bin's.
/// - RB_2D_UNKNOWN_8C01 keeps depth or stencil of a pixel that has both.
[[nodiscard]] bool blit_2d(Machine& machine, Fault* fault);

}  // namespace terrazzo::adreno::sim
