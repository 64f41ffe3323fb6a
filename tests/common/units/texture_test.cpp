// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A toy texture unit over plain arrays.
#include "drivers/common/units/texture.h"

#include <array>

#include "drivers/common/units/texels.h"

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

/// 40x24 texels of RGBA8 in rows: red is x, green is y; those of layer n have blue n.
struct ToyTexels {
    static constexpr unsigned kWidth_px = 40, kHeight_px = 24;
    TexelDecoder decoder{format_reader(pipe::Format::R8G8B8A8_UNORM)};
    TexelCache cache;
    unsigned decoded = 0;
    bool broken = false;

    ToyTexels() { REQUIRE(cache.init(kWidth_px, kHeight_px, 3)); }
    const uint32_t* texel(uint32_t level, uint32_t x, uint32_t y, uint32_t layer, uint32_t sample) {
        REQUIRE(level == 0);
        REQUIRE(x < kWidth_px);
        REQUIRE(y < kHeight_px);
        REQUIRE(sample == 0);
        return cache.texel(x, y, layer, [&](unsigned bx, unsigned by, unsigned slice, TexelBlock* out) {
            ++decoded;
            std::array<uint8_t, 16 * 16 * 4> pixels;
            for (unsigned i = 0; i < 256; ++i) {
                const uint8_t pixel[4] = {uint8_t(bx * 16 + i % 16), uint8_t(by * 16 + i / 16),
                                          uint8_t(slice), 255};
                std::copy_n(pixel, 4, &pixels[i * 4]);
            }
            decoder.decode_pixels(pixels.data(), out);
            return !broken;
        });
    }
};

TextureView view() {
    TextureView v;
    v.shape.kind = pipe::ResourceKind::Tex2DArray;
    v.shape.width = ToyTexels::kWidth_px;
    v.shape.height = ToyTexels::kHeight_px;
    v.shape.layers = 3;
    return v;
}
std::array<float, 4> floats(const uint32_t v[4]) {
    return {std::bit_cast<float>(v[0]), std::bit_cast<float>(v[1]), std::bit_cast<float>(v[2]),
            std::bit_cast<float>(v[3])};
}

}  // namespace

TEST_CASE("units: texture: filters what the vendor's class decodes, each block once") {
    ToyTexels texels;
    pipe::SamplerDesc sampler;
    sampler.min = sampler.mag = pipe::Filter::Linear;
    pipe::raster::SampleArgs args;
    args.lod_mode = pipe::raster::LodMode::Explicit;
    args.coord[0] = 16.0f / ToyTexels::kWidth_px;  // between texels 15 and 16, of two blocks
    args.coord[1] = 7.5f / ToyTexels::kHeight_px;
    args.coord[2] = 2;
    uint32_t bits[4];
    for (unsigned again = 0; again < 2; ++again) {
        REQUIRE(sample_texture(view(), sampler, texels, args, bits));
        CHECK(floats(bits)[0] * 255 == doctest::Approx(15.5));
        CHECK(floats(bits)[1] * 255 == doctest::Approx(7));
        CHECK(floats(bits)[2] * 255 == doctest::Approx(2));
        CHECK(texels.decoded == 2);
    }
    const unsigned red = 0;
    args.coord[1] = 8.0f / ToyTexels::kHeight_px;
    REQUIRE(sample_texture(view(), sampler, texels, args, bits, &red));
    CHECK(floats(bits)[0] * 255 == doctest::Approx(15));
    CHECK(floats(bits)[1] * 255 == doctest::Approx(16));
}

TEST_CASE("units: texture: a texel that fails, fails the message, and is tried again") {
    ToyTexels texels;
    texels.broken = true;
    uint32_t bits[4];
    CHECK(!sample_texture(view(), {}, texels, {}, bits));
    CHECK(!fetch_texture(view(), texels, {1, 2, 0, 0, 0}, bits));
    texels.broken = false;
    CHECK(fetch_texture(view(), texels, {1, 2, 0, 0, 0}, bits));
    CHECK(floats(bits)[1] * 255 == doctest::Approx(2));
}

TEST_CASE("units: texture: fetches outside are zeros, and ask nobody") {
    ToyTexels texels;
    for (const TexelPlace& at : {TexelPlace{-1, 0, 0, 0, 0},
                                 {40, 0, 0, 0, 0},
                                 {0, 24, 0, 0, 0},
                                 {0, 0, 3, 0, 0},
                                 {0, 0, -1, 0, 0},
                                 {0, 0, 0, 1, 0},
                                 {0, 0, 0, 40, 0},
                                 {0, 0, 0, 0, 1},
                                 {int64_t(1) << 33, 0, 0, 0, 0}}) {
        uint32_t bits[4] = {1, 1, 1, 1};
        CHECK(fetch_texture(view(), texels, at, bits));
        CHECK(bits[0] + bits[1] + bits[2] + bits[3] == 0);
    }
    CHECK(texels.decoded == 0);
    TextureView v = view();
    v.shape.kind = pipe::ResourceKind::Tex3D;
    v.shape.depth = 8;
    v.shape.last_level = 2;
    CHECK(has_texel(v, {19, 11, 3, 1, 0}));
    CHECK(!has_texel(v, {19, 11, 4, 1, 0}));
}

TEST_CASE("units: texture: derivatives of a quad, on planes and on cubes") {
    pipe::raster::SampleArgs args;
    const float quad[3][3] = {{0, 1, 0}, {2, 1, 0}, {0, 5, 0}}, unit[3] = {0.5f, 0.25f, 1};
    find_derivatives(quad, unit, &args);
    CHECK(args.ddx[0] == 1);
    CHECK(args.ddx[1] == 0);
    CHECK(args.ddy[1] == 1);
    for (uint32_t face = 0; face < 6; ++face) {
        float direction[3];
        cube_direction(face, 0.25f, 0.75f, direction);
        const auto back = pipe::raster::project_cube(direction);
        CHECK(back.face == face);
        CHECK(back.s == doctest::Approx(0.25));
        CHECK(back.t == doctest::Approx(0.75));
        // The same direction at another length is nowhere else.
        float cube[3][3];
        for (unsigned i = 0; i < 3; ++i) {
            cube[0][i] = cube[2][i] = direction[i];
            cube[1][i] = 3 * direction[i];
        }
        find_cube_derivatives(face, cube, &args);
        for (unsigned i = 0; i < 3; ++i) {
            CHECK(args.ddx[i] == doctest::Approx(0));
            CHECK(args.ddy[i] == 0);
        }
    }
}

TEST_CASE("units: texels: swizzles, integers, stencil, blocks of compressed formats") {
    TexelDecoder d{format_reader(pipe::Format::R8G8B8A8_UINT), {2, kOne, kZero, 0}};
    CHECK(d.format.kind == NumberKind::Uint);
    const uint8_t pixels[1024] = {7, 8, 9, 10};
    TexelBlock block;
    d.decode_pixels(pixels, &block);
    CHECK(std::equal(block.texel[0], block.texel[0] + 4, std::array<uint32_t, 4>{9, 1, 0, 7}.begin()));
    CHECK(format_reader(pipe::Format::S8_UINT).stencil);
    CHECK(format_reader(pipe::Format::D16_UNORM).depth);

    const TexelDecoder etc{format_reader(pipe::Format::ETC2_RGB8_UNORM)};
    unsigned reads = 0;
    const auto read = [&](unsigned tx, unsigned ty, uint8_t* raw) {
        CHECK(tx >= 4);
        CHECK(ty < 2);
        std::fill_n(raw, etc.format.size_B, uint8_t(0));
        return ++reads < 5;
    };
    // Of 24 columns and 6 rows the second block has 8 and 6: two blocks by two.
    CHECK(etc.decode_compressed(24, 6, 1, 0, read, &block));
    CHECK(reads == 4);
    CHECK(!etc.decode_compressed(24, 6, 1, 0, read, &block));
    TexelCache cache;
    CHECK(!cache.init(1u << 20, 1u << 20, 1));
    CHECK(!cache.init(~0u, ~0u, ~0u));
}
