// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Primitives that read the writes of earlier primitives, layers of compressed images, and the sample number
// of a pixel.
#include "tests/adreno/sim/pixel/fixture.h"

namespace hw = terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::testing;

namespace {

// Adds the varying to the target's value at the pixel (r2.x, r2.y).
constexpr const char* kAddingShader =
    "shr.b r2.x, r2.x, 4\n"
    "shr.b r2.y, r2.y, 4\n"
    "bary.f r0.z, 0, r0.x\n"
    "bary.f r0.w, 1, r0.x\n"
    "bary.f r1.x, 2, r0.x\n"
    "bary.f (ei)r1.y, 3, r0.x\n"
    "(rpt5)nop\n"
    "isam (f32)(xyzw)r3.x, r2.x, s#0, t#0\n"
    "(sy)add.f r0.z, r0.z, r3.x\n"
    "end\n";

void read_target(PixelFixture& f, uint64_t va, hw::TileMode mode, uint32_t pitch_B) {
    hw::TexConst d;
    d.fmt = hw::Format::FMT6_8_8_8_8_UNORM;
    d.tile_mode = mode;
    d.swiz_x = hw::TexSwiz::A6XX_TEX_X, d.swiz_y = hw::TexSwiz::A6XX_TEX_Y;
    d.swiz_z = hw::TexSwiz::A6XX_TEX_Z, d.swiz_w = hw::TexSwiz::A6XX_TEX_W;
    d.width = PixelFixture::kWidth, d.height = PixelFixture::kHeight, d.depth = 1;
    d.type = hw::TexType::A6XX_TEX_2D;
    d.pitch = pitch_B;
    d.base = va;
    StageState& stage = f.machine.stages[unsigned(Stage::Fragment)];
    stage.textures.assign(hw::TexConst::kSize_dw, 0);
    hw::pack(d, stage.textures.data());
    stage.samplers.assign(hw::TexSamp::kSize_dw, 0);
    ++stage.serial;
}

void give_places(PixelFixture& f) {
    f.set(hw::HLSQ_CONTROL_4_REG{.value = {63 * 4, 63 * 4, 2 * 4, 63 * 4}});
    f.set(hw::GRAS_CNTL{.ij_persp_pixel = true, .coord_mask = 3});
    f.set(hw::RB_RENDER_CONTROL0{.ij_persp_pixel = true, .coord_mask = 3});
    f.program(kAddingShader);
}

void draw_thrice(PixelFixture& f, hw::SinglePrimMode mode) {
    f.set(hw::GRAS_SC_CNTL{.single_prim_mode = mode});
    for (unsigned i = 0; i < 3; ++i)
        f.rectangle(0, 0, 40, 8, {0.25f, 0, 0, 1});
    f.draw();
}

}  // namespace

TEST_CASE("pixel: ordered primitives read the writes of earlier ones to GMEM") {
    PixelFixture f;
    f.bin(0, 0, 128, 16);
    give_places(f);
    read_target(f, gmem_base_va(f.machine.chip), hw::TileMode::TILE6_2, PixelFixture::kWidth * 4);
    draw_thrice(f, hw::SinglePrimMode::FLUSH_PER_OVERLAP);
    CHECK(f.gmem<uint32_t>(0) == 0xff0000c0);
    CHECK(f.gmem<uint32_t>((7 * PixelFixture::kWidth + 39) * 4) == 0xff0000c0);
    CHECK(f.gmem<uint32_t>(40 * 4) == 0);
}

TEST_CASE("pixel: ordered primitives read the writes of earlier ones to memory") {
    PixelFixture f;
    give_places(f);
    read_target(f, PixelFixture::kColor_va, hw::TileMode::TILE6_LINEAR, PixelFixture::kWidth * 4);
    draw_thrice(f, hw::SinglePrimMode::FLUSH_PER_OVERLAP_AND_OVERWRITE);
    CHECK(f.pixel(0, 0) == 0xff0000c0);
    CHECK(f.pixel(39, 7) == 0xff0000c0);
    CHECK(f.pixel(40, 0) == 0);
}

TEST_CASE("pixel: layers of a compressed image have their own flags") {
    constexpr uint64_t kLayer_B = 0x10000, kFlagsLayer_B = 0x1000;
    PixelFixture f;
    f.format(hw::Format::FMT6_8_8_8_8_UNORM, hw::TileMode::TILE6_3);
    f.set(hw::RB_MRT_ARRAY_PITCH{uint32_t(kLayer_B)});
    f.set(hw::RB_RENDER_CNTL{.flag_mrts = 1});
    f.set(hw::RB_MRT_FLAG_BUFFER_ADDR{PixelFixture::kDepth_va});
    f.set(hw::RB_MRT_FLAG_BUFFER_PITCH{.pitch = 64, .array_pitch = kFlagsLayer_B / 4});
    Surface layer[3];
    terrazzo::window::Window memory(f.host.memory);
    std::string why;
    const uint32_t black = 0;
    for (unsigned i = 0; i < 3; ++i) {
        SurfaceDesc d;
        d.va = PixelFixture::kColor_va + i * kLayer_B;
        d.format = hw::Format::FMT6_8_8_8_8_UNORM;
        d.tile_mode = hw::TileMode::TILE6_3;
        d.pitch_B = PixelFixture::kWidth * 4;
        d.width_px = PixelFixture::kWidth, d.height_px = PixelFixture::kHeight;
        d.has_flags = true;
        d.flags_va = PixelFixture::kDepth_va + i * kFlagsLayer_B;
        d.flags_pitch_B = 64;
        REQUIRE(layer[i].init(d, f.machine.chip, &why));
        REQUIRE(layer[i].fill(memory, f.machine.gmem, {0, 0, 128, 96},
                              reinterpret_cast<const uint8_t*>(&black), &why));
    }
    f.rectangle(0, 0, 4, 4, {1, 0, 0, 1});
    f.rectangle(0, 0, 4, 4, {0, 1, 0, 1});
    f.drawn.primitives[2].layer = f.drawn.primitives[3].layer = 2;
    f.draw();
    const uint32_t want[3] = {0xff0000ff, 0, 0xff00ff00};
    for (unsigned i = 0; i < 3; ++i) {
        uint32_t pixel = 1;
        REQUIRE(
            layer[i].read(memory, f.machine.gmem, {3, 3, 4, 4}, reinterpret_cast<uint8_t*>(&pixel), 4, &why));
        CHECK(pixel == want[i]);
    }
}

TEST_CASE("pixel: the sample number of a pixel with several covered samples is a covered one") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.multisample(hw::MsaaSamples::MSAA_FOUR);
    f.format(hw::Format::FMT6_32_32_UINT);
    f.set(hw::SP_FS_OUTPUT{.regid = 2 * 4});
    f.set(hw::RB_RENDER_CONTROL1{.samplemask = true, .sampleid = true});
    f.set(hw::HLSQ_CONTROL_2_REG{63 * 4, 3 * 4, 2 * 4 + 1,
                                 63 * 4});  // the number is in hr3.x, the mask in r2.y
    f.program("(rpt5)nop\ncov.u16u32 r2.x, hr3.x\nend\n");
    // Of pixel 2, the samples at 14/16 and 10/16 are covered.
    f.rectangle(2.5f, 0, 4, 8, {});
    f.draw();
    CHECK(f.gmem<uint32_t>((2 * 4 + 1) * 8) == 1);
    CHECK(f.gmem<uint32_t>((2 * 4 + 1) * 8 + 4) == 0xa);
    CHECK(f.gmem<uint32_t>((3 * 4 + 1) * 8) == 0);
    CHECK(f.gmem<uint32_t>((3 * 4 + 1) * 8 + 4) == 0xf);
}
