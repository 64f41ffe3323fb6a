// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending of one pixel, exactly as written in OpenGL ES 3.2 section 15.1.5, and the colour mask.
//
// Buffers of 32 bits with four 8-bit UNORM channels blend in integers, as section 15.1.5 allows ("no lower
// precision than the destination"): source and constant are rounded to 0..255 first (nearest, ties to even),
// 1 is 255, and each result is the nearest integer to (s * fs + d * fd) / 255, within 0..255.
#pragma once

#include "pipe/format.h"
#include "pipe/state.h"

namespace terrazzo::pipe::raster {

/// What a colour buffer can hold; source, destination and constant are clamped to it before blending, the
/// result after it.
enum class ColorRange : uint8_t { Unorm8, Unorm, Snorm, Float };

/// The range of a format that is blendable (not pure-integer).
ColorRange color_range(Format format);

/// What reaches the pixel for `src` over `dst`. All values are linear; `dst` as unpacked, so that a buffer
/// without alpha gives 1. Blending off: the clamped source. The write mask is not applied here. `out` may
/// alias `src` or `dst`. `second`: the second source colour; null: zeros.
void blend(const BlendTargetDesc& desc, ColorRange range, const float constant[4], const float src[4],
           const float dst[4], float out[4], const float second[4] = nullptr);

/// Takes channel c of `src` where bit c of the mask is set, else of `dst`.
void apply_color_mask(uint8_t write_mask, const float src[4], const float dst[4], float out[4]);

/// The integer twin, for pure-integer buffers, which never blend.
void apply_color_mask(uint8_t write_mask, const uint32_t src[4], const uint32_t dst[4], uint32_t out[4]);

}  // namespace terrazzo::pipe::raster
