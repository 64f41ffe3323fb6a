// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Different code paths of the tile kernel must draw the same pixels: draws of one colour, code for formats
// and masks, omitted clears, instruction sets, threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "drivers/soft/kernel/kernel.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

struct Shape {
    std::vector<Vertex> vertices;
    float color[4];
    pipe::BlendTargetDesc blend;
    pipe::DepthStencilDesc depth;
};

class Shapes {
  public:
    explicit Shapes(unsigned seed) : random_(seed) {}
    unsigned below(unsigned n) { return unsigned(random_() % n); }
    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

    pipe::BlendTargetDesc blend() {
        using F = pipe::BlendFactor;
        const F usual[][2] = {{F::SrcAlpha, F::OneMinusSrcAlpha},
                              {F::One, F::OneMinusSrcAlpha},
                              {F::One, F::One},
                              {F::DstColor, F::SrcAlphaSaturate},
                              {F::ConstColor, F::SrcColor}};
        pipe::BlendTargetDesc t;
        t.enable = below(3) != 0;
        const auto& f = usual[below(5)];
        t.src_rgb = t.src_alpha = f[0];
        t.dst_rgb = t.dst_alpha = f[1];
        if (below(6) == 0) t.op_rgb = pipe::BlendOp(below(5));
        t.write_mask = below(4) ? 15 : uint8_t(below(16));
        return t;
    }
    /// Of any size: a few pixels, some tiles, or the whole target.
    Shape shape(const Scene& s) {
        Shape out;
        const float w = float(s.options.width), h = float(s.options.height);
        const float size = below(3) ? (below(2) ? 6.0f : 60.0f) : 3 * w;
        const float x = number(0, w), y = number(0, h);
        for (int i = 0; i < 3; ++i) {
            const bool whole = size > w;
            const float vx = whole ? (i == 1 ? 2 * w : -1) : x + number(-size, size);
            const float vy = whole ? (i == 2 ? 2 * h : -1) : y + number(-size, size);
            out.vertices.push_back(s.at(vx, vy, below(2) ? 0.5f : number(-0.2f, 1.2f)));
        }
        for (float& c : out.color)
            c = number(-0.1f, 1.1f);
        for (Vertex& v : out.vertices)
            std::copy_n(out.color, 4, v.color);
        out.blend = blend();
        out.depth.depth_test = below(3) != 0;
        out.depth.depth_write = below(3) != 0;
        out.depth.depth_compare = pipe::Compare(below(8));
        return out;
    }

  private:
    std::mt19937 random_;
};

struct Pixels {
    std::vector<uint8_t> color, depth;
    bool operator==(const Pixels&) const = default;
};

Pixels draw(const SceneOptions& options, const std::vector<Shape>& shapes, Paint paint) {
    Scene s(options);
    const float clear[4] = {0.25f, 0.5f, 0.75f, 0.5f}, constant[4] = {0.3f, 0.6f, 0.1f, 0.9f};
    s.context->set_blend_color(constant);
    s.begin(clear);
    for (const Shape& shape : shapes) {
        pipe::BlendDesc b;
        b.targets[0] = shape.blend;
        s.blend(b);
        s.depth_stencil(shape.depth);
        s.paint(paint);
        s.solid(shape.color);
        s.draw(pipe::Primitive::Triangles, shape.vertices);
    }
    Pixels out;
    out.color = s.bytes();
    if (options.depth != pipe::Format::None) out.depth = s.bytes(true);
    return out;
}

}  // namespace

TEST_CASE("a draw of one colour equals a draw with that colour at each vertex, in every kernel") {
    using pipe::Format;
    const Format colors[] = {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R8G8B8X8_UNORM,
                             Format::B8G8R8X8_UNORM, Format::B5G6R5_UNORM,   Format::R16G16B16A16_FLOAT};
    const Format depths[] = {Format::None, Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::D32_FLOAT,
                             Format::D24_UNORM_X8};
    Shapes random(31);
    for (int round = 0; round < 240; ++round) {
        SceneOptions o;
        o.width = 150;
        o.height = 70;
        o.color = colors[round % 6];
        o.depth = depths[random.below(5)];
        const Scene any(o);
        std::vector<Shape> shapes;
        for (unsigned n = 1 + random.below(8); n; --n)
            shapes.push_back(random.shape(any));
        CAPTURE(round);
        const Pixels expected = draw(o, shapes, Paint::Flat);
        CHECK(draw(o, shapes, Paint::Solid) == expected);
        o.threads = 1 + random.below(4);
        o.kernel = baseline::run_tile;
        CHECK(draw(o, shapes, Paint::Solid) == expected);
        CHECK(draw(o, shapes, Paint::Flat) == expected);
    }
}

TEST_CASE("a clear that is covered completely is omitted, with the same result") {
    Scene s({.width = 200, .height = 130});
    const float clear[4] = {1, 1, 1, 1}, green[4] = {0, 1, 0, 1}, half[4] = {0, 0, 1, 0.5f};
    const auto everywhere = [&](const float color[4], bool blends) {
        s.begin(clear);
        pipe::BlendDesc b;
        b.targets[0].enable = blends;
        b.targets[0].src_rgb = b.targets[0].src_alpha = pipe::BlendFactor::SrcAlpha;
        b.targets[0].dst_rgb = b.targets[0].dst_alpha = pipe::BlendFactor::OneMinusSrcAlpha;
        s.blend(b);
        s.rectangle(0, 0, 200, 130, 0.5f, color);
        const std::vector<uint8_t> all = s.bytes();
        for (size_t i = 0; i < all.size(); i += 4)
            REQUIRE(std::memcmp(&all[i], &all[0], 4) == 0);
        return std::vector<int>(all.begin(), all.begin() + 4);
    };
    CHECK(everywhere(green, false) == std::vector<int>{0, 255, 0, 255});
    // (0 * 128 + 255 * 127) / 255, (255 * 128 + 255 * 127) / 255, (128 * 128 + 255 * 127) / 255
    CHECK(everywhere(half, true) == std::vector<int>{127, 127, 255, 191});
    s.paint(Paint::DiscardOdd);
    s.begin(clear);
    s.blend({});
    s.rectangle(0, 0, 200, 130, 0.5f, green);
    const std::vector<uint8_t> red = s.red();
    for (size_t i = 0; i < red.size(); ++i)
        REQUIRE(red[i] == ((i % 200 + i / 200) & 1 ? 255 : 0));
}

}  // namespace terrazzo::soft::test
