// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The data from geometry to pixels: primitives in the window with the outputs of their vertices.
#pragma once

#include "drivers/common/units/window_setup.h"

namespace terrazzo::adreno::sim {

/// By VPC's locations: a vertex has VPC_VS_PACK's stride of words, with position and point size.
using units::VertexOutputs;
/// In window coordinates of the whole framebuffer, also with GMEM: pixels subtract RB_WINDOW_OFFSET when they
/// address a tile.
using units::DrawnList;
using units::DrawnPrimitive;

}  // namespace terrazzo::adreno::sim
