// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integer filtering against the exact sampler, and at the limits of its range.
#include "pipe/raster/filter8.h"

#include <cmath>
#include <limits>
#include <random>

#include "doctest/doctest.h"
#include "pipe/raster/sample.h"

namespace terrazzo::pipe::raster {

namespace {

constexpr Wrap kWraps[] = {Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat};

struct Image {
    uint32_t width, height;
    uint8_t texels[64 * 64];
    static void texel(void* data, uint32_t, int32_t x, int32_t y, int32_t, float out[4]) {
        const Image& i = *static_cast<const Image*>(data);
        out[0] = float(i.texels[uint32_t(y) * i.width + uint32_t(x)]) / 255.0f;
        out[1] = out[2] = out[3] = 0;
    }
};

float filtered(const Image& i, const Linear8& x, const Linear8& y) {
    const auto at = [&](int32_t c, int32_t r) { return i.texels[uint32_t(r) * i.width + uint32_t(c)]; };
    const uint8_t four[4] = {at(x.i0, y.i0), at(x.i1, y.i0), at(x.i0, y.i1), at(x.i1, y.i1)};
    return filter8(four, x.weight, y.weight);
}

}  // namespace

TEST_CASE("raster: integer filtering equals the exact filter with weights rounded to 1/256") {
    std::mt19937 random(1);
    for (unsigned round = 0; round < 20000; ++round) {
        Image image;
        image.width = 1 + random() % 64;
        image.height = 1 + random() % 64;
        for (uint8_t& t : image.texels)
            t = uint8_t(random());
        SamplerDesc d;
        d.min = d.mag = Filter::Linear;
        d.mip = MipFilter::None;
        d.wrap_s = kWraps[random() % 3];
        d.wrap_t = kWraps[random() % 3];
        TextureShape shape;
        shape.width = image.width;
        shape.height = image.height;
        SampleArgs a;
        a.lod_mode = LodMode::Explicit;
        a.coord[0] = float(random() % 100001) / 20000.0f - 2;
        a.coord[1] = float(random() % 100001) / 20000.0f - 2;
        float want[4];
        sample(d, shape, Image::texel, &image, a, want);
        const Linear8 x = linear8(d.wrap_s, a.coord[0], int32_t(shape.width));
        const Linear8 y = linear8(d.wrap_t, a.coord[1], int32_t(shape.height));
        INFO("size ", image.width, "x", image.height, " at ", a.coord[0], " ", a.coord[1], " wraps ",
             int(d.wrap_s), " ", int(d.wrap_t));
        REQUIRE(std::abs(filtered(image, x, y) - want[0]) <= 2.0f / 256 + 1e-4f);
    }
}

TEST_CASE("raster: integer filtering keeps a uniform colour, and reaches the texels' colours") {
    for (unsigned c = 0; c < 256; ++c) {
        const uint8_t same[4] = {uint8_t(c), uint8_t(c), uint8_t(c), uint8_t(c)};
        const float want = filter8(same, 0, 0);
        CHECK(std::lround(want * 255.0f) == long(c));
        CHECK(std::abs(want - float(c) / 255.0f) < 1e-7f);
        for (uint32_t w = 0; w < 256; ++w)
            REQUIRE(filter8(same, w, 255 - w) == want);
    }
    const uint8_t four[4] = {10, 60, 110, 255};
    const uint8_t ones[4] = {255, 255, 255, 255};
    CHECK(filter8(ones, 77, 200) == 1.0f);
    CHECK(filter8(four, 255, 255) == 1.0f);
    CHECK(filter8(four, 0, 0) == 10 * (65025.0f / 16581375.0f));
    CHECK(filter8(four, 51, 0) == 20 * (65025.0f / 16581375.0f));
}

TEST_CASE("raster: positions of integer filtering") {
    const auto check = [](Wrap w, float s, int32_t size, int32_t i0, int32_t i1, uint32_t weight) {
        const Linear8 r = linear8(w, s, size);
        INFO("wrap ", int(w), " at ", s);
        CHECK(r.i0 == i0);
        CHECK(r.i1 == i1);
        CHECK(r.weight == weight);
    };
    check(Wrap::Repeat, 0.0f, 4, 3, 0, 128);
    check(Wrap::Repeat, 0.125f, 4, 0, 1, 0);
    check(Wrap::Repeat, 1.9375f, 4, 3, 0, 64);
    check(Wrap::Repeat, -0.25f, 4, 2, 3, 128);
    check(Wrap::Repeat, 0.7f, 1, 0, 0, 51);
    check(Wrap::ClampToEdge, -3.0f, 4, 0, 1, 0);
    check(Wrap::ClampToEdge, 0.25f, 4, 0, 1, 128);
    check(Wrap::ClampToEdge, 3.0f, 4, 2, 3, 255);
    check(Wrap::ClampToEdge, 0.6f, 1, 0, 0, 0);
    check(Wrap::MirroredRepeat, -0.25f, 4, 0, 1, 128);
    check(Wrap::MirroredRepeat, 1.25f, 4, 2, 3, 128);
    check(Wrap::MirroredRepeat, 1.0f, 4, 2, 3, 255);
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for (Wrap w : kWraps)
        for (float s : {inf, -inf, nan, 3e38f, -3e38f, 8388609.0f, -1e-30f, 16777216.0f})
            for (int32_t size : {1, 2, 3, 16384}) {
                const Linear8 r = linear8(w, s, size);
                CHECK((r.i0 >= 0 && r.i0 < size));
                CHECK((r.i1 >= 0 && r.i1 < size));
                CHECK(r.weight <= 255);
            }
}

}  // namespace terrazzo::pipe::raster
