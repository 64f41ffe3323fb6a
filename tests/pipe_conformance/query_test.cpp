// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of samples that passed and of generated primitives.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("queries: samples that pass are counted across passes; others are not") {
    Scene s(64, 64);
    s.depth_stencil({.depth_test = true, .depth_write = true});
    const auto q = s.context->create_query(pipe::QueryKind::Samples);
    const auto other = s.context->create_query(pipe::QueryKind::Samples);
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 32, 32, 0.25f, {1, 0, 0, 1});
    s.context->begin_query(*q);
    s.rectangle(0, 0, 40, 32, 0.5f, {0, 1, 0, 1});  // 8 x 32 of it are in front
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color_mask[0] = 2;
    s.context->clear(c);  // a rectangle that the test draws does not count
    s.context->end_render_pass();
    s.resume();
    s.rectangle(0, 60, 4, 64, 0.5f, {0, 1, 0, 1});
    s.context->end_query(*q);
    s.context->begin_query(*other);
    s.rectangle(8, 60, 10, 62, 0.5f, {0, 1, 0, 1});
    s.context->end_query(*other);
    s.rectangle(20, 50, 30, 60, 0.5f, {0, 1, 0, 1});
    (void)s.pixels();
    CHECK(s.result(*q) == 8 * 32 + 4 * 4);
    CHECK(s.result(*other) == 4);
    // A new query, in a pass that stays open.
    s.resume();
    s.context->begin_query(*q);
    s.rectangle(60, 0, 64, 4, 0.5f, {0, 1, 0, 1});
    s.context->end_query(*q);
    CHECK(s.result(*q) == 16);
    s.context->end_render_pass();
}

TEST_CASE("queries: whether any sample passed; what a shader discards does not count") {
    Scene s(32, 32);
    s.depth_stencil({.depth_test = true});
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec4 v;\n"
        "void main() { gl_Position = position; v = color; }\n",
        "precision highp float; varying vec4 v;\n"
        "void main() { if (v.x > 0.5) discard; gl_FragColor = v; }\n");
    s.context->bind_program(program.get());
    const auto none = s.context->create_query(pipe::QueryKind::AnySamples);
    const auto some = s.context->create_query(pipe::QueryKind::AnySamplesConservative);
    s.begin(0, 0, 0, 1);
    s.context->begin_query(*none);
    s.rectangle(0, 0, 32, 32, 0.5f, {1, 0, 0, 1});
    s.context->end_query(*none);
    s.context->begin_query(*some);
    s.rectangle(0, 0, 32, 32, 0.5f, {0, 0, 0, 1});
    s.context->end_query(*some);
    (void)s.pixels();
    CHECK(s.result(*none) == 0);
    CHECK(s.result(*some) == 1);
}

TEST_CASE("queries: one that never began, one without draws") {
    Scene s(16, 16);
    const auto q = s.context->create_query(pipe::QueryKind::Samples);
    CHECK(s.result(*q) == 0);
    s.context->begin_query(*q);
    s.context->end_query(*q);
    CHECK(s.result(*q) == 0);
}

namespace {

/// Draws several tiles; one draw for each method to generate primitives.
struct GeneratedScene {
    GeneratedScene() : s(512, 512) {
        std::vector<Vertex> v;
        for (int i = 0; i < 12; ++i)
            v.push_back(s.at(float(i / 2 * 100), float(i % 2 * 512)));
        for (Vertex& i : v)
            i.color[0] = i.color[3] = 1;
        vertices = s.buffer(v.data(), v.size() * sizeof(Vertex));
        const uint16_t strips[] = {0, 1, 2,      3, 0xffff, 4,
                                   5, 6, 0xffff, 7, 8,      0xffff};  // 2, 1 and no triangles
        indices = s.buffer(strips, sizeof strips);
        const uint32_t plain[] = {6, 2, 0, 0}, indexed[] = {12, 3, 0, 0, 0};
        arguments = s.buffer(plain, sizeof plain);
        indexed_arguments = s.buffer(indexed, sizeof indexed);
    }
    void draw(pipe::DrawInfo info, uint32_t count = 0) {
        const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
        s.context->set_vertex_buffers({&binding, 1});
        const pipe::DrawRange range{0, count, 0};
        s.context->draw(info, {&range, 1});
        s.context->set_vertex_buffers({});
    }
    pipe::DrawInfo strips() const {
        return {.mode = pipe::Primitive::TriangleStrip,
                .index_type = pipe::IndexType::U16,
                .primitive_restart = true,
                .index_buffer = indices.get()};
    }
    Scene s;
    pipe::Ref<pipe::Resource> vertices, indices, arguments, indexed_arguments;
};

}  // namespace

TEST_CASE(
    "queries: generated primitives with restart, instances and indirect draws, counted once for all tiles") {
    GeneratedScene g;
    Scene& s = g.s;
    if (s.older_than(32)) return;
    const auto restart = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
    const auto indirect = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
    const auto all = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
    s.begin(0, 0, 0, 1);
    g.draw({.mode = pipe::Primitive::Triangles}, 3);
    s.context->begin_query(*restart);
    g.draw(g.strips(), 12);
    g.draw({.mode = pipe::Primitive::LineLoop, .instance_count = 2}, 5);  // 10 lines
    s.context->end_query(*restart);
    const bool no_indirect = lacks(!s.caps().reads_indirect_parameters, "indirect draws");
    s.context->begin_query(*indirect);
    pipe::DrawInfo info{.mode = pipe::Primitive::Triangles, .instance_count = 2};
    if (!no_indirect) info.indirect = {g.arguments.get(), 0, 16};
    g.draw(info, 6);  // 2 triangles, twice
    info = g.strips();
    info.instance_count = 3;
    if (!no_indirect) info.indirect = {g.indexed_arguments.get(), 0, 20};
    g.draw(info, 12);  // 3 triangles, three times
    s.context->end_query(*indirect);
    g.draw({.mode = pipe::Primitive::Points}, 7);
    s.context->begin_query(*all);
    g.draw({.mode = pipe::Primitive::Points}, 7);
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color_mask[0] = 2;
    s.context->clear(c);  // a rectangle that the test draws does not count
    g.draw({.mode = pipe::Primitive::LineStrip}, 4);
    s.context->end_render_pass();
    s.context->flush();
    s.resume();
    g.draw({.mode = pipe::Primitive::TriangleFan}, 12);
    s.context->end_query(*all);
    g.draw({.mode = pipe::Primitive::Points}, 7);
    (void)s.pixels();
    CHECK(s.result(*restart) == 3 + 10);
    CHECK(s.result(*indirect) == 4 + 9);
    CHECK(s.result(*all) == 7 + 3 + 10);
}

TEST_CASE("queries: with rasterizer discard primitives are counted, and nothing is drawn") {
    GeneratedScene g;
    Scene& s = g.s;
    if (s.older_than(32)) return;
    const auto q = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
    s.begin(0, 0, 0, 1);
    s.raster({.discard = true});
    g.draw({.mode = pipe::Primitive::Triangles}, 3);
    s.context->begin_query(*q);
    g.draw({.mode = pipe::Primitive::TriangleStrip}, 12);
    g.draw(g.strips(), 12);
    s.raster({.scissor = true});
    s.context->set_scissor({100, 100, 101, 101});
    g.draw({.mode = pipe::Primitive::TriangleStrip}, 12);  // it has one pixel
    s.raster({.discard = true});
    g.draw({.mode = pipe::Primitive::TriangleStrip}, 4);
    s.context->end_query(*q);
    g.draw({.mode = pipe::Primitive::TriangleStrip}, 12);
    s.raster({});
    s.rectangle(0, 0, 1, 1, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    CHECK(s.result(*q) == 10 + 3 + 10 + 2);
    CHECK(std::count(pixels.begin(), pixels.end(), 0xff000000) == 512 * 512 - 2);
    CHECK(pixels[100 * 512 + 100] == 0xffffffff);
    CHECK(pixels[0] == 0xff00ff00);
}
