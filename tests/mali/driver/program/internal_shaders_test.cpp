// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Load shaders on the virtual GPU: they keep the content that attachments had before a frame.
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/common/clear/draw_clear.h"

#include <random>

#include "drivers/common/blit/copy_shaders.h"
#include "drivers/mali/compiler/compile.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::mali::sim::testing;
using sim::JobStatus;

namespace {

constexpr unsigned kImage_B = DrawFixture::kWidth * DrawFixture::kHeight * 4;

struct LoadFixture : DrawFixture {
    std::vector<uint64_t> images;  // the loaded images, in the shader's order
    uint64_t descriptors = 0;

    uint64_t random_image(unsigned seed) {
        std::mt19937 random(seed);
        std::vector<uint32_t> image(kWidth * kHeight);
        for (uint32_t& v : image)
            v = uint32_t(random());
        return place(image.data(), kImage_B);
    }
    std::vector<uint32_t> pixels(uint64_t va) {
        std::vector<uint32_t> v(kWidth * kHeight);
        std::memcpy(v.data(), at(va), kImage_B);
        return v;
    }
    void texture(uint64_t image, uint32_t format, hw::ClumpFormat clump, uint32_t swizzle) {
        hw::Plane p;
        p.plane_type = hw::PlaneType::Generic;
        p.clump_ordering = hw::ClumpOrdering::Linear;
        p.clump_format = clump;
        p.size = kImage_B;
        p.pointer = image;
        p.row_stride = kWidth * 4;
        p.width = kWidth;
        p.height = kHeight;
        hw::Texture t;
        t.dimension = hw::TextureDimension::D2;
        t.format = format;
        t.width = kWidth;
        t.height = kHeight;
        t.swizzle = swizzle;
        t.surfaces = place(p);
        if (!descriptors) descriptors = room(16 * hw::Texture::kSize_B);
        put(descriptors + images.size() * hw::Texture::kSize_B, t);
        images.push_back(image);
        table(4, descriptors, unsigned(images.size()));
    }
    void color_texture(uint64_t image) {
        texture(image, hw::format_row(pipe::Format::R8G8B8A8_UNORM)->pixel_format, hw::ClumpFormat::RAW32,
                hw::kIdentitySwizzle);
    }
    /// Three draws without vertices; draw `index` has the load shader.
    uint64_t frame_shaders(const LoadKey& key, unsigned index) {
        const compiler::Binary b =
            compiler::compile(*blits::load_fragment_shader(key), compiler::Part::Fragment);
        REQUIRE(b.error == "");
        INFO(mali::isa::disassemble(b.code));
        table(3, place(hw::Sampler{}), 1);
        const unsigned targets = unsigned(std::popcount(key.colors));
        const uint64_t blends = room(8 * hw::Blend::kSize_B);
        for (unsigned n = 0; n < 8; ++n) {
            hw::Blend blend;
            blend.equation.color_mask = 15;
            blend.internal.mode = key.colors >> n & 1 ? hw::BlendMode::Opaque : hw::BlendMode::Off;
            blend.internal.num_comps = 4;
            blend.internal.rt = n;
            blend.internal.conversion.memory_format =
                hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
            blend.internal.conversion.register_format = hw::RegisterFileFormat::F32;
            put(blends + n * hw::Blend::kSize_B, blend);
        }
        hw::DepthStencil zs;
        zs.depth_function = hw::CompareFunc::Always;
        zs.depth_write_enable = key.depth;
        zs.depth_cull_enable = false;
        if (key.depth) zs.depth_source = hw::DepthSource::Shader;
        zs.stencil_test_enable = zs.stencil_from_shader = key.stencil;
        zs.front_compare_function = hw::CompareFunc::Always;
        zs.front_stencil_fail = zs.front_depth_fail = zs.front_depth_pass = hw::StencilOp::Replace;
        zs.front_write_mask = zs.front_value_mask = 0xff;
        hw::Draw d;
        const bool late = key.depth || key.stencil;
        d.flags_0.pixel_kill_operation = d.flags_0.zs_update_operation =
            late ? hw::PixelKill::ForceLate : hw::PixelKill::ForceEarly;
        d.flags_0.clean_fragment_write = true;
        d.flags_1.sample_mask = 0xffff;
        d.flags_1.render_target_mask = key.colors;
        d.maximum_z = 1;
        d.depth_stencil = place(zs);
        d.blend = blends;
        d.blend_count = targets ? 8 : 0;
        hw::ShaderProgram program;
        program.stage = hw::ShaderStage::Fragment;
        program.preload = uint32_t(b.info.preload >> 48);
        program.binary = place(b.code.data(), b.code.size() * 8);
        d.shader.shader = place(program);
        d.shader.resources = tables | 5;
        std::vector<uint32_t> fau;
        for (const compiler::UniformWord& w : b.info.fau) {
            REQUIRE(w.kind == compiler::UniformWord::Kind::Constant);
            fau.push_back(w.value);
        }
        d.shader.fau_count = uint32_t(fau.size() / 2);
        if (!fau.empty()) d.shader.fau = place(fau.data(), fau.size() * 4);
        const uint64_t va = room(3 * hw::Draw::kSize_B);
        put(va + index * hw::Draw::kSize_B, d);
        return va;
    }
    /// A frame with any number of linear targets.
    JobStatus frame(hw::FramebufferParameters p, const std::vector<uint64_t>& targets,
                    const hw::ZsCrcExtension* zs = nullptr, bool clean_write = true) {
        const uint64_t fb = room(4096);
        p.render_target_count = uint32_t(targets.size());
        p.has_zs_crc_extension = zs != nullptr;
        put(fb, hw::Framebuffer{.parameters = p});
        uint64_t va = fb + hw::Framebuffer::kSize_B;
        if (zs) {
            put(va, *zs);
            va += hw::ZsCrcExtension::kSize_B;
        }
        for (size_t n = 0; n < targets.size(); ++n, va += hw::RenderTarget::kSize_B) {
            hw::RenderTarget t = linear_target(targets[n]);
            t.clean_pixel_write_enable = clean_write;
            t.internal_buffer_offset = uint32_t(n) * 256 * 4;
            t.clear[0] = 0x11223344;
            put(va, t);
        }
        hw::FramebufferPointer pointer;
        pointer.pointer = fb;
        pointer.render_target_count = uint32_t(targets.size());
        pointer.zs_crc_extension_present = zs != nullptr;
        hw::pack(pointer, &registers.r[hw::FragmentRegisters::framebuffer]);
        set(hw::FragmentRegisters::scissor, uint64_t(kWidth - 1) << 32 | uint64_t(kHeight - 1) << 48);
        const JobStatus s = jobs->fragment({}, registers, &fault);
        set(hw::IdvsRegisters::tiler_context, tiler);
        return s;
    }
};

}  // namespace

TEST_CASE_FIXTURE(LoadFixture, "mali load shader: a frame without draws keeps its colours") {
    const uint64_t before = random_image(1), after = room(kImage_B);
    color_texture(before);
    hw::FramebufferParameters p = parameters();
    p.pre_frame_0 = hw::PrePostFrameShaderMode::Always;
    p.frame_shader_dcds = frame_shaders({.colors = 1}, 0);
    const JobStatus s = frame(p, {after});
    INFO(fault.report);
    REQUIRE(s == JobStatus::Done);
    CHECK(pixels(after) == pixels(before));
}

TEST_CASE_FIXTURE(LoadFixture, "mali load shader: loaded targets keep their content, others are cleared") {
    const uint64_t first = random_image(2), third = random_image(3);
    const std::vector<uint64_t> after = {room(kImage_B), room(kImage_B), room(kImage_B)};
    color_texture(first);
    color_texture(third);
    hw::FramebufferParameters p = parameters();
    p.pre_frame_0 = hw::PrePostFrameShaderMode::Always;
    p.frame_shader_dcds = frame_shaders({.colors = 1 | 4}, 0);
    const JobStatus s = frame(p, after);
    INFO(fault.report);
    REQUIRE(s == JobStatus::Done);
    CHECK(pixels(after[0]) == pixels(first));
    CHECK(pixels(after[1]) == std::vector<uint32_t>(kWidth * kHeight, 0x11223344));
    CHECK(pixels(after[2]) == pixels(third));
}

TEST_CASE_FIXTURE(LoadFixture, "mali load shader: in tiles with draws, the rest of the tile is loaded") {
    const uint64_t image = random_image(4);
    const std::vector<uint32_t> before = pixels(image);
    color_texture(image);
    hw::FramebufferParameters p = parameters();
    p.pre_frame_0 = hw::PrePostFrameShaderMode::Intersect;
    p.frame_shader_dcds = frame_shaders({.colors = 1}, 0);
    // Tiles of 32x32: the triangle is in the first one.
    p.effective_tile_size = 1024;
    vertices({{{1, 1, 0, 1}, {1, 1, 1, 1}}, {{9, 1, 0, 1}, {1, 1, 1, 1}}, {{1, 9, 0, 1}, {1, 1, 1, 1}}});
    REQUIRE(draw() == JobStatus::Done);
    p.tiler = tiler;
    const JobStatus s = frame(p, {image}, nullptr, false);
    INFO(fault.report);
    REQUIRE(s == JobStatus::Done);
    unsigned changed = 0;
    const std::vector<uint32_t> after = pixels(image);
    for (unsigned y = 0; y < kHeight; ++y)
        for (unsigned x = 0; x < kWidth; ++x) {
            // Left of and above the diagonal, at pixel centres.
            const bool inside = x >= 1 && y >= 1 && x + y < 9;
            CHECK(after[y * kWidth + x] == (inside ? 0xffffffff : before[y * kWidth + x]));
            changed += inside;
        }
    CHECK(changed == 28);
}

TEST_CASE_FIXTURE(LoadFixture, "mali load shader: depth and stencil, one or both") {
    const uint64_t before = random_image(5), color = room(kImage_B);
    const uint32_t depth_format = hw::format_row(pipe::Format::D24_UNORM_S8_UINT)->pixel_format;
    const uint32_t stencil_format = hw::format_row(pipe::Format::S8_UINT)->pixel_format;
    for (const unsigned which : {1u, 2u, 3u}) {
        CAPTURE(which);
        const bool with_depth = which & 1, with_stencil = which & 2;
        const uint64_t after = room(kImage_B);
        images.clear();
        if (with_depth) texture(before, depth_format, hw::ClumpFormat::RAW32, hw::kIdentitySwizzle);
        if (with_stencil) texture(before, stencil_format, hw::ClumpFormat::X24S8, hw::kIdentitySwizzle);
        hw::FramebufferParameters p = parameters();
        p.pre_frame_1 = hw::PrePostFrameShaderMode::EarlyZsAlways;
        p.frame_shader_dcds = frame_shaders({.depth = with_depth, .stencil = with_stencil}, 1);
        p.z_write_enable = p.s_write_enable = true;
        p.z_clear = 0.5f;
        p.s_clear = 0x5a;
        hw::ZsCrcExtension zs;
        zs.zs_write_format = hw::ZsWriteFormat::D24S8;
        zs.zs_block_format = hw::BlockFormat::LINEAR;
        zs.zs_clean_pixel_write_enable = true;
        zs.zs_writeback_base = after;
        zs.zs_writeback_row_stride = kWidth * 4;
        const JobStatus s = frame(p, {color}, &zs);
        INFO(fault.report);
        REQUIRE(s == JobStatus::Done);
        std::vector<uint32_t> expected = pixels(before);
        for (uint32_t& v : expected) {
            if (!with_depth) v = (v & 0xff000000) | 0x800000;
            if (!with_stencil) v = (v & 0xffffff) | 0x5a000000;
        }
        CHECK(pixels(after) == expected);
    }
}

TEST_CASE_FIXTURE(LoadFixture, "mali clear shaders: a rectangle of the colour, in the viewport") {
    const compiler::Binary vertex = compiler::compile(*clears::vertex_shader(), compiler::Part::Position);
    const compiler::Binary fragment =
        compiler::compile(*clears::fragment_shader(1), compiler::Part::Fragment);
    REQUIRE(vertex.error == "");
    REQUIRE(fragment.error == "");
    const auto program = [&](const compiler::Binary& b, hw::ShaderStage stage, unsigned spd, unsigned fau) {
        hw::ShaderProgram p;
        p.stage = stage;
        p.preload = uint32_t(b.info.preload >> 48);
        p.binary = place(b.code.data(), b.code.size() * 8);
        set(spd, place(p));
        const programs::UniformLayout layout = programs::lay_out_uniforms(b.info.fau);
        SysvalValues v;
        v.viewport_scale[0] = v.viewport_scale[1] = v.viewport_offset[0] = v.viewport_offset[1] = 32;
        v.viewport_scale[2] = v.viewport_offset[2] = 0.5f;
        const float color[4] = {1, 0, 0.2f, 0.4f};
        uint32_t uniforms[4];
        std::memcpy(uniforms, color, sizeof(color));
        std::vector<uint32_t> words(b.info.fau.size());
        programs::write_uniforms(layout, uniforms, &v, words.data());
        set(fau, place(words.data(), words.size() * 4) | uint64_t(words.size() / 2) << 56);
    };
    using R = hw::IdvsRegisters;
    program(vertex, hw::ShaderStage::Vertex, R::position_spd, R::vertex_fau);
    program(fragment, hw::ShaderStage::Fragment, R::fragment_spd, R::fragment_fau);
    // Clip space: x and y to a quarter of the picture, two triangles.
    vertices({{{-1, -1, 0, 1}, {}},
              {{0, -1, 0, 1}, {}},
              {{-1, 0, 0, 1}, {}},
              {{0, -1, 0, 1}, {}},
              {{0, 0, 0, 1}, {}},
              {{-1, 0, 0, 1}, {}}});
    hw::PrimitiveFlags flags;
    flags.draw_mode = hw::DrawMode::Triangles;
    hw::pack(flags, &registers.r[R::primitive_flags]);
    REQUIRE(draw() == JobStatus::Done);
    const uint64_t image = room(kImage_B);
    hw::FramebufferParameters p = parameters();
    p.tiler = tiler;
    const JobStatus s = frame(p, {image});
    INFO(fault.report);
    REQUIRE(s == JobStatus::Done);
    for (unsigned y = 0; y < kHeight; ++y)
        for (unsigned x = 0; x < kWidth; ++x)
            CHECK(pixel(image, x, y) == (x < 32 && y < 32 ? 0x663300ff : 0x11223344));
}

TEST_CASE("mali load shader: no more instructions than needed") {
    const compiler::Binary b =
        compiler::compile(*blits::load_fragment_shader({.colors = 1}), compiler::Part::Fragment);
    REQUIRE(b.error == "");
    INFO(mali::isa::disassemble(b.code));
    // x, y, fetch, ATEST, at most four moves, BLEND, and two before a blend shader.
    CHECK(b.info.statistics.instructions <= 11);
    CHECK(b.info.textures == 1);
    CHECK(b.info.work_registers == 32);
    CHECK(!b.info.uses_derivatives);
}
