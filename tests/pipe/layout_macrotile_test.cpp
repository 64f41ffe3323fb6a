// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Macrotiles. Addresses are compared, bit by bit, with the rule as Mesa 25.0.7's
// src/freedreno/fdl/fd6_tiled_memcpy.cc words it, and every instruction set's copies with those addresses.
#include "pipe/layout/macrotile.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "pipe/layout/a6xx.h"
#include "pipe/layout/linear.h"
#include "pipe/layout/tile_copy.h"

using namespace terrazzo::pipe;

namespace {

uint32_t bit(uint64_t value, uint32_t i) {
    return uint32_t(value >> i & 1);
}

// The first byte of element (x, y). If the channels are split, that of byte `channel` of an R8G8 element.
uint64_t byte_at(uint32_t x, uint32_t y, uint32_t channel, uint32_t block_B, uint32_t stride_B,
                 const MacrotileParams& p) {
    uint32_t cpp = block_B;
    if (p.split_channels) {  // as in an image of bytes: per 16 elements 16 bytes of R, then 16 of G
        x = x / 16 * 32 + channel * 16 + x % 16;
        cpp = 1;
    }
    uint32_t w = 0, h = 0;
    switch (cpp) {
        case 1:
            w = 32, h = 8;
            break;
        case 2:
            w = 32, h = 4;
            break;
        default:
            w = std::max(64 / cpp, cpp >= 64 ? 2u : 4u), h = 256 / cpp / w;
    }
    // Bits of the offset inside a tile: y2 x4 x3 x2 y1 x1 y0 x0.
    const uint32_t px = x % w, py = y % h;
    const uint32_t in_tile = bit(px, 0) | bit(py, 0) << 1 | bit(px, 1) << 2 | bit(py, 1) << 3 |
                             bit(px, 2) << 4 | bit(px, 3) << 5 | bit(px, 4) << 6 | bit(py, 2) << 7;
    // Bits of the offset inside a macrotile: b0 = x0 ^ y1, b1 = x0 ^ y1 ^ y0, b2 = x0 ^ y0.
    const uint32_t tx = x / w, ty = y / h;
    uint32_t b0 = bit(tx, 0) ^ bit(ty, 1), b1 = b0 ^ bit(ty, 0), b2 = bit(tx, 0) ^ bit(ty, 0);
    if (cpp < 16) {
        b1 ^= bit(tx, 1);
        if (p.eight_channels) b2 ^= bit(tx, 2) ^ bit(ty, 2);
    }
    const uint64_t tiles = stride_B / (w * cpp), pitch_B = tiles / 2 * 2048;
    uint64_t in_row = uint64_t(tx / 2) * 2048 + (b0 | b1 << 1 | b2 << 2) * 256;
    // Bank swizzle: three levels. The alignment of the pitch in macrotiles decides which apply.
    const uint32_t hbb = p.highest_bank_bit, twice = cpp == 1, macro_y = ty / 4;
    const auto aligned = [&](uint32_t to) { return pitch_B % (uint64_t(1) << (to + twice)) == 0; };
    if ((p.bank_swizzle & 1) && aligned(hbb + 2)) in_row ^= uint64_t(bit(macro_y, 2)) << (hbb + 1);
    if ((p.bank_swizzle & 2) && aligned(hbb)) in_row ^= uint64_t(bit(macro_y, 0)) << (hbb - 1);
    if ((p.bank_swizzle & 4) && aligned(hbb + 1)) in_row ^= uint64_t(bit(macro_y, 1)) << hbb;
    return macro_y * pitch_B + in_row + in_tile * cpp;
}

struct Case {
    uint32_t block_B;
    bool split;
};
constexpr Case kCases[] = {{1, false}, {2, false},  {2, true},   {4, false},
                           {8, false}, {16, false}, {32, false}, {64, false}};

MacrotileParams random_params(std::mt19937& random, bool split) {
    MacrotileParams p;
    p.highest_bank_bit = uint8_t(12 + random() % 5);
    p.bank_swizzle = uint8_t(random() % 8);
    p.eight_channels = random() % 2;
    p.split_channels = split;
    return p;
}

// A pitch as drivers choose it: at least four tiles, times any number, or times a power of two that causes
// swizzling.
uint32_t random_stride(std::mt19937& random, const TileShape& tile, uint32_t block_B) {
    const uint32_t four_B = 4 * tile.w_el * block_B;
    return random() % 2 ? four_B * (1 + random() % 5) : four_B << random() % 7;
}

}  // namespace

TEST_CASE("macrotile: shapes") {
    for (const Case& c : kCases) {
        const TileShape t = macrotile_shape(c.block_B, c.split);
        CHECK(t.w_el * t.h_el * c.block_B == kMacrotileTile_B);
    }
    CHECK(macrotile_shape(1, false).w_el == 32);
    CHECK(macrotile_shape(2, false).h_el == 4);
    CHECK(macrotile_shape(2, true).w_el == 16);
    CHECK(macrotile_shape(16, false).w_el == 4);
}

// The first macrotiles of an RGBA8 image that is 64 pixels wide, and of one that is 8192 wide on an a630.
TEST_CASE("macrotile: literal offsets") {
    const MacrotileMap narrow(4, 256, {15, 6, false, false});
    CHECK(narrow.element_offset_B(1, 0) == 4);
    CHECK(narrow.element_offset_B(0, 1) == 8);
    CHECK(narrow.element_offset_B(2, 0) == 16);
    CHECK(narrow.element_offset_B(4, 0) == 64);
    CHECK(narrow.element_offset_B(16, 0) == 7 * 256);
    CHECK(narrow.element_offset_B(0, 4) == 6 * 256);
    CHECK(narrow.element_offset_B(0, 8) == 3 * 256);
    CHECK(narrow.element_offset_B(32, 0) == 2048 + 2 * 256);
    CHECK(narrow.element_offset_B(0, 16) == 4096);
    const MacrotileMap eight(4, 512, {16, 6, true, false});
    CHECK(eight.element_offset_B(64, 0) == 4096 + 4 * 256);
    CHECK(eight.element_offset_B(0, 16) == 8192 + 4 * 256);
    const MacrotileMap wide(4, 32768, {15, 6, false, false});  // a row of macrotiles: 2^19 bytes
    CHECK(wide.element_offset_B(0, 16) == (1 << 19) + (1 << 14));
    CHECK(wide.element_offset_B(0, 32) == (2 << 19) + (1 << 15));
    CHECK(wide.element_offset_B(0, 64) == 4 << 19);  // level 1 of the swizzle is off
    const MacrotileMap red_green(2, 128, {15, 6, false, true});
    CHECK(red_green.element_offset_B(8, 0) == 32);
    CHECK(red_green.element_offset_B(0, 4) == 128);
    CHECK(red_green.channel_step_B() == 64);
}

TEST_CASE("macrotile: addresses follow the rule, and each is used once") {
    std::mt19937 random(1);
    for (const Case& c : kCases)
        for (int round = 0; round < 40; ++round) {
            const MacrotileParams p = random_params(random, c.split);
            const TileShape t = macrotile_shape(c.block_B, c.split);
            const uint32_t stride_B = random_stride(random, t, c.block_B);
            const MacrotileMap map(c.block_B, stride_B, p);
            const uint32_t w = stride_B / c.block_B, h = t.h_el * 4 * 9;
            CAPTURE(c.block_B);
            CAPTURE(c.split);
            CAPTURE(stride_B);
            CAPTURE(int(p.highest_bank_bit));
            CAPTURE(int(p.bank_swizzle));
            CAPTURE(p.eight_channels);
            bool same = true;
            for (int i = 0; i < 2000; ++i) {
                const uint32_t x = random() % w, y = random() % h;
                same = same && map.element_offset_B(x, y) == byte_at(x, y, 0, c.block_B, stride_B, p);
                if (c.split)
                    same = same && map.element_offset_B(x, y) + map.channel_step_B() ==
                                       byte_at(x, y, 1, c.block_B, stride_B, p);
            }
            CHECK(same);
            if (stride_B > 16384) continue;
            std::vector<uint8_t> used(size_t(stride_B) * h / kMacrotileTile_B);
            for (uint32_t ty = 0; ty < h / t.h_el; ++ty)
                for (uint32_t tx = 0; tx < w / t.w_el; ++tx) {
                    const uint64_t tile = map.tile_offset_B(tx, ty) / kMacrotileTile_B;
                    REQUIRE(tile < used.size());
                    ++used[tile];
                }
            CHECK(std::count(used.begin(), used.end(), 1) == ptrdiff_t(used.size()));
        }
}

namespace {

// A rectangle, its surface and rows with random bytes, and the expected result of a copy.
struct Copy {
    detail::RowCopy c;
    size_t row_B = 0, skew_B = 0;
    bool flipped = false;
    std::vector<uint8_t> surface, rows, tiled, plain;

    size_t row_at(uint32_t y) const { return skew_B + row_B * (flipped ? c.h_el - 1 - y : y); }
};

Copy random_copy(std::mt19937& random, const Case& which, bool whole) {
    const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    Copy k;
    k.c.block_B = which.block_B;
    k.c.macrotile = random_params(random, which.split);
    const TileShape t = macrotile_shape(which.block_B, which.split);
    k.c.surface_stride_B = random_stride(random, t, which.block_B);
    if (k.c.surface_stride_B > 8192) k.c.surface_stride_B = 8192;
    const uint32_t w = k.c.surface_stride_B / which.block_B, h = t.h_el * 4 * (1 + below(3));
    k.c.x_el = whole ? below(w / t.w_el) * t.w_el : below(w);
    k.c.y_el = whole ? below(h / t.h_el) * t.h_el : below(h);
    k.c.w_el = whole ? w - k.c.x_el : 1 + below(w - k.c.x_el);
    k.c.h_el = whole ? h - k.c.y_el : 1 + below(h - k.c.y_el);
    k.skew_B = below(64);  // unaligned
    k.flipped = below(2);
    k.row_B = size_t(k.c.w_el) * which.block_B + below(40);
    k.surface.resize(k.skew_B + size_t(h) * k.c.surface_stride_B);
    k.rows.resize(k.skew_B + k.row_B * k.c.h_el);
    for (std::vector<uint8_t>* const v : {&k.surface, &k.rows})
        for (uint8_t& b : *v)
            b = uint8_t(random());
    k.tiled = k.surface, k.plain = k.rows;
    for (uint32_t y = 0; y < k.c.h_el; ++y)
        for (uint32_t x = 0; x < k.c.w_el; ++x)
            for (uint32_t i = 0; i < which.block_B; ++i) {
                const uint64_t at = k.skew_B + (which.split ? 0 : i) +
                                    byte_at(k.c.x_el + x, k.c.y_el + y, which.split ? i : 0, which.block_B,
                                            k.c.surface_stride_B, k.c.macrotile);
                const size_t r = k.row_at(y) + size_t(x) * which.block_B + i;
                k.tiled[at] = k.rows[r];
                k.plain[r] = k.surface[at];
            }
    return k;
}

}  // namespace

TEST_CASE("macrotile: the copies of each instruction set") {
    using namespace detail;
    std::mt19937 random(7);
    for (const Case& which : kCases)
        for (int round = 0; round < 60; ++round) {
            const Copy k = random_copy(random, which, round % 4 == 0);
            CAPTURE(which.block_B);
            CAPTURE(which.split);
            CAPTURE(k.c.x_el);
            CAPTURE(k.c.y_el);
            CAPTURE(k.c.w_el);
            CAPTURE(k.c.h_el);
            for (const KernelSet* const kernels : tile_kernels()) {
                std::vector<uint8_t> s = k.surface, r = k.rows;
                RowCopy c = k.c;
                c.surface = s.data() + k.skew_B;
                c.rows = r.data() + k.row_at(0);
                c.rows_stride_B = k.flipped ? -ptrdiff_t(k.row_B) : ptrdiff_t(k.row_B);
                macrotile_tile(c, *kernels);
                CHECK(s == k.tiled);
                CHECK(r == k.rows);
                s = k.surface;
                macrotile_detile(c, *kernels);
                CHECK(r == k.plain);
                CHECK(s == k.surface);
            }
        }
}

// Large copies bypass the caches, macrotile by macrotile, if the destination is aligned. The rectangle begins
// and ends within macrotiles.
TEST_CASE("macrotile: copies that are larger than caches") {
    using namespace detail;
    struct alignas(64) Line {
        uint8_t byte[64];
    };
    constexpr uint32_t kWidth = 2048, kHeight = 1136, kStride_B = kWidth * 4;
    RowCopy c;
    c.block_B = 4;
    c.macrotile = {13, 7, true, false};
    c.surface_stride_B = kStride_B;
    c.x_el = 16, c.y_el = 4, c.w_el = kWidth - 32, c.h_el = kHeight - 9;
    c.rows_stride_B = kStride_B;
    std::vector<Line> image(kStride_B / 64 * kHeight), plain(image.size());
    uint32_t seed = 1;
    for (std::vector<Line>* const v : {&image, &plain})
        for (Line& line : *v)
            for (uint8_t& b : line.byte)
                b = uint8_t((seed = seed * 1664525 + 1013904223) >> 24);
    const std::vector<Line> image_before = image, plain_before = plain;
    // The number of the rectangle's pixels that differ between the surface and the rows.
    const auto differing = [&](const std::vector<Line>& surface, const std::vector<Line>& rows) {
        size_t count = 0;
        for (uint32_t y = 0; y < c.h_el; ++y)
            for (uint32_t x = 0; x < c.w_el; ++x)
                count += std::memcmp(
                             surface[0].byte + byte_at(c.x_el + x, c.y_el + y, 0, 4, kStride_B, c.macrotile),
                             rows[0].byte + size_t(y) * kStride_B + x * 4, 4) != 0;
        return count;
    };
    for (const KernelSet* const kernels : tile_kernels()) {
        image = image_before, plain = plain_before;
        c.surface = image[0].byte, c.rows = plain[0].byte;
        macrotile_tile(c, *kernels);
        CHECK(differing(image, plain_before) == 0);
        image = image_before;
        macrotile_detile(c, *kernels);
        CHECK(differing(image_before, plain) == 0);
        CHECK(std::memcmp(image[0].byte, image_before[0].byte, image.size() * 64) == 0);
    }
}

TEST_CASE("macrotile: linear levels are copied as linear") {
    A6xxLayoutDesc d;
    d.image.format = Format::R8G8B8A8_UNORM;
    d.image.width = d.image.height = 32;
    d.image.levels = 3;
    d.image.tiling = Tiling::Macrotiled;
    A6xxLayout a;
    REQUIRE(a6xx_layout_compute(d, {15, 6, false, false}, &a) == LayoutStatus::Ok);
    std::vector<uint8_t> surface(a.surface.size_B);
    const uint32_t pixels[2] = {0x11223344, 0x55667788};
    REQUIRE(tile_rect(a.surface, surface.data(), 2, {0, 1, 0, 2, 1, 1}, pixels, 8, 0));
    CHECK(std::memcmp(&surface[a.surface.level[2].offset_B + 256], pixels, 8) == 0);
    REQUIRE(tile_rect(a.surface, surface.data(), 1, {0, 1, 0, 2, 1, 1}, pixels, 8, 0));
    CHECK(std::memcmp(&surface[a.surface.level[1].offset_B + 8], pixels, 8) == 0);
}

TEST_CASE("macrotiles: samples are columns, except that of bytes and R8G8 they form one larger element") {
    struct Alike {
        Format format;
        uint32_t samples;
        Format as;
        uint32_t columns;
    };
    for (const Alike& a : {Alike{Format::R8G8B8A8_UNORM, 4, Format::R8G8B8A8_UNORM, 4},
                           {Format::R16_UINT, 2, Format::R16_UINT, 2},
                           {Format::R32G32B32A32_FLOAT, 4, Format::R32G32B32A32_FLOAT, 4},
                           {Format::R8_UNORM, 4, Format::R32_UINT, 1},
                           {Format::R8G8_UNORM, 2, Format::R32_UINT, 1}}) {
        CAPTURE(format_name(a.format));
        constexpr uint32_t kW = 40, kH = 24;
        A6xxLayoutDesc d;
        d.image.format = a.format;
        d.image.width = kW;
        d.image.height = kH;
        d.image.samples = a.samples;
        d.image.tiling = Tiling::Macrotiled;
        const A6xxMemory chip{.highest_bank_bit = 15, .bank_swizzle = 6};
        A6xxLayout one, other;
        REQUIRE(a6xx_layout_compute(d, chip, &one) == LayoutStatus::Ok);
        d.image.format = a.as;
        d.image.width = kW * a.columns;
        d.image.samples = 1;
        d.image.row_stride_B = one.surface.level[0].row_stride_B;
        REQUIRE(a6xx_layout_compute(d, chip, &other) == LayoutStatus::Ok);
        const size_t row_B = size_t(kW) * one.surface.block_B;
        std::vector<uint8_t> rows(row_B * kH), memory(std::max(one.surface.size_B, other.surface.size_B)),
            again(rows.size());
        for (size_t i = 0; i < rows.size(); ++i)
            rows[i] = uint8_t(i * 7 + i / 251);
        REQUIRE(tile_rect(one.surface, memory.data(), 0, {0, 0, 0, int32_t(kW), int32_t(kH), 1}, rows.data(),
                          ptrdiff_t(row_B), 0));
        REQUIRE(detile_rect(other.surface, memory.data(), 0,
                            {0, 0, 0, int32_t(kW * a.columns), int32_t(kH), 1}, again.data(),
                            ptrdiff_t(row_B), 0));
        CHECK(rows == again);
    }
}
