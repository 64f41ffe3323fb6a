// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colours into a tile buffer whose samples have a pipe::Format (Adreno's GMEM), and resolves. Equations are
// pipe/raster's. A tile buffer in a format of its own (Mali's) has a blender of its own.
#pragma once

#include "drivers/common/units/format.h"
#include "pipe/raster/blend.h"

namespace terrazzo::units {

/// A render target of a draw.
struct ColorTarget {
    FormatReader format;
    pipe::raster::ColorRange range = pipe::raster::ColorRange::Unorm;
    pipe::BlendTargetDesc blend;
    float constant[4] = {};
};
/// False: no colour of that format can be written (depth, stencil, compressed).
[[nodiscard]] bool color_target(pipe::Format format, ColorTarget* out);

/// Blends, masks and stores one sample. `source`: bits of floats, or of integers as the format's kind says;
/// `second`: the second source colour, or null.
void write_color(const ColorTarget& target, const uint32_t source[4], const uint32_t* second,
                 uint8_t* sample);

/// One pixel of `count` samples that follow each other: the mean of colours, in linear numbers where the format
/// is sRGB; the first sample of integers, depth and stencil.
void resolve_pixel(const FormatReader& format, const uint8_t* samples, unsigned count, uint8_t* pixel);

}  // namespace terrazzo::units
