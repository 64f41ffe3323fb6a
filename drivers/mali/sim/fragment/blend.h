// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blend descriptors as the blender of drivers/common/units reads them.
#pragma once

#include <string>

#include "drivers/common/units/color.h"
#include "drivers/mali/sim/fragment/color.h"

namespace terrazzo::mali::sim {

/// Decides how colours are written to a blendable tile buffer. Without a descriptor, all channels are
/// replaced; without `fixed_function`, those in its mask. False: `why`: an equation that is none of OpenGL's.
[[nodiscard]] bool blend_target(const TileFormat& tile, const hw::Blend* blend, bool fixed_function,
                                bool srgb, units::ColorTarget* out, std::string* why);

}  // namespace terrazzo::mali::sim
