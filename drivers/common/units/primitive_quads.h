// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The quads of a primitive in a tile, as a list: they are found, tested and shaded by one loop each.
#pragma once

#include "drivers/common/units/raster.h"

namespace terrazzo::units {

/// The quads of a primitive in a tile of at most 32x32 pixels.
struct PrimitiveQuads {
    static constexpr unsigned kMost = 17 * 17;
    struct Quad {
        int32_t x = 0, y = 0;  // px
        uint32_t covered = 0;  // samples (quad_samples.h)
        uint32_t passed = 0;   // those that passed the tests; before tests all covered ones
    };
    unsigned count = 0;
    // A few more, for loops that work on two or four.
    alignas(32) Quad quad[(kMost + 3) / 4 * 4];
};

/// Finds the quads with covered samples that are in `sample_mask`, in the order of walk_quads().
void find_quads(const RasterPrimitive& p, const SamplePattern& samples, const pipe::raster::PixelRect& tile,
                uint32_t sample_mask, PrimitiveQuads* out);

}  // namespace terrazzo::units
