// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads of texels without filtering: gathers, samples, buffers; borders of integer formats, and clamped
// borders.
#include <algorithm>
#include <cstring>

#include "doctest/doctest.h"
#include "tests/soft/texture_reference.h"

namespace terrazzo::soft::test {

namespace {

using pipe::Filter;
using pipe::Format;
using pipe::ResourceKind;
using pipe::Wrap;

uint32_t bits(float f) {
    return std::bit_cast<uint32_t>(f);
}

TexCall call_of(const TextureUnit& u, TexMode mode) {
    TexCall c = {};
    c.unit = &u;
    c.mode = mode;
    c.mask = 0xff;
    return c;
}

/// A coordinate for which a linear filter reads texel i of a level of this size, with a margin for rounding.
float between(int i, int size, std::mt19937& random) {
    return (float(i) + 0.5f + 0.1f + 0.8f * float(random() % 1000) / 1000) / float(size);
}

int repeat(int i, int size) {
    return ((i % size) + size) % size;
}

}  // namespace

TEST_CASE("coordinates that a kind of texture does not use may be anything") {
    std::mt19937 random(4);
    for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Tex2DArray})
        for (const TexMode mode : {TexMode::QueryLod, TexMode::Implicit, TexMode::Bias, TexMode::Grad}) {
            Texture t(kind, Format::R32G32B32A32_FLOAT, 16, 16, kind == ResourceKind::Tex2D ? 1 : 3, 4,
                      random);
            t.unit.sampler.min = Filter::Linear;
            t.unit.sampler.mip = pipe::MipFilter::Linear;
            t.unit.sampler.wrap_s = Wrap::MirrorClampToEdge;  // no fast path has this wrap mode
            prepare_texture_unit(&t.unit);
            float out[2][4][kLanes];
            for (const bool garbage : {false, true}) {
                TexCall call = call_of(t.unit, mode);
                for (unsigned i = 0; i < kLanes; ++i) {
                    call.s[i] = 0.03f * float(i), call.t[i] = 0.3f + 0.05f * float(i);
                    call.ddx[0][i] = 0.1f, call.ddy[1][i] = 0.2f;
                    if (garbage) call.r[i] = call.ddx[2][i] = call.ddy[2][i] = __builtin_nanf("");
                }
                t.unit.sample(&call);
                std::memcpy(out[garbage], call.out, sizeof call.out);
            }
            const size_t count = mode == TexMode::QueryLod ? 2 : 4;
            CHECK(std::memcmp(out[0], out[1], count * sizeof out[0][0]) == 0);
        }
}

TEST_CASE("gather: a component of the four texels that a linear filter reads, in the specification's order") {
    std::mt19937 random(3);
    for (unsigned round = 0; round < 300; ++round) {
        const bool array = round % 3 == 1;
        Texture t(array ? ResourceKind::Tex2DArray : ResourceKind::Tex2D,
                  round % 2 ? Format::R8G8B8A8_UNORM : Format::R32G32B32A32_FLOAT, 7, 5, array ? 3 : 1, 2,
                  random);
        t.unit.sampler.min = t.unit.sampler.mag = round % 5 ? Filter::Nearest : Filter::Linear;
        prepare_texture_unit(&t.unit);
        const bool dynamic = round % 4 == 0;
        TexCall call = call_of(t.unit, dynamic ? TexMode::GatherOffset : TexMode::Gather);
        const int component = int(random() % 4), ox = int(random() % 16) - 8, oy = int(random() % 16) - 8;
        call.offset[2] = component;
        int x[kLanes], y[kLanes], z[kLanes];
        for (unsigned i = 0; i < kLanes; ++i) {
            x[i] = int(random() % 20) - 8, y[i] = int(random() % 20) - 8, z[i] = int(random() % 3);
            call.s[i] = between(x[i], 7, random), call.t[i] = between(y[i], 5, random);
            call.layer[i] = float(z[i]);
            call.ddx[0][i] = std::bit_cast<float>(ox), call.ddx[1][i] = std::bit_cast<float>(oy);
        }
        if (!dynamic) call.offset[0] = ox, call.offset[1] = oy;
        t.unit.sample(&call);
        constexpr int kPlace[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
        for (unsigned i = 0; i < kLanes; ++i)
            for (unsigned n = 0; n < 4; ++n) {
                const Color c = t.texel(0, repeat(x[i] + ox + kPlace[n][0], 7),
                                        repeat(y[i] + oy + kPlace[n][1], 5), array ? z[i] : 0);
                REQUIRE(call.out[n][i] == doctest::Approx(c[size_t(component)]).epsilon(1e-5));
            }
    }
}

TEST_CASE("gather: integers stay integers, constants of the swizzle are returned, depths are compared") {
    std::mt19937 random(5);
    Texture t(ResourceKind::Tex2D, Format::R16G16_SINT, 4, 4, 1, 1, random);
    t.unit.sampler.min = t.unit.sampler.mag = Filter::Nearest;
    t.unit.sampler.compare_enable = true;  // only depth formats are compared
    prepare_texture_unit(&t.unit);
    for (int component = 0; component < 4; ++component) {
        TexCall call = call_of(t.unit, TexMode::Gather);
        call.offset[2] = component;
        for (unsigned i = 0; i < kLanes; ++i)
            call.s[i] = between(1, 4, random), call.t[i] = between(2, 4, random);
        t.unit.sample(&call);
        const int want = component == 2   ? 0
                         : component == 3 ? 1
                                          : int(t.texel(0, 1, 2, 0)[size_t(component)]);
        CHECK(std::bit_cast<int32_t>(call.out[3][0]) == want);
    }
    Texture d(ResourceKind::Tex2D, Format::D32_FLOAT, 4, 4, 1, 1, random);
    d.unit.sampler.compare_enable = true;
    d.unit.sampler.compare = pipe::Compare::Less;
    prepare_texture_unit(&d.unit);
    TexCall call = call_of(d.unit, TexMode::Gather);
    for (unsigned i = 0; i < kLanes; ++i)
        call.s[i] = between(0, 4, random), call.t[i] = between(0, 4, random), call.ref[i] = float(i) / 8;
    d.unit.sample(&call);
    for (unsigned i = 0; i < kLanes; ++i)
        CHECK(call.out[3][i] == (call.ref[i] < d.texel(0, 0, 0, 0)[0] ? 1.0f : 0.0f));
}

TEST_CASE("fetch: samples of a multisampled array, zero for missing ones") {
    std::mt19937 random(7);
    Texture t(ResourceKind::Tex2DArray, Format::R8G8B8A8_UNORM, 6, 4, 2 * 4, 1, random);
    t.unit.samples = 4;
    t.unit.layers = 2;
    t.unit.sample_stride_B = t.unit.levels[0].layer_stride_B;
    t.unit.levels[0].layer_stride_B *= 4;
    prepare_texture_unit(&t.unit);
    for (unsigned round = 0; round < 100; ++round) {
        TexCall call = call_of(t.unit, TexMode::Fetch);
        int x[kLanes], y[kLanes], z[kLanes], sample[kLanes];
        for (unsigned i = 0; i < kLanes; ++i) {
            x[i] = int(random() % 8) - 1, y[i] = int(random() % 6) - 1, z[i] = int(random() % 4) - 1;
            sample[i] = int(random() % 6) - 1;
            call.s[i] = std::bit_cast<float>(x[i]), call.t[i] = std::bit_cast<float>(y[i]);
            call.layer[i] = std::bit_cast<float>(z[i]), call.lod[i] = std::bit_cast<float>(sample[i]);
        }
        t.unit.sample(&call);
        for (unsigned i = 0; i < kLanes; ++i) {
            const bool inside = x[i] >= 0 && x[i] < 6 && y[i] >= 0 && y[i] < 4 && z[i] >= 0 && z[i] < 2 &&
                                sample[i] >= 0 && sample[i] < 4;
            const double want = inside ? t.texel(0, x[i], y[i], z[i] * 4 + sample[i])[1] : 0;
            REQUIRE(std::abs(call.out[1][i] - want) < 1e-6);
        }
    }
}

TEST_CASE("fetch: texels of a buffer, with any level") {
    std::mt19937 random(9);
    Texture t(ResourceKind::Buffer, Format::R32G32B32_FLOAT, 1000, 1, 1, 1, random);
    prepare_texture_unit(&t.unit);
    TexCall call = call_of(t.unit, TexMode::Fetch);
    const int x[kLanes] = {0, 1, 999, 1000, -1, 500, 2000000000, 7};
    for (unsigned i = 0; i < kLanes; ++i)
        call.s[i] = std::bit_cast<float>(x[i]), call.t[i] = call.lod[i] = std::bit_cast<float>(5);
    t.unit.sample(&call);
    for (unsigned i = 0; i < kLanes; ++i)
        for (size_t k = 0; k < 3; ++k)
            CHECK(call.out[k][i] == (x[i] >= 0 && x[i] < 1000 ? float(t.texel(0, x[i], 0, 0)[k]) : 0.0f));
}

TEST_CASE("border: integers are returned unchanged; colours are clamped to the format's range") {
    std::mt19937 random(11);
    const auto border_of = [&](Format format, const pipe::BorderColor& border) {
        Texture t(ResourceKind::Tex2D, format, 4, 4, 1, 1, random);
        t.unit.sampler.min = t.unit.sampler.mag = Filter::Nearest;
        t.unit.sampler.wrap_s = t.unit.sampler.wrap_t = Wrap::ClampToBorder;
        t.unit.sampler.border = border;
        prepare_texture_unit(&t.unit);
        TexCall call = call_of(t.unit, TexMode::Lod);
        std::fill_n(call.s, kLanes, -0.5f);
        t.unit.sample(&call);
        return std::array<uint32_t, 4>{bits(call.out[0][3]), bits(call.out[1][3]), bits(call.out[2][3]),
                                       bits(call.out[3][3])};
    };
    using Bits = std::array<uint32_t, 4>;
    const pipe::BorderColor wide(2, -3, 0.5f, -0.25f);
    CHECK(border_of(Format::R8G8B8A8_UNORM, wide) == Bits{bits(1), 0, bits(0.5f), 0});
    CHECK(border_of(Format::R8G8B8A8_SNORM, wide) == Bits{bits(1), bits(-1), bits(0.5f), bits(-0.25f)});
    CHECK(border_of(Format::R8G8B8A8_SRGB, wide) == Bits{bits(1), 0, bits(0.5f), 0});
    CHECK(border_of(Format::R16G16_FLOAT, wide) == Bits{bits(2), bits(-3), 0, bits(1)});
    CHECK(border_of(Format::D16_UNORM, wide)[0] == bits(1));
    pipe::BorderColor integers;
    integers.bits = {0x80000000u, 7, 0xffffffffu, 9};
    CHECK(border_of(Format::R32G32B32A32_SINT, integers) == Bits{0x80000000u, 7, 0xffffffffu, 9});
    CHECK(border_of(Format::R8G8_UINT, integers) == Bits{0x80000000u, 7, 0, 1});
    pipe::BorderColor minus_zero;
    minus_zero.bits = {0x80000000u, 0, 0, 0};
    CHECK(!(minus_zero == pipe::BorderColor()));
}

TEST_CASE("decode: the sampler can skip the decoding of sRGB") {
    std::mt19937 random(13);
    Texture t(ResourceKind::Tex2D, Format::R8G8B8A8_SRGB, 1, 1, 1, 1, random);
    t.memory[0][0] = 51;
    t.unit.sampler.min = t.unit.sampler.mag = Filter::Nearest;
    t.unit.sampler.skip_srgb_decode = true;
    prepare_texture_unit(&t.unit);
    TexCall call = call_of(t.unit, TexMode::Lod);
    t.unit.sample(&call);
    CHECK(call.out[0][0] == doctest::Approx(0.2f));
    // A fetch does not use the sampler's state. dEQP found that it did.
    TexCall fetch = call_of(t.unit, TexMode::Fetch);
    t.unit.sample(&fetch);
    CHECK(fetch.out[0][0] == doctest::Approx(0.0331f).epsilon(0.01));
}

}  // namespace terrazzo::soft::test
