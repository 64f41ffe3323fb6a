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
/// Packs the samples of a quad's pixels, a byte per pixel.
inline uint32_t quad_samples(const uint8_t samples[4]) {
    uint32_t v;
    std::memcpy(&v, samples, 4);
    return v;
}

struct FragmentBatch : units::QuadBatch<FragmentPrimitive, kBatchQuads> {
    uint8_t covered_samples[kBatchLanes];  // before tests
    uint8_t samples[kBatchLanes];          // not yet rejected by tests, a bit each
    uint8_t sample[kBatchQuads] = {};      // the sample that is shaded, if each is shaded separately

    unsigned samples_left() const {
        unsigned n = 0;
        for (unsigned q = 0; q < count; ++q)
            n += count_bits(quad_samples(samples + 4 * q));
        return n;
    }
    /// Whether all quads are of one primitive.
    bool is_uniform() const {
        for (unsigned q = 1; q < count; ++q)
            if (primitive[q] != primitive[0]) return false;
        return true;
    }
};

/// Tests depth, stencil and depth bounds of one sample. `depth_at` and `stencil_at`: the sample in the area;
/// null: there is no such target. True: the test passes. Updates memory by the tests' rules, also if it
/// fails. Sets `*changed` if memory may have changed.
[[nodiscard]] bool test_sample(const PixelState& state, uint8_t* depth_at, uint8_t* stencil_at, bool back,
                               float z, uint8_t reference, bool* changed);

}  // namespace terrazzo::adreno::sim
