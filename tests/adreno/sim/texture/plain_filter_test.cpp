// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The filter that stands in for the sampler: sixteen lanes against one, and its choice of a filter against
// pipe/raster's.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "drivers/adreno/sim/texture/plain_filter.h"
#include "pipe/raster/sample.h"
#include "tests/adreno/sim/texture/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::Fixture;
using test::TestImage;

// An image of random floats, with the filter that stands in for the sampler.
struct PlainTrial {
    Fixture f;
    TestImage image;
    sim::TextureState texture;
    pipe::SamplerDesc sampler;
    std::string why;

    bool create(uint32_t width, uint32_t height, uint32_t levels) {
        pipe::A6xxLayoutDesc d;
        d.image.kind = pipe::ResourceKind::Tex2D;
        d.image.format = pipe::Format::R32G32B32A32_FLOAT;
        d.image.width = width, d.image.height = height, d.image.levels = levels;
        d.image.tiling = pipe::Tiling::Linear;
        if (!f.create(d, &image)) return false;
        uint32_t words[hw::TexConst::kSize_dw];
        hw::pack(test::describe(image), words);
        return texture.init(f.machine, words, &why);
    }
};

TEST_CASE("texture: lanes that are sampled together get what each gets alone, to the bit") {
    std::mt19937 random(5);
    for (unsigned trial = 0; trial < 2000; ++trial) {
        PlainTrial t;
        const bool single = trial % 2;
        REQUIRE(t.create(single ? 1 : 1 + random() % 40, single ? 1 : 1 + random() % 40, 1));
        constexpr pipe::Wrap kWraps[] = {pipe::Wrap::Repeat, pipe::Wrap::ClampToEdge,
                                         pipe::Wrap::MirroredRepeat, pipe::Wrap::MirrorClampToEdge};
        t.sampler.wrap_s = kWraps[random() % 4], t.sampler.wrap_t = kWraps[random() % 4];
        REQUIRE(sim::PlainFilter::fits(t.texture, t.sampler));
        sim::PlainFilter filter(t.texture, t.sampler, t.f.machine.memory, &t.why);
        wave::F32 s, c;
        const bool inside = random() % 2;  // all coordinates
        for (unsigned n = 0; n < wave::kLanes; ++n) {
            const auto coordinate = [&] {
                const float v = float(int(random() % 4001) - 2000) / 997;
                const uint32_t k = random() % 64;
                if (inside)
                    return k == 0   ? std::nextafter(0.5f, float(random() % 2))
                           : k == 1 ? std::nextafter(1.0f, 0.0f)
                           : k < 8  ? std::ldexp(float(random() >> 8), -24 - int(random() % 40))
                                    : float(random() >> 8) * 0x1p-24f;
                return k == 0   ? float(std::bit_cast<float>(uint32_t(random())))
                       : k == 1 ? std::nextafter(0.5f, float(random() % 2))
                       : k == 2 ? v * 1e-30f
                                : v;
            };
            s[n] = coordinate();
            c[n] = coordinate();
        }
        const pipe::raster::LevelChoice choice{pipe::Filter(random() % 2), 0, 0, 0};
        const uint32_t lanes = 1 + random() % 0xffff;
        wave::F32 together[4];
        REQUIRE(filter.sample(choice, s, c, lanes, together));
        for (unsigned n = 0; n < wave::kLanes; ++n) {
            if (!(lanes >> n & 1)) continue;
            float alone[4];
            REQUIRE(filter.sample(choice, s[n], c[n], alone));
            for (unsigned k = 0; k < 4; ++k)
                if (!(std::isnan(alone[k]) && std::isnan(together[k][n])))
                    REQUIRE(std::bit_cast<uint32_t>(alone[k]) == wave::as_bits(together[k])[n]);
        }
    }
}

TEST_CASE("texture: with one level the filter is chosen as lambda chooses it") {
    PlainTrial t;
    REQUIRE(t.create(1, 1, 1));
    unsigned minified = 0;
    for (int n = -40; n <= 40; ++n) {
        float step = 1;
        for (int k = 0; k < std::abs(n); ++k)
            step = std::nextafter(step, n < 0 ? 0.0f : 2.0f);
        for (const float other : {0.0f, 1e-4f, 0x1p-12f, 0x1p-26f, 0.6f, NAN, INFINITY})
            for (const float bias : {0.0f, 0.25f, -0.25f}) {
                const float ddx[2] = {n % 2 ? step : other, n % 2 ? other : 0.8f};
                const float ddy[2] = {n % 3 ? other : step, 0};
                t.sampler = {};
                t.sampler.min = pipe::Filter::Nearest, t.sampler.mag = pipe::Filter::Linear;
                t.sampler.mip = pipe::MipFilter(unsigned(n + 40) % 3);
                const float dx[3] = {ddx[0], ddx[1], 0}, dy[3] = {ddy[0], ddy[1], 0};
                float lambda = pipe::raster::measure_footprint(dx, dy, 1).lambda + bias;
                lambda = std::min(std::max(lambda, t.sampler.min_lod), t.sampler.max_lod);
                const auto expected = pipe::raster::choose_levels(t.sampler, lambda, 0, false);
                sim::PlainFilter filter(t.texture, t.sampler, t.f.machine.memory, &t.why);
                CAPTURE(n);
                CAPTURE(other);
                CAPTURE(bias);
                CHECK(filter.choose(ddx, ddy, bias).filter == expected.filter);
                minified += expected.filter == pipe::Filter::Nearest;
            }
    }
    CHECK(minified > 100);
}

}  // namespace
}  // namespace terrazzo::adreno
