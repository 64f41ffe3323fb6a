// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The whole driver on the virtual GPU, through the pipe interface.
#include <cmath>

#include "drivers/adreno/passes/tiles.h"
#include "drivers/adreno/program/program.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("scene: draws that sample their own targets read some value, and the device is not lost") {
    DriverScene s = open_scene(32, 32, either_mode());
    const auto color =
        s.image(pipe::Format::R8G8B8A8_UNORM, 32, 32, pipe::bind::kSampled | pipe::bind::kColor);
    const auto depth =
        s.image(pipe::Format::D24_UNORM_S8_UINT, 32, 32, pipe::bind::kSampled | pipe::bind::kDepthStencil);
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec2 at;\n"
        "void main() { gl_Position = position; at = position.xy * 0.5 + 0.5 + color.xy * 0.0; }\n",
        "precision highp float; varying vec2 at; uniform sampler2D image;\n"
        "void main() { gl_FragColor = texture2D(image, at); }\n");
    const auto plain = s.screen->create_sampler(
        {.min = pipe::Filter::Nearest, .mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::None});
    const auto always = s.screen->create_depth_stencil(
        {.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Always});
    s.context->bind_depth_stencil(always.get());
    for (const auto& sampled : {color, depth}) {
        pipe::RenderPassDesc loop = s.pass;
        loop.color[0].resource = color.get();
        loop.color[0].load = pipe::LoadOp::Clear;
        loop.depth_stencil.resource = depth.get();
        const auto view = s.screen->create_sampler_view(sampled, {.format = sampled->desc.format});
        REQUIRE(view);
        pipe::SamplerView* views[] = {view.get()};
        pipe::SamplerState* samplers[] = {plain.get()};
        s.context->bind_program(program.get());
        s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
        s.context->begin_render_pass(loop);
        for (int i = 0; i < 3; ++i)
            s.rectangle(0, 0, 32, 32, 0.5f, {0, 0, 0, 0});
        s.context->end_render_pass();
        // Draws in the same pass that do not sample it are correct, too.
        s.context->begin_render_pass(loop);
        s.rectangle(0, 0, 32, 32, 0.5f, {0, 0, 0, 0});
        s.context->bind_program(s.program.get());
        s.rectangle(0, 0, 32, 32, 0.5f, {1, 0, 0, 1});
        s.context->end_render_pass();
        s.context->bind_program(program.get());
        const auto shown = s.screen->create_sampler_view(color, {.format = color->desc.format});
        views[0] = shown.get();
        s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
        s.begin();
        s.rectangle(0, 0, 32, 32, 0.5f, {0, 0, 0, 0});
        const auto pixels = s.pixels();
        CHECK(s.messages == "");
        CHECK(pixels[10 * 32 + 4] == 0xff0000ff);
    }
}

TEST_CASE("scene: arrays of a shader with computed indices are in memory") {
    DriverScene s = open_scene(32, 32);
    const char* const array =
        "  float a[24];\n"
        "  for (int i = 0; i < 24; ++i) a[i] = float(i) / 32.0 + zero;\n"
        "  float picked = a[int(at)] + a[int(at) + 1];\n";
    const std::string vs = std::string(
                               "attribute vec4 position; attribute vec4 color; varying float v, x, zero;\n"
                               "void main() { float at = color.x * 20.0; zero = color.y;\n") +
                           array + "  gl_Position = position; v = picked; x = position.x * 0.5 + 0.5; }\n";
    const std::string fs = std::string(
                               "precision highp float; varying float v, x, zero;\n"
                               "void main() { float at = x * 20.0;\n") +
                           array + "  gl_FragColor = vec4(picked, v, 0.0, 1.0); }\n";
    const auto program = s.link(vs.c_str(), fs.c_str());
    CHECK(static_cast<adreno::AdrenoProgram&>(*program).fragment().info.private_B >= 96);
    CHECK(static_cast<adreno::AdrenoProgram&>(*program).vertex().info.private_B >= 96);
    s.context->bind_program(program.get());
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 32, 32, 0.5f, {0.26f, 0, 0, 1});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    for (const int x : {0, 7, 16, 31}) {
        CAPTURE(x);
        const int at = int((float(x) + 0.5f) / 32 * 20);
        const float want = std::min(1.0f, float(2 * at + 1) / 32);
        CHECK(std::abs(float(pixels[size_t(320 + x)] & 0xff) - want * 255) <= 1);
        CHECK(std::abs(float(pixels[size_t(320 + x)] >> 8 & 0xff) - 11 * 255 / 32.0f) <= 1);
    }
}

TEST_CASE("scene: tiles are not stored if their content is not needed") {
    const pipe::DebugWord mode = either_mode();
    for (const bool by_store : {false, true}) {
        DriverScene s = open_scene(64, 64, mode);
        s.depth_stencil({.depth_test = true, .depth_write = true});
        s.begin(0, 0, 0, 1);
        s.rectangle(0, 0, 64, 64, 0.75f, {0, 0, 1, 1});
        s.context->end_render_pass();
        if (by_store) s.pass.depth_stencil.store = s.pass.stencil_store = pipe::StoreOp::DontCare;
        s.resume();
        s.rectangle(0, 0, 64, 64, 0.25f, {1, 0, 0, 1});
        if (!by_store)
            s.context->discard_attachments(pipe::attachment_bit::kDepth | pipe::attachment_bit::kStencil);
        s.context->end_render_pass();
        s.resume();
        s.rectangle(0, 0, 64, 64, 0.5f, {0, 1, 0, 1});
        // In sysmem the second pass' depth is written to memory nevertheless.
        CHECK(s.pixels()[100] == (mode == pipe::DebugWord::Gmem ? 0xff00ff00 : 0xff0000ff));
        CHECK(s.messages == "");
    }
}

TEST_CASE("scene: tiles outside the pass' area are omitted") {
    DriverScene s = open_scene(512, 512, pipe::DebugWord::Gmem);
    s.begin(0, 0, 1, 1);
    s.context->end_render_pass();
    s.pass.area = {0, 0, 8, 8};
    s.begin(1, 0, 0, 1);
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[7 * 512 + 7] == 0xff0000ff);
    CHECK(pixels[511 * 512 + 511] == 0xffff0000);
}

TEST_CASE("tiles: as few as fit into GMEM, with the chip's alignment") {
    adreno::Targets t;
    t.color_count = 1;
    t.color[0].pipe_format = pipe::Format::R8G8B8A8_UNORM;
    t.color[0].format = adreno::hw::Format::FMT6_8_8_8_8_UNORM;
    for (const adreno::hw::Chip& chip : adreno::hw::chips())
        for (const bool depth : {false, true})
            for (const std::pair<unsigned, unsigned>& size :
                 {std::pair(1u, 1u), {64u, 64u}, {1920u, 1080u}, {16384u, 5u}, {7u, 16384u}}) {
                const unsigned w = size.first, h = size.second;
                CAPTURE(chip.name);
                CAPTURE(depth);
                CAPTURE(w);
                CAPTURE(h);
                t.depth.pipe_format = pipe::Format::D24_UNORM_S8_UINT;
                t.depth.depth_format =
                    depth ? adreno::hw::DepthFormat::DEPTH6_24_8 : adreno::hw::DepthFormat::DEPTH6_NONE;
                adreno::TilePlan p;
                REQUIRE(adreno::plan_tiles(chip, t, w, h, &p));
                CHECK(p.tile_w_px % chip.tile_align_w_px == 0);
                CHECK(p.tile_h_px % chip.tile_align_h_px == 0);
                CHECK(p.tile_w_px <= chip.kMaxTileW_px);
                CHECK(p.tile_h_px <= chip.kMaxTileH_px);
                CHECK(p.count_x == (w + p.tile_w_px - 1) / p.tile_w_px);
                CHECK(p.count_y == (h + p.tile_h_px - 1) / p.tile_h_px);
                const uint32_t target_B = p.tile_w_px * p.tile_h_px * 4;
                CHECK(p.places.depth_B % 4096 == 0);
                if (depth) CHECK(p.places.depth_B >= target_B);
                CHECK((depth ? p.places.depth_B : 0) + target_B <= chip.gmem_ccu_color_offset_B());
                if (w == 64) CHECK(p.count() == 1);
            }
    adreno::TilePlan p;
    CHECK(!adreno::plan_tiles(adreno::hw::chips()[0], {}, 64, 64, &p));
}
