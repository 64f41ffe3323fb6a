// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The depth of fragments, and depth and stencil tests with a tile buffer that has a word of depth and a byte
// of stencil for each sample.
#pragma once

#include <algorithm>
#include <bit>

#include "drivers/common/units/raster.h"
#include "pipe/raster/depth_stencil.h"

namespace terrazzo::units {

/// The nearest integer with this many bits; 0 for NaN.
uint32_t to_unorm(float v, unsigned bits);

enum class DepthFormat : uint8_t { Unorm16, Unorm24, Float32 };

/// The word in the tile buffer: an integer, or the bits of a float.
uint32_t encode_depth(DepthFormat format, float z);
float decode_depth(DepthFormat format, uint32_t word);

/// The depth of a fragment whose shader writes none: from a plane or a constant, clamped to the range.
struct FragmentDepth {
    double low = 0, high = 1;
    bool is_constant = false;
    double constant = 0;
    float at(const RasterPrimitive& p, double x, double y) const {
        const double z = is_constant ? constant : p.depth.at(x, y);
        return float(z > low ? std::min(z, high) : low);
    }
};

/// Tests one sample, and writes depth and stencil as the rules say, also if it fails. True: the fragment
/// passes.
inline bool test_sample(const pipe::DepthStencilDesc& test, DepthFormat format, bool back_facing,
                        uint8_t reference, float z, uint32_t* depth, uint8_t* stencil) {
    if (format != DepthFormat::Float32)
        return pipe::raster::test_depth_stencil(test, !back_facing, reference, encode_depth(format, z),
                                                *depth, *stencil);
    auto stored = std::bit_cast<float>(*depth);
    const bool passes = pipe::raster::test_depth_stencil(test, !back_facing, reference, z, stored, *stencil);
    *depth = std::bit_cast<uint32_t>(stored);
    return passes;
}

}  // namespace terrazzo::units
