// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The data from geometry to pixels: primitives in the window with the outputs of their vertices.
#pragma once

#include "drivers/common/units/window_setup.h"

namespace terrazzo::adreno::sim {

/// The words of a vertex are at VPC's locations, and include position and point size. Their number is the
/// stride of VPC_VS_PACK.
using units::VertexOutputs;
/// Primitives are in window coordinates of the whole framebuffer, also with GMEM. The pixel units subtract
/// RB_WINDOW_OFFSET when they address a tile.
using units::DrawnList;
using units::DrawnPrimitive;

}  // namespace terrazzo::adreno::sim
