// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The states of compressed blocks, as the CPU's copies read and write them.
#include "pipe/layout/ubwc.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "pipe/layout/a6xx.h"
#include "pipe/layout/macrotile.h"

using namespace terrazzo::pipe;

namespace {

struct Image {
    A6xxLayout a;
    std::vector<uint8_t> memory;
};

Image compressed(Format format, uint32_t w, uint32_t h, uint32_t layers = 1, uint32_t levels = 1) {
    A6xxLayoutDesc d;
    d.image.kind = layers > 1 ? ResourceKind::Tex2DArray : ResourceKind::Tex2D;
    d.image.format = format;
    d.image.width = w;
    d.image.height = h;
    d.image.layers = layers;
    d.image.levels = levels;
    d.image.tiling = Tiling::Macrotiled;
    d.ubwc = true;
    Image i;
    REQUIRE(a6xx_layout_compute(d, {15, 6, false, true}, &i.a) == LayoutStatus::Ok);
    REQUIRE(i.a.ubwc.enabled);
    i.memory.resize(i.a.surface.size_B);
    return i;
}

Box whole(const Image& i, uint32_t level = 0) {
    const LevelLayout& l = i.a.surface.level[level];
    return {0, 0, 0, int32_t(l.width), int32_t(l.height), int32_t(i.a.surface.z_count(level))};
}

}  // namespace

TEST_CASE("ubwc: with zero flags the image is zero, whatever the payloads are") {
    Image i = compressed(Format::R8G8B8A8_UNORM, 50, 30);
    std::memset(i.memory.data() + i.a.ubwc.size_B, 0xab, i.memory.size() - i.a.ubwc.size_B);
    std::vector<uint32_t> rows(50 * 30, 0xee);
    REQUIRE(ubwc_detile_rect(i.a, i.memory.data(), 0, whole(i), rows.data(), 200, 0));
    CHECK(rows == std::vector<uint32_t>(50 * 30, 0));
}

TEST_CASE("ubwc: a fast clear is the payload's first element") {
    for (const Format format : {Format::R8_UNORM, Format::R8G8_UNORM, Format::R8G8B8A8_UNORM,
                                Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT}) {
        Image i = compressed(format, 40, 20);
        const uint32_t B = i.a.surface.block_B;
        const MacrotileMap map(i.a.surface, 0);
        for (uint32_t y = 0; y < 20; y += i.a.ubwc.block.h_px)
            for (uint32_t x = 0; x < 40; x += i.a.ubwc.block.w_px)
                for (uint32_t k = 0; k < B; ++k)
                    i.memory[i.a.surface.level[0].offset_B + map.element_offset_B(x, y) +
                             k * map.channel_step_B()] = uint8_t(k + 1);
        ubwc_set_flags(i.a, i.memory.data(), 0, UbwcFlag::Solid);
        std::vector<uint8_t> rows(40 * 20 * B);
        REQUIRE(ubwc_detile_rect(i.a, i.memory.data(), 0, whole(i), rows.data(), 40 * B, 0));
        bool same = true;
        for (size_t at = 0; at < rows.size(); ++at)
            same = same && rows[at] == at % B + 1;
        CHECK(same);
    }
}

TEST_CASE("ubwc: partial writes to cleared blocks are read back") {
    std::mt19937 random(5);
    for (const Format format : {Format::R8_UNORM, Format::R8G8_UNORM, Format::B5G6R5_UNORM,
                                Format::R8G8B8A8_UNORM, Format::R32G32B32A32_FLOAT}) {
        Image i = compressed(format, 70, 45, 2);
        const uint32_t B = i.a.surface.block_B;
        const size_t row_B = 70 * B, layer_B = row_B * 45;
        std::vector<uint8_t> expected(layer_B * 2), rows(layer_B * 2), piece(layer_B);
        for (int round = 0; round < 12; ++round) {
            Box box = {int32_t(random() % 70), int32_t(random() % 45), int32_t(random() % 2), 1, 1, 1};
            box.width += int32_t(random() % uint32_t(70 - box.x));
            box.height += int32_t(random() % uint32_t(45 - box.y));
            for (uint8_t& b : piece)
                b = uint8_t(random());
            REQUIRE(ubwc_tile_rect(i.a, i.memory.data(), 0, box, piece.data(), ptrdiff_t(row_B), 0));
            for (int32_t y = 0; y < box.height; ++y)
                std::memcpy(
                    &expected[size_t(box.z) * layer_B + size_t(box.y + y) * row_B + size_t(box.x) * B],
                    &piece[size_t(y) * row_B], size_t(box.width) * B);
            REQUIRE(ubwc_detile_rect(i.a, i.memory.data(), 0, whole(i), rows.data(), ptrdiff_t(row_B),
                                     ptrdiff_t(layer_B)));
            CHECK(rows == expected);
        }
    }
}

TEST_CASE("ubwc: flags are one byte a block; unknown ones are refused") {
    Image i = compressed(Format::R8G8B8A8_UNORM, 64, 64, 2, 3);
    std::vector<uint32_t> rows(64 * 64, 7);
    REQUIRE(ubwc_tile_rect(i.a, i.memory.data(), 0, {17, 5, 1, 1, 1, 1}, rows.data(), 256, 0));
    CHECK(i.memory[i.a.ubwc.flag_offset_B(0, 1, 1, 1)] == uint8_t(UbwcFlag::Raw));
    size_t set = 0;
    for (uint64_t at = 0; at < i.a.ubwc.size_B; ++at)
        set += i.memory[at] != 0;
    CHECK(set == 1);
    i.memory[i.a.ubwc.flag_offset_B(1, 0, 1, 2)] = 3;
    CHECK_FALSE(ubwc_detile_rect(i.a, i.memory.data(), 1, whole(i, 1), rows.data(), 128, 0));
    const std::vector<uint8_t> before = i.memory;
    CHECK_FALSE(ubwc_tile_rect(i.a, i.memory.data(), 1, whole(i, 1), rows.data(), 128, 0));
    CHECK(i.memory == before);
    CHECK(ubwc_detile_rect(i.a, i.memory.data(), 1, {0, 0, 0, 32, 8, 1}, rows.data(), 128, 0));
    CHECK_FALSE(ubwc_detile_rect(i.a, i.memory.data(), 0, {60, 0, 0, 5, 1, 1}, rows.data(), 256, 0));
    CHECK_FALSE(ubwc_tile_rect(i.a, i.memory.data(), 3, {0, 0, 0, 1, 1, 1}, rows.data(), 256, 0));
}

TEST_CASE("ubwc: a linear level of a compressed image has no flags") {
    Image i = compressed(Format::R8G8B8A8_UNORM, 32, 32, 1, 3);
    REQUIRE_FALSE(i.a.ubwc.compressed(2));
    const std::vector<uint32_t> in(64, 9);
    std::vector<uint32_t> out(64);
    REQUIRE(ubwc_tile_rect(i.a, i.memory.data(), 2, whole(i, 2), in.data(), 32, 0));
    REQUIRE(ubwc_detile_rect(i.a, i.memory.data(), 2, whole(i, 2), out.data(), 32, 0));
    CHECK(out == in);
    ubwc_set_flags(i.a, i.memory.data(), 2, UbwcFlag::Solid);
    for (uint64_t at = 0; at < i.a.ubwc.size_B; ++at)
        REQUIRE(i.memory[at] == 0);
}
