// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State of draws and textures, compared with OpenGL ES' rules.
#include "drivers/mali/sim/units/texture.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

std::vector<Vertex> everywhere(float z, float r, float g, float b, float a) {
    return {{{0, 0, z, 1}, {r, g, b, a}}, {{128, 0, z, 1}, {r, g, b, a}}, {{0, 128, z, 1}, {r, g, b, a}}};
}

hw::Blend source_alpha(hw::ColorBufferInternalFormat format) {
    hw::Blend b;
    b.load_destination = true;
    b.equation.rgb = {
        .a = hw::BlendOperandA::Dest, .b = hw::BlendOperandB::SrcMinusDest, .c = hw::BlendOperandC::SrcAlpha};
    b.equation.alpha = b.equation.rgb;
    b.equation.color_mask = 15;
    b.internal.mode = hw::BlendMode::FixedFunction;
    b.internal.num_comps = 4;
    b.internal.conversion.memory_format = hw::blend_memory_format(format, false, false);
    b.internal.conversion.register_format = hw::RegisterFileFormat::F32;
    return b;
}

}  // namespace

TEST_CASE_FIXTURE(DrawFixture, "draw: two units of depth_units are one of OpenGL's, in every format") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    for (const hw::ZInternalFormat format :
         {hw::ZInternalFormat::D16, hw::ZInternalFormat::D24, hw::ZInternalFormat::D32})
        for (const float z : {0.5f, 0.25f, 0.7f, 0.99f}) {
            CAPTURE(hw::enum_name(format));
            CAPTURE(z);
            new_frame();
            hw::DepthStencil d{.depth_write_enable = true,
                               .depth_bias_enable = true,
                               .depth_function = hw::CompareFunc::Less};
            set(hw::IdvsRegisters::depth_stencil, place(d));
            vertices(everywhere(z, 1, 1, 1, 1));
            REQUIRE(draw() == JobStatus::Done);
            // Not nearer without an offset, nearer with one unit.
            vertices(everywhere(z, 1, 0, 0, 1));
            REQUIRE(draw() == JobStatus::Done);
            d.depth_units = -2;
            set(hw::IdvsRegisters::depth_stencil, place(d));
            vertices(everywhere(z, 0, 1, 0, 1));
            REQUIRE(draw() == JobStatus::Done);
            hw::FramebufferParameters p = parameters();
            p.z_internal_format = format;
            REQUIRE(fragment(p, linear_target(pixels)) == JobStatus::Done);
            CHECK(pixel(pixels, 5, 5) == 0xff00ff00);
        }
}

TEST_CASE_FIXTURE(DrawFixture, "draw: source alpha is not rounded to a target's single bit of alpha") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    blend(source_alpha(hw::ColorBufferInternalFormat::R5G5B5A1));
    vertices(everywhere(0, 1, 1, 1, 0.25f));
    REQUIRE(draw() == JobStatus::Done);
    hw::RenderTarget target = linear_target(pixels);
    target.internal_format = hw::ColorBufferInternalFormat::R5G5B5A1;
    target.writeback_format = hw::ColorFormat::R5G5B5A1;
    REQUIRE(fragment(parameters(), target) == JobStatus::Done);
    // A quarter of 31.
    CHECK((pixel(pixels, 4, 4) & 0x7fff) == (8 | 8 << 5 | 8 << 10));
}

TEST_CASE_FIXTURE(DrawFixture, "draw: points are at most 4095.9375 pixels wide") {
    const uint64_t pixels = room(kWidth * kHeight * 4);
    primitive_flags(hw::DrawMode::Points);
    registers.r[hw::IdvsRegisters::primitive_size] = std::bit_cast<uint32_t>(5000.0f);
    for (const float x : {40.0f + 2047.96875f, 4096.0f}) {
        CAPTURE(x);
        new_frame();
        vertices({{{x, 32, 0, 1}, {1, 1, 1, 1}}});
        REQUIRE(draw() == JobStatus::Done);
        REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
        CHECK(pixel(pixels, 39, 32) == 0);
        CHECK(pixel(pixels, 40, 32) == (x < 4096 ? 0xffffffff : 0));
    }
}

namespace {

// Two texture coordinates, then the layer or level. All pixels have the same values.
constexpr const char* kLoadShader =
    "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 @r4:r5:r6:r7, r61, index:0x0\n"
    "IADD_IMM.i32 r8, 0x0, #0x20001800\n"
    "IADD_IMM.i32 r9, 0x0, #0x0\n";
constexpr const char* kStoreColor =
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";

struct StateTexture : DrawFixture {
    uint64_t output = room(kWidth * kHeight * 4);
    hw::Sampler sampler;
    hw::Texture texture;
    std::vector<hw::Plane> planes;

    StateTexture() {
        sampler.mipmap_mode = hw::MipmapMode::None;
        sampler.maximum_lod = 16;
        texture.dimension = hw::TextureDimension::D2;
        texture.format = hw::format_row(pipe::Format::R8G8B8A8_UNORM)->pixel_format;
        texture.swizzle = hw::kIdentitySwizzle;
        texture.width = texture.height = 2;
    }
    void plane(const std::vector<uint32_t>& pixels, unsigned width) {
        hw::Plane p;
        p.plane_type = hw::PlaneType::Generic;
        p.clump_ordering = hw::ClumpOrdering::Linear;
        p.clump_format = hw::ClumpFormat::RAW32;
        p.size = uint32_t(pixels.size() * 4);
        p.pointer = place(pixels.data(), p.size);
        p.row_stride = width * 4;
        p.width = p.height = width;
        planes.push_back(p);
    }
    uint32_t run(const std::string& shader, std::array<float, 4> value) {
        table(3, place(sampler), 1);
        const uint64_t at_planes = room(planes.size() * hw::Plane::kSize_B);
        for (size_t i = 0; i < planes.size(); ++i)
            put(at_planes + i * hw::Plane::kSize_B, planes[i]);
        texture.surfaces = at_planes;
        table(4, place(texture), 1);
        fragment_shader(kLoadShader + shader + kStoreColor);
        new_frame();
        vertices(everywhere(0, value[0], value[1], value[2], value[3]));
        REQUIRE(draw() == JobStatus::Done);
        const JobStatus done = fragment(parameters(), linear_target(output));
        INFO(fault.report);
        REQUIRE(done == JobStatus::Done);
        return pixel(output, 7, 7);
    }
};

}  // namespace

TEST_CASE_FIXTURE(StateTexture, "texture: array layers are floats, rounded") {
    for (const uint32_t color : {0xff0000ffu, 0xff00ff00u, 0xffff0000u})
        plane(std::vector<uint32_t>(4, color), 2);
    texture.array_size = 3;
    const std::string shader =
        "TEX_SINGLE.slot0.array_enable.auto.32.2d.zero.wait0 @r0:r1:r2:r3, @r4:r5:r6, r8\n";
    CHECK(run(shader, {0.5f, 0.5f, 0, 0}) == 0xff0000ff);
    CHECK(run(shader, {0.5f, 0.5f, 1, 0}) == 0xff00ff00);
    CHECK(run(shader, {0.5f, 0.5f, 1.4f, 0}) == 0xff00ff00);
    CHECK(run(shader, {0.5f, 0.5f, 1.6f, 0}) == 0xffff0000);
    CHECK(run(shader, {0.5f, 0.5f, 9, 0}) == 0xffff0000);
}

TEST_CASE_FIXTURE(StateTexture, "texture: where magnification begins") {
    plane({0xff000000, 0xffffffff, 0xff000000, 0xffffffff}, 2);
    plane({0xffff0000}, 1);
    texture.levels = 2;
    sampler.minify_nearest = true;
    sampler.mipmap_mode = hw::MipmapMode::Nearest;
    // The level 0.25 in fixed point.
    const std::string shader =
        "IADD_IMM.i32 r6, 0x0, #0x40\n"
        "TEX_SINGLE.slot0.auto.32.2d.explicit.wait0 @r0:r1:r2:r3, @r4:r5:r6, r8\n";
    CHECK(run(shader, {0.45f, 0.5f, 0, 0}) == 0xff000000);
    sampler.magnify_cutoff = true;
    const uint32_t mixed = run(shader, {0.45f, 0.5f, 0, 0});
    CHECK((mixed & 0xff) > 0x50);
    CHECK((mixed & 0xff) < 0x80);
}

TEST_CASE_FIXTURE(StateTexture, "texture: stencil next to depth, in both orders") {
    plane(std::vector<uint32_t>(4, 0x80123456), 2);
    planes[0].clump_format = hw::ClumpFormat::X24S8;
    const auto color = [&](hw::ComponentOrder order) {
        texture.format =
            (hw::format_row(pipe::Format::S8_UINT)->pixel_format & ~uint32_t(0xfff)) | uint32_t(order);
        // Integers; compared as floats in units of 1/255.
        const std::string fetch =
            "IADD_IMM.i32 r4, 0x0, #0x0\n"
            "IADD_IMM.i32 r5, 0x0, #0x0\n"
            "IADD_IMM.i32 r10, 0x0, #0x3B800000\n"
            "TEX_FETCH.slot0.auto.32.2d.wait0 @r0:r1:r2:r3, @r4:r5, r8\n";
        std::string shader = fetch;
        for (const char* r : {"r0", "r1", "r2", "r3"}) {
            shader += std::string("U32_TO_F32 ") + r + ", " + r + "\n";
            shader += std::string("FMA.f32 ") + r + ", " + r + ", r10, 0x0.neg\n";
        }
        return run(shader, {0, 0, 0, 0});
    };
    CHECK((color(hw::ComponentOrder::GRBA) & 0xffffff) == 0x80);
    CHECK((color(hw::ComponentOrder::RGBA) & 0xffffff) == 0x8000);
}

TEST_CASE_FIXTURE(DrawFixture, "draw: fragments that early tests reject are shaded if they are killed late") {
    // Counts its threads.
    fragment_shader(
        "MOV.i32 r4, u0\n"
        "MOV.i32 r5, u1\n"
        "IADD_IMM.i32 r6, 0x0, #0x1\n"
        "ATOM.i32.slot0.aadd.wait0 @r6, r4, offset:0x0\n"
        "MOV.i32 r0, 0x3F800000\n"
        "MOV.i32 r1, 0x0\n"
        "MOV.i32 r2, 0x0\n"
        "MOV.i32 r3, 0x3F800000\n"
        "NOP.wait0126\n"
        "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
        "NOP.wait\n"
        "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
    set(hw::IdvsRegisters::depth_stencil,
        place(hw::DepthStencil{.depth_write_enable = true, .depth_function = hw::CompareFunc::Less}));
    vertices({{{0, 0, 0.5f, 1}, {}}, {{128, 0, 0.5f, 1}, {}}, {{0, 128, 0.5f, 1}, {}}});
    for (const bool late : {false, true}) {
        CAPTURE(late);
        const uint64_t counter = room(64), pixels = room(64 * 64 * 4);
        const uint32_t words[2] = {uint32_t(counter), uint32_t(counter >> 32)};
        set(hw::IdvsRegisters::fragment_fau, place(words, sizeof words) | uint64_t(1) << 56);
        hw::DcdFlags0 flags;
        flags.pixel_kill_operation = late ? hw::PixelKill::ForceLate : hw::PixelKill::ForceEarly;
        flags.zs_update_operation = hw::PixelKill::ForceEarly;
        dcd_flags(flags);
        new_frame();
        REQUIRE(draw() == JobStatus::Done);
        REQUIRE(draw() == JobStatus::Done);  // nothing passes
        REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
        uint32_t count = 0;
        std::memcpy(&count, at(counter), 4);
        CHECK(count == 64 * 64 * (late ? 2 : 1));
        CHECK(pixel(pixels, 5, 5) == 0xff0000ffu);
    }
}

TEST_CASE_FIXTURE(DrawFixture,
                  "draw: primitives are drawn in the layers that their provoking vertices name") {
    // The layer is the vertex' number / 3, in the third byte of what follows four positions.
    set(hw::IdvsRegisters::position_spd,
        program("LD_ATTR_IMM.v4.f32.slot0.wait0 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1\n"
                "LD_ATTR_IMM.v4.f32.slot0.wait0 @r8:r9:r10:r11, r60, r61, index:0x1, table:0x1\n"
                "LEA_BUF_IMM.slot0.wait0 @r4:r5, r59, table:0xD, index:0x0\n"
                "STORE.i128.slot0.wait0 @r0:r1:r2:r3, r4, offset:0\n"
                "IADD_IMM.i32 r59, r59, #0x4\n"
                "LEA_BUF_IMM.slot0.wait0 @r4:r5, r59, table:0xD, index:0x0\n"
                "F32_TO_U32 r8, r8\n"
                "STORE.i8.slot0.end @r8, r4, offset:2\n",
                hw::ShaderStage::Vertex, 1u << 11 | 1u << 12 | 1u << 13));
    fragment_shader(
        "MOV.i32 r0, 0x3F800000\n"
        "MOV.i32 r1, 0x3F800000\n"
        "MOV.i32 r2, 0x3F800000\n"
        "MOV.i32 r3, 0x3F800000\n"
        "NOP.wait0126\n"
        "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
        "NOP.wait\n"
        "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
    hw::PrimitiveFlags f;
    f.draw_mode = hw::DrawMode::Triangles;
    f.secondary_shader = true;
    f.layer_index_enable = true;
    f.position_fifo_format = hw::FifoFormat::Extended;
    hw::pack(f, &registers.r[hw::IdvsRegisters::primitive_flags]);
    hw::TilerContext t;
    uint32_t words[hw::TilerContext::kSize_dw];
    std::memcpy(words, at(tiler), sizeof words);
    hw::unpack(words, &t);
    t.layer_count = 2;
    t.layer_offset = -1;  // layers 1 and 2 of the draw
    put(tiler, t);
    // A column of 8 pixels for each of four layers. The last vertex is the provoking one.
    std::vector<Vertex> v;
    for (unsigned layer = 0; layer < 4; ++layer) {
        const float x = float(layer) * 8;
        v.push_back({{x, -64, 0.5f, 1}, {3}});
        v.push_back({{x + 8, -64, 0.5f, 1}, {0}});
        v.push_back({{x, 256, 0.5f, 1}, {float(layer)}});
    }
    vertices(v);
    const JobStatus drawn = draw();
    INFO(fault.report);
    REQUIRE(drawn == JobStatus::Done);
    for (unsigned layer = 0; layer < 2; ++layer) {
        hw::FramebufferParameters p = parameters();
        p.internal_layer_index = layer;
        const uint64_t pixels = room(64 * 64 * 4);
        const JobStatus s = fragment(p, linear_target(pixels));
        INFO(fault.report);
        REQUIRE(s == JobStatus::Done);
        for (unsigned column = 0; column < 4; ++column)
            CHECK((pixel(pixels, column * 8 + 1, 5) != 0) == (column == layer + 1));
    }
    hw::FramebufferParameters p = parameters();
    p.internal_layer_index = 2;
    CHECK(fragment(p, linear_target(room(64 * 64 * 4))) == JobStatus::Fault);
    CHECK(fault.report.find("layer 2 of a tiler context that has 2") != std::string::npos);
}
