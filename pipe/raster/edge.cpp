// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Coverage of triangles, points and lines in exact integers.
#include "pipe/raster/edge.h"

#include <algorithm>
#include <cmath>

namespace terrazzo::pipe::raster {

namespace {

// The first pixel whose centre is not before the coordinate (in 1/256 pixels).
int32_t first_center(int64_t fixed) {
    return int32_t((fixed - kSubpixelHalf + kSubpixelOne - 1) >> kSubpixelBits);
}

int64_t center(int32_t pixel) {
    return int64_t(pixel) * kSubpixelOne + kSubpixelHalf;
}

EdgeFunction make_edge(FixedPoint from, FixedPoint to) {
    const int64_t dx = int64_t(to.x) - from.x, dy = int64_t(to.y) - from.y;
    EdgeFunction e;
    e.a = -dy;
    e.b = dx;
    e.c = dy * from.x - dx * from.y;
    e.bias = edge_owns_ties(dx, dy) ? 0 : -1;
    return e;
}

}  // namespace

int32_t to_fixed(float window_px) {
    const double scaled = double(window_px) * kSubpixelOne;
    if (!(scaled > -double(kMaxFixed))) return scaled <= -double(kMaxFixed) ? -kMaxFixed : 0;
    if (scaled > double(kMaxFixed)) return kMaxFixed;
    return int32_t(std::lrint(scaled));
}

bool setup_triangle(const FixedPoint v[3], TriangleSetup* out) {
    const int64_t area2 = (int64_t(v[1].x) - v[0].x) * (int64_t(v[2].y) - v[0].y) -
                          (int64_t(v[2].x) - v[0].x) * (int64_t(v[1].y) - v[0].y);
    if (area2 == 0) return false;
    out->ccw = area2 > 0;
    out->area2 = area2 > 0 ? area2 : -area2;
    for (int i = 0; i < 3; ++i) {
        const FixedPoint &from = v[(i + 1) % 3], &to = v[(i + 2) % 3];
        out->edge[i] = out->ccw ? make_edge(from, to) : make_edge(to, from);
    }
    const auto [x0, x1] = std::minmax({v[0].x, v[1].x, v[2].x});
    const auto [y0, y1] = std::minmax({v[0].y, v[1].y, v[2].y});
    // One more than the half-open end, since a right or lower vertex exactly on a centre may belong to an
    // edge that owns the centre.
    out->bounds = {first_center(x0), first_center(y0), first_center(x1) + 1, first_center(y1) + 1};
    return true;
}

void TriangleSetup::weights_at(int64_t x, int64_t y, double weight[3]) const {
    const double inverse = 1.0 / double(area2);
    for (int i = 0; i < 3; ++i)
        weight[i] = double(edge[i].value(x, y)) * inverse;
}

void perspective_weights(const double window_weight[3], const double inv_w[3], double weight[3]) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        weight[i] = window_weight[i] * inv_w[i];
        sum += weight[i];
    }
    for (int i = 0; i < 3; ++i)
        weight[i] /= sum;
}

PixelRect point_pixels(float x_px, float y_px, float size_px) {
    if (!(size_px > 0.0f)) return {};
    const int64_t x = to_fixed(x_px), y = to_fixed(y_px);
    const int64_t size = to_fixed(size_px), low = size / 2, high = size - low;
    return {first_center(x - low), first_center(y - low), first_center(x + high), first_center(y + high)};
}

void point_coord(float x_px, float y_px, float size_px, int32_t pixel_x, int32_t pixel_y, float coord[2]) {
    coord[0] = 0.5f + (float(pixel_x) + 0.5f - x_px) / size_px;
    coord[1] = 0.5f - (float(pixel_y) + 0.5f - y_px) / size_px;
}

bool line_exits_diamond(FixedPoint a, FixedPoint b, int32_t pixel_x, int32_t pixel_y) {
    // The spec moves both ends by -(e, e^2). In u = x + y, v = x - y the diamond is an open square with half
    // side 1/2, and both coordinates of the ends decrease by an infinitesimal amount, which decides
    // comparisons of equal values.
    const int64_t cx = center(pixel_x), cy = center(pixel_y), h = kSubpixelHalf;
    const int64_t cu = cx + cy, cv = cx - cy;
    const int64_t ua = int64_t(a.x) + a.y, ub = int64_t(b.x) + b.y;
    const int64_t va = int64_t(a.x) - a.y, vb = int64_t(b.x) - b.y;
    const auto above = [](int64_t p, int64_t bound) { return p > bound; };   // p - small > bound
    const auto below = [](int64_t p, int64_t bound) { return p <= bound; };  // p - small < bound
    const auto within = [&](int64_t p, int64_t c) { return above(p, c - h) && below(p, c + h); };
    if (within(ub, cu) && within(vb, cv)) return false;  // the end is inside: the line does not exit
    if (!above(std::max(ua, ub), cu - h) || !below(std::min(ua, ub), cu + h)) return false;
    if (!above(std::max(va, vb), cv - h) || !below(std::min(va, vb), cv + h)) return false;
    // The line must separate the four corners.
    const int64_t dx = int64_t(b.x) - a.x, dy = int64_t(b.y) - a.y;
    const int tie = dy != 0 ? (dy < 0 ? 1 : -1) : (dx > 0 ? 1 : dx < 0 ? -1 : 0);
    const int64_t corner[4][2] = {{cx - h, cy}, {cx + h, cy}, {cx, cy - h}, {cx, cy + h}};
    bool positive = false, negative = false;
    for (const auto& p : corner) {
        const int64_t e = dx * (p[1] - a.y) - dy * (p[0] - a.x);
        const int sign = e > 0 ? 1 : e < 0 ? -1 : tie;
        positive = positive || sign > 0;
        negative = negative || sign < 0;
    }
    return positive && negative;
}

LineSetup setup_line(FixedPoint a, FixedPoint b, float width_px) {
    LineSetup line;
    line.unshifted_a = a;
    line.unshifted_b = b;
    const int64_t dx = std::abs(int64_t(b.x) - a.x), dy = std::abs(int64_t(b.y) - a.y);
    line.x_major = dx >= dy;
    line.width_px = width_px >= 1.5f ? int32_t(std::min(std::floor(width_px + 0.5f), 65536.0f)) : 1;
    const int32_t shift = (line.width_px - 1) * kSubpixelHalf;
    (line.x_major ? a.y : a.x) -= shift;
    (line.x_major ? b.y : b.x) -= shift;
    line.a = a;
    line.b = b;
    return line;
}

double LineSetup::parameter(int32_t pixel_x, int32_t pixel_y) const {
    const double dx = double(unshifted_b.x) - unshifted_a.x, dy = double(unshifted_b.y) - unshifted_a.y;
    const double length2 = dx * dx + dy * dy;
    if (length2 == 0) return 0;
    const double px = double(center(pixel_x) - unshifted_a.x), py = double(center(pixel_y) - unshifted_a.y);
    return std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
}

namespace detail {

void line_range(const LineSetup& line, int32_t* first, int32_t* last) {
    const int32_t a = line.x_major ? line.a.x : line.a.y, b = line.x_major ? line.b.x : line.b.y;
    *first = (std::min(a, b) >> kSubpixelBits) - 1;
    *last = (std::max(a, b) >> kSubpixelBits) + 1;
}

bool line_fragment(const LineSetup& line, int32_t major, int32_t* minor) {
    const int64_t a0 = line.x_major ? line.a.x : line.a.y, a1 = line.x_major ? line.a.y : line.a.x;
    const int64_t b0 = line.x_major ? line.b.x : line.b.y, b1 = line.x_major ? line.b.y : line.b.x;
    if (a0 == b0) return false;  // without length the minor extent is not larger
    const double t = std::clamp(double(center(major) - a0) / double(b0 - a0), 0.0, 1.0);
    const int32_t guess = int32_t(int64_t(std::floor(double(a1) + t * double(b1 - a1))) >> kSubpixelBits);
    for (int32_t m = guess - 1; m <= guess + 1; ++m)
        if (line_exits_diamond(line.a, line.b, line.x_major ? major : m, line.x_major ? m : major)) {
            *minor = m;
            return true;
        }
    return false;
}

}  // namespace detail

}  // namespace terrazzo::pipe::raster
