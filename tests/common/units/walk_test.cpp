// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A toy GPU: primitives from window vertices to a tile, with a callback as the shader. It knows no vendor.
#include "drivers/common/units/walk.h"

#include <cmath>
#include <random>
#include <vector>

#include "drivers/common/units/depth_stencil.h"
#include "drivers/common/units/quads.h"
#include "drivers/common/units/setup.h"

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

constexpr int32_t kSide_px = 64;
constexpr pipe::raster::PixelRect kTile{0, 0, kSide_px, kSide_px};
const SamplePattern kFour{4, {96, 224, 32, 160}, {32, 96, 160, 224}};

struct ToyPrimitive : RasterPrimitive {
    float red[3] = {};
};

ToyPrimitive raster_of(PrimitiveKind kind, std::initializer_list<WindowVertex> v, float size_px = 1,
                       bool multisampled = false) {
    SetupState s;
    s.kind = kind;
    s.scissor = kTile;
    std::vector<Primitive> out;
    set_up_primitive(s, v.begin(), size_px, &out);
    REQUIRE(out.size() == 1);
    ToyPrimitive p;
    REQUIRE(set_up_raster(out[0], {}, multisampled, &p));
    return p;
}

// How often each sample is covered.
std::vector<unsigned> covered(const RasterPrimitive& p, const SamplePattern& s,
                              pipe::raster::PixelRect tile = kTile) {
    std::vector<unsigned> n(size_t(kSide_px) * kSide_px * s.count);
    CHECK(walk_quads(p, s, tile, [&](int32_t x, int32_t y, uint32_t mask) {
        for (unsigned i = 0; i < 4 * s.count; ++i)
            if (mask >> i & 1) {
                const int32_t px = x + int32_t(i / s.count & 1), py = y + int32_t(i / s.count >> 1);
                REQUIRE(tile.contains(px, py));
                ++n[size_t(py * kSide_px + px) * s.count + i % s.count];
            }
        return true;
    }));
    return n;
}
unsigned sum(const std::vector<unsigned>& v) {
    unsigned n = 0;
    for (const unsigned i : v)
        n += i;
    return n;
}

const std::initializer_list<WindowVertex> kTriangle = {
    {3.3f, 5.1f, 0.25f, 1}, {20.9f, 58.4f, 0.5f, 0.5f}, {60.2f, 11.7f, 0.75f, 2}};

}  // namespace

TEST_CASE("units: walk: a triangle covers the pixels whose centres are inside, each once") {
    const ToyPrimitive p = raster_of(PrimitiveKind::Triangle, kTriangle);
    const auto n = covered(p, {});
    for (int32_t y = 0; y < kSide_px; ++y)
        for (int32_t x = 0; x < kSide_px; ++x)
            REQUIRE(n[size_t(y * kSide_px + x)] == unsigned(p.triangle.covers(x, y)));
    // The result is the same in parts of any size and position.
    std::vector<unsigned> parts(n.size());
    for (const pipe::raster::PixelRect r :
         {pipe::raster::PixelRect{0, 0, 13, 64}, {13, 0, 64, 31}, {13, 31, 64, 64}}) {
        const auto part = covered(p, {}, r);
        for (size_t i = 0; i < n.size(); ++i)
            parts[i] += part[i];
    }
    CHECK(parts == n);
}

TEST_CASE("units: walk: samples are covered at their positions") {
    const ToyPrimitive p = raster_of(PrimitiveKind::Triangle, kTriangle, 1, true);
    const auto n = covered(p, kFour);
    for (int32_t y = 0; y < kSide_px; ++y)
        for (int32_t x = 0; x < kSide_px; ++x)
            for (unsigned i = 0; i < 4; ++i)
                REQUIRE(n[size_t(y * kSide_px + x) * 4 + i] ==
                        unsigned(p.triangle.covers_at(x * 256 + kFour.x[i], y * 256 + kFour.y[i])));
    CHECK(sum(n) > 0);
    // Points: a square of 3 px covers the samples of 9 px, at any position.
    CHECK(sum(covered(raster_of(PrimitiveKind::Point, {{10.5f, 10.5f, 0, 1}}, 3), {})) == 9);
    CHECK(sum(covered(raster_of(PrimitiveKind::Point, {{10.3f, 10.9f, 0, 1}}, 3, true), kFour)) == 36);
    // A single sample away from the centre is not treated as the centre.
    const SamplePattern corner{1, {255}, {255}};
    CHECK(sum(covered(raster_of(PrimitiveKind::Point, {{10.5f, 10.5f, 0, 1}}, 1, true), corner)) == 1);
    CHECK(covered(p, corner) != covered(p, {}));
}

TEST_CASE("units: walk: triangles and tiles of all sizes have the same samples as tested one by one") {
    std::minstd_rand random(7);
    const auto upto = [&](uint32_t n) { return float(random() % n) / 256; };
    const SamplePattern patterns[] = {
        {},
        {1, {3}, {250}},
        {2, {64, 192}, {64, 192}},
        kFour,
        {8, {8, 40, 72, 104, 136, 168, 200, 232}, {0, 255, 3, 128, 9, 77, 250, 31}}};
    // Sizes below a pixel, with an odd number of pixels, with one and with several areas.
    for (const uint32_t size : {200u, 256u, 777u, 2000u, 5 * 256u, 17 * 256u, 33 * 256u, 64 * 256u})
        for (unsigned n = 0; n < 60; ++n) {
            const float x = upto(uint32_t(64 * 256 - size + 1)), y = upto(uint32_t(64 * 256 - size + 1));
            WindowVertex v[3];
            for (WindowVertex& w : v)
                w = {x + upto(size), y + upto(size), 0, 1};
            SetupState state;
            state.scissor = kTile;
            std::vector<Primitive> shapes;
            set_up_primitive(state, v, 1, &shapes);
            if (shapes.empty()) continue;  // no area
            pipe::raster::PixelRect tile = kTile;
            if (n % 2) tile = {int32_t(random() % 33), int32_t(random() % 33), 64, 61};
            for (const SamplePattern& s : patterns) {
                RasterPrimitive p;
                const bool some = set_up_raster(shapes[0], {}, !s.is_center(), &p);
                pipe::raster::TriangleSetup exact;
                const auto& c = shapes[0].corner;
                const pipe::raster::FixedPoint corner[3] = {
                    {c[0][0], c[0][1]}, {c[1][0], c[1][1]}, {c[2][0], c[2][1]}};
                REQUIRE(pipe::raster::setup_triangle(corner, &exact));
                const auto got =
                    some ? covered(p, s, tile) : std::vector<unsigned>(kSide_px * kSide_px * s.count);
                for (int32_t py = tile.y0; py < tile.y1; ++py)
                    for (int32_t px = tile.x0; px < tile.x1; ++px)
                        for (unsigned i = 0; i < s.count; ++i)
                            if (got[size_t(py * kSide_px + px) * s.count + i] !=
                                unsigned(exact.covers_at(px * 256 + s.x[i], py * 256 + s.y[i])))
                                FAIL("size ", size, ", pixel ", px, " ", py, ", sample ", i, " of ", s.count);
            }
        }
}

TEST_CASE("units: raster: bounds contain the pixels of which a triangle may cover the centre, or any part") {
    const auto set_up = [](std::initializer_list<int32_t> c, bool multisampled, RasterPrimitive* out) {
        Primitive t;
        std::copy_n(c.begin(), 6, t.corner[0]);
        for (unsigned i = 0; i < 3; ++i)
            t.vertex[i] = {float(t.corner[i][0]) / 256, float(t.corner[i][1]) / 256, 0, 1};
        return set_up_raster(t, {}, multisampled, out);
    };
    RasterPrimitive p;
    // Between the centres of columns 0 and 1, or of rows 0 and 1: nothing to walk.
    CHECK(!set_up({129, 0, 383, 0, 200, 600}, false, &p));
    CHECK(!set_up({0, 129, 600, 200, 0, 383}, false, &p));
    CHECK(set_up({129, 0, 383, 0, 200, 600}, true, &p));
    CHECK(p.bounds == pipe::raster::PixelRect{0, 0, 2, 3});
    // A centre on the boundary may be covered.
    REQUIRE(set_up({128, 128, 384, 128, 128, 384}, false, &p));
    CHECK(p.bounds == pipe::raster::PixelRect{0, 0, 2, 2});
    REQUIRE(set_up({127, 127, 383, 127, 127, 383}, false, &p));
    CHECK(p.bounds == pipe::raster::PixelRect{0, 0, 1, 1});
    REQUIRE(set_up({-300, -300, 255, -300, -300, 256}, true, &p));
    CHECK(p.bounds == pipe::raster::PixelRect{-2, -2, 1, 2});
}

TEST_CASE("units: walk: lines cross areas") {
    const ToyPrimitive p = raster_of(PrimitiveKind::Line, {{0.5f, 1.5f, 0, 1}, {63.5f, 62.5f, 0, 1}}, 3);
    std::vector<unsigned> wanted(size_t(kSide_px) * kSide_px);
    pipe::raster::for_each_pixel(p.line(), kTile,
                                 [&](int32_t x, int32_t y) { wanted[size_t(y * kSide_px + x)] = 1; });
    CHECK(sum(wanted) > 3 * 60);
    CHECK(covered(p, {}) == wanted);
    CHECK(sum(covered(p, kFour)) == 4 * sum(wanted));
}

TEST_CASE("units: walk: it stops if the callback returns false") {
    for (const PrimitiveKind kind : {PrimitiveKind::Triangle, PrimitiveKind::Line, PrimitiveKind::Point}) {
        unsigned calls = 0;
        CHECK(!walk_quads(raster_of(kind, kTriangle, 9), {}, kTile,
                          [&](int32_t, int32_t, uint32_t) { return ++calls < 3; }));
        CHECK(calls == 3);
    }
    CHECK(walk_quads(raster_of(PrimitiveKind::Triangle, kTriangle), {}, {60, 60, 64, 64},
                     [](int32_t, int32_t, uint32_t) { return false; }));
}

TEST_CASE("units: walk: a toy GPU shades batches of quads with perspective, and tests depth") {
    ToyPrimitive p = raster_of(PrimitiveKind::Triangle, kTriangle);
    const float red[3] = {0, 1, 4};
    std::copy_n(red, 3, p.red);
    // Stored depth: from row 32 on it is nearer than the triangle.
    std::vector<uint32_t> depth(size_t(kSide_px) * kSide_px, encode_depth(DepthFormat::Unorm24, 1));
    std::fill(depth.begin() + 32 * kSide_px, depth.end(), 0);
    pipe::DepthStencilDesc test;
    test.depth_test = test.depth_write = true;
    test.depth_compare = pipe::Compare::Less;

    QuadBatch<ToyPrimitive, 8> batch;
    unsigned shaded = 0;
    pipe::raster::FixedPoint corner[3];
    for (unsigned i = 0; i < 3; ++i)
        corner[i] = {pipe::raster::to_fixed(kTriangle.begin()[i].x),
                     pipe::raster::to_fixed(kTriangle.begin()[i].y)};
    pipe::raster::TriangleSetup edges;
    REQUIRE(pipe::raster::setup_triangle(corner, &edges));
    const auto shade = [&] {
        float weight[3][batch.kLanes] = {};
        find_weights(batch, weight[1], weight[2]);
        for (unsigned lane = 0; lane < batch.kLanes; ++lane)
            weight[0][lane] = 1 - weight[1][lane] - weight[2][lane];
        for (unsigned lane = 0; lane < batch.kLanes; ++lane) {
            if (!(batch.covered >> lane & 1)) continue;
            ++shaded;
            const double x = batch.x[lane] + 0.5, y = batch.y[lane] + 0.5;
            double window[3], exact[3];
            edges.weights_at(std::llrint(x * 256), std::llrint(y * 256), window);
            const double inv_w[3] = {1, 0.5, 2};
            pipe::raster::perspective_weights(window, inv_w, exact);
            double got = 0, wanted = 0;
            for (unsigned i = 0; i < 3; ++i) {
                got += double(weight[i][lane]) * batch.primitive[lane / 4]->red[i];
                wanted += exact[i] * p.red[i];
            }
            REQUIRE(got == doctest::Approx(wanted).epsilon(0.01));
        }
        batch.clear();
    };
    const FragmentDepth fragment_depth;
    CHECK(walk_quads(p, {}, kTile, [&](int32_t x, int32_t y, uint32_t mask) {
        float z[4];
        unsigned left = 0;
        for (int32_t i = 0; i < 4; ++i) {
            const int32_t px = x + (i & 1), py = y + (i >> 1);
            z[i] = fragment_depth.at(p.depth, px + 0.5, py + 0.5);
            uint8_t stencil = 0;
            if ((mask >> i & 1) && test_sample(test, DepthFormat::Unorm24, false, 0, z[i],
                                               &depth[size_t(py * kSide_px + px)], &stencil))
                left |= 1u << i;
        }
        if (left && batch.add(p, x, y, left)) shade();
        return true;
    }));
    shade();
    unsigned wanted = 0;
    for (int32_t y = 0; y < kSide_px; ++y)
        for (int32_t x = 0; x < kSide_px; ++x) {
            const bool passes = y < 32 && p.triangle.covers(x, y);
            wanted += passes;
            const float z = decode_depth(DepthFormat::Unorm24, depth[size_t(y * kSide_px + x)]);
            if (passes) REQUIRE(z == doctest::Approx(p.depth.at(x + 0.5, y + 0.5)).epsilon(1e-6));
        }
    CHECK(shaded == wanted);
    CHECK(wanted > 100);
}

TEST_CASE("units: quads: lanes of full and of partial batches") {
    ToyPrimitive p;
    QuadBatch<ToyPrimitive, 16> batch;
    for (unsigned i = 0; i < 15; ++i)
        CHECK(!batch.add(p, 0, 0, 1));
    CHECK(batch.lanes() == ~uint64_t(0) >> 4);
    CHECK(batch.add(p, 0, 0, 8));
    CHECK(batch.lanes() == ~uint64_t(0));
    CHECK((batch.covered >> 60) == 8);
    QuadBatch<ToyPrimitive, 4> small;
    CHECK(small.lanes() == 0);
    CHECK(!small.add(p, 0, 0, 1));
    CHECK(small.lanes() == 15);
}

TEST_CASE("units: depth: formats round to the nearest, and clamp") {
    CHECK(encode_depth(DepthFormat::Unorm16, 0.5f) == 32768);
    CHECK(encode_depth(DepthFormat::Unorm24, 2) == 0xffffff);
    CHECK(encode_depth(DepthFormat::Unorm24, std::nanf("")) == 0);
    CHECK(encode_depth(DepthFormat::Float32, 1) == 0x3f800000);
    for (const uint32_t v : {0u, 1u, 777u, 65535u})
        CHECK(encode_depth(DepthFormat::Unorm16, decode_depth(DepthFormat::Unorm16, v)) == v);
    RasterPrimitive p;
    p.depth = {0, 0, 3};
    FragmentDepth d;
    CHECK(d.at(p.depth, 0, 0) == 1);
    d.high = 8;
    CHECK(d.at(p.depth, 0, 0) == 3);
    d.low = 4;
    CHECK(d.at(p.depth, 0, 0) == 4);
    d.is_constant = true;
    d.constant = 5;
    CHECK(d.at(p.depth, 0, 0) == 5);
}

TEST_CASE("units: raster: depth bias, in units of the format") {
    Primitive t;
    t.corner[1][0] = t.corner[2][1] = 256 * 8;
    t.vertex[0] = {0, 0, 0.25f, 1};
    t.vertex[1] = {8, 0, 0.5f, 1};
    t.vertex[2] = {0, 8, 0.25f, 1};
    RasterPrimitive plain, moved;
    REQUIRE(set_up_raster(t, {}, false, &plain));
    DepthBias bias;
    bias.enable = true;
    bias.factor = 2;
    REQUIRE(set_up_raster(t, bias, false, &moved));
    CHECK(moved.depth.c - plain.depth.c == doctest::Approx(2 * 0.25 / 8));
    bias.clamp = 0.01f;
    REQUIRE(set_up_raster(t, bias, false, &moved));
    CHECK(moved.depth.c - plain.depth.c == doctest::Approx(0.01));
    bias = {.enable = true, .units = 4, .unit_scale = 0.5, .format = pipe::Format::D16_UNORM};
    REQUIRE(set_up_raster(t, bias, false, &moved));
    CHECK(moved.depth.c - plain.depth.c == doctest::Approx(2 * 1.0625 / 65536));
    t.corner[1][0] = 0;
    CHECK(!set_up_raster(t, {}, false, &plain));  // zero area
}
