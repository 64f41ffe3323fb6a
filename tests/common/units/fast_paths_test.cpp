// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fast paths, compared with the general ones on random inputs: equal to the bit.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "drivers/common/units/count_passed.h"
#include "drivers/common/units/depth_stencil.h"
#include "drivers/common/units/quads.h"
#include "drivers/common/units/rgba8.h"
#include "drivers/common/units/setup.h"
#include "drivers/common/units/walk.h"

#include "pipe/half.h"

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

using Quads = std::map<std::pair<int32_t, int32_t>, uint32_t>;

struct Random {
    std::mt19937 bits{31};
    int32_t in(int32_t low, int32_t high) {
        return int32_t(uint32_t(low) + bits() % (uint32_t(high) - uint32_t(low) + 1));
    }
    bool coin() { return bits() & 1; }
    float real(float low, float high) { return low + (high - low) * float(bits() % 65536) / 65536; }
};

SamplePattern pattern_of(Random& random, unsigned count) {
    SamplePattern s;
    s.count = count;
    for (unsigned i = 0; i < count; ++i) {
        s.x[i] = uint8_t(random.in(0, 255));
        s.y[i] = uint8_t(random.in(0, 255));
    }
    return s;
}

template <class Walk>
Quads quads_of(Walk&& walk) {
    Quads out;
    auto quad = [&](int32_t x, int32_t y, uint32_t mask) {
        REQUIRE(x % 2 == 0);
        REQUIRE(y % 2 == 0);
        REQUIRE(mask != 0);
        REQUIRE(out.emplace(std::pair{x, y}, mask).second);
        return true;
    };
    CHECK(walk(quad));
    return out;
}

bool same_bits(const float& a, float b) {
    return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

}  // namespace

TEST_CASE(
    "units: walk: steps of 32 bits cover the samples of exact tests, for random triangles, tiles and "
    "samples") {
    Random random;
    unsigned covered = 0, large = 0, small = 0;
    for (unsigned round = 0; round < 8000; ++round) {
        // Slivers, triangles of a few pixels, of many areas, and beyond the guard band.
        const int32_t reach = int32_t(1) << random.in(4, 29);
        const int32_t middle = random.in(0, 100 << 8);
        pipe::raster::FixedPoint corner[3];
        for (auto& c : corner)
            c = {middle + random.in(-reach / 2, reach / 2), middle + random.in(-reach / 2, reach / 2)};
        if (random.in(0, 7) == 0) corner[1].x = corner[0].x;  // vertical and horizontal edges: ties
        if (random.in(0, 7) == 0) corner[2].y = corner[0].y & ~255;
        pipe::raster::TriangleSetup exact_edges;
        if (!pipe::raster::setup_triangle(corner, &exact_edges)) continue;
        RasterPrimitive p;
        const int32_t at[3][2] = {
            {corner[0].x, corner[0].y}, {corner[1].x, corner[1].y}, {corner[2].x, corner[2].y}};
        REQUIRE(p.triangle.init(at));
        for (unsigned n = 0; n < 20; ++n) {
            // Positions at corners and near them, some of which are on edges.
            const auto& c = corner[n % 3];
            const int64_t x = c.x + random.in(-2, 2), y = c.y + random.in(-2, 2);
            REQUIRE(p.triangle.covers_at(x, y) == exact_edges.covers_at(x, y));
        }
        const unsigned samples = 1u << random.in(0, 3);
        const SamplePattern s = round % 4 == 0 ? SamplePattern{} : pattern_of(random, samples);
        p.bounds = exact_edges.bounds;
        if (!s.is_center()) p.bounds = {p.bounds.x0 - 1, p.bounds.y0 - 1, p.bounds.x1 + 1, p.bounds.y1 + 1};
        pipe::raster::PixelRect tile{random.in(0, 60), random.in(0, 60), 0, 0};
        tile.x1 = tile.x0 + random.in(1, 70), tile.y1 = tile.y0 + random.in(1, 70);
        const auto r = pipe::raster::intersect(p.bounds, tile);
        if (r.empty()) continue;
        const Quads exact = quads_of([&](auto& quad) { return detail::walk_exactly(p, s, r, quad); });
        const Quads fast = quads_of([&](auto& quad) { return walk_quads(p, s, tile, quad); });
        REQUIRE(fast == exact);
        covered += !exact.empty();
        large += !detail::AreaEdges::fits(p.triangle);
        small += p.triangle.within(detail::AreaEdges::kMaxExactStep);
    }
    CHECK(covered > 1000);
    CHECK(large > 50);
    CHECK(small > 500);
}

TEST_CASE("units: edges: corners that would leave 64 bits, as a damaged record has, cover nothing") {
    TriangleEdges edges;
    constexpr int32_t kFar = std::numeric_limits<int32_t>::max();
    CHECK(edges.init({{-(1 << 28), 0}, {1 << 28, 0}, {0, 1 << 28}}));
    CHECK(!edges.init({{-kFar, 0}, {kFar, 0}, {0, kFar}}));
    CHECK(!edges.init({{0, 0}, {0, 256}, {0, pipe::raster::kMaxFixed}}));
    CHECK(!edges.init({{0, 0}, {256, 0}, {0, -kFar}}));
    Primitive p;
    p.corner[1][0] = kFar, p.corner[2][1] = -kFar;
    p.vertex[1].x = p.vertex[2].y = 1;
    RasterPrimitive out;
    CHECK(!set_up_raster(p, {}, false, &out));
    p.kind = PrimitiveKind::Line;
    p.corner[0][1] = p.corner[1][1] = pipe::raster::kSubpixelHalf;
    for (const bool multisampled : {false, true}) {
        CHECK(!set_up_raster(p, {}, multisampled, &out));
        p.corner[1][0] = pipe::raster::kMaxFixed;
        for (const float size_px : {std::numeric_limits<float>::quiet_NaN(), -1.0f, 1e30f}) {
            p.size_px = size_px;
            REQUIRE(set_up_raster(p, {}, multisampled, &out));
            out.bounds = {0, 0, 4, 4};
            const SamplePattern middle = {};
            CHECK(!quads_of([&](auto& quad) { return walk_quads(out, middle, out.bounds, quad); }).empty());
        }
        p.corner[1][0] = kFar;
    }
}

namespace {

QuadU32 encode(DepthFormat format, QuadF32 z) {
    switch (format) {
        case DepthFormat::Unorm16:
            return encode_depths<DepthFormat::Unorm16>(z);
        case DepthFormat::Unorm24:
            return encode_depths<DepthFormat::Unorm24>(z);
        case DepthFormat::Float32:
            break;
    }
    return encode_depths<DepthFormat::Float32>(z);
}

}  // namespace

TEST_CASE("units: depth: four depths at a time equal one at a time, to the bit") {
    Random random;
    for (unsigned round = 0; round < 4000; ++round) {
        RasterPrimitive p;
        const double scale = std::ldexp(1.0, random.in(-24, 4));
        p.depth = {scale * random.real(-1, 1), scale * random.real(-1, 1), double(random.real(-0.5f, 1.5f))};
        if (round % 16 == 0) p.depth.c = std::numeric_limits<double>::quiet_NaN();
        if (round % 16 == 1) p.depth = {0, 0, -0.0};
        FragmentDepth d;
        if (random.coin()) d.low = random.real(-1, 0.5f), d.high = random.real(0.5f, 2);
        d.is_constant = round % 8 == 0, d.constant = random.real(-2, 2);
        const double x = random.in(0, 4000) + random.in(0, 255) / 256.0,
                     y = random.in(0, 4000) + random.in(0, 255) / 256.0;
        const QuadF64 plane = p.depth.at_quad(x, y);
        const QuadF32 z = d.at_quad(p.depth, x, y);
        const auto format = DepthFormat(random.in(0, 2));
        const QuadU32 words = encode(format, z);
        for (unsigned i = 0; i < 4; ++i) {
            const double px = x + (i & 1), py = y + (i >> 1);
            const double wanted = p.depth.at(px, py), got = plane[i];
            REQUIRE((std::memcmp(&got, &wanted, 8) == 0 || (wanted != wanted && got != got)));
            REQUIRE(same_bits(z[i], d.at(p.depth, px, py)));
            REQUIRE(uint32_t(words[i]) == encode_depth(format, z[i]));
        }
    }
    for (const float v : {std::nanf(""), -1.0f, -0.0f, 0.0f, 1e-30f, 1.0f, 2.0f, INFINITY, -INFINITY})
        for (const DepthFormat f : {DepthFormat::Unorm16, DepthFormat::Unorm24, DepthFormat::Float32})
            CHECK(encode(f, QuadF32{0, v, 0, 0})[1] == encode_depth(f, v));
}

TEST_CASE("units: depth: tests of quads equal tests of samples, in every state") {
    Random random;
    unsigned passed = 0, written = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        pipe::DepthStencilDesc test;
        test.depth_test = random.in(0, 3) != 0;
        test.depth_write = random.coin();
        test.stencil_test = random.in(0, 3) == 0;
        test.depth_compare = pipe::Compare(random.in(0, 7));
        for (pipe::StencilFaceDesc* f : {&test.front, &test.back})
            *f = {pipe::Compare(random.in(0, 7)),   pipe::StencilOp(random.in(0, 7)),
                  pipe::StencilOp(random.in(0, 7)), pipe::StencilOp(random.in(0, 7)),
                  uint8_t(random.in(0, 255)),       uint8_t(random.in(0, 255))};
        const auto format = DepthFormat(random.in(0, 2));
        const DepthStencilTests tests(test, format);
        const bool back = random.coin();
        const auto reference = uint8_t(random.in(0, 255));
        const auto mask = unsigned(random.in(0, 15));
        QuadF32 z{};
        QuadU32 depth{}, stencil{};
        for (unsigned i = 0; i < 4; ++i) {
            // The values are often equal, and sometimes NaN.
            z[i] = random.in(0, 15) == 0 ? std::nanf("") : float(random.in(0, 8)) / 8;
            const float there = format == DepthFormat::Float32 && random.in(0, 15) == 0
                                    ? std::nanf("")
                                    : float(random.in(0, 8)) / 8;
            depth[i] = encode_depth(format, there);
            stencil[i] = uint32_t(random.in(0, 255));
        }
        QuadU32 new_depth = depth, new_stencil = stencil;
        const unsigned passes = tests.run(back, reference, z, mask, &new_depth, &new_stencil);
        REQUIRE((passes & ~mask) == 0);
        for (unsigned i = 0; i < 4; ++i) {
            uint32_t d = depth[i];
            auto s = uint8_t(stencil[i]);
            const bool wanted = (mask >> i & 1) && test_sample(test, format, back, reference, z[i], &d, &s);
            REQUIRE((passes >> i & 1) == unsigned(wanted));
            REQUIRE(uint32_t(new_depth[i]) == d);
            REQUIRE(uint32_t(new_stencil[i]) == s);
            passed += wanted;
            written += d != depth[i];
        }
    }
    CHECK(passed > 10000);
    CHECK(written > 2000);
}

TEST_CASE("units: quads: weights of whole quads equal those of single pixels, to the bit") {
    struct Toy : RasterPrimitive {};
    Random random;
    for (unsigned round = 0; round < 500; ++round) {
        Toy p[3];
        QuadBatch<Toy, 4> batch;
        QuadAt quads[3];
        for (unsigned q = 0; q < 3; ++q) {
            for (PlaneEquation* w : {&p[q].weight[1], &p[q].weight[2], &p[q].inv_w})
                *w = {random.real(-0.1f, 0.1f), random.real(-0.1f, 0.1f), random.real(0.5f, 2)};
            if (random.coin()) p[q].inv_w.a = p[q].inv_w.b = 0;
            quads[q] = {&p[q], 2 * random.in(0, 900), 2 * random.in(0, 900)};
            CHECK(!batch.add(p[q], quads[q].x, quads[q].y, 15));
        }
        float weight[2][2][16] = {};
        double wide[2][2][16] = {};
        find_weights(batch, weight[0][0], weight[0][1]);
        find_weights_portable(quads, 3, weight[1][0], weight[1][1]);
        find_weights(batch, 3, wide[0][0], wide[0][1]);
        find_weights_portable(quads, 3, wide[1][0], wide[1][1]);
        for (unsigned lane = 0; lane < 12; ++lane) {
            const double x = batch.x[lane] + 0.5, y = batch.y[lane] + 0.5;
            const double inverse = 1 / p[lane / 4].inv_w.at(x, y);
            for (unsigned i = 0; i < 2; ++i) {
                const double exact = p[lane / 4].weight[i + 1].at(x, y) * inverse;
                for (const auto& w : weight)
                    REQUIRE(same_bits(w[i][lane], float(exact)));
                for (const auto& w : wide)
                    REQUIRE(w[i][lane] == exact);
            }
        }
    }
}

TEST_CASE("units: raster: edges and planes of triangles are the same with any vectors of the CPU") {
    Random random;
    unsigned drawn = 0;
    for (unsigned round = 0; round < 5000; ++round) {
        Primitive shape;
        const float reach = round % 2 ? 12 : 2000;
        for (unsigned i = 0; i < 3; ++i) {
            WindowVertex& v = shape.vertex[i];
            v = {random.real(0, reach), random.real(0, reach), random.real(-1, 1), random.real(0.1f, 2)};
            if (random.in(0, 4) == 0) v.x = shape.vertex[0].x;
            if (random.in(0, 4) == 0) v.y = shape.vertex[0].y;
            if (random.in(0, 4) == 0) v.z = random.coin() ? 0.0f : -0.0f;
            if (random.coin()) v.inv_w = shape.vertex[0].inv_w;
            shape.corner[i][0] = int32_t(v.x * 256), shape.corner[i][1] = int32_t(v.y * 256);
            if (round % 8 == 0) shape.corner[i][random.in(0, 1)] = random.in(-(1 << 30), 1 << 30);
        }
        DepthBias bias;
        bias.enable = random.coin();
        bias.factor = 2, bias.units = 3;
        RasterPrimitive p[2];
        const bool is_drawn = set_up_raster(shape, bias, true, &p[0], false);
        REQUIRE(set_up_raster(shape, bias, true, &p[1]) == is_drawn);
        if (!is_drawn) continue;
        ++drawn;
        REQUIRE(std::memcmp(&p[0].triangle, &p[1].triangle, sizeof p[0].triangle) == 0);
        REQUIRE(std::memcmp(p[0].weight, p[1].weight, sizeof p[0].weight) == 0);
        REQUIRE(std::memcmp(&p[0].depth, &p[1].depth, sizeof p[0].depth) == 0);
        REQUIRE(std::memcmp(&p[0].inv_w, &p[1].inv_w, sizeof p[0].inv_w) == 0);
    }
    CHECK(drawn > 3000);
}

TEST_CASE("units: setup: triangles with shared vertices equal single ones") {
    Random random;
    unsigned visible = 0, hidden = 0, clipped = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        SetupState s;
        s.cull_front = random.in(0, 3) == 0, s.cull_back = random.in(0, 3) == 0, s.front_ccw = random.coin();
        s.low_depth_cull = random.coin(), s.high_depth_cull = random.coin();
        s.scissor = {random.in(0, 40), random.in(0, 40), random.in(50, 90), random.in(50, 90)};
        WindowVertex v[3];
        SetupVertex shared[3];
        bool inside = true;
        for (unsigned i = 0; i < 3; ++i) {
            const float reach = random.in(0, 30) == 0 ? 3e6f : 100;
            v[i] = {random.real(-20, reach), random.real(-20, reach), random.real(-0.05f, 1.05f),
                    random.real(-0.02f, 2)};
            if (random.in(0, 40) == 0) v[i].y = NAN;
            if (random.in(0, 40) == 0) v[i].inv_w = 0;
            shared[i] = set_up_vertex(s, v[i]);
            inside = inside && shared[i].inside;
        }
        if (random.in(0, 20) == 0) v[1] = v[0], shared[1] = shared[0];  // zero area
        std::vector<Primitive> wanted;
        set_up_primitive(s, v, 7, &wanted);
        clipped += !inside && !wanted.empty();
        if (!inside) continue;
        const SetupVertex* const vertex[3] = {&shared[0], &shared[1], &shared[2]};
        uint16_t back_facing;
        REQUIRE(is_visible_inside(s, vertex, &back_facing) == !wanted.empty());
        hidden += wanted.empty();
        if (wanted.empty()) continue;
        ++visible;
        REQUIRE(wanted.size() == 1);
        const Primitive got = triangle_of(s, vertex, 7, back_facing);
        REQUIRE(std::memcmp(&got, wanted.data(), sizeof got) == 0);
    }
    CHECK(visible > 1000);
    CHECK(hidden > 1000);
    CHECK(clipped > 100);
}

TEST_CASE("units: rgba8: sixteen pixels at a time equal one at a time, packed and blended") {
    Random random;
    ColorTarget target;
    REQUIRE(color_target(format_reader(pipe::Format::R8G8B8A8_UNORM), &target));
    CHECK(target.rgba8);
    const auto same = [](const wave::U32& a, const wave::U32& b) {
        return std::memcmp(&a, &b, sizeof a) == 0;
    };
    for (unsigned round = 0; round < 3000; ++round) {
        // Halves are in the low or in the high bits; a channel may be absent.
        ColorRegisters in;
        in.halves = random.coin();
        wave::U32 channel[4][2], pixels[2], portable[2];
        for (unsigned c = 0; c < 4; ++c) {
            in.channel[c] = random.in(0, 9) ? channel[c] : nullptr;
            in.shift[c] = in.halves && random.coin() ? 16 : 0;
            for (unsigned i = 0; i < 32; ++i) {
                const float v = random.in(0, 30) == 0 ? std::nanf("") : random.real(-0.2f, 1.2f);
                const uint32_t any = random.in(0, 3) == 0 ? random.bits() : std::bit_cast<uint32_t>(v);
                const uint32_t half = random.in(0, 3) == 0 ? random.bits() & 0xffff : pipe::float_to_half(v);
                const uint32_t other = random.bits() & 0xffff;
                channel[c][i / 16][i % 16] = !in.halves    ? any
                                             : in.shift[c] ? half << 16 | other
                                                           : other << 16 | half;
            }
        }
        pack_rgba8(in, 2, pixels);
        pack_rgba8_portable(in, 2, portable);
        pipe::BlendTargetDesc& b = target.blend;
        b.enable = round % 2;
        b.write_mask = uint8_t(b.enable ? random.in(0, 15) : 15);
        b.op_rgb = pipe::BlendOp(random.in(0, 4)), b.op_alpha = pipe::BlendOp(random.in(0, 4));
        for (pipe::BlendFactor* f : {&b.src_rgb, &b.dst_rgb, &b.src_alpha, &b.dst_alpha})
            *f = pipe::BlendFactor(random.in(0, int32_t(pipe::BlendFactor::OneMinusSrc1Alpha)));
        for (float& v : target.constant)
            v = random.real(-0.2f, 1.2f);
        for (unsigned g = 0; g < 2; ++g) {
            REQUIRE(same(pixels[g], portable[g]));
            wave::U32 stored;
            for (unsigned i = 0; i < 16; ++i)
                stored[i] = random.bits();
            // The second source: the first one's colours, moved by two lanes.
            const bool has_second = random.coin();
            wave::U32 second;
            for (unsigned i = 0; i < 16; ++i)
                second[i] = pixels[g][(i + 2) % 16];
            wave::U32 blended = stored, blended_portable = stored;
            blend_rgba8(target, pixels[g], has_second ? &second : nullptr, &blended);
            blend_rgba8_portable(target, pixels[g], has_second ? &second : nullptr, &blended_portable);
            REQUIRE(same(blended, blended_portable));
            for (unsigned i = 0; i < 16; ++i) {
                uint32_t one[4], two[4], pixel = stored[i];
                for (unsigned c = 0; c < 4; ++c) {
                    const auto bits = [&](unsigned lane) -> uint32_t {
                        if (!in.channel[c]) return 0;
                        const uint32_t v = channel[c][g][lane] >> in.shift[c];
                        return in.halves ? std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(v))) : v;
                    };
                    one[c] = bits(i), two[c] = bits((i + 2) % 16);
                }
                write_color(target, one, has_second ? two : nullptr, reinterpret_cast<uint8_t*>(&pixel));
                REQUIRE(uint32_t(blended[i]) == pixel);
                if (!b.enable) REQUIRE(uint32_t(pixels[g][i]) == pixel);
            }
        }
    }
}

TEST_CASE("units: quads: samples that have passed are counted") {
    std::mt19937 random(3);
    for (const bool one_sample : {true, false}) {
        units::PrimitiveQuads quads;
        for (quads.count = 0; quads.count < units::PrimitiveQuads::kMost; ++quads.count) {
            const uint64_t counted = units::count_passed({quads.quad, quads.count}, one_sample);
            uint64_t expected = 0;
            for (unsigned i = 0; i < quads.count; ++i)
                expected += uint64_t(std::popcount(quads.quad[i].passed));
            REQUIRE(counted == expected);
            // The largest numbers first.
            const uint32_t all = quads.count < 280 ? ~0u : uint32_t(random());
            quads.quad[quads.count].passed = one_sample ? all & 0x01010101 : all;
        }
    }
}
