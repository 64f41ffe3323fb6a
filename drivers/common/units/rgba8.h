// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// R8G8B8A8_UNORM of sixteen pixels at a time: what most draws write. Equal to the bit with color.h, which has
// all formats. A pixel is a word: R is the lowest byte.
#pragma once

#include "drivers/common/units/color.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::units {

/// A shader's colours as registers have them, in groups of sixteen lanes.
struct ColorRegisters {
    const wave::U32* channel[4] = {};  // of the first group. Null: zeros
    uint8_t shift[4] = {};             // of halves in their registers: 0 or 16
    bool halves = false;               // otherwise words
    unsigned group_distance = 1;       // from a channel's group to the next one, in vectors
    NumberKind kind = NumberKind::Float;

    /// Without the first groups.
    ColorRegisters from_group(unsigned group) const {
        ColorRegisters out = *this;
        for (const wave::U32*& c : out.channel)
            if (c) c += size_t(group) * group_distance;
        return out;
    }
    /// The bits of a float or a 32-bit integer.
    wave::U32 number(unsigned c, unsigned group) const;
};

/// Packs floats to the nearest of 0..255, ties to even, NaN is 0: as pipe/format packs and pipe/raster
/// blends.
void pack_rgba8(const ColorRegisters& source, unsigned groups, wave::U32* out);
/// The same on a CPU without AVX2; for tests.
void pack_rgba8_portable(const ColorRegisters& source, unsigned groups, wave::U32* out);

/// Blends packed pixels over the stored ones, with a target's equation and mask. `second`: packed, or null.
void blend_rgba8(const ColorTarget& how, const wave::U32& source, const wave::U32* second, wave::U32* stored);
void blend_rgba8_portable(const ColorTarget& how, const wave::U32& source, const wave::U32* second,
                          wave::U32* stored);

}  // namespace terrazzo::units
