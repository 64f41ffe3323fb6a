// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colours in the tile buffer, in words of 32 bits or as a pixel's bytes (RAW formats). A word of the hardware
// has fraction bits below each channel's bits, for dithering; only clear colours show them. Here a word has a
// pixel of a pipe::Format in its first bytes.
#pragma once

#include "drivers/common/units/depth_stencil.h"
#include "drivers/common/units/format.h"
#include "drivers/mali/sim/units/format.h"

namespace terrazzo::mali::sim {

struct TileFormat {
    hw::ColorBufferInternalFormat internal{};
    unsigned size_B = 4;
    bool raw = false;
    uint8_t bits[4] = {}, fraction[4] = {};
    units::FormatReader format, srgb;  // of blendable formats: linear; with sRGB's curve where it has one
};
/// False: a reserved format.
bool tile_format(hw::ColorBufferInternalFormat f, TileFormat* out);

using units::to_unorm;
inline float from_unorm(uint32_t v, unsigned bits) {
    return bits ? float(v) / float((1u << bits) - 1) : 1.0f;
}
/// The pixel of a clear colour in the hardware's packing, with the fraction rounded away.
uint32_t clear_pixel(const TileFormat& f, uint32_t word);

/// Pixel formats of conversions to and from the tile buffer: blendable formats, or any uncompressed one.
struct TileConversion {
    bool blendable = false, srgb = false;
    FormatReader format;  // of a format that is not blendable
};
bool tile_conversion(uint32_t memory_format, TileConversion* out);

/// Converts the tile buffer's pixels to memory; `swizzle` selects the channel for each channel in memory.
bool writeback_supported(hw::ColorFormat f, unsigned* pixel_B);
/// Whether memory has the bits of the tile buffer.
bool writes_copies(const TileFormat& tile, hw::ColorFormat f, uint32_t swizzle);
void write_pixels(const TileFormat& tile, const uint8_t* from, unsigned count, hw::ColorFormat f,
                  uint32_t swizzle, uint8_t* to);

}  // namespace terrazzo::mali::sim
