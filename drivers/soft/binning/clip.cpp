// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sutherland-Hodgman in clip space, in double precision, which positions of any size cannot overflow. Clip
// distances are first: they then cut the original edges, which the neighbouring primitive has, too.
#include "drivers/soft/binning/clip.h"

#include <cmath>
#include <utility>

#include "drivers/soft/binning/pipeline_limits.h"
#include "pipe/raster/polygon.h"

namespace terrazzo::soft {

namespace {

struct Corner {
    double p[4];
    double weight[3];
};

constexpr uint32_t kPlanes[] = {clip_bit::kW,         clip_bit::kNear,       clip_bit::kFar,
                                clip_bit::kGuardLeft, clip_bit::kGuardRight, clip_bit::kGuardBottom,
                                clip_bit::kGuardTop};

/// Not negative inside.
double distance(const ClipSpace& s, uint32_t plane, const double p[4]) {
    switch (plane) {
        case clip_bit::kNear:
            return s.near * p[3] + p[2];
        case clip_bit::kFar:
            return p[3] - p[2];
        case clip_bit::kGuardLeft:
            return s.low[0] * p[3] + p[0] * s.scale[0];
        case clip_bit::kGuardRight:
            return s.high[0] * p[3] - p[0] * s.scale[0];
        case clip_bit::kGuardBottom:
            return s.low[1] * p[3] + p[1] * s.scale[1];
        case clip_bit::kGuardTop:
            return s.high[1] * p[3] - p[1] * s.scale[1];
        default:
            return p[3] - 1e-30;  // w, kept above zero, because it is a divisor later
    }
}

Corner between(const Corner& a, const Corner& b, double t) {
    Corner c;
    for (int i = 0; i < 4; ++i)
        c.p[i] = a.p[i] + (b.p[i] - a.p[i]) * t;
    for (int i = 0; i < 3; ++i)
        c.weight[i] = a.weight[i] + (b.weight[i] - a.weight[i]) * t;
    return c;
}

Corner cut(const Corner& in, double d_in, const Corner& out, double d_out) {
    return between(in, out, d_in / (d_in - d_out));
}

/// By the corner's weights of the primitive's vertices.
double distance(const float of[3], const Corner& c) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        if (c.weight[i] != 0) sum += c.weight[i] * double(of[i]);
    return sum;
}

bool is_before(const Corner& a, const Corner& b) {
    for (int i = 0; i < 4; ++i)
        if (a.p[i] != b.p[i]) return a.p[i] < b.p[i];
    return false;
}

/// The ends are ordered by position, so that clipping by the opposite half-space cuts at the same point.
Corner cut_plane(const Corner& a, double d_a, const Corner& b, double d_b) {
    if (is_before(b, a)) return between(b, a, d_b / (d_b - d_a));
    return between(a, b, d_a / (d_a - d_b));
}

/// A convex polygon during clipping.
class Polygon {
  public:
    explicit Polygon(const float position[3][4]) {
        for (unsigned i = 0; i < 3; ++i) {
            for (int c = 0; c < 4; ++c)
                from_[i].p[c] = position[i][c];
            for (unsigned c = 0; c < 3; ++c)
                from_[i].weight[c] = i == c;
        }
    }
    /// False: nothing is left.
    template <class Distance, class Cut>
    [[nodiscard]] bool clip(Distance&& distance_of, Cut&& cut_between) {
        const unsigned m =
            pipe::raster::clip_polygon<kMaxClipVertices>(from_, count_, to_, distance_of, cut_between);
        if (m < 3) return false;
        count_ = m;
        std::swap(from_, to_);
        return true;
    }
    [[nodiscard]] unsigned count() const { return count_; }
    [[nodiscard]] const Corner& operator[](unsigned i) const { return from_[i]; }

  private:
    Corner buffers_[2][kMaxClipVertices];
    Corner *from_ = buffers_[0], *to_ = buffers_[1];
    unsigned count_ = 3;
};

bool store(const Corner& c, ClipVertex* out) {
    bool ok = c.p[3] > 0;
    for (int i = 0; i < 4; ++i) {
        out->position[i] = float(c.p[i]);
        ok &= std::isfinite(out->position[i]);
    }
    for (int i = 0; i < 3; ++i)
        out->weight[i] = float(c.weight[i]);
    return ok && out->position[3] > 0;
}

}  // namespace

ClipSpace::ClipSpace(const pipe::Viewport& v, bool z_zero, uint8_t clip_planes, bool depth_clamp)
    : near(z_zero ? 0.0f : 1.0f),
      planes(clip_planes),
      kept(depth_clamp ? ~(clip_bit::kNear | clip_bit::kFar) : ~0u) {
    for (int i = 0; i < 3; ++i) {
        scale[i] = v.scale[i];
        translate[i] = v.translate[i];
    }
    for (int i = 0; i < 2; ++i) {
        low[i] = kGuard_px + translate[i];
        high[i] = kGuard_px - translate[i];
    }
}

unsigned clip_triangle(const ClipSpace& s, uint32_t codes, const float position[3][4],
                       const PrimitiveDistances* distances, ClipVertex out[kMaxClipVertices]) {
    Polygon polygon(position);
    for (unsigned n = 0; distances && n < 8; ++n)
        if ((codes & clip_bit::kDistance << n) &&
            !polygon.clip([&](const Corner& c) { return distance((*distances)[n], c); }, cut_plane))
            return 0;
    for (const uint32_t plane : kPlanes)
        if ((codes & plane) && !polygon.clip([&](const Corner& c) { return distance(s, plane, c.p); }, cut))
            return 0;
    for (unsigned i = 0; i < polygon.count(); ++i)
        if (!store(polygon[i], &out[i])) return 0;
    return polygon.count();
}

bool clip_line(const ClipSpace& s, uint32_t codes, const float position[2][4],
               const PrimitiveDistances* distances, ClipVertex out[2]) {
    Corner v[2] = {};
    for (unsigned i = 0; i < 2; ++i) {
        for (int c = 0; c < 4; ++c)
            v[i].p[c] = position[i][c];
        v[i].weight[i] = 1;
    }
    const auto clip = [&](auto&& distance_of, auto&& cut_between) {
        return pipe::raster::clip_segment(v[0], v[1], distance_of, cut_between);
    };
    for (unsigned n = 0; distances && n < 8; ++n)
        if ((codes & clip_bit::kDistance << n) &&
            !clip([&](const Corner& c) { return distance((*distances)[n], c); }, cut_plane))
            return false;
    for (const uint32_t plane : kPlanes)
        if ((codes & plane) && !clip([&](const Corner& c) { return distance(s, plane, c.p); }, cut))
            return false;
    return store(v[0], &out[0]) && store(v[1], &out[1]);
}

}  // namespace terrazzo::soft
