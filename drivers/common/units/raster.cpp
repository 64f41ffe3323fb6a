// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: OpenGL ES 3.2 sections 13.5 to 13.7.
#include "drivers/common/units/raster.h"

#include <algorithm>
#include <cmath>

#include "pipe/raster/clip.h"

namespace terrazzo::units {

namespace {

// The plane through three values, as a sum of the weights, each of which is 1 at one vertex.
PlaneEquation plane_of(const PlaneEquation weight[3], const float v[3]) {
    // Relative to the first value, so that equal values are exact.
    PlaneEquation p;
    const double d1 = double(v[1]) - v[0], d2 = double(v[2]) - v[0];
    p.a = weight[1].a * d1 + weight[2].a * d2;
    p.b = weight[1].b * d1 + weight[2].b * d2;
    p.c = weight[1].c * d1 + weight[2].c * d2 + v[0];
    return p;
}

// Weights in the window, for the vertices themselves, not for clipped and snapped corners.
bool window_weights(const Primitive& r, PlaneEquation weight[3]) {
    double x[3], y[3];
    for (unsigned i = 0; i < 3; ++i) {
        x[i] = r.vertex[i].x;
        y[i] = r.vertex[i].y;
    }
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (area == 0 || !std::isfinite(area)) return false;
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        weight[i].a = (y[j] - y[k]) / area;
        weight[i].b = (x[k] - x[j]) / area;
        weight[i].c = (x[j] * y[k] - x[k] * y[j]) / area;
    }
    return true;
}

double depth_offset(const DepthBias& bias, const PlaneEquation& z, const float vertex[3]) {
    if (!bias.enable) return 0;
    const double slope = std::max(std::fabs(z.a), std::fabs(z.b));
    const float r = pipe::raster::depth_resolution(bias.format, std::max({vertex[0], vertex[1], vertex[2]}));
    double offset = slope * bias.factor + bias.units * (bias.unit_scale * r);
    if (bias.clamp > 0) offset = std::min(offset, double(bias.clamp));
    if (bias.clamp < 0) offset = std::max(offset, double(bias.clamp));
    return offset;
}

bool set_up_triangle(const Primitive& r, const DepthBias& bias, RasterPrimitive* out) {
    const pipe::raster::FixedPoint corner[3] = {
        {r.corner[0][0], r.corner[0][1]}, {r.corner[1][0], r.corner[1][1]}, {r.corner[2][0], r.corner[2][1]}};
    PlaneEquation weight[3];
    if (!pipe::raster::setup_triangle(corner, &out->triangle) || !window_weights(r, weight)) return false;
    out->bounds = out->triangle.bounds;
    const float z[3] = {r.vertex[0].z, r.vertex[1].z, r.vertex[2].z};
    const float inv_w[3] = {r.vertex[0].inv_w, r.vertex[1].inv_w, r.vertex[2].inv_w};
    out->depth = plane_of(weight, z);
    out->depth.c += depth_offset(bias, out->depth, z);
    out->inv_w = plane_of(weight, inv_w);
    for (unsigned i = 0; i < 3; ++i)
        out->weight[i] = {weight[i].a * inv_w[i], weight[i].b * inv_w[i], weight[i].c * inv_w[i]};
    return true;
}

void set_up_line(const Primitive& r, RasterPrimitive* out) {
    const WindowVertex &a = r.vertex[0], &b = r.vertex[1];
    out->line = pipe::raster::setup_line({r.corner[0][0], r.corner[0][1]}, {r.corner[1][0], r.corner[1][1]},
                                         r.size_px);
    // Linear along the line.
    const double dx = double(b.x) - a.x, dy = double(b.y) - a.y, length2 = dx * dx + dy * dy;
    PlaneEquation t;
    if (length2 > 0) t = {dx / length2, dy / length2, -(a.x * dx + a.y * dy) / length2};
    const auto along = [&](double v0, double v1) {
        return PlaneEquation{t.a * (v1 - v0), t.b * (v1 - v0), t.c * (v1 - v0) + v0};
    };
    out->depth = along(a.z, b.z);
    out->inv_w = along(a.inv_w, b.inv_w);
    out->weight[0] = along(a.inv_w, 0);
    out->weight[1] = along(0, b.inv_w);
    const double wide = std::max(1.0f, r.size_px) + 1;
    const auto low = [&](unsigned c) {
        return int32_t((std::min(r.corner[0][c], r.corner[1][c]) >> 8) - wide);
    };
    const auto high = [&](unsigned c) {
        return int32_t((std::max(r.corner[0][c], r.corner[1][c]) >> 8) + wide + 1);
    };
    out->bounds = {low(0), low(1), high(0), high(1)};
}

void set_up_point(const Primitive& r, RasterPrimitive* out) {
    const WindowVertex& v = r.vertex[0];
    out->point_x_px = v.x;
    out->point_y_px = v.y;
    out->bounds = pipe::raster::point_pixels(v.x, v.y, r.size_px);
    out->depth.c = v.z;
    out->inv_w.c = v.inv_w;
    out->weight[0].c = v.inv_w;
}

}  // namespace

bool set_up_raster(const Primitive& p, const DepthBias& bias, bool multisampled, RasterPrimitive* out) {
    out->kind = p.kind;
    out->back_facing = p.back_facing != 0;
    out->size_px = p.size_px;
    switch (p.kind) {
        case PrimitiveKind::Triangle:
            if (!set_up_triangle(p, bias, out)) return false;
            break;
        case PrimitiveKind::Line:
            set_up_line(p, out);
            break;
        case PrimitiveKind::Point:
            set_up_point(p, out);
            break;
    }
    // Samples may be covered in pixels next to those whose centres are.
    pipe::raster::PixelRect& b = out->bounds;
    if (multisampled) b = {b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1};
    return !b.empty();
}

RasterPrimitive cover_rect(const pipe::raster::PixelRect& bounds, uint32_t width_px, uint32_t height_px,
                           double depth) {
    RasterPrimitive p;
    p.covers_all = true;
    p.bounds = bounds;
    p.weight[1] = {1.0 / width_px, 0, 0};
    p.weight[2] = {0, 1.0 / height_px, 0};
    p.weight[0] = {-p.weight[1].a, -p.weight[2].b, 1};
    p.inv_w.c = 1;
    p.depth.c = depth;
    return p;
}

}  // namespace terrazzo::units
