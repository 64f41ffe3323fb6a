// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The render path of passes whose shaders read the pass' own colours.
#include <bit>
#include <cmath>

#include "drivers/adreno/context.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using adreno::Pass;

namespace {

constexpr char kVertex[] =
    "#version 320 es\nin vec4 position; in vec4 color; out vec2 at; void main() { gl_Position = position; at "
    "= position.xy * 0.5 + 0.5 + color.xy * 0.0; }\n";

// A draw over another one has half of that one's colour plus a quarter.
constexpr char kHalves[] =
    "#version 320 es\n#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float; inout "
    "vec4 c; "
    "void main() { c = c * 0.5 + 0.25; }\n";

/// The render path of the last pass.
Pass::RenderPath path_of(const DriverScene& s) {
    return static_cast<adreno::AdrenoContext&>(*s.context).pass().last_path();
}

/// Two triangles for each of `count` rectangles, one over another.
std::vector<Vertex> rectangles(const DriverScene& s, float x1, float y1, unsigned count) {
    std::vector<Vertex> v;
    for (unsigned i = 0; i < count; ++i)
        for (const auto& [x, y] :
             {std::pair{0.0f, 0.0f}, {x1, 0.0f}, {0.0f, y1}, {0.0f, y1}, {x1, 0.0f}, {x1, y1}})
            v.push_back(s.at(x, y, 0.5f));
    return v;
}

}  // namespace

TEST_CASE(
    "textures: draws that must run only once read colours from memory, after draws that read them from "
    "tiles") {
    constexpr int kW = 700, kH = 500;
    const pipe::DebugWord mode = either_mode();
    DriverScene s = open_scene(kW, kH, mode);
    const auto halves = s.link(kVertex, kHalves);
    const auto captured = s.link(
        "#version 320 es\nin vec4 position; in vec4 color; out vec4 a; void main() { gl_Position = position; "
        "a = "
        "color; }\n",
        "#version 320 es\n#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float; in "
        "vec4 a; "
        "inout vec4 c; void main() { c = c * 0.5 + a; }\n",
        {"a"});
    constexpr unsigned kRoom = 64;
    const std::vector<float> zeros(kRoom * 4, 0.0f);
    const auto buffer = s.buffer(zeros.data(), zeros.size() * 4);
    const pipe::BufferRange range{buffer.get(), 0, zeros.size() * 4};
    s.begin(1, 0, 0.5f, 0);
    s.context->bind_program(halves.get());
    s.draw(pipe::Primitive::Triangles, rectangles(s, 600, 400, 2));
    s.context->set_stream_outputs({&range, 1});
    s.context->bind_program(captured.get());
    auto over = rectangles(s, 400, 300, 3);
    for (Vertex& v : over)
        std::fill_n(v.color, 4, 0.25f);
    s.draw(pipe::Primitive::Triangles, over);
    if (mode == pipe::DebugWord::Gmem) CHECK(path_of(s) == Pass::RenderPath::Tiles);  // of the earlier draws
    s.context->set_stream_outputs({});
    s.context->bind_program(halves.get());
    s.draw(pipe::Primitive::Triangles, rectangles(s, 300, 500, 1));
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(path_of(s) == Pass::RenderPath::Sysmem);
    size_t wrong = 0;
    for (int y = 0; y < kH; ++y)
        for (int x = 0; x < kW; ++x) {
            const unsigned n = (x < 600 && y < 400 ? 2 : 0) + (x < 400 && y < 300 ? 3 : 0) + (x < 300);
            const float begun[] = {1, 0, 0.5f, 0};
            for (unsigned c = 0; c < 4; ++c) {
                float v = begun[c];
                for (unsigned i = 0; i < n; ++i)
                    v = std::round((v * 0.5f + 0.25f) * 255) / 255;
                wrong += std::abs(float(pixels[size_t(y * kW + x)] >> (8 * c) & 0xff) - 255 * v) > 1.01f;
            }
        }
    CHECK(wrong == 0);
    const pipe::Mapping m =
        s.context->map(*buffer, 0, {0, 0, 0, int32_t(zeros.size() * 4), 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    unsigned written = 0;
    for (unsigned i = 0; i < zeros.size(); ++i)
        written += static_cast<const float*>(m.data)[i] == 0.25f;
    s.context->unmap(*buffer, m);
    CHECK(written == over.size() * 4);
}

TEST_CASE("textures: a pass with layers does not read tiles") {
    DriverScene s = open_scene(16, 16);
    pipe::ResourceDesc d{.kind = pipe::ResourceKind::Tex2DArray,
                         .format = pipe::Format::R8G8B8A8_UNORM,
                         .width = 16,
                         .height = 16,
                         .layers = 2,
                         .bind = pipe::bind::kColor};
    const auto layers = s.screen->create_resource(d);
    REQUIRE(layers);
    s.pass.color[0] = {.resource = layers.get(), .format = d.format, .layer_count = 2};
    s.pass.depth_stencil = {};
    s.pass.layers = 2;
    const auto halves = s.link(kVertex, kHalves);
    s.begin();
    s.context->bind_program(halves.get());
    s.rectangle(0, 0, 16, 16, 0.5f, {0, 0, 0, 0});
    s.context->end_render_pass();
    CHECK(s.messages.has("several layers"));
}
