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
#include <bit>

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
        uint64_t all = 0;  // |step| < kMaxStep: the sum has no bit from 2 kMaxStep on
        for (const pipe::raster::EdgeFunction& e : t.edge)
            all |= uint64_t(e.a + kMaxStep) | uint64_t(e.b + kMaxStep);
        return all < 2 * uint64_t(kMaxStep);
    }
    /// A value far from 0 is replaced by one of the same sign, which no step within the area changes.
    static int32_t clamped(int64_t value) {
        constexpr int64_t kFar = 1 << 30;
        return int32_t(std::clamp(value >> pipe::raster::kSubpixelBits, -kFar, kFar));
    }
    int32_t at[3];
};

/// Calls f(0), f(1), f(2): a loop over edges would not be unrolled.
template <class F>
[[gnu::always_inline]] inline void each_edge(F&& f) {
    f(0u), f(1u), f(2u);
}

/// The edge functions of a triangle in an area, at each sample of the area's first pixel.
struct AreaWalk {
    unsigned samples;
    int32_t x0_px, y0_px;  // the first pixel
    int32_t a[3], b[3];    // steps right and down
    PixelEdges edges[kMaxSamples];

    void begin(const pipe::raster::TriangleSetup& t, const SamplePattern& s, unsigned count, int32_t x_px,
               int32_t y_px) {
        samples = count;
        x0_px = x_px, y0_px = y_px;
        each_edge([&](unsigned i) {
            const pipe::raster::EdgeFunction& e = t.edge[i];
            a[i] = int32_t(e.a), b[i] = int32_t(e.b);
            const int64_t corner = e.value(int64_t(x_px) * pipe::raster::kSubpixelOne,
                                           int64_t(y_px) * pipe::raster::kSubpixelOne) +
                                   e.bias;
            for (unsigned n = 0; n < count; ++n)
                edges[n].at[i] = PixelEdges::clamped(corner + e.a * s.x[n] + e.b * s.y[n]);
        });
    }
};

/// Decides about blocks of an area by the least and greatest edge functions of all samples.
struct BlockTest {
    int32_t least[3], greatest[3];

    explicit BlockTest(const AreaWalk& w) {
        for (unsigned i = 0; i < 3; ++i) {
            least[i] = greatest[i] = w.edges[0].at[i];
            for (unsigned n = 1; n < w.samples; ++n) {
                least[i] = std::min(least[i], w.edges[n].at[i]);
                greatest[i] = std::max(greatest[i], w.edges[n].at[i]);
            }
        }
    }
    /// Of the block whose first pixel is (x, y).
    Overlap block(const AreaWalk& w, int32_t x, int32_t y) const {
        constexpr int32_t kLast = kBlock_px - 1;
        bool all = true;
        for (unsigned i = 0; i < 3; ++i) {
            const int32_t move = w.a[i] * (x - w.x0_px) + w.b[i] * (y - w.y0_px);
            const int32_t right = w.a[i] * kLast, down = w.b[i] * kLast;
            if (greatest[i] + move + std::max(right, 0) + std::max(down, 0) < 0) return Overlap::None;
            all = all && least[i] + move + std::min(right, 0) + std::min(down, 0) >= 0;
        }
        return all ? Overlap::All : Overlap::Some;
    }
};

/// The edge functions at one sample of the pixels of a row's first quad.
struct QuadRow {
    QuadU32 edge[3];

    void begin(const AreaWalk& w, unsigned sample, int32_t x, int32_t y) {
        each_edge([&](unsigned i) {
            edge[i] = QuadU32(quad_steps(w.a[i], w.b[i]) +
                              (w.edges[sample].at[i] + w.a[i] * (x - w.x0_px) + w.b[i] * (y - w.y0_px)));
        });
    }
    /// The covered pixels of `quads` quads, 4 bits each; `right`: the steps to the next quad. The bits of
    /// further quads are not defined.
    uint64_t covered(const QuadU32 right[3], unsigned quads) const {
        QuadU32 e0 = edge[0], e1 = edge[1], e2 = edge[2];
        uint64_t outside = 0;
        for (unsigned bit = 0; bit < 4 * quads; bit += 4) {
            outside |= uint64_t(sign_bits(QuadI32(e0 | e1 | e2))) << bit;
            e0 += right[0], e1 += right[1], e2 += right[2];
        }
        return ~outside;
    }
    void go_down(const QuadU32 down[3]) {
        each_edge([&](unsigned i) { edge[i] += down[i]; });
    }
};

/// The bits of a quad's pixels, `samples` apart.
inline uint32_t spread(unsigned pixels, unsigned samples) {
    if (samples == 1) return pixels;
    return (pixels & 1) | (pixels & 2) << (samples - 1) | (pixels & 4) << 2 * (samples - 1) |
           (pixels & 8) << 3 * (samples - 1);
}

/// The pixels of a row of quads whose column is in the rectangle, 4 bits each quad.
inline uint64_t inside_columns(const pipe::raster::PixelRect& r, int32_t left, unsigned quads) {
    uint64_t inside = ~uint64_t(0) >> (64 - 4 * quads);
    if (left < r.x0) inside &= ~uint64_t(5);
    if (left + int32_t(2 * quads) > r.x1) inside &= ~(uint64_t(10) << (4 * quads - 4));
    return inside;
}
/// Those of `columns` whose row is in the rectangle.
inline uint64_t inside_rows(const pipe::raster::PixelRect& r, int32_t y, uint64_t columns) {
    if (y < r.y0) columns &= 0xcccccccccccccccc;
    if (y + 1 >= r.y1) columns &= 0x3333333333333333;
    return columns;
}

/// The quads of rectangle r, which is in the area. kAll: the triangle covers all of it.
template <bool kAll, bool kOneSample, class Quad>
bool walk_triangle_part(const AreaWalk& w, const pipe::raster::PixelRect& r, Quad& quad) {
    const unsigned samples = kOneSample ? 1 : w.samples;
    const int32_t left = r.x0 & ~1, top = r.y0 & ~1;
    const unsigned quads = unsigned(r.x1 - left + 1) / 2;
    const uint64_t columns = inside_columns(r, left, quads);
    QuadRow row[kOneSample ? 1 : kMaxSamples];
    QuadU32 right[3], down[3];
    if (!kAll) {
        for (unsigned n = 0; n < samples; ++n)
            row[n].begin(w, n, left, top);
        each_edge([&](unsigned i) {
            right[i] = QuadU32{} + 2 * uint32_t(w.a[i]);
            down[i] = QuadU32{} + 2 * uint32_t(w.b[i]);
        });
    }
    for (int32_t y = top; y < r.y1; y += 2) {
        const uint64_t inside = inside_rows(r, y, columns);
        uint64_t pixels[kOneSample ? 1 : kMaxSamples], any = inside;
        pixels[0] = inside;
        for (unsigned n = 0; n < samples && !kAll; ++n) {
            pixels[n] = row[n].covered(right, quads) & inside;
            any = n ? any | pixels[n] : pixels[n];
            row[n].go_down(down);
        }
        while (any) {
            const unsigned bit = unsigned(std::countr_zero(any)) & ~3u;
            any &= ~(uint64_t(15) << bit);
            uint32_t mask = spread(pixels[0] >> bit & 15, samples);
            if (kAll) mask *= (1u << samples) - 1;
            for (unsigned n = 1; n < samples && !kAll; ++n)
                mask |= spread(pixels[n] >> bit & 15, samples) << n;
            if (!quad(left + int32_t(bit / 2), y, mask)) return false;
        }
    }
    return true;
}

template <bool kOneSample, class Quad>
bool walk_triangle_area(const AreaWalk& w, const pipe::raster::PixelRect& r, Quad& quad) {
    // To decide about blocks costs more than to test a few quads that are not covered.
    constexpr int32_t kFew_px = 4 * 48;
    if ((r.x1 - r.x0) * (r.y1 - r.y0) <= kFew_px) return walk_triangle_part<false, kOneSample>(w, r, quad);
    const BlockTest test(w);
    for (int32_t y = r.y0 & ~(kBlock_px - 1); y < r.y1; y += kBlock_px)
        for (int32_t x = r.x0 & ~(kBlock_px - 1); x < r.x1; x += kBlock_px) {
            const Overlap o = test.block(w, x, y);
            if (o == Overlap::None) continue;
            const auto b = pipe::raster::intersect(r, {x, y, x + kBlock_px, y + kBlock_px});
            if (!(o == Overlap::All ? walk_triangle_part<true, kOneSample>(w, b, quad)
                                    : walk_triangle_part<false, kOneSample>(w, b, quad)))
                return false;
        }
    return true;
}

template <class Quad>
bool walk_triangle(const pipe::raster::TriangleSetup& t, const SamplePattern& s,
                   const pipe::raster::PixelRect& r, Quad& quad) {
    AreaWalk w;
    if (s.count == 1) {
        w.begin(t, s, 1, r.x0 & ~1, r.y0 & ~1);
        return walk_triangle_area<true>(w, r, quad);
    }
    w.begin(t, s, s.count, r.x0 & ~1, r.y0 & ~1);
    return walk_triangle_area<false>(w, r, quad);
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
        return detail::walk_triangle(p.triangle, samples, part, quad);
    });
}

}  // namespace terrazzo::units
