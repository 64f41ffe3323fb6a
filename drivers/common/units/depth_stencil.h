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
    /// `plane`: the primitive's depth.
    float at(const PlaneEquation& plane, double x, double y) const {
        const double z = is_constant ? constant : plane.at(x, y);
        const double below = high < z ? high : z;
        return float(below > low ? below : low);  // NaN: low
    }
    /// at() of the four positions of a quad, of which (x, y) is the first: the same bits.
    QuadF32 at_quad(const PlaneEquation& plane, double x, double y) const {
        return at_corners(plane, x, x + 1, y, y + 1);
    }
    /// at() of the four corners of a rectangle: the same bits.
    QuadF32 at_corners(const PlaneEquation& plane, double x0, double x1, double y0, double y1) const {
        const RowF64 x = {x0, x1};
        if (is_constant) return QuadF32{} + at(plane, x0, y0);
        return to_floats(clamped(plane.at_row(x, y0)), clamped(plane.at_row(x, y1)));
    }

  private:
    RowF64 clamped(RowF64 z) const { return max_of(min_of(RowF64{high, high}, z), RowF64{low, low}); }
};

/// encode_depth() of four depths.
template <DepthFormat kFormat>
inline QuadU32 encode_depths(QuadF32 z) {
    if constexpr (kFormat == DepthFormat::Float32) return QuadU32(z);
    constexpr double kHigh = kFormat == DepthFormat::Unorm16 ? 0xffff : 0xffffff;
    const QuadF32 zero{}, one = zero + 1.0f, v = min_of(max_of(z, zero), one);  // NaN: 0
    const RowF64 first =
                     __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1), RowF64) * kHigh + 0x1p52,
                 second =
                     __builtin_convertvector(__builtin_shufflevector(v, v, 2, 3), RowF64) * kHigh + 0x1p52;
    // The low words of the doubles.
    return __builtin_shufflevector(QuadU32(first), QuadU32(second), 0, 2, 4, 6);
}

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

/// The depth and stencil tests of a draw, decided once: they test the pixels of a quad at a time. The same
/// bits as test_sample(). Stored words have no more bits than the format.
class DepthStencilTests {
  public:
    DepthStencilTests() = default;
    DepthStencilTests(const pipe::DepthStencilDesc& test, DepthFormat format);
    /// All ones if a depth passes that is less, equal, greater or not comparable (NaN); and if it is written.
    struct DepthMasks {
        int32_t less = 0, equal = 0, greater = 0, unordered = 0, writes = 0;
    };
    [[nodiscard]] DepthMasks masks() const { return depth_; }
    /// Tests the pixels of `mask`, one sample each. Returns those that pass. *depth and *stencil have the
    /// words of the tile buffer, in which the tests' writes replace those of tested pixels: store a word if
    /// it has changed.
    [[nodiscard]] unsigned run(bool back_facing, uint8_t reference, QuadF32 z, unsigned mask, QuadU32* depth,
                               QuadU32* stencil) const {
        return run_(*this, back_facing, reference, z, mask, depth, stencil);
    }
    /// run() of tests that have a depth test and no stencil test, with kFormat as their format.
    template <DepthFormat kFormat>
    [[nodiscard, gnu::always_inline]] inline unsigned run_depths(QuadF32 z, unsigned mask,
                                                                 QuadU32* depth) const {
        const QuadU32 word = encode_depths<kFormat>(z), stored = *depth;
        QuadI32 less, equal, unordered{};
        if constexpr (kFormat == DepthFormat::Float32) {
            const auto there = QuadF32(stored);
            less = z < there, equal = z == there, unordered = (z != z) | (there != there);
        } else {
            less = QuadI32(word) < QuadI32(stored), equal = word == stored;  // at most 24 bits
        }
        const QuadI32 passes =
            ((less & depth_.less) | (equal & depth_.equal) | (unordered & depth_.unordered) |
             (~(less | equal | unordered) & depth_.greater)) &
            lanes_of(mask);
        *depth = select(passes & depth_.writes, word, stored);
        return sign_bits(passes);
    }

  private:
    using Run = unsigned (*)(const DepthStencilTests&, bool, uint8_t, QuadF32, unsigned, QuadU32*, QuadU32*);
    template <DepthFormat kFormat>
    static unsigned run_depth(const DepthStencilTests& t, bool, uint8_t, QuadF32 z, unsigned mask,
                              QuadU32* depth, QuadU32*) {
        return t.run_depths<kFormat>(z, mask, depth);
    }
    static unsigned pass_all(const DepthStencilTests&, bool, uint8_t, QuadF32, unsigned mask, QuadU32*,
                             QuadU32*);
    static unsigned run_samples(const DepthStencilTests& t, bool back_facing, uint8_t reference, QuadF32 z,
                                unsigned mask, QuadU32* depth, QuadU32* stencil);

    pipe::DepthStencilDesc test_;
    DepthFormat format_ = DepthFormat::Float32;
    Run run_ = pass_all;
    DepthMasks depth_;
};

}  // namespace terrazzo::units
