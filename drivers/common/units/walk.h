// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The walk over a tile: which pixels, or samples of pixels, a primitive covers, by quads of 2x2 pixels.
#pragma once

#include <algorithm>

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

inline constexpr int32_t kBlock_px = 8;   // 64 pixels are skipped, or taken, at once
inline constexpr int32_t kLines_px = 32;  // lines are collected by areas of this size

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

/// Quads with one pixel of the line each, or more pixels if the line crosses the quad twice.
template <class Quad>
bool walk_line_area(const RasterPrimitive& p, unsigned samples, const pipe::raster::PixelRect& r,
                    Quad& quad) {
    const int32_t x0 = r.x0 & ~(kLines_px - 1), y0 = r.y0 & ~(kLines_px - 1);
    constexpr unsigned kQuads = kLines_px / 2;
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
    if (p.kind == PrimitiveKind::Line && !p.covers_all) {
        for (int32_t y = r.y0 & ~(detail::kLines_px - 1); y < r.y1; y += detail::kLines_px)
            for (int32_t x = r.x0 & ~(detail::kLines_px - 1); x < r.x1; x += detail::kLines_px)
                if (!detail::walk_line_area(
                        p, samples.count,
                        pipe::raster::intersect(r, {x, y, x + detail::kLines_px, y + detail::kLines_px}),
                        quad))
                    return false;
        return true;
    }
    if (samples.is_center())
        return detail::walk_blocks(detail::CenterCoverage{p}, p.covers_all || p.kind == PrimitiveKind::Point,
                                   r, quad);
    return detail::walk_blocks(detail::SampleCoverage{p, samples}, p.covers_all, r, quad);
}

}  // namespace terrazzo::units
