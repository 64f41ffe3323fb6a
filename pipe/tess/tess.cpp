// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/tess/tess.h"

#include <algorithm>
#include <cmath>

namespace terrazzo::pipe {

namespace {

/// Coordinates are multiples of 1/kGrid, so that 1 - x is exact.
constexpr double kGrid = 1 << 22;

float on_grid(double x) {
    return float(std::nearbyint(x * kGrid) / kGrid);
}

struct Division {
    double level = 1;
    int segments = 1;
};

Division divide(ir::Spacing spacing, float level, bool above_one) {
    const auto clamp = [&](double low, double high) { return std::clamp(double(level), low, high); };
    Division d;
    switch (spacing) {
        case ir::Spacing::Equal:
            d.level = std::ceil(clamp(1, kMaxTessLevel));
            d.segments = int(d.level);
            break;
        case ir::Spacing::FractionalEven:
            d.level = clamp(2, kMaxTessLevel);
            d.segments = 2 * int(std::ceil(d.level / 2));
            break;
        case ir::Spacing::FractionalOdd:
            d.level = clamp(1, kMaxTessLevel - 1);
            d.segments = 2 * int(std::ceil((d.level - 1) / 2)) + 1;
            break;
    }
    if (d.segments > 1 || !above_one) return d;
    d.segments = spacing == ir::Spacing::FractionalOdd ? 3 : 2;
    d.level = spacing == ir::Spacing::FractionalOdd ? 1 : 2;
    return d;
}

bool is_one(ir::Spacing spacing, float level) {
    return divide(spacing, level, false).segments == 1;
}

}  // namespace

std::vector<float> subdivide(ir::Spacing spacing, float level, bool above_one) {
    const Division d = divide(spacing, level, above_one);
    const int n = d.segments;
    // All segments have the same length, except two: those next to the middle, or next to the segment in the
    // middle. So inner rows have both lengths as well, as conformance tests expect.
    const double length = n > 2 ? 1 / d.level : 1.0 / n;
    std::vector<float> x(size_t(n) + 1);
    for (int k = 1; k * 2 <= n; ++k)
        x[size_t(k)] = on_grid(k * 2 == n ? 0.5 : k * 2 == n - 1 ? 0.5 - length / 2 : k * length);
    x[size_t(n)] = 1;
    for (int k = 0; k * 2 < n; ++k)
        x[size_t(n - k)] = 1 - x[size_t(k)];
    return x;
}

uint32_t Tessellator::point(double u, double v) {
    const float pu = on_grid(u), pv = on_grid(v);
    points_.push_back({pu, pv, domain_.shape == ir::Shape::Triangles ? 1 - pu - pv : 0});
    return uint32_t(points_.size() - 1);
}

/// Adds a triangle in the order that the domain requires, seen with u to the right and v up.
void Tessellator::triangle(uint32_t a, uint32_t b, uint32_t c) {
    if (domain_.points) return;
    const TessPoint &p = points_[a], &q = points_[b], &r = points_[c];
    const double area = (double(q.u) - p.u) * (double(r.v) - p.v) - (double(r.u) - p.u) * (double(q.v) - p.v);
    if ((area < 0) != domain_.clockwise) std::swap(b, c);
    indices_.insert(indices_.end(), {a, b, c});
}

/// Adds the triangles between two parallel rows.
void Tessellator::stitch(const Row& outer, const Row& inner) {
    size_t i = 0, k = 0;
    const size_t a = outer.size() - 1, b = inner.size() - 1;
    while (i < a || k < b) {
        // Advances the row whose next segment has its middle first.
        const bool go_outer = k == b || (i < a && (2 * i + 1) * b <= (2 * k + 1) * a);
        if (go_outer) {
            triangle(outer[i], outer[i + 1], inner[k]);
            ++i;
        } else {
            triangle(outer[i], inner[k + 1], inner[k]);
            ++k;
        }
    }
}

void Tessellator::ring(const Row (&outer)[4], const Row (&inner)[4], unsigned edges) {
    for (unsigned e = 0; e < edges; ++e)
        stitch(outer[e], inner[e]);
}

void Tessellator::triangles(const TessLevels& levels) {
    const ir::Spacing s = domain_.spacing;
    const bool plain = is_one(s, levels.inner[0]) && is_one(s, levels.outer[0]) &&
                       is_one(s, levels.outer[1]) && is_one(s, levels.outer[2]);
    // Corner c has 1 in coordinate c (u, v, w). Edge e runs from corner e + 1 to corner e + 2; coordinate e
    // is 0 on it.
    const auto add = [&](unsigned e, double begin, double end, double across) {
        double of[3];
        of[e] = across;
        of[(e + 1) % 3] = begin;
        of[(e + 2) % 3] = end;
        return point(of[0], of[1]);
    };
    Row outer[4], inner[4];
    uint32_t corner[3];
    for (unsigned c = 0; c < 3; ++c)
        corner[c] = point(c == 0, c == 1);
    for (unsigned e = 0; e < 3; ++e) {
        const std::vector<float> x = subdivide(s, levels.outer[e]);
        outer[e].push_back(corner[(e + 1) % 3]);
        for (size_t k = 1; k + 1 < x.size(); ++k)
            outer[e].push_back(add(e, 1 - double(x[k]), x[k], 0));
        outer[e].push_back(corner[(e + 2) % 3]);
    }
    if (plain) return triangle(corner[0], corner[1], corner[2]);
    const std::vector<float> x = subdivide(s, levels.inner[0], true);
    const int n = int(x.size()) - 1;
    for (int r = 1; 2 * r <= n; ++r) {
        // Ring r: its corners are intersections of the perpendiculars to two edges at x[r]. Its points lie on
        // the perpendiculars at x[k].
        const double near = x[size_t(r)] * 2.0 / 3, far = 1 - 2 * near;
        const int segments = n - 2 * r;
        if (!segments) {
            const uint32_t centre = point(1.0 / 3, 1.0 / 3);
            for (Row& row : inner)
                row = {centre};
        } else {
            uint32_t c[3];
            for (unsigned k = 0; k < 3; ++k)
                c[k] = point(k == 0 ? far : near, k == 1 ? far : near);
            for (unsigned e = 0; e < 3; ++e) {
                inner[e] = {c[(e + 1) % 3]};
                for (int k = 1; k < segments; ++k) {
                    const double t = (double(x[size_t(r + k)]) - x[size_t(r)]) / (1 - 2.0 * x[size_t(r)]);
                    inner[e].push_back(add(e, far + (near - far) * t, near + (far - near) * t, near));
                }
                inner[e].push_back(c[(e + 2) % 3]);
            }
        }
        ring(outer, inner, 3);
        for (unsigned e = 0; e < 3; ++e)
            outer[e] = inner[e];
        if (segments == 1) triangle(inner[0][0], inner[1][0], inner[2][0]);
    }
}

void Tessellator::quads(const TessLevels& levels) {
    const ir::Spacing s = domain_.spacing;
    bool plain = is_one(s, levels.inner[0]) && is_one(s, levels.inner[1]);
    for (const float o : levels.outer)
        plain = plain && is_one(s, o);
    // In order: (0,0), (1,0), (1,1), (0,1). Edge e begins at corner e; the edges are v = 0, u = 1, v = 1, u =
    // 0.
    const uint32_t corner[4] = {point(0, 0), point(1, 0), point(1, 1), point(0, 1)};
    static constexpr unsigned kLevel[4] = {1, 2, 3, 0};
    Row outer[4], inner[4];
    for (unsigned e = 0; e < 4; ++e) {
        const std::vector<float> x = subdivide(s, levels.outer[kLevel[e]]);
        outer[e].push_back(corner[e]);
        for (size_t k = 1; k + 1 < x.size(); ++k) {
            const double t = x[k], back = 1 - t;
            outer[e].push_back(e == 0   ? point(t, 0)
                               : e == 1 ? point(1, t)
                               : e == 2 ? point(back, 1)
                                        : point(0, back));
        }
        outer[e].push_back(corner[(e + 1) % 4]);
    }
    if (plain) {
        triangle(corner[0], corner[1], corner[2]);
        return triangle(corner[0], corner[2], corner[3]);
    }
    const std::vector<float> x = subdivide(s, levels.inner[0], true), y = subdivide(s, levels.inner[1], true);
    const size_t w = x.size() - 2, h = y.size() - 2;  // inner points
    const auto first = uint32_t(points_.size());
    for (size_t j = 0; j < h; ++j)
        for (size_t i = 0; i < w; ++i)
            point(x[i + 1], y[j + 1]);
    const auto in = [&](size_t i, size_t j) { return first + uint32_t(j * w + i); };
    // The diagonals point to the middle, as in other implementations and in the images of conformance tests.
    const auto low = [](size_t cell, size_t points) { return 2 * cell + 2 < points; };
    for (size_t j = 0; j + 1 < h; ++j)
        for (size_t i = 0; i + 1 < w; ++i) {
            const uint32_t a = in(i, j), b = in(i + 1, j), c = in(i + 1, j + 1), d = in(i, j + 1);
            const bool rises = low(i, w) == low(j, h);
            triangle(a, b, rises ? c : d);
            triangle(rises ? a : b, c, d);
        }
    for (size_t i = 0; i < w; ++i) {
        inner[0].push_back(in(i, 0));
        inner[2].push_back(in(w - 1 - i, h - 1));
    }
    for (size_t j = 0; j < h; ++j) {
        inner[1].push_back(in(w - 1, j));
        inner[3].push_back(in(0, h - 1 - j));
    }
    ring(outer, inner, 4);
}

void Tessellator::isolines(const TessLevels& levels) {
    const std::vector<float> v = subdivide(ir::Spacing::Equal, levels.outer[0]);
    const std::vector<float> u = subdivide(domain_.spacing, levels.outer[1]);
    for (size_t j = 0; j + 1 < v.size(); ++j)
        for (size_t i = 0; i < u.size(); ++i) {
            const uint32_t p = point(u[i], v[j]);
            if (i && !domain_.points) indices_.insert(indices_.end(), {p - 1, p});
        }
}

bool Tessellator::run(const TessDomain& domain, const TessLevels& levels) {
    domain_ = domain;
    points_.clear();
    indices_.clear();
    const unsigned edges = domain.shape == ir::Shape::Triangles ? 3
                           : domain.shape == ir::Shape::Quads   ? 4
                                                                : 2;
    for (unsigned e = 0; e < edges; ++e)
        if (!(levels.outer[e] > 0)) return false;  // also if it is NaN
    // A NaN among the inner levels counts as the smallest level.
    TessLevels l = levels;
    for (float& i : l.inner)
        if (!(i > 0)) i = 0;
    if (domain.shape == ir::Shape::Triangles)
        triangles(l);
    else if (domain.shape == ir::Shape::Quads)
        quads(l);
    else
        isolines(l);
    return true;
}

}  // namespace terrazzo::pipe
