// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The pixels that a triangle, line or point covers, in integers: window coordinates are snapped to 1/256
// pixel, and edge functions are exact in 64 bits. Source: OpenGL ES 3.2 sections 13.5 (points), 13.6 (lines),
// 13.7 (polygons).
//
// Window coordinates: y grows with the row index (GL's y up); pixel (i, j) has its centre at (i + 1/2, j +
// 1/2). A centre exactly on a shared edge belongs to one of the triangles: to that whose left edge it is
// (interior at larger x), or, for a horizontal edge, to that with the interior at larger y. In an image with
// row 0 at the top this is the "top-left rule".
#pragma once

#include <algorithm>
#include <cstdint>

#include "pipe/state.h"

namespace terrazzo::pipe::raster {

inline constexpr int kSubpixelBits = 8;
inline constexpr int32_t kSubpixelOne = 1 << kSubpixelBits;
inline constexpr int32_t kSubpixelHalf = kSubpixelOne / 2;
/// Snapped coordinates are clamped to this (2^21 pixels), so that 64-bit edge functions cannot overflow.
inline constexpr int32_t kMaxFixed = 1 << 29;

/// A point in 1/256 pixels.
struct FixedPoint {
    int32_t x = 0, y = 0;
    bool operator==(const FixedPoint&) const = default;
};

/// Rounds to 1/256 pixel, ties to even; NaN becomes 0.
int32_t to_fixed(float window_px);

/// A half-open rectangle: [x0,x1) x [y0,y1), pixels.
struct PixelRect {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool empty() const { return x0 >= x1 || y0 >= y1; }
    bool contains(int32_t x, int32_t y) const { return x >= x0 && x < x1 && y >= y0 && y < y1; }
    bool operator==(const PixelRect&) const = default;
};
inline PixelRect intersect(const PixelRect& a, const PixelRect& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

/// a*x + b*y + c in units of 1/256 pixel: positive inside. `bias` is 0 if the edge owns points exactly on it,
/// otherwise -1, so "inside" means value + bias >= 0.
struct EdgeFunction {
    int64_t a = 0, b = 0, c = 0;
    int32_t bias = 0;
    int64_t value(int64_t x, int64_t y) const { return a * x + b * y + c; }
    bool inside(int64_t x, int64_t y) const { return value(x, y) + bias >= 0; }
};

/// The rule for ties: (dx, dy) is the edge's direction, with the interior where the edge function is
/// positive.
constexpr bool edge_owns_ties(int64_t dx, int64_t dy) {
    return dy < 0 || (dy == 0 && dx > 0);
}

/// edge[i] is opposite vertex i, so edge[i].value / area2 is the weight of vertex i.
struct TriangleSetup {
    EdgeFunction edge[3];
    int64_t area2 = 0;  // twice the area in 1/65536 pixel^2; positive
    bool ccw = true;    // of the vertices as passed, with y up
    PixelRect bounds;   // of pixels whose centres may be covered

    bool covers(int32_t x_px, int32_t y_px) const {
        return covers_at(int64_t(x_px) * kSubpixelOne + kSubpixelHalf,
                         int64_t(y_px) * kSubpixelOne + kSubpixelHalf);
    }
    /// For any position in 1/256 pixels, such as a sample's.
    bool covers_at(int64_t x, int64_t y) const {
        return edge[0].inside(x, y) && edge[1].inside(x, y) && edge[2].inside(x, y);
    }
    /// Weights of the vertices, linear in the window (without perspective); their sum is 1. Outside the
    /// triangle they extrapolate.
    void weights_at(int64_t x, int64_t y, double weight[3]) const;
};

/// False: the triangle has no area, and covers nothing.
[[nodiscard]] bool setup_triangle(const FixedPoint v[3], TriangleSetup* out);

/// Whether a triangle with this orientation is front-facing.
constexpr bool is_front_facing(bool ccw, bool front_ccw) {
    return ccw == front_ccw;
}
constexpr bool is_culled(CullFace cull, bool front_facing) {
    switch (cull) {
        case CullFace::None:
            return false;
        case CullFace::Front:
            return front_facing;
        case CullFace::Back:
            return !front_facing;
        case CullFace::Both:
            return true;
    }
    return false;
}

/// Converts weights in the window to those of perspective-correct interpolation: b_i/w_i divided by their
/// sum. inv_w: 1/w of each vertex.
void perspective_weights(const double window_weight[3], const double inv_w[3], double weight[3]);

/// Calls f(x_px, y_px) for each covered pixel in `clip`, row by row.
template <class F>
void for_each_pixel(const TriangleSetup& t, const PixelRect& clip, F&& f) {
    const PixelRect r = intersect(t.bounds, clip);
    for (int32_t y = r.y0; y < r.y1; ++y)
        for (int32_t x = r.x0; x < r.x1; ++x)
            if (t.covers(x, y)) f(x, y);
}

// ---- Points ----

/// The pixels whose centres lie in the square with side `size_px` around the point.
PixelRect point_pixels(float x_px, float y_px, float size_px);
/// gl_PointCoord at the centre of a pixel. (0,0) is the upper left corner, that is at the largest y.
void point_coord(float x_px, float y_px, float size_px, int32_t pixel_x, int32_t pixel_y, float coord[2]);

// ---- Lines ----

/// The diamond-exit rule with the spec's infinitesimal offset, exactly: whether the segment a-b (b excluded)
/// with width 1 generates a fragment of that pixel.
bool line_exits_diamond(FixedPoint a, FixedPoint b, int32_t pixel_x, int32_t pixel_y);

/// A line of integer width: each fragment of the line with width 1, shifted across by (width - 1)/2, is
/// replaced by a row or column of `width` fragments.
struct LineSetup {
    FixedPoint a, b;
    bool x_major = true;
    int32_t width_px = 1;
    /// The position of the pixel's centre along a-b (0 to 1, clamped), for interpolation that is linear in
    /// the window.
    double parameter(int32_t pixel_x, int32_t pixel_y) const;
    FixedPoint unshifted_a, unshifted_b;
};

/// `width` is rounded to the nearest integer, at least 1.
LineSetup setup_line(FixedPoint a, FixedPoint b, float width_px);

namespace detail {
/// The row (x-major) or column of the line's fragment at this step along the major axis. False: there is
/// none.
bool line_fragment(const LineSetup& line, int32_t major, int32_t* minor);
/// The steps along the major axis that may have fragments: [first, last].
void line_range(const LineSetup& line, int32_t* first, int32_t* last);
}  // namespace detail

/// Calls f(x_px, y_px) for each fragment in `clip`, ordered by the major coordinate.
template <class F>
void for_each_pixel(const LineSetup& line, const PixelRect& clip, F&& f) {
    if (clip.empty()) return;
    int32_t first, last, minor;
    detail::line_range(line, &first, &last);
    const int32_t low = line.x_major ? clip.x0 : clip.y0, high = (line.x_major ? clip.x1 : clip.y1) - 1;
    for (int32_t i = first > low ? first : low; i <= (last < high ? last : high); ++i) {
        if (!detail::line_fragment(line, i, &minor)) continue;
        for (int32_t k = 0; k < line.width_px; ++k) {
            const int32_t x = line.x_major ? i : minor + k, y = line.x_major ? minor + k : i;
            if (clip.contains(x, y)) f(x, y);
        }
    }
}

}  // namespace terrazzo::pipe::raster
