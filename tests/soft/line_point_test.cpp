// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Lines and points, compared with literals, and random ones with pipe/raster/edge.h.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "pipe/raster/edge.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

TEST_CASE("a line excludes its last pixel, and wide lines extend across") {
    Scene s({.width = 8, .height = 6});
    s.begin();
    s.draw(pipe::Primitive::Lines, {s.at(1.5f, 2.5f), s.at(5.5f, 2.5f)});
    CHECK(s.picture() ==
          "........\n"
          "........\n"
          ".####...\n"
          "........\n"
          "........\n"
          "........\n");
    Scene wide({.width = 8, .height = 6});
    wide.begin();
    wide.raster({.line_width_px = 3});
    wide.draw(pipe::Primitive::Lines, {wide.at(1.5f, 2.5f), wide.at(5.5f, 2.5f)});
    CHECK(wide.picture() ==
          "........\n"
          ".####...\n"
          ".####...\n"
          ".####...\n"
          "........\n"
          "........\n");
}

TEST_CASE("a point of even size at a pixel corner, and of odd size at a centre") {
    Scene s({.width = 8, .height = 8});
    s.begin();
    Vertex a = s.at(2, 2), b = s.at(5.5f, 5.5f), c = s.at(7.5f, 0.5f);
    a.size = 2;
    b.size = 3;
    s.draw(pipe::Primitive::Points, {a, b, c});
    CHECK(s.picture() ==
          ".......#\n"
          ".##.....\n"
          ".##.....\n"
          "........\n"
          "....###.\n"
          "....###.\n"
          "....###.\n"
          "........\n");
}

TEST_CASE("random lines of any width cover the rules' fragments, each once") {
    std::mt19937 random(77);
    for (int round = 0; round < 400; ++round) {
        const uint32_t w = 150, h = 140;
        Scene s({.width = w, .height = h});
        s.begin();
        pipe::BlendDesc adding;
        adding.targets[0].enable = true;
        adding.targets[0].dst_rgb = pipe::BlendFactor::One;
        s.blend(adding);
        const float width = round % 3 ? 1 : 1 + float(random() % 90) / 10;
        s.raster({.line_width_px = width});
        const float spread = round % 2 ? 300.0f : 20.0f;
        std::uniform_real_distribution<float> near_px(-spread, spread);
        std::vector<Vertex> v;
        pipe::raster::FixedPoint f[2];
        const float cx = float(random() % w), cy = float(random() % h);
        for (int i = 0; i < 2; ++i) {
            // Half of them are on the grid where ties happen.
            const auto place = [&](float c) {
                return round % 4 < 2 ? c + near_px(random) : std::round(2 * (c + near_px(random))) / 2;
            };
            const float x = place(cx), y = place(cy);
            v.push_back(s.at(x, y));
            v.back().color[0] = 1.0f / 255;
            f[i] = {pipe::raster::to_fixed(v.back().position[0] * (float(w) / 2) + float(w) / 2),
                    pipe::raster::to_fixed(v.back().position[1] * (float(h) / 2) + float(h) / 2)};
        }
        s.draw(pipe::Primitive::Lines, v);
        std::vector<uint8_t> expected(size_t(w) * h);
        pipe::raster::for_each_pixel(pipe::raster::setup_line(f[0], f[1], width), {0, 0, int(w), int(h)},
                                     [&](int x, int y) { expected[size_t(y) * w + size_t(x)] += 1; });
        REQUIRE(s.red() == expected);
    }
}

TEST_CASE("a line's colour runs from its first vertex to its second") {
    Scene s({.width = 64, .height = 8});
    s.begin();
    std::vector<Vertex> v = {s.at(0, 3.5f), s.at(64, 3.5f)};
    v[0].color[0] = 0;
    s.draw(pipe::Primitive::Lines, v);
    const std::vector<uint8_t> red = s.red();
    for (int x = 0; x < 63; ++x)
        CHECK(std::abs(red[size_t(3 * 64 + x)] - (float(x) + 0.5f) / 64 * 255) <= 0.51f);
}

TEST_CASE("strips and loops join without missing or doubled pixels at their corners") {
    Scene s({.width = 16, .height = 16});
    s.begin();
    pipe::BlendDesc adding;
    adding.targets[0].enable = true;
    adding.targets[0].dst_rgb = pipe::BlendFactor::One;
    s.blend(adding);
    std::vector<Vertex> v = {s.at(2.5f, 2.5f), s.at(12.5f, 2.5f), s.at(12.5f, 12.5f), s.at(2.5f, 12.5f)};
    for (Vertex& i : v)
        i.color[0] = 1.0f / 255;
    s.draw(pipe::Primitive::LineLoop, v);
    const std::vector<uint8_t> red = s.red();
    CHECK(std::count(red.begin(), red.end(), 1) == 40);
    CHECK(std::count(red.begin(), red.end(), 0) == 256 - 40);
}

TEST_CASE("point coordinates begin at the upper left") {
    Scene s({.width = 16, .height = 16, .color = pipe::Format::R32G32B32A32_FLOAT});
    s.begin();
    s.paint(Paint::PointCoord);
    Vertex p = s.at(8, 8);
    p.size = 8;
    s.draw(pipe::Primitive::Points, {p});
    const std::vector<float> f = s.floats();
    for (int y = 4; y < 12; ++y)
        for (int x = 4; x < 12; ++x) {
            float expected[2];
            pipe::raster::point_coord(8, 8, 8, x, y, expected);
            CHECK(f[size_t(y * 16 + x) * 4] == expected[0]);
            CHECK(f[size_t(y * 16 + x) * 4 + 1] == expected[1]);
        }
}

TEST_CASE("point sizes: the state's, and limits for sizes from shaders") {
    for (const float size : {0.0f, -3.0f, std::nanf(""), 1e30f}) {
        Scene s({.width = 8, .height = 8});
        s.begin();
        Vertex p = s.at(4.5f, 4.5f);
        p.size = size;
        s.draw(pipe::Primitive::Points, {p});
        const std::vector<uint8_t> red = s.red();
        CHECK(std::count(red.begin(), red.end(), 255) == (size > 1 ? 64 : 1));
    }
    Scene s({.width = 8, .height = 8});
    s.begin();
    s.raster({.program_point_size = false, .point_size_px = 2});
    s.draw(pipe::Primitive::Points, {s.at(4, 4)});
    const std::vector<uint8_t> red = s.red();
    CHECK(std::count(red.begin(), red.end(), 255) == 4);
}

}  // namespace terrazzo::soft::test
