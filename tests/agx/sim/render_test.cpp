// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "tests/agx/sim/gpu_fixture.h"

namespace terrazzo::tests::agx {
namespace {

std::vector<SceneVertex> triangle(float z = 0.5f) {
    const auto v = [&](float x, float y) { return SceneVertex{{x, y, z, 1}, {1, 0, 0, 1}}; };
    return {v(-1, -1), v(1, -1), v(-1, 1)};
}

TEST_CASE("agx render: a clear of any size") {
    for (const auto& [w, h] : {std::pair{1u, 1u}, {33u, 17u}, {300u, 200u}}) {
        Scene s(w, h);
        s.set_clear(0, 1, 0, 1);
        s.begin();
        REQUIRE(s.finish() == "");
        for (const uint32_t p : s.pixels)
            REQUIRE(p == 0xff00ff00);
    }
}

TEST_CASE("agx render: a triangle covers the pixels on its side") {
    for (const unsigned threads : {1u, 4u}) {
        Scene s(100, 100, threads);
        s.begin();
        s.draw(triangle());
        REQUIRE(s.finish() == "");
        for (uint32_t y = 0; y < 100; ++y)
            for (uint32_t x = 0; x < 100; ++x) {
                if (x + y == 99) continue;  // the edge
                REQUIRE(s.pixel(x, y) == (x + y < 99 ? 0xff0000ffu : 0u));
            }
    }
}

TEST_CASE("agx render: values are interpolated with perspective") {
    Scene s(64, 64);
    std::vector<SceneVertex> quad = {{{-1, -1, 0.5f, 1}, {0, 0, 0, 1}},
                                     {{3, -3, 1.5f, 3}, {1, 0, 0, 1}},
                                     {{-1, 1, 0.5f, 1}, {0, 1, 0, 1}},
                                     {{3, 3, 1.5f, 3}, {1, 1, 0, 1}}};
    s.begin();
    s.draw(quad, hw::Primitive::TriangleStrip);
    REQUIRE(s.finish() == "");
    for (uint32_t x = 0; x < 64; ++x) {
        const double a = (x + 0.5) / 64, red = (a / 3) / ((1 - a) + a / 3);
        CHECK(std::abs(double(s.pixel(x, 10) & 0xff) - 255 * red) < 1);
    }
}

TEST_CASE("agx render: depth tests, clears and masks of pairs") {
    Scene s(64, 64);
    s.ppp.front_face.depth_func = s.ppp.back_face.depth_func = hw::ZsFunc::Less;
    s.ppp.front_face.disable_depth_write = s.ppp.back_face.disable_depth_write = false;
    s.command.isp_bgobjdepth = std::bit_cast<uint32_t>(0.5f);
    s.begin();
    s.draw(triangle(0.75f));  // farther than the background
    REQUIRE(s.finish() == "");
    CHECK(s.pixel(1, 1) == 0);
    s.begin();
    s.draw(triangle(0.25f));
    std::vector<SceneVertex> farther = triangle(0.3f);
    for (SceneVertex& v : farther)
        v.value[1] = 1;
    s.draw(farther);
    REQUIRE(s.finish() == "");
    CHECK(s.pixel(1, 1) == 0xff0000ff);
}

TEST_CASE("agx render: a program discards, and tests its samples") {
    Scene s(64, 64);
    s.ppp.fragment_control_2.pass_type = hw::PassType::PunchThrough;
    // Odd columns are discarded.
    const std::string text =
        "mov_imm16 r0l, 0x0\n"
        "get_sr r2, thread_position_in_grid.x\n"
        "bitop.and r2, r2, 1\n"
        "icmpsel.ueq r3l, r2, 0, 255, 0\n"
        "sample_mask 255, r3l\n"
        "iterproj.xyzw.center r4_r5_r6_r7, cf1, cf0, _\n"
        "st_tile.u8norm.xyzw r4_r5_r6_r7, 255, 0\n"
        "stop\n";
    s.set_fragment_program(text);
    s.begin();
    s.draw(triangle());
    REQUIRE(s.finish() == "");
    CHECK(s.pixel(2, 2) == 0xff0000ff);
    CHECK(s.pixel(3, 2) == 0);
    // Without the tests it is a fault; so are tests in another pass type.
    s.set_fragment_program("stop\n");
    s.begin();
    s.draw(triangle());
    CHECK(s.finish().find("ended before the tests") != std::string::npos);
    s.ppp.fragment_control_2.pass_type = hw::PassType::Opaque;
    s.set_fragment_program(text);
    s.begin();
    s.draw(triangle());
    CHECK(s.finish().find("pass type is not punch-through") != std::string::npos);
}

TEST_CASE("agx render: occlusion queries, scissors, restart") {
    Scene s(64, 64);
    const uint64_t results = s.memory.allocate(64);
    s.command.isp_oclqry_base = results;
    s.ppp.header.occlusion_query = s.ppp.header.depth_bias_scissor = true;
    s.ppp.occlusion_query.index = 3;
    s.ppp.fragment_control.visibility_mode = hw::VisibilityMode::Counting;
    s.ppp.fragment_control.scissor_enable = true;
    hw::Scissor scissor;
    scissor.min_x = 8, scissor.max_x = 16, scissor.min_y = 4, scissor.max_y = 6;
    scissor.max_z = 1;
    Words list;
    s.command.isp_scissor_base = list.add(scissor).put(s.memory);
    std::vector<SceneVertex> quad = triangle();
    quad.push_back({{1, 1, 0.5f, 1}, {1, 0, 0, 1}});
    s.begin();
    s.draw(quad, hw::Primitive::TriangleStrip, {0, 1, 2, 0xffff, 1, 2, 3});
    REQUIRE(s.finish() == "");
    uint64_t count[4];
    std::memcpy(count, s.memory.at(results), sizeof count);
    CHECK(count[3] == 16);
    CHECK(s.pixel(8, 4) == 0xff0000ff);
    CHECK(s.pixel(7, 4) == 0);
    CHECK(s.pixel(8, 6) == 0);
}

TEST_CASE("agx render: what a stream lacks is a fault that names it") {
    Scene s(64, 64);
    s.ppp.header.front_stencil = false;
    s.begin();
    s.draw(triangle());
    CHECK(s.finish() == "draw 1: PPP state has no front_stencil");
    s.ppp.header.front_stencil = true;
    s.vertex_text = "st_var_final r5, 9\nstop\n";
    s.begin();
    s.draw(triangle());
    CHECK(s.finish().find("output 9 of a vertex that has 8") != std::string::npos);
    s.vertex_text = "iadd r2, u100, 1\nstop\n";
    s.begin();
    s.draw(triangle());
    CHECK(s.finish().find("uniform u100l is not bound") != std::string::npos);
}

// A texture of RGBA8 whose texel (x, y) of a level is {16 x, 16 y, level, 255}, at number 0.
void bind_texture(Scene& s, Words* words, uint32_t width, uint32_t height, bool twiddled,
                  hw::Sampler sampler) {
    pipe::AgxLayoutDesc l;
    l.image.format = pipe::Format::R8G8B8A8_UNORM;
    l.image.width = width, l.image.height = height;
    l.image.levels = twiddled ? uint32_t(std::bit_width(std::max(width, height))) : 1;
    l.image.tiling = twiddled ? pipe::Tiling::Twiddled : pipe::Tiling::Linear;
    pipe::AgxLayout layout;
    REQUIRE(pipe::agx_layout_compute(l, &layout) == pipe::LayoutStatus::Ok);
    const uint64_t va = s.memory.allocate(layout.surface.size_B, 16384);
    for (uint32_t level = 0; level < l.image.levels; ++level) {
        const auto w = int32_t(std::max(1u, width >> level)), h = int32_t(std::max(1u, height >> level));
        std::vector<uint32_t> rows(size_t(w) * size_t(h));
        for (int32_t y = 0; y < h; ++y)
            for (int32_t x = 0; x < w; ++x)
                rows[size_t(y) * size_t(w) + size_t(x)] =
                    uint32_t(16 * x & 255) | uint32_t(16 * y & 255) << 8 | level << 16 | 0xff000000u;
        REQUIRE(pipe::tile_rect(layout.surface, s.memory.at(va), level, {0, 0, 0, w, h, 1}, rows.data(),
                                w * 4, 0));
    }
    hw::Texture d;
    d.dimension = hw::TextureDimension::N2d;
    d.layout = twiddled ? hw::Layout::Twiddled : hw::Layout::Linear;
    d.channels = hw::Channels::R8G8B8A8;
    d.swizzle_g = hw::Channel::G, d.swizzle_b = hw::Channel::B, d.swizzle_a = hw::Channel::A;
    d.width = width, d.height = height;
    d.last_level = l.image.levels - 1;
    d.mipmapped = l.image.levels > 1;
    d.address = va;
    if (!twiddled) d.stride = layout.surface.level[0].row_stride_B - 16;
    Words list, samplers;
    hw::UscTexture texture;
    texture.count = 1;
    texture.buffer = list.add(d).put(s.memory);
    hw::UscSampler bound;
    bound.count = 1;
    bound.buffer = samplers.add(sampler).put(s.memory);
    words->add(texture).add(bound);
}

TEST_CASE("agx render: textures: layouts, levels, filters, loads") {
    for (const bool twiddled : {false, true})
        for (const char* const text : {"texture_sample.2d.xyzw r4_r5_r6_r7, r8_r9, _, _, ts0, ss0, _\n",
                                       "mov_imm16 r10l, 0x4000\ntexture_sample.2d.xyzw.lod_min r4_r5_r6_r7, "
                                       "r8_r9, r10l, _, ts0, ss0, _\n"}) {
            const bool explicit_level = text[0] == 'm';
            if (explicit_level && !twiddled) continue;
            Scene s(32, 32);
            hw::Sampler sampler;
            sampler.mip_filter = hw::MipFilter::Nearest;
            sampler.maximum_lod = 10;
            Words words;
            bind_texture(s, &words, 16, 16, twiddled, sampler);
            s.ppp.fragment_shader.pipeline.address =
                s.program(words.add(Scene::tile_shape()),
                          std::string("iterproj.xy.center r8_r9, cf1, cf0, _\n") + text +
                              "wait 0\nst_tile.u8norm.xyzw r4_r5_r6_r7, 255, 0\nstop\n");
            const auto v = [](float x, float y) {
                return SceneVertex{{x, y, 0.5f, 1}, {(x + 1) / 2, (y + 1) / 2, 0, 0}};
            };
            s.begin();
            s.draw({v(-1, -1), v(1, -1), v(-1, 1), v(1, 1)}, hw::Primitive::TriangleStrip);
            REQUIRE(s.finish() == "");
            const uint32_t level = explicit_level ? 2 : 0;
            for (uint32_t y = 0; y < 32; ++y)
                for (uint32_t x = 0; x < 32; ++x) {
                    const uint32_t tx = x / 2 >> level, ty = y / 2 >> level;
                    REQUIRE(s.pixel(x, y) == (16 * tx | 16 * ty << 8 | level << 16 | 0xff000000u));
                }
        }
    // The pixel's own texel, of a level in a register.
    Scene s(16, 16);
    Words words;
    bind_texture(s, &words, 16, 16, true, {});
    s.ppp.fragment_shader.pipeline.address =
        s.program(words.add(Scene::tile_shape()),
                  "get_sr r8, thread_position_in_grid.x\nget_sr r9, thread_position_in_grid.y\n"
                  "texture_load.2d.xyzw r4_r5_r6_r7, r8_r9, _, _, ts0, ss0, _\nwait 0\n"
                  "st_tile.u8norm.xyzw r4_r5_r6_r7, 255, 0\nstop\n");
    s.begin();
    s.draw(triangle());
    REQUIRE(s.finish() == "");
    CHECK(s.pixel(3, 5) == (48 | 80 << 8 | 0xff000000u));
}

}  // namespace
}  // namespace terrazzo::tests::agx
