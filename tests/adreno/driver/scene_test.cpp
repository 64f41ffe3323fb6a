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

TEST_CASE("scene: a clear reaches memory") {
    DriverScene s = open_scene(64, 64, either_mode());
    s.begin(1, 0.3f, 0, 1);  // half way between 76 and 77
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[0] == 0xff004dff);
    CHECK(pixels.back() == 0xff004dff);
}

TEST_CASE("scene: a rectangle over a clear") {
    DriverScene s = open_scene(64, 64, either_mode());
    s.begin(0, 0, 0, 1);
    s.rectangle(16, 8, 48, 40, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    const auto at = [&](int x, int y) { return pixels[size_t(y) * 64 + size_t(x)]; };
    CHECK(at(0, 0) == 0xff000000);
    CHECK(at(16, 8) == 0xff00ff00);
    CHECK(at(47, 39) == 0xff00ff00);
    CHECK(at(48, 39) == 0xff000000);
    CHECK(at(47, 40) == 0xff000000);
    CHECK(at(15, 8) == 0xff000000);
}

TEST_CASE("scene: clears in the middle, of a part, of some components, of stencil bits") {
    DriverScene s = open_scene(64, 64, either_mode());
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 64, 64, 0.5f, {1, 1, 1, 1});
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color[0] = {.f = {1, 0, 0, 1}};
    c.scissored = true;
    c.scissor = {8, 8, 24, 24};
    s.context->clear(c);
    c.color[0] = {.f = {0, 0, 0, 0}};
    c.color_mask[0] = 2;
    c.scissor = {32, 32, 48, 48};
    s.context->clear(c);
    s.rectangle(0, 56, 64, 64, 0.5f, {0, 0, 1, 1});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    const auto at = [&](int x, int y) { return pixels[size_t(y) * 64 + size_t(x)]; };
    CHECK(at(4, 4) == 0xffffffff);
    CHECK(at(8, 8) == 0xff0000ff);
    CHECK(at(23, 23) == 0xff0000ff);
    CHECK(at(24, 24) == 0xffffffff);
    CHECK(at(40, 40) == 0xffff00ff);
    CHECK(at(48, 47) == 0xffffffff);
    CHECK(at(10, 60) == 0xffff0000);
}

TEST_CASE("scene: the depth test, across passes that load") {
    DriverScene s = open_scene(64, 64, either_mode());
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 32, 64, 0.25f, {1, 0, 0, 1});
    s.context->end_render_pass();
    s.resume();
    s.rectangle(0, 0, 64, 64, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[10] == 0xff0000ff);
    CHECK(pixels[40] == 0xff00ff00);
}

TEST_CASE("scene: stencil") {
    DriverScene s = open_scene(64, 64, either_mode());
    pipe::DepthStencilDesc d;
    d.stencil_test = true;
    d.front = {.compare = pipe::Compare::Always, .pass = pipe::StencilOp::Replace};
    d.back = d.front;
    s.depth_stencil(d);
    s.context->set_stencil_ref(3, 3);
    s.begin(0, 0, 0, 1);
    s.rectangle(16, 16, 32, 32, 0.5f, {1, 0, 0, 1});
    d.front = {.compare = pipe::Compare::NotEqual};
    d.back = d.front;
    s.depth_stencil(d);
    s.rectangle(0, 0, 64, 64, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[20 * 64 + 20] == 0xff0000ff);
    CHECK(pixels[0] == 0xff00ff00);
}

TEST_CASE("scene: culling, by either winding") {
    const pipe::DebugWord mode = either_mode();
    for (const bool front_ccw : {true, false}) {
        DriverScene s = open_scene(32, 32, mode);
        s.raster({.cull = pipe::CullFace::Back, .front_ccw = front_ccw});
        s.begin(0, 0, 0, 1);
        s.draw(pipe::Primitive::Triangles,
               {s.at(0, 0), s.at(16, 0), s.at(0, 32)});  // counter-clockwise, y up
        s.draw(pipe::Primitive::Triangles,
               {s.at(32, 0), s.at(32, 32), s.at(31, 32), s.at(16, 32), s.at(32, 32), s.at(32, 0)});
        const auto pixels = s.pixels();
        CHECK(s.messages == "");
        CHECK((pixels[33] == 0xffffffff) == front_ccw);
        CHECK((pixels[30 * 32 + 28] == 0xffffffff) == !front_ccw);
    }
}

TEST_CASE("scene: tiles that do not meet the pass' area are left out") {
    DriverScene s = open_scene(512, 512, pipe::DebugWord::Gmem);
    s.begin(0, 0, 1, 1);
    s.context->end_render_pass();
    s.pass.area = {0, 0, 8, 8};
    s.begin(1, 0, 0, 1);
    s.rectangle(0, 0, 4, 4, 0.5f, {0, 1, 0, 1});
    s.context->end_render_pass();
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[0] == 0xff00ff00);
    CHECK(pixels[7 * 512 + 7] == 0xff0000ff);
    CHECK(pixels[511 * 512 + 511] == 0xffff0000);
}

TEST_CASE("scene: blending") {
    DriverScene s = open_scene(16, 16, either_mode());
    pipe::BlendDesc b;
    for (auto& t : b.targets)
        t = {.enable = true,
             .src_rgb = pipe::BlendFactor::One,
             .dst_rgb = pipe::BlendFactor::One,
             .src_alpha = pipe::BlendFactor::One,
             .dst_alpha = pipe::BlendFactor::Zero};
    s.blend(b);
    s.begin(0, 0, 1, 0);
    s.rectangle(0, 0, 16, 16, 0.5f, {1, 0, 0, 1});
    CHECK(s.pixels()[100] == 0xffff00ff);
    CHECK(s.messages == "");
}

TEST_CASE("scene: a texture that was drawn, and one that was written") {
    DriverScene s = open_scene(32, 32, either_mode());
    const auto texture =
        s.image(pipe::Format::R8G8B8A8_UNORM, 32, 32, pipe::bind::kSampled | pipe::bind::kColor);
    pipe::RenderPassDesc to_texture = s.pass;
    to_texture.color[0].resource = texture.get();
    to_texture.color[0].load = pipe::LoadOp::Clear;
    to_texture.clear_color[0] = {.f = {0, 1, 1, 1}};
    to_texture.depth_stencil = {};
    s.context->begin_render_pass(to_texture);
    s.rectangle(0, 0, 16, 32, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec2 at;\n"
        "void main() { gl_Position = position; at = position.xy * 0.5 + 0.5 + color.xy * 0.0; }\n",
        "precision highp float; varying vec2 at; uniform sampler2D image;\n"
        "void main() { gl_FragColor = texture2D(image, at); }\n");
    s.context->bind_program(program.get());
    const auto view = s.screen->create_sampler_view(texture, {.format = texture->desc.format});
    const auto sampler = s.screen->create_sampler({.wrap_s = pipe::Wrap::ClampToEdge,
                                                   .wrap_t = pipe::Wrap::ClampToEdge,
                                                   .min = pipe::Filter::Nearest,
                                                   .mag = pipe::Filter::Nearest,
                                                   .mip = pipe::MipFilter::None});
    REQUIRE(view);
    pipe::SamplerView* views[] = {view.get()};
    pipe::SamplerState* samplers[] = {sampler.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.begin();
    s.rectangle(0, 0, 32, 32, 0.5f, {0, 0, 0, 0});
    auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[10 * 32 + 4] == 0xff0000ff);
    CHECK(pixels[10 * 32 + 20] == 0xffffff00);
    const pipe::Mapping m = s.context->map(*texture, 0, {20, 10, 0, 1, 1, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    const uint32_t white = 0xffffffff;
    std::memcpy(m.data, &white, 4);
    s.context->unmap(*texture, m);
    s.begin();
    s.rectangle(0, 0, 32, 32, 0.5f, {0, 0, 0, 0});
    pixels = s.pixels();
    CHECK(pixels[10 * 32 + 20] == white);
    CHECK(pixels[10 * 32 + 21] == 0xffffff00);
    CHECK(s.messages == "");
}

TEST_CASE("scene: work that is wanted in the middle of a pass; indices with restart; lines and points") {
    DriverScene s = open_scene(32, 32, either_mode());
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 8, 32, 0.5f, {1, 0, 0, 1});
    CHECK(s.context->flush(0)->wait(pipe::Fence::kForever));
    s.rectangle(8, 0, 16, 32, 0.5f, {0, 1, 0, 1});
    std::vector<Vertex> v = {s.at(16, 0),  s.at(24, 0),  s.at(16, 16), s.at(24, 16),
                             s.at(24, 16), s.at(32, 16), s.at(24, 32), s.at(32, 32)};
    const uint16_t indices[] = {0, 1, 2, 3, 0xffff, 4, 5, 6, 7};
    const auto vb = s.buffer(v.data(), v.size() * sizeof(Vertex)), ib = s.buffer(indices, sizeof indices);
    const pipe::VertexBuffer binding{vb.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    pipe::DrawInfo info;
    info.mode = pipe::Primitive::TriangleStrip;
    info.index_type = pipe::IndexType::U16;
    info.index_buffer = ib.get();
    info.primitive_restart = true;
    const pipe::DrawRange range{0, 9, 0};
    s.context->draw(info, {&range, 1});
    s.context->set_vertex_buffers({});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[0] == 0xff0000ff);
    CHECK(pixels[12] == 0xff00ff00);
    CHECK(pixels[20] == 0xffffffff);
    CHECK(pixels[28] == 0xff000000);
    CHECK(pixels[20 * 32 + 28] == 0xffffffff);
    CHECK(pixels[20 * 32 + 20] == 0xff000000);
}

TEST_CASE("scene: a unit without a texture reads black") {
    DriverScene s = open_scene(16, 16, either_mode());
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec4 v;\n"
        "void main() { gl_Position = position; v = color; }\n",
        "precision highp float; varying vec4 v; uniform sampler2D image;\n"
        "void main() { gl_FragColor = v + texture2D(image, v.xy); }\n");
    s.context->bind_program(program.get());
    s.begin(1, 1, 1, 1);
    s.rectangle(0, 0, 16, 16, 0.5f, {0, 1, 0, 0});
    CHECK(s.pixels()[40] == 0xff00ff00);
    CHECK(s.messages == "");
}

TEST_CASE("scene: arrays of a shader that are indexed by what it computes lie in memory") {
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

TEST_CASE("scene: every chip draws") {
    const pipe::DebugWord mode = either_mode();
    for (const char* name : {"sim:adreno-618", "sim:adreno-640", "sim:adreno-650", "sim:adreno-660"}) {
        CAPTURE(name);
        DriverScene s = open_scene(64, 64, mode, name);
        s.begin(0, 0, 0, 1);
        s.rectangle(16, 8, 48, 40, 0.5f, {0, 1, 0, 1});
        const auto pixels = s.pixels();
        CHECK(s.messages == "");
        CHECK(pixels[0] == 0xff000000);
        CHECK(pixels[20 * 64 + 20] == 0xff00ff00);
    }
}

TEST_CASE("scene: several tiles, whose draws, clears and depth go on from one pass to the next") {
    // 618 has the least GMEM: two targets of 700x500 pixels are eight tiles there.
    DriverScene s = open_scene(700, 500, either_mode(), "sim:adreno-618");
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin(0, 0, 0, 1);
    s.rectangle(10, 10, 690, 490, 0.25f, {1, 0, 0, 1});
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color[0] = {.f = {0, 0, 1, 1}};
    c.scissored = true;
    c.scissor = {100, 100, 601, 403};
    s.context->clear(c);
    CHECK(s.context->flush(0)->wait(pipe::Fence::kForever));
    s.rectangle(0, 0, 700, 500, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    size_t wrong = 0;
    for (int y = 0; y < 500; ++y)
        for (int x = 0; x < 700; ++x) {
            const bool inner = x >= 100 && x < 601 && y >= 100 && y < 403;
            const bool outer = x >= 10 && x < 690 && y >= 10 && y < 490;
            const uint32_t want = inner ? 0xffff0000 : outer ? 0xff0000ff : 0xff00ff00;
            wrong += pixels[size_t(y) * 700 + size_t(x)] != want;
        }
    CHECK(wrong == 0);
}

TEST_CASE("scene: tiles are not stored where nobody wants them") {
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
        // In sysmem the depth of the second pass is in memory all the same.
        CHECK(s.pixels()[100] == (mode == pipe::DebugWord::Gmem ? 0xff00ff00 : 0xff0000ff));
        CHECK(s.messages == "");
    }
}

TEST_CASE("scene: what a flush divides is stored, though nobody wants it after the pass") {
    DriverScene s = open_scene(64, 64, either_mode());
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.pass.depth_stencil.store = s.pass.stencil_store = pipe::StoreOp::DontCare;
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 64, 64, 0.25f, {1, 0, 0, 1});
    CHECK(s.context->flush(0)->wait(pipe::Fence::kForever));
    s.rectangle(0, 0, 64, 64, 0.5f, {0, 1, 0, 1});
    CHECK(s.pixels()[100] == 0xff0000ff);
    CHECK(s.messages == "");
}

TEST_CASE("scene: formats whose channels stand in another order are cleared and drawn") {
    DriverScene s = open_scene(60, 37, either_mode());
    for (const pipe::Format f : {pipe::Format::B8G8R8A8_UNORM, pipe::Format::B5G6R5_UNORM,
                                 pipe::Format::R16G16B16A16_FLOAT, pipe::Format::R8_UNORM})
        for (const uint32_t linear : {0u, uint32_t(pipe::bind::kLinear)}) {
            CAPTURE(pipe::format_info(f).name);
            CAPTURE(linear);
            const auto image = s.image(f, 60, 37, pipe::bind::kColor | linear);
            pipe::RenderPassDesc pass = s.pass;
            pass.color[0].resource = image.get();
            pass.color[0].format = f;
            pass.color[0].load = pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Clear;
            pass.clear_color[0] = {.f = {1, 0, 0, 1}};
            s.context->begin_render_pass(pass);
            s.rectangle(0, 0, 30, 37, 0.5f, {0, 1, 0, 1});
            s.context->end_render_pass();
            const pipe::Mapping m = s.context->map(*image, 0, {0, 36, 0, 60, 1, 1}, pipe::map_flag::kRead);
            REQUIRE(m.data);
            float row[60][4];
            pipe::unpack_rgba_f32(f, row[0], m.data, 60);
            s.context->unmap(*image, m);
            CHECK(row[29][0] == 0);
            CHECK(row[29][1] == (f == pipe::Format::R8_UNORM ? 0 : 1));
            CHECK(row[30][0] == 1);
            CHECK(row[59][1] == 0);
            CHECK(s.messages == "");
        }
}

TEST_CASE("tiles: as few as GMEM holds, aligned as the chip wants") {
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
