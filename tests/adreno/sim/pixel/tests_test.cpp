// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth, stencil, blending and samples, compared with drivers/common/units and pipe/raster; and registers
// with random values.
#include "tests/adreno/sim/pixel/fixture.h"

#include <random>

namespace terrazzo::adreno::sim::testing {
namespace {

constexpr std::array<float, 4> kRed{1, 0, 0, 1}, kGreen{0, 1, 0, 1};
constexpr uint32_t kRed_rgba8 = 0xff0000ff, kGreen_rgba8 = 0xff00ff00;

// A shader that writes the colour, and depth from the first varying.
constexpr const char* kDepthShader =
    "bary.f r0.z, 0, r0.x\n"
    "bary.f r0.w, 1, r0.x\n"
    "bary.f r1.x, 2, r0.x\n"
    "bary.f (ei)r1.y, 3, r0.x\n"
    "(rpt2)nop\n"
    "mov.f32f32 r1.z, r0.z\n"
    "end\n";

TEST_CASE("pixel: the nearer one is visible, with early and late tests, in each format") {
    struct Row {
        hw::DepthFormat format;
        uint32_t pixel_B, near_word;
    };
    constexpr Row kRows[] = {{hw::DepthFormat::DEPTH6_16, 2, 16384},
                             {hw::DepthFormat::DEPTH6_24_8, 4, 4194304},
                             {hw::DepthFormat::DEPTH6_32, 4, 0x3e800000}};
    for (const Row& row : kRows)
        for (const auto mode : {hw::ZtestMode::A6XX_EARLY_Z, hw::ZtestMode::A6XX_LATE_Z}) {
            PixelFixture f;
            f.bin(0, 0, 64, 64);
            f.depth_buffer(row.format, row.pixel_B);
            std::memset(f.machine.gmem.data() + f.kDepthGmem_B,
                        row.format == hw::DepthFormat::DEPTH6_32 ? 0x42 : 0xff,
                        size_t(64) * 64 * row.pixel_B);
            f.set(hw::RB_DEPTH_CNTL{.z_test_enable = true,
                                    .z_write_enable = true,
                                    .zfunc = hw::CompareFunc::FUNC_LESS,
                                    .z_read_enable = true});
            f.set(hw::RB_DEPTH_PLANE_CNTL{mode});
            f.rectangle(0, 0, 64, 64, kRed, 0.25f);
            f.rectangle(0, 0, 32, 64, kGreen, 0.75f);
            f.draw();
            CHECK(f.gmem<uint32_t>(0) == kRed_rgba8);
            CHECK(f.machine.samples_passed == 64 * 64);
            uint32_t stored = 0;
            std::memcpy(&stored, f.machine.gmem.data() + f.kDepthGmem_B, row.pixel_B);
            CHECK((row.pixel_B == 4 && row.format == hw::DepthFormat::DEPTH6_24_8 ? stored & 0xffffff
                                                                                  : stored) == row.near_word);
        }
}

TEST_CASE("pixel: depth from the shader, and bounds") {
    PixelFixture f;
    f.bin(0, 0, 64, 64);
    f.depth_buffer(hw::DepthFormat::DEPTH6_32, 4);
    f.set(hw::RB_DEPTH_CNTL{
        .z_test_enable = true, .z_write_enable = true, .zfunc = hw::CompareFunc::FUNC_ALWAYS});
    f.set(hw::SP_FS_OUTPUT_CNTL0{.depth_regid = 6, .sampmask_regid = 63 * 4, .stencilref_regid = 63 * 4});
    f.set(hw::RB_FS_OUTPUT_CNTL0{.frag_writes_z = true});
    f.program(kDepthShader);
    f.rectangle(0, 0, 8, 8, {0.125f, 0, 0, 1});
    f.draw();
    CHECK(f.gmem<float>(f.kDepthGmem_B) == 0.125f);
    CHECK(f.gmem<float>(f.kDepthGmem_B + 8 * 4) == 0);
    f.clear();
    f.set(hw::RB_FS_OUTPUT_CNTL0{});
    f.set(hw::RB_DEPTH_CNTL{
        .z_test_enable = true, .zfunc = hw::CompareFunc::FUNC_ALWAYS, .z_bounds_enable = true});
    f.set(hw::RB_Z_BOUNDS_MIN{0.1f});
    f.set(hw::RB_Z_BOUNDS_MAX{0.2f});
    f.rectangle(0, 0, 16, 8, kGreen);
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == kGreen_rgba8);
    CHECK(f.gmem<uint32_t>(8 * 4) == 0);
}

TEST_CASE("pixel: stencil of both faces, in D24S8 and separately") {
    for (const bool apart : {false, true}) {
        PixelFixture f;
        f.bin(0, 0, 64, 64);
        f.depth_buffer(apart ? hw::DepthFormat::DEPTH6_32 : hw::DepthFormat::DEPTH6_24_8, 4);
        f.set(hw::RB_STENCIL_INFO{.separate_stencil = apart});
        f.set(hw::RB_STENCIL_BUFFER_BASE_GMEM{0x80000});
        f.set(hw::RB_STENCIL_CONTROL{.stencil_enable = true,
                                     .stencil_enable_bf = true,
                                     .func = hw::CompareFunc::FUNC_ALWAYS,
                                     .zpass = hw::StencilOp::STENCIL_REPLACE,
                                     .func_bf = hw::CompareFunc::FUNC_NEVER,
                                     .fail_bf = hw::StencilOp::STENCIL_INVERT});
        f.set(hw::RB_STENCILREF{.ref = 0x35, .bfref = 1});
        f.set(hw::RB_STENCILMASK{255, 255});
        f.set(hw::RB_STENCILWRMASK{0x0f, 0xf0});
        f.rectangle(0, 0, 16, 16, kRed);
        for (DrawnPrimitive& p : f.drawn.primitives)
            p.shape.back_facing = 0;
        f.draw();
        const uint32_t at = apart ? 0x80000 : f.kDepthGmem_B + 3;
        CHECK(f.gmem<uint8_t>(at) == 0x05);
        CHECK(f.gmem<uint32_t>(0) == kRed_rgba8);
        for (DrawnPrimitive& p : f.drawn.primitives)
            p.shape.back_facing = 1;
        std::fill_n(f.machine.gmem.begin(), 4, uint8_t(0));
        f.draw();
        CHECK(f.gmem<uint8_t>(at) == 0xf5);
        CHECK(f.gmem<uint32_t>(0) == 0);
    }
}

TEST_CASE("pixel: blending equals that of drivers/common/units") {
    std::mt19937 random(5);
    constexpr hw::Format kFormats[] = {hw::Format::FMT6_8_8_8_8_UNORM, hw::Format::FMT6_16_16_16_16_FLOAT,
                                       hw::Format::FMT6_5_6_5_UNORM, hw::Format::FMT6_10_10_10_2_UNORM_DEST};
    for (unsigned round = 0; round < 400; ++round) {
        PixelFixture f;
        f.bin(0, 0, 32, 16);
        f.format(kFormats[round % 4]);
        const auto factor = [&] {
            constexpr uint32_t kValues[] = {0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
            return hw::BlendFactor(kValues[random() % std::size(kValues)]);
        };
        const hw::RB_MRT_BLEND_CONTROL e{factor(), hw::BlendOpcode(random() % 5), factor(),
                                         factor(), hw::BlendOpcode(random() % 5), factor()};
        f.set(e);
        const auto mask = uint32_t(random() & 15);
        f.set(hw::RB_MRT_CONTROL{.blend = true, .blend2 = true, .component_enable = mask});
        f.set(hw::RB_BLEND_CNTL{.enable_blend = 1, .sample_mask = 0xffff});
        const auto number = [&] { return float(random() % 1000) / 900 - 0.05f; };
        const float constant[4] = {number(), number(), number(), number()};
        f.set(hw::RB_BLEND_RED_F32{constant[0]});
        f.set(hw::RB_BLEND_GREEN_F32{constant[1]});
        f.set(hw::RB_BLEND_BLUE_F32{constant[2]});
        f.set(hw::RB_BLEND_ALPHA_F32{constant[3]});
        const std::array<float, 4> source{number(), number(), number(), number()};
        uint8_t before[8];
        for (uint8_t& b : before)
            b = uint8_t(random() & 0x7b);
        units::FormatReader format;
        REQUIRE(surface_format(kFormats[round % 4], hw::ColorSwap::WZYX, false, &format));
        for (unsigned i = 0; i < 32 * 16; ++i)
            std::memcpy(f.machine.gmem.data() + i * format.size_B, before, format.size_B);
        f.rectangle(0, 0, 6, 6, source);
        f.draw();
        if (!mask) continue;
        PixelState state;
        REQUIRE(load_pixel_state(f.machine, 0, 1, &state, &f.fault));
        std::memcpy(state.color[0].how.constant, constant, sizeof constant);
        uint32_t bits[4];
        std::memcpy(bits, source.data(), 16);
        units::write_color(state.color[0].how, bits, nullptr, before);
        CHECK(std::memcmp(f.machine.gmem.data(), before, format.size_B) == 0);
        CHECK(std::memcmp(f.machine.gmem.data() + (5 * 32 + 5) * format.size_B, before, format.size_B) == 0);
    }
}

TEST_CASE("pixel: integers and halves") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.format(hw::Format::FMT6_8_8_8_8_UNORM);
    f.set(hw::SP_FS_OUTPUT{.regid = 4, .half_precision = true});  // the values are in r0.z and r0.w
    f.program(
        "mov.f16f16 hr1.x, h(0.5)\n"
        "mov.f16f16 hr1.y, h(1.0)\n"
        "mov.f16f16 hr1.z, h(0.0)\n"
        "mov.f16f16 hr1.w, h(0.25)\n"
        "end\n");
    f.rectangle(0, 0, 4, 4, kRed);
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == 0x4000ff80);
}

TEST_CASE("pixel: four samples of a pixel") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.multisample(hw::MsaaSamples::MSAA_FOUR);
    // Its right edge is at 2.5: the samples at 6/16 and 2/16 of pixel 2 are covered.
    f.rectangle(0, 0, 2.5f, 8, kRed);
    f.draw();
    const uint32_t want[3][4] = {
        {kRed_rgba8, kRed_rgba8, kRed_rgba8, kRed_rgba8}, {kRed_rgba8, 0, kRed_rgba8, 0}, {0, 0, 0, 0}};
    for (unsigned x = 0; x < 3; ++x)
        for (unsigned s = 0; s < 4; ++s)
            CHECK(f.gmem<uint32_t>(((x + 1) * 4 + s) * 4) == want[x][s]);
    CHECK(f.machine.samples_passed == 8 * (2 * 4 + 2));
    // Alpha to coverage keeps the first two samples, the state's mask keeps the first and the last.
    std::fill(f.machine.gmem.begin(), f.machine.gmem.end(), uint8_t(0));
    f.set(hw::RB_BLEND_CNTL{.alpha_to_coverage = true, .sample_mask = 0xffff});
    f.set(hw::SP_BLEND_CNTL{.alpha_to_coverage = true});
    f.clear();
    f.rectangle(0, 0, 2, 8, {1, 0, 0, 0.5f});
    f.draw();
    for (unsigned s = 0; s < 4; ++s)
        CHECK(f.gmem<uint32_t>(s * 4) == (s < 2 ? 0x800000ffu : 0));
    std::fill(f.machine.gmem.begin(), f.machine.gmem.end(), uint8_t(0));
    f.set(hw::RB_BLEND_CNTL{.sample_mask = 9});
    f.set(hw::SP_BLEND_CNTL{});
    f.draw();
    for (unsigned s = 0; s < 4; ++s)
        CHECK(f.gmem<uint32_t>(s * 4) == (s % 3 ? 0 : 0x800000ffu));
}

TEST_CASE("pixel: each sample is shaded if the state enables it") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.multisample(hw::MsaaSamples::MSAA_FOUR);
    f.format(hw::Format::FMT6_32_32_UINT);
    f.set(hw::RB_SAMPLE_CNTL{true});
    f.set(hw::HLSQ_CONTROL_3_REG{.value = {63 * 4, 63 * 4, 63 * 4, 63 * 4}});
    f.set(hw::HLSQ_CONTROL_4_REG{.value = {63 * 4, 63 * 4, 0, 63 * 4}});
    f.set(hw::RB_RENDER_CONTROL0{.coord_mask = 3});
    f.set(hw::GRAS_CNTL{.coord_mask = 3});
    f.set(hw::RB_RENDER_CONTROL1{.fragcoordsamplemode = hw::FragcoordSampleMode::FRAGCOORD_SAMPLE});
    f.set(hw::SP_FS_OUTPUT{.regid = 0});
    f.program("end\n");
    f.rectangle(0, 0, 8, 8, kRed);
    f.draw();
    constexpr uint32_t kX[4] = {6, 14, 2, 10}, kY[4] = {2, 6, 10, 14};
    for (unsigned s = 0; s < 4; ++s) {
        CHECK(f.gmem<uint32_t>(((32 + 3) * 4 + s) * 8) == 3 * 16 + kX[s]);
        CHECK(f.gmem<uint32_t>(((32 + 3) * 4 + s) * 8 + 4) == 16 + kY[s]);
    }
}

TEST_CASE("pixel: killed fragments are neither written nor counted") {
    PixelFixture f;
    f.bin(0, 0, 32, 16);
    f.set(hw::RB_DEPTH_PLANE_CNTL{hw::ZtestMode::A6XX_LATE_Z});
    f.program(
        "bary.f r0.z, 0, r0.x\n"
        "bary.f r0.w, 1, r0.x\n"
        "bary.f r1.x, 2, r0.x\n"
        "bary.f (ei)r1.y, 3, r0.x\n"
        "(rpt5)nop\n"
        "cmps.f.lt p0.x, r0.z, r0.w\n"
        "(rpt5)nop\n"
        "kill p0.x\n"
        "end\n");
    f.rectangle(0, 0, 4, 4, kRed);
    f.rectangle(4, 0, 8, 4, kGreen);
    f.draw();
    CHECK(f.gmem<uint32_t>(0) == kRed_rgba8);
    CHECK(f.gmem<uint32_t>(5 * 4) == 0);
    CHECK(f.machine.samples_passed == 16);
}

TEST_CASE("pixel: registers with random values end with pixels or with a fault") {
    std::mt19937 random(11);
    PixelFixture f;
    f.machine.threads = 1;
    f.rectangle(3, 3, 21, 9, kRed);
    f.add(units::PrimitiveKind::Line, {{1, 1}, {30, 9}}, 2);
    f.add(units::PrimitiveKind::Point, {{9, 9}}, 4);
    const Registers all = f.machine.registers;
    std::vector<uint16_t> known;
    for (unsigned i = 0; i < Registers::kCount; ++i)
        if (all.is_set(uint16_t(i))) known.push_back(uint16_t(i));
    for (unsigned i = 0; i < 8; ++i) {
        known.push_back(uint16_t(hw::RB_MRT_FLAG_BUFFER_ADDR::at(i)));
        known.push_back(uint16_t(hw::SP_FS_OUTPUT::at(i)));
    }
    unsigned good = 0, bad = 0;
    for (unsigned round = 0; round < 100000; ++round) {
        std::vector<std::pair<uint16_t, uint32_t>> kept;
        for (unsigned n = 1 + random() % 3; n; --n) {
            const uint16_t reg = known[random() % known.size()];
            kept.emplace_back(reg, all.value(reg));
            const uint32_t was = f.machine.registers.value(reg);
            const uint32_t v = random() % 2 ? was ^ 1u << random() % 32 : uint32_t(random()) >> random() % 32;
            f.machine.registers.write(reg, v);
        }
        (f.run() ? good : bad)++;
        if (!f.fault.report.empty()) REQUIRE(f.fault.report.find("draw 7") == 0);
        for (const auto& [reg, v] : kept)
            f.machine.registers.write(reg, v);
    }
    CHECK(good > 1000);
    CHECK(bad > 1000);
}

}  // namespace
}  // namespace terrazzo::adreno::sim::testing
