// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws that all threads record together must draw the same bits as with one thread.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "drivers/soft/vertices/wide_draw.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr pipe::Primitive kModes[] = {
    pipe::Primitive::Points,      pipe::Primitive::Lines,     pipe::Primitive::LineLoop,
    pipe::Primitive::LineStrip,   pipe::Primitive::Triangles, pipe::Primitive::TriangleStrip,
    pipe::Primitive::TriangleFan,
};

/// Small overlapping primitives in random colours. Some are outside the window or on the other side of the
/// eye.
std::vector<Vertex> crowd(const Scene& s, unsigned count) {
    std::mt19937 random(count);
    const auto number = [&](float low, float high) {
        return low + (high - low) * float(random() % 4096) / 4095;
    };
    std::vector<Vertex> v;
    float x = 0, y = 0;
    for (unsigned i = 0; i < count; ++i) {
        if (i % 3 == 0) {
            x = number(-20, float(s.options.width) + 20);
            y = number(-20, float(s.options.height) + 20);
        }
        v.push_back(s.at(x + number(-6, 6), y + number(-6, 6), number(0, 1), i % 97 ? 1.0f : number(-1, 1)));
        for (float& c : v.back().color)
            c = number(0, 1);
        v.back().size = number(1, 5);
    }
    return v;
}

template <class Draw>
void check_same(SceneOptions options, Draw draw) {
    std::vector<uint8_t> expected;
    for (const unsigned threads : {1u, 2u, 4u}) {
        options.threads = threads;
        Scene s(options);
        s.paint(Paint::Varying);
        s.begin();
        draw(s);
        const std::vector<uint8_t> color = s.bytes();
        CAPTURE(threads);
        if (expected.empty()) {
            expected = color;
            CHECK(std::count(color.begin(), color.end(), 0) < std::ptrdiff_t(color.size()));
        }
        CHECK(color == expected);
        CHECK(s.messages.empty());
    }
}

}  // namespace

TEST_CASE("wide draws: all modes, with and without indices") {
    for (const pipe::Primitive mode : kModes)
        for (const uint32_t samples : {1u, 4u}) {
            CAPTURE(int(mode));
            const SceneOptions o = {.width = 300, .height = 200, .samples = samples};
            check_same(o, [&](Scene& s) { s.draw(mode, crowd(s, 27'001)); });
            check_same(o, [&](Scene& s) {
                std::mt19937 random(7);
                std::vector<uint32_t> indices(30'000);
                for (size_t i = 0; i < indices.size(); ++i)
                    indices[i] = uint32_t(i / 3 + random() % 64);
                s.draw_indexed(mode, crowd(s, 10'100), indices, pipe::IndexType::U32);
            });
        }
}

TEST_CASE("wide draws: many instances of few primitives") {
    check_same({.width = 300, .height = 200}, [](Scene& s) {
        s.depth_stencil({.depth_test = false});
        pipe::BlendDesc b;
        b.targets[0].enable = true;
        b.targets[0].src_rgb = b.targets[0].src_alpha = pipe::BlendFactor::SrcAlpha;
        b.targets[0].dst_rgb = b.targets[0].dst_alpha = pipe::BlendFactor::OneMinusSrcAlpha;
        s.blend(b);
        pipe::DrawInfo info;
        info.instance_count = 5000;
        s.draw(pipe::Primitive::Triangles, crowd(s, 12), info);
        s.draw(pipe::Primitive::TriangleFan, crowd(s, 900), {.instance_count = 40});
    });
}

TEST_CASE("wide draws: parts that need more memory than a part has") {
    // From the 5000th on each triangle is in all tiles, so that the lists grow far beyond
    // DrawCall::kMaxPart_B.
    check_same({.width = 8192, .height = 64}, [](Scene& s) {
        pipe::BlendDesc b;  // additive, so that a primitive that is drawn twice is visible
        b.targets[0].enable = true;
        b.targets[0].src_rgb = b.targets[0].dst_rgb = pipe::BlendFactor::One;
        s.blend(b);
        std::vector<Vertex> v;
        for (unsigned i = 0; i < 9000; ++i) {
            const float y = float(i * 7 % 64), end = i < 5000 ? 40.0f : 8192.0f;
            for (const Vertex& corner : {s.at(0, y), s.at(end, y + 1), s.at(end, y + 2)}) {
                v.push_back(corner);
                v.back().color[0] = 1.0f / 255;
            }
        }
        s.draw(pipe::Primitive::Triangles, v);
    });
}

TEST_CASE("wide draws: several in one pass, and small ones between them") {
    check_same({.width = 300, .height = 200, .depth = pipe::Format::D24_UNORM_S8_UINT}, [](Scene& s) {
        s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Less});
        const float gray[4] = {0.5f, 0.5f, 0.5f, 1};
        for (unsigned i = 0; i < 6; ++i) {
            s.draw(i % 2 ? pipe::Primitive::Triangles : pipe::Primitive::TriangleStrip, crowd(s, 26'000 + i));
            s.rectangle(float(i) * 30, 20, float(i) * 30 + 60, 90, 0.25f, gray);
        }
    });
}

TEST_CASE("bins: lists of parts follow each other") {
    Bins all(std::pmr::get_default_resource()), part(std::pmr::get_default_resource());
    all.resize(3, 2);
    part.resize(3, 2);
    PrimHeader prims[100] = {};
    all.push(1, 0, &prims[0]);
    for (int i = 1; i < 60; ++i)
        part.push(1, 0, &prims[i]);
    part.push(2, 1, &prims[60]);
    part.add_work(5);
    std::vector<TileList> lists;
    part.take(&lists);
    CHECK(part.touched().empty());
    CHECK(part.work_px() == 0);
    all.append(lists);
    all.push(1, 0, &prims[61]);
    CHECK(all.touched() == std::vector<uint32_t>{1, 5});
    std::vector<const PrimHeader*> found;
    for (const BinChunk* c = all.data()[1].first; c; c = c->next)
        found.insert(found.end(), c->prims, c->prims + c->count);
    REQUIRE(found.size() == 61);
    for (size_t i = 0; i < 60; ++i)
        CHECK(found[i] == &prims[i]);
    CHECK(found[60] == &prims[61]);
    // The next part of the same bins begins again.
    part.push(0, 0, &prims[70]);
    part.take(&lists);
    REQUIRE(lists.size() == 1);
    CHECK(lists[0].tile == 0);
}

}  // namespace terrazzo::soft::test
