// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Adreno's layouts: numbers of the vendor, relations between levels, imports, modifiers, refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "pipe/layout/a6xx.h"
#include "pipe/modifier.h"
#include "tests/pipe/layout_a6xx_vectors.h"

using namespace terrazzo::pipe;

namespace {

// Mesa 25.0.7, src/freedreno/common/freedreno_devices.py.
constexpr A6xxMemory kMemory630 = {15, 6, false, false}, kMemory660 = {16, 6, true, true};

A6xxLayoutDesc image(Format format, uint32_t w, uint32_t h, uint32_t levels = 1) {
    A6xxLayoutDesc d;
    d.image.format = format;
    d.image.width = w;
    d.image.height = h;
    d.image.levels = levels;
    d.image.tiling = Tiling::Macrotiled;
    return d;
}
A6xxLayout laid_out(const A6xxLayoutDesc& d, const A6xxMemory& memory = kMemory630) {
    A6xxLayout a;
    REQUIRE(a6xx_layout_compute(d, memory, &a) == LayoutStatus::Ok);
    return a;
}
LayoutStatus status(const A6xxLayoutDesc& d, const A6xxMemory& memory = kMemory630) {
    A6xxLayout a;
    a.surface.size_B = 77;
    const LayoutStatus s = a6xx_layout_compute(d, memory, &a);
    if (s != LayoutStatus::Ok) CHECK(a.surface.size_B == 77);  // outputs are only written on success
    return s;
}

void check_vector(const a6xx_vectors::Vector& v, const A6xxMemory& memory) {
    using namespace a6xx_vectors;
    A6xxLayoutDesc d = image(v.format, v.width, v.height, uint32_t(v.levels.size()));
    d.image.depth = v.depth;
    d.image.samples = v.samples;
    if (v.mode & k3D) d.image.kind = ResourceKind::Tex3D;
    if (!(v.mode & kTiled)) d.image.tiling = Tiling::Linear;
    d.ubwc = (v.mode & kUbwc) != 0;
    CAPTURE(format_info(v.format).name);
    CAPTURE(v.width);
    CAPTURE(v.height);
    CAPTURE(v.depth);
    const A6xxLayout a = laid_out(d, memory);
    CHECK(a.ubwc.enabled == d.ubwc);
    const uint64_t first_B = v.levels[0].offset_B ? 0 : a.surface.level[0].offset_B;
    for (uint32_t l = 0; l < d.image.levels; ++l) {
        CAPTURE(l);
        CHECK(a.surface.level[l].offset_B - first_B == v.levels[l].offset_B);
        CHECK(a.surface.level[l].row_stride_B == v.levels[l].pitch_B);
        if (v.levels[l].slice_B) CHECK(a.surface.level[l].slice_stride_B == v.levels[l].slice_B);
        const Flags flags = l < v.flags.size() ? v.flags[l] : Flags{0, 0};
        CHECK(a.ubwc.level[l].offset_B == flags.offset_B);
        // The vectors have a pitch of the flags for uncompressed levels, too, but it is not used.
        if (a.ubwc.compressed(l)) CHECK(a.ubwc.level[l].row_stride_B == flags.pitch_B);
    }
}

// No two levels, slices, layers or flags of an image overlap, and each is large enough for its blocks.
void check_apart(const A6xxLayout& a) {
    const SurfaceLayout& s = a.surface;
    uint64_t end_B = a.ubwc.size_B + s.level[0].offset_B - (a.ubwc.enabled ? a.ubwc.size_B : 0);
    CHECK(s.level[0].offset_B >= a.ubwc.size_B);
    for (uint32_t l = 0; l < s.levels; ++l) {
        const LevelLayout& level = s.level[l];
        CAPTURE(l);
        const uint64_t columns = (level.width + s.block_w_px - 1) / s.block_w_px;
        CHECK(columns * s.block_B <= level.row_stride_B);
        CHECK(level.row_stride_B % a.row_align_B == 0);
        const uint64_t rows = level.tiling == Tiling::Linear ? level.rows : (level.rows + 15) / 16 * 16;
        CHECK(level.slice_stride_B >= rows * level.row_stride_B);
        CHECK(level.offset_B >= (l ? end_B : 0));
        end_B = level.offset_B + level.slice_stride_B * level.depth;
        if (!a.ubwc.compressed(l)) continue;
        const UbwcLevel& f = a.ubwc.level[l];
        const uint64_t flag_rows = (level.height + a.ubwc.block.h_px - 1) / a.ubwc.block.h_px;
        CHECK((level.width + a.ubwc.block.w_px - 1) / a.ubwc.block.w_px <= f.row_stride_B);
        CHECK(flag_rows * f.row_stride_B <= f.size_B);
        CHECK(level.tiling == Tiling::Macrotiled);
    }
    if (s.kind != ResourceKind::Tex3D) CHECK(end_B - s.level[0].offset_B <= s.layer_stride_B);
    CHECK(s.image_offset_B(0, s.layers - 1) + (end_B - s.level[0].offset_B) <= s.size_B);
}

}  // namespace

TEST_CASE("a6xx layout: the vendor's numbers, a630") {
    CHECK(a6xx_vectors::kA630.size() == 35);
    for (const a6xx_vectors::Vector& v : a6xx_vectors::kA630)
        check_vector(v, kMemory630);
}
TEST_CASE("a6xx layout: the vendor's numbers, a660") {
    CHECK(a6xx_vectors::kA660.size() == 6);
    for (const a6xx_vectors::Vector& v : a6xx_vectors::kA660)
        check_vector(v, kMemory660);
}

TEST_CASE("a6xx layout: small levels and images are linear, except depth and stencil") {
    const A6xxLayout color = laid_out(image(Format::R8G8B8A8_UNORM, 64, 64, 7));
    CHECK(color.surface.tiling == Tiling::Macrotiled);
    CHECK(color.surface.level[2].tiling == Tiling::Macrotiled);  // 16 pixels wide
    CHECK(color.surface.level[3].tiling == Tiling::Linear);
    const A6xxLayout depth = laid_out(image(Format::D16_UNORM, 64, 64, 7));
    CHECK(depth.surface.level[6].tiling == Tiling::Macrotiled);
    CHECK(depth.base_align_B == 4096);
    CHECK(laid_out(image(Format::R8G8B8A8_UNORM, 15, 64)).surface.tiling == Tiling::Linear);
    CHECK(laid_out(image(Format::D16_UNORM, 15, 64)).surface.tiling == Tiling::Macrotiled);
    A6xxLayoutDesc compressed = image(Format::R8G8B8A8_UNORM, 64, 64, 7);
    compressed.ubwc = true;
    CHECK(laid_out(compressed, kMemory630).surface.level[6].tiling == Tiling::Macrotiled);
    CHECK(laid_out(compressed, kMemory630).ubwc.compressed(6));
    CHECK(laid_out(compressed, kMemory660).surface.level[3].tiling == Tiling::Linear);
    CHECK_FALSE(laid_out(compressed, kMemory660).ubwc.compressed(3));
}

TEST_CASE("a6xx layout: each layer is a whole mipmap chain; the flags of all layers come first") {
    A6xxLayoutDesc d = image(Format::R8G8B8A8_UNORM, 64, 64, 2);
    d.image.kind = ResourceKind::Cube;
    d.image.layers = 6;
    A6xxLayout a = laid_out(d);
    CHECK(a.surface.layer_stride_B == 16384 + 8192);
    CHECK(a.surface.size_B == 6 * 24576);
    d.ubwc = true;
    a = laid_out(d);
    CHECK(a.ubwc.block.w_px == 16);
    CHECK(a.ubwc.layer_stride_B == 2 * 4096);
    CHECK(a.surface.level[0].offset_B == 6 * 8192);
    CHECK(a.ubwc.flag_offset_B(1, 2, 1, 3) == 2 * 8192 + 4096 + 3 * 64 + 1);
    CHECK(a.surface.size_B == 6 * (8192 + 24576));
}

TEST_CASE("a6xx layout: sizes of compressed blocks") {
    const auto shape = [](Format f, uint32_t samples = 1) {
        A6xxLayoutDesc d = image(f, 64, 64);
        d.ubwc = true;
        d.image.samples = samples;
        const UbwcBlockShape b = laid_out(d).ubwc.block;
        return b.w_px * 100 + b.h_px;
    };
    CHECK(shape(Format::R8_UNORM) == 1604);
    CHECK(shape(Format::R8G8_UNORM) == 1608);
    CHECK(shape(Format::R16_UINT) == 1604);
    CHECK(shape(Format::R16G16B16A16_FLOAT) == 804);
    CHECK(shape(Format::R32G32B32A32_FLOAT) == 404);
    CHECK(shape(Format::R8_UNORM, 2) == 804);
    CHECK(shape(Format::R8G8_UNORM, 4) == 404);
    CHECK(shape(Format::R8G8B8A8_UNORM, 4) == 404);
    CHECK(shape(Format::R32G32B32A32_FLOAT, 2) == 402);
    CHECK(shape(Format::R32G32B32A32_FLOAT, 4) == 0);  // uncompressed
    CHECK(shape(Format::ETC2_RGBA8_UNORM) == 0);
}

TEST_CASE("a6xx layout: R8G8 has its own rows in the tables") {
    const A6xxLayout two = laid_out(image(Format::R8G8_UNORM, 64, 8)),
                     one = laid_out(image(Format::R16_UINT, 64, 8));
    CHECK(two.surface.macrotile.split_channels);
    CHECK(two.surface.level[0].slice_stride_B == 128 * 32);
    CHECK_FALSE(one.surface.macrotile.split_channels);
    CHECK(one.surface.level[0].slice_stride_B == 256 * 16);
}

// The expected words follow from the formats' names.
TEST_CASE("a6xx layout: tiled images store R first") {
    struct Row {
        Format format;
        uint32_t pixel, stored;
    };
    const Row rows[] = {
        {Format::R8G8B8A8_UNORM, 0xaabbcc01, 0xaabbcc01},  // A B G R
        {Format::B8G8R8A8_SRGB, 0xaa01ccbb, 0xaabbcc01},
        {Format::B8G8R8X8_UNORM, 0xff01ccbb, 0xffbbcc01},
        {Format::B5G6R5_UNORM, 0b00001'110011'10101, 0b10101'110011'00001},
        {Format::A4B4G4R4_UNORM, 0x1cba, 0xabc1},
        {Format::A1B5G5R5_UNORM, 0b00001'11011'10101'1, 0b1'10101'11011'00001},
        {Format::B5G5R5A1_UNORM, 0b1'00001'11011'10101, 0b1'10101'11011'00001},
        {Format::L8A8_UNORM, 0xaa01, 0xaa01},
    };
    for (const Row& row : rows) {
        CAPTURE(format_info(row.format).name);
        A6xxLayoutDesc d = image(row.format, 600, 40, 7);  // level 7 is linear
        const A6xxLayout a = laid_out(d);
        CHECK(a.surface.rgba_order == (row.pixel != row.stored));
        const uint32_t B = a.surface.block_B;
        std::vector<uint8_t> memory(a.surface.size_B), pixels(600 * 40 * B), back(pixels.size());
        for (size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = uint8_t(row.pixel >> 8 * (i % B));
        for (const uint32_t l : {0u, 6u}) {
            const LevelLayout& level = a.surface.level[l];
            const Box box = {0, 0, 0, int32_t(level.width), int32_t(level.height), 1};
            REQUIRE(tile_rect(a.surface, memory.data(), l, box, pixels.data(), 600 * B, 0));
            uint32_t stored = 0;
            if (!a.surface.macrotile.split_channels) std::memcpy(&stored, &memory[level.offset_B], B);
            if (!a.surface.macrotile.split_channels) CHECK(stored == row.stored);
            REQUIRE(detile_rect(a.surface, memory.data(), l, box, back.data(), 600 * B, 0));
            CHECK(std::memcmp(back.data(), pixels.data(), level.width * B) == 0);
            if (l == 0) CHECK(back == pixels);
        }
        d.image.tiling = Tiling::Linear;
        CHECK_FALSE(laid_out(d).surface.rgba_order);
    }
}

// Copying any rectangle as BGRA stores the same colours as copying it as RGBA.
TEST_CASE("a6xx layout: the channels of tiled images are reordered pixel by pixel") {
    for (const uint32_t samples : {1u, 2u}) {
        A6xxLayoutDesc d = image(Format::R8G8B8A8_UNORM, 600, 40);
        d.image.samples = samples;
        const A6xxLayout rgba = laid_out(d);
        d.image.format = Format::B8G8R8A8_UNORM;
        const A6xxLayout bgra = laid_out(d);
        CHECK(bgra.surface.rgba_order);
        const uint32_t w = 590, h = 33, stride = 600 * samples;
        std::vector<uint32_t> in(stride * h), swapped(in.size()), out(in.size());
        std::mt19937 random(9);
        for (size_t i = 0; i < in.size(); ++i) {
            in[i] = random();
            swapped[i] = (in[i] & 0xff00ff00u) | (in[i] >> 16 & 0xff) | (in[i] & 0xff) << 16;
        }
        out = in;
        std::vector<uint8_t> a(rgba.surface.size_B), b(rgba.surface.size_B);
        const Box box = {3, 5, 0, int32_t(w), int32_t(h), 1};
        REQUIRE(tile_rect(rgba.surface, a.data(), 0, box, in.data(), stride * 4, 0));
        REQUIRE(tile_rect(bgra.surface, b.data(), 0, box, swapped.data(), stride * 4, 0));
        CHECK(a == b);
        REQUIRE(detile_rect(rgba.surface, b.data(), 0, box, out.data(), stride * 4, 0));
        CHECK(out == in);
        REQUIRE(detile_rect(bgra.surface, b.data(), 0, box, out.data(), stride * 4, 0));
        CHECK(std::equal(out.begin(), out.begin() + ptrdiff_t(w * samples), swapped.begin()));
    }
}

TEST_CASE("a6xx layout: levels never overlap") {
    std::mt19937 random(11);
    const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    const Format formats[] = {Format::R8_UNORM,           Format::R8G8_UNORM,
                              Format::R8G8B8A8_UNORM,     Format::R16G16B16A16_FLOAT,
                              Format::R32G32B32A32_FLOAT, Format::ETC2_RGBA8_UNORM,
                              Format::ASTC_5x5_SRGB,      Format::D24_UNORM_S8_UINT};
    for (int round = 0; round < 3000; ++round) {
        A6xxLayoutDesc d =
            image(formats[below(8)], 1 + below(below(8) ? 300 : 3), 1 + below(below(4) ? 300 : 9));
        d.image.tiling = below(4) ? Tiling::Macrotiled : Tiling::Linear;
        d.ubwc = d.image.tiling == Tiling::Macrotiled && below(2);
        uint32_t largest = std::max(d.image.width, d.image.height);
        if (below(3) == 0) {
            d.image.kind = ResourceKind::Tex3D;
            d.image.depth = 1 + below(20);
            largest = std::max(largest, d.image.depth);
        } else if (below(2)) {
            d.image.kind = ResourceKind::Tex2DArray;
            d.image.layers = 1 + below(5);
        }
        d.image.levels = 1 + below(uint32_t(std::bit_width(largest)));
        CAPTURE(format_info(d.image.format).name);
        CAPTURE(d.image.width);
        CAPTURE(d.image.height);
        CAPTURE(d.image.depth);
        CAPTURE(d.image.levels);
        check_apart(laid_out(d, below(2) ? kMemory630 : kMemory660));
    }
}

TEST_CASE("a6xx layout: imports") {
    A6xxLayoutDesc d = image(Format::B8G8R8A8_UNORM, 100, 20);
    REQUIRE(a6xx_apply_modifier(0, &d));
    CHECK(d.image.tiling == Tiling::Linear);
    d.image.row_stride_B = 448;  // another allocator's stride may be aligned to only 64 bytes
    d.offset_B = 128;
    A6xxLayout a = laid_out(d);
    CHECK(a.surface.level[0].offset_B == 128);
    CHECK(a.surface.level[0].row_stride_B == 448);
    CHECK(a.surface.size_B == 128 + 12288);
    CHECK(a6xx_modifier(a) == 0);
    d.image.row_stride_B = 384;
    CHECK(status(d) == LayoutStatus::BadStride);
    d.image.row_stride_B = 416;
    CHECK(status(d) == LayoutStatus::BadStride);
    d.image.row_stride_B = 448;
    d.offset_B = 32;
    CHECK(status(d) == LayoutStatus::BadAlignment);

    d.offset_B = 4096;
    REQUIRE(a6xx_apply_modifier(kModQcomTiled3, &d));
    CHECK(status(d) == LayoutStatus::BadStride);
    d.image.row_stride_B = 512;
    a = laid_out(d);
    CHECK(a6xx_modifier(a) == kModQcomTiled3);
    CHECK(a.surface.level[0].offset_B == 4096);

    REQUIRE(a6xx_apply_modifier(kModQcomCompressed, &d));
    a = laid_out(d);
    CHECK(a6xx_modifier(a) == kModQcomCompressed);
    CHECK(a.ubwc.level[0].offset_B == 4096);
    CHECK(a.surface.level[0].offset_B == 8192);
    CHECK(a.surface.size_B == 8192 + 512 * 32);
    d.image.width = 8;  // an import is compressed, however small
    CHECK(laid_out(d).ubwc.enabled);
    d.image.format = Format::ETC2_RGBA8_UNORM;
    d.image.row_stride_B = 1024;
    CHECK(status(d) == LayoutStatus::BadFormat);
    CHECK_FALSE(a6xx_apply_modifier(0x0500000000000002ull, &d));  // TILED2
    CHECK_FALSE(a6xx_apply_modifier(kModArmInterleaved, &d));     // Arm's
}

TEST_CASE("a6xx layout: impossible images are refused, without overflow") {
    CHECK(status(image(Format::R8G8B8_UNORM, 64, 64)) == LayoutStatus::BadFormat);
    CHECK(status(image(Format::R8_UNORM, 0, 64)) == LayoutStatus::BadSize);
    A6xxLayoutDesc d = image(Format::R8_UNORM, 64, 64);
    d.image.samples = 3;
    CHECK(status(d) == LayoutStatus::BadSize);
    d = image(Format::R8_UNORM, 64, 64);
    d.image.row_align_B = 64;
    CHECK(status(d) == LayoutStatus::BadAlignment);
    d = image(Format::R8_UNORM, 64, 64);
    d.image.tiling = Tiling::Interleaved;
    CHECK(status(d) == LayoutStatus::BadTiling);
    d.image.tiling = Tiling::Linear;
    d.ubwc = true;
    CHECK(status(d) == LayoutStatus::BadTiling);
    CHECK(status(image(Format::R8_UNORM, 64, 64), {11, 6, false, false}) == LayoutStatus::BadChip);
    CHECK(status(image(Format::R8_UNORM, 64, 64), {15, 8, false, false}) == LayoutStatus::BadChip);
    SurfaceLayout plain;
    CHECK(layout_compute(image(Format::R8_UNORM, 64, 64).image, &plain) == LayoutStatus::BadTiling);

    constexpr uint32_t kHuge = 0x7fffffffu;
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
        const auto any = [&] { return random() % 3 ? kHuge >> random() % 31 : 1u; };
        d = image(random() % 2 ? Format::R32G32B32A32_FLOAT : Format::R8_UNORM, any(), any());
        d.image.tiling = random() % 4 ? Tiling::Macrotiled : Tiling::Linear;
        d.ubwc = d.image.tiling == Tiling::Macrotiled && random() % 2;
        d.image.samples = random() % 4 ? 1 : 4;
        if (random() % 2) {
            d.image.kind = ResourceKind::Tex3D;
            d.image.depth = any();
            d.image.samples = 1;
        } else {
            d.image.kind = ResourceKind::Tex2DArray;
            d.image.layers = any();
        }
        if (d.image.samples == 1) d.image.levels = 1 + random() % 15;
        if (random() % 4 == 0) d.image.row_stride_B = random() & ~4095u;
        if (random() % 4 == 0) d.offset_B = (uint64_t(random()) << 32 | random()) & ~4095ull;
        A6xxLayout a;
        if (a6xx_layout_compute(d, kMemory660, &a) != LayoutStatus::Ok) continue;
        CHECK(a.surface.size_B <= kMaxSurface_B);
        CHECK(a.surface.size_B >= uint64_t(d.image.width) * d.image.height * a.surface.block_B);
        CHECK(a.surface.size_B >= d.offset_B);
    }
}
