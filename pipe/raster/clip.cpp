// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sutherland-Hodgman clipping in homogeneous coordinates, viewport and polygon offset.
#include "pipe/raster/clip.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "pipe/raster/polygon.h"

namespace terrazzo::pipe::raster {

namespace {

constexpr unsigned kPlanes = 7;
// For larger w, 1/w and the window coordinates are finite.
constexpr float kMinW = 1e-30f;

// Positive or zero inside the plane.
double distance(unsigned plane, const float p[4]) {
    switch (plane) {
        case 0:
            return double(p[3]) + p[0];
        case 1:
            return double(p[3]) - p[0];
        case 2:
            return double(p[3]) + p[1];
        case 3:
            return double(p[3]) - p[1];
        case 4:
            return double(p[3]) + p[2];
        case 5:
            return double(p[3]) - p[2];
        default:
            return double(p[3]) - kMinW;
    }
}

bool outside(double d) {
    return !(d >= 0);
}  // NaN is outside

ClippedVertex cut(const ClippedVertex& in, double d_in, const ClippedVertex& out, double d_out) {
    const double t = d_in / (d_in - d_out);
    ClippedVertex v;
    for (int i = 0; i < 4; ++i)
        v.position[i] = float(in.position[i] + t * (double(out.position[i]) - in.position[i]));
    for (int i = 0; i < 3; ++i)
        v.weight[i] = float(in.weight[i] + t * (double(out.weight[i]) - in.weight[i]));
    return v;
}

bool finite(const float p[4]) {
    return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]) && std::isfinite(p[3]);
}

ClippedVertex original(const float position[4], unsigned index) {
    ClippedVertex v = {};
    std::copy_n(position, 4, v.position);
    v.weight[index] = 1;
    return v;
}

}  // namespace

uint32_t clip_code(const float position[4]) {
    uint32_t code = 0;
    for (unsigned p = 0; p < kPlanes; ++p)
        if (outside(distance(p, position))) code |= 1u << p;
    return code;
}

unsigned clip_triangle(const float position[3][4], ClippedVertex out[kMaxClippedVertices]) {
    const uint32_t code[3] = {clip_code(position[0]), clip_code(position[1]), clip_code(position[2])};
    if (code[0] & code[1] & code[2]) return 0;
    for (unsigned i = 0; i < 3; ++i) {
        if (!finite(position[i])) return 0;
        out[i] = original(position[i], i);
    }
    unsigned count = 3;
    const uint32_t crossed = code[0] | code[1] | code[2];
    ClippedVertex other[kMaxClippedVertices];
    for (unsigned p = 0; p < kPlanes && count >= 3; ++p) {
        if (!(crossed >> p & 1)) continue;
        std::copy_n(out, count, other);
        count = clip_polygon<kMaxClippedVertices>(
            other, count, out, [p](const ClippedVertex& v) { return distance(p, v.position); }, cut);
    }
    return count >= 3 ? count : 0;
}

bool clip_line(const float position[2][4], ClippedVertex out[2]) {
    if (!finite(position[0]) || !finite(position[1])) return false;
    ClippedVertex a = original(position[0], 0), b = original(position[1], 1);
    for (unsigned p = 0; p < kPlanes; ++p)
        if (!clip_segment(
                a, b, [p](const ClippedVertex& v) { return distance(p, v.position); }, cut))
            return false;
    out[0] = a;
    out[1] = b;
    return true;
}

bool point_survives(const float position[4]) {
    return !(clip_code(position) & (kClipNear | kClipFar | kClipW)) && finite(position);
}

void to_window(const Viewport& viewport, const float position[4], float window[3], float* inv_w) {
    const float inverse = 1.0f / position[3];
    for (int i = 0; i < 3; ++i)
        window[i] = position[i] * inverse * viewport.scale[i] + viewport.translate[i];
    *inv_w = inverse;
}

float depth_resolution(Format depth_format, float largest_depth) {
    const FormatInfo& info = format_info(depth_format);
    for (unsigned i = 0; i < info.channel_count; ++i) {
        if (info.channel[i].letter != 'D') continue;
        // A step of the format is 1 / (2^bits - 1), slightly more than 2^-bits, so that two depths whose
        // difference is r never round to the same value. From 24 bits on, float's own spacing below 1 is
        // coarser.
        const int bits = int(info.channel[i].bits);
        if (info.channel[i].type == ChannelType::Unorm)
            return bits >= 24 ? std::ldexp(1.0f, -23) : std::ldexp(1.0625f, -bits);
        const float magnitude = std::max(std::abs(largest_depth), std::numeric_limits<float>::min());
        return std::ldexp(1.0f, std::ilogb(magnitude) - 23);
    }
    return 0.0f;
}

float polygon_offset(const RasterDesc& raster, Format depth_format, const float window[3][3]) {
    if (!raster.depth_bias) return 0.0f;
    const double x1 = double(window[1][0]) - window[0][0], y1 = double(window[1][1]) - window[0][1];
    const double x2 = double(window[2][0]) - window[0][0], y2 = double(window[2][1]) - window[0][1];
    const double z1 = double(window[1][2]) - window[0][2], z2 = double(window[2][2]) - window[0][2];
    const double area2 = x1 * y2 - x2 * y1;
    double slope = 0;
    if (area2 != 0)
        slope = std::max(std::abs((z1 * y2 - z2 * y1) / area2), std::abs((x1 * z2 - x2 * z1) / area2));
    const float largest = std::max({window[0][2], window[1][2], window[2][2]});
    return clamp_polygon_offset(
        raster, float(slope * raster.depth_bias_factor +
                      double(depth_resolution(depth_format, largest)) * raster.depth_bias_units));
}

}  // namespace terrazzo::pipe::raster
