// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs that follow each other in a pass: state that both need in the same form is not packed again
// (StatePacking), and all other state is.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr char kColored[] =
    "#version 320 es\nin vec4 position; in vec4 color; out vec4 c; void main() { gl_Position = position; c = "
    "color; }\n";
constexpr char kPlain[] = "#version 320 es\nin vec4 position; void main() { gl_Position = position; }\n";
constexpr char kScaled[] =
    "#version 320 es\nin vec4 position; in vec4 color; uniform vec4 scale; out vec4 c;\n"
    "void main() { gl_Position = position; c = color * scale; }\n";

struct Kind {
    const char* name;
    const char* vs;
    const char* fs;
    bool vertex_uniform = false, fragment_uniform = false;
};
constexpr Kind kKinds[] = {
    {"a varying", kColored, "precision highp float; in vec4 c; out vec4 o; void main() { o = c; }"},
    {"nothing", kPlain, "precision highp float; out vec4 o; void main() { o = vec4(0.25, 0.5, 0.75, 1.0); }"},
    {"a uniform", kPlain, "precision highp float; uniform vec4 u; out vec4 o; void main() { o = u; }", false,
     true},
    {"another's uniform", kPlain,
     "precision highp float; uniform vec4 u; out vec4 o; void main() { o = u.wzyx; }", false, true},
    {"a vertex uniform", kScaled, "precision highp float; in vec4 c; out vec4 o; void main() { o = c.zyxw; }",
     true},
    {"a texture", kPlain,
     "precision highp float; uniform sampler2D s; out vec4 o; void main() { o = texture(s, vec2(0.5)); }"},
    {"the same texture", kColored,
     "precision highp float; in vec4 c; uniform sampler2D s; out vec4 o;\n"
     "void main() { o = texture(s, vec2(0.5)) * c; }"},
    {"two textures", kPlain,
     "precision highp float; uniform sampler2D s, t; out vec4 o;\n"
     "void main() { o = texture(s, vec2(0.5)) * 0.5 + texture(t, vec2(0.5)).wwww * 0.25; }"},
    {"a cube that is not there", kPlain,
     "precision highp float; uniform sampler2D s; uniform samplerCube t; out vec4 o;\n"
     "void main() { o = texture(s, vec2(0.5)) * 0.25 + texture(t, vec3(1.0, 0.0, 0.0)).wxww * 0.5; }"},
    {"a block", kPlain,
     "precision highp float; layout(std140) uniform B { vec4 v; }; out vec4 o; void main() { o = v; }"},
    {"its own depth", kPlain,
     "precision highp float; out vec4 o; void main() { o = vec4(1.0); gl_FragDepth = 0.125; }"},
    {"a second output", kPlain,
     "precision highp float; layout(location = 0) out vec4 o; layout(location = 1) out vec4 p;\n"
     "void main() { o = vec4(0.5); p = vec4(1.0); }"},
};
constexpr unsigned kKindCount = std::size(kKinds);
constexpr int32_t kCell_px = 2, kCellsInRow = 24, kRows = 2 * int32_t(kKindCount * kKindCount) / kCellsInRow;
static_assert(kRows * kCellsInRow == 2 * int32_t(kKindCount * kKindCount));

struct Switches {
    Scene s{kCell_px * kCellsInRow, kCell_px* kRows};
    std::vector<pipe::Ref<pipe::Program>> programs;
    pipe::Ref<pipe::Resource> vertices, block;
    pipe::Ref<pipe::SamplerView> view;

    Switches() {
        if (older()) return;
        for (const Kind& k : kKinds)
            programs.push_back(s.link(k.vs, std::string("#version 320 es\n") + k.fs));
        std::vector<Vertex> corners;
        for (int32_t y = 0; y < kRows; ++y)
            for (int32_t x = 0; x < kCellsInRow; ++x)
                for (int corner = 0; corner < 4; ++corner) {
                    corners.push_back(
                        s.at(float((x + (corner & 1)) * kCell_px), float((y + (corner >> 1)) * kCell_px)));
                    std::copy_n(std::array{0.25f, 0.75f, 0.5f, 1.0f}.data(), 4, corners.back().color);
                }
        vertices = s.buffer(corners.data(), corners.size() * sizeof(Vertex));
        const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
        s.context->set_vertex_buffers({&binding, 1});
        const float value[] = {0.125f, 0.25f, 0.875f, 1};
        block = s.buffer(value, sizeof value);
        const pipe::BufferRange range{block.get(), 0, sizeof value};
        s.context->set_constant_buffers(pipe::Stage::Fragment, 0, {&range, 1});
        const auto texture = s.image(pipe::Format::R8G8B8A8_UNORM, 1, 1, pipe::bind::kSampled);
        const pipe::Mapping m = s.context->map(*texture, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kWrite);
        REQUIRE(m.data);
        std::memcpy(m.data, std::array<uint8_t, 4>{200, 100, 50, 255}.data(), 4);
        s.context->unmap(*texture, m);
        view = s.screen->create_sampler_view(texture, {.format = pipe::Format::R8G8B8A8_UNORM});
        REQUIRE(view);
        pipe::SamplerView* const views[] = {view.get(), nullptr};
        s.context->set_textures(pipe::Stage::Fragment, 0, views, {});
        s.depth_stencil({.depth_test = true, .depth_write = true});
    }
    [[nodiscard]] bool older() const { return s.older_than(32); }
    void draw(unsigned kind, unsigned cell) {
        s.context->bind_program(programs[kind].get());
        const float values[] = {1, 0.5f, 0.25f, 0.75f};
        uint32_t bits[4];
        std::memcpy(bits, values, sizeof bits);
        if (kKinds[kind].vertex_uniform) s.context->set_uniforms(pipe::Stage::Vertex, bits);
        if (kKinds[kind].fragment_uniform) s.context->set_uniforms(pipe::Stage::Fragment, bits);
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::TriangleStrip;
        const pipe::DrawRange range{4 * cell, 4, 0};
        s.context->draw(info, {&range, 1});
    }
    static uint32_t pixel(const std::vector<uint32_t>& pixels, unsigned cell) {
        const unsigned x = cell % kCellsInRow * kCell_px, y = cell / kCellsInRow * kCell_px;
        return pixels[size_t(y) * kCell_px * kCellsInRow + x];
    }
};

}  // namespace

TEST_CASE("programs: each pair of them in one pass draws as each of them alone") {
    Switches t;
    if (t.older()) return;
    std::array<uint32_t, kKindCount> alone;
    for (unsigned kind = 0; kind < kKindCount; ++kind) {
        t.s.begin();
        t.draw(kind, 0);
        alone[kind] = Switches::pixel(t.s.pixels(), 0);
        for (unsigned other = 0; other < kind; ++other) {
            const std::string pair = std::string(kKinds[other].name) + ", " + kKinds[kind].name;
            INFO(pair);
            CHECK(alone[other] != alone[kind]);
        }
    }
    t.s.begin();
    unsigned cell = 0;
    for (unsigned a = 0; a < kKindCount; ++a)
        for (unsigned b = 0; b < kKindCount; ++b) {
            t.draw(a, cell++);
            t.draw(b, cell++);
        }
    const auto pixels = t.s.pixels();
    cell = 0;
    for (unsigned a = 0; a < kKindCount; ++a)
        for (unsigned b = 0; b < kKindCount; ++b) {
            const std::string pair = std::string(kKinds[a].name) + ", then " + kKinds[b].name;
            INFO(pair);
            CHECK(Switches::pixel(pixels, cell++) == alone[a]);
            CHECK(Switches::pixel(pixels, cell++) == alone[b]);
        }
}
