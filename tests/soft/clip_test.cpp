// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clipping, the viewport, interpolation, and harmful positions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "drivers/soft/binning/pipeline_limits.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

int covered(Scene& s) {
    const std::vector<uint8_t> red = s.red();
    return int(red.size() - size_t(std::count(red.begin(), red.end(), 0)));
}

}  // namespace

TEST_CASE("near and far cut a triangle in the middle of the picture") {
    Scene s({.width = 32, .height = 32});
    s.begin();
    // Depth goes from -1 to 2 from left to right: pixels are visible where it is in [0,1].
    const std::vector<Vertex> v = {s.at(0, 0, -1), s.at(32, 0, 2), s.at(0, 32, -1), s.at(32, 32, 2)};
    s.draw(pipe::Primitive::TriangleStrip, v);
    const std::vector<uint8_t> red = s.red();
    for (int x = 0; x < 32; ++x) {
        const float depth = -1 + 3 * (float(x) + 0.5f) / 32;
        if (std::abs(depth) > 0.04f && std::abs(depth - 1) > 0.04f)
            CHECK((red[size_t(x)] != 0) == (depth > 0 && depth < 1));
    }
}

TEST_CASE("the near plane may be at z = 0") {
    for (const bool z_zero : {false, true}) {
        Scene s({.width = 32, .height = 32, .depth = pipe::Format::D32_FLOAT});
        s.begin();
        s.raster({.clip_z_zero = z_zero});
        s.depth_stencil({.depth_test = true, .depth_write = true});
        if (z_zero) s.context->set_viewport({{16, 16, 1}, {16, 16, 0}});
        // z goes from -1 to 1 from left to right; depth is z or (z + 1) / 2.
        std::vector<Vertex> v = {s.at(0, 0), s.at(32, 0), s.at(0, 32), s.at(32, 32)};
        for (size_t i = 0; i < 4; ++i)
            v[i].position[2] = i & 1 ? 1 : -1;
        s.draw(pipe::Primitive::TriangleStrip, v);
        const std::vector<uint8_t> bytes = s.bytes(true);
        for (size_t x = 0; x < 32; ++x) {
            float depth;
            std::memcpy(&depth, &bytes[x * 4], 4);
            const float z = (float(x) + 0.5f) / 16 - 1;
            const float expected = z_zero ? (z < 0 ? 1 : z) : (z + 1) / 2;
            CHECK(depth == doctest::Approx(expected).epsilon(1e-5));
        }
        // A point and a line in front of the plane.
        Scene t({.width = 32, .height = 32});
        t.begin();
        t.raster({.clip_z_zero = z_zero});
        Vertex a = t.at(4, 4), b = t.at(20.5f, 4.5f);
        a.position[2] = b.position[2] = -0.5f;
        t.draw(pipe::Primitive::Points, {a});
        t.draw(pipe::Primitive::Lines, {a, b});
        CHECK((covered(t) > 0) == !z_zero);
    }
}

TEST_CASE("a triangle through the eye's plane is drawn on its visible side") {
    Scene s({.width = 64, .height = 64});
    s.begin();
    Vertex a, b, c;  // the third one is on the other side of the eye
    a.position[0] = -1, a.position[1] = -1;
    b.position[0] = 1, b.position[1] = -1;
    c.position[0] = 0, c.position[1] = 5, c.position[2] = -3, c.position[3] = -2;
    s.draw(pipe::Primitive::Triangles, {a, b, c});
    CHECK(covered(s) > 500);
}

TEST_CASE("the viewport bounds triangles, lines and points") {
    for (const pipe::Primitive mode :
         {pipe::Primitive::Triangles, pipe::Primitive::Lines, pipe::Primitive::Points}) {
        Scene s({.width = 40, .height = 40});
        s.begin();
        s.context->set_viewport({{5, 5, 0.5f}, {15, 15, 0.5f}});
        s.raster({.line_width_px = 9});
        std::vector<Vertex> v(3);
        const float p[3][2] = {{-9, -9}, {9, -9}, {0, 9}};
        for (size_t i = 0; i < 3; ++i) {
            std::copy_n(p[i], 2, v[i].position);
            v[i].size = 200;
        }
        if (mode == pipe::Primitive::Lines) v = {v[0], v[1]}, v[0].position[1] = v[1].position[1] = 1;
        if (mode == pipe::Primitive::Points) v = {v[0]}, v[0].position[0] = v[0].position[1] = 0;
        s.draw(mode, v);
        const std::vector<uint8_t> red = s.red();
        int inside = 0;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x) {
                if (!red[size_t(y * 40 + x)]) continue;
                ++inside;
                REQUIRE((x >= 10 && x < 20 && y >= 10 && y < 20));
            }
        CHECK(inside > 0);
    }
}

TEST_CASE("a wide point whose centre is outside the viewport still shows; one beyond far does not") {
    Scene s({.width = 16, .height = 16});
    s.begin();
    Vertex p = s.at(-2, 8);
    p.size = 8;
    s.draw(pipe::Primitive::Points, {p});
    CHECK(covered(s) == 16);
    Scene far({.width = 16, .height = 16});
    far.begin();
    p = far.at(8, 8, 1.01f);
    p.size = 8;
    far.draw(pipe::Primitive::Points, {p});
    CHECK(covered(far) == 0);
}

TEST_CASE("the scissor is exact") {
    Scene s({.width = 20, .height = 20});
    s.begin();
    s.raster({.scissor = true});
    s.context->set_scissor({3, 5, 14, 8});
    const float white[4] = {1, 1, 1, 1};
    s.rectangle(0, 0, 20, 20, 0.5f, white);
    const std::vector<uint8_t> red = s.red();
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 20; ++x)
            REQUIRE((red[size_t(y * 20 + x)] != 0) == (x >= 3 && x < 14 && y >= 5 && y < 8));
}

TEST_CASE("colours are interpolated in perspective, and linearly without it") {
    for (const Paint paint : {Paint::Varying, Paint::NoPerspective, Paint::Flat}) {
        Scene s({.width = 64, .height = 4, .color = pipe::Format::R32G32B32A32_FLOAT});
        s.begin();
        s.paint(paint);
        std::vector<Vertex> v = {s.at(0, 0, 0.5f, 1), s.at(64, 0, 0.5f, 4), s.at(0, 4, 0.5f, 1),
                                 s.at(64, 4, 0.5f, 4)};
        for (size_t i = 0; i < 4; ++i)
            v[i].color[0] = float(i & 1), v[i].color[1] = float(i);
        s.draw(pipe::Primitive::TriangleStrip, v);
        const std::vector<float> f = s.floats();
        for (int x = 0; x < 64; ++x) {
            const double t = (x + 0.5) / 64, perspective = t / 4 / ((1 - t) + t / 4);
            if (paint == Paint::Flat)  // the last vertex: 2 for the lower left triangle, 3 for the other
                CHECK((f[size_t(x) * 4 + 1] == 2 || f[size_t(x) * 4 + 1] == 3));
            else
                CHECK(f[size_t(x) * 4] ==
                      doctest::Approx(paint == Paint::Varying ? perspective : t).epsilon(1e-5));
        }
    }
}

TEST_CASE("attributes survive clipping") {
    Scene s({.width = 32, .height = 32, .color = pipe::Format::R32G32B32A32_FLOAT});
    s.begin();
    // The vertices are far outside the guard band on all sides; the colour is the window position.
    const float far = 40 * kGuard_px;
    std::vector<Vertex> v = {s.at(-far, -far), s.at(far, -far), s.at(0, far)};
    v[0].color[0] = -far, v[0].color[1] = -far;
    v[1].color[0] = far, v[1].color[1] = -far;
    v[2].color[0] = 0, v[2].color[1] = far;
    s.draw(pipe::Primitive::Triangles, v);
    const std::vector<float> f = s.floats();
    for (int i = 0; i < 32 * 32; ++i) {
        CHECK(std::abs(f[size_t(i) * 4] - (float(i % 32) + 0.5f)) < 0.25f);
        CHECK(std::abs(f[size_t(i) * 4 + 1] - (float(i / 32) + 0.5f)) < 0.25f);
    }
}

TEST_CASE("fragment coordinates are pixel centres, depth and 1/w") {
    Scene s({.width = 8, .height = 8, .color = pipe::Format::R32G32B32A32_FLOAT});
    s.begin();
    s.paint(Paint::FragCoord);
    s.draw(pipe::Primitive::TriangleStrip,
           {s.at(0, 0, 0.25f, 2), s.at(8, 0, 0.25f, 2), s.at(0, 8, 0.25f, 2), s.at(8, 8, 0.25f, 2)});
    const std::vector<float> f = s.floats();
    for (int i = 0; i < 64; ++i) {
        CHECK(f[size_t(i) * 4] == float(i % 8) + 0.5f);
        CHECK(f[size_t(i) * 4 + 1] == float(i / 8) + 0.5f);
        CHECK(f[size_t(i) * 4 + 2] == 0.25f);
        CHECK(f[size_t(i) * 4 + 3] == 0.5f);
    }
}

TEST_CASE("huge, infinite and NaN positions neither crash nor hang") {
    const float values[] = {0,
                            -0.0f,
                            1,
                            -1,
                            1e-38f,
                            1e-45f,
                            1e30f,
                            -1e30f,
                            3e38f,
                            -3e38f,
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::nanf(""),
                            1e9f,
                            -70000,
                            16000.5f};
    std::mt19937 random(1);
    Scene s({.width = 100, .height = 70, .depth = pipe::Format::D24_UNORM_S8_UINT, .threads = 2});
    s.begin();
    s.depth_stencil({.depth_test = true, .depth_write = true});
    for (int round = 0; round < 3000; ++round) {
        std::vector<Vertex> v(6);
        for (Vertex& i : v) {
            for (float& c : i.position)
                c = values[random() % std::size(values)];
            i.size = values[random() % std::size(values)];
        }
        s.raster({.depth_bias = (round & 1) != 0,
                  .depth_bias_factor = values[random() % std::size(values)],
                  .depth_bias_units = values[random() % std::size(values)],
                  .line_width_px = values[random() % std::size(values)]});
        s.draw(pipe::Primitive(random() % 7), v);
    }
    CHECK(s.bytes().size() == 100 * 70 * 4);
}

TEST_CASE("unusual viewports and empty targets") {
    for (const float size : {0.0f, 0.5f, 1e9f, -3.0f, std::nanf("")}) {
        Scene s({.width = 20, .height = 20});
        s.begin();
        s.context->set_viewport({{size, size, 0.5f}, {10, size, 0.5f}});
        s.draw(pipe::Primitive::Triangles, {s.at(0, 0), s.at(20, 0), s.at(0, 20)});
        (void)covered(s);
    }
    Scene s({.width = 20, .height = 20});
    pipe::RenderPassDesc nothing;
    nothing.width = nothing.height = 0;
    s.context->begin_render_pass(nothing);
    s.draw(pipe::Primitive::Triangles, {s.at(0, 0), s.at(20, 0), s.at(0, 20)});
    s.context->end_render_pass();
    s.context->flush();
}

}  // namespace terrazzo::soft::test
