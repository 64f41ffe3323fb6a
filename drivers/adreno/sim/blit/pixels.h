// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What BLIT events and the 2D engine do with pixels, R first. Internal to blit/.
#pragma once

#include <cstddef>
#include <cstdint>

#include "drivers/common/units/format.h"

namespace terrazzo::adreno::sim {

/// A pixel without samples is at most so large.
inline constexpr uint32_t kMaxPixel_B = 16;

/// Pixels of `samples` samples each become pixels of one: the mean, in linear numbers of sRGB formats, or the first sample. Bytes are averaged as integers,
/// halves up.
void resolve_row(const units::FormatReader& format, const uint8_t* from, uint32_t samples, bool average,
                 uint32_t count, uint8_t* to);

/// Pixels of one sample become pixels of `samples` equal ones.
void replicate_row(uint32_t pixel_B, const uint8_t* from, uint32_t samples, uint32_t count, uint8_t* to);

/// Rows of pixels as four floats or integers each, in bits, as FormatReader::read and write have them. Not for depth and stencil.
void read_row(const units::FormatReader& format, const uint8_t* pixels, uint32_t count, uint32_t* values);
/// `values` may be changed.
void write_row(const units::FormatReader& format, uint32_t* values, uint32_t count, uint8_t* pixels);

/// Whether all that a pixel stores is 8-bit Unorm.
bool is_unorm_bytes(const units::FormatReader& format);

/// The bits of a pixel that components have: bit c of the mask is R, G, B, A. All bits where the mask has all components.
void component_bits(const units::FormatReader& format, uint32_t mask, uint8_t bits[kMaxPixel_B]);

/// Bits of `to` that the mask has become those of `from`. Pixels of `pixel_B` bytes, as the mask.
void merge_row(const uint8_t bits[kMaxPixel_B], uint32_t pixel_B, const uint8_t* from, uint32_t count,
               uint8_t* to);

}  // namespace terrazzo::adreno::sim
