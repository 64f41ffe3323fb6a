// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tests a sample against depth and stencil in memory's layout. Source: OpenGL ES 3.2 section 15.1; for depth
// bounds GL_EXT_depth_bounds_test.
#include <cstring>

#include "drivers/adreno/sim/pixel/batch.h"

namespace terrazzo::adreno::sim {

namespace {

struct Stored {
    uint32_t depth = 0;
    uint8_t stencil = 0;
    bool operator==(const Stored&) const = default;
};

Stored load(DepthLayout layout, const uint8_t* depth_at, const uint8_t* stencil_at) {
    Stored v;
    uint16_t half;
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            std::memcpy(&half, depth_at, 2);
            v.depth = half;
            break;
        case DepthLayout::D24S8:
            std::memcpy(&v.depth, depth_at, 4);
            v.stencil = uint8_t(v.depth >> 24);
            v.depth &= 0xffffff;
            break;
        case DepthLayout::D32:
            std::memcpy(&v.depth, depth_at, 4);
            break;
    }
    if (stencil_at) v.stencil = *stencil_at;
    return v;
}

void store(DepthLayout layout, const Stored& v, uint8_t* depth_at, uint8_t* stencil_at) {
    if (stencil_at) *stencil_at = v.stencil;
    const auto half = uint16_t(v.depth);
    const uint32_t both = v.depth | uint32_t(v.stencil) << 24;
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            std::memcpy(depth_at, &half, 2);
            break;
        case DepthLayout::D24S8:
            std::memcpy(depth_at, &both, 4);
            break;
        case DepthLayout::D32:
            std::memcpy(depth_at, &v.depth, 4);
            break;
    }
}

}  // namespace

bool test_sample(const PixelState& s, uint8_t* depth_at, uint8_t* stencil_at, bool back, float z,
                 uint8_t reference, bool* changed) {
    Stored v = load(s.depth_layout, depth_at, stencil_at);
    if (s.depth_bounds) {
        const float stored = units::decode_depth(s.depth_format, v.depth);
        if (!(stored >= s.least_depth && stored <= s.most_depth)) return false;
    }
    const Stored before = v;
    const bool passes = units::test_sample(s.test, s.depth_format, back, reference, z, &v.depth, &v.stencil);
    if (v == before) return passes;
    store(s.depth_layout, v, depth_at, stencil_at);
    *changed = true;
    return passes;
}

}  // namespace terrazzo::adreno::sim
