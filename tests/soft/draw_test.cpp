// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Streams that are longer than a batch, and different numberings of indices. All must draw what a plain list
// draws.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "drivers/soft/vertices/vertex_stage.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr int kCells = 48, kRow = kCells + 1;

/// A wavy grid over the picture, with colours.
std::vector<Vertex> grid(const Scene& s) {
    std::vector<Vertex> v;
    std::mt19937 random(1);
    for (int y = 0; y <= kCells; ++y)
        for (int x = 0; x <= kCells; ++x) {
            const float dx = float(random() % 64) / 64, dy = float(random() % 64) / 64;
            v.push_back(s.at(float(x) * 2 + dx, float(y) * 2 + dy, 0.5f, 1 + dx));
            for (unsigned c = 0; c < 3; ++c)
                v.back().color[c] = float(random() % 256) / 255;
        }
    return v;
}

std::vector<uint32_t> triangles_of_grid() {
    std::vector<uint32_t> out;
    for (uint32_t y = 0; y < kCells; ++y)
        for (uint32_t x = 0; x < kCells; ++x) {
            const uint32_t a = y * kRow + x, b = a + kRow;
            out.insert(out.end(), {a, a + 1, b, b, a + 1, b + 1});
        }
    return out;
}

std::vector<uint8_t> plain(pipe::Primitive mode, const std::vector<Vertex>& v,
                           const std::vector<uint32_t>& indices) {
    Scene s({.width = 100, .height = 100});
    s.begin();
    std::vector<Vertex> list;
    for (const uint32_t i : indices)
        list.push_back(v[i]);
    s.draw(mode, list);
    return s.bytes();
}

std::vector<uint8_t> indexed(pipe::Primitive mode, const std::vector<Vertex>& v,
                             const std::vector<uint32_t>& indices) {
    Scene s({.width = 100, .height = 100});
    s.begin();
    s.draw_indexed(mode, v, indices, pipe::IndexType::U32);
    return s.bytes();
}

}  // namespace

TEST_CASE("draw: indexed meshes equal lists, near and far, in and out of order") {
    const Scene s({.width = 100, .height = 100});
    const std::vector<Vertex> v = grid(s);
    std::vector<uint32_t> in_order = triangles_of_grid(), shuffled;
    REQUIRE(in_order.size() > 2 * kBatchIndices);
    std::vector<uint32_t> order(in_order.size() / 3);
    for (uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(2));
    for (const uint32_t t : order)
        shuffled.insert(shuffled.end(), &in_order[3 * t], &in_order[3 * t] + 3);
    const std::vector<uint8_t> expected = plain(pipe::Primitive::Triangles, v, in_order);
    CHECK(std::count(expected.begin(), expected.end(), 0) < 5000);
    CHECK(indexed(pipe::Primitive::Triangles, v, in_order) == expected);
    CHECK(indexed(pipe::Primitive::Triangles, v, shuffled) == plain(pipe::Primitive::Triangles, v, shuffled));
    // The indices are so far apart that only a hash table finds equal vertices.
    std::vector<Vertex> sparse(v.size() * 41);
    std::vector<uint32_t> far = shuffled;
    for (size_t i = 0; i < v.size(); ++i)
        sparse[i * 41] = v[i];
    for (uint32_t& i : far)
        i *= 41;
    CHECK(indexed(pipe::Primitive::Triangles, sparse, far) == plain(pipe::Primitive::Triangles, v, shuffled));
}

TEST_CASE("draw: long strips and fans equal lists") {
    const Scene s({.width = 100, .height = 100});
    const std::vector<Vertex> v = grid(s);
    std::mt19937 random(3);
    std::vector<uint32_t> stream;
    for (uint32_t i = 0; i < 2 * kBatchIndices + 77; ++i)
        stream.push_back(uint32_t(random() % v.size()));
    std::vector<uint32_t> strip, fan;
    for (uint32_t i = 2; i < stream.size(); ++i) {
        const uint32_t odd = i & 1;
        strip.insert(strip.end(), {stream[i - 2 + odd], stream[i - 1 - odd], stream[i]});
        fan.insert(fan.end(), {stream[0], stream[i - 1], stream[i]});
    }
    const std::vector<uint8_t> strips = plain(pipe::Primitive::Triangles, v, strip);
    CHECK(plain(pipe::Primitive::TriangleStrip, v, stream) == strips);
    CHECK(indexed(pipe::Primitive::TriangleStrip, v, stream) == strips);
    const std::vector<uint8_t> fans = plain(pipe::Primitive::Triangles, v, fan);
    CHECK(plain(pipe::Primitive::TriangleFan, v, stream) == fans);
    CHECK(indexed(pipe::Primitive::TriangleFan, v, stream) == fans);
}

TEST_CASE("draw: adjacent vertices are ignored if no stage uses them") {
    const Scene s({.width = 100, .height = 100});
    const std::vector<Vertex> v = grid(s);
    std::mt19937 random(4);
    std::vector<uint32_t> stream;
    for (uint32_t i = 0; i < 6 * 700; ++i)
        stream.push_back(uint32_t(random() % v.size()));
    using P = pipe::Primitive;
    struct Case {
        P mode, lists;
        uint32_t first, step, corner;  // vertices between primitives, and between corners
    };
    for (const Case& c :
         {Case{P::LinesAdjacency, P::Lines, 1, 4, 1}, Case{P::LineStripAdjacency, P::Lines, 1, 1, 1},
          Case{P::TrianglesAdjacency, P::Triangles, 0, 6, 2},
          Case{P::TriangleStripAdjacency, P::Triangles, 0, 2, 2}}) {
        const uint32_t corners = c.lists == P::Lines ? 2 : 3, size = c.lists == P::Lines ? 4 : 6;
        std::vector<uint32_t> list;
        for (uint32_t at = 0, n = 0; at + size <= stream.size(); at += c.step, ++n)
            for (uint32_t k = 0; k < corners; ++k) {
                const bool swaps = c.mode == P::TriangleStripAdjacency && n % 2 && k < 2;
                list.push_back(stream[at + c.first + (swaps ? 1 - k : k) * c.corner]);
            }
        const std::vector<uint8_t> expected = plain(c.lists, v, list);
        CHECK(std::count(expected.begin(), expected.end(), 0) < int(expected.size()));
        CHECK(plain(c.mode, v, stream) == expected);
        CHECK(indexed(c.mode, v, stream) == expected);
    }
}

TEST_CASE("draw: a batch uses only a part of a range") {
    const Scene s({.width = 100, .height = 100});
    std::vector<Vertex> v = grid(s);
    const std::vector<uint32_t> few = {0, 5, 2 * kRow, 1, 3, 9, 7, 8, 2 * kRow + 3};
    CHECK(indexed(pipe::Primitive::Triangles, v, few) == plain(pipe::Primitive::Triangles, v, few));
    const std::vector<uint32_t> beyond = {0, 5, 2 * kRow, 4, 6, 4000000};  // reads the buffer's last vertex
    std::vector<uint32_t> last = beyond;
    last[5] = uint32_t(v.size() - 1);
    CHECK(indexed(pipe::Primitive::Triangles, v, beyond) == plain(pipe::Primitive::Triangles, v, last));
}

}  // namespace terrazzo::soft::test
