// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colours in the tile buffer. Blendable formats take 32 bits: each channel has its bits and, below them,
// fraction bits for dithering, which we keep zero; RAW ones are bytes of a pixel.
#pragma once

#include "drivers/common/units/depth_stencil.h"
#include "drivers/mali/sim/units/format.h"

namespace terrazzo::mali::sim {

struct TileFormat {
    hw::ColorBufferInternalFormat internal{};
    unsigned size_B = 4;
    bool raw = false;
    uint8_t bits[4] = {}, fraction[4] = {};
};
/// False: a reserved format.
bool tile_format(hw::ColorBufferInternalFormat f, TileFormat* out);

/// Integers of the channels' bits.
void unpack_tile(const TileFormat& f, uint32_t word, uint32_t channel[4]);
uint32_t pack_tile(const TileFormat& f, const uint32_t channel[4]);
using units::to_unorm;
inline float from_unorm(uint32_t v, unsigned bits) {
    return bits ? float(v) / float((1u << bits) - 1) : 1.0f;
}
/// A clear colour as drivers pack it, with the fraction rounded away.
uint32_t without_fraction(const TileFormat& f, uint32_t word);

/// Pixel formats of conversions to and from the tile buffer: blendable ones, or any plain one.
struct TileConversion {
    bool blendable = false, srgb = false;
    FormatReader format;  // of what is not
};
bool tile_conversion(uint32_t memory_format, TileConversion* out);

/// Pixels as memory has them, from the tile buffer's; `swizzle` says for each channel of memory which it is.
bool writeback_supported(hw::ColorFormat f, unsigned* pixel_B);
void write_pixels(const TileFormat& tile, const uint8_t* from, unsigned count, hw::ColorFormat f,
                  uint32_t swizzle, uint8_t* to);

}  // namespace terrazzo::mali::sim
