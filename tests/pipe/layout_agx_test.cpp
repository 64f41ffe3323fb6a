// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Apple's layouts: Mesa's cases, relations between levels, metadata, imports, modifiers, refusals.
// layout_agx_tables_test.cpp has Metal's numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <random>
#include <set>

#include "pipe/modifier.h"
#include "tests/pipe/layout_agx_images.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::agx_images;

namespace {

LayoutStatus status(const AgxLayoutDesc& d) {
    AgxLayout a;
    a.surface.size_B = 77;
    const LayoutStatus s = agx_layout_compute(d, &a);
    if (s != LayoutStatus::Ok) CHECK(a.surface.size_B == 77);  // outputs are only written on success
    return s;
}

}  // namespace

// The numbers of Mesa 25.0.7's src/asahi/layout/tests/test-layout.cpp.
TEST_CASE("agx layout: Mesa's cases") {
    AgxLayoutDesc d = layered(image(Format::R8G8B8A8_UNORM, 512, 512), 6);
    d.image.kind = ResourceKind::Cube;
    AgxLayout a = laid_out(d);
    CHECK(a.surface.layer_stride_B == 0x100000);
    CHECK(a.surface.size_B == 0x600000);

    d = layered(image(Format::R32_FLOAT, 63, 63, 6), 6);
    d.image.kind = ResourceKind::Cube;
    a = laid_out(d);
    for (const auto& [l, at_B] : {std::pair{0, 0u}, {1, 0x4000u}, {2, 0x5000u}, {3, 0x5400u}, {4, 0x5500u}})
        CHECK(a.surface.level[l].offset_B == at_B);
    CHECK(a.page_aligned_layers);
    CHECK(a.surface.layer_stride_B == 0x8000);
    CHECK(a.surface.size_B == 0x30000);

    AgxLayoutDesc buffer;
    buffer.image.kind = ResourceKind::Buffer;
    buffer.image.width = 81946;
    CHECK(laid_out(buffer).surface.size_B == 82048);

    // All levels have memory, also if fewer are used.
    CHECK(laid_out(image(Format::R8G8B8A8_UINT, 1024, 1024, 11)).surface.size_B == 0x555680);
    CHECK(laid_out(image(Format::R8G8B8A8_UINT, 1024, 1024, 4)).surface.size_B == 0x555680);

    a = laid_out(layered(image(Format::R32_FLOAT, 32, 16, 4), 64));
    CHECK(a.surface.layer_stride_B == 0xc00);
    CHECK(a.surface.size_B == 0x30000);
    d = image(Format::R32_FLOAT, 32, 16, 4);
    d.image.kind = ResourceKind::Tex3D;
    d.image.depth = 64;
    a = laid_out(d);
    CHECK(a.surface.layer_stride_B == 0xc80);
    CHECK(a.surface.size_B == 0x32000);
    CHECK(a.surface.z_stride_B(2) == 0xc80);
    CHECK(a.surface.image_offset_B(1, 3) == 0x800 + 3 * 0xc80);
    CHECK(a.surface.z_count(3) == 8);
}

TEST_CASE("agx layout: tiles are pages, or as large as the level's shorter side") {
    const auto tile = [](Format f, uint32_t w, uint32_t h, uint32_t samples = 1) {
        AgxLayoutDesc d = image(f, w, h);
        d.image.samples = samples;
        const TileLog2 t = laid_out(d).surface.level[0].tile;
        return (1000u << t.w) + (1u << t.h);
    };
    CHECK(tile(Format::R8_UNORM, 999, 999) == 128'128);
    CHECK(tile(Format::R16_UINT, 999, 999) == 128'064);
    CHECK(tile(Format::R32_FLOAT, 999, 999) == 64'064);
    CHECK(tile(Format::R16G16B16A16_FLOAT, 999, 999) == 64'032);
    CHECK(tile(Format::R32G32B32A32_FLOAT, 999, 999) == 32'032);
    CHECK(tile(Format::R32G32B32A32_FLOAT, 999, 999, 2) == 32'016);
    CHECK(tile(Format::R32G32B32A32_FLOAT, 999, 999, 4) == 16'016);
    CHECK(tile(Format::R32_FLOAT, 999, 33) == 64'064);
    CHECK(tile(Format::R32_FLOAT, 999, 9) == 16'016);
    CHECK(tile(Format::R32_FLOAT, 3, 999) == 4'004);
    CHECK(tile(Format::R32_FLOAT, 999, 1) == 1'001);
    CHECK(tile(Format::ETC2_RGB8_UNORM, 4 * 33, 4 * 999) == 64'064);
    const AgxLayout chain = laid_out(image(Format::R8G8B8A8_UNORM, 320, 192, 9));
    CHECK(chain.surface.level[0].row_stride_B == 5 * 16384);
    CHECK(chain.surface.level[1].tile == TileLog2{6, 6});  // 160x96
    CHECK(chain.surface.level[2].tile == TileLog2{6, 6});  // 80x48, rounded up
    CHECK(chain.surface.level[5].tile == TileLog2{3, 3});  // 10x6
    CHECK(chain.surface.level[5].row_stride_B == 2 * 8 * 8 * 4);
}

TEST_CASE("agx layout: linear images") {
    AgxLayoutDesc d = layered(image(Format::R8G8B8A8_UNORM, 33, 5), 3);
    d.image.tiling = Tiling::Linear;
    AgxLayout a = laid_out(d);
    CHECK(a.surface.level[0].row_stride_B == 256);
    CHECK(a.surface.layer_stride_B == 1280);
    CHECK(a.surface.size_B == 3 * 1280);
    CHECK(agx_modifier(a) == kModifierLinear);
    d.image.row_stride_B = 144;
    a = laid_out(d);
    CHECK(a.surface.layer_stride_B == 768);  // 720, in whole lines
    CHECK(a.surface.block_offset_B(0, 2, 3, 4) == 2 * 768 + 4 * 144 + 12);
    for (const uint32_t stride_B : {128u, 136u, kAgxMaxStride_B + 16}) {
        d.image.row_stride_B = stride_B;
        CHECK(status(d) == LayoutStatus::BadStride);
    }
    d.image.row_stride_B = kAgxMaxStride_B;
    CHECK(status(d) == LayoutStatus::Ok);
    d.image.row_stride_B = 0;
    AgxLayoutDesc bad = d;
    bad.image.levels = 2;
    CHECK(status(bad) == LayoutStatus::BadLevels);
    bad = d;
    bad.image.samples = 2;
    CHECK(status(bad) == LayoutStatus::BadSize);
    for (const Format f : {Format::ETC2_RGB8_UNORM, Format::D32_FLOAT, Format::S8_UINT}) {
        bad = d;
        bad.image.format = f;
        CHECK(status(bad) == LayoutStatus::BadFormat);
    }
    bad = d;
    bad.compressed = true;
    CHECK(status(bad) == LayoutStatus::BadTiling);
    bad = d;
    bad.image.kind = ResourceKind::Cube;
    bad.image.layers = 6;
    bad.image.height = 33;
    CHECK(status(bad) == LayoutStatus::BadTiling);
    bad.image.kind = ResourceKind::Tex3D;
    bad.image.layers = 1;
    CHECK(status(bad) == LayoutStatus::BadTiling);
}

TEST_CASE("agx layout: pages of layers") {
    const auto aligned = [](Format f, uint32_t side, uint32_t levels, uint32_t layers, bool written) {
        AgxLayoutDesc d = layered(image(f, side, side, levels), layers);
        d.page_aligned_layers = written;
        const AgxLayout a = laid_out(d);
        if (a.page_aligned_layers) CHECK(a.surface.layer_stride_B % kAgxPage_B == 0);
        return a.page_aligned_layers;
    };
    CHECK_FALSE(aligned(Format::R32_FLOAT, 64, 1, 2, false));  // one level
    CHECK_FALSE(aligned(Format::R32_FLOAT, 32, 2, 2, false));  // less than a page
    CHECK_FALSE(aligned(Format::R32_FLOAT, 64, 2, 1, false));  // one layer
    CHECK(aligned(Format::R32_FLOAT, 64, 2, 2, false));
    CHECK(aligned(Format::D32_FLOAT, 64, 2, 1, false));
    CHECK(aligned(Format::R32_FLOAT, 4, 1, 1, true));
}

TEST_CASE("agx layout: metadata") {
    AgxLayoutDesc d = layered(image(Format::R8G8B8A8_UNORM, 100, 40, 7), 3);
    d.compressed = true;
    const AgxLayout a = laid_out(d);
    CHECK(agx_modifier(a) == kModAppleCompressed);
    CHECK(a.metadata_offset_B == 3 * a.surface.layer_stride_B);
    // Sides of 112 and 48 samples, rounded up to 128x64: 8x4 metadata tiles, then 4x2, 2x1. The next is
    // smaller than a metadata tile.
    CHECK(a.compressed_levels == 3);
    CHECK(a.metadata_level_B[1] == 256);
    CHECK(a.metadata_level_B[2] == 384);
    CHECK(a.metadata_layer_stride_B == 512);
    CHECK(a.surface.size_B == a.metadata_offset_B + 3 * 512);
    CHECK(a.metadata_columns(0) == 7);
    CHECK(a.metadata_rows(0) == 3);
    const auto at = [&](uint32_t column, uint32_t row) {
        return (a.metadata_at_B(0, 0, column, row) - a.metadata_offset_B) / 8;
    };
    CHECK(at(1, 0) == 1);
    CHECK(at(0, 1) == 2);
    CHECK(at(3, 2) == 13);
    CHECK(at(5, 1) == 16 + 3);  // the upper bit of the longer side
    CHECK(a.metadata_at_B(1, 2, 1, 0) == a.metadata_offset_B + 2 * 512 + 256 + 8);
    // Samples count, not pixels.
    d = image(Format::R8_UNORM, 8, 8);
    d.compressed = true;
    CHECK(status(d) == LayoutStatus::BadSize);
    d.image.samples = 2;
    CHECK(status(d) == LayoutStatus::BadSize);
    d.image.samples = 4;
    CHECK(laid_out(d).metadata_columns(0) == 1);
    CHECK(agx_uncompressed_mode(Format::R8_UNORM) == 0x1f);
    CHECK(agx_uncompressed_mode(Format::R8G8B8A8_UNORM) == 0x7f);
    CHECK(agx_uncompressed_mode(Format::R32G32B32A32_FLOAT) == 0xff);
}

TEST_CASE("agx layout: the metadata of any level are apart, and within their layer") {
    std::mt19937 random(4);
    const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    for (int round = 0; round < 300; ++round) {
        AgxLayoutDesc d = image(Format::R8_UNORM, 16 + below(700), 16 + below(700));
        d.image.levels = 1 + below(uint32_t(std::bit_width(std::max(d.image.width, d.image.height))));
        d.compressed = true;
        if (round % 3 == 0) d.image.levels = 1, d.image.samples = 4;
        const AgxLayout a = laid_out(d);
        CAPTURE(d.image.width);
        CAPTURE(d.image.height);
        CAPTURE(d.image.levels);
        CHECK(a.compressed_levels >= 1);
        std::set<uint64_t> used;
        uint64_t count = 0;
        for (uint32_t l = 0; l < a.compressed_levels; ++l)
            for (uint32_t y = 0; y < a.metadata_rows(l); ++y)
                for (uint32_t x = 0; x < a.metadata_columns(l); ++x, ++count)
                    used.insert(a.metadata_at_B(l, 0, x, y));
        CHECK(used.size() == count);
        CHECK(*used.begin() == a.metadata_offset_B);
        CHECK(*used.rbegin() + 8 <= a.surface.size_B);
    }
}

// Levels do not overlap, and each has room for its tiles.
TEST_CASE("agx layout: random images") {
    std::mt19937 random(8);
    const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    const Format formats[] = {
        Format::R8_UNORM,           Format::R16_UINT,        Format::R8G8B8A8_UNORM,   Format::R32G32_FLOAT,
        Format::R32G32B32A32_FLOAT, Format::ETC2_RGB8_UNORM, Format::ETC2_RGBA8_UNORM, Format::ASTC_5x5_UNORM,
        Format::ASTC_12x12_UNORM,   Format::D32_FLOAT,       Format::S8_UINT,          Format::BC1_RGB_UNORM};
    for (int round = 0; round < 20000; ++round) {
        const uint32_t most = 1u << (2 + below(9));
        AgxLayoutDesc d = image(formats[below(std::size(formats))], 1 + below(most), 1 + below(most));
        d.image.levels = 1 + below(uint32_t(std::bit_width(std::max(d.image.width, d.image.height))));
        d = layered(d, 1 + below(3));
        if (!format_info(d.image.format).is_compressed && d.image.levels == 1)
            d.image.samples = 1u << below(3);
        d.page_aligned_layers = below(2);
        const AgxLayout a = laid_out(d);
        const SurfaceLayout& s = a.surface;
        CAPTURE(format_name(d.image.format));
        CAPTURE(d.image.width);
        CAPTURE(d.image.height);
        CAPTURE(d.image.samples);
        CAPTURE(d.image.levels);
        bool good = s.layer_stride_B * s.layers == s.size_B;
        for (uint32_t l = 0; l < s.levels && good; ++l) {
            const LevelLayout& level = s.level[l];
            CAPTURE(l);
            const uint64_t columns = (level.width + s.block_w_px - 1) / s.block_w_px;
            const uint64_t tile_rows = ((level.rows - 1) >> level.tile.h) + 1;
            good = level.offset_B % kAgxLine_B == 0 &&
                   columns << level.tile.h <= level.row_stride_B / s.block_B &&
                   tile_rows * level.row_stride_B <= level.slice_stride_B &&
                   level.offset_B + level.slice_stride_B <=
                       (l + 1 < s.levels ? s.level[l + 1].offset_B : s.layer_stride_B);
            CHECK(good);
        }
        CHECK(good);
    }
}

TEST_CASE("agx layout: modifiers and imports") {
    AgxLayoutDesc d = image(Format::R8G8B8A8_UNORM, 100, 50);
    for (const uint64_t m : {kModifierLinear, kModAppleTiled, kModAppleCompressed}) {
        REQUIRE(agx_apply_modifier(m, &d));
        CHECK(agx_modifier(laid_out(d)) == m);
    }
    // DRM_FORMAT_MOD_APPLE_GPU_TILED and _COMPRESSED: vendor 12, numbers 1 and 2.
    CHECK(kModAppleTiled == (uint64_t(12) << 56 | 1));
    CHECK(kModAppleCompressed == (uint64_t(12) << 56 | 2));
    for (const uint64_t m :
         {uint64_t(2), uint64_t(3), kModQcomCompressed, uint64_t(12) << 56 | 3, kModifierInvalid})
        CHECK_FALSE(agx_apply_modifier(m, &d));
    // A tiled image has no pitch, but must state that of a linear one.
    const uint64_t size_B = laid_out(d).surface.size_B;
    d.image.row_stride_B = 400;
    CHECK(laid_out(d).surface.size_B == size_B);
    d.image.row_stride_B = 512;
    CHECK(status(d) == LayoutStatus::BadStride);
    d.image.row_stride_B = 400;
    d.image.levels = 2;
    CHECK(status(d) == LayoutStatus::BadStride);
}

TEST_CASE("agx layout: refusals, and images up to the limits") {
    const AgxLayoutDesc good = image(Format::R8G8B8A8_UNORM, 64, 64);
    const auto with = [&](auto&& change) {
        AgxLayoutDesc d = good;
        change(d);
        return status(d);
    };
    using D = AgxLayoutDesc;
    CHECK(with([](D&) {}) == LayoutStatus::Ok);
    CHECK(with([](D& d) { d.image.width = 0; }) == LayoutStatus::BadSize);
    CHECK(with([](D& d) { d.image.width = 16385; }) == LayoutStatus::BadSize);
    CHECK(with([](D& d) { d.image.height = ~0u; }) == LayoutStatus::BadSize);
    CHECK(with([](D& d) { d.image.samples = 8; }) == LayoutStatus::BadSize);
    CHECK(with([](D& d) { d.image.samples = 3; }) == LayoutStatus::BadSize);
    CHECK(with([](D& d) { d.image.levels = 8; }) == LayoutStatus::BadLevels);
    CHECK(with([](D& d) { d.image.levels = 2, d.image.samples = 2; }) == LayoutStatus::BadLevels);
    CHECK(with([](D& d) { d.image.format = Format::None; }) == LayoutStatus::BadFormat);
    CHECK(with([](D& d) { d.image.format = Format::R8G8B8_UNORM; }) == LayoutStatus::BadFormat);
    CHECK(with([](D& d) { d.image.format = Format::ETC1_RGB8, d.compressed = true; }) ==
          LayoutStatus::BadFormat);
    CHECK(with([](D& d) { d.image.format = Format::ETC1_RGB8, d.image.samples = 2; }) ==
          LayoutStatus::BadFormat);
    CHECK(with([](D& d) { d.image.row_align_B = 64; }) == LayoutStatus::BadAlignment);
    CHECK(with([](D& d) { d.image.tiling = Tiling::Interleaved; }) == LayoutStatus::BadTiling);
    CHECK(with([](D& d) { d.image.tiling = Tiling::Macrotiled; }) == LayoutStatus::BadTiling);
    CHECK(with([](D& d) { d.image.kind = ResourceKind::Tex2DArray, d.image.layers = 2049; }) ==
          LayoutStatus::BadSize);
    CHECK(with([](D& d) { d.image.kind = ResourceKind::Tex3D, d.image.depth = 2049; }) ==
          LayoutStatus::BadSize);
    CHECK(with([](D& d) {
              d.image.kind = ResourceKind::Buffer, d.image.format = Format::None, d.image.height = 1;
          }) == LayoutStatus::BadTiling);
    // The tiling is not for layout_compute.
    SurfaceLayout s;
    CHECK(layout_compute(good.image, &s) == LayoutStatus::BadTiling);
    // Nothing overflows: the size is exact, or TooLarge.
    for (const Format f :
         {Format::R8_UNORM, Format::R32G32B32A32_FLOAT, Format::ASTC_12x12_UNORM, Format::D32_FLOAT})
        for (const uint32_t w : {1u, 16383u, 16384u})
            for (const uint32_t h : {1u, 16383u, 16384u})
                for (const uint32_t layers : {1u, 2047u, 2048u})
                    for (const uint32_t samples : {1u, 4u})
                        for (const bool all_levels : {false, true}) {
                            AgxLayoutDesc d = layered(image(f, w, h), layers);
                            const FormatInfo& info = format_info(f);
                            if (samples > 1 && (all_levels || info.is_compressed)) continue;
                            d.image.samples = samples;
                            if (all_levels) d.image.levels = uint32_t(std::bit_width(std::max(w, h)));
                            d.compressed = agx_can_compress(f, w, h, samples);
                            const uint64_t least_B = uint64_t((w + info.block_w_px - 1) / info.block_w_px) *
                                                     ((h + info.block_h_px - 1) / info.block_h_px) *
                                                     info.block_B * samples * layers;
                            AgxLayout a;
                            const LayoutStatus result = agx_layout_compute(d, &a);
                            CAPTURE(format_name(f));
                            CAPTURE(w);
                            CAPTURE(h);
                            CAPTURE(layers);
                            if (least_B > kMaxAgxSurface_B) CHECK(result == LayoutStatus::TooLarge);
                            if (least_B < kMaxAgxSurface_B / 4) CHECK(result == LayoutStatus::Ok);
                            if (result == LayoutStatus::Ok) CHECK(a.surface.size_B >= least_B);
                        }
}
