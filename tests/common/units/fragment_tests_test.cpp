// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil tests of complete quads compared with tests of one sample after another, for random
// states, at the edges of tiles with odd sizes, with one and several samples.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "drivers/common/units/fragment_tests.h"
#include "drivers/common/units/walk.h"

namespace terrazzo::units {
namespace {

constexpr int32_t kX0 = 3, kY0 = 6, kWidth = 7, kHeight = 5;

struct Random {
    std::mt19937 bits{63};
    unsigned below(unsigned n) { return unsigned(bits() % n); }
    bool coin() { return bits() & 1; }
};

FragmentTests random_tests(Random& random, unsigned samples) {
    FragmentTests s;
    s.samples = samples;
    for (unsigned i = 0; i < samples; ++i) {
        s.sample_x[i] = random.below(256) / 256.0;
        s.sample_y[i] = random.below(256) / 256.0;
    }
    pipe::DepthStencilDesc& t = s.desc;
    t.depth_test = random.below(4) != 0;
    t.depth_write = random.coin();
    t.stencil_test = random.below(3) == 0;
    t.depth_compare = pipe::Compare(random.below(8));
    for (pipe::StencilFaceDesc* f : {&t.front, &t.back})
        *f = {pipe::Compare(random.below(8)),   pipe::StencilOp(random.below(8)),
              pipe::StencilOp(random.below(8)), pipe::StencilOp(random.below(8)),
              uint8_t(random.below(256)),       uint8_t(random.below(256))};
    s.layout = DepthLayout(random.below(4));
    s.format = s.layout == DepthLayout::D16     ? DepthFormat::Unorm16
               : s.layout == DepthLayout::D24S8 ? DepthFormat::Unorm24
                                                : DepthFormat(random.below(3));
    if (s.layout == DepthLayout::None) t.depth_test = t.depth_write = false;
    s.bounds = s.layout != DepthLayout::None && random.below(4) == 0;
    s.least = 0.3f, s.most = 0.8f;
    s.reference[0] = uint8_t(random.below(256)), s.reference[1] = uint8_t(random.below(256));
    if (random.below(4) == 0) s.depth.low = 0.2, s.depth.high = 0.7;
    s.depth.is_constant = random.below(8) == 0;
    s.depth.constant = random.below(100) / 100.0;
    s.decide();
    return s;
}

// A tile whose planes have their own memory, with exactly the size of its rectangle.
struct Tile {
    std::vector<uint8_t> depth, stencil;
    DepthStencilTile of;

    Tile(Random& random, const FragmentTests& t, bool separate_stencil) {
        const auto plane = [&](std::vector<uint8_t>* own, uint32_t pixel_B, TilePlane* p) {
            p->pixel_B = pixel_B;
            p->row_B = size_t(kWidth) * pixel_B;
            own->resize(p->row_B * kHeight);
            for (uint8_t& b : *own)
                b = uint8_t(random.below(256));
        };
        of.rect = {kX0, kY0, kX0 + kWidth, kY0 + kHeight};
        if (t.layout != DepthLayout::None) plane(&depth, t.samples * depth_size_B(t.layout), &of.depth);
        if (separate_stencil) plane(&stencil, t.samples, &of.stencil);
        // Words have only the bits of their format.
        const uint32_t high = t.format == DepthFormat::Unorm16 ? 0xffff : 0xffffff;
        if (t.layout == DepthLayout::Word && t.format != DepthFormat::Float32)
            for (size_t at = 0; at < depth.size(); at += 4) {
                uint32_t word;
                std::memcpy(&word, &depth[at], 4);
                word &= high;
                std::memcpy(&depth[at], &word, 4);
            }
        place();
    }
    Tile(const Tile& t) : depth(t.depth), stencil(t.stencil), of(t.of) { place(); }
    void place() {
        of.depth.origin = depth.empty() ? nullptr : depth.data();
        of.stencil.origin = stencil.empty() ? nullptr : stencil.data();
    }
    bool operator==(const Tile& t) const { return depth == t.depth && stencil == t.stencil; }
    uint8_t* at(const TilePlane& p, int32_t x, int32_t y) const {
        return p.origin ? p.origin + size_t(y - kY0) * p.row_B + size_t(x - kX0) * p.pixel_B : nullptr;
    }
};

// One sample, in the simplest way.
bool test_one(const FragmentTests& s, const RasterPrimitive& p, int32_t x, int32_t y, unsigned n, float z,
              uint8_t reference, Tile& a) {
    const size_t size_B = depth_size_B(s.layout);
    uint8_t *depth_at = a.at(a.of.depth, x, y), *stencil_at = a.at(a.of.stencil, x, y);
    if (depth_at) depth_at += n * size_B;
    if (stencil_at) stencil_at += n;
    uint32_t word = 0, depth = 0;
    uint8_t stencil = 0;
    if (depth_at) std::memcpy(&word, depth_at, size_B);
    const bool packed = s.layout == DepthLayout::D24S8;
    depth = packed ? word & 0xffffff : word;
    stencil = stencil_at ? *stencil_at : packed ? uint8_t(word >> 24) : uint8_t(0);
    const float stored = decode_depth(s.format, depth);
    if (s.bounds && !(stored >= s.least && stored <= s.most)) return false;
    const bool passes = test_sample(s.desc, s.format, p.back_facing, reference, z, &depth, &stencil);
    if (stencil_at) *stencil_at = stencil;
    // Without its own plane, stencil is in the depth's word.
    word = packed ? depth | uint32_t(stencil) << 24 : depth;
    if (depth_at) std::memcpy(depth_at, &word, size_B);
    return passes;
}

}  // namespace

TEST_CASE("units: fragment tests: quads have the results of their samples, tested one after another") {
    Random random;
    unsigned passed = 0, changed = 0, early = 0, kept = 0;
    for (unsigned round = 0; round < 30000; ++round) {
        const unsigned samples = 1u << random.below(4);
        const FragmentTests s = random_tests(random, samples);
        const bool separate = s.layout != DepthLayout::D24S8 && random.coin();
        Tile tile(random, s, separate), wanted_tile = tile;
        RasterPrimitive p;
        p.back_facing = random.coin();
        p.depth = {random.below(100) / 900.0 - 0.05, random.below(100) / 900.0 - 0.05,
                   random.below(100) / 100.0};
        const auto x = int32_t(2 + 2 * random.below(4)), y = int32_t(6 + 2 * random.below(3));
        uint32_t tested = random.bits() & whole_quad(samples), wanted = 0;
        for (int32_t i = 0; i < 4; ++i)
            if (!tile.of.rect.contains(x + (i & 1), y + (i >> 1))) tested &= ~(0xffu << 8 * i);
        const bool from_shader = random.below(4) == 0;
        uint32_t depth[4], stencil[4];
        for (unsigned i = 0; i < 4; ++i) {
            depth[i] = std::bit_cast<uint32_t>(float(random.below(120)) / 100 - 0.1f);
            stencil[i] = random.below(256);
        }
        for (unsigned n = 0; n < samples; ++n)
            for (unsigned i = 0; i < 4; ++i) {
                if (!(tested >> (8 * i + n) & 1)) continue;
                const int32_t px = x + int32_t(i & 1), py = y + int32_t(i >> 1);
                float z = s.depth.at(p.depth, px + s.sample_x[n], py + s.sample_y[n]);
                if (from_shader)
                    z = std::clamp(std::bit_cast<float>(depth[i]), float(s.depth.low), float(s.depth.high));
                const auto reference = uint8_t(from_shader ? stencil[i] : s.reference[p.back_facing]);
                wanted |= uint32_t(test_one(s, p, px, py, n, z, reference, wanted_tile)) << (8 * i + n);
            }
        const Tile before = tile;
        const uint32_t got =
            s.run(p, x, y, tested, tile.of, from_shader ? depth : nullptr, from_shader ? stencil : nullptr);
        REQUIRE(got == wanted);
        REQUIRE(tile == wanted_tile);
        REQUIRE((tile == before || tile.of.changed));
        changed += tile.of.changed != 0;
        passed += got != 0;
        if (from_shader) continue;
        ++early;
        // Without writes, the results are the same.
        Tile constant = before;
        FragmentTests::QuadSample q{x, y, 0, pixels_of(tested, 0), p.back_facing, false};
        q.z = s.depth.at_quad(p.depth, x + s.sample_x[0], y + s.sample_y[0]);
        if (!q.pixels) continue;
        REQUIRE(s.run(q, constant.of) == pixels_of(wanted, 0));
        REQUIRE(constant == before);
        REQUIRE(!constant.of.changed);
        ++kept;
    }
    CHECK(passed > 3000);
    CHECK(changed > 3000);
    CHECK(early > 3000);
    CHECK(kept > 3000);
}

TEST_CASE("units: sets of samples and of pixels") {
    for (unsigned pixels = 0; pixels < 16; ++pixels)
        for (unsigned n = 0; n < 8; ++n) {
            CHECK(pixels_of(samples_of(pixels) << n, n) == pixels);
            CHECK(any_pixels(samples_of(pixels) << n) == pixels);
            CHECK(pixels_of(samples_of(pixels) << n, n ^ 1) == 0);
            CHECK(count_bits(samples_of(pixels) << n) == unsigned(std::popcount(pixels)));
        }
    CHECK(whole_quad(1) == samples_of(15));
    CHECK(whole_quad(4) == 0x0f0f0f0f);
}

TEST_CASE(
    "units: fragment tests: a list of quads has the results of its quads, with any vectors of the CPU") {
    Random random;
    unsigned tested = 0, kept = 0;
    for (unsigned round = 0; round < 3000; ++round) {
        FragmentTests s = random_tests(random, 1u << random.below(3));
        const bool separate = s.layout != DepthLayout::D24S8 && random.coin();
        const Tile before(random, s, separate);
        RasterPrimitive p;
        p.back_facing = random.coin();
        p.depth = {random.below(100) / 900.0 - 0.05, random.below(100) / 900.0 - 0.05,
                   random.below(100) / 100.0};
        const bool writes = s.samples > 1 || random.below(4) != 0;
        auto quads = std::make_unique<PrimitiveQuads>();
        for (int32_t y = kY0 & ~1; y < kY0 + kHeight; y += 2)
            for (int32_t x = kX0 & ~1; x < kX0 + kWidth; x += 2) {
                uint32_t covered = random.bits() & whole_quad(s.samples);
                for (int32_t i = 0; i < 4; ++i)
                    if (!before.of.rect.contains(x + (i & 1), y + (i >> 1))) covered &= ~(0xffu << 8 * i);
                if (covered) quads->quad[quads->count++] = {x, y, covered, covered};
            }
        // The expected result: tests the quads one after another.
        Tile wanted = before;
        auto left = std::make_unique<PrimitiveQuads>();
        for (unsigned i = 0; i < quads->count; ++i) {
            PrimitiveQuads::Quad q = quads->quad[i];
            const QuadF32 z = s.depth.at_quad(p.depth, q.x + s.sample_x[0], q.y + s.sample_y[0]);
            q.passed = writes
                           ? s.run(p, q.x, q.y, q.covered, wanted.of)
                           : samples_of(s.run({q.x, q.y, 0, pixels_of(q.covered, 0), p.back_facing, false, z},
                                              wanted.of));
            if (q.passed) left->quad[left->count++] = q;
        }
        for (const bool avx2 : {false, true}) {
            s.allow_avx2 = avx2;
            s.decide();
            Tile tile = before;
            PrimitiveQuads list = *quads;
            s.run(p, writes, tile.of, list);
            REQUIRE(list.count == left->count);
            REQUIRE(tile == wanted);
            REQUIRE(tile.of.changed == wanted.of.changed);
            for (unsigned i = 0; i < list.count; ++i) {
                const PrimitiveQuads::Quad &got = list.quad[i], &q = left->quad[i];
                REQUIRE((got.x == q.x && got.y == q.y && got.covered == q.covered && got.passed == q.passed));
            }
            kept += list.count;
        }
        tested += 2 * quads->count;
    }
    CHECK(tested > 60000);
    CHECK(kept > 15000);
    CHECK(kept < tested);
}

TEST_CASE("units: fragment tests: a primitive's quads have the samples of the walk that the mask keeps") {
    Random random;
    unsigned found = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        SamplePattern pattern;
        pattern.count = round % 8 ? 1 : 1u << random.below(4);
        for (unsigned n = 0; n < pattern.count && round % 8 < 2; ++n)
            pattern.x[n] = uint8_t(random.below(256)), pattern.y[n] = uint8_t(random.below(256));
        // Most triangles are a few pixels large. Corners on the grid have pixel centres on edges.
        const unsigned reach = random.below(4) ? 1 + random.below(16) : 40;
        const int32_t left = int32_t(random.below(40)) - 4, top = int32_t(random.below(40)) - 4,
                      grid = random.below(4) ? 1 : 128;
        Primitive shape;
        for (unsigned i = 0; i < 3; ++i) {
            shape.corner[i][0] = (left * 256 + int32_t(random.below(reach * 256))) / grid * grid;
            shape.corner[i][1] = (top * 256 + int32_t(random.below(reach * 256))) / grid * grid;
            shape.vertex[i] = {float(shape.corner[i][0]) / 256, float(shape.corner[i][1]) / 256, 0, 1};
        }
        RasterPrimitive p;
        if (!set_up_raster(shape, {}, !pattern.is_center(), &p)) continue;
        const uint32_t kept = random.coin() ? ~0u : random.bits();
        pipe::raster::PixelRect tile = {0, 0, 32, 32};
        if (random.below(3) == 0)
            tile = {int32_t(random.below(9)), int32_t(random.below(9)), 20 + int32_t(random.below(9)),
                    20 + int32_t(random.below(9))};
        auto quads = std::make_unique<PrimitiveQuads>();
        find_quads(p, pattern, tile, kept, quads.get());
        unsigned n = 0;
        REQUIRE(walk_quads(p, pattern, tile, [&](int32_t x, int32_t y, uint32_t mask) {
            uint32_t covered = 0;
            for (unsigned i = 0; i < 4; ++i)
                for (unsigned k = 0; k < pattern.count; ++k)
                    covered |= (mask >> (i * pattern.count + k) & kept >> k & 1) << (8 * i + k);
            if (!covered) return true;
            const PrimitiveQuads::Quad& q = quads->quad[n++];
            return q.x == x && q.y == y && q.covered == covered && q.passed == covered;
        }));
        REQUIRE(n == quads->count);
        found += n;
    }
    CHECK(found > 30000);
}

}  // namespace terrazzo::units
