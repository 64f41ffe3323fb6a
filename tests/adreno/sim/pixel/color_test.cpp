// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Several targets, layers, sRGB, the second source colour, logic operations, the alpha test.
#include "tests/adreno/sim/pixel/fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

TEST_CASE("pixel: overlapping primitives of one wave are blended one after another") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.set(hw::RB_MRT_BLEND_CONTROL{hw::BlendFactor::FACTOR_ONE,
                                   {},
                                   hw::BlendFactor::FACTOR_ONE,
                                   hw::BlendFactor::FACTOR_ONE,
                                   {},
                                   hw::BlendFactor::FACTOR_ONE});
    f.set(hw::RB_MRT_CONTROL{.blend = true, .component_enable = 15});
    f.set(hw::RB_BLEND_CNTL{.enable_blend = 1, .sample_mask = 0xffff});
    for (unsigned i = 0; i < 5; ++i)
        f.rectangle(0, 0, 2, 2, {3 / 255.f, 5 / 255.f, 0, 0});
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == (15u | 25u << 8));
    CHECK(f.gmem<uint32_t>((32 + 1) * 4) == (15u | 25u << 8));
    CHECK(f.gmem<uint32_t>(2 * 4) == 0);
}

TEST_CASE("pixel: targets have their own formats and masks") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.set(hw::SP_FS_OUTPUT_CNTL1{3});
    f.set(hw::RB_FS_OUTPUT_CNTL1{3});
    f.set(hw::RB_RENDER_COMPONENTS{.rt0 = 15, .rt1 = 15, .rt2 = 15});
    constexpr hw::Format kFormats[3] = {hw::Format::FMT6_8_8_8_8_UNORM, hw::Format::FMT6_32_FLOAT,
                                        hw::Format::FMT6_8_8_8_8_UNORM};
    for (unsigned i = 0; i < 3; ++i) {
        f.set(hw::SP_FS_OUTPUT{.regid = 2}, i);
        f.set(hw::RB_MRT_BUF_INFO{.color_format = kFormats[i]}, i);
        f.set(hw::SP_FS_MRT{.color_format = kFormats[i]}, i);
        f.set(hw::RB_MRT_BASE_GMEM{i * 0x10000}, i);
        f.set(hw::RB_MRT_CONTROL{.component_enable = i == 2 ? 10u : 15u}, i);
    }
    f.rectangle(0, 0, 4, 4, {1, 0.5f, 0.25f, 1});
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == 0xff4080ff);
    CHECK(f.gmem<float>(0x10000) == 1);
    CHECK(f.gmem<uint32_t>(0x20000) == 0xff008000);
    // RB and SP must agree about a format.
    f.set(hw::SP_FS_MRT{.color_format = hw::Format::FMT6_8_UNORM}, 1);
    CHECK_FALSE(f.run());
    CHECK(f.fault.report.find("SP_FS_MRT") != std::string::npos);
}

TEST_CASE("pixel: sRGB, the second source, logic operations and the alpha test") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.rectangle(0, 0, 4, 4, {0.5f, 0, 1, 0.5f});
    f.set(hw::RB_SRGB_CNTL{.srgb_mrt0 = true});
    f.set(hw::SP_SRGB_CNTL{.srgb_mrt0 = true});
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == 0x80ff00bc);
    f.set(hw::RB_SRGB_CNTL{});
    f.set(hw::SP_SRGB_CNTL{});

    f.set(hw::RB_MRT_CONTROL{.rop_enable = true, .rop_code = hw::RopCode::ROP_XOR, .component_enable = 15});
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == (0x80ff00bcu ^ 0x80ff0080u));

    f.set(hw::RB_MRT_CONTROL{.component_enable = 15});
    f.set(hw::RB_ALPHA_CONTROL{
        .alpha_ref = 200, .alpha_test = true, .alpha_test_func = hw::CompareFunc::FUNC_GREATER});
    std::fill_n(f.machine.gmem.begin(), 64, uint8_t(0));
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == 0);
    f.set(hw::RB_ALPHA_CONTROL{});

    // Everything comes from the second colour, which is in the same registers, and nothing from the first.
    f.set(hw::SP_FS_OUTPUT{.regid = 2}, 1);
    f.set(hw::RB_BLEND_CNTL{.enable_blend = 1, .dual_color_in_enable = true, .sample_mask = 0xffff});
    f.set(hw::SP_BLEND_CNTL{.dual_color_in_enable = true});
    f.set(hw::RB_MRT_CONTROL{.blend = true, .component_enable = 15});
    f.set(hw::RB_MRT_BLEND_CONTROL{hw::BlendFactor::FACTOR_ZERO,
                                   {},
                                   hw::BlendFactor::FACTOR_SRC1_COLOR,
                                   hw::BlendFactor::FACTOR_ZERO,
                                   {},
                                   hw::BlendFactor::FACTOR_ONE});
    std::fill_n(f.machine.gmem.begin(), 64, uint8_t(0xff));
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == 0xffff0080);
}

TEST_CASE("pixel: layers of an image in memory") {
    PixelFixture f;
    f.set(hw::RB_MRT_ARRAY_PITCH{0x10000});
    f.rectangle(0, 0, 4, 4, {1, 0, 0, 1});
    f.rectangle(0, 0, 4, 4, {0, 1, 0, 1});
    f.drawn.primitives[2].layer = f.drawn.primitives[3].layer = 2;
    f.draw();
    uint32_t word;
    std::memcpy(&word, f.color + 2 * 0x10000, 4);
    CHECK(f.pixel(0, 0) == 0xff0000ff);
    CHECK(word == 0xff00ff00);
    std::memcpy(&word, f.color + 0x10000, 4);
    CHECK(word == 0);
}

TEST_CASE("pixel: an unmapped image is a memory fault") {
    PixelFixture f;
    f.set(hw::RB_MRT_BASE{0x7000000000});
    f.rectangle(0, 0, 4, 4, {1, 0, 0, 1});
    CHECK_FALSE(f.run());
    CHECK(f.fault.kind == FaultKind::Memory);
    CHECK(f.fault.report.find("RB_MRT_BASE[0]") != std::string::npos);
}

TEST_CASE("pixel: a shader that ends before its results, or has too few registers, is a fault") {
    PixelFixture f;
    f.rectangle(0, 0, 4, 4, {1, 0, 0, 1});
    f.set(hw::SP_FS_OUTPUT{.regid = 40 * 4});
    CHECK_FALSE(f.run());
    CHECK(f.fault.report.find("register 40.x") != std::string::npos);
    f.set(hw::SP_FS_OUTPUT{.regid = 2});
    f.program("bary.f r0.z, 9, r0.x\nend\n");
    CHECK_FALSE(f.run());
    CHECK(f.fault.report.find("VPC_CNTL_0") != std::string::npos);
    f.host.stopped = true;
    CHECK(f.run());  // a stopped run is not a fault
}

}  // namespace
}  // namespace terrazzo::adreno::sim::testing
