// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The BLIT event: a bin's GMEM to memory, memory to GMEM, or a clear of GMEM.
#pragma once

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"

namespace terrazzo::adreno::sim {

/// The transfer of RB_BLIT_INFO, for the pixels of the bin (RB_BIN_CONTROL2 from RB_WINDOW_OFFSET2 on) within
/// RB_BLIT_SCISSOR.
/// - Clears write the pixel in RB_BLIT_CLEAR_COLOR, packed in GMEM's format, to the components in the mask.
///   With DEPTH the mask is depth, stencil.
/// - Loads and stores convert nothing. A store of several samples to an image with one takes the first or the
///   mean; a load the other way gives all samples the pixel.
/// - Loads and stores move pieces of 16x4 pixels, so their scissor is whole pieces.
[[nodiscard]] bool blit_event(Machine& machine, Fault* fault);

/// The image to which a BLIT event stores colours, from the current registers. False: it stores none.
[[nodiscard]] bool stored_image(Machine& machine, SurfaceDesc* out);

}  // namespace terrazzo::adreno::sim
