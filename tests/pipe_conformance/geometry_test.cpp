// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry and tessellation stages.
#include "tests/common/stage_programs.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

/// A square of 8 pixels in a scene of 32. It is one strip, or two if `cut` is not 0.
constexpr const char* kSquares =
    "layout(points) in; layout(triangle_strip, max_vertices = 6) out; in vec4 v[]; out vec4 c; uniform float "
    "cut;"
    "void corner(float x, float y) { gl_Position = gl_in[0].gl_Position + vec4(x, y, 0.0, 0.0) * 0.25; c = "
    "v[0]; EmitVertex(); }"
    "void main() { corner(-1.0, -1.0); corner(1.0, -1.0); corner(-1.0, 1.0);"
    "  if (cut != 0.0) { EndPrimitive(); corner(1.0, -1.0); corner(-1.0, 1.0); } corner(1.0, 1.0); }";
bool no_later_stages(const Scene& s) {
    return lacks(s.caps().gles_version < 32 && !s.caps().later_stages, "geometry and tessellation stages");
}

/// Two opposite corners of a rectangle, in window coordinates.
void add_patch(const Scene& s, std::vector<Vertex>* v, float x0, float y0, float x1, float y1,
               unsigned vertices = 2) {
    const float color[] = {1, 0.5f, 0, 1};
    for (unsigned k = 0; k < vertices; ++k) {
        v->push_back(k == 0 ? s.at(x0, y0) : s.at(x1, y1));
        std::copy_n(color, 4, v->back().color);
    }
}

}  // namespace

TEST_CASE("geometry shaders: points become strips, with uniforms, with and without tiles") {
    Scene s(32, 32);
    if (no_later_stages(s)) return;
    const auto program = link_stages(
        s, {{Stage::Vertex, kStageVertex}, {Stage::Geometry, kSquares}, {Stage::Fragment, kStageFragment}});
    s.begin();
    s.context->bind_program(program.get());
    for (const float cut : {0.0f, 1.0f}) {
        const auto word = std::bit_cast<uint32_t>(cut);
        s.context->set_uniforms(pipe::Stage::Geometry, {&word, 1});
        std::vector<Vertex> points = {s.at(6, 6 + 16 * cut), s.at(22, 6 + 16 * cut)};
        points[0].color[1] = points[1].color[0] = 0;
        s.draw(pipe::Primitive::Points, points);
    }
    // A program without a geometry shader.
    s.context->bind_program(s.program.get());
    s.rectangle(14, 14, 18, 18, 0.5f, {1, 1, 1, 1});
    const auto pixels = s.pixels();
    for (uint32_t y = 0; y < 32; ++y)
        for (uint32_t x = 0; x < 32; ++x) {
            const auto in = [&](uint32_t x0) {
                return x >= x0 && x < x0 + 8 && (y % 16 >= 2 && y % 16 < 10);
            };
            const bool middle = x >= 14 && x < 18 && y >= 14 && y < 18;
            CAPTURE(x);
            CAPTURE(y);
            CHECK(pixels[y * 32 + x] == (middle ? 0xffffffff : in(2) ? 0xffff00ff : in(18) ? 0xffffff00 : 0));
        }
}

TEST_CASE(
    "geometry shaders: layers that store to one buffer; primitive ids; flat shading by the last vertex") {
    Scene s(16, 16);
    if (no_later_stages(s)) return;
    const auto program =
        link_stages(s, {{Stage::Vertex, kStageVertex},
                        {Stage::Geometry,
                         "layout(triangles, invocations = 3) in; layout(triangle_strip, max_vertices = 3) "
                         "out; in vec4 v[]; flat out vec4 c;"
                         "void main() { for (int i = 0; i < 3; ++i) { gl_Layer = gl_InvocationID; "
                         "gl_PrimitiveID = gl_PrimitiveIDIn + 10 * gl_InvocationID;"
                         "  gl_Position = gl_in[i].gl_Position; c = vec4(float(i) * 0.5); EmitVertex(); } }"},
                        {Stage::Fragment,
                         "layout(std430, binding = 0) buffer B { uint of_layer[3]; uint of_all; };\n"
                         "flat in vec4 c; out vec4 o; void main() { o = vec4(c.r, float(gl_PrimitiveID) / "
                         "255.0, float(gl_Layer) / 255.0, 1.0);\n"
                         "of_layer[gl_Layer] = uint(gl_Layer) + 5u; of_all = 9u; }"}});
    const auto stored = s.zeros(4 * sizeof(uint32_t));
    s.storage(pipe::Stage::Fragment, {stored.get()});
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Tex2DArray;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    d.width = d.height = 16;
    d.layers = 3;
    d.bind = pipe::bind::kColor;
    const auto layers = s.screen->create_resource(d);
    REQUIRE(layers);
    pipe::RenderPassDesc pass = s.pass;
    pass.depth_stencil = {};
    pass.color[0].resource = layers.get();
    pass.color[0].layer_count = 3;
    pass.layers = 3;
    pass.color[0].load = pipe::LoadOp::Clear;
    s.context->begin_render_pass(pass);
    s.context->bind_program(program.get());
    std::vector<Vertex> v = {s.at(0, 0), s.at(16, 0), s.at(0, 16), s.at(16, 0), s.at(0, 16), s.at(16, 16)};
    s.draw(pipe::Primitive::Triangles, v);
    s.context->end_render_pass();
    for (int layer = 0; layer < 3; ++layer) {
        const pipe::Mapping m = s.context->map(*layers, 0, {0, 0, layer, 16, 16, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        const auto at = [&](unsigned x, unsigned y) {
            uint32_t pixel;
            std::memcpy(&pixel, static_cast<uint8_t*>(m.data) + y * m.row_stride_B + x * 4, 4);
            return pixel;
        };
        const auto color = [&](uint32_t primitive) {
            return 0xff0000ffu | (primitive + 10 * uint32_t(layer)) << 8 | uint32_t(layer) << 16;
        };
        CHECK(at(2, 2) == color(0));
        CHECK(at(13, 13) == color(1));
        s.context->unmap(*layers, m);
    }
    CHECK(s.words(*stored) == std::vector<uint32_t>{5, 6, 7, 9});
}

TEST_CASE("geometry shaders: their output is captured and counted") {
    Scene s(32, 32);
    if (no_later_stages(s)) return;
    const auto program = link_stages(
        s, {{Stage::Vertex, kStageVertex}, {Stage::Geometry, kSquares}, {Stage::Fragment, kStageFragment}},
        {"c"});
    std::vector<float> zeros(4 * 13, 0.0f);
    const auto buffer = s.buffer(zeros.data(), zeros.size() * 4);
    const pipe::BufferRange range{buffer.get(), 0, 12 * 16};
    s.context->set_stream_outputs({&range, 1});
    const auto written = s.context->create_query(pipe::QueryKind::PrimitivesWritten);
    s.context->begin_query(*written);
    s.begin();
    s.context->bind_program(program.get());
    const uint32_t cut = 0;
    s.context->set_uniforms(pipe::Stage::Geometry, {&cut, 1});
    std::vector<Vertex> points = {s.at(6, 6), s.at(22, 22)};
    points[0].color[1] = points[1].color[0] = 0.25f;
    s.draw(pipe::Primitive::Points, points);
    s.context->end_query(*written);
    (void)s.pixels();
    uint64_t count = 0;
    CHECK(s.context->query_result(*written, true, &count));
    CHECK(count == 4);
    const pipe::Mapping m = s.context->map(*buffer, 0, {0, 0, 0, 13 * 16, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    float got[13][4];
    std::memcpy(got, m.data, sizeof got);
    s.context->unmap(*buffer, m);
    for (unsigned k = 0; k < 12; ++k) {
        CAPTURE(k);
        CHECK(got[k][0] == (k < 6 ? 1.0f : 0.25f));
        CHECK(got[k][1] == (k < 6 ? 0.25f : 1.0f));
    }
    CHECK(got[12][3] == 0);
}

TEST_CASE("geometry shaders: indices with restarts, instances, and a triangle's neighbours") {
    Scene s(32, 32);
    if (no_later_stages(s)) return;
    // A square of 4 pixels at each corner of the triangle; blue is the x of the last neighbour.
    const auto program = link_stages(
        s,
        {{Stage::Vertex,
          "layout(location = 0) in vec4 position; layout(location = 1) in vec4 color; out vec4 v;"
          "void main() { gl_Position = position + vec4(0.0, float(gl_InstanceID), 0.0, 0.0); v = color; }"},
         {Stage::Geometry,
          "layout(triangles_adjacency) in; layout(triangle_strip, max_vertices = 12) out; in vec4 v[]; "
          "out vec4 c;"
          "void main() { for (int i = 0; i < 12; ++i) { gl_Position = gl_in[i / 4 * 2].gl_Position +"
          "    vec4(float(i & 1), float(i >> 1 & 1), 0.0, 0.0) * 0.25;"
          "  c = vec4(float(i / 4) * 0.5, float(gl_PrimitiveIDIn), v[5].b, 1.0); EmitVertex();"
          "  if (i % 4 == 3) EndPrimitive(); } }"},
         {Stage::Fragment, kStageFragment}});
    s.context->bind_program(program.get());
    std::vector<Vertex> v = {s.at(0, 0), s.at(8, 0), s.at(0, 8), s.at(16, 0), s.at(24, 0), s.at(16, 8)};
    for (Vertex& i : v)
        i.color[2] = 0;
    v[5].color[2] = 1;
    const uint16_t order[] = {0, 3, 1, 3, 2, 5, 0xffff, 3, 0, 4, 0, 5, 0};
    const auto vertices = s.buffer(v.data(), v.size() * sizeof(Vertex)),
               indices = s.buffer(order, sizeof order);
    const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
    s.begin();
    s.context->set_vertex_buffers({&binding, 1});
    const pipe::DrawRange range{0, 13, 0};
    s.context->draw({.mode = pipe::Primitive::TrianglesAdjacency,
                     .index_type = pipe::IndexType::U16,
                     .primitive_restart = true,
                     .index_buffer = indices.get(),
                     .instance_count = 2},
                    {&range, 1});
    s.context->set_vertex_buffers({});
    const auto pixels = s.pixels();
    for (uint32_t y = 0; y < 32; ++y)
        for (uint32_t x = 0; x < 32; ++x) {
            // The corners of each triangle are at (0, 0), (8, 0) and (0, 8) of its quarter.
            const uint32_t i = x % 16, j = y % 16, red[] = {0, 0x80, 0xff};
            const int corner = i < 4 && j < 4              ? 0
                               : i >= 8 && i < 12 && j < 4 ? 1
                               : i < 4 && j >= 8 && j < 12 ? 2
                                                           : -1;
            const uint32_t color = x < 16 ? 0xffff0000 : 0xff00ff00;
            CAPTURE(x);
            CAPTURE(y);
            CHECK(pixels[y * 32 + x] == (corner < 0 ? 0 : color | red[corner]));
        }
}

TEST_CASE("tessellation: more patches than one subdraw can have, of two sizes") {
    Scene s(64, 64);
    if (no_later_stages(s)) return;
    const auto program = link_stages(s, {{Stage::Vertex, kStageVertex},
                                         {Stage::TessControl, kStageControl},
                                         {Stage::TessEval, kStageEvaluation},
                                         {Stage::Fragment, kStageFragment}});
    s.begin();
    s.context->bind_program(program.get());
    // 1024 patches of 2x2 pixels. The first draw has patches of two vertices, the second patches of three.
    const float level = 3;
    const auto word = std::bit_cast<uint32_t>(level);
    s.context->set_uniforms(pipe::Stage::TessControl, {&word, 1});
    for (const unsigned vertices : {2u, 3u}) {
        std::vector<Vertex> v;
        for (unsigned n = 0; n < 1024; ++n) {
            const auto x = float(n % 32 * 2), y = float(n / 32 * 2);
            if (vertices == 2 || n % 2) add_patch(s, &v, x, y, x + 2, y + 2, vertices);
        }
        s.draw(pipe::Primitive::Patches, v, {.patch_vertices = vertices});
    }
    const auto pixels = s.pixels();
    unsigned wrong = 0;
    for (uint32_t y = 0; y < 64; ++y)
        for (uint32_t x = 0; x < 64; ++x) {
            const uint32_t n = y / 2 * 32 + x / 2;
            // In the second draw gl_PrimitiveID counts half as many patches.
            const uint32_t odd = n % 2 ? (n - 1) / 2 % 2 : 0;
            wrong += pixels[y * 64 + x] != (0xff0080ff | odd * 0xff0000);
        }
    CHECK(wrong == 0);
}

TEST_CASE("tessellation: point mode through a geometry shader, indirectly and with indices") {
    Scene s(64, 64);
    if (no_later_stages(s) || lacks(!s.caps().reads_indirect_parameters, "indirect draws")) return;
    const auto program = link_stages(
        s, {{Stage::Vertex, kStageVertex},
            {Stage::TessControl, kStageControl},
            {Stage::TessEval,
             "layout(quads, equal_spacing, point_mode) in; in vec4 t[]; patch in float share; out vec4 e;"
             "void main() { gl_Position = vec4(mix(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy, "
             "gl_TessCoord.xy), 0.0, 1.0);"
             "  e = vec4(gl_TessCoord.xy, share, 1.0); }"},
            {Stage::Geometry,
             "layout(points) in; layout(triangle_strip, max_vertices = 4) out; in vec4 e[]; out vec4 c;"
             "void main() { for (int i = 0; i < 4; ++i) { c = e[0]; gl_Position = gl_in[0].gl_Position +"
             "  vec4(float(i & 1), float(i >> 1), 0.0, 0.0) * 2.0 / 64.0 * 4.0; EmitVertex(); } }"},
            {Stage::Fragment, kStageFragment}});
    s.context->bind_program(program.get());
    const auto word = std::bit_cast<uint32_t>(2.0f);
    s.context->set_uniforms(pipe::Stage::TessControl, {&word, 1});
    std::vector<Vertex> v;
    add_patch(s, &v, 4, 4, 20, 20);
    const auto vertices = s.buffer(v.data(), v.size() * sizeof(Vertex));
    const uint16_t order[] = {7, 0, 1, 0, 1};
    const uint32_t parameters[] = {4, 1, 1, 0,
                                   0};  // count, instances, first index, base vertex, first instance
    const auto indices = s.buffer(order, sizeof order), indirect = s.buffer(parameters, sizeof parameters);
    s.begin();
    const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    pipe::DrawInfo info{.mode = pipe::Primitive::Patches,
                        .index_type = pipe::IndexType::U16,
                        .patch_vertices = 2,
                        .index_buffer = indices.get()};
    info.indirect = {indirect.get(), 0, sizeof parameters};
    s.context->draw(info, {});
    s.context->set_vertex_buffers({});
    const auto pixels = s.pixels();
    // Nine squares of four pixels, eight pixels apart. The second patch has an odd id and lies on the first.
    for (uint32_t j = 0; j < 3; ++j)
        for (uint32_t i = 0; i < 3; ++i) {
            const uint32_t x = 4 + 8 * i, y = 4 + 8 * j, level[] = {0, 0x80, 0xff};
            const uint32_t color = 0xffff0000 | level[j] << 8 | level[i];
            CHECK(pixels[y * 64 + x] == color);
            CHECK(pixels[(y + 3) * 64 + x + 3] == color);
            CHECK(pixels[(y + 4) * 64 + x] == 0);
            CHECK(pixels[y * 64 + x - 1] == 0);
        }
}
