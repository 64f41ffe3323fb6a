// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sutherland-Hodgman in clip space, in double: positions of any size cannot overflow it.
#include "drivers/soft/clip.h"

#include <cmath>

#include "drivers/soft/pipeline_limits.h"

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
            return p[3] - 1e-30;  // w: what is left can be divided by
    }
}

/// Always from the inner to the outer end, so that both triangles at an edge compute the same.
Corner cut(const Corner& in, double d_in, const Corner& out, double d_out) {
    const double t = d_in / (d_in - d_out);
    Corner c;
    for (int i = 0; i < 4; ++i)
        c.p[i] = in.p[i] + (out.p[i] - in.p[i]) * t;
    for (int i = 0; i < 3; ++i)
        c.weight[i] = in.weight[i] + (out.weight[i] - in.weight[i]) * t;
    return c;
}

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

ClipSpace::ClipSpace(const pipe::Viewport& v, bool z_zero) : near(z_zero ? 0.0f : 1.0f) {
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
                       ClipVertex out[kMaxClipVertices]) {
    Corner buffers[2][kMaxClipVertices];
    Corner* from = buffers[0];
    Corner* to = buffers[1];
    unsigned n = 3;
    for (unsigned i = 0; i < 3; ++i) {
        for (int c = 0; c < 4; ++c)
            from[i].p[c] = position[i][c];
        for (unsigned c = 0; c < 3; ++c)
            from[i].weight[c] = i == c;
    }
    for (const uint32_t plane : kPlanes) {
        if (!(codes & plane)) continue;
        unsigned m = 0;
        for (unsigned i = 0; i < n; ++i) {
            const Corner &a = from[i], &b = from[i + 1 == n ? 0 : i + 1];
            const double da = distance(s, plane, a.p), db = distance(s, plane, b.p);
            if (da >= 0 && m < kMaxClipVertices) to[m++] = a;
            if ((da >= 0) != (db >= 0) && m < kMaxClipVertices)
                to[m++] = da >= 0 ? cut(a, da, b, db) : cut(b, db, a, da);
        }
        if (m < 3) return 0;
        n = m;
        Corner* const t = from;
        from = to;
        to = t;
    }
    for (unsigned i = 0; i < n; ++i)
        if (!store(from[i], &out[i])) return 0;
    return n;
}

bool clip_line(const ClipSpace& s, uint32_t codes, const float position[2][4], ClipVertex out[2]) {
    Corner v[2] = {};
    for (unsigned i = 0; i < 2; ++i) {
        for (int c = 0; c < 4; ++c)
            v[i].p[c] = position[i][c];
        v[i].weight[i] = 1;
    }
    for (const uint32_t plane : kPlanes) {
        if (!(codes & plane)) continue;
        const double d0 = distance(s, plane, v[0].p), d1 = distance(s, plane, v[1].p);
        if (d0 < 0 && d1 < 0) return false;
        if (d0 < 0)
            v[0] = cut(v[1], d1, v[0], d0);
        else if (d1 < 0)
            v[1] = cut(v[0], d0, v[1], d1);
    }
    return store(v[0], &out[0]) && store(v[1], &out[1]);
}

}  // namespace terrazzo::soft
