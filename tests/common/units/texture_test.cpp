// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A toy texture unit over arrays: which blocks are decoded, and fetches.
#include "tests/common/units/toy_texture.h"

#include <array>

#include <doctest/doctest.h>

#include "drivers/common/units/sampler.h"

using namespace terrazzo;
using namespace terrazzo::units;
using terrazzo::test::ToyTexture;
using wave::F32;
using wave::U32;

namespace {

/// 40x24 texels of RGBA8: red is x, green is y, blue is the layer.
struct Numbered : ToyTexture {
    Numbered() : ToyTexture(pipe::Format::R8G8B8A8_UNORM, pipe::ResourceKind::Tex2DArray, 40, 24, 3, 1) {
        for (uint32_t z = 0; z < 3; ++z)
            for (uint32_t y = 0; y < 24; ++y)
                for (uint32_t x = 0; x < 40; ++x) {
                    const uint8_t pixel[4] = {uint8_t(x), uint8_t(y), uint8_t(z), 255};
                    std::copy_n(pixel, 4, at(0, x, y, z));
                }
    }
    std::string why;
    /// The value in lane 0.
    std::array<float, 4> sampled(const SampleLanes& call) {
        pipe::SamplerDesc sampler;
        sampler.min = sampler.mag = pipe::Filter::Linear;
        U32 out[4];
        REQUIRE(sample(*this, sampler, call, memory(), out, &why));
        std::array<float, 4> v;
        for (unsigned c = 0; c < 4; ++c)
            v[c] = std::bit_cast<float>(out[c][0]);
        return v;
    }
};

SampleLanes first_lane(float s, float t, float layer) {
    SampleLanes call = {};
    call.lanes = 1;
    call.coord[0] = F32{} + s, call.coord[1] = F32{} + t, call.layer = F32{} + layer;
    return call;
}

/// A fetch by the last lane alone.
FetchLanes last_lane(int32_t x, int32_t y, int32_t z, uint32_t level = 0, uint32_t sample = 0) {
    FetchLanes call;
    call.lanes = 1u << 15;
    const int32_t at[3] = {x, y, z};
    for (unsigned c = 0; c < 3; ++c)
        call.at[c] += at[c];
    call.level += level;
    call.sample += sample;
    return call;
}

}  // namespace

TEST_CASE("units: texture: filters texels of the vendor's class, which reads each block once") {
    Numbered texture;
    SampleLanes call =
        first_lane(16.0f / 40, 7.5f / 24, 2);  // between the texels 15 and 16, which are in two blocks
    for (unsigned again = 0; again < 2; ++again) {
        const auto v = texture.sampled(call);
        CHECK(v[0] * 255 == doctest::Approx(15.5));
        CHECK(v[1] * 255 == doctest::Approx(7));
        CHECK(v[2] * 255 == doctest::Approx(2));
        CHECK(texture.reads == 2);
    }
    call = first_lane(16.0f / 40, 8.0f / 24, 2);
    call.gathers = true;
    const auto v = texture.sampled(call);
    CHECK(v[0] * 255 == doctest::Approx(15));
    CHECK(v[1] * 255 == doctest::Approx(16));
    CHECK(texture.decoded_B() == 2 * sizeof(TexelBlock));
    texture.forget_texels();
    CHECK(texture.decoded_B() == 0);
    *texture.at(0, 15, 7, 2) = 99;
    CHECK(texture.sampled(call)[3] * 255 == doctest::Approx(99));
}

TEST_CASE("units: texture: a failing texel fails the instruction, and is read again later") {
    Numbered texture;
    texture.is_broken = true;
    U32 out[4];
    const SampleLanes call = first_lane(0.5f, 0.5f, 0);
    CHECK(!sample(texture, {}, call, texture.memory(), out, &texture.why));
    CHECK(texture.why == "level 0, layer 0: broken");
    U32 bits[4];
    CHECK(!texture.fetch(texture.memory(), last_lane(1, 2, 0), bits, &texture.why));
    texture.is_broken = false;
    CHECK(texture.fetch(texture.memory(), last_lane(1, 2, 0), bits, &texture.why));
    CHECK(wave::as_float(bits[1])[15] * 255 == doctest::Approx(2));
    CHECK(+bits[1][14] == 0);
    CHECK(sample(texture, {}, call, texture.memory(), out, &texture.why));
}

TEST_CASE("units: texture: fetches outside return zeros and read nothing") {
    Numbered texture;
    // A sum with overflow would be column 0.
    FetchLanes wrapped = last_lane(INT32_MIN, 0, 0);
    wrapped.offset[0] += INT32_MIN;
    for (const FetchLanes& call : {last_lane(-1, 0, 0), last_lane(40, 0, 0), last_lane(0, 24, 0),
                                   last_lane(0, 0, 3), last_lane(0, 0, -1), last_lane(0, 0, 0, 1),
                                   last_lane(0, 0, 0, 40), last_lane(0, 0, 0, 0, 1), wrapped}) {
        U32 bits[4] = {~U32{}, ~U32{}, ~U32{}, ~U32{}};
        CHECK(texture.fetch(texture.memory(), call, bits, &texture.why));
        for (const U32& component : bits)
            CHECK(+component[15] == 0);
    }
    CHECK(texture.reads == 0);
    FetchLanes moved = last_lane(41, 5, -1);
    moved.offset[0] -= 2, moved.offset[1] += 3, moved.offset[2] += 2;
    U32 bits[4];
    CHECK(texture.fetch(texture.memory(), moved, bits, &texture.why));
    const float expected[3] = {39, 8, 1};
    for (unsigned c = 0; c < 3; ++c)
        CHECK(wave::as_float(bits[c])[15] * 255 == doctest::Approx(expected[c]));
    ToyTexture volume(pipe::Format::R8_UNORM, pipe::ResourceKind::Tex3D, 40, 24, 8, 3);
    std::string why;
    CHECK(volume.fetch(volume.memory(), last_lane(19, 11, 4, 1), bits, &why));
    CHECK(volume.reads == 0);
    CHECK(volume.fetch(volume.memory(), last_lane(19, 11, 3, 1), bits, &why));
    CHECK(volume.reads == 1);
    ToyTexture huge(pipe::Format::R8_UNORM, pipe::ResourceKind::Tex2D, 1 << 16, 1 << 16, 1, 1, false);
    CHECK(!huge.fetch(huge.memory(), last_lane(0, 0, 0), bits, &why));
    CHECK(why == "more than 2^30 texels in a level");
}

TEST_CASE("units: texture: derivatives of a quad, on planes and on cubes") {
    F32 v{}, ddx, ddy;
    v[4] = 1, v[5] = 3, v[6] = 6;
    find_derivatives(v, 0.5f, &ddx, &ddy);
    for (unsigned n = 4; n < 8; ++n) {
        // "+": Clang binds no references to lanes of vectors.
        CHECK(+ddx[n] == 1);
        CHECK(+ddy[n] == 2.5f);
    }
    CHECK(+ddx[3] == 0);
    for (uint32_t face = 0; face < 6; ++face) {
        float direction[3];
        cube_direction(face, 0.25f, 0.75f, direction);
        const auto back = pipe::raster::project_cube(direction);
        CHECK(back.face == face);
        CHECK(back.s == doctest::Approx(0.25));
        CHECK(back.t == doctest::Approx(0.75));
        // The same direction with another length has the same coordinates.
        float cube[3][3], dx[3], dy[3];
        for (unsigned i = 0; i < 3; ++i) {
            cube[0][i] = cube[2][i] = direction[i];
            cube[1][i] = 3 * direction[i];
        }
        find_cube_derivatives(face, cube, dx, dy);
        for (unsigned i = 0; i < 3; ++i) {
            CHECK(dx[i] == doctest::Approx(0));
            CHECK(dy[i] == 0);
        }
    }
}

TEST_CASE("units: texels: swizzles, integers, stencil, blocks of compressed formats") {
    TexelDecoder d{format_reader(pipe::Format::R8G8B8A8_UINT), {2, kOne, kZero, 0}};
    CHECK(d.format.kind == NumberKind::Uint);
    uint8_t pixels[TexelDecoder::kMaxElements_B] = {7, 8, 9, 10};
    TexelBlock block;
    d.decode(pixels, 1, 1, 0, 0, &block);
    CHECK(std::equal(block.texel[0], block.texel[0] + 4, std::array<uint32_t, 4>{9, 1, 0, 7}.begin()));
    CHECK(format_reader(pipe::Format::S8_UINT).stencil);
    CHECK(format_reader(pipe::Format::D16_UNORM).depth);
    CHECK(format_reader(pipe::Format::D16_UNORM).fixed_point);
    CHECK(!format_reader(pipe::Format::D32_FLOAT).fixed_point);
    CHECK(format_reader(pipe::Format::R32_UINT).wide_integer);
    CHECK(!format_reader(pipe::Format::R32_FLOAT).wide_integer);
    const uint8_t depths[] = {0xff, 0xff, 0, 0};
    uint32_t two[8];
    format_reader(pipe::Format::D16_UNORM).read_row(depths, 2, two);
    CHECK(two[0] == 0x3f800000);
    CHECK(two[3] == 0x3f800000);
    CHECK(two[4] == 0);
}

TEST_CASE("units: texels: the elements of a block, also in compressed formats") {
    // With 24 columns and 6 rows the second block has 8 columns and 6 rows: two by two elements.
    ToyTexture etc(pipe::Format::ETC2_RGB8_UNORM, pipe::ResourceKind::Tex2D, 24, 6, 1, 1);
    std::string why;
    REQUIRE(etc.texel(etc.memory(), {}, 23, 5, &why));
    CHECK(etc.last == pipe::raster::PixelRect{4, 0, 6, 2});
    // The elements of 5x5 pixels that intersect pixels 16 to 31.
    ToyTexture astc(pipe::Format::ASTC_5x5_UNORM, pipe::ResourceKind::Tex2D, 64, 64, 1, 1);
    REQUIRE(astc.texel(astc.memory(), {}, 16, 31, &why));
    CHECK(astc.last == pipe::raster::PixelRect{3, 3, 7, 7});
}
