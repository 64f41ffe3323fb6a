// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil tests of complete quads compared with tests of one sample after another, for random
// states, at the edges of areas with odd sizes, with one and several samples.
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "drivers/adreno/sim/pixel/batch.h"

namespace terrazzo::adreno::sim {
namespace {

constexpr int32_t kX0 = 3, kY0 = 6, kWidth = 7, kHeight = 5;

struct Random {
    std::mt19937 bits{63};
    unsigned below(unsigned n) { return unsigned(bits() % n); }
    bool coin() { return bits() & 1; }
};

PixelState random_state(Random& random, unsigned samples) {
    PixelState s;
    s.samples = samples;
    for (unsigned i = 0; i < samples; ++i) {
        s.sample_x[i] = random.below(256) / 256.0;
        s.sample_y[i] = random.below(256) / 256.0;
    }
    pipe::DepthStencilDesc& t = s.test;
    t.depth_test = random.below(4) != 0;
    t.depth_write = random.coin();
    t.stencil_test = random.below(3) == 0;
    t.depth_compare = pipe::Compare(random.below(8));
    for (pipe::StencilFaceDesc* f : {&t.front, &t.back})
        *f = {pipe::Compare(random.below(8)),   pipe::StencilOp(random.below(8)),
              pipe::StencilOp(random.below(8)), pipe::StencilOp(random.below(8)),
              uint8_t(random.below(256)),       uint8_t(random.below(256))};
    s.depth_layout = DepthLayout(random.below(4));
    s.depth_format = s.depth_layout == DepthLayout::D16     ? units::DepthFormat::Unorm16
                     : s.depth_layout == DepthLayout::D24S8 ? units::DepthFormat::Unorm24
                                                            : units::DepthFormat::Float32;
    if (s.depth_layout == DepthLayout::None) t.depth_test = t.depth_write = false;
    s.depth_bounds = s.depth_layout != DepthLayout::None && random.below(4) == 0;
    s.least_depth = 0.3f, s.most_depth = 0.8f;
    s.reference[0] = uint8_t(random.below(256)), s.reference[1] = uint8_t(random.below(256));
    s.quad_tests = units::DepthStencilTests(t, s.depth_format);
    s.depth_target.sample_B = s.depth_layout == DepthLayout::D16 ? 2 : 4;
    return s;
}

// An area whose planes have their own memory, with exactly the size of its rectangle.
Area random_area(Random& random, const PixelState& s, bool separate_stencil) {
    Area a;
    a.rect = {kX0, kY0, kX0 + kWidth, kY0 + kHeight};
    const auto plane = [&](unsigned n, uint32_t pixel_B) {
        Area::Plane& p = a.plane[n];
        p.pixel_B = pixel_B;
        p.row_B = size_t(kWidth) * pixel_B;
        p.own.resize(p.row_B * kHeight);
        for (uint8_t& b : p.own)
            b = uint8_t(random.below(256));
        p.origin = p.own.data();
    };
    if (s.depth_layout != DepthLayout::None) plane(Area::kDepth, s.samples * s.depth_target.sample_B);
    if (separate_stencil) plane(Area::kStencil, s.samples);
    return a;
}
Area copy_of(const Area& from) {
    Area a = from;
    for (Area::Plane& p : a.plane)
        if (p.origin) p.origin = p.own.data();
    return a;
}

// One sample, in the simplest way.
bool test_one(const PixelState& s, const FragmentPrimitive& p, int32_t x, int32_t y, unsigned n, float z,
              uint8_t reference, Area& a) {
    uint8_t* const depth_at =
        a.plane[Area::kDepth].origin ? a.at(Area::kDepth, x, y) + n * s.depth_target.sample_B : nullptr;
    uint8_t* const stencil_at = a.plane[Area::kStencil].origin ? a.at(Area::kStencil, x, y) + n : nullptr;
    uint32_t word = 0, depth = 0;
    uint8_t stencil = 0;
    if (depth_at) std::memcpy(&word, depth_at, s.depth_target.sample_B);
    const bool packed = s.depth_layout == DepthLayout::D24S8;
    depth = packed ? word & 0xffffff : word;
    stencil = stencil_at ? *stencil_at : packed ? uint8_t(word >> 24) : uint8_t(0);
    const float stored = units::decode_depth(s.depth_format, depth);
    if (s.depth_bounds && !(stored >= s.least_depth && stored <= s.most_depth)) return false;
    const bool passes =
        units::test_sample(s.test, s.depth_format, p.back_facing, reference, z, &depth, &stencil);
    if (stencil_at) *stencil_at = stencil;
    // Without its own plane, stencil is in the depth's word.
    word = packed ? depth | uint32_t(stencil) << 24 : depth;
    if (depth_at) std::memcpy(depth_at, &word, s.depth_target.sample_B);
    return passes;
}

bool same(const Area& a, const Area& b) {
    for (unsigned n = 0; n < Area::kPlanes; ++n)
        if (a.plane[n].own != b.plane[n].own) return false;
    return true;
}

}  // namespace

TEST_CASE("pixel: quads have the results of their samples, tested one after another") {
    Random random;
    unsigned passed = 0, changed = 0, early = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        const unsigned samples = 1u << random.below(3);
        const PixelState s = random_state(random, samples);
        const bool separate = s.depth_layout != DepthLayout::D24S8 && random.coin();
        Area area = random_area(random, s, separate), wanted_area = copy_of(area);
        FragmentPrimitive p;
        p.back_facing = random.coin();
        p.depth = {random.below(100) / 900.0 - 0.05, random.below(100) / 900.0 - 0.05,
                   random.below(100) / 100.0};
        const auto x = int32_t(2 + 2 * random.below(4)), y = int32_t(6 + 2 * random.below(3));
        uint32_t tested = random.bits() & ((1u << samples) - 1) * 0x01010101u, wanted = 0;
        for (int32_t i = 0; i < 4; ++i)
            if (!area.rect.contains(x + (i & 1), y + (i >> 1))) tested &= ~(0xffu << 8 * i);
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
                float z = s.depth.at(p, px + s.sample_x[n], py + s.sample_y[n]);
                if (from_shader) z = std::clamp(std::bit_cast<float>(depth[i]), 0.0f, 1.0f);
                const auto reference = uint8_t(from_shader ? stencil[i] : s.reference[p.back_facing]);
                wanted |= uint32_t(test_one(s, p, px, py, n, z, reference, wanted_area)) << (8 * i + n);
            }
        const Area before = copy_of(area);
        Area early_area = copy_of(area);
        const uint32_t got = test_quad(s, p, x, y, tested, from_shader ? depth : nullptr,
                                       from_shader ? stencil : nullptr, area);
        REQUIRE(got == wanted);
        REQUIRE(same(area, wanted_area));
        if (!same(area, before)) {
            ++changed;
            REQUIRE((area.plane[Area::kDepth].changed || area.plane[Area::kStencil].changed));
        }
        passed += got != 0;
        if (from_shader) continue;
        REQUIRE(early_test(s)(s, p, x, y, tested, early_area) == wanted);
        REQUIRE(same(early_area, wanted_area));
        REQUIRE((same(early_area, before) || early_area.plane[Area::kDepth].changed ||
                 early_area.plane[Area::kStencil].changed));
        ++early;
    }
    CHECK(passed > 3000);
    CHECK(changed > 3000);
    CHECK(early > 3000);
}

TEST_CASE("pixel: sets of samples and of pixels") {
    for (unsigned pixels = 0; pixels < 16; ++pixels)
        for (unsigned n = 0; n < 8; ++n) {
            CHECK(pixels_of(samples_of(pixels) << n, n) == pixels);
            CHECK(any_pixels(samples_of(pixels) << n) == pixels);
            CHECK(pixels_of(samples_of(pixels) << n, n ^ 1) == 0);
        }
    FragmentBatch b;
    b.samples[1] = 0x0f0f0f0f;
    b.keep_samples(6, 5);
    CHECK(b.samples[1] == 0x0f050f0f);
    CHECK(b.samples_at(6) == 5);
    CHECK(b.samples_at(7) == 15);
}

}  // namespace terrazzo::adreno::sim
