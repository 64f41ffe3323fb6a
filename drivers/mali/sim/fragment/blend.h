// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blender: a + b * c for each channel, with the equation of a blend descriptor.
#pragma once

#include "drivers/mali/sim/fragment/color.h"

namespace terrazzo::mali::sim {

/// Writes `source` to a pixel of a blendable format. Without an equation, all channels are replaced.
void blend_pixel(const TileFormat& format, const hw::Blend* blend, bool fixed_function, bool srgb,
                 const float source[4], uint8_t* pixel);

}  // namespace terrazzo::mali::sim
