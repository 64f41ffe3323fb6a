// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes colours to a tile buffer whose samples have a pipe::Format, and resolves samples. The equations are
// pipe/raster's.
#pragma once

#include "drivers/common/units/format.h"
#include "pipe/raster/blend.h"

namespace terrazzo::units {

/// A logic operation as a table: bit 2s + d is the result of bits s and d, the source and the destination.
inline constexpr uint8_t kLogicCopy = 0b1100;

/// A render target of a draw.
struct ColorTarget {
    FormatReader format;
    pipe::raster::ColorRange range = pipe::raster::ColorRange::Unorm;
    pipe::BlendTargetDesc blend;
    float constant[4] = {};
    uint8_t logic = kLogicCopy;
    bool alpha_to_one = false;
    bool rgba8 = false;  // four channels of 8 bits, R first, UNORM
};
/// A target without blending that writes all channels. False: colours cannot be written to the format (depth,
/// stencil, compressed).
[[nodiscard]] bool color_target(const FormatReader& format, ColorTarget* out);

/// Blends, masks and stores one sample. `source`: bits of floats or integers, as the format's kind says.
/// `second`: the second source colour, or null.
void write_color(const ColorTarget& target, const uint32_t source[4], const uint32_t* second,
                 uint8_t* sample);

/// Resolves one pixel of `count` adjacent samples: the mean of colours, computed with linear values for sRGB
/// formats; the first sample of integers, depth and stencil.
void resolve_pixel(const FormatReader& format, const uint8_t* samples, unsigned count, uint8_t* pixel);

}  // namespace terrazzo::units
