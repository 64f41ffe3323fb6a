// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/setup.h"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

const SetupState kTriangles{.scissor = {0, 0, 64, 64}};

std::vector<Primitive> set_up(const SetupState& s, std::initializer_list<WindowVertex> v, float size_px = 1) {
    std::vector<Primitive> out;
    set_up_primitive(s, v.begin(), size_px, &out);
    return out;
}
// Twice the covered area, in px^2.
double area2(const std::vector<Primitive>& all) {
    double sum = 0;
    for (const Primitive& p : all) {
        const auto& c = p.corner;
        sum += std::fabs(double(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) -
                         double(c[2][0] - c[0][0]) * (c[1][1] - c[0][1]));
    }
    return sum / (256 * 256);
}

}  // namespace

TEST_CASE("units: set-up: a triangle inside is snapped and keeps its vertices") {
    const auto out = set_up(kTriangles, {{1.5f, 2, 0.25f, 1}, {9, 2, 0.5f, 2}, {1.5f, 8.001f, 1, 4}});
    REQUIRE(out.size() == 1);
    CHECK(out[0].corner[0][0] == 384);
    CHECK(out[0].corner[2][1] == 2048);  // rounded to nearest
    CHECK(out[0].vertex[1].inv_w == 2);
    CHECK(out[0].back_facing == 0);  // clockwise with row 0 on top, like front faces by default
}

TEST_CASE("units: set-up: faces are culled, triangles outside the scissor and without area are dropped") {
    const WindowVertex a{1, 1, 0, 1}, b{9, 1, 0, 1}, c{1, 9, 0, 1};
    SetupState s = kTriangles;
    s.front_ccw = true;
    CHECK(set_up(s, {a, c, b})[0].back_facing == 0);
    CHECK(set_up(s, {a, b, c})[0].back_facing == 1);
    s.cull_back = true;
    CHECK(set_up(s, {a, b, c}).empty());
    CHECK(set_up(s, {a, c, b}).size() == 1);
    s.cull_front = true;
    CHECK(set_up(s, {a, c, b}).empty());
    CHECK(set_up(kTriangles, {a, a, b}).empty());
    s = kTriangles;
    s.scissor = {20, 0, 64, 64};
    CHECK(set_up(s, {a, c, b}).empty());
}

TEST_CASE("units: set-up: clipping at depth, and without") {
    const WindowVertex a{0, 0, 0.5f, 1}, b{8, 0, 0.5f, 1}, beyond{0, 8, 1.5f, 1};
    const auto cut = set_up(kTriangles, {a, b, beyond});
    CHECK(cut.size() == 2);  // a quad remains
    CHECK(area2(cut) == doctest::Approx(64 - 16));
    SetupState s = kTriangles;
    s.high_depth_cull = false;
    CHECK(area2(set_up(s, {a, b, beyond})) == doctest::Approx(64));
    s = kTriangles;
    s.low_depth = 0.6f;
    CHECK(area2(set_up(s, {a, b, beyond})) < 64);
}

TEST_CASE("units: set-up: through the eye, only the part in front of it is left") {
    const pipe::Viewport viewport{{32, 32, 0.5f}, {32, 32, 0.5f}};
    const float front[2][4] = {{-1, 0, 0, 1}, {1, 0, 0, 1}};
    for (const float w : {-1.0f, 0.0f, -0.0f}) {
        CAPTURE(w);
        const float negative[4] = {0, 2, 0, w};
        const auto out =
            set_up(kTriangles, {window_vertex(viewport, front[0]), window_vertex(viewport, front[1]),
                                window_vertex(viewport, negative)});
        REQUIRE(!out.empty());
        for (const Primitive& p : out)
            for (const auto& corner : p.corner)
                CHECK(corner[1] >= 32 * 256);  // above the edge, and no overflow
    }
    const float nan[4] = {0, std::numeric_limits<float>::quiet_NaN(), 0, 1};
    CHECK(set_up(kTriangles, {window_vertex(viewport, front[0]), window_vertex(viewport, front[1]),
                              window_vertex(viewport, nan)})
              .empty());
}

TEST_CASE("units: set-up: a position in clip space is transformed by the viewport") {
    const pipe::Viewport viewport{{32, -16, 0.5f}, {40, 20, 0.5f}};
    const float clip[4] = {1, 1, -2, 2};
    const WindowVertex v = window_vertex(viewport, clip);
    CHECK(v.x == 56);
    CHECK(v.y == 12);
    CHECK(v.z == 0);
    CHECK(v.inv_w == 0.5f);
}

TEST_CASE("units: set-up: lines are clipped at depth, points are kept or dropped whole, sizes are limited") {
    SetupState s = kTriangles;
    s.kind = PrimitiveKind::Line;
    const auto line = set_up(s, {{0, 4, 0.5f, 1}, {8, 4, 1.5f, 1}}, 9000);
    REQUIRE(line.size() == 1);
    CHECK(line[0].corner[1][0] == 4 * 256);
    CHECK(line[0].size_px == s.max_size_px);
    CHECK(set_up(s, {{0, 4, 1.25f, 1}, {8, 4, 1.5f, 1}}).empty());
    s.kind = PrimitiveKind::Point;
    s.max_size_px = 8;
    CHECK(set_up(s, {{3, 3, 0.5f, 1}}, 16)[0].size_px == 8);
    CHECK(set_up(s, {{3, 3, 1.5f, 1}}).empty());
}
