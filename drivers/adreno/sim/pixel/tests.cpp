// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tests a quad's samples against depth and stencil in memory's layout. Source: OpenGL ES 3.2 section 15.1;
// for depth bounds GL_EXT_depth_bounds_test.
#include <cstring>

#include "drivers/adreno/sim/pixel/batch.h"

namespace terrazzo::adreno::sim {

namespace {

using units::kQuadPixels;
using units::QuadF32;
using units::QuadU32;

// One sample of a quad's pixels in a plane of an area.
struct QuadPlace {
    uint8_t* first = nullptr;  // null: no such target
    size_t row_B = 0;
    uint32_t pixel_B = 0;
    uint8_t* at(unsigned i) const { return first + (i >> 1) * row_B + (i & 1) * pixel_B; }
};
QuadPlace place_of(const Area& area, unsigned plane, int32_t x, int32_t y, size_t sample_B) {
    const Area::Plane& p = area.plane[plane];
    if (!p.origin) return {};
    return {area.at(plane, x, y) + sample_B, p.row_B, p.pixel_B};
}

// Only pixels of `mask` are accessed: others may be outside the area.
template <class Word>
QuadU32 load(const QuadPlace& place, unsigned mask) {
    Word words[kQuadPixels] = {};
    for (unsigned i = 0; i < kQuadPixels; ++i)
        if (mask >> i & 1) std::memcpy(&words[i], place.at(i), sizeof(Word));
    return QuadU32{words[0], words[1], words[2], words[3]};
}
template <class Word>
void store(const QuadPlace& place, unsigned mask, QuadU32 words) {
    for (unsigned i = 0; i < kQuadPixels; ++i) {
        const auto word = Word(words[i]);
        if (mask >> i & 1) std::memcpy(place.at(i), &word, sizeof word);
    }
}

struct Stored {
    QuadU32 depth{}, stencil{};
};

Stored load(DepthLayout layout, const QuadPlace& depth, const QuadPlace& stencil, unsigned mask) {
    Stored v;
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            v.depth = load<uint16_t>(depth, mask);
            break;
        case DepthLayout::D24S8:
            v.depth = load<uint32_t>(depth, mask);
            v.stencil = v.depth >> 24;
            v.depth &= 0xffffffu;
            break;
        case DepthLayout::D32:
            v.depth = load<uint32_t>(depth, mask);
            break;
    }
    if (stencil.first) v.stencil = load<uint8_t>(stencil, mask);
    return v;
}

void store(DepthLayout layout, const Stored& v, const QuadPlace& depth, const QuadPlace& stencil,
           unsigned mask) {
    if (stencil.first) store<uint8_t>(stencil, mask, v.stencil);
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            store<uint16_t>(depth, mask, v.depth);
            break;
        case DepthLayout::D24S8:
            store<uint32_t>(depth, mask, v.depth | v.stencil << 24);
            break;
        case DepthLayout::D32:
            store<uint32_t>(depth, mask, v.depth);
            break;
    }
}

unsigned changed_pixels(const Stored& a, const Stored& b) {
    return units::sign_bits((a.depth != b.depth) | (a.stencil != b.stencil));
}

// The pixels whose stored depth is within the bounds.
unsigned inside_bounds(const PixelState& s, QuadU32 depth) {
    unsigned inside = 0;
    for (unsigned i = 0; i < kQuadPixels; ++i) {
        const float stored = units::decode_depth(s.depth_format, depth[i]);
        inside |= unsigned(stored >= s.least_depth && stored <= s.most_depth) << i;
    }
    return inside;
}

// The shader's depth, clamped.
QuadF32 written_depth(const units::FragmentDepth& range, const uint32_t* depth) {
    QuadF32 z;
    std::memcpy(&z, depth, sizeof z);
    const QuadF32 low = QuadF32{} + float(range.low), high = QuadF32{} + float(range.high);
    return z > low ? (high < z ? high : z) : low;
}

}  // namespace

namespace {

// A word of each of a row's two pixels.
struct Pair {
    uint32_t left, right;
};
template <DepthLayout kLayout>
Pair load_row(const uint8_t* at) {
    if constexpr (kLayout == DepthLayout::D16) {
        uint32_t both;
        std::memcpy(&both, at, sizeof both);
        return {both & 0xffff, both >> 16};
    } else {
        Pair both;
        std::memcpy(&both, at, sizeof both);
        return both;
    }
}
template <DepthLayout kLayout>
void store_row(uint8_t* at, Pair v) {
    if constexpr (kLayout == DepthLayout::D16) {
        const uint32_t both = v.left | v.right << 16;
        std::memcpy(at, &both, sizeof both);
    } else {
        std::memcpy(at, &v, sizeof v);
    }
}

// test_quad() of depth alone, with one sample, in an area that has the whole quad.
template <DepthLayout kLayout>
uint32_t test_depths(const PixelState& s, const FragmentPrimitive& p, int32_t x, int32_t y, uint32_t samples,
                     Area& area) {
    const pipe::raster::PixelRect& r = area.rect;
    if (x < r.x0 || y < r.y0 || x + 1 >= r.x1 || y + 1 >= r.y1)
        return test_quad(s, p, x, y, samples, nullptr, nullptr, area);
    Area::Plane& plane = area.plane[Area::kDepth];
    uint8_t* const first = area.at(Area::kDepth, x, y);
    const Pair top = load_row<kLayout>(first), bottom = load_row<kLayout>(first + plane.row_B);
    const QuadU32 stored = {top.left, top.right, bottom.left, bottom.right};
    constexpr uint32_t kDepthBits = kLayout == DepthLayout::D24S8 ? 0xffffff : ~0u;
    QuadU32 depth = stored & kDepthBits;
    const QuadF32 z = s.depth.at_quad(p, x + s.sample_x[0], y + s.sample_y[0]);
    const unsigned passes = s.quad_tests.run(p.back_facing, 0, z, pixels_of(samples, 0), &depth, nullptr);
    depth |= stored & ~kDepthBits;
    if (units::sign_bits(depth != stored)) {
        plane.changed = true;
        store_row<kLayout>(first, {depth[0], depth[1]});
        store_row<kLayout>(first + plane.row_B, {depth[2], depth[3]});
    }
    return samples_of(passes);
}

uint32_t test_in_general(const PixelState& s, const FragmentPrimitive& p, int32_t x, int32_t y,
                         uint32_t samples, Area& area) {
    return test_quad(s, p, x, y, samples, nullptr, nullptr, area);
}

}  // namespace

EarlyTest early_test(const PixelState& s) {
    if (s.samples != 1 || s.depth_bounds || s.quad_tests.has_stencil()) return test_in_general;
    switch (s.depth_layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            return test_depths<DepthLayout::D16>;
        case DepthLayout::D24S8:
            return test_depths<DepthLayout::D24S8>;
        case DepthLayout::D32:
            return test_depths<DepthLayout::D32>;
    }
    return test_in_general;
}

uint32_t test_quad(const PixelState& s, const FragmentPrimitive& p, int32_t x, int32_t y, uint32_t samples,
                   const uint32_t* depth, const uint32_t* stencil, Area& area) {
    const uint32_t tested = samples;
    for (unsigned n = 0; n < s.samples; ++n) {
        const unsigned all = pixels_of(tested, n);
        if (!all) continue;
        const QuadPlace depth_at = place_of(area, Area::kDepth, x, y, n * s.depth_target.sample_B),
                        stencil_at = place_of(area, Area::kStencil, x, y, n);
        const QuadF32 z =
            depth ? written_depth(s.depth, depth) : s.depth.at_quad(p, x + s.sample_x[n], y + s.sample_y[n]);
        Stored v = load(s.depth_layout, depth_at, stencil_at, all);
        const Stored before = v;
        const unsigned mask = s.depth_bounds ? all & inside_bounds(s, v.depth) : all;
        unsigned passes = 0;
        if (!stencil) {
            passes =
                s.quad_tests.run(p.back_facing, s.reference[p.back_facing], z, mask, &v.depth, &v.stencil);
        } else {
            for (unsigned i = 0; i < kQuadPixels; ++i)
                passes |= s.quad_tests.run(p.back_facing, uint8_t(stencil[i]), z, mask & 1u << i, &v.depth,
                                           &v.stencil);
        }
        samples &= ~(samples_of(all & ~passes) << n);
        const unsigned changed = changed_pixels(v, before);
        if (!changed) continue;
        store(s.depth_layout, v, depth_at, stencil_at, changed);
        area.plane[Area::kDepth].changed = area.plane[Area::kStencil].changed = true;
    }
    return samples;
}

}  // namespace terrazzo::adreno::sim
