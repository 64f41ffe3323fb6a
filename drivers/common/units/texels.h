// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decoded texels, in blocks of 16x16: a pixel format's numbers after the swizzle of a view.
#pragma once

#include "drivers/common/units/format.h"

namespace terrazzo::units {

inline constexpr unsigned kTexelBlock_px = 16;

/// Bits of four floats or integers for each texel, in rows.
struct TexelBlock {
    alignas(16) uint32_t texel[kTexelBlock_px * kTexelBlock_px][4];
    /// The texel at a position of the level, which must be inside of this block.
    const uint32_t* at(uint32_t x, uint32_t y) const {
        return texel[y % kTexelBlock_px * kTexelBlock_px + x % kTexelBlock_px];
    }
};

/// Decodes a block of texels from elements in memory: pixels, or the blocks of a compressed format.
struct TexelDecoder {
    FormatReader format;
    uint8_t swizzle[4] = {0, 1, 2, 3};  // kZero, kOne

    /// The most bytes of the elements that contain a block of texels.
    static constexpr unsigned kMaxElements_B = kTexelBlock_px * kTexelBlock_px * 16;
    /// `elements`: rows of kTexelBlock_px elements, from the first one that contains texels of block (bx, by)
    /// of a level. Texels outside of the level are undefined.
    void decode(const uint8_t* elements, unsigned width_px, unsigned height_px, unsigned bx, unsigned by,
                TexelBlock* out) const;
    void apply_swizzle(const uint32_t in[4], uint32_t out[4]) const {
        for (unsigned c = 0; c < 4; ++c)
            out[c] = swizzle[c] < 4 ? in[swizzle[c]] : swizzle[c] == kOne ? format.one() : 0;
    }

  private:
    void decode_compressed(const uint8_t* elements, unsigned width_px, unsigned height_px, unsigned bx,
                           unsigned by, TexelBlock* out) const;
};

}  // namespace terrazzo::units
