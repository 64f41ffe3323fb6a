// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Surface layouts against literals, refusals, and copies in and out.
#include "pipe/layout/layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace terrazzo::pipe;

namespace {

LayoutDesc tex2d(Format format, uint32_t w, uint32_t h, uint32_t levels = 1) {
    LayoutDesc d;
    d.format = format;
    d.width = w;
    d.height = h;
    d.levels = levels;
    return d;
}

SurfaceLayout laid_out(const LayoutDesc& d) {
    SurfaceLayout s;
    REQUIRE(layout_compute(d, &s) == LayoutStatus::Ok);
    return s;
}

LayoutStatus status(const LayoutDesc& d) {
    SurfaceLayout s;
    s.size_B = 77;
    const LayoutStatus result = layout_compute(d, &s);
    if (result != LayoutStatus::Ok) CHECK(s.size_B == 77);  // outputs are only written on success
    return result;
}

}  // namespace

TEST_CASE("layout: a mip chain, tight and aligned") {
    LayoutDesc d = tex2d(Format::R8G8B8_UNORM, 10, 5, 4);
    SurfaceLayout s = laid_out(d);
    CHECK(s.level[0].row_stride_B == 30);
    CHECK(s.level[1].offset_B == 150);
    CHECK(s.level[1].row_stride_B == 15);
    CHECK(s.level[2].offset_B == 180);
    CHECK(s.level[3].offset_B == 186);
    CHECK(s.size_B == 189);
    d.row_align_B = 16;
    d.level_align_B = 64;
    s = laid_out(d);
    CHECK(s.level[0].row_stride_B == 32);
    CHECK(s.level[1].offset_B == 192);
    CHECK(s.level[2].offset_B == 256);
    CHECK(s.block_offset_B(1, 0, 2, 1) == 192 + 16 + 6);
}

TEST_CASE("layout: each layer is a whole mipmap chain; slices are inside their level") {
    LayoutDesc cube = tex2d(Format::R8G8B8A8_UNORM, 4, 4, 3);
    cube.kind = ResourceKind::Cube;
    cube.layers = 6;
    SurfaceLayout s = laid_out(cube);
    CHECK(s.layer_stride_B == 64 + 16 + 4);
    CHECK(s.size_B == 6 * 84);
    CHECK(s.image_offset_B(1, 5) == 5 * 84 + 64);
    CHECK(s.z_count(2) == 6);
    cube.layer_align_B = 128;
    CHECK(laid_out(cube).layer_stride_B == 128);

    LayoutDesc volume = tex2d(Format::R8_UNORM, 4, 4, 3);
    volume.kind = ResourceKind::Tex3D;
    volume.depth = 4;
    s = laid_out(volume);
    CHECK(s.level[0].slice_stride_B == 16);
    CHECK(s.level[1].offset_B == 64);
    CHECK(s.level[1].depth == 2);
    CHECK(s.image_offset_B(1, 1) == 68);
    CHECK(s.size_B == 64 + 8 + 1);
    CHECK(s.z_count(1) == 2);
}

TEST_CASE("layout: blocks, samples, buffers") {
    const SurfaceLayout etc = laid_out(tex2d(Format::ETC2_RGBA8_UNORM, 10, 6, 4));
    CHECK(etc.level[0].row_stride_B == 48);
    CHECK(etc.level[0].rows == 2);
    CHECK(etc.level[3].slice_stride_B == 16);
    CHECK(etc.size_B == 96 + 32 + 16 + 16);
    LayoutDesc ms = tex2d(Format::R8G8B8A8_UNORM, 3, 2);
    ms.samples = 4;
    CHECK(laid_out(ms).size_B == 96);
    CHECK(laid_out(ms).sample_stride_B(0) == 0);
    LayoutDesc buffer;
    buffer.kind = ResourceKind::Buffer;
    buffer.width = 12345;
    CHECK(laid_out(buffer).size_B == 12345);
}

TEST_CASE("layout: interleaved samples are images, and adjacent in the caller's rows") {
    LayoutDesc ms = tex2d(Format::R8G8_UNORM, 70, 19);
    ms.tiling = Tiling::Interleaved;
    const SurfaceLayout one = laid_out(ms);
    CHECK(one.sample_stride_B(0) == 0);
    ms.samples = 4;
    const SurfaceLayout s = laid_out(ms);
    const uint64_t sample_B = 80 * 32 * 2;
    CHECK(s.block_B == 2);
    CHECK(s.sample_stride_B(0) == sample_B);
    CHECK(s.size_B == 4 * sample_B);
    ms.kind = ResourceKind::Tex2DArray;
    ms.layers = 3;
    CHECK(laid_out(ms).image_offset_B(0, 2) == 2 * 4 * sample_B);
    // Each sample's image is what a copy to an image with one sample writes.
    std::vector<uint8_t> image(s.size_B), back, single(one.size_B);
    const Box box{3, 2, 0, 66, 16, 1};
    const ptrdiff_t stride = 66 * 2;
    std::vector<uint8_t> rows(size_t(stride) * 4 * 16);
    for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = uint8_t(i * 37 + i / 251);
    REQUIRE(tile_rect(s, image.data(), 0, box, rows.data(), stride * 4, 0));
    for (unsigned n = 0; n < 4; ++n) {
        std::vector<uint8_t> of_sample(size_t(stride) * 16);
        for (size_t i = 0; i < of_sample.size() / 2; ++i)
            std::memcpy(&of_sample[i * 2], &rows[(i * 4 + n) * 2], 2);
        std::fill(single.begin(), single.end(), uint8_t(0));
        REQUIRE(tile_rect(one, single.data(), 0, box, of_sample.data(), stride, 0));
        CHECK(std::equal(single.begin(), single.end(), image.begin() + ptrdiff_t(n * sample_B)));
    }
    back.resize(rows.size());
    REQUIRE(detile_rect(s, image.data(), 0, box, back.data(), stride * 4, 0));
    CHECK(back == rows);
}

TEST_CASE("layout: impossible images are refused, without overflow") {
    CHECK(status(tex2d(Format::R8_UNORM, 0, 4)) == LayoutStatus::BadSize);
    CHECK(status(tex2d(Format::R8_UNORM, 0xffffffffu, 4)) == LayoutStatus::BadSize);
    CHECK(status(tex2d(Format::R8_UNORM, 4, 4, 4)) == LayoutStatus::BadLevels);
    CHECK(status(tex2d(Format::None, 4, 4)) == LayoutStatus::BadFormat);
    CHECK(status(tex2d(Format::R32_FIXED, 4, 4)) == LayoutStatus::BadFormat);
    CHECK(status(tex2d(Format::R32G32B32A32_FLOAT, 0x7fffffffu, 0x7fffffffu)) == LayoutStatus::TooLarge);
    CHECK(status(tex2d(Format::R8_UNORM, 32768, 65536)) == LayoutStatus::Ok);
    CHECK(status(tex2d(Format::R8_UNORM, 32768, 65537)) == LayoutStatus::TooLarge);
    LayoutDesc d = tex2d(Format::R8G8B8A8_UNORM, 16384, 16384);
    d.kind = ResourceKind::Tex2DArray;
    d.layers = 2048;
    CHECK(status(d) == LayoutStatus::TooLarge);
    d.layers = 2;
    CHECK(status(d) == LayoutStatus::Ok);
    d.row_align_B = 3;
    CHECK(status(d) == LayoutStatus::BadAlignment);
    d.row_align_B = 64;
    d.row_stride_B = 65535;
    CHECK(status(d) == LayoutStatus::BadStride);
    d.row_stride_B = 65536 + 64;
    CHECK(status(d) == LayoutStatus::TooLarge);
    d.layers = 1;
    CHECK(status(d) == LayoutStatus::Ok);
    LayoutDesc cube = tex2d(Format::R8_UNORM, 4, 8);
    cube.kind = ResourceKind::Cube;
    cube.layers = 6;
    CHECK(status(cube) == LayoutStatus::BadSize);
    LayoutDesc volume = tex2d(Format::R8_UNORM, 1 << 15, 1 << 15);
    volume.kind = ResourceKind::Tex3D;
    volume.depth = 0x7fffffff;
    CHECK(status(volume) == LayoutStatus::TooLarge);
    for (int i = 0; i <= int(LayoutStatus::TooLarge); ++i)
        CHECK(std::strlen(layout_status_text(LayoutStatus(i))) > 1);
}

TEST_CASE("layout: a rectangle is written and read back; its surroundings stay") {
    LayoutDesc d = tex2d(Format::R8G8_UNORM, 9, 7, 2);
    d.kind = ResourceKind::Tex2DArray;
    d.layers = 3;
    d.row_align_B = 8;
    const SurfaceLayout s = laid_out(d);
    std::vector<uint8_t> surface(s.size_B, 0xee);
    const Box box = {1, 1, 1, 2, 2, 2};
    uint8_t in[16], out[16] = {};
    for (int i = 0; i < 16; ++i)
        in[i] = uint8_t(i + 1);
    REQUIRE(tile_rect(s, surface.data(), 1, box, in, 4, 8));
    CHECK(surface[s.block_offset_B(1, 1, 1, 1)] == 1);
    CHECK(surface[s.block_offset_B(1, 2, 2, 2) + 1] == 16);
    size_t untouched = 0;
    for (uint8_t b : surface)
        untouched += b == 0xee;
    CHECK(untouched == surface.size() - 16);
    REQUIRE(detile_rect(s, surface.data(), 1, box, out, 4, 8));
    CHECK(std::memcmp(in, out, 16) == 0);
    REQUIRE(detile_rect(s, surface.data(), 1, box, out + 4, -4, 8));
    CHECK(out[0] == 5);
    CHECK(out[4] == 1);
    CHECK_FALSE(tile_rect(s, surface.data(), 1, Box{3, 0, 0, 2, 1, 1}, in, 4, 8));
    CHECK_FALSE(tile_rect(s, surface.data(), 2, Box{0, 0, 0, 1, 1, 1}, in, 4, 8));
    CHECK_FALSE(tile_rect(s, surface.data(), 0, Box{0, 0, 2, 1, 1, 2}, in, 4, 8));
    CHECK_FALSE(detile_rect(s, surface.data(), 0, Box{-1, 0, 0, 1, 1, 1}, out, 4, 8));
    CHECK_FALSE(detile_rect(s, surface.data(), 0, Box{0x7fffffff, 0, 0, 0x7fffffff, 1, 1}, out, 4, 8));
}

TEST_CASE("layout: boxes of compressed formats are whole blocks, or end at the image's edge") {
    const SurfaceLayout s = laid_out(tex2d(Format::ETC2_RGB8_UNORM, 10, 6));
    CHECK(layout_box_valid(s, 0, {4, 4, 0, 4, 2, 1}));
    CHECK(layout_box_valid(s, 0, {8, 0, 0, 2, 6, 1}));
    CHECK_FALSE(layout_box_valid(s, 0, {2, 0, 0, 4, 4, 1}));
    CHECK_FALSE(layout_box_valid(s, 0, {0, 0, 0, 6, 4, 1}));
    std::vector<uint8_t> surface(s.size_B, 0);
    uint8_t block[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    REQUIRE(tile_rect(s, surface.data(), 0, {8, 4, 0, 2, 2, 1}, block, 8, 8));
    CHECK(std::memcmp(&surface[24 + 16], block, 8) == 0);
}
