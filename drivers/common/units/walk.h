// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The walk over a tile: which pixels, or samples of pixels, a primitive covers, by quads of 2x2 pixels.
//
// Triangles are walked in areas of 32x32 pixels and blocks of 8x8, with edge functions of 32 bits (edges.h).
// For points, and for triangles that are too large for 32 bits, each sample is tested exactly. These exact
// tests are also the reference for the walk by blocks.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/common/units/edges.h"
#include "drivers/common/units/raster.h"

namespace terrazzo::units {

namespace detail {

/// A bit for each pixel: whether its centre is covered.
struct CenterCoverage {
    const RasterPrimitive& p;
    static constexpr unsigned count() { return 1; }
    static int64_t first(int32_t px) {
        return int64_t(px) * pipe::raster::kSubpixelOne + pipe::raster::kSubpixelHalf;
    }
    static int64_t last(int32_t px) { return first(px); }
    unsigned of(int32_t x, int32_t y) const { return p.triangle.covers(x, y); }
};

/// A bit for each sample of a pixel.
struct SampleCoverage {
    const RasterPrimitive& p;
    const SamplePattern& s;
    unsigned count() const { return s.count; }
    static int64_t first(int32_t px) { return int64_t(px) * pipe::raster::kSubpixelOne; }
    static int64_t last(int32_t px) { return first(px + 1) - 1; }
    unsigned of(int32_t x, int32_t y) const {
        unsigned mask = 0;
        for (unsigned i = 0; i < s.count; ++i)
            mask |= unsigned(covers(first(x) + s.x[i], first(y) + s.y[i])) << i;
        return mask;
    }
    bool covers(int64_t x, int64_t y) const {
        if (p.kind == PrimitiveKind::Triangle) return p.triangle.covers_at(x, y);
        if (p.kind == PrimitiveKind::Line) return covers_line(double(x), double(y));
        const int64_t size = pipe::raster::to_fixed(p.size_px), low = size / 2;
        const int64_t left = pipe::raster::to_fixed(p.point_x_px) - low,
                      top = pipe::raster::to_fixed(p.point_y_px) - low;
        return x >= left && x < left + size && y >= top && y < top + size;
    }
    // Of adjacent lines, only one covers a place between them.
    bool covers_line(double x, double y) const {
        const double dx = p.line_to.x - p.line_from.x, dy = p.line_to.y - p.line_from.y;
        const double length2 = dx * dx + dy * dy, rx = x - p.line_from.x, ry = y - p.line_from.y;
        const double along = rx * dx + ry * dy, across = (rx * dy - ry * dx) * 2,
                     width = pipe::raster::kSubpixelOne * double(p.size_px) * std::sqrt(length2);
        return along >= 0 && along < length2 && across >= -width && across < width;
    }
};

template <class Coverage, class Quad>
bool walk_block(const Coverage& c, bool all, const pipe::raster::PixelRect& r, Quad& quad) {
    const unsigned n = c.count(), full = (1u << n) - 1;
    for (int32_t y = r.y0 & ~1; y < r.y1; y += 2)
        for (int32_t x = r.x0 & ~1; x < r.x1; x += 2) {
            uint32_t mask = 0;
            for (int32_t i = 0; i < 4; ++i) {
                const int32_t px = x + (i & 1), py = y + (i >> 1);
                if (r.contains(px, py)) mask |= (all ? full : c.of(px, py)) << unsigned(i) * n;
            }
            if (mask && !quad(x, y, mask)) return false;
        }
    return true;
}

template <class Coverage, class Quad>
bool walk_blocks(const Coverage& c, bool all, const pipe::raster::PixelRect& r, Quad& quad) {
    for (int32_t y = r.y0 & ~(kBlock_px - 1); y < r.y1; y += kBlock_px)
        for (int32_t x = r.x0 & ~(kBlock_px - 1); x < r.x1; x += kBlock_px) {
            const auto b = pipe::raster::intersect(r, {x, y, x + kBlock_px, y + kBlock_px});
            Overlap o = all ? Overlap::All : Overlap::Some;
            if (!all && c.p.kind == PrimitiveKind::Triangle)
                o = overlap(c.p.triangle, c.first(b.x0), c.first(b.y0), c.last(b.x1 - 1), c.last(b.y1 - 1));
            if (o != Overlap::None && !walk_block(c, o == Overlap::All, b, quad)) return false;
        }
    return true;
}

/// The bits of a quad's pixels, `samples` apart.
inline uint32_t spread(unsigned pixels, unsigned samples) {
    if (samples == 1) return pixels;
    return (pixels & 1) | (pixels & 2) << (samples - 1) | (pixels & 4) << 2 * (samples - 1) |
           (pixels & 8) << 3 * (samples - 1);
}

/// Walks the quads of rectangle r, which has at most 8x8 pixels and is in the area. kAll: the triangle covers
/// all of r.
template <bool kAll, bool kOneSample, class Quad>
bool walk_triangle_block(const AreaEdges& edges, unsigned samples, const pipe::raster::PixelRect& r,
                         Quad& quad) {
    const Block block(r);
    if (kOneSample) samples = 1;
    uint64_t pixels[kOneSample ? 1 : kMaxSamples], any = block.inside;
    pixels[0] = block.inside;
    for (unsigned n = 0; n < samples && !kAll; ++n) {
        pixels[n] = edges.covered(n, block) & block.inside;
        any = n ? any | pixels[n] : pixels[n];
    }
    while (any) {
        const unsigned bit = unsigned(std::countr_zero(any)) & ~3u;
        any &= ~(uint64_t(15) << bit);
        uint32_t mask = spread(pixels[0] >> bit & 15, samples);
        if (kAll) mask *= (1u << samples) - 1;
        for (unsigned n = 1; n < samples && !kAll; ++n)
            mask |= spread(pixels[n] >> bit & 15, samples) << n;
        if (!quad(block.x + int32_t(bit / 2 & 6), block.y + int32_t(bit / 16 * 2), mask)) return false;
    }
    return true;
}

/// A rectangle of at most so many pixels is walked without a decision about each block: that costs more than
/// to test a few quads that are not covered.
inline constexpr int32_t kFew_px = 4 * 48;

template <bool kOneSample, class Quad>
bool walk_triangle(const TriangleEdges& t, const SamplePattern& s, const pipe::raster::PixelRect& r,
                   Quad& quad) {
    const int32_t left = r.x0 & ~1, top = r.y0 & ~1;
    const AreaEdges edges(t, s, kOneSample ? 1 : s.count, left, top);
    const auto part = [&](int32_t x, int32_t y) {
        return pipe::raster::intersect(r, {x, y, x + kBlock_px, y + kBlock_px});
    };
    if ((r.x1 - r.x0) * (r.y1 - r.y0) <= kFew_px) {
        for (int32_t y = top; y < r.y1; y += kBlock_px)
            for (int32_t x = left; x < r.x1; x += kBlock_px)
                if (!walk_triangle_block<false, kOneSample>(edges, s.count, part(x, y), quad)) return false;
        return true;
    }
    const BlockTest test(edges, kOneSample ? 1 : s.count);
    for (int32_t y = r.y0 & ~(kBlock_px - 1); y < r.y1; y += kBlock_px)
        for (int32_t x = r.x0 & ~(kBlock_px - 1); x < r.x1; x += kBlock_px) {
            const Overlap o = test.block(edges, x, y);
            if (o == Overlap::None) continue;
            if (!(o == Overlap::All
                      ? walk_triangle_block<true, kOneSample>(edges, s.count, part(x, y), quad)
                      : walk_triangle_block<false, kOneSample>(edges, s.count, part(x, y), quad)))
                return false;
        }
    return true;
}

/// Calls area(part) for the parts of r in areas.
template <class Area>
bool walk_areas(const pipe::raster::PixelRect& r, Area&& area) {
    if (unsigned((r.x0 ^ (r.x1 - 1)) | (r.y0 ^ (r.y1 - 1))) < kArea_px) return area(r);
    for (int32_t y = r.y0 & ~(kArea_px - 1); y < r.y1; y += kArea_px)
        for (int32_t x = r.x0 & ~(kArea_px - 1); x < r.x1; x += kArea_px)
            if (!area(pipe::raster::intersect(r, {x, y, x + kArea_px, y + kArea_px}))) return false;
    return true;
}

/// walk_quads() of triangles and points by exact tests of each sample: any size, and a primitive that covers
/// all of `r`.
template <class Quad>
bool walk_exactly(const RasterPrimitive& p, const SamplePattern& samples, const pipe::raster::PixelRect& r,
                  Quad& quad) {
    if (samples.is_center())
        return walk_blocks(CenterCoverage{p}, p.covers_all || p.kind == PrimitiveKind::Point, r, quad);
    return walk_blocks(SampleCoverage{p, samples}, p.covers_all, r, quad);
}

/// Quads with one pixel of the line each, or more pixels if the line crosses the quad twice.
template <class Quad>
bool walk_line_area(const RasterPrimitive& p, unsigned samples, const pipe::raster::PixelRect& r,
                    Quad& quad) {
    const int32_t x0 = r.x0 & ~(kArea_px - 1), y0 = r.y0 & ~(kArea_px - 1);
    constexpr unsigned kQuads = kArea_px / 2;
    uint32_t masks[kQuads * kQuads] = {};
    const uint32_t full = (1u << samples) - 1;
    pipe::raster::for_each_pixel(p.line(), r, [&](int32_t x, int32_t y) {
        masks[unsigned(y - y0) / 2 * kQuads + unsigned(x - x0) / 2] |= full
                                                                       << ((x & 1) + 2 * (y & 1)) * samples;
    });
    for (unsigned q = 0; q < kQuads * kQuads; ++q)
        if (masks[q] && !quad(x0 + 2 * int32_t(q % kQuads), y0 + 2 * int32_t(q / kQuads), masks[q]))
            return false;
    return true;
}

}  // namespace detail

/// Calls quad(x_px, y_px, mask) for each quad of the primitive in `tile`, which must not begin below 0. Bit
/// `pixel * samples.count + sample` of the mask is set if that sample is covered; the pixels of a quad are
/// (0,0), (1,0), (0,1), (1,1). If quad() returns false, the walk stops and returns false. A line covers all
/// samples of its pixels, unless it is a rectangle.
template <class Quad>
[[nodiscard]] bool walk_quads(const RasterPrimitive& p, const SamplePattern& samples,
                              const pipe::raster::PixelRect& tile, Quad&& quad) {
    const pipe::raster::PixelRect r = pipe::raster::intersect(p.bounds, tile);
    if (r.empty()) return true;
    if (p.covers_all || p.is_rectangle || p.kind == PrimitiveKind::Point)
        return detail::walk_exactly(p, samples, r, quad);
    if (p.kind == PrimitiveKind::Line)
        return detail::walk_areas(r, [&](const pipe::raster::PixelRect& part) {
            return detail::walk_line_area(p, samples.count, part, quad);
        });
    if (!detail::AreaEdges::fits(p.triangle)) return detail::walk_exactly(p, samples, r, quad);
    return detail::walk_areas(r, [&](const pipe::raster::PixelRect& part) {
        return samples.count == 1 ? detail::walk_triangle<true>(p.triangle, samples, part, quad)
                                  : detail::walk_triangle<false>(p.triangle, samples, part, quad);
    });
}

}  // namespace terrazzo::units
