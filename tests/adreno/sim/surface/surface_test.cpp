// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Surfaces compared with pipe/layout, which lays out the same images for drivers and is tested with separate
// vectors, and with pipe/format.
#include "drivers/adreno/sim/surface/surface.h"

#include <doctest/doctest.h>

#include <random>

#include "pipe/layout/a6xx.h"
#include "pipe/layout/channel_order.h"
#include "tests/adreno/sim/surface/array_space.h"

namespace terrazzo::adreno {
namespace {

using pipe::raster::PixelRect;
using sim::Surface;
using sim::SurfaceDesc;

constexpr uint64_t kImage_va = 0x100000000ull;
constexpr uint32_t kW_px = 93, kH_px = 41;

enum class Kind { Linear, Tiled, Compressed };

const hw::Chip& chip() {
    return *hw::find_chip("adreno-630");
}

// An image of pipe/layout with random pixels in its memory, and the surface with the registers' values for
// it.
struct Image {
    test::ArraySpace space;
    window::Window window{space};
    std::vector<uint8_t> gmem;
    pipe::A6xxLayout layout;
    uint8_t* memory = nullptr;
    std::vector<uint8_t> pixels;  // in the format's form
    size_t row_B = 0;
    Surface surface;
    bool ok = false;

    Image(pipe::Format format, hw::Format hw_format, hw::ColorSwap swap, Kind kind) {
        pipe::A6xxLayoutDesc d;
        d.image.format = format;
        d.image.width = kW_px, d.image.height = kH_px;
        d.image.tiling = kind == Kind::Linear ? pipe::Tiling::Linear : pipe::Tiling::Macrotiled;
        d.ubwc = kind == Kind::Compressed;
        const pipe::A6xxMemory m = {uint8_t(chip().highest_bank_bit), uint8_t(chip().ubwc_swizzle),
                                    chip().macrotile_mode != 0, false};
        if (pipe::a6xx_layout_compute(d, m, &layout) != pipe::LayoutStatus::Ok) return;
        if (layout.ubwc.enabled != d.ubwc) return;
        memory = space.map(kImage_va, layout.surface.size_B);
        row_B = size_t(kW_px) * layout.surface.block_B;
        pixels.resize(row_B * kH_px);
        std::mt19937 random(1);
        for (uint8_t& b : pixels)
            b = uint8_t(random());
        if (!pipe::ubwc_tile_rect(layout, memory, 0, box(), pixels.data(), ptrdiff_t(row_B), 0)) return;
        SurfaceDesc s;
        s.va = kImage_va + layout.surface.level[0].offset_B;
        s.format = hw_format;
        s.srgb = pipe::format_info(format).is_srgb;
        s.tile_mode = kind == Kind::Linear ? hw::TileMode::TILE6_LINEAR : hw::TileMode::TILE6_3;
        s.swap = kind == Kind::Linear ? swap : hw::ColorSwap::WZYX;
        s.pitch_B = layout.surface.level[0].row_stride_B;
        s.width_px = kW_px, s.height_px = kH_px;
        s.has_flags = d.ubwc;
        s.flags_va = kImage_va + layout.ubwc.level[0].offset_B;
        s.flags_pitch_B = layout.ubwc.level[0].row_stride_B;
        std::string why;
        ok = surface.init(s, chip(), &why);
        INFO(why);
        CHECK(ok);
    }
    static pipe::Box box() { return {0, 0, 0, int32_t(kW_px), int32_t(kH_px), 1}; }
    // The values that the surface should read: R first.
    std::vector<uint8_t> ordered() const {
        std::vector<uint8_t> p = pixels;
        if (!pipe::format_in_rgba_order(layout.surface.format))
            pipe::pixels_to_rgba_order(layout.surface.format, p.data(), p.data(), kW_px * kH_px);
        return p;
    }
};

void check_values(const Image& image, const std::vector<uint8_t>& rows) {
    const units::FormatReader plain = units::format_reader(image.layout.surface.format);
    const pipe::FormatInfo& info = pipe::format_info(plain.format);
    if (info.is_compressed || info.is_depth_stencil() || info.channel[0].letter == 'L' ||
        info.channel[0].letter == 'A')
        return;
    for (size_t i = 0; i < size_t(kW_px) * kH_px; i += 7) {
        uint32_t want[4], got[4];
        plain.read(&image.pixels[i * plain.size_B], want);
        image.surface.format().read(&rows[i * plain.size_B], got);
        const unsigned n = info.has_alpha ? 4 : 3;  // drivers' swizzles set A to 1
        for (unsigned c = 0; c < n; ++c)
            if (want[c] != got[c]) FAIL("component ", c, " of pixel ", i);
    }
}

void check_round_trip(Image& image) {
    std::vector<uint8_t> rows(image.pixels.size());
    const PixelRect all = {0, 0, int32_t(kW_px), int32_t(kH_px)};
    std::string why;
    REQUIRE(image.surface.read(image.window, image.gmem, all, rows.data(), image.row_B, &why));
    CHECK(rows == image.ordered());
    check_values(image, rows);
    // A rectangle that covers only parts of tiles and blocks.
    const PixelRect part = {5, 3, 60, 38};
    std::vector<uint8_t> moved(image.pixels.size());
    const size_t el_B = image.layout.surface.block_B;
    const uint8_t* const from = rows.data() + 11 * el_B;
    REQUIRE(image.surface.write(image.window, image.gmem, part, from, image.row_B, &why));
    REQUIRE(image.surface.read(image.window, image.gmem, all, moved.data(), image.row_B, &why));
    for (int y = 0; y < int(kH_px); ++y)
        for (int x = 0; x < int(kW_px); ++x) {
            const size_t at = (part.contains(x, y) ? size_t(y - part.y0) * kW_px + size_t(x - part.x0) + 11
                                                   : size_t(y) * kW_px + size_t(x)) *
                              el_B;
            if (std::memcmp(&moved[(size_t(y) * kW_px + size_t(x)) * el_B], &rows[at], el_B) != 0)
                FAIL("pixel ", x, ", ", y);
        }
    // The same pixels, read by pipe/layout.
    std::vector<uint8_t> cpu(image.pixels.size());
    REQUIRE(pipe::ubwc_detile_rect(image.layout, image.memory, 0, Image::box(), cpu.data(),
                                   ptrdiff_t(image.row_B), 0));
    if (!pipe::format_in_rgba_order(image.layout.surface.format))
        pipe::pixels_to_rgba_order(image.layout.surface.format, cpu.data(), cpu.data(), kW_px * kH_px);
    CHECK(cpu == moved);
}

TEST_CASE("adreno surfaces: every format, linear, tiled and compressed, with pipe/layout's pixels") {
    unsigned seen[3] = {};
    for (size_t f = 1; f < pipe::kFormatCount; ++f) {
        const auto format = pipe::Format(f);
        const hw::FormatRow* const row = hw::format_row(format);
        if (!row || pipe::format_info(format).is_compressed) continue;
        if (!row->is_texture() && !row->is_target()) continue;
        for (const Kind kind : {Kind::Linear, Kind::Tiled, Kind::Compressed}) {
            if (kind == Kind::Compressed && !row->has_ubwc(chip().generation, 1)) continue;
            if (format == pipe::Format::D32_FLOAT_S8X24_UINT) continue;  // two images
            CAPTURE(pipe::format_name(format));
            CAPTURE(unsigned(kind));
            for (const hw::Format hw_format : {row->target, row->texture}) {
                if (hw_format == hw::Format::FMT6_NONE) continue;
                Image image(format, hw_format, row->swap, kind);
                if (!image.ok) continue;
                check_round_trip(image);
                ++seen[unsigned(kind)];
            }
        }
    }
    CHECK(seen[0] >= 80);
    CHECK(seen[1] >= 80);
    CHECK(seen[2] >= 40);
}

TEST_CASE("adreno surfaces: the special order of linear 5551 textures") {
    Image image(pipe::Format::A1B5G5R5_UNORM, hw::Format::FMT6_1_5_5_5_UNORM, hw::ColorSwap::WXYZ,
                Kind::Linear);
    REQUIRE(image.ok);
    check_round_trip(image);
}

TEST_CASE("adreno surfaces: all orders of four equal channels") {
    // X24S8 as freedreno samples it without UBWC: stencil, the highest byte, is read as R.
    units::FormatReader r;
    REQUIRE(sim::surface_format(hw::Format::FMT6_8_8_8_8_UINT, hw::ColorSwap::XYZW, false, &r));
    const uint8_t pixel[4] = {1, 2, 3, 200};
    uint32_t v[4];
    r.read(pixel, v);
    CHECK(v[0] == 200);
    CHECK(v[3] == 1);
    Image image(pipe::Format::R16G16B16A16_UINT, hw::Format::FMT6_16_16_16_16_UINT, hw::ColorSwap::ZYXW,
                Kind::Linear);
    REQUIRE(image.ok);
    std::vector<uint8_t> rows(image.pixels.size());
    std::string why;
    REQUIRE(image.surface.read(image.window, image.gmem, {0, 0, 1, 1}, rows.data(), image.row_B, &why));
    for (unsigned c = 0; c < 4; ++c)  // A is the lowest, then R, G, B
        CHECK(std::memcmp(&rows[c * 2], &image.pixels[(c + 1) % 4 * 2], 2) == 0);
    CHECK_FALSE(sim::surface_format(hw::Format::FMT6_5_6_5_UNORM, hw::ColorSwap::XYZW, false, &r));
    CHECK_FALSE(sim::surface_format(hw::Format(1), hw::ColorSwap::WZYX, false, &r));
}

TEST_CASE("adreno surfaces: fills leave solid blocks, which the CPU reads") {
    for (const Kind kind : {Kind::Linear, Kind::Tiled, Kind::Compressed}) {
        Image image(pipe::Format::R8G8_UNORM, hw::Format::FMT6_8_8_UNORM, hw::ColorSwap::WZYX, kind);
        REQUIRE(image.ok);
        const uint8_t pixel[2] = {7, 250};
        const PixelRect rect = {3, 5, 70, 41};
        std::string why;
        REQUIRE(image.surface.fill(image.window, image.gmem, rect, pixel, &why));
        std::vector<uint8_t> cpu(image.pixels.size());
        REQUIRE(pipe::ubwc_detile_rect(image.layout, image.memory, 0, Image::box(), cpu.data(),
                                       ptrdiff_t(image.row_B), 0));
        for (int y = 0; y < int(kH_px); ++y)
            for (int x = 0; x < int(kW_px); ++x) {
                const size_t at = (size_t(y) * kW_px + size_t(x)) * 2;
                if (std::memcmp(&cpu[at], rect.contains(x, y) ? pixel : &image.pixels[at], 2) != 0)
                    FAIL("pixel ", x, ", ", y);
            }
        if (kind != Kind::Compressed) continue;
        CHECK(image.memory[image.layout.ubwc.flag_offset_B(0, 0, 1, 1)] == uint8_t(pipe::UbwcFlag::Solid));
        CHECK(image.memory[image.layout.ubwc.flag_offset_B(0, 0, 0, 1)] == uint8_t(pipe::UbwcFlag::Raw));
    }
}

TEST_CASE("adreno surfaces: a partial write of a block keeps the rest, with any size of the surface") {
    Image image(pipe::Format::R8G8B8A8_UNORM, hw::Format::FMT6_8_8_8_8_UNORM, hw::ColorSwap::WZYX,
                Kind::Compressed);
    REQUIRE(image.ok);
    const uint8_t gray[4] = {9, 9, 9, 9}, white[4] = {255, 255, 255, 255};
    std::string why;
    REQUIRE(image.surface.fill(image.window, image.gmem, {0, 0, 64, 32}, gray, &why));
    // A draw's or blit's description of the image ends at the written part.
    SurfaceDesc d = image.surface.desc();
    d.width_px = 37, d.height_px = 14;
    Surface part;
    REQUIRE(part.init(d, chip(), &why));
    REQUIRE(part.fill(image.window, image.gmem, {0, 0, 37, 14}, white, &why));
    std::vector<uint8_t> rows(64 * 32 * 4);
    REQUIRE(image.surface.read(image.window, image.gmem, {0, 0, 64, 32}, rows.data(), 256, &why));
    for (size_t y = 0; y < 32; ++y)
        for (size_t x = 0; x < 64; ++x)
            if (rows[(y * 64 + x) * 4] != (x < 37 && y < 14 ? 255 : 9)) FAIL("pixel ", x, ", ", y);
}

TEST_CASE("adreno surfaces: samples are stored as a wider image in tiled memory") {
    for (const bool flags : {false, true}) {
        test::ArraySpace space;
        window::Window window(space);
        std::vector<uint8_t> gmem;
        space.map(kImage_va, 1 << 20);
        SurfaceDesc d;
        d.va = kImage_va + 0x10000;
        d.format = hw::Format::FMT6_8_8_8_8_UNORM;
        d.tile_mode = hw::TileMode::TILE6_3;
        d.pitch_B = 2048;
        d.width_px = 100, d.height_px = 40;
        d.samples = 4;
        d.has_flags = flags;
        d.flags_va = kImage_va;
        d.flags_pitch_B = 64;
        Surface four, wide;
        std::string why;
        REQUIRE(four.init(d, chip(), &why));
        d.samples = 1, d.width_px = 400;
        REQUIRE(wide.init(d, chip(), &why));
        CHECK(four.pixel_B() == 16);
        std::vector<uint8_t> rows(1600 * 40), back(1600 * 40);
        for (size_t i = 0; i < rows.size(); ++i)
            rows[i] = uint8_t(i * 7 ^ i >> 9);
        REQUIRE(four.write(window, gmem, {0, 0, 100, 40}, rows.data(), 1600, &why));
        REQUIRE(wide.read(window, gmem, {0, 0, 400, 40}, back.data(), 1600, &why));
        CHECK(back == rows);
    }
}

TEST_CASE("adreno surfaces: a compressed image with 32 bytes for each pixel is filled as a wider one") {
    // R16G16B16A16 with four samples, with fd6_layout.c's pitches for 32 bytes per pixel, narrow and wide.
    for (const uint32_t width_px : {100u, 200u, 600u}) {
        CAPTURE(width_px);
        test::ArraySpace space;
        window::Window window(space);
        std::vector<uint8_t> gmem;
        SurfaceDesc d;
        d.format = hw::Format::FMT6_16_16_16_16_FLOAT;
        d.tile_mode = hw::TileMode::TILE6_3;
        d.pitch_B = (width_px * 32 + 2047) / 2048 * 2048;
        d.flags_pitch_B = ((width_px + 3) / 4 + 63) / 64 * 64;
        d.has_flags = true;
        d.flags_va = kImage_va;
        const uint32_t flags_B =
            (d.flags_pitch_B * 16 + 4095) / 4096 * 4096;  // 2 rows for each block, at least 16
        space.map(kImage_va, flags_B);
        d.va = kImage_va + flags_B;
        uint8_t* const payloads = space.map(d.va, uint64_t(d.pitch_B) * 32);
        std::fill(payloads, payloads + size_t(d.pitch_B) * 32, uint8_t(77));
        d.width_px = width_px * 4, d.height_px = 30;
        d.is_fill = true;
        Surface wide, four;
        std::string why;
        REQUIRE(wide.init(d, chip(), &why));
        const uint8_t pixel[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        REQUIRE(wide.fill(window, gmem, {0, 0, int32_t(width_px) * 4, 30}, pixel, &why));
        d.width_px = width_px, d.samples = 4, d.is_fill = false;
        REQUIRE(four.init(d, chip(), &why));
        std::vector<uint8_t> rows(size_t(width_px) * 32 * 30);
        REQUIRE(four.read(window, gmem, {0, 0, int32_t(width_px), 30}, rows.data(), width_px * 32, &why));
        for (size_t at = 0; at < rows.size(); at += 8)
            REQUIRE(std::memcmp(&rows[at], pixel, 8) == 0);
        for (size_t i = 0; i < rows.size(); ++i)
            rows[i] = uint8_t(i * 5 ^ i >> 8);
        std::vector<uint8_t> back(rows.size());
        REQUIRE(four.write(window, gmem, {0, 0, int32_t(width_px), 30}, rows.data(), width_px * 32, &why));
        REQUIRE(four.read(window, gmem, {0, 0, int32_t(width_px), 30}, back.data(), width_px * 32, &why));
        CHECK(back == rows);
    }
}

TEST_CASE("adreno surfaces: an image in several mappings is copied correctly") {
    const SurfaceDesc d = {.va = kImage_va,
                           .format = hw::Format::FMT6_8_8_8_8_UNORM,
                           .tile_mode = hw::TileMode::TILE6_3,
                           .pitch_B = 512,
                           .width_px = 100,
                           .height_px = 32};
    test::ArraySpace whole, cut;
    uint8_t* const one = whole.map(kImage_va, 512 * 32);
    uint8_t* const first = cut.map(kImage_va, 4096);
    uint8_t* const second = cut.map(kImage_va + 4096, 512 * 32 - 4096);
    for (size_t i = 0; i < 512 * 32; ++i)
        one[i] = (i < 4096 ? first[i] : second[i - 4096]) = uint8_t(i * 11 ^ i >> 8);
    Surface s;
    std::string why;
    REQUIRE(s.init(d, chip(), &why));
    window::Window a(whole), b(cut);
    std::vector<uint8_t> gmem, x(400 * 32), y(400 * 32);
    REQUIRE(s.read(a, gmem, {0, 0, 100, 32}, x.data(), 400, &why));
    REQUIRE(s.read(b, gmem, {0, 0, 100, 32}, y.data(), 400, &why));
    CHECK(x == y);
}

TEST_CASE("adreno surfaces: GMEM has the rows of the bin one after another") {
    SurfaceDesc d = sim::gmem_surface(32, 16, 0x1000, hw::Format::FMT6_8_8_8_8_UNORM, 2);
    CHECK(d.pitch_B == 32 * 4 * 2);
    test::ArraySpace space;
    window::Window window(space);
    std::vector<uint8_t> gmem(0x1000 + 32 * 16 * 8);
    Surface s;
    std::string why;
    REQUIRE(s.init(d, chip(), &why));
    const uint8_t pixel[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    REQUIRE(s.fill(window, gmem, {31, 15, 32, 16}, pixel, &why));
    CHECK(std::memcmp(&gmem[gmem.size() - 8], pixel, 8) == 0);
    gmem.pop_back();
    CHECK_FALSE(s.fill(window, gmem, {31, 15, 32, 16}, pixel, &why));
    CHECK(why == "byte 8192 of GMEM, which has 8191");
    CHECK_FALSE(s.fill(window, gmem, {31, 15, 33, 16}, pixel, &why));
    CHECK(why == "pixels outside the surface");
}

TEST_CASE("adreno surfaces: invalid surfaces are refused with the reason") {
    const auto why_not = [](const SurfaceDesc& d) {
        Surface s;
        std::string why = "nothing";
        CHECK_FALSE(s.init(d, chip(), &why));
        return why;
    };
    SurfaceDesc good = {.va = kImage_va,
                        .format = hw::Format::FMT6_8_8_8_8_UNORM,
                        .tile_mode = hw::TileMode::TILE6_3,
                        .pitch_B = 512,
                        .width_px = 100,
                        .height_px = 32};
    SurfaceDesc d = good;
    d.pitch_B = 448;
    CHECK(why_not(d) == "the pitch of 448 bytes is no multiple of 256");
    d.pitch_B = 256;
    CHECK(why_not(d) == "the pitch of 256 bytes is less than a row");
    d = good;
    d.format = hw::Format::FMT6_8_8_8_UNORM;
    CHECK(why_not(d) == "pixels of 3 bytes are not tiled");
    d = good;
    d.format = hw::Format(1);
    CHECK(why_not(d) == "no surface has the format 1");
    d = good;
    d.tile_mode = hw::TileMode::TILE6_2;
    CHECK(why_not(d) == "memory is not tiled as TILE mode 2");
    d = good;
    d.has_flags = true, d.flags_pitch_B = 4;
    CHECK(why_not(d) == "the pitch of flags, 4, is less than 7 blocks");
    d = good;
    d.samples = 3;
    CHECK(why_not(d) == "no such number of samples");
    // Unmapped memory, and an unknown flag.
    test::ArraySpace space;
    window::Window window(space);
    std::vector<uint8_t> gmem, rows(400 * 32);
    d = good;
    Surface s;
    std::string why;
    REQUIRE(s.init(d, chip(), &why));
    CHECK_FALSE(s.read(window, gmem, {0, 0, 100, 32}, rows.data(), 400, &why));
    CHECK(why == "read of 4 bytes at 0x100000000: not mapped");
    space.map(kImage_va, 512 * 32);
    space.map(0x5000, 1024)[1] = 3;
    d.has_flags = true, d.flags_va = 0x5000, d.flags_pitch_B = 64;
    REQUIRE(s.init(d, chip(), &why));
    CHECK_FALSE(s.read(window, gmem, {0, 0, 100, 32}, rows.data(), 400, &why));
    CHECK(why == "a compression flag that was never written");
}

}  // namespace
}  // namespace terrazzo::adreno
