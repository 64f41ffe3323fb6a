// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From the registers of a shader to the samples of a target: conversion, blending, logic operations, masks,
// stores. RGBA8 is written sixteen pixels at a time (rgba8.h), other formats a sample at a time (color.h).
#pragma once

#include "drivers/common/units/fragment_tests.h"
#include "drivers/common/units/rgba8.h"

namespace terrazzo::units {

/// The quads of a wave, in order; quad q has the lanes 4q to 4q + 3. Primitives may overlap in a wave: a
/// later quad blends with an earlier one.
struct ColorQuads {
    unsigned count = 0;
    const int32_t *x = nullptr, *y = nullptr;  // px, of each quad's first pixel
    const uint32_t* samples = nullptr;         // that are written (quad_samples.h)
};

/// Writes colours to a plane of a tile. A pixel has `samples` adjacent samples; if a sample of the plane is
/// larger than the format's pixels, the rest is not written. Pixels outside of `rect` are not accessed, and
/// must not be written. `second`: the second source of blending, or null.
void write_colors(const ColorTarget& target, const ColorRegisters& source, const ColorRegisters* second,
                  const ColorQuads& quads, unsigned samples, const TilePlane& plane,
                  const pipe::raster::PixelRect& rect);

}  // namespace terrazzo::units
