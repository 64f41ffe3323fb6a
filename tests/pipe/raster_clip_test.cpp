// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clipping, the viewport and polygon offset.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "pipe/raster/clip.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::raster;

TEST_CASE("clip: primitives inside stay unchanged, those outside are removed") {
    const float inside[3][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, -1, 1}};
    ClippedVertex out[kMaxClippedVertices];
    REQUIRE(clip_triangle(inside, out) == 3);
    for (int i = 0; i < 3; ++i) {
        CHECK(std::memcmp(out[i].position, inside[i], 16) == 0);
        CHECK(out[i].weight[i] == 1.0f);
    }
    const float left[3][4] = {{-3, 0, 0, 1}, {-2, 5, 0, 1}, {-2, 0, 0, 1}};
    CHECK(clip_triangle(left, out) == 0);
    const float negative_w[3][4] = {{0, 0, 0, -1}, {1, 0, 0, -1}, {0, 1, 0, -1}};
    CHECK(clip_triangle(negative_w, out) == 0);
    const float nan[3][4] = {{std::nanf(""), 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}};
    CHECK(clip_triangle(nan, out) == 0);
    const float zero[3][4] = {};
    CHECK(clip_triangle(zero, out) == 0);
}

TEST_CASE("clip: one plane cuts a triangle to a quad with the right weights") {
    const float v[3][4] = {{0, 0, 0, 1}, {2, 0, 0, 1}, {0, 0.5f, 0, 1}};
    ClippedVertex out[kMaxClippedVertices];
    REQUIRE(clip_triangle(v, out) == 4);
    CHECK(out[1].position[0] == 1.0f);
    CHECK(out[1].weight[0] == 0.5f);
    CHECK(out[1].weight[1] == 0.5f);
    CHECK(out[2].position[0] == 1.0f);
    CHECK(out[2].position[1] == 0.25f);
}

TEST_CASE("clip: through the eye, the remainder has positive w and lies in the volume") {
    std::mt19937 rng(8);
    std::uniform_real_distribution<float> any(-3, 3);
    int kept = 0;
    for (int round = 0; round < 5000; ++round) {
        float v[3][4];
        for (auto& p : v)
            for (float& c : p)
                c = any(rng);
        ClippedVertex out[kMaxClippedVertices];
        const unsigned n = clip_triangle(v, out);
        REQUIRE(n <= kMaxClippedVertices);
        kept += n > 0;
        for (unsigned i = 0; i < n; ++i) {
            const float* p = out[i].position;
            CHECK(p[3] > 0.0f);
            for (int c = 0; c < 3; ++c)
                CHECK(std::abs(p[c]) <= p[3] * 1.0001f + 1e-6f);
            for (int c = 0; c < 4; ++c) {
                const float sum =
                    out[i].weight[0] * v[0][c] + out[i].weight[1] * v[1][c] + out[i].weight[2] * v[2][c];
                CHECK(sum == doctest::Approx(p[c]).epsilon(1e-4).scale(1));
            }
        }
    }
    CHECK(kept > 100);
}

TEST_CASE("clip: adjacent triangles cut their common edge at the same point, to the bit") {
    std::mt19937 rng(9);
    std::uniform_real_distribution<float> any(-2, 2);
    for (int round = 0; round < 1000; ++round) {
        float p[4][4];
        for (auto& q : p)
            q[0] = any(rng), q[1] = any(rng) * 0.4f, q[2] = 0, q[3] = 1;
        p[0][0] = 0.5f, p[1][0] = 1.75f, p[2][0] = 0.1f, p[3][0] = 0.2f;  // edge 0-1 crosses the plane x = w
        const float one[3][4] = {
            {p[0][0], p[0][1], 0, 1}, {p[1][0], p[1][1], 0, 1}, {p[2][0], p[2][1], 0, 1}};
        const float two[3][4] = {
            {p[1][0], p[1][1], 0, 1}, {p[0][0], p[0][1], 0, 1}, {p[3][0], p[3][1], 0, 1}};
        ClippedVertex a[kMaxClippedVertices], b[kMaxClippedVertices];
        REQUIRE(clip_triangle(one, a) == 4);
        REQUIRE(clip_triangle(two, b) == 4);
        CHECK(std::memcmp(a[1].position, b[0].position, 16) == 0);
    }
}

TEST_CASE("clip: lines and points") {
    const float v[2][4] = {{-3, 0, 0, 1}, {1, 0, 0, 1}};
    ClippedVertex out[2];
    REQUIRE(clip_line(v, out));
    CHECK(out[0].position[0] == -1.0f);
    CHECK(out[0].weight[0] == 0.5f);
    CHECK(out[1].weight[1] == 1.0f);
    const float miss[2][4] = {{-3, 0, 0, 1}, {0, 3, 0, 1}};
    CHECK_FALSE(clip_line(miss, out));
    const float wide[4] = {5, 0, 0, 1}, near[4] = {0, 0, -1.5f, 1}, negative_w[4] = {0, 0, 0, -1};
    CHECK(point_survives(wide));
    CHECK_FALSE(point_survives(near));
    CHECK_FALSE(point_survives(negative_w));
}

TEST_CASE("viewport and polygon offset") {
    const Viewport vp = {{50, 25, 0.5f}, {60, 30, 0.5f}};
    const float p[4] = {1, -2, 0, 2};
    float window[3], inv_w;
    to_window(vp, p, window, &inv_w);
    CHECK(window[0] == 85.0f);
    CHECK(window[1] == 5.0f);
    CHECK(window[2] == 0.5f);
    CHECK(inv_w == 0.5f);
    CHECK(depth_resolution(Format::D24_UNORM_S8_UINT, 1) == std::ldexp(1.0f, -23));
    CHECK(depth_resolution(Format::D16_UNORM, 1) == std::ldexp(1.0625f, -16));
    CHECK(depth_resolution(Format::D32_FLOAT, 0.75f) == std::ldexp(1.0f, -24));
    CHECK(depth_resolution(Format::D32_FLOAT, 1.0f) == std::ldexp(1.0f, -23));
    RasterDesc r;
    const float tri[3][3] = {{0, 0, 0}, {8, 0, 0.5f}, {0, 8, -1}};
    CHECK(polygon_offset(r, Format::D16_UNORM, tri) == 0.0f);
    r.depth_bias = true;
    r.depth_bias_factor = 2;
    r.depth_bias_units = 4;
    CHECK(polygon_offset(r, Format::D16_UNORM, tri) == 0.25f + 4.25f / 65536);
}

TEST_CASE("raster: the clamp of depth bias has the sign of the limit") {
    RasterDesc d;
    d.depth_bias = true;
    CHECK(clamp_polygon_offset(d, 0.75f) == 0.75f);
    d.depth_bias_clamp = 0.5f;
    CHECK(clamp_polygon_offset(d, 0.75f) == 0.5f);
    CHECK(clamp_polygon_offset(d, -0.75f) == -0.75f);
    d.depth_bias_clamp = -0.5f;
    CHECK(clamp_polygon_offset(d, -0.75f) == -0.5f);
    CHECK(clamp_polygon_offset(d, 0.75f) == 0.75f);
    // polygon_offset applies it, too: a slope of 1 with a factor of 4.
    d.depth_bias_factor = 4;
    d.depth_bias_clamp = 0.25f;
    const float window[3][3] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 0}};
    CHECK(polygon_offset(d, Format::D16_UNORM, window) == 0.25f);
}
