// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine's fills. Colours are packed like freedreno's (Mesa 25.0.7, fd6_blitter.cc, emit_clear_color),
// and pixels are compared with pipe's.
#include <bit>
#include <cmath>

#include "pipe/half.h"
#include "tests/adreno/sim/blit/engine_fixture.h"

namespace terrazzo::adreno {
namespace {

using pipe::Format;
using pipe::Tiling;
using test::BlitImage;
using test::EngineFixture;

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D fills: every format in every layout") {
    unsigned fills = 0;
    for (size_t f = 1; f < pipe::kFormatCount; ++f) {
        const auto format = Format(f);
        const hw::FormatRow* const row = hw::format_row(format);
        const pipe::FormatInfo& info = pipe::format_info(format);
        hw::Ifmt2d ifmt;
        if (!row || !row->is_target() || !hw::blit_format(row->target, &ifmt)) continue;
        if (info.is_vertex_only || info.is_depth_stencil()) continue;
        CAPTURE(info.name);
        // The colour in the image's format, and in the registers' form. The driver encodes sRGB.
        const bool is_snorm = info.channel[0].type == pipe::ChannelType::Snorm;
        const float color[4] = {1.0f, is_snorm ? -1.0f : 0.2f, 0.0f, 1.0f};
        std::vector<uint8_t> pixel(16);
        if (info.is_pure_uint || info.is_pure_sint) {
            const uint32_t ints[4] = {3, 2, 1, 1};
            solid(3, 2, 1, 1);
            if (info.is_pure_uint) pipe::pack_rgba_u32(format, pixel.data(), ints, 1);
            const int32_t sints[4] = {3, 2, 1, 1};
            if (info.is_pure_sint) pipe::pack_rgba_s32(format, pixel.data(), sints, 1);
        } else {
            uint32_t c[4];
            for (unsigned i = 0; i < 4; ++i) {
                const bool encode = info.is_srgb && i < 3;
                switch (ifmt) {
                    case hw::Ifmt2d::R2D_UNORM8:
                        c[i] = encode     ? pipe::linear_to_srgb8(color[i])
                               : is_snorm ? uint32_t(std::lround(color[i] * 127))
                                          : uint32_t(std::lround(color[i] * 255));
                        break;
                    case hw::Ifmt2d::R2D_FLOAT16:
                        c[i] = pipe::float_to_half(color[i]);
                        break;
                    default:
                        c[i] = std::bit_cast<uint32_t>(color[i]);
                }
            }
            solid(c[0], c[1], c[2], c[3]);
            pipe::pack_rgba_f32(format, pixel.data(), color, 1);
        }
        for (const int kind : {0, 1, 2}) {
            if (kind == 2 && !row->has_ubwc(chip.generation, 1)) continue;
            CAPTURE(kind);
            const BlitImage t = image(format, 83, 51, kind ? Tiling::Macrotiled : Tiling::Linear, kind == 2);
            const std::vector<uint8_t> before = noise(t.row_B() * t.h_px);
            t.put(before);
            target(t, hw::Rotation::ROTATE_0, true);
            to(9, 6, 83, 51);
            REQUIRE(run());
            const std::vector<uint8_t> after = t.pixels();
            const size_t pixel_B = info.block_B;
            for (size_t y = 0; y < t.h_px; ++y)
                for (size_t x = 0; x < t.w_px; ++x) {
                    const size_t at = y * t.row_B() + x * pixel_B;
                    const bool inside = x >= 9 && y >= 6;
                    // The padding of X8 formats has no defined value.
                    if (!info.has_alpha && info.channel_count == 4 && inside) continue;
                    if (std::memcmp(&after[at], inside ? pixel.data() : &before[at], pixel_B) != 0)
                        FAIL("pixel ", x, ", ", y);
                }
            ++fills;
        }
    }
    CHECK(fills > 120);
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D fills: samples are filled as columns, like a driver does") {
    // fd6_clear_surface for an image with four samples: one sample, four times as many columns.
    const BlitImage t = image(Format::R8G8B8A8_UNORM, 512, 40, Tiling::Macrotiled);
    target(t, hw::Rotation::ROTATE_0, true);
    solid(10, 20, 30, 40);
    to(0, 0, 400, 40);
    REQUIRE(run());
    sim::SurfaceDesc d;
    d.va = t.image_va();
    d.format = hw::Format::FMT6_8_8_8_8_UNORM;
    d.tile_mode = hw::TileMode::TILE6_3;
    d.pitch_B = t.pitch_B();
    d.width_px = 128, d.height_px = 40, d.samples = 4;
    sim::Surface s;
    std::string why;
    REQUIRE(s.init(d, chip, &why));
    std::vector<uint8_t> rows(1600 * 40);
    REQUIRE(s.read(machine.memory, machine.gmem, {0, 0, 100, 40}, rows.data(), 1600, &why));
    const uint8_t pixel[4] = {10, 20, 30, 40};
    for (size_t i = 0; i < rows.size(); i += 4)
        REQUIRE(std::memcmp(&rows[i], pixel, 4) == 0);
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D fills: flags of new images, a buffer without a pitch") {
    // fd6_clear_ubwc, and fd6_clear_buffer, whose pitch is 0.
    uint8_t* const bytes = host.memory.map(0x7000000, 0x2000);
    std::fill(bytes, bytes + 0x2000, uint8_t(9));
    const BlitImage any = image(Format::R8_UNORM, 64, 4, Tiling::Linear);
    target(any, hw::Rotation::ROTATE_0, true);
    solid(0, 0, 0, 0);
    set(hw::RB_2D_DST{.value = 0x7000000});
    set(hw::RB_2D_DST_PITCH{.value = 0x1000});
    to(0, 0, 0x1000, 2);
    REQUIRE(run());
    CHECK(std::all_of(bytes, bytes + 0x2000, [](uint8_t b) { return b == 0; }));
    const BlitImage words = image(Format::R32_UINT, 64, 4, Tiling::Linear);
    target(words, hw::Rotation::ROTATE_0, true);
    solid(0x01020304, 0, 0, 0);
    set(hw::RB_2D_DST{.value = 0x7000000});
    set(hw::RB_2D_DST_PITCH{.value = 0});
    to(3, 0, 10, 1);
    REQUIRE(run());
    CHECK(bytes[11] == 0);
    CHECK(bytes[12] == 4);
    CHECK(bytes[39] == 1);
    CHECK(bytes[40] == 0);
    to(3, 0, 10, 2);
    CHECK_FALSE(run());
    CHECK(fault.report == "2D blit: RB_2D_DST_INFO: the pitch of 0 bytes is less than a row of 40");
}

}  // namespace
}  // namespace terrazzo::adreno
