// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Coverage: pictures of small triangles, lines and points; shared edges without gaps; lines against the
// spec's rule, which is evaluated in rational numbers with a finite offset.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

#include "pipe/raster/edge.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::raster;

namespace {

FixedPoint at(double x, double y) {
    return {to_fixed(float(x)), to_fixed(float(y))};
}

template <class Setup>
std::string picture(const Setup& s, int w, int h) {
    std::string rows(size_t(w + 1) * h, '.');
    for (int y = 0; y < h; ++y)
        rows[size_t(y) * (w + 1) + w] = '\n';
    for_each_pixel(s, PixelRect{0, 0, w, h}, [&](int x, int y) { rows[size_t(y) * (w + 1) + x] = '#'; });
    return rows;
}

std::string triangle(FixedPoint a, FixedPoint b, FixedPoint c) {
    const FixedPoint v[3] = {a, b, c};
    TriangleSetup t;
    return setup_triangle(v, &t) ? picture(t, 6, 4) : "empty";
}

}  // namespace

TEST_CASE("triangle: pixels with their centre on a lower edge are covered, on an upper edge not") {
    const char* expected =
        "####..\n"
        "###...\n"
        "##....\n"
        "#.....\n";
    CHECK(triangle(at(0.5, 0.5), at(4.5, 0.5), at(0.5, 4.5)) == expected);
    CHECK(triangle(at(0.5, 4.5), at(4.5, 0.5), at(0.5, 0.5)) == expected);  // the other winding
    CHECK(triangle(at(4.5, 0.5), at(4.5, 4.5), at(0.5, 4.5)) ==
          "......\n"
          "...#..\n"
          "..##..\n"
          ".###..\n");
    CHECK(triangle(at(1, 1), at(3, 1), at(2, 1)) == "empty");
}

TEST_CASE("triangle: orientation, culling, weights") {
    const FixedPoint v[3] = {at(0, 0), at(8, 0), at(0, 8)};
    TriangleSetup t;
    REQUIRE(setup_triangle(v, &t));
    CHECK(t.ccw);
    CHECK(t.area2 == 64 * 65536);
    double w[3];
    t.weights_at(2 * 256, 4 * 256, w);
    CHECK(w[0] == 0.25);
    CHECK(w[1] == 0.25);
    CHECK(w[2] == 0.5);
    const FixedPoint r[3] = {v[0], v[2], v[1]};
    TriangleSetup u;
    REQUIRE(setup_triangle(r, &u));
    CHECK_FALSE(u.ccw);
    u.weights_at(2 * 256, 4 * 256, w);
    CHECK(w[1] == 0.5);
    CHECK(is_front_facing(true, true));
    CHECK_FALSE(is_front_facing(true, false));
    CHECK(is_culled(CullFace::Back, false));
    CHECK_FALSE(is_culled(CullFace::Back, true));
    CHECK(is_culled(CullFace::Both, true));
    const double window[3] = {0.5, 0.5, 0}, inv_w[3] = {1, 0.25, 1};
    perspective_weights(window, inv_w, w);
    CHECK(w[0] == 0.8);
    CHECK(w[1] == doctest::Approx(0.2));
}

TEST_CASE("triangle: a fan around any point covers each pixel once") {
    std::mt19937 rng(1);
    for (int round = 0; round < 300; ++round) {
        std::uniform_int_distribution<int> coord(2 * 256, 14 * 256), grid(4, 28);
        const bool on_grid = round % 2;  // many centres and corners of pixels lie exactly on edges
        auto random_point = [&] {
            return on_grid ? FixedPoint{grid(rng) * 128, grid(rng) * 128}
                           : FixedPoint{coord(rng), coord(rng)};
        };
        const FixedPoint c = random_point();
        const FixedPoint rim[8] = {{0, 0},
                                   {8 * 256, 0},
                                   {16 * 256, 0},
                                   {16 * 256, 8 * 256},
                                   {16 * 256, 16 * 256},
                                   {8 * 256, 16 * 256},
                                   {0, 16 * 256},
                                   {0, 8 * 256}};
        std::map<std::pair<int, int>, int> hits;
        for (int i = 0; i < 8; ++i) {
            const FixedPoint v[3] = {c, rim[i], rim[(i + 1) % 8]};
            TriangleSetup t;
            if (setup_triangle(v, &t))
                for_each_pixel(t, PixelRect{-4, -4, 40, 40}, [&](int x, int y) { ++hits[{x, y}]; });
        }
        REQUIRE(hits.size() == 256);
        for (const auto& h : hits)
            REQUIRE(h.second == 1);
    }
}

TEST_CASE("triangle: huge coordinates do not overflow") {
    const FixedPoint v[3] = {at(-1e9, -1e9), at(1e9, -1e9), at(0, 1e30)};
    TriangleSetup t;
    REQUIRE(setup_triangle(v, &t));
    CHECK(t.area2 > 0);
    CHECK(t.covers(0, 0));
    CHECK(to_fixed(std::nanf("")) == 0);
    CHECK(to_fixed(INFINITY) == kMaxFixed);
    CHECK(to_fixed(-INFINITY) == -kMaxFixed);
    CHECK(to_fixed(1.5f / 256) == 2);
    CHECK(to_fixed(2.5f / 256) == 2);
}

TEST_CASE("point: squares, the upper end is exclusive") {
    CHECK(point_pixels(2.5f, 3.5f, 1) == PixelRect{2, 3, 3, 4});
    CHECK(point_pixels(2.0f, 3.0f, 1) == PixelRect{1, 2, 2, 3});
    CHECK(point_pixels(4.0f, 4.0f, 4) == PixelRect{2, 2, 6, 6});
    CHECK(point_pixels(4.5f, 4.5f, 3) == PixelRect{3, 3, 6, 6});
    CHECK(point_pixels(4.5f, 4.5f, 0).empty());
    CHECK(point_pixels(4.5f, 4.5f, 0.25f) == PixelRect{4, 4, 5, 5});
    CHECK(point_pixels(4.0f, 4.0f, 0.25f).empty());
    float c[2];
    point_coord(4.0f, 4.0f, 4, 2, 5, c);
    CHECK(c[0] == 0.125f);
    CHECK(c[1] == 0.125f);
    point_coord(4.0f, 4.0f, 4, 5, 2, c);
    CHECK(c[0] == 0.875f);
    CHECK(c[1] == 0.875f);
}

TEST_CASE("line: pictures") {
    CHECK(picture(setup_line(at(0.5, 1.5), at(4.5, 1.5), 1), 6, 3) ==
          "......\n"
          "####..\n"
          "......\n");
    CHECK(picture(setup_line(at(4.5, 1.5), at(0.5, 1.5), 1), 6, 3) ==
          "......\n"
          ".####.\n"
          "......\n");
    CHECK(picture(setup_line(at(0.5, 0.5), at(3.5, 3.5), 1), 6, 4) ==
          "#.....\n"
          ".#....\n"
          "..#...\n"
          "......\n");
    CHECK(picture(setup_line(at(1.5, 0.5), at(1.5, 3.5), 3), 6, 4) ==
          "###...\n"
          "###...\n"
          "###...\n"
          "......\n");
    CHECK(picture(setup_line(at(0.5, 1.5), at(4.5, 1.5), 2.4f), 6,
                  4) ==  // rounds to 2; the line ends at 1.0, by the lower diamond
          "####..\n"
          "####..\n"
          "......\n"
          "......\n");
    CHECK(picture(setup_line(at(2.5, 2.5), at(2.5, 2.5), 1), 6, 1) == "......\n");
    const LineSetup line = setup_line(at(0, 0.5), at(8, 0.5), 1);
    CHECK(line.parameter(1, 0) == 1.5 / 8);
    CHECK(line.parameter(20, 0) == 1.0);
}

TEST_CASE("line: a strip covers each pixel once, in any direction") {
    // Segments that continue each other on one straight line. The diamond-exit rule leaves no gap and covers
    // no pixel twice.
    std::mt19937 rng(2);
    std::uniform_int_distribution<int> coord(0, 64 * 256);
    for (int round = 0; round < 300; ++round) {
        const FixedPoint a{coord(rng) & ~1, coord(rng) & ~1}, b{coord(rng) & ~1, coord(rng) & ~1};
        if (((a.x ^ b.x) | (a.y ^ b.y)) & 2) continue;
        const FixedPoint m{(a.x + b.x) / 2, (a.y + b.y) / 2};
        std::map<std::pair<int, int>, int> whole, parts;
        const PixelRect all{-9, -9, 99, 99};
        for_each_pixel(setup_line(a, b, 1), all, [&](int x, int y) { ++whole[{x, y}]; });
        for_each_pixel(setup_line(a, m, 1), all, [&](int x, int y) { ++parts[{x, y}]; });
        for_each_pixel(setup_line(m, b, 1), all, [&](int x, int y) { ++parts[{x, y}]; });
        CHECK(whole == parts);
    }
}

TEST_CASE("line: the diamond rule against brute force with a tiny real offset") {
    // Coordinates are multiples of 1/4 pixel and e = 2^-16 pixel, so that all products are exact in double.
    std::mt19937 rng(4);
    std::uniform_int_distribution<int> coord(0, 32);
    const double e = std::ldexp(1.0, -16), e2 = std::ldexp(1.0, -24);
    for (int round = 0; round < 400; ++round) {
        const double ax = coord(rng) / 4.0, ay = coord(rng) / 4.0, bx = coord(rng) / 4.0,
                     by = coord(rng) / 4.0;
        const LineSetup line = setup_line(at(ax, ay), at(bx, by), 1);
        std::set<std::pair<int, int>> got, expected;
        for_each_pixel(line, PixelRect{-4, -4, 20, 20}, [&](int x, int y) { got.insert({x, y}); });
        for (int y = -2; y < 12; ++y)
            for (int x = -2; x < 12; ++x) {
                // The minimum of |x - xc| + |y - yc| along the moved segment. The function is convex, so that
                // the minimum is at an end or where a term is 0.
                const double x0 = ax - e - (x + 0.5), y0 = ay - e2 - (y + 0.5);
                const double x1 = bx - e - (x + 0.5), y1 = by - e2 - (y + 0.5);
                double least = std::min(std::abs(x0) + std::abs(y0), std::abs(x1) + std::abs(y1));
                const double dx = x1 - x0, dy = y1 - y0;
                for (double t : {dx != 0 ? -x0 / dx : 0, dy != 0 ? -y0 / dy : 0})
                    if (t > 0 && t < 1)
                        least = std::min(least, std::abs(x0 + t * dx) + std::abs(y0 + t * dy));
                if (least < 0.5 && !(std::abs(x1) + std::abs(y1) < 0.5)) expected.insert({x, y});
            }
        if (got != expected) FAIL("line " << ax << "," << ay << " to " << bx << "," << by);
    }
}
