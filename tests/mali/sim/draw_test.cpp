// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws from attributes to pixels, compared with pipe/raster.
#include "tests/mali/sim/draw_fixture.h"

#include <cmath>

#include "pipe/raster/edge.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

std::vector<Vertex> triangle(float z = 0.5f) {
    return {{{3.3f, 5.1f, z, 1}, {1, 0, 0, 1}},
            {{60.2f, 11.7f, z, 1}, {0, 1, 0, 1}},
            {{20.9f, 58.4f, z, 1}, {0, 0, 1, 1}}};
}

// The picture of a triangle with kColorShader; a difference of one 8-bit step is allowed.
unsigned compare(DrawFixture& f, uint64_t pixels, const std::vector<Vertex>& v, uint32_t background) {
    pipe::raster::FixedPoint corner[3];
    for (unsigned i = 0; i < 3; ++i)
        corner[i] = {pipe::raster::to_fixed(v[i].position[0]), pipe::raster::to_fixed(v[i].position[1])};
    pipe::raster::TriangleSetup t;
    REQUIRE(pipe::raster::setup_triangle(corner, &t));
    unsigned covered = 0;
    for (int y = 0; y < int(f.kHeight); ++y)
        for (int x = 0; x < int(f.kWidth); ++x) {
            const uint32_t got = f.pixel(pixels, unsigned(x), unsigned(y));
            CAPTURE(x);
            CAPTURE(y);
            if (!t.covers(x, y)) {
                REQUIRE(got == background);
                continue;
            }
            ++covered;
            double weight[3];
            t.weights_at(x * 256 + 128, y * 256 + 128, weight);
            for (unsigned c = 0; c < 3; ++c)
                REQUIRE(std::abs(double(got >> 8 * c & 0xff) - weight[c] * 255) < 1.5);
            REQUIRE((got >> 24) == 255);
        }
    return covered;
}

}  // namespace

TEST_CASE_FIXTURE(DrawFixture, "draw: a triangle has pipe/raster's pixels") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    vertices(triangle());
    const JobStatus drawn = draw();
    INFO(fault.report);
    REQUIRE(drawn == JobStatus::Done);
    hw::RenderTarget target = linear_target(pixels);
    target.clear[0] = 0x80402010;
    const JobStatus done = fragment(parameters(), target);
    INFO(fault.report);
    REQUIRE(done == JobStatus::Done);
    const unsigned covered = compare(*this, pixels, triangle(), 0x80402010);
    CHECK(covered > 1000);
    jobs->count(&machine.counters);
    const host::Counters& c = machine.counters;
    CHECK(c.vertices == 3);
    CHECK(c.primitives == 1);
    CHECK(c.fragments == covered);
    CHECK(c.samples_passed == covered);
    CHECK(c.texture_fetches == 0);
    CHECK(c.instructions > covered / 16);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: the number of threads does not change the result") {
    std::vector<Vertex> v = triangle();
    for (Vertex& x : v)
        x.position[3] = 0.25f + x.value[0];
    vertices(v);
    REQUIRE(draw() == JobStatus::Done);
    std::vector<uint8_t> first;
    for (const unsigned threads : {1u, 2u, 5u}) {
        machine.threads = threads;
        const uint64_t pixels = room(kWidth * kHeight * 4);
        REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
        const std::vector<uint8_t> now(at(pixels), at(pixels) + kWidth * kHeight * 4);
        if (first.empty()) first = now;
        CHECK(now == first);
    }
}

TEST_CASE_FIXTURE(DrawFixture, "draw: clean tiles do not change in memory") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    std::memset(at(pixels), 0x77, kWidth * kHeight * 4);
    vertices({{{1, 1, 0, 1}, {1, 1, 1, 1}}, {{9, 1, 0, 1}, {1, 1, 1, 1}}, {{1, 9, 0, 1}, {1, 1, 1, 1}}});
    REQUIRE(draw() == JobStatus::Done);
    hw::RenderTarget target = linear_target(pixels);
    target.clean_pixel_write_enable = false;
    REQUIRE(fragment(parameters(), target) == JobStatus::Done);
    CHECK(pixel(pixels, 2, 2) == 0xffffffff);
    CHECK(pixel(pixels, 15, 15) == 0);
    CHECK(pixel(pixels, 16, 0) == 0x77777777);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: nearer triangles are visible in any order") {
    const uint64_t pixels = room(kWidth * kHeight * 4), depth = room(kWidth * kHeight * 4);
    hw::DepthStencil d{.depth_write_enable = true, .depth_function = hw::CompareFunc::Less};
    set(hw::IdvsRegisters::depth_stencil, place(d));
    for (const hw::PixelKill update : {hw::PixelKill::ForceEarly, hw::PixelKill::ForceLate}) {
        new_frame();
        dcd_flags({.zs_update_operation = update, .front_face_ccw = false});
        const auto rectangle = [](float x, float z, float red) {
            return std::vector<Vertex>{{{x, 0, z, 1}, {red, 0, 0, 1}},
                                       {{x + 64, 0, z, 1}, {red, 0, 0, 1}},
                                       {{x, 64, z, 1}, {red, 0, 0, 1}}};
        };
        vertices(rectangle(0, 0.25f, 1));
        REQUIRE(draw() == JobStatus::Done);
        vertices(rectangle(-8, 0.5f, 0));
        REQUIRE(draw() == JobStatus::Done);
        hw::ZsCrcExtension zs;
        zs.zs_write_format = hw::ZsWriteFormat::D24S8;
        zs.zs_block_format = hw::BlockFormat::LINEAR;
        zs.zs_clean_pixel_write_enable = true;
        zs.zs_writeback_base = depth;
        zs.zs_writeback_row_stride = kWidth * 4;
        hw::FramebufferParameters p = parameters();
        p.has_zs_crc_extension = true;
        p.z_write_enable = p.s_write_enable = true;
        p.s_clear = 0x5a;
        const JobStatus done = fragment(p, linear_target(pixels), &zs);
        INFO(fault.report);
        REQUIRE(done == JobStatus::Done);
        CHECK(pixel(pixels, 10, 10) == 0xff0000ff);
        CHECK(pixel(depth, 10, 10) == (0x5a000000u | 0x400000));
        CHECK(pixel(depth, 63, 63) == 0x5affffffu);
    }
}

TEST_CASE_FIXTURE(DrawFixture,
                  "draw: a fragment that fails early still changes stencil, also if updates are late") {
    const uint64_t pixels = room(kWidth * kHeight * 4), depth = room(kWidth * kHeight * 4);
    hw::DepthStencil d{.depth_function = hw::CompareFunc::Always};
    d.stencil_test_enable = true;
    d.front_compare_function = d.back_compare_function = hw::CompareFunc::Never;
    d.front_stencil_fail = d.back_stencil_fail = hw::StencilOp::IncrSat;
    d.front_value_mask = d.back_value_mask = d.front_write_mask = d.back_write_mask = 0xff;
    set(hw::IdvsRegisters::depth_stencil, place(d));
    for (const hw::PixelKill update : {hw::PixelKill::ForceEarly, hw::PixelKill::ForceLate}) {
        new_frame();
        dcd_flags({.pixel_kill_operation = hw::PixelKill::ForceEarly, .zs_update_operation = update});
        vertices(
            {{{0, 0, 0, 1}, {1, 0, 0, 1}}, {{64, 0, 0, 1}, {1, 0, 0, 1}}, {{0, 64, 0, 1}, {1, 0, 0, 1}}});
        REQUIRE(draw() == JobStatus::Done);
        hw::ZsCrcExtension zs;
        zs.zs_write_format = hw::ZsWriteFormat::D24S8;
        zs.zs_block_format = hw::BlockFormat::LINEAR;
        zs.zs_clean_pixel_write_enable = true;
        zs.zs_writeback_base = depth;
        zs.zs_writeback_row_stride = kWidth * 4;
        hw::FramebufferParameters p = parameters();
        p.has_zs_crc_extension = true;
        p.z_write_enable = p.s_write_enable = true;
        p.s_clear = 0x5a;
        const JobStatus done = fragment(p, linear_target(pixels), &zs);
        INFO(fault.report);
        REQUIRE(done == JobStatus::Done);
        CHECK((pixel(depth, 10, 10) >> 24) == 0x5b);
        CHECK((pixel(depth, 63, 63) >> 24) == 0x5a);
        CHECK(pixel(pixels, 10, 10) == pixel(pixels, 63, 63));
    }
}

TEST_CASE_FIXTURE(DrawFixture, "draw: the blender adds") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    hw::Blend b;
    b.load_destination = true;
    // source * source alpha + destination * (1 - source alpha)
    b.equation.rgb = {
        .a = hw::BlendOperandA::Dest, .b = hw::BlendOperandB::SrcMinusDest, .c = hw::BlendOperandC::SrcAlpha};
    b.equation.alpha = b.equation.rgb;
    b.equation.color_mask = 0xd;
    b.internal.mode = hw::BlendMode::FixedFunction;
    b.internal.num_comps = 4;
    b.internal.conversion.memory_format =
        hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
    b.internal.conversion.register_format = hw::RegisterFileFormat::F32;
    blend(b);
    const float half = 0.5f;
    vertices({{{0, 0, 0, 1}, {1, 1, 0, half}},
              {{64, 0, 0, 1}, {1, 1, 0, half}},
              {{0, 64, 0, 1}, {1, 1, 0, half}}});
    REQUIRE(draw() == JobStatus::Done);
    hw::RenderTarget target = linear_target(pixels);
    target.clear[0] = 0xff204060;
    REQUIRE(fragment(parameters(), target) == JobStatus::Done);
    // 0.5 is 128: (255 * 128 + 0x60 * 127) / 255 = 175.8, 0x20 * 127 / 255 = 15.9, (128 * 128 + 255 * 127) /
    // 255.
    CHECK(pixel(pixels, 5, 5) == 0xbf1040b0);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: triangles are cut at the eye") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    // Window positions of clip-space vertices with w 1, 1 and -1. The third one is on the eye's other side,
    // and mirrored.
    vertices({{{0, 0, 0.5f, 1}, {1, 0, 0, 1}},
              {{64, 0, 0.5f, 1}, {1, 0, 0, 1}},
              {{32, -64, 0.5f, -1}, {1, 0, 0, 1}}});
    REQUIRE(draw() == JobStatus::Done);
    REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
    // The triangle becomes wider downwards, without end.
    CHECK(pixel(pixels, 32, 60) == 0xff0000ff);
    CHECK(pixel(pixels, 1, 60) == 0xff0000ff);
    CHECK(pixel(pixels, 32, 1) == 0xff0000ff);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: a cut triangle has several parts, and the ones after it are drawn") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    std::vector<Vertex> v = {{{0, 0, 0.5f, 1}, {1, 0, 0, 1}},
                             {{64, 0, 0.5f, 1}, {1, 0, 0, 1}},
                             {{32, -64, 0.5f, -1}, {1, 0, 0, 1}}};
    for (const float x : {0.0f, 16.0f, 32.0f, 48.0f})
        for (const auto& [dx, dy] : {std::pair{0.0f, 0.0f}, std::pair{16.0f, 0.0f}, std::pair{0.0f, 16.0f}})
            v.push_back({{x + dx, 40 + dy, 0.25f, 1}, {0, 1, 0, 1}});
    vertices(v);
    REQUIRE(draw() == JobStatus::Done);
    REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
    CHECK(pixel(pixels, 32, 20) == 0xff0000ff);
    for (const unsigned x : {2u, 18u, 34u, 50u}) {
        CAPTURE(x);
        CHECK(pixel(pixels, x, 42) == 0xff00ff00);
    }
}

TEST_CASE_FIXTURE(DrawFixture, "draw: faces are as seen on the screen, with rows downwards") {
    // Clockwise on the screen, whose first row is the top row.
    vertices(triangle());
    for (const bool ccw : {false, true})
        for (const bool cull_front : {false, true}) {
            new_frame();
            dcd_flags({.front_face_ccw = ccw, .cull_front_face = cull_front, .cull_back_face = !cull_front});
            const uint64_t pixels = room(kWidth * kHeight * 4);
            REQUIRE(draw() == JobStatus::Done);
            REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
            CHECK((pixel(pixels, 25, 25) != 0) == (ccw == cull_front));
        }
}

TEST_CASE_FIXTURE(DrawFixture, "draw: the heap grows by chunks, up to its limit") {
    std::vector<Vertex> many;
    for (unsigned i = 0; i < 1500; ++i)
        for (const Vertex& v : triangle())
            many.push_back(v);
    host.grown = room(8 * 0x10000);
    host.chunks_left = 1;
    heap.context_va = room(32);
    vertices(many);
    DrawProgress progress;
    REQUIRE(draw(&progress) == JobStatus::OutOfHeap);
    CHECK(progress.primitive > 0);
    CHECK(progress.primitive < 1500);
    // Like the driver's handler: draw what there is, return the chunks, continue.
    unsigned rounds = 0;
    for (JobStatus s = JobStatus::OutOfHeap; s != JobStatus::Done; s = draw(&progress)) {
        REQUIRE(s == JobStatus::OutOfHeap);
        REQUIRE(++rounds < 20);
        uint64_t completed[2];
        std::memcpy(completed, at(tiler) + 40, 16);
        CHECK(completed[0] != 0);
        REQUIRE(jobs->finish_fragment(completed[0], completed[1], heap, &fault) == JobStatus::Done);
        std::memset(at(tiler), 0, 8);
        std::memset(at(tiler) + 40, 0, 16);
    }
    CHECK(progress.instance == 1);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: faults name the error") {
    vertices(triangle());
    const auto says = [&](const char* text) { return fault.report.find(text) != std::string::npos; };
    SUBCASE("a shader of another stage") {
        registers.r[hw::IdvsRegisters::position_spd] = registers.r[hw::IdvsRegisters::fragment_spd];
        REQUIRE(draw() == JobStatus::Fault);
        CHECK(says("draw 1: shader program at "));
        CHECK(says("is of stage Fragment, not Vertex"));
    }
    SUBCASE("no such attribute") {
        table(1, 0, 0);
        REQUIRE(draw() == JobStatus::Fault);
        CHECK(says("descriptor 0 of resource table 1, which has 0 bytes"));
    }
    SUBCASE("an unmapped depth descriptor") {
        set(hw::IdvsRegisters::depth_stencil, 0x40);
        REQUIRE(draw() == JobStatus::Done);
        REQUIRE(fragment(parameters(), linear_target(room(kWidth * kHeight * 4))) == JobStatus::Fault);
        CHECK(says("draw 1: depth and stencil descriptor: read of 32 bytes at 0x40"));
        CHECK(fault.code == hw::ExceptionCode::TRANSLATION_FAULT_3);
    }
}

TEST_CASE_FIXTURE(DrawFixture,
                  "draw: a varying with any offset in a register is within the vertex, or a fault") {
    // The 16 bytes from byte -4 on. In 32-bit arithmetic their end is byte 12.
    fragment_shader(
        "IADD_IMM.i32 r4, 0x0, #0xFFFFFFFC\n"
        "LD_VAR_BUF.f32.slot0.v4.src_f32.center.store.wait0 @r0:r1:r2:r3, r61, r4\n"
        "NOP.wait0126\n"
        "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
        "NOP.wait\n"
        "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
    vertices(triangle());
    REQUIRE(draw() == JobStatus::Done);
    REQUIRE(fragment(parameters(), linear_target(room(kWidth * kHeight * 4))) == JobStatus::Fault);
    CHECK(fault.report.find("varying at byte 4294967292 of 16") != std::string::npos);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: vertices of any size need no alignment") {
    // 17 bytes: the second vertex is not aligned (UBSan would report it).
    registers.r[hw::IdvsRegisters::varying_size] = 17;
    vertices(triangle());
    REQUIRE(draw() == JobStatus::Done);
    const uint64_t pixels = room(kWidth * kHeight * 4);
    REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
    CHECK(compare(*this, pixels, triangle(), 0) > 1000);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: a target's swizzle names channels that exist") {
    vertices(triangle());
    for (const uint32_t channel : {6u, 7u})
        for (unsigned c = 0; c < 4; ++c) {
            new_frame();
            REQUIRE(draw() == JobStatus::Done);
            hw::RenderTarget t = linear_target(room(kWidth * kHeight * 4));
            t.swizzle = (t.swizzle & ~(7u << 3 * c)) | channel << 3 * c;
            REQUIRE(fragment(parameters(), t) == JobStatus::Fault);
            CHECK(fault.report.find("render target 0: a swizzle with a channel that does not exist") !=
                  std::string::npos);
        }
}
