// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tilebuffer: what is stored is loaded again, and stored to images. Depth and stencil buffers.
#include <cmath>

#include "drivers/agx/sim/resources/zls.h"
#include "pipe/half.h"
#include "tests/agx/sim/tile_fixture.h"

namespace terrazzo::tests::agx {
namespace {

using pipe::Format;
using pipe::raster::PixelRect;

struct TileFormatRow {
    const char* text;
    double least, most;  // of numbers; both 0: integers
    unsigned bits;       // of an integer, or of a fraction's steps
};
const TileFormatRow kTileFormats[] = {
    {"i8", 0, 0, 8},        {"i16", 0, 0, 16},        {"i32", 0, 0, 32},        {"u8norm", 0, 1, 255},
    {"s8norm", -1, 1, 127}, {"u16norm", 0, 1, 65535}, {"s16norm", -1, 1, 32767}};

TEST_CASE("agx tile: formats of components, by registers of both sizes and any mask") {
    TileThreads t(1, 16);
    for (const TileFormatRow& f : kTileFormats)
        for (unsigned mask = 1; mask < 16; ++mask) {
            CAPTURE(f.text);
            CAPTURE(mask);
            std::string name, registers;
            unsigned count = 0;
            for (unsigned c = 0; c < 4; ++c)
                if (mask >> c & 1) {
                    name += "xyzw"[c];
                    registers += (count ? "_r" : "r") + std::to_string(4 + count);
                    ++count;
                }
            uint32_t stored[sim::kThreads][4];
            for (unsigned n = 0; n < sim::kThreads; ++n)
                for (unsigned k = 0; k < count; ++k) {
                    stored[n][k] = f.most ? std::bit_cast<uint32_t>(float(t.random() % 4000) / 1000 - 2)
                                          : uint32_t(t.random());
                    t.set(4 + k, n, stored[n][k]);
                }
            const std::string access = std::string("_tile.") + f.text + "." + name + " " + registers + ", ";
            REQUIRE(t.run("st" + access + "255, 0\n") == "");
            for (unsigned k = 0; k < 4; ++k)
                for (unsigned n = 0; n < sim::kThreads; ++n)
                    t.set(4 + k, n, 0u);
            REQUIRE(t.run("ld" + access + "255, 0\n") == "");
            for (unsigned n = 0; n < sim::kThreads; ++n)
                for (unsigned k = 0; k < count; ++k) {
                    const uint32_t word = t.get(4 + k, n);
                    if (!f.most) {
                        CHECK(word == (f.bits == 32 ? stored[n][k] : stored[n][k] & ((1u << f.bits) - 1)));
                        continue;
                    }
                    const double v = std::bit_cast<float>(stored[n][k]),
                                 want = std::clamp(v, f.least, f.most);
                    CHECK(std::abs(double(std::bit_cast<float>(word)) - want) <= 0.5001 / f.bits);
                }
        }
}

TEST_CASE("agx tile: it is one memory; halves, offsets and packed formats") {
    TileThreads t(1, 24);
    // Halves at 8, read as integers; a neighbour at 0 stays.
    for (unsigned n = 0; n < sim::kThreads; ++n) {
        t.set(4, n, 0x12345678u);
        t.set(5, n, 1.5f), t.set(6, n, -0.25f), t.set(7, n, float(n));
        t.set(8, n, uint32_t(pipe::float_to_half(0.5f)) | uint32_t(pipe::float_to_half(-3.0f)) << 16);
    }
    REQUIRE(t.run("st_tile.i32.x r4, 255, 0\nst_tile.f16.xyz r5_r6_r7, 255, 0, offset=8\n"
                  "st_tile.f16.xy r8l_r8h, 255, 0, offset=16\n"
                  "ld_tile.i16.xyz r10_r11_r12, 255, 0, offset=8\nld_tile.i32.x r13, 255, 0, offset=0\n"
                  "ld_tile.f16.xy r14_r15, 255, 0, offset=16\nld_tile.i8.xyzw r16_r17_r18_r19, 255, 0\n") ==
            "");
    for (unsigned n = 0; n < sim::kThreads; ++n) {
        CHECK(t.get(10, n) == pipe::float_to_half(1.5f));
        CHECK(t.get(11, n) == pipe::float_to_half(-0.25f));
        CHECK(t.get(12, n) == pipe::float_to_half(float(n)));
        CHECK(t.get(13, n) == 0x12345678);
        CHECK(std::bit_cast<float>(t.get(14, n)) == 0.5f);
        CHECK(std::bit_cast<float>(t.get(15, n)) == -3.0f);
        CHECK(t.get(16, n) == 0x78);
        CHECK(t.get(19, n) == 0x12);
    }
    // Packed words have pipe's bits.
    const std::pair<const char*, Format> kPacked[] = {{"rgb10a2", Format::R10G10B10A2_UNORM},
                                                      {"rg11b10f", Format::R11G11B10_FLOAT},
                                                      {"rgb9e5", Format::R9G9B9E5_FLOAT}};
    for (const auto& [text, format] : kPacked) {
        CAPTURE(text);
        uint32_t words[sim::kThreads];
        for (unsigned n = 0; n < sim::kThreads; ++n) {
            uint32_t v[4];
            for (unsigned c = 0; c < 4; ++c) {
                v[c] = std::bit_cast<uint32_t>(float(t.random() % 1000) / 700);
                t.set(4 + c, n, v[c]);
            }
            units::format_reader(format).write(v, &words[n]);
        }
        REQUIRE(t.run(std::string("st_tile.") + text +
                      ".xyzw r4_r5_r6_r7, 255, 0, offset=4\n"
                      "ld_tile.i32.x r10, 255, 0, offset=4\n") == "");
        for (unsigned n = 0; n < sim::kThreads; ++n)
            CHECK(t.get(10, n) == words[n]);
    }
    // sRGB: alpha is linear.
    for (unsigned n = 0; n < sim::kThreads; ++n)
        for (unsigned c = 0; c < 4; ++c)
            t.set(4 + c, n, 0.5f);
    REQUIRE(t.run("st_tile.srgba8.xyzw r4_r5_r6_r7, 255, 0\nld_tile.i32.x r10, 255, 0\n") == "");
    CHECK(t.get(10, 1) == 0x80bcbcbc);
    CHECK(t.run("st_tile.i32.xyzw r4_r5_r6_r7, 255, 0, offset=12\n").find("of a sample that has 24") !=
          std::string::npos);
}

TEST_CASE("agx tile: masks of samples, and pixels by coordinates") {
    TileThreads t(4, 8);
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(4, n, 100 + n), t.set(5, n, 200 + n), t.set(6, n, (8 + n % 8) | (3 + n / 8) << 16);
    REQUIRE(t.run("st_tile.i32.x r4, 255, 0\nst_tile.i32.x r5, 6, 0\n"
                  "ld_tile.i32.x r10, 1, 0\nld_tile.i32.x r11, 2, 0\nld_tile.i32.x r12, 4, 0\n"
                  "ld_tile.i32.x r13, 8, 0\n"
                  "st_tile.i32.x.coords r5, 8, r6l_r6h\nld_tile.i32.x.coords r14, 8, r6l_r6h\n") == "");
    for (unsigned n = 0; n < sim::kThreads; ++n) {
        CHECK(t.get(10, n) == 100 + n);
        CHECK(t.get(11, n) == 200 + n);
        CHECK(t.get(12, n) == 200 + n);
        CHECK(t.get(13, n) == 100 + n);
        CHECK(t.get(14, n) == 200 + n);
    }
}

// ---- Stores to images ----

/// How Mesa keeps a format in the tilebuffer, and stores it to images (src/asahi/layout/formats.c,
/// agx_compile.c: halves are i16 there).
struct StoredTileRow {
    Format format;
    const char *tile, *block;
};
const StoredTileRow kStored[] = {{Format::R8G8B8A8_UNORM, "u8norm", "u8norm"},
                                 {Format::B8G8R8A8_UNORM, "u8norm", "u8norm"},
                                 {Format::R8G8B8A8_SRGB, "srgba8", "srgba8"},
                                 {Format::R8_SNORM, "s8norm", "s8norm"},
                                 {Format::R8G8_UINT, "i8", "i8"},
                                 {Format::R16G16B16A16_SINT, "i16", "i16"},
                                 {Format::R16G16_UNORM, "u16norm", "u16norm"},
                                 {Format::R16G16B16A16_SNORM, "s16norm", "s16norm"},
                                 {Format::R16G16B16A16_FLOAT, "f16", "i16"},
                                 {Format::R32G32_FLOAT, "i32", "i32"},
                                 {Format::R32G32B32A32_UINT, "i32", "i32"},
                                 {Format::B5G6R5_UNORM, "f16", "i16"},
                                 {Format::A4B4G4R4_UNORM, "f16", "i16"},
                                 {Format::B5G5R5A1_UNORM, "f16", "i16"},
                                 {Format::R10G10B10A2_UNORM, "rgb10a2", "rgb10a2"},
                                 {Format::B10G10R10A2_UNORM, "rgb10a2", "rgb10a2"},
                                 {Format::R10G10B10A2_UINT, "i16", "i16"},
                                 {Format::R11G11B10_FLOAT, "rg11b10f", "rg11b10f"},
                                 {Format::R9G9B9E5_FLOAT, "rgb9e5", "rgb9e5"}};

TEST_CASE("agx tile: blocks of every format are stored to images, and nothing outside of them") {
    for (const StoredTileRow& row : kStored)
        for (const unsigned samples : {1u, 2u, 4u})
            for (const bool linear : {false, true}) {
                if (linear && samples > 1) continue;
                CAPTURE(pipe::format_name(row.format));
                CAPTURE(samples);
                CAPTURE(linear);
                TileThreads t(samples, 24, 32, 16);
                StoredPixels p;
                pipe::AgxLayoutDesc d;
                d.image.format = row.format;
                // Seven columns of the tile and two of its rows are inside.
                d.image.width = 39, d.image.height = 18;
                d.image.samples = samples;
                d.image.tiling = linear ? pipe::Tiling::Linear : pipe::Tiling::Twiddled;
                d.image.kind = pipe::ResourceKind::Tex2DArray;
                d.image.layers = 3;
                d.page_aligned_layers = !linear;
                REQUIRE(p.create(t.memory, d));
                t.bind(describe_stored(p, 0));
                const units::FormatReader reader = units::format_reader(row.format);
                const pipe::FormatInfo& info = pipe::format_info(row.format);
                unsigned count = 0;
                while (count < 4 && info.component_bits(count))
                    ++count;
                const std::string mask = std::string("xyzw").substr(0, count);
                std::string registers = "r4";
                for (unsigned c = 1; c < count; ++c)
                    registers += "_r" + std::to_string(4 + c);
                std::string text;
                for (unsigned s = 0; s < samples; ++s) {
                    for (unsigned n = 0; n < sim::kThreads; ++n) {
                        uint32_t v[4] = {0, 0, 0, reader.one()};
                        for (unsigned c = 0; c < count; ++c) {
                            v[c] = reader.kind == units::NumberKind::Float
                                       // Halves have these numbers.
                                       ? std::bit_cast<uint32_t>(float(t.random() % 65) / 64)
                                       : t.random() % (c == 3 && info.channel[3].bits == 2 ? 4 : 128);
                            t.set(4 + c, n, v[c]);
                        }
                        const uint32_t x = 32 + n % 8, y = 16 + n / 8;
                        if (x < 39 && y < 18) reader.write(v, p.at(0, 2, x, y, s));
                    }
                    REQUIRE(t.run(std::string("st_tile.") + row.tile + "." + mask + " " + registers + ", " +
                                  std::to_string(1u << s) + ", 0, offset=8\n") == "");
                }
                for (unsigned n = 0; n < sim::kThreads; ++n)
                    t.set(16, n, 8u), t.set(17, n, samples > 1 ? 2u << 16 : 2u);
                REQUIRE(t.run(std::string("image_write_block.") + row.block +
                              (samples > 1 ? ".2d_ms_array" : ".2d_array") +
                              " r16l, r17l_r17h_r18l_r18h_r19l, 0, _, ts0\n") == "");
                const std::vector<std::vector<uint8_t>> expected = p.images;
                p.read(t.memory);
                for (size_t n = 0; n < expected.size(); ++n)
                    REQUIRE(p.images[n] == expected[n]);
            }
}

// ---- Depth and stencil ----

TEST_CASE("agx tile: depth and stencil buffers; pixels outside are zeros and are not stored") {
    for (const Format format : {Format::D16_UNORM, Format::D32_FLOAT, Format::S8_UINT})
        for (const unsigned samples : {1u, 2u, 4u})
            for (const auto& [w, h] : {std::pair{45, 37}, {5, 3}, {300, 200}}) {
                CAPTURE(pipe::format_name(format));
                CAPTURE(samples);
                CAPTURE(w);
                GpuMemory memory;
                window::Window window(memory.space());
                // Two layers, of which the second one is accessed.
                StoredPixels p;
                pipe::AgxLayoutDesc d;
                d.image.format = format;
                d.image.width = uint32_t(w), d.image.height = uint32_t(h);
                d.image.samples = samples;
                d.image.tiling = pipe::Tiling::Twiddled;
                d.image.kind = pipe::ResourceKind::Tex2DArray;
                d.image.layers = 2;
                d.page_aligned_layers = true;
                REQUIRE(p.create(memory, d));
                sim::ZlsSurface s;
                s.buffer.base = p.va;
                s.buffer.stride = p.layout.surface.layer_stride_B;
                s.width_px = uint32_t(w), s.height_px = uint32_t(h), s.samples = samples;
                s.is_unorm16 = format == Format::D16_UNORM;
                s.is_stencil = format == Format::S8_UINT;
                const unsigned size_B = pipe::format_info(format).block_B, tile_B = s.is_stencil ? 1 : 4;
                for (const PixelRect rect :
                     {PixelRect{0, 0, 32, 32}, {32, 32, 64, 64}, {288, 192, 320, 224}}) {
                    const size_t row_B = 32 * samples * tile_B;
                    std::vector<uint8_t> rows(row_B * 32, 0xaa);
                    std::string why;
                    const auto load = s.is_stencil ? sim::load_stencil : sim::load_depth;
                    const auto store = s.is_stencil ? sim::store_stencil : sim::store_depth;
                    REQUIRE(load(window, s, 1, rect, rows.data(), row_B, &why));
                    for (int32_t y = rect.y0; y < rect.y1; ++y)
                        for (int32_t x = rect.x0; x < rect.x1; ++x)
                            for (unsigned n = 0; n < samples; ++n) {
                                uint32_t expected = 0, found = 0;
                                uint8_t* const at = rows.data() + size_t(y - rect.y0) * row_B +
                                                    (size_t(x - rect.x0) * samples + n) * tile_B;
                                std::memcpy(&found, at, tile_B);
                                if (x < w && y < h) {
                                    uint8_t* const pixel = p.at(0, 1, uint32_t(x), uint32_t(y), n);
                                    std::memcpy(&expected, pixel, size_B);
                                    for (unsigned b = 0; b < size_B; ++b)
                                        pixel[b] = at[b] = uint8_t(at[b] ^ 0x5a);  // is stored
                                }
                                REQUIRE(found == expected);
                            }
                    REQUIRE(store(window, s, 1, rect, rows.data(), row_B, &why));
                }
                const std::vector<std::vector<uint8_t>> expected = p.images;
                p.read(memory);
                CHECK(p.images == expected);
                s.is_compressed = true;
                std::string why;
                uint8_t rows[32 * 4 * 4];
                CHECK_FALSE(sim::load_depth(window, s, 0, {0, 0, 32, 1}, rows, sizeof rows, &why));
                CHECK(why.find("compressed") != std::string::npos);
            }
}

}  // namespace
}  // namespace terrazzo::tests::agx
