// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragments that are shaded together.
#pragma once

#include <cstring>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/pixel/area.h"
#include "drivers/adreno/sim/pixel/lrz.h"
#include "drivers/common/units/quads.h"

namespace terrazzo::adreno::sim {

struct FragmentPrimitive : units::RasterPrimitive {
    const uint32_t* values[3] = {};  // outputs of the vertices, VertexOutputs::words each
    float inv_w_of[3] = {1, 1, 1};   // 1/w of the vertices
    uint32_t provoking = 0, primitive_id = 0;
    uint16_t layer = 0;
    const HiddenBlocks* hidden = nullptr;  // null: no block is hidden
};

/// A wave has 16 or 32 quads.
inline constexpr unsigned kBatchQuads = 32, kBatchLanes = 4 * kBatchQuads;

/// The number of bits set in four bytes; inline, because the host may lack the instruction.
inline unsigned count_bits(uint32_t v) {
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
// The samples of a quad's pixels are a word: a byte for each pixel, a bit for each sample.

/// The pixels (a bit each) that have sample n.
constexpr unsigned pixels_of(uint32_t samples, unsigned n) {
    return ((samples >> n & 0x01010101u) * 0x01020408u) >> 24 & 15;
}
/// Sample 0 of the pixels.
constexpr uint32_t samples_of(unsigned pixels) {
    return (pixels & 1) | (pixels & 2) << 7 | (pixels & 4) << 14 | (pixels & 8) << 21;
}
/// The pixels with any sample.
constexpr unsigned any_pixels(uint32_t samples) {
    samples |= samples >> 4 & 0x0f0f0f0fu;
    samples |= samples >> 2 & 0x03030303u;
    return pixels_of(samples | samples >> 1, 0);
}

struct FragmentBatch : units::QuadBatch<FragmentPrimitive, kBatchQuads> {
    uint32_t covered_samples[kBatchQuads];  // before tests
    uint32_t samples[kBatchQuads];          // not yet rejected by tests
    uint8_t sample[kBatchQuads] = {};       // the sample that is shaded, if each is shaded separately

    /// Of one lane's pixel.
    unsigned samples_at(unsigned lane) const { return samples[lane / 4] >> lane % 4 * 8 & 0xff; }
    unsigned covered_at(unsigned lane) const { return covered_samples[lane / 4] >> lane % 4 * 8 & 0xff; }
    /// Keeps the samples of `mask`.
    void keep_samples(unsigned lane, unsigned mask) {
        samples[lane / 4] &= ~(0xffu << lane % 4 * 8) | mask << lane % 4 * 8;
    }
    unsigned samples_left() const {
        unsigned n = 0;
        for (unsigned q = 0; q < count; ++q)
            n += count_bits(samples[q]);
        return n;
    }
    /// Whether all quads are of one primitive.
    bool is_uniform() const {
        for (unsigned q = 1; q < count; ++q)
            if (primitive[q] != primitive[0]) return false;
        return true;
    }
};

/// Tests depth, stencil and depth bounds of a quad's samples; returns those that pass. Updates the area by
/// the tests' rules, also for samples that fail. `depth`, `stencil`: the shader's results, a word per pixel,
/// or null.
[[nodiscard]] uint32_t test_quad(const PixelState& state, const FragmentPrimitive& p, int32_t x, int32_t y,
                                 uint32_t samples, const uint32_t* depth, const uint32_t* stencil,
                                 Area& area);
/// test_quad() for a draw's early tests, without results of the shader.
using EarlyTest = uint32_t (*)(const PixelState& state, const FragmentPrimitive& p, int32_t x, int32_t y,
                               uint32_t samples, Area& area);
[[nodiscard]] EarlyTest early_test(const PixelState& state);

}  // namespace terrazzo::adreno::sim
