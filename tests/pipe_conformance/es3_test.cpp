// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Features of OpenGL ES 3.0: uniform blocks, stream output, integer targets.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr char kVersion[] = "#version 300 es\n",
               kFragmentVersion[] = "#version 300 es\nprecision highp float; precision highp int;\n";
pipe::Ref<pipe::Program> link(Scene& s, const std::string& vs, const std::string& fs,
                              std::vector<std::string> capture = {}, bool separate = false) {
    return s.link(kVersion + vs, kFragmentVersion + fs, std::move(capture), separate);
}

constexpr char kBlockVertex[] =
    "layout(location = 0) in vec4 position; layout(location = 1) in vec4 color;\n"
    "layout(std140) uniform Move { vec4 pad; vec4 offset; };\n"
    "void main() { gl_Position = position + offset; }\n";
constexpr char kBlockFragment[] =
    "layout(std140) uniform A { vec4 a[3]; }; layout(std140) uniform B { vec4 b; };\n"
    "uniform int i; out vec4 color; void main() { color = a[i] + b; }\n";

}  // namespace

TEST_CASE("uniform blocks: ranges of buffers; reads beyond a range, and without a buffer, return 0") {
    Scene s(32, 32);
    if (s.older_than(30)) return;
    s.program = link(s, kBlockVertex, kBlockFragment);
    s.context->bind_program(s.program.get());
    float data[64] = {};
    data[4] = 0;                                       // the vertex stage's: no offset
    data[16] = 1, data[20 + 1] = 1, data[24 + 2] = 1;  // a: red, green, blue, from byte 64 on
    data[32 + 3] = 1;                                  // b: alpha, from byte 128 on
    const auto buffer = s.buffer(data, sizeof data);
    const pipe::BufferRange move{buffer.get(), 0, 32};
    s.context->set_constant_buffers(pipe::Stage::Vertex, 0, {&move, 1});
    const auto draw = [&](float x, int i, std::vector<pipe::BufferRange> ranges) {
        s.context->set_constant_buffers(pipe::Stage::Fragment, 0, ranges);
        const uint32_t index = uint32_t(i);
        s.context->set_uniforms(pipe::Stage::Fragment, {&index, 1});
        s.rectangle(x, 0, x + 8, 32, 0.5f, {1, 1, 1, 1});
    };
    s.begin(0.2f, 0.2f, 0.2f, 0.2f);
    const pipe::BufferRange a{buffer.get(), 64, 48}, b{buffer.get(), 128, 16};
    draw(0, 1, {a, b});
    draw(8, 2, {{buffer.get(), 64, 32}, b});  // a[2] is beyond the range
    draw(16, 0, {a, {}});
    draw(24, 0, {{buffer.get(), 4096, 48}, b});  // begins after the buffer's end
    const auto pixels = s.pixels();
    CHECK(pixels[4] == 0xff00ff00);
    CHECK(pixels[12] == 0xff000000);
    CHECK(pixels[20] == 0x000000ff);
    CHECK(pixels[28] == 0xff000000);
}

TEST_CASE("uniform blocks: a buffer that gets new memory is read there") {
    Scene s(32, 32);
    if (s.older_than(30)) return;
    s.program =
        link(s, kBlockVertex, "layout(std140) uniform B { vec4 b; }; out vec4 c; void main() { c = b; }\n");
    s.context->bind_program(s.program.get());
    const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
    const auto buffer = s.buffer(red, sizeof red);
    const pipe::BufferRange range{buffer.get(), 0, 16};
    s.context->set_constant_buffers(pipe::Stage::Fragment, 0, {&range, 1});
    s.begin();
    s.rectangle(0, 0, 16, 32, 0.5f, {1, 1, 1, 1});
    s.context->end_render_pass();
    const pipe::Mapping m = s.context->map(*buffer, 0, {0, 0, 0, 16, 1, 1},
                                           pipe::map_flag::kWrite | pipe::map_flag::kDiscardWhole);
    REQUIRE(m.data);
    std::memcpy(m.data, green, sizeof green);
    s.context->unmap(*buffer, m);
    s.resume();
    s.rectangle(16, 0, 32, 32, 0.5f, {1, 1, 1, 1});
    const auto pixels = s.pixels();
    CHECK(pixels[4] == 0xff0000ff);
    CHECK(pixels[20] == 0xff00ff00);
}

namespace {

constexpr char kCaptureVertex[] =
    "layout(location = 0) in vec4 position; layout(location = 1) in vec4 color;\n"
    "out vec3 a; flat out float number;\n"
    "void main() { gl_Position = position; a = color.xyz; number = float(gl_VertexID) + 10.0 * "
    "float(gl_InstanceID); }\n";
// Reads fewer components of `a` than are captured, and `number` not at all.
constexpr char kCaptureFragment[] = "in vec3 a; out vec4 c; void main() { c = vec4(a.x, 0.0, 0.0, 1.0); }\n";

}  // namespace

TEST_CASE("stream output: draws append, over passes and submissions, and the query counts") {
    Scene s(32, 32);
    if (s.older_than(30)) return;
    s.program = link(s, kCaptureVertex, kCaptureFragment, {"a", "number"});
    s.context->bind_program(s.program.get());
    std::vector<float> zeros(4 * 16, 0.0f);
    const auto buffer = s.buffer(zeros.data(), zeros.size() * 4);
    // Capture begins at the second vec4. There is room for 12 vertices and a half.
    const pipe::BufferRange range{buffer.get(), 16, 12 * 16 + 8};
    s.context->set_stream_outputs({&range, 1});
    const auto q = s.context->create_query(pipe::QueryKind::PrimitivesWritten);
    s.context->begin_query(*q);
    s.begin();
    std::vector<Vertex> points = {s.at(4.5f, 4.5f), s.at(8.5f, 4.5f), s.at(12.5f, 4.5f)};
    const auto draw = [&](float value, pipe::DrawInfo info = {}) {
        for (size_t i = 0; i < points.size(); ++i)
            points[i].color[0] = value, points[i].color[1] = float(i), points[i].color[2] = -value;
        s.draw(pipe::Primitive::Points, points, info);
    };
    draw(1);
    draw(0.5f);
    // In between: a program that captures nothing, and a clear that the test draws.
    const auto plain = s.link(kVertexText, kFragmentText);
    s.context->bind_program(plain.get());
    s.rectangle(16, 16, 20, 20, 0.5f, {0, 1, 0, 1});
    s.context->bind_program(s.program.get());
    s.context->end_render_pass();
    s.context->flush();
    s.resume();
    draw(3);
    (void)s.pixels();
    s.resume();
    draw(4, {.instance_count = 2});  // the second instance does not fit
    s.context->end_query(*q);
    const auto pixels = s.pixels();
    const std::vector<float> got = s.floats(*buffer);
    const float values[] = {1, 0.5f, 3, 4};
    CHECK(got[0] == 0);
    for (size_t v = 0; v < 12; ++v) {
        CAPTURE(v);
        CHECK(got[4 + 4 * v] == values[v / 3]);
        CHECK(got[5 + 4 * v] == float(v % 3));
        CHECK(got[6 + 4 * v] == -values[v / 3]);
        CHECK(got[7 + 4 * v] == float(v % 3));
    }
    CHECK(got[4 + 4 * 12] == 0);
    CHECK(s.result(*q) == 12);
    CHECK(pixels[4 * 32 + 8] == 0xff0000ff);
    CHECK(pixels[17 * 32 + 17] == 0xff00ff00);
}

TEST_CASE(
    "stream output: separate buffers, position, a discarding raster, and what was captured is drawn in the "
    "same pass") {
    Scene s(32, 32);
    if (s.older_than(30)) return;
    s.program = link(s, kCaptureVertex, kCaptureFragment, {"gl_Position", "a"}, true);
    s.context->bind_program(s.program.get());
    std::vector<float> zeros(64, 0.0f);
    const auto positions = s.buffer(zeros.data(), 16 * 4), colors = s.buffer(zeros.data(), 12 * 4);
    const pipe::BufferRange ranges[] = {{positions.get(), 0, 16 * 4}, {colors.get(), 0, 12 * 4}};
    s.context->set_stream_outputs(ranges);
    s.begin(0, 0, 0, 1);
    s.raster({.discard = true});
    s.rectangle(8, 8, 24, 24, 0.5f, {0.25f, 0.5f, 0.75f, 1});
    s.context->set_stream_outputs({});
    s.raster({});
    // The strip becomes two triangles; the vertices of the first one come first.
    const auto plain = s.link(kVertexText, kFragmentText);
    s.context->bind_program(plain.get());
    const pipe::VertexBuffer buffers[] = {{positions.get(), 0, 16}, {nullptr, 0, 0}};
    s.context->set_vertex_buffers(buffers);
    const pipe::DrawRange range{0, 3, 0};
    s.context->draw({.mode = pipe::Primitive::Triangles}, {&range, 1});
    const auto pixels = s.pixels();
    const std::vector<float> p = s.floats(*positions), c = s.floats(*colors);
    CHECK(p[0] == -0.5f);
    CHECK(p[4] == 0.5f);
    CHECK(p[5] == -0.5f);
    CHECK(p[9] == 0.5f);
    CHECK(p[3] == 1);
    CHECK(p[12] == 0);  // only one triangle fits
    CHECK(c[3 * 2] == 0.25f);
    CHECK(c[3 * 2 + 2] == 0.75f);
    CHECK(pixels[0] == 0xff000000);
    CHECK(pixels[10 * 32 + 10] != 0xff000000);
    CHECK(pixels[22 * 32 + 22] == 0xff000000);
}

TEST_CASE("lines: with several samples they cover some of a pixel's samples, and varyings keep their range") {
    Scene s(32, 32);
    if (s.older_than(30) || lacks(!s.caps().implicit_resolve, "implicit resolves")) return;
    s.pass.color[0].samples = 4;
    s.pass.depth_stencil = {};
    s.begin(0, 0, 0, 1);
    std::vector<Vertex> ends = {s.at(2, 3), s.at(30, 13)};
    ends[0].color[0] = ends[1].color[0] = 1;
    ends[0].color[1] = ends[0].color[2] = ends[1].color[2] = 0;
    ends[1].color[1] = 1;
    s.draw(pipe::Primitive::Lines, ends);
    const auto pixels = s.pixels();
    std::array<bool, 256> red{};
    for (uint32_t p : pixels)
        red[p & 255] = true;
    CHECK(std::count(red.begin(), red.end(), true) == 5);
    // Green grows along the line, and is never greater than red.
    bool grows = true, below = true;
    uint32_t last = 0;
    for (int x = 3; x < 29; ++x) {
        uint32_t r = 0, g = 0;
        for (int y = 0; y < 32; ++y) {
            r += pixels[size_t(y) * 32 + size_t(x)] & 255;
            g += pixels[size_t(y) * 32 + size_t(x)] >> 8 & 255;
        }
        below &= g <= r;
        grows &= r > 0 && g * 255 / r >= last;
        last = r ? g * 255 / r : 0;
    }
    CHECK(grows);
    CHECK(below);
    CHECK(last > 200);
}

TEST_CASE("targets: floats, signed and unsigned integers, fewer channels, each with its mask") {
    Scene s(16, 16);
    if (s.older_than(30)) return;
    s.program = link(s, kCaptureVertex,
                     "layout(location = 0) out vec4 a; layout(location = 1) out uvec4 b;\n"
                     "layout(location = 2) out ivec2 c;\n"
                     "void main() { a = vec4(0.0, 1.0, 0.0, 1.0); b = uvec4(1, 0x80000000u, 3, 70000); c "
                     "= ivec2(-5, 40000); }\n");
    s.context->bind_program(s.program.get());
    const auto words = s.image(pipe::Format::R32G32B32A32_UINT, 16, 16, pipe::bind::kColor);
    const auto shorts = s.image(pipe::Format::R16G16_SINT, 16, 16, pipe::bind::kColor);
    s.pass.color_count = 3;
    s.pass.color[1] = {.resource = words.get(), .format = words->desc.format, .load = pipe::LoadOp::Clear};
    s.pass.color[2] = {.resource = shorts.get(), .format = shorts->desc.format, .load = pipe::LoadOp::Clear};
    s.pass.clear_color[1] = {.u = {7, 8, 9, 0xffffffff}};
    s.pass.clear_color[2] = {.i = {-1, -32768, 0, 0}};
    pipe::BlendDesc blend;
    blend.targets[1].write_mask = 0b1011;
    s.blend(blend);
    s.begin();
    s.rectangle(0, 0, 8, 16, 0.5f, {1, 1, 1, 1});
    const auto pixels = s.pixels();
    CHECK(pixels[0] == 0xff00ff00);
    const auto texel = [&](pipe::Resource& r, int x, size_t size_B) {
        std::vector<uint32_t> out(size_B / 4);
        const pipe::Mapping m = s.context->map(r, 0, {x, 0, 0, 1, 1, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        std::memcpy(out.data(), m.data, size_B);
        s.context->unmap(r, m);
        return out;
    };
    CHECK(texel(*words, 3, 16) == std::vector<uint32_t>{1, 0x80000000u, 9, 70000});
    CHECK(texel(*words, 12, 16) == std::vector<uint32_t>{7, 8, 9, 0xffffffff});
    CHECK(texel(*shorts, 3, 4) == std::vector<uint32_t>{32767u << 16 | 0xfffb});
    CHECK(texel(*shorts, 12, 4) == std::vector<uint32_t>{0x8000ffffu});
}
