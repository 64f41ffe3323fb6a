// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mipmaps: averages weighted by area, for even, odd and one-pixel sizes; sRGB averages linear light; every
// kind of texture.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "pipe/blit/blit.h"
#include "tests/pipe/fake_device.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::fake;

namespace {

struct Fixture {
    MemoryScreen screen;
    MemoryContext context{screen};

    Image texture(Format format, ResourceKind kind, uint32_t w, uint32_t h, uint32_t z, uint32_t levels) {
        ResourceDesc d;
        d.kind = kind;
        d.format = format;
        d.width = w;
        d.height = h;
        (kind == ResourceKind::Tex3D ? d.depth : d.layers) = z;
        d.levels = levels;
        return {screen.create_resource(d)};
    }
    BlitStatus generate(const Image& i, uint32_t base, uint32_t last, uint32_t layers = 1) {
        MipmapInfo m;
        m.resource = i.resource.get();
        m.format = i.resource->desc.format;
        m.base_level = base;
        m.last_level = last;
        m.layer_count = layers;
        const BlitStatus s = generate_mipmap(context, m);
        CHECK(i.memory().maps == 0);
        return s;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "mipmap: halves round to nearest, ties to even") {
    const Image t = texture(Format::R8_UNORM, ResourceKind::Tex2D, 4, 2, 1, 3);
    const uint8_t in[2][4] = {{10, 11, 255, 255}, {11, 10, 255, 254}};
    for (uint32_t y = 0; y < 2; ++y)
        for (uint32_t x = 0; x < 4; ++x)
            t.put(in[y][x], x, y);
    REQUIRE(generate(t, 0, 2) == BlitStatus::Ok);
    CHECK(t.get<uint8_t>(0, 0, 0, 1) == 10);   // 10.5
    CHECK(t.get<uint8_t>(1, 0, 0, 1) == 255);  // 254.75
    CHECK(t.get<uint8_t>(0, 0, 0, 2) == 132);  // 132.5; the height is odd, so this is the path through float
}

TEST_CASE_FIXTURE(Fixture, "mipmap: odd sizes are weighted by area, so that the image's mean is kept") {
    const Image t = texture(Format::R32_FLOAT, ResourceKind::Tex2D, 3, 1, 1, 2);
    t.put(3.0f, 0, 0), t.put(6.0f, 1, 0), t.put(30.0f, 2, 0);
    REQUIRE(generate(t, 0, 1) == BlitStatus::Ok);
    CHECK(t.get<float>(0, 0, 0, 1) == doctest::Approx(13));
    std::mt19937 rng(1);
    for (auto [w, h] : {std::pair{37u, 23u}, {64u, 17u}, {5u, 1u}, {1u, 9u}, {2u, 2u}}) {
        uint32_t levels = 1;
        while (std::max(w, h) >> levels)
            ++levels;
        const Image i = texture(Format::R32G32_FLOAT, ResourceKind::Tex2D, w, h, 1, levels);
        double sum = 0;
        for (uint32_t y = 0; y < h; ++y)
            for (uint32_t x = 0; x < w; ++x) {
                const float v = float(rng() % 1000);
                sum += v;
                i.put(v, x, y);
                std::memset(i.at(x, y) + 4, 0, 4);
            }
        REQUIRE(generate(i, 0, levels - 1) == BlitStatus::Ok);
        CHECK(i.get<float>(0, 0, 0, levels - 1) == doctest::Approx(sum / (w * h)).epsilon(1e-4));
    }
}

TEST_CASE_FIXTURE(Fixture, "mipmap: the integer path and the float path agree") {
    std::mt19937 rng(2);
    for (Format f : {Format::R8G8B8A8_UNORM, Format::B8G8R8X8_UNORM, Format::R8G8B8_UNORM, Format::L8A8_UNORM,
                     Format::A8_UNORM}) {
        const uint32_t size = format_info(f).block_B;
        const Image t = texture(f, ResourceKind::Tex2D, 16, 8, 1, 2);
        std::vector<float> row0(16 * 4), row1(16 * 4);
        for (uint8_t& b : t.memory().bytes)
            b = uint8_t(rng());
        REQUIRE(generate(t, 0, 1) == BlitStatus::Ok);
        for (uint32_t y = 0; y < 4; ++y) {
            unpack_rgba_f32(f, row0.data(), t.at(0, 2 * y), 16);
            unpack_rgba_f32(f, row1.data(), t.at(0, 2 * y + 1), 16);
            for (uint32_t x = 0; x < 8; ++x) {
                float average[4], got[4];
                for (int c = 0; c < 4; ++c)
                    average[c] =
                        (row0[x * 8 + c] + row0[x * 8 + 4 + c] + row1[x * 8 + c] + row1[x * 8 + 4 + c]) / 4;
                unpack_rgba_f32(f, got, t.at(x, y, 0, 1), 1);
                for (int c = 0; c < 4; ++c)
                    CHECK(std::abs(got[c] - average[c]) <= 0.5001f / 255);
            }
        }
        CHECK(size <= 4);
    }
}

TEST_CASE_FIXTURE(Fixture, "mipmap: sRGB averages light") {
    const Image t = texture(Format::R8G8B8A8_SRGB, ResourceKind::Tex2D, 2, 1, 1, 2);
    t.put<uint32_t>(0xff000000u, 0, 0), t.put<uint32_t>(0x01ffffffu, 1, 0);
    REQUIRE(generate(t, 0, 1) == BlitStatus::Ok);
    CHECK(t.get<uint32_t>(0, 0, 0, 1) == 0x80bcbcbcu);  // 0.5 encodes to 188; alpha is not encoded
}

TEST_CASE_FIXTURE(Fixture, "mipmap: cubes and arrays layer by layer, volumes in depth too") {
    const Image cube = texture(Format::R16_FLOAT, ResourceKind::Cube, 2, 2, 6, 2);
    for (uint32_t f = 0; f < 6; ++f)
        for (uint32_t y = 0; y < 2; ++y)
            for (uint32_t x = 0; x < 2; ++x) {
                const float v = float(f * 4 + 1);
                pack_rgba_f32(Format::R16_FLOAT, cube.at(x, y, f), std::vector<float>{v, 0, 0, 0}.data(), 1);
            }
    REQUIRE(generate(cube, 0, 1, 6) == BlitStatus::Ok);
    for (uint32_t f = 0; f < 6; ++f) {
        float v[4];
        unpack_rgba_f32(Format::R16_FLOAT, v, cube.at(0, 0, f, 1), 1);
        CHECK(v[0] == float(f * 4 + 1));
    }
    const Image volume = texture(Format::R8_UNORM, ResourceKind::Tex3D, 2, 2, 3, 2);
    for (uint32_t z = 0; z < 3; ++z)
        for (uint32_t y = 0; y < 2; ++y)
            for (uint32_t x = 0; x < 2; ++x)
                volume.put(uint8_t(z * 30), x, y, z);
    REQUIRE(generate(volume, 0, 1) == BlitStatus::Ok);
    CHECK(volume.get<uint8_t>(0, 0, 0, 1) == 30);
}

TEST_CASE_FIXTURE(Fixture, "mipmap: refusals and failed maps") {
    CHECK(generate(texture(Format::R8_UINT, ResourceKind::Tex2D, 4, 4, 1, 2), 0, 1) ==
          BlitStatus::Unsupported);
    CHECK(generate(texture(Format::D16_UNORM, ResourceKind::Tex2D, 4, 4, 1, 2), 0, 1) ==
          BlitStatus::Unsupported);
    CHECK(generate(texture(Format::ETC2_RGB8_UNORM, ResourceKind::Tex2D, 4, 4, 1, 2), 0, 1) ==
          BlitStatus::Unsupported);
    const Image t = texture(Format::R8_UNORM, ResourceKind::Tex2D, 4, 4, 1, 2);
    CHECK(generate(t, 0, 2) == BlitStatus::Unsupported);
    CHECK(generate(t, 0, 1, 2) == BlitStatus::Unsupported);
    CHECK(generate(t, 1, 1) == BlitStatus::Ok);
    for (int left : {0, 1}) {
        context.maps_left = left;
        CHECK(generate(t, 0, 1) == BlitStatus::OutOfMemory);
    }
}
