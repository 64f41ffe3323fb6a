// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arm's layouts. The expected numbers are those of Mesa 25.0.7's src/panfrost/lib/tests/test-layout.cpp (by
// the formulas there for architecture 7 and later); the order of elements is that of
// src/panfrost/shared/pan_tiling.c, written out for a tile's corner.
#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "pipe/layout/afbc.h"
#include "pipe/layout/interleaved.h"
#include "pipe/layout/interleaved_kernels.h"
#include "pipe/layout/layout.h"

using namespace terrazzo::pipe;

namespace {

SurfaceLayout interleaved(Format format, uint32_t w, uint32_t h, uint32_t levels = 1) {
    LayoutDesc d;
    d.format = format;
    d.width = w;
    d.height = h;
    d.levels = levels;
    d.tiling = Tiling::Interleaved;
    d.row_align_B = d.level_align_B = d.layer_align_B = 64;
    SurfaceLayout s;
    REQUIRE(layout_compute(d, &s) == LayoutStatus::Ok);
    return s;
}

// The position of element (x, y), computed bit by bit from the rule.
uint64_t element_at(const SurfaceLayout& s, uint32_t l, uint32_t x, uint32_t y) {
    const uint32_t side = format_info(s.format).is_compressed ? 4 : 16;
    uint32_t index = 0;
    for (uint32_t i = 0; (1u << i) < side; ++i) {
        const uint32_t bx = x >> i & 1, by = y >> i & 1;
        index |= (bx ^ by) << 2 * i | by << (2 * i + 1);
    }
    return s.level[l].offset_B + uint64_t(y / side) * s.level[l].row_stride_B +
           (uint64_t(x / side) * side * side + index) * s.block_B;
}

struct Rect {
    uint32_t x, y, w, h;  // elements
};

void check_copy(Format format, uint32_t w_el, uint32_t h_el, Rect r, uint32_t seed) {
    const FormatInfo& f = format_info(format);
    const SurfaceLayout s = interleaved(format, w_el * f.block_w_px, h_el * f.block_h_px);
    CAPTURE(f.block_B);
    CAPTURE(r.x);
    CAPTURE(r.y);
    CAPTURE(r.w);
    CAPTURE(r.h);
    std::mt19937 random(seed);
    std::vector<uint8_t> surface(s.size_B), rows(size_t(r.w) * r.h * s.block_B);
    for (uint8_t& b : surface)
        b = uint8_t(random());
    for (uint8_t& b : rows)
        b = uint8_t(random());
    std::vector<uint8_t> expected = surface;
    for (uint32_t y = 0; y < r.h; ++y)
        for (uint32_t x = 0; x < r.w; ++x)
            std::memcpy(&expected[element_at(s, 0, r.x + x, r.y + y)],
                        &rows[(size_t(y) * r.w + x) * s.block_B], s.block_B);
    Box box;
    box.x = int32_t(r.x * f.block_w_px), box.y = int32_t(r.y * f.block_h_px);
    box.width = int32_t(r.w * f.block_w_px), box.height = int32_t(r.h * f.block_h_px);
    box.depth = 1;
    REQUIRE(tile_rect(s, surface.data(), 0, box, rows.data(), ptrdiff_t(r.w) * s.block_B, 0));
    CHECK(surface == expected);
    std::vector<uint8_t> back(rows.size(), 0xee);
    REQUIRE(detile_rect(s, surface.data(), 0, box, back.data(), ptrdiff_t(r.w) * s.block_B, 0));
    CHECK(back == rows);
}

AfbcLayout afbc(const AfbcDesc& d) {
    AfbcLayout a;
    REQUIRE(afbc_layout_compute(d, &a) == LayoutStatus::Ok);
    return a;
}

}  // namespace

TEST_CASE("mali layout: interleaved ETC1, a mip chain") {
    const SurfaceLayout s = interleaved(Format::ETC1_RGB8, 128, 128, 8);
    const uint64_t offsets[] = {0, 8192, 10240, 10752, 10880, 11008, 11136, 11264};
    for (uint32_t l = 0; l < 8; ++l)
        CHECK(s.level[l].offset_B == offsets[l]);
}

TEST_CASE("mali layout: interleaved ASTC 5x5 goes by 4x4 blocks") {
    const SurfaceLayout s = interleaved(Format::ASTC_5x5_SRGB, 50, 50);
    CHECK(s.level[0].row_stride_B == 768);
    CHECK(s.level[0].slice_stride_B == 2304);
}

TEST_CASE("mali layout: an imported stride") {
    LayoutDesc d;
    d.format = Format::R8G8B8A8_UNORM;
    d.width = d.height = 20;
    d.tiling = Tiling::Interleaved;
    d.row_align_B = 64;
    SurfaceLayout s;
    d.row_stride_B = 3 * 1024;
    REQUIRE(layout_compute(d, &s) == LayoutStatus::Ok);
    CHECK(s.size_B == 2 * 3 * 1024);
    d.row_stride_B = 1024;
    CHECK(layout_compute(d, &s) == LayoutStatus::BadStride);
    d.row_stride_B = 2 * 1024 + 32;
    CHECK(layout_compute(d, &s) == LayoutStatus::BadStride);
}

TEST_CASE("mali layout: copies of every element size, whole and unaligned") {
    uint32_t seed = 1;
    for (Format f : {Format::R8_UNORM, Format::B5G6R5_UNORM, Format::R8G8B8_UNORM, Format::R8G8B8A8_UNORM,
                     Format::R16G16B16_FLOAT, Format::R16G16B16A16_FLOAT, Format::R32G32B32_FLOAT,
                     Format::R32G32B32A32_FLOAT, Format::ETC1_RGB8, Format::ASTC_5x5_SRGB}) {
        if (format_info(f).is_vertex_only) continue;
        check_copy(f, 48, 32, {0, 0, 48, 32}, seed++);
        check_copy(f, 48, 32, {16, 16, 16, 16}, seed++);
        check_copy(f, 37, 29, {0, 0, 37, 29}, seed++);
        check_copy(f, 40, 40, {3, 5, 34, 33}, seed++);
        check_copy(f, 40, 40, {17, 18, 1, 1}, seed++);
        check_copy(f, 40, 40, {7, 0, 9, 40}, seed++);
    }
}

// Rectangles at any position and of any size. Each set of kernels that this CPU supports is compared with the
// rule, element by element.
TEST_CASE("mali layout: the copies of each instruction set") {
    using namespace detail;
    std::vector<const InterleavedKernels*> sets = {&kInterleavedBaseline};
    if (&interleaved_kernels() != sets[0]) sets.push_back(&interleaved_kernels());
    std::mt19937 random(7);
    const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    for (const uint32_t side : {16u, 4u})
        for (const uint32_t block_B : {1u, 2u, 3u, 4u, 8u, 12u, 16u})
            for (int round = 0; round < 60; ++round) {
                RowCopy c;
                c.block_B = block_B;
                c.tile_el = side;
                const uint32_t columns = 1 + below(7), tile_rows = 1 + below(4);  // tiles
                const bool whole = round % 4 == 0;
                c.x_el = whole ? below(columns) * side : below(columns * side);
                c.y_el = whole ? below(tile_rows) * side : below(tile_rows * side);
                c.w_el = whole ? columns * side - c.x_el : 1 + below(columns * side - c.x_el);
                c.h_el = whole ? tile_rows * side - c.y_el : 1 + below(tile_rows * side - c.y_el);
                CAPTURE(side);
                CAPTURE(block_B);
                CAPTURE(c.x_el);
                CAPTURE(c.y_el);
                CAPTURE(c.w_el);
                CAPTURE(c.h_el);
                const uint32_t tile_B = side * side * block_B, pad_B = 64 * below(2);
                c.surface_stride_B = columns * tile_B + pad_B;
                const size_t skew_B = below(64);  // unaligned
                std::vector<uint8_t> surface(skew_B + size_t(tile_rows) * c.surface_stride_B);
                const size_t row_B = size_t(c.w_el) * block_B + below(40);
                std::vector<uint8_t> rows(skew_B + row_B * c.h_el);
                for (uint8_t& b : surface)
                    b = uint8_t(random());
                for (uint8_t& b : rows)
                    b = uint8_t(random());
                const bool flipped = below(2);
                const auto at_row = [&](uint32_t y) {
                    return skew_B + row_B * (flipped ? c.h_el - 1 - y : y);
                };
                const auto at_tile = [&](uint32_t x, uint32_t y) {
                    uint32_t index = 0;
                    for (uint32_t i = 0; (1u << i) < side; ++i)
                        index |= ((x ^ y) >> i & 1) << 2 * i | (y >> i & 1) << (2 * i + 1);
                    return skew_B + size_t(y / side) * c.surface_stride_B + size_t(x / side) * tile_B +
                           size_t(index) * block_B;
                };
                std::vector<uint8_t> tiled = surface, plain = rows;
                for (uint32_t y = 0; y < c.h_el; ++y)
                    for (uint32_t x = 0; x < c.w_el; ++x) {
                        const size_t t = at_tile(c.x_el + x, c.y_el + y), r = at_row(y) + size_t(x) * block_B;
                        std::memcpy(&tiled[t], &rows[r], block_B);
                        std::memcpy(&plain[r], &surface[t], block_B);
                    }
                for (const InterleavedKernels* const k : sets) {
                    std::vector<uint8_t> s = surface, r = rows;
                    c.rows_stride_B = flipped ? -ptrdiff_t(row_B) : ptrdiff_t(row_B);
                    c.surface = s.data() + skew_B;
                    c.rows = r.data() + at_row(0);
                    interleaved_tile(c, *k);
                    CHECK(s == tiled);
                    CHECK(r == rows);
                    s = surface;
                    c.surface = s.data() + skew_B;
                    interleaved_detile(c, *k);
                    CHECK(r == plain);
                    CHECK(s == surface);
                }
            }
}

// The image is so large that the copies bypass the caches.
TEST_CASE("mali layout: large copies") {
    using namespace detail;
    for (const Format f :
         {Format::R8_UNORM, Format::B5G6R5_UNORM, Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT,
          Format::R32G32B32A32_FLOAT, Format::ETC1_RGB8, Format::ASTC_4x4_UNORM}) {
        const FormatInfo& info = format_info(f);
        const uint32_t w_el = 1024, h_el = (9u << 20) / w_el / info.block_B + 3;
        const SurfaceLayout s = interleaved(f, w_el * info.block_w_px, h_el * info.block_h_px);
        CAPTURE(s.block_B);
        RowCopy c;
        c.block_B = s.block_B;
        c.tile_el = interleaved_tile_el(f);
        c.w_el = w_el;
        c.h_el = h_el;
        c.surface_stride_B = s.level[0].row_stride_B;
        c.rows_stride_B = ptrdiff_t(w_el) * s.block_B;
        std::vector<uint8_t> rows(size_t(w_el) * h_el * s.block_B), copies[2];
        std::mt19937 random(3);
        for (uint8_t& b : rows)
            b = uint8_t(random());
        c.rows = rows.data();
        for (const bool aligned : {false, true}) {
            std::vector<uint8_t>& copy = copies[aligned];
            copy.resize(s.size_B + 128);
            const size_t skew_B = size_t(-reinterpret_cast<uintptr_t>(copy.data()) & 63) + (aligned ? 0 : 1);
            c.surface = copy.data() + skew_B;
            interleaved_tile(c);
            CHECK(std::memcmp(c.surface + element_at(s, 0, 517, 333),
                              &rows[(333 * size_t(w_el) + 517) * s.block_B], s.block_B) == 0);
            copy.erase(copy.begin(), copy.begin() + ptrdiff_t(skew_B));
            copy.resize(s.size_B);
        }
        CHECK(copies[0] == copies[1]);
        std::vector<uint8_t> back(rows.size());
        c.surface = copies[0].data();
        c.rows = back.data();
        interleaved_detile(c);
        CHECK(back == rows);
    }
}

TEST_CASE("mali layout: AFBC, tiled 16x16") {
    AfbcDesc d{.format = Format::R8G8B8A8_UNORM, .width = 917, .height = 417, .mode = {.tiled = true}};
    const AfbcLayout a = afbc(d);
    CHECK(a.level[0].header_row_stride_B == 8192);
    CHECK(a.level[0].header_B == 32768);
    CHECK(a.level[0].body_slice_B == 2097152);
    CHECK(a.size_B == 2129920);
    // The 8x8 headers of a tile are in Morton order.
    CHECK(a.header_index(0, 1, 0) == 1);
    CHECK(a.header_index(0, 0, 1) == 2);
    CHECK(a.header_index(0, 7, 7) == 63);
    CHECK(a.header_index(0, 8, 0) == 64);
    CHECK(a.header_index(0, 0, 8) == 512);
}

TEST_CASE("mali layout: AFBC, one pixel") {
    AfbcDesc d{.format = Format::R8_UNORM};
    AfbcLayout a = afbc(d);
    CHECK(a.level[0].header_row_stride_B == 16);
    CHECK(a.level[0].header_B == 128);
    CHECK(a.level[0].body_slice_B == 256);
    CHECK(a.size_B == 384);
    d.mode.tiled = true;
    a = afbc(d);
    CHECK(a.level[0].header_row_stride_B == 1024);
    CHECK(a.level[0].header_B == 4096);
    CHECK(a.level[0].body_slice_B == 16384);
}

TEST_CASE("mali layout: AFBC, 3D has all headers first") {
    const AfbcLayout a = afbc({.kind = ResourceKind::Tex3D,
                               .format = Format::R8G8B8A8_UNORM,
                               .width = 8,
                               .height = 32,
                               .depth = 16});
    CHECK(a.level[0].header_slice_stride_B == 128);
    CHECK(a.level[0].header_B == 16 * 128);
    CHECK(a.level[0].body_slice_B == 2048);
    CHECK(a.header_offset_B(0, 3) == 384);
    CHECK(a.body_offset_B(0, 3) == 16 * 128 + 3 * 2048);
}

TEST_CASE("mali layout: AFBC, wide superblocks and strides") {
    AfbcDesc d{.format = Format::R8G8B8A8_UNORM, .width = 1920, .height = 8, .mode = {.wide = true}};
    CHECK(afbc(d).level[0].header_row_stride_B == 60 * 16);
    CHECK(afbc(d).level[0].rows == 2);  // rows of 16 pixels are written at a time
    d.header_row_stride_B = 64 * 16;
    CHECK(afbc(d).level[0].columns == 64);
    AfbcLayout a;
    d.header_row_stride_B = 59 * 16;
    CHECK(afbc_layout_compute(d, &a) == LayoutStatus::BadStride);
    CHECK(afbc_layout_compute({.format = Format::ETC1_RGB8}, &a) == LayoutStatus::BadFormat);
    CHECK(afbc_layout_compute({.format = Format::R8_UNORM, .width = 0}, &a) == LayoutStatus::BadSize);
    CHECK(afbc_layout_compute({.format = Format::R8_UNORM, .width = 4, .height = 4, .levels = 4}, &a) ==
          LayoutStatus::BadLevels);
}

TEST_CASE("mali layout: AFBC modifiers") {
    // DRM_FORMAT_MOD_ARM_AFBC(16x16 | YTR | SPARSE), as weston prints it.
    AfbcMode m;
    REQUIRE(afbc_mode_of(0x0800000000000051ull, &m));
    CHECK(m == AfbcMode{.ytr = true});
    for (uint32_t bits = 0; bits < 64; ++bits) {
        const AfbcMode made{bool(bits & 1), bool(bits & 2),  bool(bits & 4),
                            bool(bits & 8), bool(bits & 16), bool(bits & 32)};
        REQUIRE(afbc_mode_of(afbc_modifier(made), &m));
        CHECK(m == made);
    }
    CHECK_FALSE(afbc_mode_of(0, &m));                      // linear
    CHECK_FALSE(afbc_mode_of(0x0810000000000001ull, &m));  // 16x16 U-interleaved
    CHECK_FALSE(afbc_mode_of(0x0800000000000043ull, &m));  // 64x4
    CHECK_FALSE(afbc_mode_of(0x0800000000000441ull, &m));  // double buffer
}

TEST_CASE("mali layout: AFBC headers") {
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i) {
        AfbcHeader h;
        h.payload_offset_B = random();
        for (uint8_t& s : h.subblock_B)
            s = uint8_t(random() & 63);
        uint32_t words[4];
        afbc_pack_header(h, words);
        const AfbcHeader back = afbc_unpack_header(words);
        CHECK(back.payload_offset_B == h.payload_offset_B);
        CHECK(back.subblock_B == h.subblock_B);
    }
    // The sizes begin at bit 32 and have six bits each. The sixth is split between words 1 and 2.
    const uint32_t words[4] = {4096, 0xc0000000u | 2, 0x1, 0};
    const AfbcHeader h = afbc_unpack_header(words);
    CHECK(h.subblock_B[0] == 2);
    CHECK(h.subblock_B[5] == 7);
    uint32_t solid[4];
    afbc_pack_solid(0x1122334455667788ull, solid);
    CHECK(afbc_unpack_header(solid).solid());
    CHECK(afbc_unpack_header(solid).payload_B(64) == 0);
    AfbcHeader raw;
    raw.subblock_B.fill(AfbcHeader::kUncompressed);
    raw.subblock_B[3] = 20;
    CHECK(raw.payload_B(64) == 15 * 64 + 20);
}

TEST_CASE("mali layout: AFBC payloads packed") {
    const uint32_t sizes[] = {1024, 0, 100, 64};
    uint32_t at[4];
    CHECK(afbc_pack_offsets(sizes, 80, 128, at) == 128 + 1024 + 128 + 128);
    CHECK(at[0] == 128);
    CHECK(at[1] == 0);
    CHECK(at[2] == 1152);
    CHECK(at[3] == 1280);
}
