// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// isam for each format, in linear, tiled and compressed memory, has pipe/format's values for the same pixels.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/adreno/sim/texture/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::Fixture;
using test::TestImage;

// pipe/format's value of a texel.
void expected_texel(const TestImage& image, uint32_t level, uint32_t x, uint32_t y, uint32_t z,
                    uint32_t out[4]) {
    const units::FormatReader reader = units::format_reader(image.desc.image.format);
    const pipe::FormatInfo& info = pipe::format_info(image.desc.image.format);
    if (!info.is_compressed) return reader.read(image.at(level, x, y, z), out);
    float block[12 * 12 * 4];
    reader.ops->decode_block(block, image.at(level, x / info.block_w_px, y / info.block_h_px, z));
    const float* texel = block + (y % info.block_h_px * info.block_w_px + x % info.block_w_px) * 4;
    for (unsigned c = 0; c < 4; ++c)
        out[c] = std::bit_cast<uint32_t>(texel[c]);
}

bool same(uint32_t a, uint32_t b, bool is_float) {
    if (a == b || !is_float) return a == b;
    const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-6f * std::abs(x);
}

// Some texels of each level.
void check_texels(Fixture& f, const TestImage& image) {
    f.load_texture(test::describe(image));
    f.units.forget();
    const pipe::LayoutDesc& i = image.desc.image;
    const bool is_3d = i.kind == pipe::ResourceKind::Tex3D, array = i.layers > 1;
    const bool integer = pipe::format_info(i.format).is_pure_int() || i.format == pipe::Format::S8_UINT;
    const isa::Instr instr = test::instruction(is_3d   ? "isaml.3d (u32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0"
                                               : array ? "isaml.a (u32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0"
                                                       : "isaml (u32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0");
    for (uint32_t l = 0; l < image.levels(); ++l) {
        sim::UnitCall call = f.call(instr);
        uint32_t at[64][3];
        for (unsigned lane = 0; lane < 64; ++lane) {
            at[lane][0] = f.random() % image.size(i.width, l);
            at[lane][1] = f.random() % image.size(i.height, l);
            at[lane][2] = f.random() % image.layout.surface.z_count(l);
            for (unsigned c = 0; c < 3; ++c)
                test::set(call.in[c], lane, at[lane][c]);
            test::set(call.in[8], lane, l);
        }
        CAPTURE(l);
        const bool good = f.units.texture(call, &f.why);
        INFO(f.why);
        REQUIRE(good);
        for (unsigned lane = 0; lane < 64; ++lane) {
            uint32_t expected[4];
            expected_texel(image, l, at[lane][0], at[lane][1], at[lane][2], expected);
            for (unsigned c = 0; c < 4; ++c) {
                CAPTURE(c);
                CAPTURE(test::get(call.out[c], lane));
                CAPTURE(expected[c]);
                REQUIRE(same(test::get(call.out[c], lane), expected[c], !integer));
            }
        }
    }
}

pipe::A6xxLayoutDesc desc_of(pipe::Format format, unsigned tiling) {
    pipe::A6xxLayoutDesc d;
    d.image.format = format;
    d.image.width = 75;
    d.image.height = 53;
    d.image.levels = 5;
    d.image.tiling = tiling ? pipe::Tiling::Macrotiled : pipe::Tiling::Linear;
    d.ubwc = tiling == 2;
    return d;
}

}  // namespace

TEST_CASE("texture: texels of every format, linear, tiled and compressed") {
    unsigned count[3] = {};
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const auto format = pipe::Format(n);
        const hw::FormatRow* row = hw::format_row(format);
        if (!row || !row->is_texture() || format == pipe::Format::D32_FLOAT_S8X24_UINT) continue;
        CAPTURE(pipe::format_info(format).name);
        for (unsigned tiling = 0; tiling < 3; ++tiling) {
            if (tiling == 2 && !row->has_ubwc(test::chip().generation, 1)) continue;
            CAPTURE(tiling);
            Fixture f;
            TestImage image;
            if (!f.create(desc_of(format, tiling), &image)) continue;
            check_texels(f, image);
            ++count[tiling];
        }
    }
    CHECK(count[0] > 120);
    CHECK(count[1] > 110);
    CHECK(count[2] > 25);
}

TEST_CASE("texture: texels of arrays, cubes and slices") {
    for (unsigned tiling = 0; tiling < 3; ++tiling) {
        CAPTURE(tiling);
        for (pipe::Format format :
             {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R8_UINT, pipe::Format::R8G8_UNORM,
              pipe::Format::ETC2_RGB8_UNORM, pipe::Format::R32G32B32A32_FLOAT}) {
            CAPTURE(pipe::format_info(format).name);
            Fixture f;
            TestImage image;
            pipe::A6xxLayoutDesc d = desc_of(format, tiling);
            d.image.kind = pipe::ResourceKind::Tex2DArray;
            d.image.layers = 5;
            if (f.create(d, &image)) check_texels(f, image);
            d.image.kind = pipe::ResourceKind::Tex3D;
            d.image.layers = 1;
            d.image.depth = 21;
            if (tiling == 2) d.image.levels = 1;
            if (f.create(d, &image)) check_texels(f, image);
        }
    }
}

TEST_CASE("texture: texels outside are zeros") {
    Fixture f;
    TestImage image;
    REQUIRE(f.create(desc_of(pipe::Format::R8G8B8A8_UNORM, 1), &image));
    f.load_texture(test::describe(image));
    const isa::Instr instr = test::instruction("isaml (f32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0");
    sim::UnitCall call = f.call(instr);
    for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned c = 0; c < 4; ++c)
            test::set(call.out[c], lane, 77u);
        test::set(call.in[0], lane, lane % 3 == 0 ? 75u : lane % 3 == 1 ? 0xffffffffu : 3u);
        test::set(call.in[1], lane, lane % 3 == 2 ? 53u : 0u);
        test::set(call.in[8], lane, lane >= 32 ? 1000u : 0u);
    }
    REQUIRE(f.units.texture(call, &f.why));
    for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned c = 0; c < 4; ++c)
            CHECK(test::get(call.out[c], lane) == 0);
}

// freedreno's descriptor of the frame buffer for shaders that read it: its size, and the rows of a bin
// (fd6_gmem.cc, patch_fb_read_gmem).
TEST_CASE("texture: a bin of a wider frame buffer, from tile memory") {
    Fixture f;
    constexpr uint32_t kBinW = 64, kBinH = 32, kBase_B = 0x3000;
    for (uint32_t y = 0; y < kBinH; ++y)
        for (uint32_t x = 0; x < kBinW; ++x) {
            const uint8_t pixel[4] = {uint8_t(x), uint8_t(y), 7, 255};
            std::copy_n(pixel, 4, &f.machine.gmem[kBase_B + (y * kBinW + x) * 4]);
        }
    hw::TexConst d;
    d.tile_mode = hw::TileMode::TILE6_2;
    d.fmt = hw::Format::FMT6_8_8_8_8_UNORM;
    d.swiz_x = hw::TexSwiz::A6XX_TEX_X;
    d.swiz_y = hw::TexSwiz::A6XX_TEX_Y;
    d.swiz_z = hw::TexSwiz::A6XX_TEX_Z;
    d.swiz_w = hw::TexSwiz::A6XX_TEX_W;
    d.width = 300;
    d.height = 200;
    d.pitch = kBinW * 4;
    d.type = hw::TexType::A6XX_TEX_2D;
    d.base = 0x100000 + kBase_B;  // tile memory's address on an a630
    f.load_texture(d);
    const isa::Instr instr = test::instruction("isam (f32)(xyzw)r0.x, r1.x, s#0, t#0");
    for (const uint32_t left : {0u, 64u, 256u}) {
        f.units.begin_work();
        hw::SP_TP_WINDOW_OFFSET offset{.value = {.x = left, .y = 96}};
        uint32_t word;
        hw::pack(offset, &word);
        f.machine.registers.write(hw::SP_TP_WINDOW_OFFSET::kRegister, word);
        sim::UnitCall call = f.call(instr);
        for (unsigned lane = 0; lane < 64; ++lane) {
            test::set(call.in[0], lane, left + lane % 8 * 7);
            test::set(call.in[1], lane, 96 + lane / 8 * 3);
        }
        const bool good = f.units.texture(call, &f.why);
        INFO(f.why);
        REQUIRE(good);
        for (unsigned lane = 0; lane < 64; ++lane) {
            CHECK(test::get(call.out[0], lane) == std::bit_cast<uint32_t>(float(lane % 8 * 7) / 255));
            CHECK(test::get(call.out[1], lane) == std::bit_cast<uint32_t>(float(lane / 8 * 3) / 255));
        }
    }
    // Outside the bin, texels are zero.
    sim::UnitCall outside = f.call(instr);
    for (unsigned lane = 0; lane < 64; ++lane)
        test::set(outside.in[0], lane, 255u), test::set(outside.in[1], lane, 95u);
    REQUIRE(f.units.texture(outside, &f.why));
    CHECK(test::get(outside.out[3], 0) == 0);
    d.pitch = 0;
    f.load_texture(d);
    sim::UnitCall call = f.call(instr);
    CHECK(!f.units.texture(call, &f.why));
    CHECK(f.why.find("in tile memory") != std::string::npos);
}

}  // namespace terrazzo::adreno
