// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The speed of pixels. Run by hand, with -tc='pixel speed*' -ns.
#include "tests/adreno/sim/pixel/fixture.h"

#include <ctime>

namespace terrazzo::adreno::sim::testing {
namespace {

constexpr uint32_t kW = 800, kH = 600;

// Eight multiplications and additions on the varyings.
constexpr const char* kMadShader =
    "bary.f r0.z, 0, r0.x\n"
    "bary.f r0.w, 1, r0.x\n"
    "bary.f r1.x, 2, r0.x\n"
    "bary.f (ei)r1.y, 3, r0.x\n"
    "(rpt2)nop\n"
    "mad.f32 r0.z, r0.z, r0.z, r0.z\n"
    "mad.f32 r0.w, r0.w, r0.w, r0.w\n"
    "mad.f32 r1.x, r1.x, r1.x, r1.x\n"
    "(rpt2)nop\n"
    "mad.f32 r0.z, r0.z, r0.z, r0.w\n"
    "mad.f32 r0.w, r0.w, r0.w, r1.x\n"
    "mad.f32 r1.x, r1.x, r1.x, r0.y\n"
    "(rpt2)nop\n"
    "mad.f32 r0.z, r0.z, r1.y, r0.w\n"
    "mad.f32 r1.x, r1.x, r1.y, r0.w\n"
    "end\n";

double measure(PixelFixture& f, const char* what) {
    f.draw();
    double best = 1e9;
    for (unsigned i = 0; i < 10; ++i) {
        const std::clock_t before = std::clock();
        f.draw();
        best = std::min(best, double(std::clock() - before) / CLOCKS_PER_SEC);
    }
    MESSAGE(std::string(what), ": ", std::to_string(kW * kH / best / 1e6), " Mpix a second of CPU time, ",
            std::to_string(best * 1e3), " ms");
    return best;
}

void whole_screen(PixelFixture& f, unsigned threads) {
    f.machine.threads = threads;
    f.machine.gmem.resize(16 << 20);  // a bin with the size of the whole screen
    f.bin(0, 0, 832, 608);
    f.scissor({0, 0, kW, kH});
    f.set(hw::GRAS_SC_SCREEN_SCISSOR_BR{.value = {kW - 1, kH - 1}});
    f.set(hw::GRAS_SC_VIEWPORT_SCISSOR_BR{.value = {kW - 1, kH - 1}});
    f.triangle({{0, 0, 0.5f, 1, {0.1f, 0.2f, 0.3f, 1}},
                {kW * 2, 0, 0.5f, 1, {0.3f, 0.1f, 0.3f, 1}},
                {0, kH * 2, 0.5f, 1, {0.2f, 0.2f, 0.1f, 1}}});
}

void with_depth(PixelFixture& f) {
    f.depth_buffer(hw::DepthFormat::DEPTH6_24_8, 4);
    f.set(hw::RB_DEPTH_BUFFER_BASE_GMEM{4 << 20});
    f.set(hw::RB_DEPTH_CNTL{.z_test_enable = true,
                            .z_write_enable = true,
                            .zfunc = hw::CompareFunc::FUNC_GEQUAL,
                            .z_read_enable = true});
}

TEST_CASE("pixel speed: a triangle that fills 800x600" * doctest::skip()) {
    for (const unsigned threads : {1u, 2u}) {
        PixelFixture f;
        f.set(hw::RB_MRT_BASE_GMEM{0});
        whole_screen(f, threads);
        f.program(kMadShader);
        measure(f, threads == 1 ? "MAD shader, 1 thread" : "MAD shader, 2 threads");
        with_depth(f);
        measure(f, "with depth");
        f.set(hw::RB_MRT_BLEND_CONTROL{hw::BlendFactor::FACTOR_SRC_ALPHA,
                                       {},
                                       hw::BlendFactor::FACTOR_ONE_MINUS_SRC_ALPHA,
                                       hw::BlendFactor::FACTOR_ONE,
                                       {},
                                       hw::BlendFactor::FACTOR_ZERO});
        f.set(hw::RB_MRT_CONTROL{.blend = true, .component_enable = 15});
        f.set(hw::RB_BLEND_CNTL{.enable_blend = 1, .sample_mask = 0xffff});
        measure(f, "and blending");
    }
}

TEST_CASE("pixel speed: 20,000 triangles of 6 pixels with depth" * doctest::skip()) {
    PixelFixture f;
    whole_screen(f, 1);
    f.clear();
    f.program(kMadShader);
    with_depth(f);
    for (unsigned i = 0; i < 20000; ++i) {
        const auto x = float(i * 7 % 790), y = float(i * 5 / 790 * 4 % 590);
        f.triangle({{x, y, 0.5f, 1, {1, 0, 0, 1}},
                    {x + 4, y, 0.5f, 1, {0, 1, 0, 1}},
                    {x, y + 3.5f, 0.5f, 1, {0, 0, 1, 1}}});
    }
    measure(f, "small triangles");
}

}  // namespace
}  // namespace terrazzo::adreno::sim::testing
