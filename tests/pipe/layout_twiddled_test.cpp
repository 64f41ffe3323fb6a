// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Twiddled images. Addresses are compared with the rule as Mesa 25.0.7's
// src/asahi/layout/tests/test-twiddling.cpp words it, and every instruction set's copies with those
// addresses.
#include "pipe/layout/twiddled.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "pipe/layout/agx.h"
#include "pipe/layout/tile_copy.h"

using namespace terrazzo::pipe;

namespace {

// The first byte of element (x, y): tiles row by row, and in a tile the bits of x and y alternate.
uint64_t byte_at(uint32_t x, uint32_t y, uint32_t block_B, uint32_t row_stride_B, TileLog2 tile) {
    const uint32_t w = 1u << tile.w, h = 1u << tile.h;
    uint32_t index = 0;
    for (uint32_t i = 0; i < 8; ++i)
        index |= (x % w >> i & 1) << 2 * i | (y % h >> i & 1) << (2 * i + 1);
    return uint64_t(y / h) * row_stride_B + (uint64_t(x / w) * w * h + index) * block_B;
}

TileLog2 page_tile(uint32_t block_B) {
    const uint32_t area_log2 = 14 - uint32_t(std::countr_zero(block_B));
    return {uint8_t((area_log2 + 1) / 2), uint8_t(area_log2 / 2)};
}
constexpr uint32_t kBlocks_B[] = {1, 2, 4, 8, 16, 32, 64};

// A rectangle, its surface and rows with random bytes, and the expected result of a copy.
struct Copy {
    detail::RowCopy c;
    size_t row_B = 0, skew_B = 0;
    bool flipped = false;
    std::vector<uint8_t> surface, rows, tiled, plain;

    size_t row_at(uint32_t y) const { return skew_B + row_B * (flipped ? c.h_el - 1 - y : y); }
};

Copy random_copy(std::mt19937& random, uint32_t block_B, TileLog2 tile, uint32_t columns, uint32_t tile_rows,
                 bool whole) {
    const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    Copy k;
    k.c.block_B = block_B;
    k.c.tile = tile;
    k.c.surface_stride_B = columns * (block_B << (tile.w + tile.h));
    const uint32_t w = columns << tile.w, h = tile_rows << tile.h;
    k.c.x_el = whole ? 0 : below(w);
    k.c.y_el = whole ? 0 : below(h);
    k.c.w_el = whole ? w : 1 + below(w - k.c.x_el);
    k.c.h_el = whole ? h : 1 + below(h - k.c.y_el);
    k.skew_B = below(64);  // unaligned
    k.flipped = below(2);
    k.row_B = size_t(k.c.w_el) * block_B + below(40);
    k.surface.resize(k.skew_B + size_t(tile_rows) * k.c.surface_stride_B);
    k.rows.resize(k.skew_B + k.row_B * k.c.h_el);
    for (std::vector<uint8_t>* const v : {&k.surface, &k.rows})
        for (uint8_t& b : *v)
            b = uint8_t(random());
    k.tiled = k.surface, k.plain = k.rows;
    for (uint32_t y = 0; y < k.c.h_el; ++y)
        for (uint32_t x = 0; x < k.c.w_el; ++x) {
            const uint64_t at =
                k.skew_B + byte_at(k.c.x_el + x, k.c.y_el + y, block_B, k.c.surface_stride_B, tile);
            const size_t r = k.row_at(y) + size_t(x) * block_B;
            std::memcpy(&k.tiled[at], &k.rows[r], block_B);
            std::memcpy(&k.plain[r], &k.surface[at], block_B);
        }
    return k;
}

void check_copy(const Copy& k) {
    using namespace detail;
    CAPTURE(k.c.block_B);
    CAPTURE(int(k.c.tile.w));
    CAPTURE(int(k.c.tile.h));
    CAPTURE(k.c.x_el);
    CAPTURE(k.c.y_el);
    CAPTURE(k.c.w_el);
    CAPTURE(k.c.h_el);
    for (const KernelSet* const kernels : tile_kernels()) {
        CAPTURE(kernels - tile_kernels()[0]);
        std::vector<uint8_t> s = k.surface, r = k.rows;
        RowCopy c = k.c;
        c.surface = s.data() + k.skew_B;
        c.rows = r.data() + k.row_at(0);
        c.rows_stride_B = k.flipped ? -ptrdiff_t(k.row_B) : ptrdiff_t(k.row_B);
        twiddled_tile(c, *kernels);
        CHECK(s == k.tiled);
        CHECK(r == k.rows);
        s = k.surface;
        twiddled_detile(c, *kernels);
        CHECK(r == k.plain);
        CHECK(s == k.surface);
    }
}

}  // namespace

// The first bytes of Mesa's own examples: a tile of 64x64 pixels, and images of 1 and 4 pixels' height.
TEST_CASE("twiddled: literal offsets") {
    const TwiddledMap page(4, 5 * 16384, {6, 6});
    CHECK(page.element_offset_B(1, 0) == 4);
    CHECK(page.element_offset_B(0, 1) == 8);
    CHECK(page.element_offset_B(2, 0) == 16);
    CHECK(page.element_offset_B(4, 0) == 64);
    CHECK(page.element_offset_B(0, 4) == 128);
    CHECK(page.element_offset_B(63, 63) == 16380);
    CHECK(page.element_offset_B(64, 0) == 16384);
    CHECK(page.element_offset_B(0, 64) == 5 * 16384);
    const TwiddledMap wide(2, 3 * 16384, {7, 6});  // the last bit is one of x
    CHECK(wide.element_offset_B(0, 32) == 4096);
    CHECK(wide.element_offset_B(64, 0) == 8192);
    CHECK(wide.element_offset_B(128, 0) == 16384);
    const TwiddledMap one(4, 4 * 1000, {0, 0});
    CHECK(one.element_offset_B(999, 0) == 4 * 999);
    const TwiddledMap four(4, 64 * 10, {2, 2});
    CHECK(four.element_offset_B(3, 3) == 60);
    CHECK(four.element_offset_B(4, 0) == 64);
    CHECK(four.element_offset_B(0, 4) == 640);
}

TEST_CASE("twiddled: addresses follow the rule, and each is used once") {
    for (const uint32_t block_B : kBlocks_B)
        for (int side = -1; side <= 7; ++side) {
            const TileLog2 tile = side < 0 ? page_tile(block_B) : TileLog2{uint8_t(side), uint8_t(side)};
            const uint32_t columns = 3, w = columns << tile.w, h = 2u << tile.h;
            const uint32_t stride_B = columns * (block_B << (tile.w + tile.h));
            const TwiddledMap map(block_B, stride_B, tile);
            CAPTURE(block_B);
            CAPTURE(side);
            bool same = true;
            std::vector<uint8_t> used(size_t(w) * h);
            for (uint32_t y = 0; y < h; ++y)
                for (uint32_t x = 0; x < w; ++x) {
                    const uint64_t at_B = map.element_offset_B(x, y);
                    same = same && at_B == byte_at(x, y, block_B, stride_B, tile);
                    if (at_B / block_B < used.size()) ++used[at_B / block_B];
                }
            CHECK(same);
            CHECK(std::count(used.begin(), used.end(), 1) == ptrdiff_t(used.size()));
        }
}

TEST_CASE("twiddled: the copies of each instruction set") {
    std::mt19937 random(7);
    for (const uint32_t block_B : kBlocks_B) {
        for (int round = 0; round < 40; ++round)
            check_copy(random_copy(random, block_B, page_tile(block_B), 1 + random() % 3, 1 + random() % 2,
                                   round % 8 == 0));
        for (uint8_t side = 0; side <= 7; ++side)
            for (int round = 0; round < 12; ++round) {
                const uint32_t most = 256u >> side;
                check_copy(random_copy(random, block_B, {side, side}, 1 + random() % std::max(1u, most),
                                       1 + random() % 3, round % 4 == 0));
            }
    }
}

// Large copies bypass the caches if the destination is aligned. The rectangle begins and ends within tiles.
TEST_CASE("twiddled: copies that are larger than caches") {
    using namespace detail;
    for (const uint32_t block_B : {1u, 2u, 4u, 8u, 16u}) {
        const TileLog2 tile = page_tile(block_B);
        const uint32_t columns = 8, w = columns << tile.w, tile_rows = 80, h = tile_rows << tile.h;
        RowCopy c;
        c.block_B = block_B;
        c.tile = tile;
        c.surface_stride_B = columns * 16384;
        c.x_el = 32, c.y_el = 8, c.w_el = w - 64, c.h_el = h - 21;
        c.rows_stride_B = w * block_B;
        CAPTURE(block_B);
        const size_t size_B = size_t(tile_rows) * c.surface_stride_B;
        std::vector<uint64_t> memory[4];
        for (std::vector<uint64_t>& m : memory)
            m.resize(size_B / 8 + 16);
        const auto aligned = [&](int i) {
            const uintptr_t at = reinterpret_cast<uintptr_t>(memory[i].data());
            return reinterpret_cast<uint8_t*>(at + (-at & 63));
        };
        uint8_t *const image = aligned(0), *const rows = aligned(1), *const tiled = aligned(2),
                       *const plain = aligned(3);
        uint64_t seed = 1;
        for (int i = 0; i < 2; ++i)
            for (uint64_t& word : memory[i])
                word = seed = seed * 6364136223846793005 + 1442695040888963407;
        for (const KernelSet* const kernels : tile_kernels()) {
            CAPTURE(kernels - tile_kernels()[0]);
            std::memcpy(tiled, image, size_B);
            std::memcpy(plain, rows, size_B);
            c.surface = tiled, c.rows = rows;
            twiddled_tile(c, *kernels);
            c.surface = image, c.rows = plain;
            twiddled_detile(c, *kernels);
            size_t wrong = 0, outside = 0;
            for (uint32_t y = 0; y < h; ++y)
                for (uint32_t x = 0; x < w; ++x) {
                    const uint64_t at = byte_at(x, y, block_B, c.surface_stride_B, tile);
                    const bool inside =
                        x - c.x_el < c.w_el && y - c.y_el < c.h_el;  // differences below 0 are large
                    const size_t r = size_t(y - c.y_el) * w * block_B + size_t(x - c.x_el) * block_B;
                    if (!inside)
                        outside += std::memcmp(tiled + at, image + at, block_B) != 0;
                    else
                        wrong += std::memcmp(tiled + at, rows + r, block_B) != 0 ||
                                 std::memcmp(plain + r, image + at, block_B) != 0;
                }
            CHECK(wrong == 0);
            CHECK(outside == 0);
        }
    }
}

namespace {

// Copies a box of an image in and out, and compares with the rule.
void check_box(const AgxLayout& a, uint32_t level, const Box& box, uint32_t row_B) {
    const SurfaceLayout& s = a.surface;
    const LevelLayout& l = s.level[level];
    CAPTURE(format_name(s.format));
    CAPTURE(level);
    const auto blocks = [](int32_t px, uint32_t block) { return (uint32_t(px) + block - 1) / block; };
    const uint32_t w = blocks(box.width, s.block_w_px), h = blocks(box.height, s.block_h_px);
    const size_t layer_B = size_t(row_B) * h;
    REQUIRE(w * s.block_B <= row_B);
    std::vector<uint8_t> rows(layer_B * uint32_t(box.depth)), back(rows.size()), memory(s.size_B, 0xee);
    std::mt19937 random(level + row_B);
    for (uint8_t& b : rows)
        b = uint8_t(random());
    std::vector<uint8_t> expected = memory;
    for (uint32_t z = 0; z < uint32_t(box.depth); ++z)
        for (uint32_t y = 0; y < h; ++y)
            for (uint32_t x = 0; x < w; ++x) {
                const uint64_t at =
                    (uint32_t(box.z) + z) * s.layer_stride_B + l.offset_B +
                    byte_at(uint32_t(box.x) / s.block_w_px + x, uint32_t(box.y) / s.block_h_px + y, s.block_B,
                            l.row_stride_B, l.tile);
                REQUIRE(at + s.block_B <= expected.size());
                std::memcpy(&expected[at], &rows[z * layer_B + y * size_t(row_B) + x * s.block_B], s.block_B);
            }
    REQUIRE(tile_rect(s, memory.data(), level, box, rows.data(), row_B, ptrdiff_t(layer_B)));
    CHECK(memory == expected);
    REQUIRE(detile_rect(s, memory.data(), level, box, back.data(), row_B, ptrdiff_t(layer_B)));
    for (size_t y = 0; y < h * size_t(box.depth); ++y)
        CHECK(std::memcmp(&back[y * row_B], &rows[y * row_B], w * s.block_B) == 0);
}

AgxLayout laid_out(Format format, uint32_t w, uint32_t h, uint32_t levels = 1, uint32_t samples = 1,
                   ResourceKind kind = ResourceKind::Tex2D, uint32_t layers = 1) {
    AgxLayoutDesc d;
    d.image.kind = kind;
    d.image.format = format;
    d.image.width = w;
    d.image.height = h;
    d.image.levels = levels;
    d.image.samples = samples;
    (kind == ResourceKind::Tex3D ? d.image.depth : d.image.layers) = layers;
    d.image.tiling = Tiling::Twiddled;
    AgxLayout a;
    REQUIRE(agx_layout_compute(d, &a) == LayoutStatus::Ok);
    return a;
}

}  // namespace

// The images and rectangles of Mesa's test-twiddling.cpp.
TEST_CASE("twiddled: Mesa's rectangles") {
    const auto check = [](Format f, uint32_t w, uint32_t h, Box box, uint32_t row_B) {
        check_box(laid_out(f, w, h), 0, box, row_B);
    };
    const Format formats[] = {Format::R8_UINT, Format::R8G8_UINT, Format::R32_UINT, Format::R32G32_UINT,
                              Format::R32G32B32A32_UINT};
    const uint32_t sizes[][2] = {{233, 173}, {233, 173}, {233, 173}, {173, 143}, {133, 143}};
    for (uint32_t i = 0; i < 5; ++i) {
        const auto w = int32_t(sizes[i][0]), h = int32_t(sizes[i][1]);
        const uint32_t B = 1u << i;
        check(formats[i], sizes[i][0], sizes[i][1], {0, 0, 0, w, h, 1}, sizes[i][0] * B);
        check(formats[i], 213, 17, {0, 0, 0, 213, 17, 1}, 369 * B);
        check(formats[i], 283, 171, {3, 1, 0, 131, 7, 1}, 369 * B);
    }
    check(Format::ETC1_RGB8, 32, 32, {0, 0, 0, 32, 32, 1}, 512);
    check(Format::ETC2_RGB8A1_UNORM, 32, 256, {0, 0, 0, 32, 256, 1}, 512);
    check(Format::EAC_R11G11_SNORM, 32, 512, {0, 0, 0, 32, 512, 1}, 512);
    for (const Format f : {Format::ETC1_RGB8, Format::ETC2_RGB8A1_UNORM, Format::EAC_R11G11_SNORM,
                           Format::BC1_RGB_UNORM, Format::BC2_UNORM, Format::BC3_UNORM}) {
        check(f, 32, 32, {0, 0, 0, 32, 32, 1}, 512);
        check(f, 32, 32, {4, 8, 0, 16, 12, 1}, 512);
    }
    check(Format::ASTC_4x4_UNORM, 40, 40, {0, 0, 0, 40, 40, 1}, 512);
    check(Format::ASTC_5x4_UNORM, 50, 40, {0, 0, 0, 50, 40, 1}, 512);
    check(Format::ASTC_5x5_UNORM, 50, 50, {0, 0, 0, 50, 50, 1}, 512);
    check(Format::ASTC_4x4_UNORM, 40, 40, {4, 4, 0, 16, 8, 1}, 512);
    check(Format::ASTC_5x4_UNORM, 50, 40, {5, 4, 0, 10, 8, 1}, 512);
    check(Format::ASTC_5x5_UNORM, 50, 50, {5, 5, 0, 10, 10, 1}, 512);
}

TEST_CASE("twiddled: levels, layers, slices and samples") {
    std::mt19937 random(11);
    const auto below = [&](uint32_t n) { return random() % n; };
    for (const Format f :
         {Format::R8_UNORM, Format::B5G6R5_UNORM, Format::B8G8R8A8_UNORM, Format::R16G16B16A16_FLOAT,
          Format::R32G32B32A32_FLOAT, Format::ETC1_RGB8, Format::ASTC_8x5_UNORM})
        for (int round = 0; round < 12; ++round) {
            const bool compressed = format_info(f).is_compressed;
            const uint32_t samples = !compressed && round % 3 == 0 ? 2u << below(2) : 1;
            const uint32_t w = 1 + below(300), h = 1 + below(300), layers = 1 + below(4);
            const auto all = uint32_t(std::bit_width(std::max(w, h)));
            const ResourceKind kind =
                samples == 1 && round % 3 == 1 ? ResourceKind::Tex3D : ResourceKind::Tex2DArray;
            const AgxLayout a = laid_out(f, w, h, samples > 1 ? 1 : 1 + below(all), samples, kind, layers);
            for (uint32_t l = 0; l < a.surface.levels; ++l) {
                const LevelLayout& level = a.surface.level[l];
                const uint32_t z = below(a.surface.z_count(l));
                // From a block's corner to a random block's corner, or to the end.
                const uint32_t bw = a.surface.block_w_px, bh = a.surface.block_h_px;
                const uint32_t x = below((level.width + bw - 1) / bw) * bw,
                               y = below((level.height + bh - 1) / bh) * bh;
                const Box box = {int32_t(x),
                                 int32_t(y),
                                 int32_t(z),
                                 int32_t(level.width - x),
                                 int32_t(level.height - y),
                                 int32_t(a.surface.z_count(l) - z)};
                check_box(a, l, box, (level.width - x + bw - 1) / bw * a.surface.block_B + 3);
            }
        }
    // Refused, with nothing written: not at a block's corner, or outside.
    const AgxLayout a = laid_out(Format::ETC1_RGB8, 32, 32);
    uint8_t byte = 7;
    CHECK_FALSE(tile_rect(a.surface, &byte, 0, {2, 0, 0, 4, 4, 1}, &byte, 8, 0));
    CHECK_FALSE(detile_rect(a.surface, &byte, 0, {32, 0, 0, 4, 4, 1}, &byte, 8, 0));
    CHECK_FALSE(detile_rect(a.surface, &byte, 1, {0, 0, 0, 4, 4, 1}, &byte, 8, 0));
    CHECK(byte == 7);
}
