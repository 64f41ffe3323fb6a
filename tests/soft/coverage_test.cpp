// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Triangles: which pixels they cover, once each, on any number of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "drivers/soft/kernel/kernel.h"
#include "pipe/raster/edge.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr float kStep[4] = {1.0f / 255, 0, 0, 0};

pipe::BlendDesc adding() {
    pipe::BlendDesc d;
    d.targets[0].enable = true;
    d.targets[0].dst_rgb = d.targets[0].dst_alpha = pipe::BlendFactor::One;
    return d;
}

Vertex stepping(Vertex v) {
    std::copy_n(kStep, 4, v.color);
    return v;
}

}  // namespace

TEST_CASE("a triangle on pixel centres covers its left and first row's edges, not the others") {
    Scene s({.width = 8, .height = 6});
    s.begin();
    s.draw(pipe::Primitive::Triangles, {s.at(1.5f, 1.5f), s.at(5.5f, 1.5f), s.at(1.5f, 5.5f)});
    CHECK(s.picture() ==
          "........\n"
          ".####...\n"
          ".###....\n"
          ".##.....\n"
          ".#......\n"
          "........\n");
}

TEST_CASE("a rectangle covers the half-open range of centres") {
    Scene s({.width = 8, .height = 4});
    s.begin();
    const float white[4] = {1, 1, 1, 1};
    s.rectangle(1.5f, 0.5f, 4.5f, 2.5f, 0.5f, white);
    CHECK(s.picture() ==
          ".###....\n"
          ".###....\n"
          "........\n"
          "........\n");
}

TEST_CASE("a fan around random points covers each pixel of a rectangle once") {
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        const uint32_t w = 1 + random() % 200, h = 1 + random() % 200;
        Scene s({.width = w, .height = h});
        s.begin();
        s.blend(adding());
        std::uniform_real_distribution<float> in_x(0, float(w)), in_y(0, float(h));
        const Vertex c = s.at(in_x(random), in_y(random));
        const float fw = float(w), fh = float(h), mx = in_x(random), my = in_y(random);
        std::vector<Vertex> v = {c,           s.at(0, 0),   s.at(mx, 0),
                                 s.at(fw, 0), s.at(fw, my), s.at(fw, fh),
                                 s.at(0, fh), s.at(0, my),  s.at(0, 0)};
        for (Vertex& i : v)
            i = stepping(i);
        s.draw(pipe::Primitive::TriangleFan, v);
        const std::vector<uint8_t> red = s.red();
        CHECK(std::count(red.begin(), red.end(), 1) == int(red.size()));
    }
}

TEST_CASE("a random mesh, partly far outside, is watertight") {
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        const uint32_t w = 150, h = 130;
        Scene s({.width = w, .height = h, .threads = 2});
        s.begin();
        s.blend(adding());
        constexpr int kGrid = 6;
        // A grid over [-400, 550]^2 px. Its inner points are moved by less than half a cell. w differs
        // between points.
        std::vector<Vertex> grid;
        std::uniform_real_distribution<float> jitter(-60, 60), depth_w(0.5f, 3);
        for (int y = 0; y <= kGrid; ++y)
            for (int x = 0; x <= kGrid; ++x)
                grid.push_back(stepping(s.at(float(x) * 160 - 400 + jitter(random),
                                             float(y) * 160 - 400 + jitter(random), 0.5f, depth_w(random))));
        std::vector<uint32_t> indices;
        for (uint32_t y = 0; y < kGrid; ++y)
            for (uint32_t x = 0; x < kGrid; ++x) {
                const uint32_t a = y * (kGrid + 1) + x, b = a + 1, c = a + kGrid + 1, d = c + 1;
                if (random() & 1)
                    indices.insert(indices.end(), {a, b, d, a, d, c});
                else
                    indices.insert(indices.end(), {a, c, b, b, c, d});
            }
        s.draw_indexed(pipe::Primitive::Triangles, grid, indices, pipe::IndexType::U16);
        const std::vector<uint8_t> red = s.red();
        CHECK(std::count(red.begin(), red.end(), 1) == int(red.size()));
    }
}

TEST_CASE("coverage follows the rules, for random triangles of every size") {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        const uint32_t w = 140, h = 90;
        Scene s({.width = w, .height = h});
        s.begin();
        const float spread = round % 3 == 0 ? 12.0f : round % 3 == 1 ? 150.0f : 4000.0f;
        std::uniform_real_distribution<float> near_px(-spread, spread);
        // Multiples of 1/256 px stay exact through clip space if the target's size is a power of two. The
        // size here is not, so the test repeats the pipeline's own snapping.
        std::vector<Vertex> v;
        pipe::raster::FixedPoint f[3];
        const float cx = float(random() % w), cy = float(random() % h);
        for (int i = 0; i < 3; ++i) {
            v.push_back(s.at(cx + near_px(random), cy + near_px(random)));
            f[i] = {pipe::raster::to_fixed(v[size_t(i)].position[0] * (float(w) / 2) + float(w) / 2),
                    pipe::raster::to_fixed(v[size_t(i)].position[1] * (float(h) / 2) + float(h) / 2)};
        }
        s.draw(pipe::Primitive::Triangles, v);
        std::vector<uint8_t> expected(size_t(w) * h);
        pipe::raster::TriangleSetup t;
        if (pipe::raster::setup_triangle(f, &t))
            pipe::raster::for_each_pixel(t, {0, 0, int(w), int(h)},
                                         [&](int x, int y) { expected[size_t(y) * w + size_t(x)] = 255; });
        REQUIRE(s.red() == expected);
    }
}

TEST_CASE("culling follows the orientation") {
    for (const bool ccw : {true, false})
        for (const bool front_ccw : {true, false})
            for (const pipe::CullFace cull :
                 {pipe::CullFace::None, pipe::CullFace::Front, pipe::CullFace::Back, pipe::CullFace::Both}) {
                Scene s({.width = 8, .height = 8});
                s.begin();
                s.raster({.cull = cull, .front_ccw = front_ccw});
                std::vector<Vertex> v = {s.at(0, 0), s.at(8, 0), s.at(0, 8)};
                if (!ccw) std::swap(v[1], v[2]);
                s.draw(pipe::Primitive::Triangles, v);
                const std::vector<uint8_t> red = s.red();
                const bool drawn = red[0] != 0;
                CHECK(drawn == !pipe::raster::is_culled(cull, ccw == front_ccw));
            }
}

TEST_CASE("strips, fans, lists, indices and restart give the same picture") {
    const auto points = [](const Scene& s) {
        return std::vector<Vertex>{s.at(2, 2),   s.at(20, 3),  s.at(4, 17),
                                   s.at(24, 20), s.at(10, 30), s.at(30, 29)};
    };
    Scene list({.width = 32, .height = 32});
    list.begin();
    list.raster({.cull = pipe::CullFace::Back});
    const std::vector<Vertex> p = points(list);
    list.draw(pipe::Primitive::Triangles,
              {p[0], p[1], p[2], p[2], p[1], p[3], p[2], p[3], p[4], p[4], p[3], p[5]});
    const std::vector<uint8_t> expected = list.bytes();
    CHECK(std::count(expected.begin(), expected.end(), 255) > 100);

    Scene strip({.width = 32, .height = 32});
    strip.begin();
    strip.raster({.cull = pipe::CullFace::Back});
    strip.draw(pipe::Primitive::TriangleStrip, p);
    CHECK(strip.bytes() == expected);

    for (const pipe::IndexType type : {pipe::IndexType::U8, pipe::IndexType::U16, pipe::IndexType::U32}) {
        const uint32_t restart = type == pipe::IndexType::U8    ? 0xff
                                 : type == pipe::IndexType::U16 ? 0xffff
                                                                : 0xffffffff;
        Scene s({.width = 32, .height = 32});
        s.begin();
        s.raster({.cull = pipe::CullFace::Back});
        s.draw_indexed(pipe::Primitive::TriangleStrip, p, {0, 1, 2, 3, restart, 2, 3, 4, 5}, type, true);
        CHECK(s.bytes() == expected);
    }
}

TEST_CASE("a long strip crosses batches without seams or losses") {
    Scene s({.width = 256, .height = 4});
    s.begin();
    s.blend(adding());
    std::vector<Vertex> v;
    const int columns = 2000;
    for (int i = 0; i <= columns; ++i) {
        const float x = 256.0f * float(i) / columns;
        v.push_back(stepping(s.at(x, 0)));
        v.push_back(stepping(s.at(x, 4)));
    }
    s.draw(pipe::Primitive::TriangleStrip, v);
    const std::vector<uint8_t> red = s.red();
    CHECK(std::count(red.begin(), red.end(), 1) == int(red.size()));
}

TEST_CASE("the picture depends neither on the number of threads nor on the instruction set") {
    std::vector<uint8_t> first;
    for (const unsigned threads : {1u, 2u, 3u, 8u, 0u}) {
        std::mt19937 random(5);
        Scene s({.width = 333,
                 .height = 217,
                 .depth = pipe::Format::D24_UNORM_S8_UINT,
                 .threads = threads ? threads : 1,
                 .kernel = threads ? nullptr : baseline::run_tile});
        pipe::BlendDesc mixing;
        mixing.targets[0].enable = true;
        mixing.targets[0].src_rgb = pipe::BlendFactor::SrcAlpha;
        mixing.targets[0].dst_rgb = pipe::BlendFactor::OneMinusSrcAlpha;
        s.blend(mixing);
        s.begin();
        s.depth_stencil({.depth_test = true, .depth_write = true});
        std::uniform_real_distribution<float> x(-50, 380), y(-50, 260), unit(0, 1), w(0.3f, 4);
        std::vector<Vertex> v;
        for (int i = 0; i < 900; ++i) {
            v.push_back(s.at(x(random), y(random), unit(random), w(random)));
            for (float& c : v.back().color)
                c = unit(random);
        }
        s.draw(pipe::Primitive::Triangles, v);
        const std::vector<uint8_t> bytes = s.bytes();
        if (first.empty()) first = bytes;
        CHECK(bytes == first);
    }
}

TEST_CASE("instances with a divisor step their attribute") {
    Scene s({.width = 8, .height = 1});
    pipe::VertexLayoutDesc layout;
    layout.count = 3;
    layout.elements[0] = {pipe::Format::R32G32B32A32_FLOAT, 0, 0, 2};  // every second instance
    layout.elements[1] = {pipe::Format::R32G32B32A32_FLOAT, 0, 16, 0};
    layout.elements[2] = {pipe::Format::R32_FLOAT, 0, 32, 0};
    const pipe::Ref<pipe::VertexLayout> l = s.screen.create_vertex_layout(layout);
    s.context->bind_vertex_layout(l.get());
    s.begin();
    s.blend(adding());
    std::vector<Vertex> v;
    for (int i = 0; i < 8; ++i)
        v.push_back(stepping(s.at(float(i) + 0.5f, 0.5f)));
    const pipe::Ref<pipe::Resource> vb = s.screen.create_resource(
        {.kind = pipe::ResourceKind::Buffer, .width = uint32_t(v.size() * sizeof(Vertex))});
    std::memcpy(soft(*vb).data(), v.data(), v.size() * sizeof(Vertex));
    const pipe::VertexBuffer binding = {vb.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    const pipe::DrawInfo info{.mode = pipe::Primitive::Points, .instance_count = 5};
    const pipe::DrawRange range{0, 1, 0};
    s.context->draw(info, {&range, 1});
    CHECK(s.red() == std::vector<uint8_t>{2, 2, 1, 0, 0, 0, 0, 0});
}

}  // namespace terrazzo::soft::test
