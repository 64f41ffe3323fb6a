// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/tess/tess.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <doctest/doctest.h>

namespace terrazzo::pipe {
namespace {

using ir::Shape;
using ir::Spacing;

constexpr Spacing kSpacings[] = {Spacing::Equal, Spacing::FractionalEven, Spacing::FractionalOdd};
constexpr float kLevels[] = {0.3f, 1, 1.5f, 2, 2.7f, 3, 4, 5.01f, 7.9f, 16, 33.3f, 63, 64, 100};

double area_of(const Tessellator& t) {
    double sum = 0;
    const auto& p = t.points();
    for (size_t i = 0; i + 2 < t.indices().size(); i += 3) {
        const TessPoint &a = p[t.indices()[i]], &b = p[t.indices()[i + 1]], &c = p[t.indices()[i + 2]];
        const double area =
            ((double(b.u) - a.u) * (double(c.v) - a.v) - (double(c.u) - a.u) * (double(b.v) - a.v)) / 2;
        CHECK(area >= 0);
        sum += area;
    }
    return sum;
}

/// Each inner edge belongs to two triangles, in opposite directions. The remaining edges are the border.
size_t border_edges(const Tessellator& t) {
    std::map<std::pair<uint32_t, uint32_t>, int> edges;
    for (size_t i = 0; i + 2 < t.indices().size(); i += 3)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = t.indices()[i + k], b = t.indices()[i + (k + 1) % 3];
            CHECK(a != b);
            CHECK(++edges[{a, b}] == 1);
        }
    return size_t(std::count_if(edges.begin(), edges.end(), [&](const auto& e) {
        return !edges.contains({e.first.second, e.first.first});
    }));
}

TEST_CASE("tess: edges are divided as their spacing says") {
    CHECK(subdivide(Spacing::Equal, 0.5f) == std::vector<float>{0, 1});
    CHECK(subdivide(Spacing::Equal, 3.2f) == std::vector<float>{0, 0.25f, 0.5f, 0.75f, 1});
    CHECK(subdivide(Spacing::FractionalEven, 1) == std::vector<float>{0, 0.5f, 1});
    CHECK(subdivide(Spacing::FractionalOdd, 1) == std::vector<float>{0, 1});
    CHECK(subdivide(Spacing::Equal, 1000).size() == 65);
    CHECK(subdivide(Spacing::FractionalOdd, 1000).size() == 64);
    CHECK(subdivide(Spacing::FractionalEven, 4.5f).size() == 7);
    CHECK(subdivide(Spacing::FractionalOdd, 3.5f).size() == 6);
    // The shorter segments are in the middle, therefore inner rows have them, too.
    const std::vector<float> x = subdivide(Spacing::FractionalEven, 8.0f * 16 / 17);
    REQUIRE(x.size() == 9);
    CHECK(x[1] - x[0] == doctest::Approx(17.0 / 128));
    CHECK(x[5] - x[4] == doctest::Approx(0.5 - 3 * 17.0 / 128));
}

TEST_CASE("tess: coordinates increase, and each has its exact complement") {
    for (const Spacing s : kSpacings)
        for (const float level : kLevels)
            for (const bool above : {false, true}) {
                const std::vector<float> x = subdivide(s, level, above);
                CHECK((!above || x.size() > 2));
                for (size_t k = 0; k < x.size(); ++k) {
                    CHECK(x[k] == 1 - x[x.size() - 1 - k]);
                    if (k && !(above && s == Spacing::FractionalOdd && level <= 1)) CHECK(x[k] > x[k - 1]);
                }
            }
}

TEST_CASE("tess: triangles and quads are covered once, without cracks") {
    Tessellator t;
    for (const Shape shape : {Shape::Triangles, Shape::Quads})
        for (const Spacing s : kSpacings)
            for (const float outer : kLevels)
                for (const float inner : kLevels) {
                    CAPTURE(outer);
                    CAPTURE(inner);
                    const TessLevels l = {{outer, 2, 5, 1}, {inner, 3}};
                    REQUIRE(t.run({shape, s}, l));
                    CHECK(area_of(t) == doctest::Approx(shape == Shape::Quads ? 1 : 0.5).epsilon(1e-6));
                    size_t edges = 0;
                    for (unsigned e = 0; e < (shape == Shape::Quads ? 4u : 3u); ++e)
                        edges += subdivide(s, l.outer[e]).size() - 1;
                    CHECK(border_edges(t) == edges);
                    for (const TessPoint& p : t.points())
                        if (shape == Shape::Triangles) CHECK(p.u + p.v + p.w == doctest::Approx(1));
                }
}

TEST_CASE("tess: each point is generated once; triangles have the requested winding") {
    Tessellator t;
    const TessLevels l = {{4, 3, 2, 5}, {4, 3}};
    for (const Shape shape : {Shape::Triangles, Shape::Quads, Shape::Isolines}) {
        REQUIRE(t.run({shape, Spacing::Equal, false, true}, l));
        CHECK(t.indices().empty());
        std::set<std::pair<float, float>> seen;
        for (const TessPoint& p : t.points())
            CHECK(seen.emplace(p.u, p.v).second);
    }
    REQUIRE(t.run({Shape::Quads, Spacing::Equal, false, false}, l));
    const std::vector<uint32_t> ccw = t.indices();
    REQUIRE(t.run({Shape::Quads, Spacing::Equal, true, false}, l));
    REQUIRE(t.indices().size() == ccw.size());
    for (size_t i = 0; i < ccw.size(); i += 3) {
        CHECK(t.indices()[i] == ccw[i]);
        CHECK(t.indices()[i + 1] == ccw[i + 2]);
    }
}

TEST_CASE("tess: known counts") {
    Tessellator t;
    REQUIRE(t.run({Shape::Triangles}, {{1, 1, 1}, {1}}));
    CHECK(t.indices().size() == 3);
    REQUIRE(t.run({Shape::Triangles}, {{2, 2, 2}, {2}}));
    CHECK(t.indices().size() == 18);
    REQUIRE(t.run({Shape::Triangles}, {{1, 1, 1}, {5}}));
    CHECK(t.indices().size() / 3 == 12 + 12 + 1);
    REQUIRE(t.run({Shape::Quads}, {{3, 3, 3, 3}, {3, 3}}));
    CHECK(t.indices().size() == 54);
    REQUIRE(t.run({Shape::Isolines}, {{3, 4}, {}}));
    CHECK(t.indices().size() == 24);
    CHECK(t.points().size() == 15);
}

TEST_CASE("tess: a level of 0, below 0, or NaN discards the patch") {
    Tessellator t;
    CHECK(!t.run({Shape::Triangles}, {{1, 0, 1}, {1}}));
    CHECK(!t.run({Shape::Quads}, {{1, 1, 1, -1}, {1, 1}}));
    CHECK(!t.run({Shape::Isolines}, {{1, std::nanf("")}, {}}));
    CHECK(t.run({Shape::Triangles}, {{1, 1, 1, 0}, {std::nanf(""), 0}}));
}

}  // namespace
}  // namespace terrazzo::pipe
