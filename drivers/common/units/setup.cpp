// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// With w recovered from 1/w, (x w, y w, z w, w) of window coordinates is linear in clip space, and clipping
// is exact. x and y are clipped only if they are too large for the rasterizer. Source: OpenGL ES 3.2 sections
// 12.5 and 13.7.
#include "drivers/common/units/setup.h"

#include <algorithm>
#include <cmath>

#include "pipe/raster/polygon.h"

namespace terrazzo::units {

namespace {

using pipe::raster::PixelRect;

constexpr double kGuard_px = 1 << 20;
constexpr double kSmallestW = 1.0 / (1 << 16);  // below kMaxInvW, so that a clamped vertex is not clipped
constexpr unsigned kMaxCorners = 12;
constexpr float kMaxInvW = 1 << 15;

struct Homogeneous {
    double x, y, z, w;
};
Homogeneous homogeneous(const WindowVertex& v) {
    const double w = 1.0 / double(v.inv_w);
    return {v.x * w, v.y * w, v.z * w, w};
}
Homogeneous mix(const Homogeneous& a, const Homogeneous& b, double t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t};
}

bool finite(const WindowVertex& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.inv_w) &&
           v.inv_w != 0;
}

// The distance to the inside of plane p: w, low and high depth, then the guard band.
constexpr unsigned kPlanes = 7;
double distance(const SetupState& s, const Homogeneous& v, unsigned p) {
    switch (p) {
        case 0:
            return v.w - kSmallestW;
        case 1:
            return s.low_depth_cull ? v.z - s.low_depth * v.w : 1;
        case 2:
            return s.high_depth_cull ? s.high_depth * v.w - v.z : 1;
        case 3:
            return v.x + kGuard_px * v.w;
        case 4:
            return kGuard_px * v.w - v.x;
        case 5:
            return v.y + kGuard_px * v.w;
        default:
            return kGuard_px * v.w - v.y;
    }
}

bool needs_clipping(const SetupState& s, const WindowVertex& v) {
    return !(v.inv_w > 0 && v.inv_w < 1 / kSmallestW) || (s.low_depth_cull && v.z < s.low_depth) ||
           (s.high_depth_cull && v.z > s.high_depth) || std::fabs(v.x) > kGuard_px ||
           std::fabs(v.y) > kGuard_px;
}

unsigned clip(const SetupState& s, Homogeneous* v, unsigned n) {
    Homogeneous from[kMaxCorners];
    for (unsigned p = 0; p < kPlanes && n >= 3; ++p) {
        std::copy_n(v, n, from);
        n = pipe::raster::clip_polygon<kMaxCorners>(
            from, n, v, [&](const Homogeneous& h) { return distance(s, h, p); },
            [](const Homogeneous& in, double d_in, const Homogeneous& out, double d_out) {
                return mix(in, out, d_in / (d_in - d_out));
            });
    }
    return n;
}

[[gnu::always_inline]] inline bool touches(const PixelRect& scissor, const int32_t (*c)[2], unsigned n) {
    int32_t x0 = c[0][0], x1 = x0, y0 = c[0][1], y1 = y0;
    for (unsigned i = 1; i < n; ++i) {
        x0 = std::min(x0, c[i][0]), x1 = std::max(x1, c[i][0]);
        y0 = std::min(y0, c[i][1]), y1 = std::max(y1, c[i][1]);
    }
    return (x1 >> 8) >= scissor.x0 && (x0 >> 8) < scissor.x1 && (y1 >> 8) >= scissor.y0 &&
           (y0 >> 8) < scissor.y1;
}

void snap(double x, double y, int32_t out[2]) {
    out[0] = pipe::raster::to_fixed(float(x));
    out[1] = pipe::raster::to_fixed(float(y));
}

// Twice the area; positive if the corners are clockwise with row 0 on top.
int64_t area2(const int32_t c[3][2]) {
    return (int64_t(c[1][0]) - c[0][0]) * (int64_t(c[2][1]) - c[0][1]) -
           (int64_t(c[2][0]) - c[0][0]) * (int64_t(c[1][1]) - c[0][1]);
}

// Whether a triangle has an area, is within the scissor and is not culled.
[[gnu::always_inline]] inline bool is_visible(const SetupState& s, const int32_t corner[3][2],
                                              uint16_t* back_facing) {
    const int64_t area = area2(corner);
    if (area == 0 || !touches(s.scissor, corner, 3)) return false;
    const bool front = (area < 0) == s.front_ccw;
    *back_facing = !front;
    return !(front ? s.cull_front : s.cull_back);
}

void emit_triangle(const SetupState& s, Primitive* r, std::vector<Primitive>* out) {
    if (is_visible(s, r->corner, &r->back_facing)) out->push_back(*r);
}

void set_up_triangle(const SetupState& s, Primitive& r, std::vector<Primitive>* out) {
    const WindowVertex* v = r.vertex;
    if (!needs_clipping(s, v[0]) && !needs_clipping(s, v[1]) && !needs_clipping(s, v[2])) {
        for (unsigned i = 0; i < 3; ++i)
            snap(v[i].x, v[i].y, r.corner[i]);
        return emit_triangle(s, &r, out);
    }
    Homogeneous polygon[kMaxCorners];
    for (unsigned i = 0; i < 3; ++i)
        polygon[i] = homogeneous(v[i]);
    const unsigned n = clip(s, polygon, 3);
    for (unsigned i = 1; i + 1 < n; ++i) {
        const unsigned corner[3] = {0, i, i + 1};
        for (unsigned k = 0; k < 3; ++k) {
            const Homogeneous& h = polygon[corner[k]];
            snap(h.x / h.w, h.y / h.w, r.corner[k]);
        }
        emit_triangle(s, &r, out);
    }
}

void set_up_line(const SetupState& s, Primitive r, std::vector<Primitive>* out) {
    Homogeneous a = homogeneous(r.vertex[0]), b = homogeneous(r.vertex[1]);
    double from = 0, to = 1;
    for (unsigned p = 0; p < kPlanes; ++p) {
        const double da = distance(s, a, p), db = distance(s, b, p);
        if (da < 0 && db < 0) return;
        if (da < 0) from = std::max(from, da / (da - db));
        if (db < 0) to = std::min(to, da / (da - db));
    }
    if (from >= to) return;
    if (from > 0 || to < 1) {
        const Homogeneous c = mix(a, b, from), d = mix(a, b, to);
        snap(c.x / c.w, c.y / c.w, r.corner[0]);
        snap(d.x / d.w, d.y / d.w, r.corner[1]);
    } else {
        snap(r.vertex[0].x, r.vertex[0].y, r.corner[0]);
        snap(r.vertex[1].x, r.vertex[1].y, r.corner[1]);
    }
    out->push_back(r);
}

}  // namespace

WindowVertex window_vertex(const pipe::Viewport& viewport, const float clip[4]) {
    // If w is 0, its sign bit decides on which side of the plane w = 0 the vertex is.
    const float inv_w = std::clamp(1 / clip[3], -kMaxInvW, kMaxInvW);
    WindowVertex v;
    v.x = clip[0] * inv_w * viewport.scale[0] + viewport.translate[0];
    v.y = clip[1] * inv_w * viewport.scale[1] + viewport.translate[1];
    v.z = clip[2] * inv_w * viewport.scale[2] + viewport.translate[2];
    v.inv_w = inv_w;
    return v;
}

SetupVertex set_up_vertex(const SetupState& state, const WindowVertex& vertex) {
    SetupVertex v;
    v.window = vertex;
    v.inside = finite(vertex) && !needs_clipping(state, vertex);
    if (v.inside) snap(vertex.x, vertex.y, v.corner);
    return v;
}

bool is_visible_inside(const SetupState& state, const SetupVertex* const vertex[3], uint16_t* back_facing) {
    int32_t corner[3][2];
    for (unsigned i = 0; i < 3; ++i)
        std::copy_n(vertex[i]->corner, 2, corner[i]);
    return is_visible(state, corner, back_facing);
}

void set_up_primitive(const SetupState& state, const WindowVertex* vertices, float size_px,
                      std::vector<Primitive>* out) {
    Primitive r;
    r.kind = state.kind;
    r.size_px = std::min(size_px, state.max_size_px);
    const unsigned n = corners_of(state.kind);
    for (unsigned i = 0; i < n; ++i) {
        if (!finite(vertices[i])) return;
        r.vertex[i] = vertices[i];
    }
    switch (state.kind) {
        case PrimitiveKind::Triangle:
            return set_up_triangle(state, r, out);
        case PrimitiveKind::Line:
            return set_up_line(state, r, out);
        case PrimitiveKind::Point: {
            const WindowVertex& v = r.vertex[0];
            if (needs_clipping(state, v)) return;
            snap(v.x, v.y, r.corner[0]);
            out->push_back(r);
            return;
        }
    }
}

}  // namespace terrazzo::units
