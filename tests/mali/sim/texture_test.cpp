// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures in each layout, drawn with a full-screen triangle; AFBC that one frame writes and the next one
// reads.
#include <cmath>
#include <random>

#include "drivers/mali/sim/fragment/framebuffer.h"
#include "pipe/layout/layout.h"
#include "pipe/raster/sample.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

// Coordinates are the varying's first two.
constexpr const char* kTextureShader =
    "LD_VAR_BUF_IMM.f32.slot0.v2.src_f32.center.store.wait0 @r4:r5, r61, index:0x0\n"
    "IADD_IMM.i32 r6, 0x0, #0x20001800\n"
    "IADD_IMM.i32 r7, 0x0, #0x0\n"
    "TEX_SINGLE.slot0.auto.32.2d.computed.wait0 @r0:r1:r2:r3, @r4:r5, r6\n"
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";

struct TextureFixture : DrawFixture {
    uint64_t output = room(kWidth * kHeight * 4);

    TextureFixture() {
        fragment_shader(kTextureShader);
        vertices(
            {{{0, 0, 0, 1}, {0, 0, 0, 0}}, {{128, 0, 0, 1}, {2, 0, 0, 0}}, {{0, 128, 0, 1}, {0, 2, 0, 0}}});
    }
    void sampler(bool nearest) {
        hw::Sampler s;
        s.minify_nearest = s.magnify_nearest = nearest;
        s.mipmap_mode = hw::MipmapMode::None;
        s.maximum_lod = 16;
        table(3, place(s), 1);
    }
    hw::Texture descriptor(unsigned w, unsigned h) {
        hw::Texture t;
        t.dimension = hw::TextureDimension::D2;
        t.format = hw::format_row(pipe::Format::R8G8B8A8_UNORM)->pixel_format;
        t.width = w;
        t.height = h;
        t.swizzle = hw::kIdentitySwizzle;
        return t;
    }
    void texture(hw::Texture t, const hw::Plane& p) {
        t.surfaces = place(p);
        table(4, place(t), 1);
    }
    void run() {
        new_frame();
        const JobStatus drawn = draw();
        INFO(fault.report);
        REQUIRE(drawn == JobStatus::Done);
        const JobStatus done = fragment(parameters(), linear_target(output));
        INFO(fault.report);
        REQUIRE(done == JobStatus::Done);
    }
};

hw::Plane generic_plane(uint64_t va, uint32_t row_stride, uint32_t size, unsigned w, unsigned h, bool tiled) {
    hw::Plane p;
    p.plane_type = hw::PlaneType::Generic;
    p.clump_ordering = tiled ? hw::ClumpOrdering::TiledUInterleaved : hw::ClumpOrdering::Linear;
    p.clump_format = hw::ClumpFormat::RAW32;
    p.size = size;
    p.pointer = va;
    p.row_stride = row_stride;
    p.width = w;
    p.height = h;
    return p;
}

}  // namespace

TEST_CASE_FIXTURE(TextureFixture, "texture: linear and interleaved, nearest and linear filters") {
    std::mt19937 random(3);
    std::vector<uint32_t> image(kWidth * kHeight);
    for (uint32_t& v : image)
        v = uint32_t(random());
    for (const pipe::Tiling tiling : {pipe::Tiling::Linear, pipe::Tiling::Interleaved}) {
        pipe::LayoutDesc d;
        d.format = pipe::Format::R8G8B8A8_UNORM;
        d.width = kWidth;
        d.height = kHeight;
        d.tiling = tiling;
        pipe::SurfaceLayout layout;
        REQUIRE(pipe::layout_compute(d, &layout) == pipe::LayoutStatus::Ok);
        const uint64_t va = room(layout.size_B);
        REQUIRE(
            pipe::tile_rect(layout, at(va), 0, {0, 0, 0, kWidth, kHeight, 1}, image.data(), kWidth * 4, 0));
        texture(descriptor(kWidth, kHeight),
                generic_plane(va, layout.level[0].row_stride_B, uint32_t(layout.size_B), kWidth, kHeight,
                              tiling == pipe::Tiling::Interleaved));
        // One texel for each pixel: both filters give the texel.
        for (const bool nearest : {true, false}) {
            sampler(nearest);
            run();
            CHECK(std::memcmp(at(output), image.data(), image.size() * 4) == 0);
        }
    }
}

// The sampled word as a float: 1 for 0x3f000001, 0 for 0x3f000000, which is that integer rounded to binary32.
constexpr const char* kIntegerShader =
    "LD_VAR_BUF_IMM.f32.slot0.v2.src_f32.center.store.wait0 @r4:r5, r61, index:0x0\n"
    "IADD_IMM.i32 r6, 0x0, #0x20001800\n"
    "IADD_IMM.i32 r7, 0x0, #0x0\n"
    "TEX_SINGLE.slot0.auto.32.2d.computed.wait0 @r0:r1:r2:r3, @r4:r5, r6\n"
    "IADD_IMM.i32 r8, 0x0, #0x4b800000\n"
    "IADD_IMM.i32 r9, 0x0, #0xcb000000\n"
    "FMA.f32 r0, r0, r8, r9\n"
    "IADD_IMM.i32 r3, 0x0, #0x3f800000\n"
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";

TEST_CASE_FIXTURE(TextureFixture, "texture: integers of 32 bits are sampled exactly") {
    fragment_shader(kIntegerShader);
    const uint32_t image[4] = {0x3f000001, 0x3f000000, 0x3f000000, 0x3f000001};
    const uint64_t va = place(image, sizeof(image));
    hw::Texture t = descriptor(2, 2);
    t.format = hw::format_row(pipe::Format::R32_UINT)->pixel_format;
    texture(t, generic_plane(va, 8, 16, 2, 2, false));
    sampler(true);
    run();
    const auto red = [&](unsigned x, unsigned y) { return at(output)[(y * kWidth + x) * 4]; };
    CHECK(red(0, 0) == 255);
    CHECK(red(kWidth - 1, 0) == 0);
    CHECK(red(0, kHeight - 1) == 0);
    CHECK(red(kWidth - 1, kHeight - 1) == 255);
}

TEST_CASE_FIXTURE(TextureFixture, "texture: a swizzle names channels that exist") {
    const uint64_t va = room(64);
    sampler(true);
    for (const uint32_t channel : {6u, 7u})
        for (unsigned c = 0; c < 4; ++c) {
            hw::Texture t = descriptor(2, 2);
            t.swizzle = (t.swizzle & ~(7u << 3 * c)) | channel << 3 * c;
            texture(t, generic_plane(va, 8, 16, 2, 2, false));
            new_frame();
            REQUIRE(draw() == JobStatus::Done);
            REQUIRE(fragment(parameters(), linear_target(output)) == JobStatus::Fault);
            CHECK(fault.report.find("a swizzle with a channel that does not exist") != std::string::npos);
        }
}

TEST_CASE_FIXTURE(TextureFixture, "texture: magnification has the results of pipe/raster's sampler") {
    const uint32_t image[4] = {0xff0000ff, 0xff00ff00, 0xffff0000, 0x80ffffff};
    const uint64_t va = place(image, sizeof(image));
    texture(descriptor(2, 2), generic_plane(va, 8, 16, 2, 2, false));
    sampler(false);
    run();
    pipe::SamplerDesc desc;
    desc.wrap_s = desc.wrap_t = pipe::Wrap::ClampToEdge;
    desc.min = pipe::Filter::Linear;
    desc.mip = pipe::MipFilter::None;
    pipe::raster::TextureShape shape;
    shape.width = shape.height = 2;
    const auto fetch = [](void* data, uint32_t, int32_t x, int32_t y, int32_t, float out[4]) {
        const uint32_t v = static_cast<const uint32_t*>(data)[y * 2 + x];
        for (unsigned c = 0; c < 4; ++c)
            out[c] = float(v >> 8 * c & 0xff) / 255;
    };
    for (unsigned y = 0; y < kHeight; y += 3)
        for (unsigned x = 0; x < kWidth; x += 3) {
            pipe::raster::SampleArgs args;
            args.lod_mode = pipe::raster::LodMode::Explicit;
            args.coord[0] = (float(x) + 0.5f) / kWidth;
            args.coord[1] = (float(y) + 0.5f) / kHeight;
            args.lod = -5;
            float v[4];
            pipe::raster::sample(desc, shape, fetch, const_cast<uint32_t*>(image), args, v);
            const uint32_t got = pixel(output, x, y);
            for (unsigned c = 0; c < 4; ++c)
                CHECK(std::abs(float(got >> 8 * c & 0xff) - v[c] * 255) < 1.01f);
        }
}

TEST_CASE_FIXTURE(TextureFixture, "texture: AFBC that a frame has written, with and without elimination") {
    for (const bool wide : {false, true})
        for (const bool tiled : {false, true}) {
            CAPTURE(wide);
            CAPTURE(tiled);
            // Content that can be compressed: a gradient from the colour shader.
            fragment_shader(kColorShader);
            vertices({{{0, 0, 0, 1}, {0, 0, 0, 1}},
                      {{64, 0, 0, 1}, {1, 0, 0.5f, 1}},
                      {{0, 64, 0, 1}, {0, 1, 0.5f, 1}}});
            new_frame();
            const uint64_t afbc = room(0x20000), plain = room(kWidth * kHeight * 4), crc = room(4096);
            REQUIRE(draw() == JobStatus::Done);
            REQUIRE(fragment(parameters(), linear_target(plain)) == JobStatus::Done);
            hw::RenderTarget t = linear_target(0);
            t.writeback_block_format = tiled ? hw::BlockFormat::AFBC_TILED : hw::BlockFormat::AFBC;
            t.afbc_wide_block = wide;
            t.afbc_header = afbc;
            t.afbc_row_stride = (kWidth / (wide ? 32 : 16)) * 16;
            if (tiled) t.afbc_row_stride = 8 * 8 * 16;
            t.afbc_body_offset = 0x1000;
            t.afbc_compression_mode = hw::AfbcCompressionMode::R8G8B8A8;
            hw::ZsCrcExtension zs;
            zs.crc_base = crc;
            zs.crc_row_stride = 32;
            hw::FramebufferParameters p = parameters();
            p.has_zs_crc_extension = true;
            p.crc_write_enable = true;
            JobStatus done = fragment(p, t, &zs);
            INFO(fault.report);
            REQUIRE(done == JobStatus::Done);
            hw::Plane plane;
            plane.plane_type = hw::PlaneType::Afbc;
            plane.afbc_superblock_size =
                wide ? hw::AfbcSuperblockSize::N32x8 : hw::AfbcSuperblockSize::N16x16;
            plane.afbc_tiled_header = tiled;
            plane.afbc_compression_mode = hw::AfbcCompressionMode::R8G8B8A8;
            plane.afbc_header_stride = 0x1000;
            plane.size = 0x20000;
            plane.pointer = afbc;
            plane.row_stride = t.afbc_row_stride;
            plane.width = kWidth;
            plane.height = kHeight;
            texture(descriptor(kWidth, kHeight), plane);
            sampler(true);
            fragment_shader(kTextureShader);
            vertices({{{0, 0, 0, 1}, {0, 0, 0, 0}},
                      {{128, 0, 0, 1}, {2, 0, 0, 0}},
                      {{0, 128, 0, 1}, {0, 2, 0, 0}}});
            const uint64_t frame = tiler;
            run();
            CHECK(std::memcmp(at(output), at(plain), kWidth * kHeight * 4) == 0);
            // The same frame again: its tiles are known, and memory is not written.
            std::memset(at(afbc), 0xee, 0x1000);
            tiler = frame;
            p.tiler = frame;
            p.crc_read_enable = true;
            REQUIRE(fragment(p, t, &zs) == JobStatus::Done);
            CHECK(at(afbc)[0] == 0xee);
            new_frame();
        }
}

TEST_CASE_FIXTURE(TextureFixture, "texture: a size too small and a wrong descriptor are faults") {
    sampler(true);
    texture(descriptor(kWidth, kHeight), generic_plane(room(4096), kWidth * 4, 4096, kWidth, kHeight, false));
    REQUIRE(draw() == JobStatus::Done);
    REQUIRE(fragment(parameters(), linear_target(output)) == JobStatus::Fault);
    CHECK(fault.report.find("is beyond its 4096 bytes") != std::string::npos);
    CHECK(fault.report.find("draw 1: fragment shader: shader 0x") != std::string::npos);
    new_frame();
    table(4, place(hw::Sampler{}), 1);
    REQUIRE(draw() == JobStatus::Done);
    REQUIRE(fragment(parameters(), linear_target(output)) == JobStatus::Fault);
    CHECK(fault.report.find("texture descriptor at ") != std::string::npos);
}

TEST_CASE_FIXTURE(TextureFixture, "texture: gathered texels are in rows, and the first one is (i0, j0)") {
    std::string text = kTextureShader;
    const size_t at_op = text.find("TEX_SINGLE");
    text.replace(at_op, text.find('\n', at_op) - at_op,
                 "TEX_GATHER.slot0.auto.32.2d.gather4_r.wait0 @r0:r1:r2:r3, @r4:r5, r6");
    fragment_shader(text);
    sampler(true);
    // Red is 10 at (0, 0), 20 at (1, 0), 30 at (0, 1), 40 at (1, 1).
    const uint32_t image[4] = {10, 20, 30, 40};
    const uint64_t va = place(image, sizeof image);
    texture(descriptor(2, 2), generic_plane(va, 8, 16, 2, 2, false));
    run();
    const uint32_t v = pixel(output, 32, 32);
    CHECK(v == (10u | 20u << 8 | 30u << 16 | 40u << 24));
}
