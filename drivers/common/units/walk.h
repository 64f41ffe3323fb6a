// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The walk over a tile: which pixels, or samples of pixels, a primitive covers, by quads of 2x2 pixels.
//
// Triangles are walked in areas of 32x32 pixels, with edge functions of 32 bits in steps of whole pixels: a
// quad's coverage is three additions of vectors. Points, and triangles that are too large for 32 bits, are
// walked by exact tests of each sample, which are also the reference for the former.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "drivers/common/units/quad_lanes.h"
#include "drivers/common/units/raster.h"

namespace terrazzo::units {

inline constexpr unsigned kMaxSamples = 8;

/// The positions of a pixel's samples, in 1/256 px from its corner.
struct SamplePattern {
    unsigned count = 1;
    uint8_t x[kMaxSamples] = {128}, y[kMaxSamples] = {128};
    bool is_center() const { return count == 1 && x[0] == 128 && y[0] == 128; }
};

namespace detail {

inline constexpr int32_t kBlock_px = 8;  // 64 pixels are skipped, or taken, at once
inline constexpr int32_t kArea_px = 32;  // triangles and lines are walked by areas of this size

enum class Overlap : uint8_t { None, Some, All };

/// The coverage of a rectangle from its first to its last sample, in 1/256 px.
inline Overlap overlap(const pipe::raster::TriangleSetup& t, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    bool all = true;
    for (const pipe::raster::EdgeFunction& e : t.edge) {
        const int64_t a = e.value(x0, y0) + e.bias;
        const int64_t dx = e.a * (x1 - x0), dy = e.b * (y1 - y0);
        if (a + std::max<int64_t>(dx, 0) + std::max<int64_t>(dy, 0) < 0) return Overlap::None;
        all = all && a + std::min<int64_t>(dx, 0) + std::min<int64_t>(dy, 0) >= 0;
    }
    return all ? Overlap::All : Overlap::Some;
}

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
        const int64_t size = pipe::raster::to_fixed(p.size_px), low = size / 2;
        const int64_t left = pipe::raster::to_fixed(p.point_x_px) - low,
                      top = pipe::raster::to_fixed(p.point_y_px) - low;
        return x >= left && x < left + size && y >= top && y < top + size;
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

/// A triangle's edge functions at one sample of each pixel of an area, divided by 256 and rounded down, with
/// their bias: a pixel's sample is covered if none is negative. In this form, a step of a pixel is the edge's
/// `a` or `b` itself.
struct PixelEdges {
    /// Steps below this cannot leave 32 bits within an area.
    static constexpr int64_t kMaxStep = 1 << 24;
    static bool fits(const pipe::raster::TriangleSetup& t) {
        for (const pipe::raster::EdgeFunction& e : t.edge)
            if (std::max(std::abs(e.a), std::abs(e.b)) >= kMaxStep) return false;
        return true;
    }
    /// A value far from 0 is replaced by one of the same sign, which no step within the area changes.
    static int32_t clamped(int64_t value) {
        constexpr int64_t kFar = 1 << 30;
        return int32_t(std::clamp(value >> pipe::raster::kSubpixelBits, -kFar, kFar));
    }
    int32_t at[3];
};

struct AreaWalk {
    unsigned samples = 1;
    int32_t a[3], b[3];  // steps right and down
    QuadI32 step[3];     // from a quad's first pixel to the others
    PixelEdges edges[kMaxSamples];
    // The least and greatest of all samples, to decide about blocks.
    int32_t least[3], greatest[3];

    AreaWalk(const pipe::raster::TriangleSetup& t, const SamplePattern& s, int32_t x_px, int32_t y_px)
        : samples(s.count) {
        for (unsigned i = 0; i < 3; ++i) {
            const pipe::raster::EdgeFunction& e = t.edge[i];
            a[i] = int32_t(e.a), b[i] = int32_t(e.b);
            step[i] = quad_steps(a[i], b[i]);
            const int64_t corner = e.value(int64_t(x_px) * pipe::raster::kSubpixelOne,
                                           int64_t(y_px) * pipe::raster::kSubpixelOne) +
                                   e.bias;
            edges[0].at[i] = least[i] = greatest[i] =
                PixelEdges::clamped(corner + e.a * s.x[0] + e.b * s.y[0]);
            for (unsigned n = 1; n < samples; ++n) {
                edges[n].at[i] = PixelEdges::clamped(corner + e.a * s.x[n] + e.b * s.y[n]);
                least[i] = std::min(least[i], edges[n].at[i]);
                greatest[i] = std::max(greatest[i], edges[n].at[i]);
            }
        }
    }
    /// Of the block at (dx, dy) from the area's first pixel.
    Overlap block(int32_t dx, int32_t dy) const {
        constexpr int32_t kLast = kBlock_px - 1;
        bool all = true;
        for (unsigned i = 0; i < 3; ++i) {
            const int32_t move = a[i] * dx + b[i] * dy, right = a[i] * kLast, down = b[i] * kLast;
            if (greatest[i] + move + std::max(right, 0) + std::max(down, 0) < 0) return Overlap::None;
            all = all && least[i] + move + std::min(right, 0) + std::min(down, 0) >= 0;
        }
        return all ? Overlap::All : Overlap::Some;
    }
};

/// The edge functions of a quad's pixels at one sample, for a walk along rows of quads.
struct RowWalk {
    QuadU32 row[3], right[3], down[3];

    /// (dx, dy): the first quad, from the area's first pixel.
    RowWalk(const AreaWalk& w, unsigned n, int32_t dx, int32_t dy) {
        for (unsigned i = 0; i < 3; ++i) {
            row[i] = QuadU32(w.step[i] + (w.edges[n].at[i] + w.a[i] * dx + w.b[i] * dy));
            right[i] = QuadU32{} + 2 * uint32_t(w.a[i]);
            down[i] = QuadU32{} + 2 * uint32_t(w.b[i]);
        }
    }
    /// The covered pixels of the next row's quads, with those that `inside` has.
    void next(unsigned quads, unsigned inside, uint32_t* pixels) {
        QuadU32 e0 = row[0], e1 = row[1], e2 = row[2];
        for (unsigned q = 0; q < quads; ++q) {
            pixels[q] = ~sign_bits(QuadI32(e0 | e1 | e2)) & inside;
            e0 += right[0], e1 += right[1], e2 += right[2];
        }
        for (unsigned i = 0; i < 3; ++i)
            row[i] += down[i];
    }
};

/// The bits of a quad's pixels, `samples` apart.
inline uint32_t spread(unsigned pixels, unsigned samples) {
    if (samples == 1) return pixels;
    return (pixels & 1) | (pixels & 2) << (samples - 1) | (pixels & 4) << 2 * (samples - 1) |
           (pixels & 8) << 3 * (samples - 1);
}

/// The pixels of a column, or a row, of quads that are in the rectangle.
inline unsigned inside_x(const pipe::raster::PixelRect& r, int32_t x) {
    return (x < r.x0 ? 10u : 15u) & (x + 1 < r.x1 ? 15u : 5u);
}
inline unsigned inside_y(const pipe::raster::PixelRect& r, int32_t y) {
    return (y < r.y0 ? 12u : 15u) & (y + 1 < r.y1 ? 15u : 3u);
}

/// The quads of rectangle r, which is at most an area.
template <class Quad>
bool walk_triangle_part(const AreaWalk& w, bool all, int32_t x0, int32_t y0, const pipe::raster::PixelRect& r,
                        Quad& quad) {
    const uint32_t full = (1u << w.samples) - 1;
    const int32_t left = r.x0 & ~1, top = r.y0 & ~1;
    if (all) {
        for (int32_t y = top; y < r.y1; y += 2)
            for (int32_t x = left; x < r.x1; x += 2)
                if (!quad(x, y, spread(inside_x(r, x) & inside_y(r, y), w.samples) * full)) return false;
        return true;
    }
    constexpr unsigned kQuads = kBlock_px / 2 + 1;
    const unsigned columns = unsigned(r.x1 - left + 1) / 2, rows = unsigned(r.y1 - top + 1) / 2;
    const unsigned first = inside_x(r, left), last = inside_x(r, left + 2 * int32_t(columns) - 2);
    uint32_t masks[kQuads][kQuads];
    for (unsigned n = 0; n < w.samples; ++n) {
        RowWalk walk(w, n, left - x0, top - y0);
        for (unsigned j = 0; j < rows; ++j) {
            uint32_t one[kQuads];
            uint32_t* const pixels = n ? one : masks[j];
            walk.next(columns, inside_y(r, top + 2 * int32_t(j)), pixels);
            pixels[0] &= first;
            pixels[columns - 1] &= last;
            if (w.samples == 1) continue;
            for (unsigned i = 0; i < columns; ++i)
                masks[j][i] = (n ? masks[j][i] : 0) | spread(pixels[i], w.samples) << n;
        }
    }
    for (unsigned j = 0; j < rows; ++j)
        for (unsigned i = 0; i < columns; ++i)
            if (masks[j][i] && !quad(left + 2 * int32_t(i), top + 2 * int32_t(j), masks[j][i])) return false;
    return true;
}

template <class Quad>
bool walk_triangle_area(const RasterPrimitive& p, const SamplePattern& s, const pipe::raster::PixelRect& r,
                        Quad& quad) {
    const int32_t x0 = r.x0 & ~1, y0 = r.y0 & ~1;
    const AreaWalk w(p.triangle, s, x0, y0);
    if (r.x1 - r.x0 <= kBlock_px && r.y1 - r.y0 <= kBlock_px)
        return walk_triangle_part(w, false, x0, y0, r, quad);
    for (int32_t y = r.y0 & ~(kBlock_px - 1); y < r.y1; y += kBlock_px)
        for (int32_t x = r.x0 & ~(kBlock_px - 1); x < r.x1; x += kBlock_px) {
            const Overlap o = w.block(x - x0, y - y0);
            if (o == Overlap::None) continue;
            const auto b = pipe::raster::intersect(r, {x, y, x + kBlock_px, y + kBlock_px});
            if (!walk_triangle_part(w, o == Overlap::All, x0, y0, b, quad)) return false;
        }
    return true;
}

/// Calls area(part) for the parts of r in areas.
template <class Area>
bool walk_areas(const pipe::raster::PixelRect& r, Area&& area) {
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
    pipe::raster::for_each_pixel(p.line, r, [&](int32_t x, int32_t y) {
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
/// samples of its pixels.
template <class Quad>
[[nodiscard]] bool walk_quads(const RasterPrimitive& p, const SamplePattern& samples,
                              const pipe::raster::PixelRect& tile, Quad&& quad) {
    const pipe::raster::PixelRect r = pipe::raster::intersect(p.bounds, tile);
    if (r.empty()) return true;
    if (p.covers_all || p.kind == PrimitiveKind::Point) return detail::walk_exactly(p, samples, r, quad);
    if (p.kind == PrimitiveKind::Line)
        return detail::walk_areas(r, [&](const pipe::raster::PixelRect& part) {
            return detail::walk_line_area(p, samples.count, part, quad);
        });
    if (!detail::PixelEdges::fits(p.triangle)) return detail::walk_exactly(p, samples, r, quad);
    return detail::walk_areas(r, [&](const pipe::raster::PixelRect& part) {
        return detail::walk_triangle_area(p, samples, part, quad);
    });
}

}  // namespace terrazzo::units
