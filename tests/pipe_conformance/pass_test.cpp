// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes: loads and stores, what splits a pass, culling, rendered textures.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("passes: culling, of both windings") {
    for (const bool front_ccw : {true, false}) {
        Scene s(32, 32);
        s.raster({.cull = pipe::CullFace::Back, .front_ccw = front_ccw});
        s.begin(0, 0, 0, 1);
        s.draw(pipe::Primitive::Triangles,
               {s.at(0, 0), s.at(16, 0), s.at(0, 32)});  // counter-clockwise, y up
        s.draw(pipe::Primitive::Triangles,
               {s.at(32, 0), s.at(32, 32), s.at(31, 32), s.at(16, 32), s.at(32, 32), s.at(32, 0)});
        const auto pixels = s.pixels();
        CHECK((pixels[33] == 0xffffffff) == front_ccw);
        CHECK((pixels[30 * 32 + 28] == 0xffffffff) == !front_ccw);
    }
}

TEST_CASE("passes: textures that were rendered, and textures that were written") {
    Scene s(32, 32);
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
}

TEST_CASE("passes: results that are read in the middle of a pass; indices with restart; lines and points") {
    Scene s(32, 32);
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 8, 32, 0.5f, {1, 0, 0, 1});
    CHECK(s.context->flush()->wait(pipe::Fence::kForever));
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
    CHECK(pixels[0] == 0xff0000ff);
    CHECK(pixels[12] == 0xff00ff00);
    CHECK(pixels[20] == 0xffffffff);
    CHECK(pixels[28] == 0xff000000);
    CHECK(pixels[20 * 32 + 28] == 0xffffffff);
    CHECK(pixels[20 * 32 + 20] == 0xff000000);
}

TEST_CASE("passes: several tiles keep draws, clears and depth from one pass to the next") {
    Scene s(700, 500);
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin(0, 0, 0, 1);
    s.rectangle(10, 10, 690, 490, 0.25f, {1, 0, 0, 1});
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color[0] = {.f = {0, 0, 1, 1}};
    c.scissored = true;
    c.scissor = {100, 100, 601, 403};
    s.context->clear(c);
    CHECK(s.context->flush()->wait(pipe::Fence::kForever));
    s.rectangle(0, 0, 700, 500, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
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

TEST_CASE("passes: a flush in a pass stores targets that the end of the pass would discard") {
    Scene s(64, 64);
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.pass.depth_stencil.store = s.pass.stencil_store = pipe::StoreOp::DontCare;
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 64, 64, 0.25f, {1, 0, 0, 1});
    CHECK(s.context->flush()->wait(pipe::Fence::kForever));
    s.rectangle(0, 0, 64, 64, 0.5f, {0, 1, 0, 1});
    CHECK(s.pixels()[100] == 0xff0000ff);
}
