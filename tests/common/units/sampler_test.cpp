// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The sampler for sixteen lanes, compared with pipe/raster's sampler in each lane, to the bit.
#include "drivers/common/units/filter.h"

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "tests/common/units/toy_texture.h"

using namespace terrazzo;
using namespace terrazzo::units;
using pipe::ResourceKind;
using terrazzo::test::ToyTexture;
using wave::kLanes;
using wave::U32;

namespace {

using Random = std::mt19937;

struct Trial {
    pipe::Format format = pipe::Format::R8G8B8A8_UNORM;
    ResourceKind kind = ResourceKind::Tex2D;
    uint32_t width = 1, height = 1, depth = 1, levels = 1;
    pipe::SamplerDesc sampler;
    SampleLanes call = {};
};

constexpr pipe::Format kFormats[] = {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R8G8B8A8_SRGB,
                                     pipe::Format::R8_SNORM,       pipe::Format::R32G32B32A32_FLOAT,
                                     pipe::Format::R16G16_FLOAT,   pipe::Format::ETC2_RGB8_UNORM,
                                     pipe::Format::D32_FLOAT,      pipe::Format::D16_UNORM,
                                     pipe::Format::R32G32_UINT,    pipe::Format::R8G8B8A8_SINT};

float coordinate(Random& random, bool is_inside, uint32_t size) {
    const uint32_t k = random() % 64;
    const float texel = (float(random() % (2 * size)) + float(random() % 3) / 2) / float(size);
    if (is_inside)
        return k == 0   ? std::nextafter(0.5f, float(random() % 2))
               : k == 1 ? std::nextafter(1.0f, 0.0f)
               : k < 8  ? std::ldexp(float(random() >> 8), -24 - int(random() % 40))
                        : float(random() >> 8) * 0x1p-24f;
    return k == 0   ? std::bit_cast<float>(uint32_t(random()))  // also NaN and huge values
           : k < 16 ? texel - 0.5f                              // at edges and centres
                    : float(int(random() % 4001) - 2000) / 997;
}

void randomize(Trial& t, Random& random) {
    t.format = kFormats[random() % std::size(kFormats)];
    constexpr ResourceKind kKinds[] = {ResourceKind::Tex2D, ResourceKind::Tex2D, ResourceKind::Tex2DArray,
                                       ResourceKind::Tex3D, ResourceKind::Cube,  ResourceKind::CubeArray};
    t.kind = kKinds[random() % 6];
    const auto size = [&] { return random() % 3 ? 1 + random() % 40 : 1u << random() % 6; };
    const bool is_cube = t.kind == ResourceKind::Cube || t.kind == ResourceKind::CubeArray;
    t.width = uint32_t(size());
    t.height = is_cube ? t.width : uint32_t(size());
    t.depth = t.kind == ResourceKind::Tex2D   ? 1
              : t.kind == ResourceKind::Cube  ? 6
              : t.kind == ResourceKind::Tex3D ? uint32_t(1 + random() % 10)
                                              : uint32_t(6 * (1 + random() % 3));
    const uint32_t largest = std::max({t.width, t.height, t.kind == ResourceKind::Tex3D ? t.depth : 1u});
    t.levels = random() % 2 ? 1 : 1 + uint32_t(std::bit_width(largest) - 1);
    pipe::SamplerDesc& s = t.sampler;
    const auto wrap = [&] { return pipe::Wrap(random() % 5); };
    s.wrap_s = wrap(), s.wrap_t = wrap(), s.wrap_r = wrap();
    s.min = pipe::Filter(random() % 2), s.mag = pipe::Filter(random() % 2);
    s.mip = pipe::MipFilter(random() % 3);
    s.compare_enable = random() % 4 == 0;
    s.compare = pipe::Compare(random() % 8);
    s.seamless_cube = random() % 4;
    if (random() % 4 == 0) s.lod_bias = float(int(random() % 17) - 8) / 4;
    if (random() % 4 == 0) s.min_lod = float(random() % 9) / 4;
    if (random() % 4 == 0) s.max_lod = float(random() % 9) / 2;
    if (random() % 8 == 0) s.max_anisotropy = 4;
    const NumberKind kind = format_reader(t.format).kind;
    for (uint32_t& b : s.border.bits)
        b = kind == NumberKind::Float  ? std::bit_cast<uint32_t>(float(random() % 5) / 3)
            : kind == NumberKind::Uint ? uint32_t(random())
                                       : uint32_t(int(random() % 200) - 100);
}

void randomize_call(Trial& t, Random& random) {
    SampleLanes& c = t.call;
    c.lanes = random() % 2 ? 0xffff : 1 + random() % 0xffff;
    c.lod_source = LodSource(random() % 3);
    c.has_offset = random() % 4 == 0 && t.kind != ResourceKind::Cube && t.kind != ResourceKind::CubeArray;
    c.late_magnify = random() % 2;
    c.gathers = random() % 8 == 0 && t.kind != ResourceKind::Tex3D;
    c.component = uint8_t(random() % 4);
    const bool is_inside = random() % 2, has_bias = random() % 2;
    const uint32_t sizes[3] = {t.width, t.height, t.depth};
    for (unsigned n = 0; n < kLanes; ++n) {
        for (unsigned k = 0; k < 3; ++k) {
            c.coord[k][n] = coordinate(random, is_inside, sizes[k]);
            const unsigned leader = c.lod_source == LodSource::Quad ? n & ~3u : n;
            const auto step = [&] { return std::ldexp(float(int(random() % 21) - 10), -int(random() % 9)); };
            c.ddx[k][n] = leader == n ? step() : c.ddx[k][leader];
            c.ddy[k][n] = leader == n ? step() : c.ddy[k][leader];
            c.offset[k][n] = int(random() % 17) - 8;
        }
        c.layer[n] = float(int(random() % 40) - 10) / 2;
        c.lod[n] = has_bias ? float(int(random() % 33) - 8) / 4 : 0;
        c.reference[n] = float(int(random() % 9) - 2) / 4;
    }
    if (t.kind != ResourceKind::Tex3D && t.kind != ResourceKind::Cube && t.kind != ResourceKind::CubeArray)
        c.coord[2] = c.ddx[2] = c.ddy[2] = wave::F32{};
}

void fill(ToyTexture& texture, const Trial& t, Random& random) {
    for (uint32_t l = 0; l < t.levels; ++l) {
        for (uint8_t& b : texture.bytes(l))
            b = uint8_t(random());
        if (t.format != pipe::Format::D32_FLOAT) continue;  // other floats may be infinite or NaN
        for (size_t i = 0; i < texture.bytes(l).size(); i += 4) {
            const float depth = float(random() % 5) / 4;
            std::memcpy(&texture.bytes(l)[i], &depth, 4);
        }
    }
}

}  // namespace

TEST_CASE("units: sampler: sixteen lanes equal single lanes, to the bit") {
    Random random(5);
    unsigned compared = 0, filtered = 0;
    for (unsigned trial = 0; trial < 4000; ++trial) {
        Trial t;
        randomize(t, random);
        ToyTexture texture(t.format, t.kind, t.width, t.height, t.depth, t.levels);
        fill(texture, t, random);
        if (random() % 3 == 0) texture.set_swizzle({2, kOne, kZero, 0});
        for (unsigned again = 0; again < 4; ++again) {
            randomize_call(t, random);
            U32 together[4] = {}, alone[4] = {};
            std::string why;
            REQUIRE(sample_each(texture, t.sampler, t.call, texture.memory(), alone, &why));
            const auto compare = [&](uint32_t lanes, const char* by) {
                for (unsigned n = 0; n < kLanes; ++n) {
                    if (!(lanes >> n & 1)) continue;
                    ++compared;
                    for (unsigned k = 0; k < 4; ++k) {
                        const bool is_nan = texture.kind() == NumberKind::Float &&
                                            std::isnan(std::bit_cast<float>(alone[k][n])) &&
                                            std::isnan(std::bit_cast<float>(together[k][n]));
                        if (is_nan || alone[k][n] == together[k][n]) continue;
                        CAPTURE(by);
                        CAPTURE(trial);
                        CAPTURE(n);
                        CAPTURE(k);
                        CAPTURE(pipe::format_info(t.format).name);
                        CAPTURE(unsigned(t.kind));
                        // "+": Clang binds no references to lanes of vectors.
                        REQUIRE(+alone[k][n] == +together[k][n]);
                    }
                }
            };
            for (const bool fast : {false, true}) {
                if (fast && !LaneFilter::kHasFast) continue;
                if (!LaneFilter::fits(texture, t.sampler, t.call)) continue;
                const uint32_t left =
                    LaneFilter(texture, t.sampler, t.call, texture.memory(), &why).run(together, fast);
                filtered += unsigned(std::popcount(t.call.lanes & ~left));
                compare(t.call.lanes & ~left, fast ? "the CPU's instructions" : "basic instructions");
            }
            REQUIRE(sample(texture, t.sampler, t.call, texture.memory(), together, &why));
            compare(t.call.lanes, "sample()");
        }
    }
    CHECK(compared > 100000);
    CHECK(filtered > compared / 2);
}

TEST_CASE("units: sampler: integers of 32 bits, and borders of integers, are exact") {
    ToyTexture texture(pipe::Format::R32_UINT, ResourceKind::Tex2D, 2, 1, 1, 1);
    const uint32_t texels[2] = {0x89abcdef, 0x01000001};
    std::memcpy(texture.bytes(0).data(), texels, sizeof texels);
    pipe::SamplerDesc s;
    s.min = s.mag = pipe::Filter::Nearest;
    s.mip = pipe::MipFilter::None;
    s.wrap_s = pipe::Wrap::ClampToBorder;
    s.border.bits = {0xfedcba98, 5, 6, 7};
    SampleLanes call = {};
    call.lanes = 7;
    call.coord[0][0] = 0.25f, call.coord[0][1] = 0.75f, call.coord[0][2] = 1.5f;
    for (const bool together : {false, true}) {
        U32 out[4];
        std::string why;
        REQUIRE((together ? sample : sample_each)(texture, s, call, texture.memory(), out, &why));
        CHECK(+out[0][0] == texels[0]);
        CHECK(+out[0][1] == texels[1]);
        CHECK(+out[0][2] == 0xfedcba98);
        CHECK(+out[3][2] == 7);
    }
}

TEST_CASE("units: sampler: with one level lambda chooses the filter") {
    // Two texels, so that the filters have different results.
    ToyTexture texture(pipe::Format::R8_UNORM, ResourceKind::Tex2D, 2, 1, 1, 1);
    texture.bytes(0) = {0, 255};
    unsigned minified = 0;
    for (int n = -40; n <= 40; ++n) {
        float step = 0.5f;  // one texel
        for (int k = 0; k < std::abs(n); ++k)
            step = std::nextafter(step, n < 0 ? 0.0f : 2.0f);
        for (const float other : {0.0f, 1e-4f, 0x1p-12f, 0x1p-26f, 0.3f, NAN, INFINITY})
            for (const float bias : {0.0f, 0.25f, -0.25f}) {
                pipe::SamplerDesc s;
                s.min = pipe::Filter::Nearest, s.mag = pipe::Filter::Linear;
                s.mip = pipe::MipFilter(unsigned(n + 40) % 3);
                SampleLanes call = {};
                call.lanes = 1;
                call.lod_source = LodSource::Quad;
                call.coord[0][0] = 0.4f;
                call.ddx[0][0] = n % 2 ? step : other, call.ddx[1][0] = n % 2 ? other : 0.8f;
                call.ddy[0][0] = n % 3 ? other : step;
                call.lod[0] = bias;
                U32 out[4], expected[4];
                std::string why;
                REQUIRE(sample(texture, s, call, texture.memory(), out, &why));
                REQUIRE(sample_each(texture, s, call, texture.memory(), expected, &why));
                CAPTURE(n);
                CAPTURE(other);
                CAPTURE(bias);
                CHECK(+out[0][0] == +expected[0][0]);
                minified += out[0][0] == 0;
            }
    }
    CHECK(minified > 100);
}
