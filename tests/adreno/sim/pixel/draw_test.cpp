// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The positions and values of pixels: images in memory and in GMEM, interpolation, targets.
#include "tests/adreno/sim/pixel/fixture.h"

#include <cmath>
#include <functional>

#include "pipe/raster/edge.h"

namespace terrazzo::adreno::sim::testing {
namespace {

constexpr std::array<float, 4> kOrange{1, 0.5f, 0, 1};
constexpr uint32_t kOrange_rgba8 = 0xff0080ff;

TEST_CASE("pixel: a rectangle in a linear image") {
    PixelFixture f;
    f.rectangle(10, 20, 50, 70, kOrange);
    f.draw();
    for (uint32_t y = 0; y < f.kHeight; ++y)
        for (uint32_t x = 0; x < f.kWidth; ++x) {
            const bool in = x >= 10 && x < 50 && y >= 20 && y < 70;
            REQUIRE(f.pixel(x, y) == (in ? kOrange_rgba8 : 0));
        }
    CHECK(f.machine.samples_passed == 40 * 50);
}

// An area of an image is not read before a primitive that replaces all of it. GMEM is drawn to in place.
TEST_CASE("pixel: images in memory keep what a draw leaves, whatever covers them") {
    constexpr uint32_t kBin_px = 96;
    constexpr const char* kKillShader =
        "bary.f r0.z, 0, r0.x\n"
        "bary.f r0.w, 1, r0.x\n"
        "bary.f r1.x, 2, r0.x\n"
        "bary.f (ei)r1.y, 3, r0.x\n"
        "(rpt2)nop\n"
        "cmps.f.lt p0.x, r0.z, r0.w\n"
        "(rpt5)nop\n"
        "kill p0.x\n"
        "end\n";
    const std::function<void(PixelFixture&)> variants[] = {
        [](PixelFixture&) {},
        [&](PixelFixture& f) { f.program(kKillShader); },
        [](PixelFixture& f) { f.set(hw::RB_MRT_CONTROL{.component_enable = 7}); },
        [](PixelFixture& f) {
            f.set(hw::RB_MRT_BLEND_CONTROL{hw::BlendFactor::FACTOR_ONE,
                                           {},
                                           hw::BlendFactor::FACTOR_ONE,
                                           hw::BlendFactor::FACTOR_ONE,
                                           {},
                                           hw::BlendFactor::FACTOR_ONE});
            f.set(hw::RB_MRT_CONTROL{.blend = true, .component_enable = 15});
            f.set(hw::RB_BLEND_CNTL{.enable_blend = 1, .sample_mask = 0xffff});
        },
        [](PixelFixture& f) {
            f.set(hw::RB_MRT_CONTROL{
                .rop_enable = true, .rop_code = hw::RopCode::ROP_XOR, .component_enable = 15});
        },
        [](PixelFixture& f) {
            f.set(hw::RB_ALPHA_CONTROL{
                .alpha_ref = 128, .alpha_test = true, .alpha_test_func = hw::CompareFunc::FUNC_GREATER});
        },
        [](PixelFixture& f) { f.set(hw::RB_BLEND_CNTL{.sample_mask = 0xfffd}); },
    };
    for (const std::function<void(PixelFixture&)>& variant : variants)
        for (const unsigned samples : {1u, 4u})
            for (const int32_t end : {int32_t(kBin_px), 77}) {
                CAPTURE(&variant - variants);
                CAPTURE(samples);
                CAPTURE(end);
                PixelFixture memory, gmem;
                gmem.bin(0, 0, kBin_px, kBin_px);
                std::vector<uint8_t> start(size_t(kBin_px) * kBin_px * 4 * samples);
                for (size_t i = 0; i < start.size(); ++i)
                    start[i] = uint8_t(i * 7 + i / 256);
                std::copy(start.begin(), start.end(), gmem.machine.gmem.begin());
                std::copy(start.begin(), start.end(), memory.color);
                for (PixelFixture* f : {&memory, &gmem}) {
                    f->multisample(hw::MsaaSamples(std::countr_zero(samples)));
                    f->set(hw::RB_MRT_PITCH{kBin_px * 4 * samples});
                    f->scissor({0, 0, end, end});
                    variant(*f);
                    f->triangle({{-10, -10, 0.5f, 1, {0, 1, 0.3f, 1}},
                                 {400, -10, 0.5f, 1, {1, 0, 0.7f, 0}},
                                 {-10, 400, 0.5f, 1, {1, 0.5f, 0, 0.2f}}});
                    f->triangle({{20, 20, 0.5f, 1, {0, 1, 1, 1}},
                                 {70, 20, 0.5f, 1, {1, 0, 1, 1}},
                                 {20, 70, 0.5f, 1, {0, 0, 1, 1}}});
                    f->draw();
                }
                CHECK(std::equal(start.begin(), start.end(), gmem.machine.gmem.begin()) == false);
                CHECK(std::memcmp(memory.color, gmem.machine.gmem.data(), start.size()) == 0);
            }
}

// movmsk.w128 says which lanes run: words 2 and 3 are those of lanes 64 to 127.
TEST_CASE("pixel: waves have 64 or 128 lanes, as the registers say") {
    for (const auto size : {hw::Threadsize::THREAD64, hw::Threadsize::THREAD128}) {
        PixelFixture f;
        f.format(hw::Format::FMT6_32_32_32_32_UINT);
        f.set(hw::RB_MRT_PITCH{f.kWidth * 16});
        f.change<hw::SP_FS_OUTPUT>([](auto& r) { r.regid = 8; });
        f.change<hw::SP_FS_CTRL_REG0>([&](auto& r) { r.threadsize = size; });
        f.rectangle(0, 0, 64, 64, kOrange);
        f.program("movmsk.w128 r2.x\nend\n");
        CHECK((size == hw::Threadsize::THREAD64) == f.run());
        if (size == hw::Threadsize::THREAD128)
            CHECK(f.fault.report == "draw 7: SP_FS_CTRL_REG0 and HLSQ_FS_CNTL_0 differ in `threadsize`");
        f.change<hw::HLSQ_FS_CNTL_0>([&](auto& r) { r.value.threadsize = size; });
        f.draw();
        unsigned wide = 0;
        for (uint32_t y = 0; y < 64; ++y)
            for (uint32_t x = 0; x < 64; ++x) {
                const uint8_t* at = f.color + (y * f.kWidth + x) * 16;
                uint32_t mask[4];
                std::memcpy(mask, at, sizeof(mask));
                REQUIRE(mask[0] == ~0u);
                wide += mask[2] == ~0u && mask[3] == ~0u;
            }
        // The last wave of an area has only half of the quads.
        if (size == hw::Threadsize::THREAD128)
            CHECK(wide >= 64 * 64u - 4 * 64);
        else
            CHECK(wide == 0);
    }
}

TEST_CASE("pixel: a rectangle in a tiled image is the same rectangle") {
    PixelFixture f;
    f.format(hw::Format::FMT6_8_8_8_8_UNORM, hw::TileMode::TILE6_3);
    f.rectangle(10, 20, 50, 70, kOrange);
    f.draw();
    SurfaceDesc d;
    d.va = f.kColor_va;
    d.format = hw::Format::FMT6_8_8_8_8_UNORM;
    d.tile_mode = hw::TileMode::TILE6_3;
    d.pitch_B = f.kWidth * 4;
    d.width_px = f.kWidth;
    d.height_px = f.kHeight;
    Surface s;
    std::string why;
    REQUIRE(s.init(d, f.machine.chip, &why));
    std::vector<uint32_t> pixels(size_t(f.kWidth) * f.kHeight);
    REQUIRE(s.read(f.machine.memory, f.machine.gmem, {0, 0, int32_t(f.kWidth), int32_t(f.kHeight)},
                   reinterpret_cast<uint8_t*>(pixels.data()), f.kWidth * 4, &why));
    for (uint32_t y = 0; y < f.kHeight; ++y)
        for (uint32_t x = 0; x < f.kWidth; ++x) {
            const bool in = x >= 10 && x < 50 && y >= 20 && y < 70;
            REQUIRE(pixels[size_t(y) * f.kWidth + x] == (in ? kOrange_rgba8 : 0));
        }
}

TEST_CASE("pixel: a bin in GMEM has its part of the window") {
    PixelFixture f;
    f.bin(32, 16, 64, 48);
    f.rectangle(10, 20, 50, 70, kOrange);
    f.draw();
    for (uint32_t y = 0; y < 48; ++y)
        for (uint32_t x = 0; x < 64; ++x) {
            const bool in = x + 32 < 50 && y + 16 >= 20;
            REQUIRE(f.gmem<uint32_t>((y * 64 + x) * 4) == (in ? kOrange_rgba8 : 0));
        }
    CHECK(f.gmem<uint32_t>(48 * 64 * 4) == 0);
    CHECK(f.pixel(20, 30) == 0);
}

TEST_CASE("pixel: varyings are interpolated with perspective") {
    PixelFixture f;
    f.format(hw::Format::FMT6_32_32_32_32_FLOAT);
    f.set(hw::RB_MRT_PITCH{f.kWidth * 16});
    const Vertex v[3] = {{3, 4, 0.5f, 1, {0, 1, 8, -2}},
                         {110, 9, 0.5f, 0.25f, {4, 0, 8, 3}},
                         {20, 90, 0.5f, 0.5f, {-1, 0, 8, 7}}};
    f.triangle({v[0], v[1], v[2]});
    f.draw();
    pipe::raster::TriangleSetup t;
    pipe::raster::FixedPoint corner[3];
    for (unsigned i = 0; i < 3; ++i)
        corner[i] = {int32_t(v[i].x * 256), int32_t(v[i].y * 256)};
    REQUIRE(setup_triangle(corner, &t));
    unsigned covered = 0;
    const double inv_w[3] = {1, 0.25, 0.5};
    for (int32_t y = 0; y < int32_t(f.kHeight); ++y)
        for (int32_t x = 0; x < int32_t(f.kWidth); ++x) {
            float got[4];
            std::memcpy(got, f.color + (size_t(y) * f.kWidth + size_t(x)) * 16, 16);
            if (!t.covers(x, y)) {
                REQUIRE(got[2] == 0);
                continue;
            }
            ++covered;
            double window[3], weight[3];
            t.weights_at(x * 256 + 128, y * 256 + 128, window);
            pipe::raster::perspective_weights(window, inv_w, weight);
            for (unsigned c = 0; c < 4; ++c) {
                const double want =
                    weight[0] * v[0].value[c] + weight[1] * v[1].value[c] + weight[2] * v[2].value[c];
                REQUIRE(std::fabs(got[c] - want) < 1e-5);
            }
        }
    CHECK(covered > 3000);
}

TEST_CASE("pixel: flat, constant and replaced varyings") {
    PixelFixture f;
    f.format(hw::Format::FMT6_32_32_32_32_FLOAT);
    f.set(hw::RB_MRT_PITCH{f.kWidth * 16});
    using M = hw::VaryingInterpMode;
    f.set(hw::VPC_VARYING_INTERP_MODE{uint32_t(M::INTERP_FLAT) | uint32_t(M::INTERP_ONE) << 2 |
                                      uint32_t(M::INTERP_ZERO) << 4});
    f.triangle(
        {{0, 0, 0.5f, 1, {1, 5, 5, 1}}, {64, 0, 0.5f, 1, {2, 5, 5, 1}}, {0, 64, 0.5f, 1, {3, 5, 5, 1}}});
    f.draw();
    float got[4];
    std::memcpy(got, f.color + (2 * f.kWidth + 2) * 16, 16);
    CHECK(got[0] == 3);  // the last vertex' value
    CHECK(got[1] == 1);
    CHECK(got[2] == 0);
    CHECK(got[3] == 1);
    // A point with 8 pixels, whose upper left corner is at (16, 24).
    f.clear();
    using P = hw::VaryingPsReplMode;
    f.set(hw::VPC_VARYING_INTERP_MODE{});
    f.set(hw::VPC_VARYING_PS_REPL_MODE{uint32_t(P::PS_REPL_S) | uint32_t(P::PS_REPL_T) << 2 |
                                       uint32_t(P::PS_REPL_ONE_MINUS_T) << 4});
    f.add(units::PrimitiveKind::Point, {{20, 28, 0.5f, 1, {9, 9, 9, 9}}}, 8);
    f.draw();
    std::memcpy(got, f.color + (25 * f.kWidth + 22) * 16, 16);
    CHECK(got[0] == 6.5f / 8);
    CHECK(got[1] == 1.5f / 8);
    CHECK(got[2] == 6.5f / 8);
    CHECK(got[3] == 9);
}

TEST_CASE("pixel: coordinates, faces and masks are in registers") {
    PixelFixture f;
    f.format(hw::Format::FMT6_32_32_32_32_UINT);
    f.set(hw::RB_MRT_PITCH{f.kWidth * 16});
    f.set(hw::HLSQ_CONTROL_3_REG{.value = {63 * 4, 63 * 4, 63 * 4, 63 * 4}});
    f.set(hw::HLSQ_CONTROL_4_REG{.value = {63 * 4, 63 * 4, 0, 2}});
    f.set(hw::GRAS_CNTL{.coord_mask = 15});
    f.set(hw::RB_RENDER_CONTROL0{.coord_mask = 15});
    f.set(hw::SP_FS_OUTPUT{.regid = 0});
    f.program("end\n");
    f.rectangle(0, 0, 40, 40, kOrange, 0.25f);
    f.draw();
    uint32_t got[4];
    std::memcpy(got, f.color + (7 * f.kWidth + 9) * 16, 16);
    CHECK(got[0] == 9 * 16 + 8);
    CHECK(got[1] == 7 * 16 + 8);
    CHECK(std::bit_cast<float>(got[2]) == 0.25f);
    CHECK(std::bit_cast<float>(got[3]) == 1);
    // A register that GRAS does not fill is a fault.
    f.set(hw::GRAS_CNTL{});
    f.set(hw::HLSQ_CONTROL_3_REG{.value = {0, 63 * 4, 63 * 4, 63 * 4}});
    CHECK_FALSE(f.run());
    CHECK(f.fault.report.find("GRAS_CNTL") != std::string::npos);
}

TEST_CASE("pixel: a needed register that was never written is a fault that names it") {
    PixelFixture f;
    f.rectangle(0, 0, 8, 8, kOrange);
    const Registers all = f.machine.registers;
    const auto without = [&](uint16_t reg) {
        f.machine.registers.forget();
        for (unsigned i = 0; i < Registers::kCount; ++i)
            if (i != reg && all.is_set(uint16_t(i)))
                f.machine.registers.write(uint16_t(i), all.value(uint16_t(i)));
        return !f.run() && f.fault.report.find(hw::register_name(reg)) != std::string::npos;
    };
    CHECK(without(hw::RB_MRT_BASE::at(0)));
    CHECK(without(hw::RB_DEPTH_CNTL::at(0)));
    CHECK(without(hw::GRAS_SC_WINDOW_SCISSOR_TL::at(0)));
    CHECK(without(hw::RB_BIN_CONTROL::at(0)));
    CHECK(without(hw::SP_FS_OBJ_START::at(0)));
    CHECK(without(hw::VPC_VARYING_INTERP_MODE::at(0)));
    CHECK(f.fault.report.find("draw 7") == 0);
    CHECK_FALSE(without(hw::RB_Z_BOUNDS_MIN::at(0)));  // the bounds are not used
}

TEST_CASE("pixel: several threads, one result") {
    std::vector<uint8_t> first;
    for (const unsigned threads : {1u, 4u}) {
        PixelFixture f;
        f.machine.threads = threads;
        for (unsigned i = 0; i < 100; ++i) {
            const float x = float(i * 37 % 120), y = float(i * 23 % 90);
            f.triangle({{x, y, 0.5f, 1, {1, 0, 0, 1}},
                        {x + 30, y + 3, 0.5f, 0.5f, {0, 1, 0, 1}},
                        {x + 9, y + 40, 0.5f, 0.7f, {0, 0, 1, 1}}});
        }
        f.draw();
        std::vector<uint8_t> image(f.color, f.color + f.kWidth * f.kHeight * 4);
        if (first.empty()) first = image;
        CHECK(image == first);
    }
}

}  // namespace
}  // namespace terrazzo::adreno::sim::testing
