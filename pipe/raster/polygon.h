// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The house's clipper: one plane of Sutherland and Hodgman's algorithm. The caller chooses the planes and the
// contents of vertices: pipe/raster clips floats by the six planes of clip space, drivers/soft by a guard
// band and clip distances, virtual GPUs in window space (drivers/common/units).
//
// A cut is always computed from the inner to the outer vertex, so two triangles that share an edge compute
// the same point.
#pragma once

namespace terrazzo::pipe::raster {

/// Clips a convex polygon of n vertices by one plane. Returns the number of vertices in `to`, at most kMax.
/// distance(v) is not negative inside; NaN counts as outside. cut(in, d_in, out, d_out) returns the vertex on
/// the plane.
template <unsigned kMax, class Vertex, class Distance, class Cut>
[[nodiscard]] unsigned clip_polygon(const Vertex* from, unsigned n, Vertex* to, Distance&& distance,
                                    Cut&& cut) {
    if (n == 0) return 0;
    unsigned m = 0;
    const double first = distance(from[0]);
    double da = first;
    for (unsigned i = 0; i < n; ++i) {
        const bool last = i + 1 == n;
        const Vertex &a = from[i], &b = from[last ? 0 : i + 1];
        const double db = last ? first : distance(b);
        const bool a_in = da >= 0, b_in = db >= 0;
        if (a_in && m < kMax) to[m++] = a;
        if (a_in != b_in && m < kMax) to[m++] = a_in ? cut(a, da, b, db) : cut(b, db, a, da);
        da = db;
    }
    return m;
}

/// Clips a segment by one plane, in place. False: nothing is left.
template <class Vertex, class Distance, class Cut>
[[nodiscard]] bool clip_segment(Vertex& a, Vertex& b, Distance&& distance, Cut&& cut) {
    const double da = distance(a), db = distance(b);
    const bool a_in = da >= 0, b_in = db >= 0;
    if (!a_in && !b_in) return false;
    if (!a_in)
        a = cut(b, db, a, da);
    else if (!b_in)
        b = cut(a, da, b, db);
    return true;
}

}  // namespace terrazzo::pipe::raster
