// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending of one pixel, exactly as specified in OpenGL ES 3.2 section 15.1.5, and the colour mask.
//
// Buffers of 32 bits with four 8-bit UNORM channels blend in integers, as section 15.1.5 allows ("no lower
// precision than the destination"): source and constant are rounded to 0..255 first (nearest, ties to even),
// 1 is 255, and each result is the integer nearest to (s * fs + d * fd) / 255, clamped to 0..255.
#pragma once

#include "pipe/format.h"
#include "pipe/state.h"

namespace terrazzo::pipe::raster {

/// The values that a colour buffer can hold. Source, destination and constant are clamped to it before
/// blending, the result after it.
enum class ColorRange : uint8_t { Unorm8, Unorm, Snorm, Float };

/// The range of a blendable format (not pure-integer).
ColorRange color_range(Format format);

/// The result of blending `src` with `dst`. All values are linear; `dst` is unpacked, so without alpha in the
/// buffer its alpha is 1. If blending is off, the result is the clamped source. The write mask is not
/// applied. `out` may alias `src` or `dst`. `second`: the second source colour; null: zeros.
void blend(const BlendTargetDesc& desc, ColorRange range, const float constant[4], const float src[4],
           const float dst[4], float out[4], const float second[4] = nullptr);

/// Takes channel c from `src` if bit c of the mask is set, otherwise from `dst`.
void apply_color_mask(uint8_t write_mask, const float src[4], const float dst[4], float out[4]);

/// The mask for pure-integer buffers, which are never blended.
void apply_color_mask(uint8_t write_mask, const uint32_t src[4], const uint32_t dst[4], uint32_t out[4]);

}  // namespace terrazzo::pipe::raster
